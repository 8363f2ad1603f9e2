"""What monitors compute, against published values, values worked by hand, and what must hold of any data."""

import math
from itertools import combinations
from random import Random

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.statistics import Ratings, agree
from assay.statistics.benjamini_hochberg import benjamini_hochberg
from assay.statistics.correlation import difference_of_correlations, fisher_interval, pearson, ranks, spearman
from assay.statistics.estimate import difference_of_means, mean_of, slope_of
from assay.statistics.halo import halo
from assay.statistics.leave_one_out import means_of_others
from assay.statistics.rest_kappa import rest_kappa
from assay.statistics.similar import jaccard, shingles, similar_pairs
from assay.statistics.spread_ratio import spread_ratio
from assay.statistics.wilson import wilson, wilson_of_units

NUMBERS = st.lists(st.integers(-50, 50), min_size=3, max_size=30)
QUADRATIC = np.subtract.outer(range(5), range(5)) ** 2


# Shares


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe (1998), Table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_wilsons_intervals_are_those_of_newcombes_table(count, n, low, high):
    assert wilson(count, n) == (pytest.approx(low, abs=6e-5), pytest.approx(high, abs=6e-5))


def test_no_cases_say_nothing_about_a_share_and_more_than_all_are_refused():
    assert wilson(0, 0) == (0.0, 1.0)
    for count in (-1, 4):
        with pytest.raises(ValueError, match="is no share"):
            wilson(count, 3)


@given(n=st.integers(1, 500), data=st.data())
def test_wilsons_interval_holds_the_share_and_mirrors_its_complement(n, data):
    count = data.draw(st.integers(0, n))
    low, high = wilson(count, n)
    assert 0 <= low <= count / n <= high <= 1
    assert wilson(n - count, n) == (pytest.approx(1 - high), pytest.approx(1 - low))
    assert wilson(2 * count, 2 * n)[1] - wilson(2 * count, 2 * n)[0] < high - low


# Many tests

PUBLISHED = [
    0.0001,
    0.0004,
    0.0019,
    0.0095,
    0.0201,
    0.0278,
    0.0298,
    0.0344,
    0.0459,
    0.3240,
    0.4262,
    0.5719,
    0.6528,
    0.7590,
    1.0,
]


def test_the_fifteen_tests_of_benjamini_and_hochberg_have_four_findings():
    # Their section 3.2: at 0.05 the four smallest, where Bonferroni finds three.
    adjusted = benjamini_hochberg(PUBLISHED)
    assert [p <= 0.05 for p in adjusted] == [True] * 4 + [False] * 11
    assert adjusted[:4] == pytest.approx([0.0015, 0.003, 0.0095, 0.035625])


@given(p=st.lists(st.floats(0, 1), max_size=20))
def test_adjusted_values_keep_the_order_and_lie_between_the_value_and_bonferronis(p):
    adjusted = benjamini_hochberg(p)
    for one, other in zip(p, adjusted, strict=True):
        assert one - 1e-12 <= other <= min(1, one * len(p)) + 1e-12
    for i, j in combinations(range(len(p)), 2):
        assert (adjusted[i] <= adjusted[j]) or p[i] > p[j]


# Means, differences, slopes


