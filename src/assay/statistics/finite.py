"""Numbers that can be computed with: what is missing, infinite or too large is refused before it spreads."""

from collections.abc import Iterable
from typing import Any

from assay.statistics.arrays import Floats, np

LARGEST = 1e60
"""Fourth powers of larger numbers, and sums of them, are soon larger than any number that a computer holds."""


def numbers(values: Any) -> Floats:
    """Values as an array.

    Raises:
        ValueError: One of them is no number, infinite, or beyond 1e60.

    Example:
        >>> numbers([1, 2.5]).tolist()
        [1.0, 2.5]
    """
    found: Floats = np.asarray(values, dtype=np.float64)
    if found.size and not np.abs(found).max() <= LARGEST:
        refuse_beyond(found.ravel().tolist())
    return found


def refuse_beyond(values: Iterable[float]) -> None:
    """Refuse what `numbers` refuses, without making an array.

    Example:
        >>> refuse_beyond([1, float("inf")])
        Traceback (most recent call last):
        ValueError: inf cannot be computed with: values are numbers from -1e+60 to 1e+60
    """
    for value in values:
        if not -LARGEST <= value <= LARGEST:
            raise ValueError(f"{value} cannot be computed with: values are numbers from {-LARGEST:g} to {LARGEST:g}")
