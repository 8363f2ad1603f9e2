"""Calibration of a judge, and the alternative annotator test."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from assay.statistics.comparison.alt_test import EPSILON, alt_test
from assay.statistics.comparison.calibration import (
    calibrate_out_of_fold,
    calibration_curve,
    expected_calibration_error,
    isotonic,
)
from assay.statistics.comparison.multiple import benjamini_yekutieli
from assay.statistics.estimate import mean_of

points = st.lists(st.tuples(st.integers(0, 10), st.integers(-5, 5)), min_size=1, max_size=30)


@settings(deadline=None)
@given(rows=points)
def test_the_rising_curve_is_that_of_scipy(rows):
    x, y = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    found = isotonic(x, y)
    counts = np.array([(x == at).sum() for at in found.at])
    means = np.array([y[x == at].mean() for at in found.at])
    assert found.values == pytest.approx(optimize.isotonic_regression(means, weights=counts).x)
    assert (np.diff(found.values) >= -1e-12).all()


def test_a_curve_is_straight_between_and_level_beyond_its_points():
    found = isotonic([1, 3], [10, 20])
    assert found.predict([0, 1, 2, 3, 9]).tolist() == [10, 10, 15, 20, 20]
    with pytest.raises(ValueError, match="points"):
        isotonic([], [])


def test_calibration_takes_out_a_bias_and_a_bend_that_it_did_not_see():
    chance = np.random.default_rng(1)
    truth = chance.uniform(1, 5, 300)
    found = calibrate_out_of_fold((truth**2 / 5 + 1.5).tolist(), (truth + chance.normal(0, 0.3, 300)).tolist())
    assert abs(found.bias_after) < 0.1 < abs(found.bias_before)
    assert found.rmse_after < 0.4 < found.rmse_before


def test_a_value_does_not_depend_on_what_people_gave_to_its_own_item():
    chance = np.random.default_rng(2)
    judge, people = chance.normal(size=40).tolist(), chance.normal(size=40).tolist()
    found = calibrate_out_of_fold(judge, people)
    for item in range(40):
        other = calibrate_out_of_fold(judge, [*people[:item], 99.0, *people[item + 1 :]])
        assert other.values[item] == found.values[item]
        assert other.values != found.values


def test_items_of_one_source_fall_into_one_fold():
    clusters = [place // 10 for place in range(50)]
    judge, people = list(range(50)), [float(each) for each in clusters]
    found = calibrate_out_of_fold(judge, people, clusters=clusters)
    # Each cluster is a fold: none of its items can have its own value, the middle ones lie between their neighbours.
    assert all(value != own for value, own in zip(found.values[10:40], people[10:40], strict=True))
    assert found.method == "isotonic, 5 folds of clusters, seed 0"
    assert calibrate_out_of_fold([1, 2], [1, 2]) is None


def test_a_value_of_one_is_in_the_last_bin_and_an_edge_in_the_upper_one():
    curve = calibration_curve([0.3, 0.7, 1.0, 0.0, 0.9999], [1, 0, 1, 0, 1])
    assert [each.n for each in curve] == [1, 0, 0, 1, 0, 0, 0, 1, 0, 2]
    assert (curve[-1].low, curve[-1].high) == (0.9, 1.0)
    assert curve[1].predicted is None
    assert curve[1].observed is None
    with pytest.raises(ValueError, match="between 0 and 1"):
        calibration_curve([1.2], [1])


def test_bins_may_be_those_of_a_scale():
    curve = calibration_curve([1, 2, 3, 4, 5, 5], [1, 1, 3, 4, 4, 5], bins=4, ends=(1, 5))
    assert [(each.low, each.high, each.n) for each in curve] == [(1, 2, 1), (2, 3, 1), (3, 4, 1), (4, 5, 3)]
    assert curve[3].observed == pytest.approx(13 / 3)
    student = mean_of([4, 4, 5])
    assert curve[3].ci == (student.low, student.high)
    assert curve[0].ci is None


def test_the_calibration_error_is_worked_out_by_hand():
    # First bin: mean 0.1, observed 0.5 (2 items); last: mean 0.95, observed 1 (2 items).
    found = expected_calibration_error([0.05, 0.15, 0.9, 1.0], [0, 1, 1, 1], bins=2)
    assert found.value == pytest.approx((2 * 0.4 + 2 * 0.05) / 4)
    assert expected_calibration_error([1.0] * 4, [1, 1, 1, 0]).value == 0.25
    assert expected_calibration_error([], []).undefined == "there are no items"


@settings(deadline=None)
@given(rows=st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30), bins=st.integers(1, 12))
def test_the_calibration_error_is_the_weighted_mean_of_the_curve(rows, bins):
    predicted, observed = zip(*rows, strict=True)
    curve = calibration_curve(predicted, observed, bins)
    expected = sum(each.n * abs(each.observed - each.predicted) for each in curve if each.n) / len(rows)
    found = expected_calibration_error(predicted, observed, bins).value
    assert found == pytest.approx(expected, abs=1e-9)
    assert 0 <= found <= 1
    assert sum(each.n for each in curve) == len(rows)


# The alternative annotator test


def people_of(n=60, k=3, right=0.8, seed=1):
    chance = np.random.default_rng(seed)
    truth = chance.integers(0, 3, n)
    rows = [
        (i, f"p{a}", int(truth[i] if chance.random() < right else chance.integers(0, 3)))
        for i in range(n)
        for a in range(k)
    ]
    return truth, rows


def test_the_alternative_annotator_test_is_worked_out_from_its_definition():
    truth, rows = people_of()
    judge = {i: int(truth[i] if i % 5 else (truth[i] + 1) % 3) for i in range(60)}
    given_by = {(i, who): value for i, who, value in rows}
    found = alt_test(judge, rows, epsilon=0.1)
    names = ("p0", "p1", "p2")
    p, advantage = [], []
    for who in names:
        judged, own = [], []
        for i in range(60):
            others = [given_by[i, other] for other in names if other != who]
            machine, person = (np.mean([value == other for other in others]) for value in (judge[i], given_by[i, who]))
            judged.append(float(machine >= person))
            own.append(float(person >= machine))
        p.append(stats.ttest_1samp(np.subtract(own, judged), 0.1, alternative="less").pvalue)
        advantage.append(np.mean(judged))
    assert [each.p for each in found.persons] == pytest.approx(p)
    assert [each.p_adjusted for each in found.persons] == pytest.approx(benjamini_yekutieli(p))
    assert found.advantage == pytest.approx(np.mean(advantage))
    assert found.winning_rate == pytest.approx(np.mean([each <= 0.05 for each in benjamini_yekutieli(p)]))


def test_a_judge_that_knows_the_truth_passes_and_one_that_guesses_fails():
    truth, rows = people_of()
    best = alt_test({i: int(truth[i]) for i in range(60)}, rows)
    assert (best.winning_rate, best.passes, best.epsilon) == (1.0, True, 0.2)
    worst = alt_test({i: int((truth[i] + 1) % 3) for i in range(60)}, rows)
    assert (worst.winning_rate, worst.passes) == (0.0, False)
    assert EPSILON == {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}


def test_differences_without_any_spread_are_as_rare_as_not_seeing_any_other():
    people = [(item, who, 1) for item in range(2) for who in ("ann", "bo")]
    for items, p in ((1, 1.0), (2, 0.8**2)):
        found = alt_test(dict.fromkeys(range(items), 1), people, least=1)
        assert [each.p for each in found.persons] == pytest.approx([p, p])
    assert [each.p for each in alt_test({0: 2, 1: 2}, people, least=1).persons] == [1.0, 1.0]


def test_a_larger_epsilon_never_makes_it_harder():
    truth, rows = people_of(right=0.7)
    judge = {i: int(truth[i] if i % 3 else (truth[i] + 1) % 3) for i in range(60)}
    rates = [alt_test(judge, rows, epsilon=epsilon).winning_rate for epsilon in (0.0, 0.1, 0.2, 0.4, 0.8)]
    assert rates == sorted(rates)
    assert rates[0] < rates[-1]


def test_numbers_may_be_near_without_being_equal():
    rows = [(i, f"p{a}", 3.0 + a) for i in range(40) for a in range(3)]
    near = alt_test(dict.fromkeys(range(40), 4.1), rows, distance="squared")
    # Against the rest of p0 (4, 5) and p2 (3, 4) the judge is nearer; p1 (4) is nearer to its rest (3, 5).
    assert [each.judge for each in near.persons] == [1.0, 0.0, 1.0]
    assert [each.won for each in near.persons] == [True, False, True]
    assert alt_test(dict.fromkeys(range(40), 4.1), rows).advantage == pytest.approx(1.0), "all equal: none is equal"


def test_few_items_and_few_people_are_said():
    _, rows = people_of(n=20)
    judge = dict.fromkeys(range(20), 0)
    found = alt_test(judge, rows)
    assert found.undefined == "no person has 30 items that another person judged too"
    assert "left out, with fewer than 30 items" in found.warnings[0]
    few = alt_test(judge, [row for row in rows if row[1] != "p2"], least=10)
    assert "persons with fewer than 30 items: the t-test is not to be relied on" in few.warnings
    assert "2 persons, and the test is made for 3 or more" in few.warnings
    lonely = alt_test(judge, [row for row in rows if row[1] == "p0"])
    assert lonely.undefined


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 50))
def test_the_order_of_rows_and_the_names_of_values_do_not_matter(seed):
    truth, rows = people_of(n=40, seed=seed)
    judge = {i: int(truth[i]) for i in range(40)}
    order = np.random.default_rng(seed).permutation(len(rows)).tolist()
    one = alt_test(judge, rows)
    other = alt_test(
        {i: "xyz"[v] for i, v in judge.items()}, [(rows[a][0], rows[a][1], "xyz"[rows[a][2]]) for a in order]
    )
    assert (one.winning_rate, one.advantage) == pytest.approx((other.winning_rate, other.advantage))