def test_the_mean_of_students_sleep_data():
    # The differences of the two drugs: 1.58, t = 4.06 with 9 degrees of freedom, p = 0.0028, 0.70 to 2.46.
    found = mean_of([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
    assert (round(found.value, 2), round(found.low, 2), round(found.high, 2)) == (1.58, 0.70, 2.46)
    assert found.p == pytest.approx(0.00283, abs=1e-5)
    assert found.n == 10


def test_welchs_interval_of_the_sleep_data():
    # R: t.test(extra ~ group, data = sleep): -3.3654832 0.2054832, p-value = 0.07939.
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    found = difference_of_means(first, second)
    assert (found.low, found.high) == (pytest.approx(-3.3654832, abs=1e-6), pytest.approx(0.2054832, abs=1e-6))
    assert found.p == pytest.approx(0.07939, abs=1e-5)


def test_the_slope_of_anscombes_first_set():
    # Anscombe (1973): slope 0.5, standard error 0.118.
    x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
    y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    found = slope_of(x, y)
    assert found.value == pytest.approx(0.50009, abs=1e-5)
    assert (found.high - found.low) / 2 / 2.262157 == pytest.approx(0.1179, abs=1e-4)
    assert found.p == pytest.approx(0.00217, abs=1e-5)


def test_too_little_says_nothing_and_no_scatter_leaves_no_doubt():
    assert mean_of([1.0]) is None
    assert difference_of_means([1.0, 2.0], [1.0]) is None
    assert slope_of([1, 2], [1, 2]) is None
    assert slope_of([1, 1, 1], [1, 2, 3]) is None
    assert slope_of([], []) is None
    constant = mean_of([2, 2, 2])
    assert (constant.low, constant.high, constant.p) == (2, 2, 0.25), "three signs are alike once in four"
    assert mean_of([0, 0, 0]).p == 1
    assert slope_of([1, 2, 3], [2, 4, 6]).low == pytest.approx(2)


def test_an_estimate_is_beyond_what_it_reaches_unless_its_interval_holds_zero():
    found = mean_of([1, 1, 0, 1, 1, 0])
    assert found.beyond(2 / 3)
    assert not found.beyond(0.67)
    assert not mean_of([3, -1, 0, 1]).beyond(0.5)


@given(values=NUMBERS, shift=st.integers(-20, 20))
def test_a_mean_moves_with_its_values_and_turns_with_them(values, shift):
    one, moved = mean_of(values), mean_of([value + shift for value in values])
    assert moved.value == pytest.approx(one.value + shift)
    assert moved.high - moved.low == pytest.approx(one.high - one.low, abs=1e-6)
    turned = mean_of([-value for value in values])
    assert (turned.low, turned.high) == (pytest.approx(-one.high), pytest.approx(-one.low))


@given(values=NUMBERS)
def test_a_slope_turns_with_time_and_scales_with_its_unit(values):
    x = list(range(len(values)))
    one = slope_of(x, values)
    assert slope_of(x[::-1], values).value == pytest.approx(-one.value)
    assert slope_of([each / 100 for each in x], values).value == pytest.approx(100 * one.value)


# The others


@given(groups=st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=5), max_size=8))
def test_the_mean_of_others_is_the_mean_without_oneself(groups):
    rows = [(unit, value) for unit, values in enumerate(groups) for value in values]
    found = iter(means_of_others([unit for unit, _ in rows], [value for _, value in rows]))
    for values in groups:
        for at in range(len(values)):
            others = values[:at] + values[at + 1 :]
            assert next(found) == (pytest.approx(sum(others) / len(others)) if others else None)


# Correlations


def test_spearmans_correlation_with_ties_is_that_of_the_mean_ranks():
    # Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5).
    assert spearman([10, 20, 20, 30], [1, 2, 3, 4]) == pytest.approx(4.5 / math.sqrt(22.5))


def test_correlations_of_what_does_not_change_are_undefined():
    assert pearson([1, 1, 1], [1, 2, 3]) is None
    assert pearson([1], [1]) is None


def test_the_difference_of_correlations_of_two_papers():
    zou = difference_of_correlations(0.396, 0.179, 0.088, 66)  # Zou (2007), p. 409
    assert (round(zou.low, 3), round(zou.high, 3)) == (-0.093, 0.517)
    meng = difference_of_correlations(0.63, -0.03, -0.19, 15)  # Meng, Rosenthal & Rubin (1992), p. 173: Z = 1.68
    assert meng.p == pytest.approx(2 * (1 - 0.5 * (1 + math.erf(1.6794 / math.sqrt(2)))), abs=1e-4)


def test_intervals_of_correlations_of_few_points_or_at_the_end_say_so():
    assert fisher_interval(0.5, 3) == (-1, 1)
    assert fisher_interval(1, 10) == (1, 1)
    assert difference_of_correlations(1.0, 1.0, 1.0, 10).p == 1
    assert difference_of_correlations(1.0, 0.5, 0.5, 10).p == 0


