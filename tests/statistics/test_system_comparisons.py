"""Two systems: tests and intervals of the difference of their scores."""

import math
from itertools import product

import numpy as np
import pytest
from comparison_cases import CASES, effect, test_of
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from assay.statistics.comparison.binary_tests import (
    binomial_test,
    clopper_pearson,
    mcnemar,
    mcnemar_chi_square,
    paired_shares,
    unpaired_shares,
)
from assay.statistics.comparison.effect_sizes import (
    cliffs_delta,
    cohens_d_av,
    cohens_d_z,
    paired_superiority,
    rank_biserial,
)
from assay.statistics.comparison.multiple import bonferroni, holm
from assay.statistics.comparison.rank_tests import mann_whitney, sign_flip, wilcoxon
from assay.statistics.comparison.systems import compare, compare_all, compare_shares, compare_unpaired, item_means
from assay.statistics.wilson import wilson

differences = st.lists(st.integers(-4, 4), min_size=1, max_size=12)
counts = st.integers(0, 30)

# Rank tests


def test_wilcoxons_test_of_hollander_and_wolfe():
    case = CASES["wilcoxon_hollander_wolfe"]
    found = wilcoxon(np.subtract(case["data"]["x"], case["data"]["y"]))
    assert found.value == case["expected"]["V"]
    assert found.p == pytest.approx(case["expected"]["p_two_sided"], abs=1e-9)


@settings(deadline=None)
@given(values=differences.filter(any))
def test_signed_ranks_with_ties_and_zeros_are_exact_over_all_signs(values):
    left = [each for each in values if each]
    rank = stats.rankdata(np.abs(left))
    seen = sum(rank[at] for at, each in enumerate(left) if each > 0)
    sums = [sum(r for r, plus in zip(rank, signs, strict=True) if plus) for signs in product((0, 1), repeat=len(left))]
    middle = rank.sum() / 2
    expected = np.mean([abs(each - middle) >= abs(seen - middle) - 1e-9 for each in sums])
    found = wilcoxon(values)
    assert found.value == pytest.approx(seen)
    assert found.p == pytest.approx(expected)
    assert found.n == len(left)


def test_many_signed_ranks_are_those_of_scipy():
    d = np.random.default_rng(2).integers(-5, 7, size=300)
    expected = stats.wilcoxon(d, zero_method="wilcox", correction=True, method="asymptotic")
    assert wilcoxon(d).p == pytest.approx(expected.pvalue)
    exact = np.random.default_rng(2).normal(0.3, 1, 80)
    assert wilcoxon(exact).p == pytest.approx(stats.wilcoxon(exact, method="exact").pvalue)


def test_differences_that_arithmetic_tells_apart_are_tied_all_the_same():
    assert 2.4 - 2.1 != 1.3 - 1.0
    assert wilcoxon([2.4 - 2.1, 1.3 - 1.0, -0.1]).value == 5
    assert wilcoxon([0.1 + 0.2 - 0.3, 1]).n == 1


def test_rank_tests_without_anything_to_rank_are_undefined():
    assert wilcoxon([0, 0]).undefined == "no difference is other than zero"
    assert wilcoxon([]).undefined == "no differences"
    assert mann_whitney([1, 1], [1]).p == 1, "every value is the same"
    assert mann_whitney([], [1, 2]).undefined == mann_whitney([1, 2], []).undefined == "one of the two has no values"
    assert sign_flip([]).undefined


def test_the_mann_whitney_test_of_hollander_and_wolfe():
    # Hollander & Wolfe (1973), p. 69; R wilcox.test: W = 35, p = 0.2544 two-sided.
    first = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    found = mann_whitney(first, [1.15, 0.88, 0.90, 0.74, 1.21])
    assert (found.value, round(found.p, 4), found.method) == (35, 0.2544, "exact")
    tied = mann_whitney([1, 2, 2, 3], [2, 3, 3, 4])
    assert tied.value == 3  # 3 above 2, and 2 = 2 twice and 3 = 3 twice, half each
    assert "ties" in tied.method


@settings(deadline=None)
@given(values=differences)
def test_turning_all_signs_is_exact(values):
    sums = [
        abs(sum(s * v for s, v in zip(signs, values, strict=True))) for signs in product((1, -1), repeat=len(values))
    ]
    expected = np.mean([each >= abs(sum(values)) for each in sums])
    assert sign_flip(values).p == pytest.approx(expected)


