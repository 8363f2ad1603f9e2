"""A number from a sample with its 95 % interval and its p-value: means, differences of means, slopes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean

from assay.statistics.arrays import Floats, np
from assay.statistics.clusters import Clusters
from assay.statistics.f_distribution import f_exceeded, f_quantile
from assay.statistics.finite import numbers, refuse_beyond
from assay.statistics.groups import Groups


@dataclass(frozen=True, slots=True)
class IntervalEstimate:
    """A number with its 95 % interval, from n values."""

    value: float
    low: float
    high: float
    n: int
    p: float | None = None
    """How probable so large a number is where the truth is zero; None where only the interval is known."""
    n_groups: int | None = None
    """From how many groups of items the values come, where items share something; None where each stands alone."""

    @property
    def has_interval(self) -> bool:
        """Whether there is an interval: where all values are the same, nothing tells how far other items would be."""
        return self.low < self.high

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval; None where nothing varies."""
        return (self.low, self.high) if self.has_interval else None

    @property
    def independent(self) -> int:
        """How many independent units it is from: groups of items, or else values."""
        return self.n if self.n_groups is None else self.n_groups

    def beyond(self, least: float) -> bool:
        """Whether its size is at least `least`, in either direction, and its interval excludes zero."""
        # A rounding error below 0.5 counts as 0.5.
        return abs(self.value) >= least - 1e-9 and not self.low <= 0 <= self.high


def mean_of(values: Sequence[float]) -> IntervalEstimate | None:
    """The mean with Student's interval: m +- t s / sqrt(n), t with n - 1 degrees of freedom. None below two values.

    Reference: Student (1908). The probable error of a mean. Biometrika 6.

    Example:
        >>> found = mean_of([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0])  # Student's first drug
        >>> round(found.value, 2), round(found.low, 2), round(found.high, 2), round(found.p, 3)
        (0.75, -0.53, 2.03, 0.218)
    """
    if len(values) < 2:
        return None
    refuse_beyond(values)
    return _estimate(fmean(values), math.sqrt(_variance(values) / len(values)), len(values) - 1, len(values))


def means_over_groups(values: Floats, clusters: Clusters) -> list[IntervalEstimate | None]:
    """The means of many annotators whose items share something: the interval is a jackknife over groups of items.

    Each group of items is left out in turn, and t has G - 1 degrees of freedom. Where all groups are equally large this
    is Student's interval of the groups' means; groups of one item each give `mean_of`. None below two groups.

    Reference: Cochran, W. G. (1977). Sampling techniques, chapter 6 (the jackknife of ratios).

    Example:
        >>> values, shared = np.array([1.0, 1.0, 0.0, 0.0, 2.0, 2.0]), np.array([0, 0, 1, 1, 2, 2])
        >>> [found] = means_over_groups(values, Clusters(Groups([6]), shared))
        >>> round(found.value, 2), round(found.low, 2), round(found.high, 2), found.n, found.n_groups
        (1.0, -1.48, 3.48, 6, 3)
    """
    rows, drawn = clusters.rows, clusters.drawn
    left = np.maximum(clusters.without_each(np.ones(len(values))), 1)
    errors = drawn.jackknife_errors(clusters.without_each(values) / left)
    columns = (rows.means(values), errors, drawn.sizes, rows.sizes, np.sqrt(rows.means(values**2)))
    return [
        None if n_groups < 2 else _estimate(mean, error, n_groups - 1, n, n_groups, size)
        for mean, error, n_groups, n, size in zip(*(each.tolist() for each in columns), strict=True)
    ]


def _variance(values: Sequence[float]) -> float:
    """The variance that divides by n - 1: `statistics.variance` to the last digits, in a tenth of its time."""
    mean = fmean(values)
    return math.fsum((each - mean) ** 2 for each in values) / (len(values) - 1)


