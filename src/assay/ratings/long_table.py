"""Judgments in rows, as numbers: what every layout of a file becomes."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.statistics.arrays import Bools, Ints, np
from assay.statistics.factors import Factor


@dataclass(frozen=True)
class LongTable:
    """Judgments in rows: numbers of items, annotators and values, each row with its number in the file."""

    item: Factor
    annotator: Factor
    codes: Ints
    rows: Ints
    cluster: Factor | None = None
    system: Factor | None = None
    by: dict[str, Factor] = field(default_factory=dict)
    """Columns that split the judgments, by name."""

    def only(self, mask: Bools) -> "LongTable":
        """Some of the rows, without the names that do not occur in them."""
        item, annotator = _compact(self.item, mask), _compact(self.annotator, mask)
        cluster, system = (each and Factor(each.codes[mask], each.names) for each in (self.cluster, self.system))
        by = {name: Factor(each.codes[mask], each.names) for name, each in self.by.items()}
        return LongTable(item, annotator, self.codes[mask], self.rows[mask], cluster, system, by)

    def within_systems(self) -> "LongTable":
        """The same table, in which the same item of another system is another item."""
        if self.system is None:
            return self
        item, _ = combine(self.item, self.system)
        return LongTable(item, self.annotator, self.codes, self.rows, self.cluster, self.system, self.by)


class SomeNames(Sequence[Hashable]):
    """Some of many names, looked up one at a time."""

    def __init__(self, names: Sequence[Hashable], picked: Ints) -> None:
        self._names, self._picked = names, picked

    def __len__(self) -> int:
        return len(self._picked)

    def __getitem__(self, number: Any) -> Any:
        return self._names[int(self._picked[number])]


def combine(first: Factor, second: Factor) -> tuple[Factor, Ints]:
    """Both columns as one, with a code for each combination, called as in the first; and the first row of each."""
    both = first.codes.astype(np.int64) * (len(second.names) + 1) + second.codes + 1  # -1 is none
    found, rows, codes = np.unique(both, return_index=True, return_inverse=True)
    return Factor(codes.reshape(-1), SomeNames(first.names, found // (len(second.names) + 1))), rows


def _compact(factor: Factor, mask: Bools) -> Factor:
    codes = factor.codes[mask]
    present = np.flatnonzero(np.bincount(codes, minlength=len(factor.names)))
    if len(present) == len(factor.names):
        return Factor(codes, factor.names)
    number = np.zeros(len(factor.names), dtype=np.int64)
    number[present] = np.arange(len(present))
    return Factor(number[codes], SomeNames(factor.names, present))
