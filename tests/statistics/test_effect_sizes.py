"""How large a difference is, with the right formulas; and several tests at once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from assay.statistics.benjamini_hochberg import benjamini_hochberg
from assay.statistics.comparison.effect_sizes import (
    cliffs_delta,
    cohens_d_av,
    cohens_d_z,
    paired_superiority,
    rank_biserial,
    superiority,
)
from assay.statistics.comparison.multiple import benjamini_yekutieli, bonferroni, holm

scores = st.lists(st.integers(1, 5), min_size=2, max_size=20)
p_values = st.lists(st.floats(0, 1), max_size=12)


def test_cliffs_delta_is_counted_out():
    # 3 above 1, equal 3; 4 above both; 5 above both: 5 above, 0 below, of 6 pairs.
    assert cliffs_delta([3, 4, 5], [1, 3]) == pytest.approx(5 / 6)
    assert superiority([3, 4, 5], [1, 3]) == pytest.approx(5.5 / 6)


@settings(deadline=None)
@given(first=scores, second=scores)
def test_cliffs_delta_is_the_mann_whitney_statistic_on_another_scale(first, second):
    u = stats.mannwhitneyu(first, second).statistic
    assert cliffs_delta(first, second) == pytest.approx(2 * u / (len(first) * len(second)) - 1)
    assert superiority(first, second) == pytest.approx(u / (len(first) * len(second)))


@settings(deadline=None)
@given(first=scores, second=scores, shift=st.integers(-3, 3))
def test_effect_sizes_turn_round_with_the_two_and_do_not_see_a_common_shift(first, second, shift):
    moved = [each + shift for each in first], [each + shift for each in second]
    for function in (cliffs_delta, cohens_d_av):
        one, other = function(first, second), function(second, first)
        assert (one is None) == (other is None)
        if one is not None:
            assert one == pytest.approx(-other)
            assert one == pytest.approx(function(*moved))
    assert -1 <= cliffs_delta(first, second) <= 1


def test_the_rank_biserial_correlation_is_one_minus_four_w_and_not_two():
    # |d| = 1 2 3 4 5 6 with the 2 and the 3 negative: W- = 5 of 21; W+ - W- = 16 - 5 = 11.
    d = [1, -2, -3, 4, 5, 6]
    assert rank_biserial(d) == pytest.approx(11 / 21)
    assert rank_biserial(d) == pytest.approx(1 - 4 * 5 / (6 * 7))
    assert rank_biserial([2, 3, 1]) == 1
    assert rank_biserial([-2, -3, -1]) == -1


@settings(deadline=None)
@given(differences=st.lists(st.integers(-4, 4), min_size=1, max_size=25).filter(any))
def test_the_rank_biserial_correlation_follows_from_wilcoxons_smaller_sum(differences):
    n = sum(each != 0 for each in differences)
    smaller = stats.wilcoxon([each for each in differences if each], method="asymptotic").statistic
    found = rank_biserial(differences)
    assert abs(found) == pytest.approx(1 - 4 * smaller / (n * (n + 1)))
    assert rank_biserial([-each for each in differences]) == pytest.approx(-found)


def test_cohens_d_has_n_minus_one_below_and_is_undefined_without_spread():
    assert cohens_d_z([1, 2, 3]) == pytest.approx(2.0)  # sd 1; with n below it would be 2.449
    assert cohens_d_z([1, 1, 1]) is None, "a perfect effect is not d = 0"
    assert cohens_d_z([0, 0, 0]) is None
    assert cohens_d_z([1]) is None
    # Means 3 and 1; variances 4 and 1: 2 / sqrt(2.5).
    assert cohens_d_av([1, 3, 5], [0, 1, 2]) == pytest.approx(2 / np.sqrt(2.5))
    assert cohens_d_av([1, 1], [2, 2]) is None
    assert cohens_d_av([1], [2, 3]) is None


def test_what_has_no_values_has_no_effect_size():
    assert cliffs_delta([], [1]) is None
    assert superiority([1], []) is None
    assert paired_superiority([]) is None
    assert rank_biserial([0, 0]) is None


@settings(deadline=None)
@given(differences=st.lists(st.integers(-2, 2), min_size=1, max_size=20))
def test_superiority_of_pairs_and_of_the_other_way_round_make_one(differences):
    assert paired_superiority(differences) + paired_superiority([-each for each in differences]) == pytest.approx(1)


# Several tests at once


def test_holm_is_worked_out_by_hand_with_its_monotone_step():
    # Sorted 0.01 0.02 0.022 0.5, times 4 3 2 1: 0.04 0.06 0.044 0.5; the third may not fall below the second.
    assert holm([0.022, 0.01, 0.5, 0.02]) == pytest.approx([0.06, 0.04, 0.5, 0.06])
    assert bonferroni([0.022, 0.01, 0.5, 0.02]) == pytest.approx([0.088, 0.04, 1.0, 0.08])


@settings(deadline=None)
@given(p=p_values)
def test_adjusted_p_values_keep_the_order_and_are_never_smaller(p):
    by_holm, by_bonferroni, by_rate = holm(p), bonferroni(p), benjamini_yekutieli(p)
    for raw, one, other, rate in zip(p, by_holm, by_bonferroni, by_rate, strict=True):
        assert raw <= one <= other <= 1
        assert raw <= rate <= 1
    order = np.argsort(p, kind="stable")
    for adjusted in (by_holm, by_bonferroni, by_rate):
        assert (np.diff(np.array(adjusted)[order]) >= 0).all()


@settings(deadline=None)
@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_false_discovery_rates_are_those_of_scipy(p):
    assert benjamini_yekutieli(p) == pytest.approx(stats.false_discovery_control(p, method="by"))
    assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p, method="bh"))


def test_one_test_is_not_adjusted():
    assert holm([0.03]) == bonferroni([0.03]) == benjamini_yekutieli([0.03]) == [0.03]
    assert holm([]) == []