def difference_of_means(first: Sequence[float], second: Sequence[float]) -> IntervalEstimate | None:
    """The mean of the first minus that of the second; their variances may differ.

    Welch's interval, with s1^2/n1 + s2^2/n2 as its variance and the degrees of freedom of Satterthwaite. None where
    either has fewer than two values. `n` counts both.

    Reference: Welch, B. L. (1947). The generalization of "Student's" problem. Biometrika 34.

    Example:
        >>> found = difference_of_means([1, 2, 3, 4], [2, 4, 6, 8])
        >>> round(found.value, 2), round(found.low, 2), round(found.high, 2)
        (-2.5, -6.36, 1.36)
    """
    if min(len(first), len(second)) < 2:
        return None
    refuse_beyond([*first, *second])
    error, degrees = welch_error(first, second) or (0.0, 1.0)
    return _estimate(fmean(first) - fmean(second), error, degrees, len(first) + len(second))


def welch_error(first: Sequence[float], second: Sequence[float]) -> tuple[float, float] | None:
    """The standard error of a difference of means and its degrees of freedom; None where nothing varies.

    Reference: Welch, B. L. (1947). The generalization of "Student's" problem. Biometrika 34.

    Example:
        >>> [round(each, 3) for each in welch_error([1, 2, 3, 4], [2, 4, 6, 8])]
        [1.443, 4.412]
    """
    if min(len(first), len(second)) < 2:
        return None
    parts = [_variance(each) / len(each) for each in (first, second)]
    below = sum(part**2 / (len(each) - 1) for part, each in zip(parts, (first, second), strict=True))
    return (math.sqrt(sum(parts)), sum(parts) ** 2 / below) if below else None


def difference_over_groups(
    first: Sequence[float], second: Sequence[float], groups: Sequence[int]
) -> IntervalEstimate | None:
    """The mean of the first minus that of the second, where values of both may share something.

    `groups` has the number of what each shares, of the first and then of the second. With u_g the sum over group g of
    what values lie above the mean of their own sample, over its size, those of the second with the other sign, the
    variance is G / (G - 1) sum u_g^2, and t has G - 2 degrees of freedom. None below three groups.

    Reference: Cochran, W. G. (1977). Sampling techniques, chapter 6.

    Example:
        >>> found = difference_over_groups([1, 1, 3, 3], [2, 2, 4, 4], [0, 0, 1, 1, 2, 2, 3, 3])
        >>> round(found.value, 2), round(found.low, 2), round(found.high, 2), found.n_groups
        (-1.0, -5.97, 3.97, 4)
    """
    if min(len(first), len(second)) < 2 or len(set(groups)) < 3:
        return None
    refuse_beyond([*first, *second])
    means = fmean(first), fmean(second)
    parts = [(each - means[0]) / len(first) for each in first] + [(means[1] - each) / len(second) for each in second]
    clusters = Clusters(Groups([len(parts)]), np.array(groups, dtype=np.int64))
    n_groups = len(clusters.drawn.of)
    error = math.sqrt(float((clusters.sums(numbers(parts)) ** 2).sum()) * n_groups / (n_groups - 1))
    size = max(map(abs, (*first, *second)))
    return _estimate(means[0] - means[1], error, n_groups - 2, len(parts), n_groups, size)


def slope_of(x: Sequence[float], y: Sequence[float]) -> IntervalEstimate | None:
    """By how much y changes with each step of x: least squares, with Student's interval of n - 2 degrees of freedom.

    b = sum (x - mean x)(y - mean y) / sum (x - mean x)^2, and its variance is the sum of squared residuals over
    (n - 2) sum (x - mean x)^2. None below three points, or where x does not change.

    Reference: Draper, N. R. & Smith, H. (1998). Applied regression analysis, section 1.4.

    Example:
        >>> found = slope_of([1, 2, 3, 4], [2, 4, 5, 8])
        >>> round(found.value, 2), round(found.low, 2), round(found.high, 2)
        (1.9, 0.76, 3.04)
    """
    return slopes_of(numbers(x), numbers(y), Groups([len(x)]))[0]


