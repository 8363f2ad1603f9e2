"""What must hold of any table."""

import numpy as np
import pytest
from agreement_cases import CHANCE, KAPPAS, names_at, shared_units, tables, value_of
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples

from assay.kinds import STATISTICS
from assay.statistics import Ratings, agree, reliability_of_mean
from assay.statistics.comparison.preferences import Preference

NAMES = names_at("ratio")
BOUNDED = [
    *KAPPAS,
    "scott_pi",
    "brennan_prediger",
    "gwet_ac1",
    "percent_agreement",
    "within_one_agreement",
    "kendall_w",
]
PAIRS = {*KAPPAS, "scott_pi"}
SYMMETRIC = [name for name in NAMES if name != "krippendorff_alpha_ratio"]


def values(rows, categories, level="ratio", names=NAMES):
    found = {name: value_of(Ratings.from_rows(rows, categories, level), name) for name in names}
    return {name: None if value is None else pytest.approx(value, abs=1e-9) for name, value in found.items()}


@settings(deadline=None)
@given(table=tables(), random=st.randoms(use_true_random=False))
def test_the_order_of_items_and_of_annotators_does_not_matter(table, random):
    rows, categories = table
    columns = list(range(len(rows[0])))
    shuffled = list(rows)
    random.shuffle(shuffled)
    random.shuffle(columns)
    turned = [[row[a] for a in columns] for row in shuffled]
    assert {n: value_of(Ratings.from_rows(turned, categories, "ratio"), n) for n in NAMES} == values(rows, categories)


@settings(deadline=None)
@given(table=tables(gaps=False))
def test_perfect_agreement_with_variation_is_exactly_one(table):
    rows, categories = table
    rows = [[row[0]] * len(row) for row in rows] + [[1, 1], [2, 2]]
    rows = [row + [row[0]] * (max(map(len, rows)) - len(row)) for row in rows]
    for name in NAMES:
        assert value_of(Ratings.from_rows(rows, categories, "ratio"), name) == 1.0


@settings(deadline=None)
@given(table=tables(), times=st.integers(2, 4))
def test_repeating_every_item_leaves_all_as_it_is_but_what_allows_for_the_number_of_items(table, times):
    rows, categories = table
    names = [name for name in NAMES if not name.startswith(("krippendorff", "icc"))]
    assert {"percent_agreement", "kendall_w", "scott_pi", *KAPPAS, *CHANCE} <= set(names)
    # With gaps, a pair of annotators that shared too few items may share enough of them when each comes again.
    complete = [row for row in rows if None not in row]
    for some, of in ((rows, set(names) - PAIRS), (complete, names)):
        assert {n: value_of(Ratings.from_rows(some * times, categories, "ratio"), n) for n in of} == values(
            some, categories, names=of
        )


@settings(deadline=None)
@given(table=tables(gaps=False), times=st.integers(1, 4))
def test_alpha_is_fleiss_kappa_but_for_a_term_in_the_number_of_judgments(table, times):
    rows, categories = table
    ratings = Ratings.from_rows(rows * times, categories, "nominal")
    kappa, alpha = value_of(ratings, "fleiss_kappa"), value_of(ratings, "krippendorff_alpha_nominal")
    n = times * len(rows) * len(rows[0])
    assert alpha == (None if kappa is None else pytest.approx(1 - (1 - 1 / n) * (1 - kappa)))


@settings(deadline=None)
@given(table=tables(), random=st.randoms(use_true_random=False))
def test_other_names_for_the_categories_change_nothing_that_needs_no_order(table, random):
    rows, categories = table
    others = random.sample(["red", "green", "blue", "grey", "pink", "black"], len(categories))
    renamed = [[None if value is None else others[value - 1] for value in row] for row in rows]
    random.shuffle(others)
    names = names_at("nominal")
    assert {"fleiss_kappa", "conger_kappa", "scott_pi", "brennan_prediger", "gwet_ac1"} <= set(names)
    assert {n: value_of(Ratings.from_rows(renamed, others, "nominal"), n) for n in names} == values(
        rows, categories, "nominal", names
    )


@settings(deadline=None)
@given(table=tables(gaps=False))
def test_of_two_annotators_without_gaps_conger_is_cohen_and_fleiss_is_scott(table):
    rows = [row[:2] for row in table[0]]
    ratings = Ratings.from_rows(rows, table[1], "nominal")
    for one, other in (("conger_kappa", "cohen_kappa"), ("fleiss_kappa", "scott_pi")):
        expected = value_of(ratings, other)
        assert value_of(ratings, one) == (None if expected is None else pytest.approx(expected, abs=1e-12))