def test_signs_turned_by_lot_come_near_to_all_signs(monkeypatch):
    values = [0, 1, 1, 2, 3, -1, 2, 4, -2, 1, 3, 1, 2, -3, 2, 1, 1]
    exact = sign_flip(values)
    monkeypatch.setattr("assay.statistics.comparison.rank_tests.EXACT_FLIPS", 3)
    assert sign_flip(values).p == pytest.approx(exact.p, rel=1e-12), "counted out by steps of 1"
    assert sign_flip([each / 3 for each in values]).p == pytest.approx(exact.p, rel=1e-12), "and of a third"
    assert sign_flip([5.0] * 60).p == pytest.approx(2.0**-59), "never zero"
    monkeypatch.setattr("assay.statistics.comparison.rank_tests.COUNTED", 1)
    drawn = sign_flip(values, draws=20_000, seed=3)
    assert exact.method == "exact, all signs turned"
    assert "by lot" in drawn.method
    assert drawn.p == pytest.approx(exact.p, abs=0.005)
    assert drawn == sign_flip(values, draws=20_000, seed=3)


def test_rare_differences_have_the_p_value_of_all_signs_though_no_draw_meets_them(monkeypatch):
    rng = np.random.default_rng(8)
    for shift in (0.9, 1.1, 1.4):
        values = np.round(rng.normal(shift, 1, size=40), 2)
        exact = sign_flip(values)
        assert exact.method == "exact, all signs turned"
        with monkeypatch.context() as patch:
            patch.setattr("assay.statistics.comparison.rank_tests.STEPS", ())
            rare = sign_flip(values)
        assert "saddlepoint" in rare.method
        assert rare.p == pytest.approx(exact.p, rel=0.2)
    assert sign_flip(np.full(60, np.pi)).p == pytest.approx(2.0**-59), "never zero"


def test_differences_of_one_cluster_turn_together():
    # Two clusters that both point the same way: 2 of 4 ways are as far, however many items they hold.
    assert sign_flip([1] * 20, clusters=["a"] * 10 + ["b"] * 10).p == 0.5
    assert sign_flip([1] * 8).p == 2 / 2**8


# Shares


def test_the_binomial_test_and_interval_of_conover():
    case = CASES["binomial_conover"]
    k, n = case["data"]["k"], case["data"]["n"]
    assert binomial_test(k, n, case["params"]["p0"]) == pytest.approx(case["expected"]["p_value"], abs=1e-6)
    assert clopper_pearson(k, n) == pytest.approx(case["expected"]["ci_clopper_pearson"], abs=1e-6)
    assert clopper_pearson(0, 5)[0] == 0
    assert clopper_pearson(5, 5)[1] == 1
    assert binomial_test(0, 0) == 1


def test_mcnemars_test_of_agresti():
    case = CASES["mcnemar_agresti"]
    (_, b), (c, _) = case["data"]["table"]
    expected = case["expected"]
    assert mcnemar_chi_square(b, c) == pytest.approx((expected["mcnemar_chi2_cc"], expected["mcnemar_p_cc"]), abs=1e-5)
    assert mcnemar_chi_square(b, c)[1] == pytest.approx(expected["mcnemar_p_cc"], abs=1e-9)
    assert mcnemar_chi_square(b, c, correction=False) == pytest.approx(
        (expected["mcnemar_chi2"], expected["mcnemar_p"]), abs=1e-5
    )
    assert mcnemar(b, c).p == pytest.approx(mcnemar_chi_square(b, c)[1], rel=0.2)


def test_mcnemars_exact_test_is_a_coin_thrown_for_each_item_that_differs():
    # 1 of 6: 2 (1 + 6) / 64.
    assert mcnemar(5, 1).p == pytest.approx(14 / 64)
    assert mcnemar(3, 3).p == 1
    assert mcnemar(0, 0).undefined == "the two differ on no item"
    assert mcnemar_chi_square(0, 0) is None


def test_the_differences_of_shares_of_newcombe():
    # Newcombe (1998), Statistics in Medicine 17: 857 (independent, example a) and 2635 (paired), method 10.
    assert unpaired_shares((56, 70), (48, 80)).ci == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert paired_shares(36, 12, 2, 0).ci == pytest.approx((0.0569, 0.3404), abs=5e-5)


