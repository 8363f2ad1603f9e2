"""What the others said of the same thing, for each judgment."""

from collections import defaultdict
from collections.abc import Hashable, Sequence


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
    sums: dict[Hashable, float] = defaultdict(float)
    counts: dict[Hashable, int] = defaultdict(int)
    for unit, value in zip(units, values, strict=True):
        sums[unit] += value
        counts[unit] += 1
    return [
        (sums[unit] - value) / (counts[unit] - 1) if counts[unit] > 1 else None
        for unit, value in zip(units, values, strict=True)
    ]
