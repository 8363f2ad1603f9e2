"""What the others said of the same thing, for each judgment."""

from collections.abc import Hashable, Sequence

from assay.statistics.arrays import Floats, Ints, np


def means_of_others(units: Sequence[Hashable], values: Sequence[float]) -> list[float | None]:
    """For each value the mean of the other values of its unit, or None where nobody else judged it.

    (sum - value) / (count - 1). A mean that held the value itself would make everybody look alike: with three
    annotators a third of it is their own doing.

    Reference: Rushton, J. P., Brainerd, C. J. & Pressley, M. (1983) on aggregates; the leave-one-out mean is that of
    the corrected item-total correlation (Henrysson, S. (1963). Psychometrika 28).

    Example:
        >>> means_of_others(["i1", "i1", "i1", "i2"], [1, 2, 6, 4])
        [4.0, 3.5, 1.5, None]
    """
    numbers: dict[Hashable, int] = {}
    at = np.fromiter((numbers.setdefault(unit, len(numbers)) for unit in units), dtype=np.int64, count=len(units))
    means = means_of_others_by_number(at, np.asarray(values, dtype=np.float64))
    return [None if each != each else each for each in means.tolist()]


def means_of_others_by_number(units: Ints, values: Floats) -> Floats:
    """`means_of_others` for units that are numbers from 0 on, as a column; nan where nobody else judged it.

    Reference: Rushton, J. P., Brainerd, C. J. & Pressley, M. (1983), as above.

    Example:
        >>> means_of_others_by_number(np.array([0, 0, 0, 1]), np.array([1.0, 2.0, 6.0, 4.0])).tolist()
        [4.0, 3.5, 1.5, nan]
    """
    n_others = np.bincount(units)[units] - 1
    sums = np.bincount(units, weights=values)[units]
    found: Floats = np.full(len(values), np.nan)
    return np.divide(sums - values, n_others, out=found, where=n_others > 0)
