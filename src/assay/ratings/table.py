"""A table of judgments in a file: its columns, all of them texts, and where each row stands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from assay.errors import FileMistakes, Mistake
from assay.items import Mistakes
from assay.statistics.arrays import Bools, Ints
from assay.statistics.factors import Factor


class TableMistakes(FileMistakes):
    """A file of judgments that cannot be used as it is."""


@dataclass(frozen=True, eq=False)
class Columns:
    """Some columns: each a factor whose names are sorted texts, -1 where a cell is empty; `rows` counts from 0."""

    factors: dict[str, Factor]
    rows: Ints

    def only(self, mask: Bools) -> "Columns":
        """Some of the rows."""
        factors = {name: Factor(each.codes[mask], each.names) for name, each in self.factors.items()}
        return Columns(factors, self.rows[mask])


class TakeColumns(Protocol):
    """Reads some columns."""

    def __call__(self, names: Sequence[str], lists: bool = False) -> Columns:
        """Some columns. A list in a cell is a mistake, or with `lists` a text that begins with NUL."""


@dataclass(eq=False)
class TableFile:
    """A file with its columns, and the locations that messages name."""

    path: Path
    names: list[str]
    take: TakeColumns
    find_locations: Callable[[], Sequence[int | str]]

    @cached_property
    def locations(self) -> Sequence[int | str]:
        """Where each row stands, as an editor shows it. Looked up only when something is wrong."""
        return self.find_locations()

    def mistake(self, what: str, hint: str, row: int | None = None, column: str = "") -> Mistake:
        """Something wrong, with its location."""
        mistakes = Mistakes(self.path)
        mistakes.add(what, hint, None if row is None else self.locations[row], column)
        return mistakes.listed[0]