def slopes_of(x: Floats, y: Floats, groups: Groups) -> list[IntervalEstimate | None]:
    """The slopes of many groups of points at once, as in `slope_of`.

    Reference: Draper, N. R. & Smith, H. (1998). Applied regression analysis, section 1.4.

    Example:
        >>> x, y = np.array([1.0, 2, 3, 4]), np.array([2.0, 4, 5, 8])
        >>> [round(each.value, 2) for each in slopes_of(np.tile(x, 2), np.append(y, -y), Groups([4, 4]))]
        [1.9, -1.9]
    """
    n, apart_x, apart_y = groups.sizes, groups.apart(x), groups.apart(y)
    across = groups.sums(apart_x**2)
    slopes = np.divide(groups.sums(apart_x * apart_y), across, out=np.zeros(len(groups)), where=across > 0)
    left = groups.sums((apart_y - slopes[groups.of] * apart_x) ** 2)
    rows = zip(n.tolist(), slopes.tolist(), across.tolist(), left.tolist(), strict=True)
    return [
        None if n < 3 or across == 0 else _estimate(slope, math.sqrt(left / (n - 2) / across), n - 2, n)
        for n, slope, across, left in rows
    ]


def slopes_over_groups(x: Floats, y: Floats, clusters: Clusters) -> list[IntervalEstimate | None]:
    """The slopes of many annotators whose items share something: the interval is a jackknife over groups of items.

    Each group of items is left out in turn, and t has G - 2 degrees of freedom. None below three groups, or where
    without one of them x does not change.

    Reference: Efron, B. & Tibshirani, R. (1993). An introduction to the bootstrap, chapter 11.

    Example:
        >>> x, y = np.arange(8.0), np.array([0.0, 1, 1, 3, 3, 5, 5, 7])
        >>> [found] = slopes_over_groups(x, y, Clusters(Groups([8]), np.array([0, 0, 1, 1, 2, 2, 3, 3])))
        >>> round(found.value, 2), round(found.low, 2), round(found.high, 2), found.n_groups
        (0.96, 0.51, 1.42, 4)
    """
    rows, drawn = clusters.rows, clusters.drawn
    x, y = rows.centre(x), rows.centre(y)
    across = rows.sums(x * x)
    n, sum_x, sum_y, squares, products = map(clusters.without_each, (np.ones(len(x)), x, y, x * x, x * y))
    left = squares - sum_x**2 / np.maximum(n, 1)
    told = left > 1e-9 * across[drawn.of]
    without = np.divide(products - sum_x * sum_y / np.maximum(n, 1), left, out=np.zeros(len(left)), where=told)
    errors, is_whole = drawn.jackknife_errors(without), drawn.sums((~told).astype(np.float64)) == 0
    slopes = np.divide(rows.sums(x * y), across, out=np.zeros(len(rows)), where=across > 0)
    sizes = np.sqrt(np.divide(rows.sums(y * y), across, out=np.zeros(len(rows)), where=across > 0))
    given = zip(*(each.tolist() for each in (slopes, errors, drawn.sizes, rows.sizes, sizes, is_whole)), strict=True)
    return [
        None if n_groups < 3 or not whole else _estimate(slope, error, n_groups - 2, n, n_groups, size)
        for slope, error, n_groups, n, size, whole in given
    ]


@lru_cache(maxsize=1024)
def half_width(degrees: float) -> float:
    """How many standard errors a 95 % interval reaches to either side: Student's t, which is the root of an F.

    Example:
        >>> [round(half_width(degrees), 3) for degrees in (1, 10, 28)]
        [12.706, 2.228, 2.048]
    """
    return math.sqrt(f_quantile(0.95, 1, degrees))


def _estimate(
    value: float, error: float, degrees: float, n: int, n_groups: int | None = None, size: float = 0.0
) -> IntervalEstimate:
    """A value with Student's interval. `size`: about how large the values are, to tell an error from rounding."""
    if error <= 1e-12 * max(abs(value), size) or error == 0:
        # Values that are all the same have no standard error: the interval is the value itself, and p is that of n
        # equal signs, 2 of 2^n cases.
        drawn = n if n_groups is None else n_groups
        p = 1.0 if abs(value) <= 1e-12 else 2.0 ** (1 - min(drawn, 1000))
        return IntervalEstimate(value, value, value, n, p, n_groups)
    half = half_width(degrees) * error
    p = f_exceeded((value / error) ** 2, 1, degrees)
    return IntervalEstimate(value, value - half, value + half, n, p, n_groups)
