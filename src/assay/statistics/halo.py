"""Whether one impression colours all dimensions."""

from dataclasses import dataclass
from itertools import combinations

from assay.statistics.arrays import Floats, np
from assay.statistics.correlation import fisher_interval, pearson
from assay.statistics.finite import numbers


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
    n = len(own)
    if n < 5:
        return None
    own, others = numbers(own), numbers(others)
    left = [_without(own[:, index], others[:, index]) for index in range(own.shape[1])]
    pairs = list(combinations(range(own.shape[1]), 2))
    found = [r for i, j in pairs if (r := pearson(left[i], left[j])) is not None]
    if not found:
        return None
    common = [r for i, j in pairs if (r := pearson(others[:, i], others[:, j])) is not None]
    residual = float(np.mean(found))
    low, high = fisher_interval(residual, n)
    with_others = [pearson(own[:, index], others[:, index]) or 0.0 for index in range(own.shape[1])]
    return HaloMeasure(residual, low, high, float(np.mean(common)) if common else None, n, float(np.mean(with_others)))


def _without(values: Floats, others: Floats) -> Floats:
    """What is left of values when the straight line through the others' means is taken out."""
    centred, about = values - values.mean(), others - others.mean()
    across = float(about @ about)
    left: Floats = centred - about * (float(centred @ about) / across if across > 1e-12 else 0.0)
    # Rounding is no residual.
    return np.where(np.abs(left) < 1e-9, 0.0, left)
