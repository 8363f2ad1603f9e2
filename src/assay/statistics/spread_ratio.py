"""How much of the scale one annotator uses, against the others on the same items."""

import math
from collections.abc import Sequence

from assay.statistics.arrays import Floats, np
from assay.statistics.estimate import IntervalEstimate, half_width
from assay.statistics.finite import numbers
from assay.statistics.jackknife import standard_error


def spread_ratio(own: Sequence[float], others: Sequence[Sequence[float]]) -> IntervalEstimate | None:
    """The standard deviation of one annotator's values over that of the others' on the same items.

    `others[i]` are the values that others gave to item i; each item counts once, however many they are, so that the
    variance of the others is the mean of their mean squares minus the square of the mean of their means. The interval
    is a jackknife over items of the logarithm: values of one item are correlated, which an F test does not allow for.
    None below three items, or where the others' values or all but one of the annotator's are the same. Where the
    annotator gave one value throughout, the ratio is 0, and so are the ends of its interval.

    Reference: Efron, B. & Tibshirani, R. (1993). An introduction to the bootstrap, chapter 11.

    Example:
        >>> found = spread_ratio([2, 3, 3, 4, 3, 2, 4, 3], [[1], [3], [4], [5], [2], [1], [5], [3]])
        >>> round(found.value, 3), found.low < found.value < found.high
        (0.471, True)
    """
    n = len(own)
    if n < 3:
        return None
    mine = numbers(own)
    first = numbers([sum(each) / len(each) for each in others])
    second = np.array([sum(value * value for value in each) / len(each) for each in others])
    if float(second.mean() - first.mean() ** 2) < 1e-12:
        return None
    if np.ptp(mine) < 1e-12:
        return IntervalEstimate(0.0, 0.0, 0.0, n)
    sums = np.array([mine, mine**2, first, second])
    totals = sums.sum(axis=1, keepdims=True)
    without = _log_ratio((totals - sums) / (n - 1))
    if not np.isfinite(without).all():
        return None
    whole = float(_log_ratio(totals / n)[0])
    error = standard_error(without, np.ones(n, dtype=int))
    half = half_width(n - 1) * error
    return IntervalEstimate(math.exp(whole), math.exp(whole - half), math.exp(whole + half), n)


def _log_ratio(means: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        own, others = means[1] - means[0] ** 2, means[3] - means[2] ** 2
        found: Floats = np.log(np.where(own > 1e-12, own, 0) / np.where(others > 1e-12, others, np.nan)) / 2
    return found
