"""How much of the scale one annotator uses, against the others on the same items."""

import math
from collections.abc import Sequence

from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.clusters import Clusters
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
    """`spread_ratio` of many annotators at once, from the means of the others' values and of their squares by item.

    Reference: Efron, B. & Tibshirani, R. (1993). An introduction to the bootstrap, chapter 11.

    Example:
        >>> own, others = np.array([2.0, 3, 3, 4, 3, 2, 4, 3]), np.array([1.0, 3, 4, 5, 2, 1, 5, 3])
        >>> [found] = spread_ratios(own, others, others**2, Groups([8]))
        >>> round(found.value, 3)
        0.471
    """
    n, columns = groups.sizes, np.array([own, own**2, means, squares])
    totals = groups.sums(columns.T).T
    without = (totals[:, groups.of] - columns) / np.maximum(n - 1, 1)[groups.of]
    return _ratios(totals / np.maximum(n, 1), without, groups.ranges(own), n, groups)


def spread_ratios_over_groups(
    own: Floats, means: Floats, squares: Floats, clusters: Clusters
) -> list[IntervalEstimate | None]:
    """`spread_ratios` where items share something: the jackknife leaves out one group of items at a time.

    None below three groups, and where without one of them a variance is 0.

    Reference: Efron, B. & Tibshirani, R. (1993). An introduction to the bootstrap, chapter 11.

    Example:
        >>> own, others = np.array([2.0, 3, 3, 4, 3, 2, 4, 3]), np.array([1.0, 3, 4, 5, 2, 1, 5, 3])
        >>> clusters = Clusters(Groups([8]), np.array([0, 0, 1, 1, 2, 2, 3, 3]))
        >>> [found] = spread_ratios_over_groups(own, others, others**2, clusters)
        >>> round(found.value, 3), found.n, found.n_groups
        (0.471, 8, 4)
    """
    rows, columns = clusters.rows, (own, own**2, means, squares)
    left = clusters.without_each(np.ones(len(own)))
    without = np.array([clusters.without_each(each) for each in columns]) / np.maximum(left, 1)
    average = np.array([rows.means(each) for each in columns])
    return _ratios(average, without, rows.ranges(own), rows.sizes, clusters.drawn, are_groups=True)


def _ratios(
    average: Floats, without: Floats, ranges: Floats, n: Ints, drawn: Groups, are_groups: bool = False
) -> list[IntervalEstimate | None]:
    """The ratios with their jackknife intervals, from the means over all rows and over those without each unit."""
    logs = _log_ratio(without)
    is_whole = drawn.sums(~np.isfinite(logs)) == 0
    errors = drawn.jackknife_errors(np.where(is_whole[drawn.of], logs, 0.0))
    told = (drawn.sizes >= 3) & (average[3] - average[2] ** 2 >= 1e-12)
    rows = zip(n, drawn.sizes, _log_ratio(average), errors, told, ranges >= 1e-12, is_whole, strict=True)
    return [_ratio(are_groups, *(each.item() for each in row)) for row in rows]


def _ratio(
    are_groups: bool, n: int, n_drawn: int, log: float, error: float, told: bool, varies: bool, is_whole: bool
) -> IntervalEstimate | None:
    n_groups = n_drawn if are_groups else None
    if told and not varies:
        return IntervalEstimate(0.0, 0.0, 0.0, n, n_groups=n_groups)
    if not (told and is_whole):
        return None
    half = half_width(n_drawn - 1) * error
    return IntervalEstimate(math.exp(log), math.exp(log - half), math.exp(log + half), n, n_groups=n_groups)


def _log_ratio(means: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        own, others = means[1] - means[0] ** 2, means[3] - means[2] ** 2
        found: Floats = np.log(np.where(own > 1e-12, own, 0) / np.where(others > 1e-12, others, np.nan)) / 2
    return found
