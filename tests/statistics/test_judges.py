"""An automated judge against people, beside people among themselves."""

import math
from itertools import combinations

import numpy as np
import pytest
from comparison_cases import CASES
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from assay.statistics import Ratings, Scale, agree
from assay.statistics.comparison import weighted_formulas
from assay.statistics.comparison.judges import ANY_UNIT, judge_against_people
from assay.statistics.comparison.system_level import _orders, system_level, why_not_comparable

FIVE = Scale((1, 2, 3, 4, 5), "ordinal")
pairs = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=30)


def of(report, name):
    return next(each for each in report.statistics if each.name == name)


def plain(function, x, y, weights=None):
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    value = float(function(x, y)(np.ones((1, len(x))) if weights is None else np.asarray([weights], dtype=float))[0])
    return None if math.isnan(value) else value


def study(n=80, k=3, seed=1, judge_noise=0.6, shift=0.0):
    chance = np.random.default_rng(seed)
    truth = chance.normal(3, 1, n)
    people = [
        (i, f"p{a}", int(np.clip(round(truth[i] + chance.normal(0, 0.8)), 1, 5))) for i in range(n) for a in range(k)
    ]
    judge = {i: int(np.clip(round(truth[i] + shift + chance.normal(0, judge_noise)), 1, 5)) for i in range(n)}
    return judge, people


# The formulas


def test_the_correlations_of_hollander_and_wolfe():
    case = CASES["kendall_tau_hollander_wolfe"]
    x, y = case["data"]["x"], case["data"]["y"]
    assert plain(weighted_formulas.kendall_tau_b, x, y) == pytest.approx(case["expected"]["kendall_tau_b"], abs=1e-6)
    assert plain(weighted_formulas.spearman, x, y) == pytest.approx(case["expected"]["spearman"], abs=1e-6)


@settings(deadline=None)
@given(rows=pairs)
def test_correlations_with_ties_are_those_of_scipy(rows):
    x, y = zip(*rows, strict=True)
    varied = len(set(x)) > 1 and len(set(y)) > 1
    for function, oracle in (
        (weighted_formulas.pearson, stats.pearsonr),
        (weighted_formulas.spearman, stats.spearmanr),
        (weighted_formulas.kendall_tau_b, stats.kendalltau),
    ):
        found = plain(function, x, y)
        assert found == (pytest.approx(oracle(x, y).statistic, abs=1e-9) if varied else None)


@settings(deadline=None)
@given(rows=pairs, seed=st.integers(0, 20))
def test_weights_are_the_same_as_items_that_occur_so_often(rows, seed):
    counts = np.random.default_rng(seed).integers(0, 4, len(rows))
    x, y = (np.array(column) for column in zip(*rows, strict=True))
    for function in vars(weighted_formulas).values():
        if getattr(function, "__module__", "") == weighted_formulas.__name__ and not function.__name__.startswith("_"):
            spelled_out = plain(function, np.repeat(x, counts), np.repeat(y, counts))
            found = plain(function, x, y, counts)
            assert found == (None if spelled_out is None else pytest.approx(spelled_out, abs=1e-9)), function.__name__


@settings(deadline=None)
@given(rows=pairs)
def test_kappas_are_those_of_two_annotators(rows):
    ratings = Ratings.from_rows(rows, (1, 2, 3, 4, 5), "ordinal")
    x, y = zip(*rows, strict=True)
    for function, name in (
        (weighted_formulas.quadratic_kappa, "cohen_kappa_quadratic"),
        (weighted_formulas.cohen_kappa, "cohen_kappa"),
    ):
        expected = agree(ratings, [name], draws=0)[0].value
        found = plain(function, x, y)
        assert found == (None if expected is None else pytest.approx(expected, abs=1e-9))


def test_shares_and_biases_are_counted_out():
    x, y = [1, 2, 3, 4, 5], [1, 3, 5, 4, 2]  # differences 0 -1 -2 0 3
    assert plain(weighted_formulas.exact_agreement, x, y) == pytest.approx(2 / 5)
    assert plain(weighted_formulas.within_one_agreement, x, y) == pytest.approx(3 / 5)
    assert plain(weighted_formulas.bias, x, y) == 0
    assert plain(weighted_formulas.bias, [1, 2], [2, 4]) == -1.5
    assert plain(weighted_formulas.absolute_bias, [1, 2], [2, 4]) == 1.5


# Judge and people


