"""Whether one impression colours all dimensions."""

from dataclasses import dataclass
from itertools import combinations

from assay.statistics.arrays import Floats, np
from assay.statistics.correlation import fisher_interval
from assay.statistics.finite import numbers
from assay.statistics.groups import Groups


@dataclass(frozen=True, slots=True)
class HaloMeasure:
    """The correlation between an annotator's dimensions, beyond what the items explain."""

    residual: float
    """The mean correlation between dimensions of what the others' means do not explain."""
    low: float
    high: float
    consensus: float | None
    """The mean correlation between dimensions of the others' means."""
    n: int
    shared: float
    """The mean correlation of the annotator's values with the others' means: how much of them the others explain."""


def halo(own: Floats, others: Floats) -> HaloMeasure | None:
    """The mean correlation between dimensions of one annotator's residuals.

    `own` holds the annotator's values, items by dimensions, and `others` the mean of the others for the same. Each
    dimension is regressed on the others' means, and the residuals are correlated: a good item scores high on all
    dimensions, which is no halo, but residuals have no reason to be correlated. The interval is Fisher's, for n items.
    None below five items, or with fewer than two dimensions that have residuals.

    Reference: Thorndike, E. L. (1920). A constant error in psychological ratings. Journal of Applied Psychology 4;
    Murphy, K. R., Jako, R. A. & Anhalt, R. L. (1993). Nature and consequences of halo error. Journal of Applied
    Psychology 78.

    Example:
        >>> others = np.array([[1, 2], [2, 4], [3, 1], [4, 5], [5, 3], [3, 3]], float)
        >>> noise = np.array([1, -1, 0, 1, -1, 0], float)[:, None]
        >>> round(halo(others + noise, others).residual, 2)
        0.95
    """
    return halos_of(numbers(own), numbers(others), Groups([len(own)]))[0]


def halos_of(own: Floats, others: Floats, groups: Groups) -> list[HaloMeasure | None]:
    """The halo of many annotators at once, each with their own items.

    Reference: Thorndike, E. L. (1920). A constant error in psychological ratings. Journal of Applied Psychology 4.

    Example:
        >>> others = np.array([[1, 2], [2, 4], [3, 1], [4, 5], [5, 3], [3, 3]] * 2, float)
        >>> noise = np.array([1, -1, 0, 1, -1, 0] * 2, float)[:, None]
        >>> [round(each.residual, 2) for each in halos_of(others + noise, others, Groups([6, 6]))]
        [0.95, 0.95]
    """
    dimensions = range(own.shape[1])
    left = [_without(own[:, index], others[:, index], groups) for index in dimensions]
    pairs = list(combinations(dimensions, 2))
    none = [np.full(len(groups), np.nan)]
    found = [groups.correlations(left[i], left[j]) for i, j in pairs] or none
    common = [groups.correlations(others[:, i], others[:, j]) for i, j in pairs] or none
    with_others = [np.nan_to_num(groups.correlations(own[:, index], others[:, index])) for index in dimensions] or none
    residual, consensus, shared = (_means_of_known(np.array(each)).tolist() for each in (found, common, with_others))
    return [
        None
        if n < 5 or beyond != beyond
        else HaloMeasure(beyond, *fisher_interval(beyond, n), None if agreed != agreed else agreed, n, explained)
        for n, beyond, agreed, explained in zip(groups.sizes.tolist(), residual, consensus, shared, strict=True)
    ]


def _means_of_known(rows: Floats) -> Floats:
    """The mean of each column, without what is not known; nan where nothing is."""
    n_known = (~np.isnan(rows)).sum(axis=0)
    found: Floats = np.where(n_known > 0, np.nansum(rows, axis=0) / np.maximum(n_known, 1), np.nan)
    return found


def _without(values: Floats, others: Floats, groups: Groups) -> Floats:
    """The residuals of a linear regression of values on the others' means, in each group."""
    centred, about = groups.centre(values), groups.centre(others)
    across = groups.sums(about * about)
    slope = np.divide(groups.sums(centred * about), across, out=np.zeros(len(groups)), where=across > 1e-12)
    left: Floats = centred - about * slope[groups.of]
    # Rounding is no residual.
    return np.where(np.abs(left) < 1e-9, 0.0, left)