@given(values=st.lists(st.integers(-9, 9), min_size=2, max_size=20))
def test_ranks_sum_to_those_without_ties_and_do_not_see_the_distances(values):
    assert ranks(values).sum() == pytest.approx(len(values) * (len(values) + 1) / 2)
    assert ranks([value**3 for value in values]).tolist() == ranks(values).tolist()


@given(first=st.floats(-0.95, 0.95), second=st.floats(-0.95, 0.95), between=st.floats(-0.9, 0.9), n=st.integers(5, 200))
def test_the_difference_turns_round_with_the_two_correlations(first, second, between, n):
    one, other = (
        difference_of_correlations(first, second, between, n),
        difference_of_correlations(second, first, between, n),
    )
    assert (one.value, one.low, one.high) == pytest.approx((-other.value, -other.high, -other.low))
    assert one.p == pytest.approx(other.p)
    assert one.low <= one.value <= one.high


# Spread


def test_the_ratio_of_spreads_is_worked_out_by_items():
    # Own: sum of squares 4. Others: means 1.5 3 3.5 5, mean squares 2.5 10 12.5 26: variance 12.75 - 3.25^2 = 2.1875.
    found = spread_ratio([2, 3, 3, 4], [[1, 2], [2, 4], [3, 4], [4, 6]])
    assert found.value == pytest.approx(math.sqrt(0.5 / 2.1875))


def test_a_spread_needs_others_who_differ_and_three_items():
    assert spread_ratio([1, 2], [[1], [2]]) is None
    assert spread_ratio([1, 2, 3], [[2], [2], [2]]) is None
    assert spread_ratio([2, 2, 2], [[1], [2], [3]]).value == 0
    assert spread_ratio([2, 2, 3], [[1], [2], [3]]) is None, "without the last item nothing is left to compare"


@given(values=st.lists(st.integers(1, 9), min_size=6, max_size=20).filter(lambda each: len(set(each[:-2])) > 3))
def test_half_the_spread_is_a_ratio_of_one_half_whatever_the_unit(values):
    found = spread_ratio([value / 2 + 3 for value in values], [[value] for value in values])
    if found is not None:
        assert found.value == pytest.approx(0.5)
        assert found.low == pytest.approx(0.5)


def test_the_interval_of_a_ratio_holds_the_truth_in_most_cases():
    chance, held = Random(4), 0
    for _ in range(200):
        truth = [chance.gauss(0, 1) for _ in range(40)]
        own = [0.5 * (value + chance.gauss(0, 0.5)) for value in truth]
        others = [[value + chance.gauss(0, 0.5)] for value in truth]
        found = spread_ratio(own, others)
        held += found.low <= 0.5 <= found.high
    assert 0.9 <= held / 200 <= 0.99


# Kappa with the rest


@settings(deadline=None)
@given(pairs=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=4, max_size=25))
def test_kappa_with_one_other_is_cohens(pairs):
    found = rest_kappa([one for one, _ in pairs], [[other] for _, other in pairs], QUADRATIC)
    cohen = agree(Ratings.from_rows(pairs, range(5), "ordinal"), ["cohen_kappa_quadratic"], draws=0)[0].value
    if found is not None:
        assert found.value == pytest.approx(cohen)
        assert found.low <= found.value <= found.high


def test_kappa_with_two_others_is_worked_out_by_hand():
    # Unweighted, places 0 and 1; own 0 0 1 1; half, all, none and all of the others agree: disagreement 1.5 / 4.
    # The others have 0.5 + 1 + 1 + 0 = 2.5 zeros: expected (2 * 1.5 + 2 * 2.5) / 16 = 0.5. Kappa = 1 - 0.375 / 0.5.
    nominal = 1 - np.eye(2)
    found = rest_kappa([0, 0, 1, 1], [[0, 1], [0, 0], [0, 0], [1, 1]], nominal)
    assert found.value == pytest.approx(0.25)


