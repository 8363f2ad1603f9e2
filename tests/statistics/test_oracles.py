"""The same numbers from libraries that others wrote: statsmodels, scikit-learn and scipy, on tables drawn at random.

They are right where they are asked rightly: kappas with the declared scale as `labels`, Fleiss with equal numbers.
"""

import numpy as np
import pytest
from agreement_cases import ICCS, tables, value_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, cohen_kappa_score
from statsmodels.api import GLM, OLS, families
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels
from statsmodels.stats.inter_rater import fleiss_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from assay.statistics import Ratings
from assay.statistics.benjamini_hochberg import benjamini_hochberg
from assay.statistics.comparison.binary_tests import binomial_test, clopper_pearson, mcnemar, mcnemar_chi_square
from assay.statistics.comparison.bradley_terry import rank_systems
from assay.statistics.comparison.calibration import expected_calibration_error, isotonic
from assay.statistics.comparison.multiple import benjamini_yekutieli, bonferroni, holm
from assay.statistics.comparison.preferences import Preference
from assay.statistics.comparison.rank_tests import mann_whitney, wilcoxon
from assay.statistics.correlation import pearson, spearman
from assay.statistics.estimate import difference_of_means, mean_of, slope_of
from assay.statistics.wilson import wilson

some = settings(deadline=None, max_examples=40)
numbers = st.integers(1, 9).map(float)
few_numbers = st.lists(numbers, min_size=3, max_size=15)
p_values = st.lists(st.floats(0, 1), min_size=1, max_size=12)


# Agreement


@pytest.mark.parametrize(
    ("name", "weights"),
    [("cohen_kappa", None), ("cohen_kappa_linear", "linear"), ("cohen_kappa_quadratic", "quadratic")],
)
@some
@given(table=tables(gaps=False))
def test_cohens_kappas_are_those_of_scikit_learn_on_the_declared_scale(name, weights, table):
    rows, categories = [row[:2] for row in table[0]], table[1]
    one, other = zip(*rows, strict=True)
    assume(len({*one, *other}) > 1)
    expected = cohen_kappa_score(one, other, labels=categories, weights=weights)
    assert value_of(Ratings.from_rows(rows, categories, "ordinal"), name) == pytest.approx(expected, abs=1e-12)


@some
@given(table=tables(gaps=False))
def test_fleiss_kappa_is_that_of_statsmodels_where_every_item_has_as_many_judgments(table):
    rows, categories = table
    assume(len({value for row in rows for value in row}) > 1)
    counts = np.array([[row.count(category) for category in categories] for row in rows])
    found = value_of(Ratings.from_rows(rows, categories, "nominal"), "fleiss_kappa")
    assert found == pytest.approx(fleiss_kappa(counts, method="fleiss"), abs=1e-12)
    # Brennan and Prediger's, of the declared categories, is what others call Randolph's.
    found = value_of(Ratings.from_rows(rows, categories, "nominal"), "brennan_prediger")
    assert found == pytest.approx(fleiss_kappa(counts, method="randolph"), abs=1e-12)


@settings(deadline=None, max_examples=25)
@given(table=tables(gaps=False))
def test_intraclass_correlations_are_those_of_an_analysis_of_variance_by_statsmodels(table):
    rows, categories = table
    assume(len(rows) >= 3)
    values = np.array(rows, dtype=float)
    n, k = values.shape
    item, annotator = np.repeat(np.eye(n)[:, 1:], k, axis=0), np.tile(np.eye(k)[:, 1:], (n, 1))
    y, one = values.ravel(), np.ones((n * k, 1))
    fits = [OLS(y, np.hstack(design)).fit() for design in ((one,), (one, item), (one, item, annotator))]
    squares = np.diff([-fit.ssr for fit in fits])
    msr, msc = squares[0] / (n - 1), squares[1] / (k - 1)
    mse, msw = fits[2].mse_resid, fits[1].mse_resid
    parts = {
        "icc_1_1": (msr - msw, msr + (k - 1) * msw),
        "icc_1_k": (msr - msw, msr),
        "icc_2_1": (msr - mse, msr + (k - 1) * mse + k * (msc - mse) / n),
        "icc_2_k": (msr - mse, msr + (msc - mse) / n),
        "icc_3_1": (msr - mse, msr + (k - 1) * mse),
        "icc_3_k": (msr - mse, msr),
    }
    assert set(parts) == set(ICCS)
    for name, (top, bottom) in parts.items():
        if bottom > 1e-6:
            assert value_of(Ratings.from_rows(rows, categories, "interval"), name) == pytest.approx(
                top / bottom, abs=1e-7
            )