@settings(deadline=None)
@given(columns=st.integers(2, 8).flatmap(lambda n: st.lists(st.permutations(range(n)), min_size=2, max_size=5)))
def test_the_mean_rank_correlation_of_pairs_follows_from_w(columns):
    k, n = len(columns), len(columns[0])
    mean = (np.corrcoef(columns).sum() - k) / (k * (k - 1))
    found = value_of(Ratings.from_rows(zip(*columns, strict=True), range(n), "ordinal"), "kendall_w")
    assert found == pytest.approx((1 + (k - 1) * mean) / k, abs=1e-12)


@settings(deadline=None)
@given(table=tables(), severity=st.lists(st.integers(0, 20), min_size=4, max_size=4))
def test_consistency_does_not_mind_how_severe_an_annotator_is_and_agreement_does(table, severity):
    rows, scale = table[0], range(1, 26)
    harder = [[None if v is None else v + severity[a] for a, v in enumerate(row)] for row in rows]
    for name in ("icc_3_1", "icc_3_k"):
        before, after = (value_of(Ratings.from_rows(each, scale, "interval"), name) for each in (rows, harder))
        # Where all judgments were the same, severity is all that varies.
        if before is not None and after is not None:
            assert after == pytest.approx(before, abs=1e-6)


@settings(deadline=None)
@given(table=tables(gaps=False))
def test_the_reliability_of_a_mean_follows_from_that_of_one_judgment(table):
    rows, categories = table
    ratings = Ratings.from_rows(rows, categories, "interval")
    for form in "123":
        one, of_mean = value_of(ratings, f"icc_{form}_1"), value_of(ratings, f"icc_{form}_k")
        if one is not None and of_mean is not None:
            assert of_mean == pytest.approx(reliability_of_mean(one, len(rows[0])))


@settings(deadline=None)
@given(table=tables())
def test_a_scale_declared_from_the_other_end_gives_the_same_values(table):
    rows, categories = table
    assert {
        n: value_of(Ratings.from_rows(rows, categories[::-1], "ordinal"), n) for n in names_at("ordinal")
    } == values(rows, categories, "ordinal", names_at("ordinal"))


@settings(deadline=None)
@given(table=tables())
def test_values_at_twice_the_distance_give_the_same_values(table):
    rows, categories = table
    wide = [[None if value is None else 2 * value for value in row] for row in rows]
    names = [name for name in SYMMETRIC if name != "within_one_agreement"]
    wide_scale = [2 * value for value in categories]
    assert {n: value_of(Ratings.from_rows(wide, wide_scale, "interval"), n) for n in names} == values(
        rows, categories, "interval", names
    )


@settings(deadline=None)
@given(table=tables())
def test_there_is_a_value_in_range_or_a_reason_and_never_both(table):
    for found in agree(Ratings.from_rows(*table, "ratio")):
        assert (found.value is None) == (found.undefined is not None)
        if found.value is None:
            assert found.ci is None
            assert found.undefined
        else:
            assert found.value <= 1
            if found.name in BOUNDED:
                assert found.value >= STATISTICS[found.name].lowest - 1e-9
            assert found.method
        if found.ci is not None:
            assert found.ci[0] - 1e-9 <= found.value <= found.ci[1] + 1e-9


@settings(deadline=None, max_examples=examples(50))
@given(
    winners=st.lists(st.sampled_from(["A", "B", None]), min_size=3, max_size=12).filter(lambda w: len(set(w)) > 1),
    n_annotators=st.integers(2, 4),
    random=st.randoms(use_true_random=False),
)
def test_annotators_who_prefer_the_same_system_agree_perfectly_whatever_the_sides(winners, n_annotators, random):
    rows = []
    for item, winner in enumerate(winners):
        for annotator in range(n_annotators):
            left, right = random.sample(["A", "B"], 2)
            outcome = "tie" if winner is None else ("left" if left == winner else "right")
            rows.append((item, annotator, Preference(item, left, right, outcome, annotator).points_of("A")))
    for level in ("nominal", "ordinal"):
        for found in agree(Ratings.from_long(rows, (-1, 0, 1), level), draws=0):
            assert found.value == 1.0, found


@settings(deadline=None, max_examples=examples(50))
@given(table=tables(), times=st.integers(2, 4))
def test_repeating_every_item_moves_alpha_by_its_term_for_small_samples_only(table, times):
    rows, categories = table
    n = sum(len(unit) for unit in shared_units(rows))
    for name in (name for name in NAMES if name.startswith("krippendorff")):
        one, several = (value_of(Ratings.from_rows(rows * t, categories, "ratio"), name) for t in (1, times))
        # 1 - alpha = (n - 1) / n times what does not see the number of items.
        expected = None if one is None else 1 - (1 - one) * (n * times - 1) / (n * times) * n / (n - 1)
        assert several == (None if expected is None else pytest.approx(expected, abs=1e-9))