def test_kappa_is_undefined_where_all_say_the_same_or_there_is_too_little():
    assert rest_kappa([1, 1, 1], [[1], [1], [1]], QUADRATIC) is None
    assert rest_kappa([1, 2], [[1], [2]], QUADRATIC) is None


# Halo


def test_residuals_that_are_the_same_on_both_dimensions_have_a_correlation_of_one():
    # The noise has nothing to do with either column, so that taking the line out leaves it as it is.
    noise = np.array([1, -1, -1, 1, 1, -1, -1, 1], float)
    others = np.array([[1, 1], [1, 2], [2, 1], [2, 2], [3, 1], [3, 2], [4, 1], [4, 2]], float)
    others[:, 1] = [1, 2, 1, 2, 2, 1, 2, 1]
    found = halo(others + noise[:, None], others)
    assert found.residual == pytest.approx(1)
    against = halo(others + noise[:, None] * [1, -1], others)
    assert against.residual == pytest.approx(-1)
    assert found.n == 8


def test_whoever_only_stretches_what_others_see_has_no_halo():
    chance = np.random.default_rng(1)
    others = chance.normal(size=(30, 3)) + chance.normal(size=(30, 1))
    assert halo(others * 0.3 + 2, others) is None, "nothing is left over"
    own = others * 0.3 + chance.normal(size=(30, 3))
    found = halo(own, others)
    assert abs(found.residual) < 0.25
    assert found.consensus > 0.3
    assert found.low < found.residual < found.high


def test_a_halo_needs_five_items():
    assert halo(np.ones((4, 2)), np.ones((4, 2))) is None


# Similar texts


@settings(deadline=None)
@given(
    texts=st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=0, max_size=12), max_size=12),
    least=st.sampled_from([0.5, 0.7, 0.9, 1.0]),
)
def test_similar_pairs_are_those_that_comparing_each_with_each_finds(texts, least):
    content = {f"t{at}": shingles(" ".join(words), 2) for at, words in enumerate(texts)}
    found = similar_pairs(content, least)
    for one, other, alike in found:
        assert alike == jaccard(content[one], content[other]) >= least
    met = {frozenset((content[one], content[other])) for one, other, _ in found}
    for one, other in combinations(content, 2):
        if content[one] and content[other] and jaccard(content[one], content[other]) >= least:
            assert frozenset((content[one], content[other])) in met


def test_three_thousand_texts_are_not_compared_each_with_each(monkeypatch):
    chance = Random(1)
    words = [f"w{n}" for n in range(5000)]
    texts = {f"t{n}": shingles(" ".join(chance.choices(words, k=30))) for n in range(3000)}
    texts["copy"] = texts["t7"]
    calls = []
    monkeypatch.setattr("assay.statistics.similar.jaccard", lambda *both: calls.append(both) or jaccard(*both))
    texts["near"] = frozenset(sorted(texts["t9"])[1:])
    assert [(one, other) for one, other, _ in similar_pairs(texts, 0.9)] == [("t7", "copy"), ("t9", "near")]
    assert len(calls) < 3000, "each with each would be four and a half million"


def test_texts_without_words_have_no_runs_and_short_ones_are_one_run():
    assert shingles("... !") == frozenset()
    assert shingles("One two") == {("one", "two")}
    assert jaccard(frozenset(), frozenset()) == 1


def test_a_share_of_what_lies_in_several_units_has_the_interval_of_so_many_units():
    """Korn and Graubard: the binomial variance over that of the units, less for how few they are, by Student's t."""
    found = wilson_of_units(np.array([2.0, 0.0]), np.array([2.0, 2.0]), np.array([16, 4]), most=40)
    variance = 20 / 19 * (16 * 0.4**2 + 4 * 1.6**2) / 40**2
    shrunk = (scipy.stats.norm.ppf(0.975) / scipy.stats.t.ppf(0.975, 19)) ** 2
    assert found.effective == pytest.approx(shrunk * 0.8 * 0.2 / variance)
    assert found.value == pytest.approx(0.8)