@some
@given(table=tables(gaps=False))
def test_kendalls_w_is_friedmans_statistic_of_scipy_on_another_scale(table):
    rows, categories = table
    columns = np.array(rows).T
    assume(len(rows) >= 3 and len(columns) >= 3 and all(np.ptp(column) > 0 for column in columns))
    friedman = stats.friedmanchisquare(*np.array(rows)).statistic
    found = value_of(Ratings.from_rows(rows, categories, "ordinal"), "kendall_w")
    assert found == pytest.approx(friedman / (len(columns) * (len(rows) - 1)), abs=1e-9)


# Tests and intervals


@pytest.mark.parametrize(
    ("ours", "method"),
    [(bonferroni, "bonferroni"), (benjamini_hochberg, "fdr_bh"), (benjamini_yekutieli, "fdr_by")],
)
@some
@given(p=p_values)
def test_adjusted_p_values_are_those_of_statsmodels(ours, method, p):
    assert ours(p) == pytest.approx(multipletests(p, method=method)[1].tolist(), abs=1e-12)


@settings(deadline=None, max_examples=8)  # each time, it clears the memory of the whole process
@given(p=st.lists(st.sampled_from([0.001, 0.004, 0.02, 0.021, 0.3, 0.9]), min_size=5, max_size=12))
def test_holms_p_values_are_those_of_statsmodels(p):
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1].tolist(), abs=1e-12)


@some
@given(n=st.integers(1, 300), data=st.data())
def test_intervals_of_a_share_are_those_of_statsmodels(n, data):
    count = data.draw(st.integers(0, n))
    assert wilson(count, n) == pytest.approx(proportion_confint(count, n, method="wilson"), abs=1e-9)
    assert clopper_pearson(count, n) == pytest.approx(proportion_confint(count, n, method="beta"), abs=1e-9)
    assert binomial_test(count, n, 0.3) == pytest.approx(stats.binomtest(count, n, 0.3).pvalue, abs=1e-10)


@some
@given(b=st.integers(0, 60), c=st.integers(0, 60))
def test_mcnemars_tests_are_those_of_statsmodels(b, c):
    assume(b + c > 0)
    table = [[5, b], [c, 7]]
    assert mcnemar(b, c).p == pytest.approx(mcnemar_of_statsmodels(table, exact=True).pvalue, abs=1e-12)
    for correction in (True, False):
        assume(b != c or not correction)  # it takes 1 from nothing
        expected = mcnemar_of_statsmodels(table, exact=False, correction=correction)
        assert mcnemar_chi_square(b, c, correction) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-12)


@some
@given(d=st.lists(st.integers(1, 40), min_size=3, max_size=25, unique=True), signs=st.lists(st.booleans(), min_size=25))
def test_wilcoxons_exact_test_is_that_of_scipy_where_nothing_is_tied(d, signs):
    values = [each if plus else -each for each, plus in zip(d, signs, strict=False)]
    expected = stats.wilcoxon(values, method="exact")
    found = wilcoxon(values)
    assert found.p == pytest.approx(expected.pvalue, abs=1e-12)
    assert min(found.value, len(d) * (len(d) + 1) / 2 - found.value) == expected.statistic


@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 10_000), n=st.integers(101, 160))
def test_wilcoxons_test_of_many_with_ties_is_that_of_scipy(seed, n):
    values = np.random.default_rng(seed).integers(-5, 7, n)
    assume(np.count_nonzero(values) > 100)
    expected = stats.wilcoxon(values, zero_method="wilcox", correction=True, method="asymptotic")
    assert wilcoxon(values).p == pytest.approx(expected.pvalue, rel=1e-9)


