"""A declared scale: its values in their order, and how far apart they are, which weights a disagreement."""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assay.model import Level
from assay.statistics.arrays import Floats, np

LONG = 32
"""Above so many values, distances between each two of them are no longer worth writing out."""


@dataclass(frozen=True)
class Scale:
    """The legal values in their declared order, and what may be done with them. Never inferred from judgments."""

    categories: tuple[Hashable, ...]
    level: Level

    def __post_init__(self) -> None:
        if len(set(self.categories)) < len(self.categories):
            raise ValueError(f"the scale {self} names a value twice")
        if self.numeric and not all(map(_is_finite, self.categories)):
            raise ValueError(f"the scale {self} has a value that is infinite, or no number")
        if self.level in ("interval", "ratio") and not self.numeric:
            raise ValueError(f"values of level {self.level} must be numbers, and the scale is {self}")
        if self.level != "nominal" and self.numeric:
            numbers = [float(value) for value in self.categories]  # type: ignore[arg-type]
            if numbers not in (sorted(numbers), sorted(numbers, reverse=True)):
                raise ValueError(f"the values of the {self.level} scale {self} must rise or fall in order")
            if self.level == "ratio" and min(numbers, default=0.0) < 0:
                raise ValueError(f"a ratio scale has no value below zero, and this one is {self}")

    def __len__(self) -> int:
        return len(self.categories)

    def __str__(self) -> str:
        shown = [*self.categories[:8], "...", self.categories[-1]] if len(self) > 10 else self.categories
        return ", ".join(map(str, shown))

    @property
    def numeric(self) -> bool:
        """Whether the values are numbers, and not words."""
        return all(isinstance(value, int | float) and not isinstance(value, bool) for value in self.categories)

    @cached_property
    def positions(self) -> Floats:
        """Where each category stands: at its value if all are numbers, else at its index in the declared order."""
        return np.array(self.categories if self.numeric else range(len(self)), dtype=np.float64)

    @cached_property
    def in_units(self) -> Floats:
        """The positions in a unit that leaves the farthest from zero below 1: its square is still a number.

        The unit cancels out of coefficients. It is a power of two, so that nothing is rounded.
        """
        _, exponent = np.frexp(np.abs(self.positions).max(initial=0.0))
        return np.ldexp(self.positions, -int(exponent))

    def distances(self, power: int) -> Floats:
        """How far apart any two categories are, to this power, in the unit of `in_units`, which cancels out.

        With power 0 they are the same (0) or not (1).
        """
        if power == 0:
            return 1.0 - np.eye(len(self))
        distances: Floats = np.abs(np.subtract.outer(self.in_units, self.in_units))
        return distances**power

    def total_distance(self, shares: Floats, power: int) -> Floats:
        """How far each category is from all others, each as often as `shares` says: `shares @ distances(power)`.

        A scale of a thousand values has a million distances. They are not needed one by one: for power 1 cumulative
        sums suffice, for power 2 mean and spread.

        Example:
            >>> Scale((1, 2, 5), "interval").total_distance(np.array([[1.0, 1.0, 2.0]]), 1).tolist() == [
            ...     (np.array([1.0, 1.0, 2.0]) @ Scale((1, 2, 5), "interval").distances(1)).tolist()
            ... ]
            True
        """
        if len(self) <= LONG:
            short: Floats = shares @ self.distances(power)
            return short
        total: Floats = shares.sum(axis=-1, keepdims=True)
        if power == 0:
            return total - shares
        # From the middle of the scale, so that what is far from zero loses nothing to rounding.
        at = self.in_units - (self.in_units.max() + self.in_units.min()) / 2
        if power == 2:
            squared: Floats = total * at**2 - 2 * at * (shares @ at)[..., None] + (shares @ at**2)[..., None]
            return squared
        order = np.argsort(at, kind="stable")
        rising, weighed = at[order], (shares * at)[..., order]
        below, sum_below = np.cumsum(shares[..., order], axis=-1), np.cumsum(weighed, axis=-1)
        far = rising * (2 * below - total) - 2 * sum_below + weighed.sum(axis=-1, keepdims=True)
        distances: Floats = np.empty_like(far)
        distances[..., order] = far
        return distances


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that no float can hold
        return False
