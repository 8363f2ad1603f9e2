"""How much of the scale one annotator uses, against the others on the same items."""

import math
from collections.abc import Sequence

from assay.statistics.arrays import Floats, np
from assay.statistics.estimate import IntervalEstimate, half_width
from assay.statistics.finite import numbers
from assay.statistics.groups import Groups


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
    first = numbers([sum(each) / len(each) for each in others])
    second = np.array([sum(value * value for value in each) / len(each) for each in others], dtype=float)
    return spread_ratios(numbers(own), first, second, Groups([len(own)]))[0]


def spread_ratios(own: Floats, means: Floats, squares: Floats, groups: Groups) -> list[IntervalEstimate | None]:
    """The same of many annotators at once; of the others, the mean of their values and of their squares for each item.

    Reference: Efron, B. & Tibshirani, R. (1993). An introduction to the bootstrap, chapter 11.

    Example:
        >>> own, others = np.array([2.0, 3, 3, 4, 3, 2, 4, 3]), np.array([1.0, 3, 4, 5, 2, 1, 5, 3])
        >>> [found] = spread_ratios(own, others, others**2, Groups([8]))
        >>> round(found.value, 3)
        0.471
    """
    n, columns = groups.sizes, np.array([own, own**2, means, squares])
    totals = groups.sums(columns.T).T
    without = _log_ratio((totals[:, groups.of] - columns) / np.maximum(n - 1, 1)[groups.of])
    is_whole = groups.sums(~np.isfinite(without)) == 0
    errors = groups.jackknife_errors(np.where(is_whole[groups.of], without, 0.0))
    average = totals / np.maximum(n, 1)
    told = (n >= 3) & (average[3] - average[2] ** 2 >= 1e-12)
    varies = groups.ranges(own) >= 1e-12
    rows = zip(n, _log_ratio(average), errors, told, varies, is_whole, strict=True)
    return [_ratio(*(each.item() for each in row)) for row in rows]


def _ratio(n: int, log: float, error: float, told: bool, varies: bool, is_whole: bool) -> IntervalEstimate | None:
    if told and not varies:
        return IntervalEstimate(0.0, 0.0, 0.0, n)
    if not (told and is_whole):
        return None
    half = half_width(n - 1) * error
    return IntervalEstimate(math.exp(log), math.exp(log - half), math.exp(log + half), n)


def _log_ratio(means: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        own, others = means[1] - means[0] ** 2, means[3] - means[2] ** 2
        found: Floats = np.log(np.where(own > 1e-12, own, 0) / np.where(others > 1e-12, others, np.nan)) / 2
    return found