def test_pairs_that_go_together_narrow_the_interval_with_newcombes_correction():
    # a d - b c = 320 - 24 = 296, less 50 / 2; over the root of 32 * 18 * 22 * 28.
    phi = 271 / math.sqrt(32 * 18 * 22 * 28)
    (l1, u1), (l2, u2) = wilson(32, 50), wilson(22, 50)
    below, above = (0.64 - l1, u2 - 0.44), (u1 - 0.64, 0.44 - l2)
    low, high = (math.sqrt(x**2 - 2 * phi * x * y + y**2) for x, y in (below, above))
    assert paired_shares(20, 12, 2, 16).ci == pytest.approx((0.2 - low, 0.2 + high))
    # 4 - 1 is not above 6 / 2: what little they go together is taken as none.
    assert paired_shares(2, 1, 1, 2).ci == pytest.approx(unpaired_shares((3, 6), (3, 6)).ci)


@settings(deadline=None)
@given(a=counts, b=counts, c=counts, d=counts)
def test_a_difference_of_paired_shares_lies_in_its_interval_and_turns_round(a, b, c, d):
    if a + b + c + d == 0:
        assert paired_shares(0, 0, 0, 0).undefined
        return
    one, other = paired_shares(a, b, c, d), paired_shares(a, c, b, d)
    assert one.value == pytest.approx(-other.value)
    assert one.ci == pytest.approx((-other.ci[1], -other.ci[0]))
    assert one.ci[0] - 1e-9 <= one.value <= one.ci[1] + 1e-9
    assert one.ci[0] >= -1 - 1e-9
    assert one.ci[1] <= 1 + 1e-9
    assert one.p == other.p


def test_newcombes_interval_of_pairs_holds_the_truth_in_most_cases():
    chance = np.random.default_rng(8)
    held = 0
    for a, b, c, d in chance.multinomial(50, [0.6, 0.2, 0.05, 0.15], size=400):
        low, high = paired_shares(int(a), int(b), int(c), int(d)).ci
        held += low <= 0.15 <= high
    assert 0.92 <= held / 400 <= 0.99


def test_shares_of_nothing_are_undefined():
    assert unpaired_shares((0, 0), (1, 2)).undefined


# Two systems


def scores_of(values, start=0):
    return {place: float(value) for place, value in enumerate(values, start)}


def test_the_item_is_the_unit_and_not_the_judgment():
    rows = [("i1", "A", 4), ("i1", "A", 5), ("i1", "A", 3), ("i2", "A", 1), ("i1", "B", 2)]
    assert item_means(rows) == {"A": {"i1": 4.0, "i2": 1.0}, "B": {"i1": 2.0}}


@settings(deadline=None)
@given(pairs=st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=40))
def test_every_number_of_a_comparison_is_that_of_its_formula_and_turns_round(pairs):
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    one = compare(scores_of(first), scores_of(second), draws=40)
    other = compare(scores_of(second), scores_of(first), draws=40)
    d = np.subtract(first, second)
    expected = {
        "d_z": cohens_d_z(d),
        "d_av": cohens_d_av(first, second),
        "rank_biserial": rank_biserial(d),
        "cliffs_delta": cliffs_delta(first, second),
        "superiority": paired_superiority(d),
    }
    assert one.difference.value == pytest.approx(np.mean(d))
    for name, value in expected.items():
        found, turned = effect(one, name), effect(other, name)
        assert found.value == (None if value is None else pytest.approx(value))
        assert (found.value is None) == bool(found.undefined)
        if found.value is not None:
            assert turned.value == pytest.approx(1 - value if name == "superiority" else -value, abs=1e-12)
            assert found.ci is None or found.ci[0] - 1e-9 <= found.ci[1]
    assert one.p == pytest.approx(other.p)
    assert one.n_items == len(pairs)


def test_only_items_of_both_are_compared_and_means_are_theirs():
    found = compare({"a": 5, "b": 3, "c": 1}, {"a": 4, "b": 1, "d": 5}, names=("X", "Y"))
    assert (found.first, found.second, found.n_items, found.means) == ("X", "Y", 2, (4.0, 2.5))
    nothing = compare({"a": 1}, {"b": 2})
    assert nothing.difference.undefined == "the two systems share no item"
    assert nothing.means == (None, None)
    assert nothing.p is None
    assert all(each.undefined for each in (*nothing.effects, *nothing.tests))