@some
@given(first=few_numbers, second=few_numbers)
def test_the_mann_whitney_test_is_that_of_scipy(first, second):
    assume(len({*first, *second}) > 1)
    found = mann_whitney(first, second)
    distinct = len({*first, *second}) == len(first) + len(second)
    exact = distinct and min(len(first), len(second)) <= 8
    expected = stats.mannwhitneyu(first, second, method="exact" if exact else "asymptotic")
    assert (found.value, found.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert found.method.startswith("exact" if exact else "normal")
    above = sum((a > b) + (a == b) / 2 for a in first for b in second)
    assert found.value == above


@some
@given(x=few_numbers, y=few_numbers)
def test_means_and_slopes_have_the_intervals_of_scipy(x, y):
    size = min(len(x), len(y))
    if np.ptp(x) > 0:
        low, high = stats.ttest_1samp(x, 0).confidence_interval()
        found = mean_of(x)
        assert (found.low, found.high) == pytest.approx((low, high), rel=1e-6)
        assert found.p == pytest.approx(stats.ttest_1samp(x, 0).pvalue, abs=1e-9)
    if np.ptp(x) > 0 and np.ptp(y) > 0:
        welch, found = stats.ttest_ind(x, y, equal_var=False), difference_of_means(x, y)
        assert (found.low, found.high) == pytest.approx(tuple(welch.confidence_interval()), rel=1e-6)
        assert found.p == pytest.approx(welch.pvalue, abs=1e-9)
    x, y = x[:size], y[:size]
    if np.ptp(x) > 0 and np.ptp(y) > 0:
        line, found = stats.linregress(x, y), slope_of(x, y)
        assume(line.stderr > 1e-9)
        half = stats.t.ppf(0.975, size - 2) * line.stderr
        assert (found.value, found.low, found.high) == pytest.approx((line.slope, line.slope - half, line.slope + half))
        assert (pearson(x, y), spearman(x, y)) == pytest.approx((line.rvalue, stats.spearmanr(x, y).statistic))


# Models


@pytest.mark.filterwarnings("ignore:Perfect separation or prediction")  # shares that are met exactly
@settings(deadline=None, max_examples=20)
@given(wins=st.lists(st.integers(1, 12), min_size=12, max_size=12))
def test_bradley_terry_is_a_logistic_regression_of_statsmodels(wins):
    systems = range(4)
    pairs = [(i, j) for i in systems for j in systems if i < j]
    judged, design, outcome = [], [], []
    for at, (i, j) in enumerate(pairs):
        first, second = wins[2 * at], wins[2 * at + 1]
        judged += [Preference(len(judged) + n, i, j, "left") for n in range(first)]
        judged += [Preference(len(judged) + n, i, j, "right") for n in range(second)]
        design.append([(s == i) - (s == j) for s in systems[1:]])
        outcome.append((first, second))
    logit = GLM(np.array(outcome), np.array(design), family=families.Binomial()).fit()
    found = rank_systems(judged, draws=0)
    for system, strength, error in zip(systems[1:], logit.params, logit.bse, strict=True):
        assert found.difference(system, 0) == pytest.approx((strength, error), abs=1e-5)


@some
@given(rows=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5)), min_size=1, max_size=25))
def test_the_rising_curve_is_that_of_scikit_learn(rows):
    x, y = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    theirs = IsotonicRegression(out_of_bounds="clip").fit(x, y)
    asked = np.linspace(-1, 7, 33)
    assert isotonic(x, y).predict(asked) == pytest.approx(theirs.predict(asked), abs=1e-9)


@some
@given(
    rows=st.lists(st.tuples(st.sampled_from([0.05, 0.25, 0.45, 0.65, 0.85]), st.booleans()), min_size=1, max_size=40)
)
def test_the_calibration_error_is_worked_out_bin_by_bin(rows):
    predicted, observed = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    # Every bin holds one value of `predicted` only, so that the binned share is that of the value.
    expected = sum(
        (predicted == value).mean() * abs(observed[predicted == value].mean() - value) for value in set(predicted)
    )
    assert expected_calibration_error(predicted, observed, bins=5).value == pytest.approx(expected)
    # A calibrated forecast has the least Brier score of all that give its bins one value each.
    best = np.array([observed[predicted == value].mean() for value in predicted])
    assert brier_score_loss(observed, best) <= brier_score_loss(observed, predicted) + 1e-12