def test_every_value_is_worked_out_from_its_definition():
    judge, people = study(n=40)
    people = [row for row in people if not (row[0] % 7 == 0 and row[1] == "p2")]
    alone = [row for row in people if row[0] != 3 or row[1] == "p1"]  # one person only: no rest there
    assert judge_against_people(judge, alone, FIVE, draws=20).n_shared == 39
    without = [row for row in people if row[0] != 3]
    for one, other in zip(
        *(judge_against_people(judge, each, FIVE, draws=0).statistics for each in (alone, without)), strict=True
    ):
        assert one.with_rest.value == (None if other.with_rest.value is None else pytest.approx(other.with_rest.value))
    found = judge_against_people(judge, people, FIVE, draws=20)
    given_by = {(item, who): value for item, who, value in people}
    names, items = ("p0", "p1", "p2"), range(40)
    for name, oracle in (
        ("pearson", stats.pearsonr),
        ("spearman", stats.spearmanr),
        ("kendall_tau_b", stats.kendalltau),
    ):
        rest, own, n = [], [], []
        for who in names:
            mine = [i for i in items if (i, who) in given_by]
            others = [np.mean([given_by[i, o] for o in names if o != who and (i, o) in given_by]) for i in mine]
            rest.append(oracle([judge[i] for i in mine], others).statistic)
            own.append(oracle([given_by[i, who] for i in mine], others).statistic)
            n.append(len(mine))
        assert of(found, name).with_rest.value == pytest.approx(np.average(rest, weights=n))
        assert of(found, name).people_with_rest.value == pytest.approx(np.average(own, weights=n))
        assert of(found, name).gap.value == pytest.approx(np.average(rest, weights=n) - np.average(own, weights=n))
        overall = [np.mean([given_by[i, o] for o in names if (i, o) in given_by]) for i in items]
        assert of(found, name).with_mean.value == pytest.approx(oracle([judge[i] for i in items], overall).statistic)
    exact = of(found, "exact_agreement")
    equal = [judge[i] == value for (i, _), value in given_by.items()]
    assert exact.with_each.value == pytest.approx(np.mean(equal))
    both = [
        given_by[i, a] == given_by[i, b]
        for a, b in combinations(names, 2)
        for i in items
        if (i, a) in given_by and (i, b) in given_by
    ]
    assert exact.people_with_each.value == pytest.approx(np.mean(both))
    assert exact.with_mean.undefined
    assert of(found, "bias").with_mean.value == pytest.approx(np.mean([judge[i] - m for i, m in enumerate(overall)]))


def test_every_statistic_stands_beside_that_of_people_on_the_same_items():
    found = judge_against_people(*study(), FIVE, draws=50)
    assert (found.n_items, found.n_shared, found.n_people) == (80, 80, 3)
    for each in found.statistics:
        beside = [(each.with_rest, each.people_with_rest), (each.with_each, each.people_with_each)]
        assert any(one.value is not None and other.value is not None for one, other in beside) or each.name == "bias"
        for measure in (each.with_mean, each.with_rest, each.people_with_rest, each.gap, each.with_each):
            assert (measure.value is None) == bool(measure.undefined)
            if measure.value is not None:
                assert measure.ci[0] - 1e-9 <= measure.value <= measure.ci[1] + 1e-9


def test_a_judge_that_is_one_of_the_people_has_no_gap():
    # The judge in the place of p0 is p0; in the place of others it is nearer to a rest that holds itself.
    _, people = study(n=60)
    judge = {item: value for item, who, value in people if who == "p0"}
    only_one = [row for row in people if row[1] in ("p0", "p1")]
    found = judge_against_people(judge, only_one, FIVE, draws=20)
    # Against p1's rest (p0) it is perfect, against p0's rest (p1) it is what p0 is.
    alone = of(found, "quadratic_kappa")
    assert alone.with_rest.value == pytest.approx((1 + alone.people_with_rest.value) / 2)


def test_a_lenient_judge_has_a_bias_and_no_worse_correlation():
    judge, people = study()
    high = {item: value + 1 for item, value in judge.items()}
    straight = judge_against_people(judge, people, FIVE, on_scale=True, draws=20)
    lenient = judge_against_people(high, people, FIVE, on_scale=True, draws=20)
    assert of(lenient, "bias").with_mean.value == pytest.approx(of(straight, "bias").with_mean.value + 1)
    for name in ANY_UNIT:
        assert of(lenient, name).with_mean.value == pytest.approx(of(straight, name).with_mean.value)
    assert of(lenient, "quadratic_kappa").with_mean.value < of(straight, "quadratic_kappa").with_mean.value
    assert lenient.confusion == (), "6 is no category"


def test_a_judge_off_the_scale_has_correlations_only():
    judge, people = study()
    metric = {item: value / 10 for item, value in judge.items()}
    found = judge_against_people(metric, people, FIVE, draws=20)
    for each in found.statistics:
        assert (each.with_rest.value is not None) == (each.name in ANY_UNIT)
        assert each.people_with_each.value is not None or each.name == "bias"
    assert "not values of the scale" in of(found, "quadratic_kappa").with_each.undefined


