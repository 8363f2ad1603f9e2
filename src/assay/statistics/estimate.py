"""A number from a sample with its 95 % interval and its p-value: means, differences of means, slopes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean

from assay.statistics.arrays import Floats, np
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

    def beyond(self, least: float) -> bool:
        """Whether it is at least so large in either direction, and its interval does not hold zero."""
        # What arithmetic leaves of 0.5 counts as 0.5.
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
    """The same of many at once, each with their own points.

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


@lru_cache(maxsize=1024)
def half_width(degrees: float) -> float:
    """How many standard errors a 95 % interval reaches to either side: Student's t, which is the root of an F.

    Example:
        >>> [round(half_width(degrees), 3) for degrees in (1, 10, 28)]
        [12.706, 2.228, 2.048]
    """
    return math.sqrt(f_quantile(0.95, 1, degrees))


def _estimate(value: float, error: float, degrees: float, n: int) -> IntervalEstimate:
    if error <= 1e-12 * abs(value) or error == 0:
        # Values that are all the same have no standard error: the interval is the value itself, and only their signs
        # tell anything, which are all alike by chance twice in 2^n.
        return IntervalEstimate(value, value, value, n, 1.0 if abs(value) <= 1e-12 else 2.0 ** (1 - min(n, 1000)))
    half = half_width(degrees) * error
    return IntervalEstimate(value, value - half, value + half, n, f_exceeded((value / error) ** 2, 1, degrees))