def test_yes_and_no_of_two_systems_are_compared_on_common_items():
    first = {n: n % 3 != 0 for n in range(30)}
    second = {n: n % 4 == 0 for n in range(5, 40)}
    common = range(5, 30)
    counts = [sum(first[n] == a and second[n] == b for n in common) for a in (True, False) for b in (True, False)]
    assert compare_shares(first, second) == paired_shares(*counts)
    assert compare_shares({1: True}, {2: True}).undefined == "there are no items"


def test_a_perfect_effect_is_not_reported_as_none():
    found = compare(scores_of([3] * 40), scores_of([2] * 40))
    assert found.difference.value == 1
    assert effect(found, "d_z").undefined == "all differences are equal, so their spread is 0"
    assert effect(found, "d_av").undefined == "neither system's scores vary"
    assert effect(found, "superiority").value == 1
    assert found.p < 0.001


def test_wilcoxon_can_be_the_test_that_counts():
    first, second = scores_of([0, 1, 2, 3, 4, 5, 6]), scores_of([50, 0, 0, 0, 0, 0, 0])
    found = compare(first, second, test="wilcoxon")
    assert found.p == test_of(found, "wilcoxon").p != test_of(found, "sign_flip").p


def test_clusters_widen_the_interval_and_the_test():
    chance = np.random.default_rng(3)
    source = np.repeat(chance.normal(0.4, 1, 40), 6)
    first, second = scores_of(source + chance.normal(0, 0.1, 240)), scores_of(np.zeros(240))
    alone, together = (compare(first, second, clusters=c) for c in (None, {at: at // 6 for at in range(240)}))
    widths = [each.difference.ci[1] - each.difference.ci[0] for each in (alone, together)]
    assert widths[1] / widths[0] == pytest.approx(math.sqrt(6), rel=0.2)
    assert together.p > alone.p
    assert "over clusters" in together.difference.method


def test_the_interval_of_a_difference_holds_the_truth_in_most_cases():
    chance = np.random.default_rng(4)
    held = 0
    for seed in range(100):
        item = chance.normal(3, 1, 50)
        first, second = item + 0.3 + chance.normal(0, 0.7, 50), item + chance.normal(0, 0.7, 50)
        low, high = compare(scores_of(first), scores_of(second), seed=seed, draws=200).difference.ci
        held += low <= 0.3 <= high
    assert 0.88 <= held / 100 <= 0.99


def test_different_items_are_compared_as_groups():
    found = compare_unpaired([3, 4, 5, 4], [1, 2, 3])
    welch = stats.ttest_ind([3, 4, 5, 4], [1, 2, 3], equal_var=False)
    assert found.difference.p == pytest.approx(welch.pvalue)
    assert found.difference.ci == pytest.approx(tuple(welch.confidence_interval()))
    assert found.p == pytest.approx(stats.mannwhitneyu([3, 4, 5, 4], [1, 2, 3], method="asymptotic").pvalue)
    assert not found.paired
    assert effect(found, "cliffs_delta").value == pytest.approx(11 / 12)
    assert compare_unpaired([1], [2]).difference.value == -1
    assert compare_unpaired([], [2]).difference.undefined == "one of the two has no items"


def test_all_pairs_of_systems_are_adjusted_together():
    chance = np.random.default_rng(9)
    item = chance.normal(size=30)
    scores = {
        name: scores_of(item + shift + chance.normal(size=30))
        for name, shift in zip("ABCD", (0, 0.2, 0.5, 1), strict=True)
    }
    found = compare_all(scores, draws=50)
    assert [(each.first, each.second) for each in found] == [(a, b) for a, b in ("AB", "AC", "AD", "BC", "BD", "CD")]
    p = [each.p for each in found]
    assert [each.p_holm for each in found] == pytest.approx(holm(p))
    assert [each.p_bonferroni for each in found] == pytest.approx(bonferroni(p))


def test_systems_without_common_items_are_compared_as_groups_and_say_so():
    scores = {"A": scores_of([4, 5, 4]), "B": scores_of([1, 2, 1]), "C": scores_of([3, 3, 2, 4], start=10)}
    found = {(each.first, each.second): each for each in compare_all(scores)}
    assert [each.paired for each in found.values()] == [True, False, False]
    assert all(each.p_holm is not None for each in found.values())
    same = compare_all({"A": {1: 2.0, 2: 2.0}, "B": {5: 2.0, 6: 2.0}})[0]
    assert (same.p, same.p_holm) == (1, 1), "where everything is equal, nothing speaks for a difference"