def test_a_nominal_scale_has_agreement_with_each_person_only():
    scale = Scale(("good", "bad", "unclear"), "nominal")
    people = [
        (i, who, scale.categories[(i + (who == "bo") * (i % 4 == 0)) % 3]) for i in range(40) for who in ("ann", "bo")
    ]
    judge = {i: scale.categories[i % 3] for i in range(40)}
    found = judge_against_people(judge, people, scale, draws=20)
    assert [each.name for each in found.statistics] == ["exact_agreement", "cohen_kappa"]
    kappa = of(found, "cohen_kappa")
    assert kappa.with_mean.undefined == "values of a nominal scale have no mean"
    assert kappa.people_with_each.value == pytest.approx(
        agree(Ratings.from_long(people, scale.categories, "nominal"), ["cohen_kappa"], draws=0)[0].value
    )
    assert found.disattenuated.undefined


def test_the_confusion_matrix_counts_judge_by_person():
    people = [(1, "ann", 2), (1, "bo", 3), (2, "ann", 5)]
    found = judge_against_people({1: 2, 2: 5, 3: 1}, people, FIVE)
    matrix = np.array(found.confusion)
    assert matrix[1].tolist() == [0, 1, 1, 0, 0]
    assert matrix[4].tolist() == [0, 0, 0, 0, 1]
    assert matrix.sum() == 3
    assert (found.n_items, found.n_shared) == (2, 1)


def test_the_reliability_of_the_mean_is_that_of_icc_one_k():
    judge, people = study(n=50)
    found = judge_against_people(judge, people, FIVE, draws=20)
    ratings = Ratings.from_long(people, (1, 2, 3, 4, 5), "interval")
    icc = agree(ratings, ["icc_1_k"], draws=0)[0].value
    assert found.reliability.value == pytest.approx(icc)
    r = of(found, "pearson").with_mean.value
    assert found.disattenuated.value == pytest.approx(r / math.sqrt(icc))


def test_a_judge_without_noise_has_a_disattenuated_correlation_near_one():
    chance = np.random.default_rng(2)
    truth = chance.integers(1, 6, 400)
    people = [(i, a, int(np.clip(truth[i] + chance.integers(-1, 2), 1, 5))) for i in range(400) for a in range(3)]
    found = judge_against_people(dict(enumerate(truth.tolist())), people, FIVE, draws=200)
    assert of(found, "pearson").with_mean.value < 0.96
    assert found.disattenuated.value == pytest.approx(1, abs=0.03)


def test_undefined_is_said_where_nothing_varies_or_nobody_overlaps():
    flat = judge_against_people({1: 3, 2: 3, 3: 3}, [(i, "ann", i) for i in (1, 2, 3)], FIVE)
    assert of(flat, "pearson").with_mean.undefined == "the values of one side do not vary"
    assert of(flat, "pearson").people_with_rest.undefined == "no item was judged by two people"
    assert flat.disattenuated.undefined
    nothing = judge_against_people({1: 3}, [(2, "ann", 3)], FIVE)
    assert of(nothing, "spearman").with_mean.undefined == "no item was judged both by the judge and by people"
    assert nothing.n_items == 0


def test_what_is_no_value_is_refused():
    with pytest.raises(ValueError, match="9, given to item 1 by annotator 'ann', is not on the scale"):
        judge_against_people({1: 3}, [(1, "ann", 9)], FIVE)
    with pytest.raises(ValueError, match="neither on the scale nor a number"):
        judge_against_people({1: "great"}, [(1, "ann", 3)], FIVE)
    with pytest.raises(ValueError, match="judged item 1 twice"):
        judge_against_people({1: 3}, [(1, "ann", 3), (1, "ann", 4)], FIVE)


