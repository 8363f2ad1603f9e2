"""Judgments that were collected elsewhere: a file in any common format -> its columns, all of them texts.

CSV, TSV and Parquet are read by DuckDB, straight into arrays. Whatever that cannot take is read row by row, as items
are, and so is everything else: slower, and with words for each mistake.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from assay.errors import AssayError, FileMistakes, Mistake
from assay.items import ANY, Mistakes, Options, read_rows
from assay.statistics.arrays import Ints, np
from assay.statistics.factors import Factor

FORMATS = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".json", ".xlsx", ".parquet")
FAST = (".csv", ".tsv", ".tab", ".parquet")


class TableMistakes(FileMistakes):
    """A file of judgments that cannot be used as it is."""


@dataclass(frozen=True, eq=False)
class Taken:
    """Some columns: each a factor whose names are sorted texts, -1 where a cell is empty; `rows` counts from 0."""

    columns: dict[str, Factor]
    rows: Ints


@dataclass(eq=False)
class Table:
    """A file with its columns, and the places that messages name."""

    path: Path
    names: list[str]
    take: Callable[[Sequence[str]], Taken]
    """Reads some columns."""
    find_places: Callable[[], Sequence[int | str]]

    @cached_property
    def places(self) -> Sequence[int | str]:
        """Where each row stands, as an editor shows it. Looked up only when something is wrong."""
        return self.find_places()

    def mistake(self, what: str, hint: str, row: int | None = None, column: str = "") -> Mistake:
        """Something wrong, with its place."""
        mistakes = Mistakes(self.path)
        mistakes.add(what, hint, None if row is None else self.places[row], column)
        return mistakes.listed[0]


@dataclass
class _Columns:
    """The columns of rows that were read one by one."""

    mistakes: Mistakes
    cells: dict[str, list[str | None]] = field(default_factory=dict)
    places: list[int | str] = field(default_factory=list)

    def add(self, place: int | str, row: dict[str, Any]) -> None:
        for name in row:
            if name not in self.cells:
                self.cells[name] = [None] * len(self.places)
        self.places.append(place)
        for name, cells in self.cells.items():
            cells.append(self._text(row.get(name), place, name))

    def _text(self, value: Any, place: int | str, name: str) -> str | None:
        if isinstance(value, dict | list):
            # Only a mistake where the column is used: marked, and found by whoever takes it.
            return f"\x00{type(value).__name__}"
        return as_text(value)

    def take(self, names: Sequence[str]) -> Taken:
        columns = {}
        for name in names:
            cells = self.cells[name]
            nested = next((row for row, cell in enumerate(cells) if cell and cell.startswith("\x00")), None)
            if nested is not None:
                self.mistakes.add("a text or a number is expected here", "", self.places[nested], name)
                raise TableMistakes(self.mistakes.listed)
            found = sorted({cell for cell in cells if cell is not None})
            numbers: dict[str | None, int] = {cell: number for number, cell in enumerate(found)}
            numbers[None] = -1
            columns[name] = Factor(np.fromiter(map(numbers.__getitem__, cells), np.int64, len(cells)), found)
        return Taken(columns, np.arange(len(self.places)))


def as_text(value: Any) -> str | None:
    """A cell as text: ids such as 007 stay what they are, an empty one is None.

    >>> as_text(5), as_text(5.0), as_text(0.1), as_text(True), as_text("007"), as_text("")
    ('5', '5', '0.1', 'true', '007', None)
    """
    if value is None:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value) or None


def read_table(path: Path, sheet: str = "") -> Table:
    """The table in a file.

    Raises:
        AssayError: There is no such file, or none of a known kind.
        TableMistakes: What is wrong in it, with places.
    """
    if not path.is_file():
        raise AssayError(f"there is no file {path}", "give the path of a table of judgments")
    if path.suffix.lower() not in FORMATS:
        raise AssayError(f"{path.name}: this kind of file cannot be read", f"known endings: {', '.join(FORMATS)}")
    if path.stat().st_size == 0:
        raise TableMistakes([Mistake(path.name, "the file is empty", "a table has a row of names and then judgments")])
    if path.suffix.lower() in FAST:
        from assay.ratings.fast import read_fast

        table = read_fast(path)
        if table is not None:
            return table
    return row_by_row(path, Options(sheet=sheet))


def row_by_row(path: Path, options: Options = ANY) -> Table:
    """The table in a file of any kind, read as items are. Raises TableMistakes: what is wrong, with places."""
    mistakes = Mistakes(path)
    columns = _Columns(mistakes)
    for place, row in read_rows(path, mistakes, options):
        columns.add(place, row)
    if mistakes.count:
        more = mistakes.count - len(mistakes.listed)
        rest = [Mistake(path.name, f"and {more} more problems")] if more else []
        raise TableMistakes([*mistakes.listed, *rest])
    if not columns.places:
        what = "there are no judgments in this file"
        raise TableMistakes([Mistake(path.name, what, "a table has a row of names and then judgments")])
    return Table(path, list(columns.cells), columns.take, lambda: columns.places)