def test_clusters_and_seeds_reach_the_draws():
    judge, people = study()
    clusters = {i: i // 2 for i in range(80)}
    found = [judge_against_people(judge, people, FIVE, clusters=clusters, seed=seed, draws=60) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
    assert "over clusters" in of(found[0], "pearson").with_mean.method


def test_more_distinct_items_than_tau_can_be_drawn_for_have_no_interval(monkeypatch):
    monkeypatch.setattr("assay.statistics.comparison.judges.PAIRS_AT_ONCE", 5)
    found = of(judge_against_people(*study(), FIVE, draws=20), "kendall_tau_b")
    assert found.with_mean.ci is None
    assert "more than 5 distinct items" in found.with_mean.method


def test_a_share_of_a_judge_has_an_interval_with_a_width_also_where_all_are_alike():
    values = {item: 1 + item % 3 for item in range(40)}
    people = [(item, who, value) for item, value in values.items() for who in ("ann", "bo")]
    exact = of(judge_against_people(values, people, FIVE, draws=200), "exact_agreement")
    assert exact.with_each.ci == pytest.approx((0.912, 1.0), abs=0.001), "Wilson's of 40 of 40"
    once = {**values, 0: 3}
    near = of(judge_against_people(once, people, FIVE, draws=200), "exact_agreement")
    assert near.with_each.ci == pytest.approx((0.864, 0.996), abs=0.001), "of 39 of 40, a little wider"
    assert of(judge_against_people(once, people, FIVE, draws=200), "within_one_agreement").with_mean.ci[0] < 0.9


def test_an_average_over_many_pairs_of_people_has_no_interval(monkeypatch):
    monkeypatch.setattr("assay.statistics.comparison.judges.PAIRS_OF_PEOPLE", 2)
    found = of(judge_against_people(*study(), FIVE, draws=20), "exact_agreement")
    assert found.people_with_each.value is not None
    assert (found.people_with_each.ci, found.people_with_each.method) == (None, "no interval: 3 pairs of people")
    assert found.with_each.ci is not None


def test_the_interval_of_the_gap_holds_no_gap_in_most_cases():
    held = 0
    for seed in range(60):
        judge, people = study(n=60, seed=seed, judge_noise=0.8)
        low, high = of(judge_against_people(judge, people, FIVE, draws=150, seed=seed), "pearson").gap.ci
        held += low <= 0 <= high
    assert held / 60 >= 0.85


# Systems


def rows_of(judge, people, n=30):
    chance = np.random.default_rng(3)
    return [
        (i, s, judge[s] + chance.normal(0, 0.1), people[s] + chance.normal(0, 0.1))
        for i in range(n)
        for s in range(len(judge))
    ]


def test_the_order_of_systems_is_that_of_scipy_on_their_means():
    found = system_level(rows_of([1, 3, 2, 4, 5], [1, 2, 3, 4, 5]), draws=200)
    assert found.tau_b.value == pytest.approx(stats.kendalltau([1, 3, 2, 4, 5], [1, 2, 3, 4, 5]).statistic)
    assert found.pairwise_accuracy.value == pytest.approx(9 / 10)
    assert [each[0] for each in found.means] == [4, 3, 2, 1, 0]
    widths = [each.ci[1] - each.ci[0] for each in (found.tau_b, found.items_only[0])]
    assert widths[0] > widths[1], "other systems might have been at hand"


def test_ties_of_systems_count_half_or_nowhere():
    rows = [(1, "A", 1, 1), (1, "B", 1, 2), (1, "C", 2, 3), (1, "D", 3, 3)]
    found = system_level(rows, draws=20)
    # People: 5 pairs that differ. The judge: AB tied (half), AC AD BC BD right.
    assert found.pairwise_accuracy.value == pytest.approx(4.5 / 5)
    assert found.tau_b.value == pytest.approx(stats.kendalltau([1, 1, 2, 3], [1, 2, 3, 3]).statistic)
    more = system_level([*rows[:3], (1, "D", 3, 4)], draws=20)
    assert more.tau_b.value == pytest.approx(stats.kendalltau([1, 1, 2, 3], [1, 2, 3, 4]).statistic)


def test_a_system_that_was_not_drawn_is_compared_with_none_and_one_drawn_twice_counts_twice():
    judge, people = [1.0, 3.0, 2.0, 4.0], [1.0, 2.0, 3.0, 4.0]
    sums = np.array([[judge], [people], [[1.0] * 4]])
    drawn = np.array([[0, 1, 1, 1], [2, 1, 1, 0]], dtype=float)
    tau, accuracy = _orders(sums, np.ones((2, 1)), drawn)
    # Of 1 2 3: pair 12 is wrong. With 0 twice, and without 3: 01 and 02 right twice each, 12 wrong.
    assert accuracy == pytest.approx([2 / 3, 4 / 5])
    assert tau == pytest.approx([1 / 3, 3 / 5])


def test_systems_that_cannot_be_told_apart_or_stand_alone_are_undefined():
    same = [(i, s, 3, 3) for i in range(5) for s in "AB"]
    assert "same mean" in system_level(same).tau_b.undefined
    assert system_level([(1, "A", 2, 3)]).tau_b.undefined == "there are no two systems"


def test_systems_may_have_different_items():
    rows = [row for row in rows_of([1, 2, 3], [1, 2, 3]) if (row[0] + row[1]) % 3]
    found = system_level(rows, draws=100)
    assert found.tau_b.value == 1


def test_judges_of_different_items_are_confounded_with_them():
    apart = [(judge, (judge, i)) for judge in "abcd" for i in range(5)]
    assert len(why_not_comparable(apart)) == 6
    assert why_not_comparable([(judge, i) for judge in "ab" for i in range(5)]) == ()
    few = [("a", i) for i in range(10)] + [("b", i) for i in range(8, 20)]
    assert why_not_comparable(few) == ("a and b have 2 items in common, of 10 and 12: compare them on these only",)
