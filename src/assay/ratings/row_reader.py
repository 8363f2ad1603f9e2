"""Tables of judgments read row by row, as items are: any format, with words for each mistake."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.errors import Mistake
from assay.items import ANY, Mistakes, Options, read_rows
from assay.ratings.table import Columns, TableFile, TableMistakes
from assay.statistics.arrays import np
from assay.statistics.factors import Factor


@dataclass
class _RowColumns:
    """The columns of rows that were read one by one."""

    mistakes: Mistakes
    cells: dict[str, list[str | None]] = field(default_factory=dict)
    locations: list[int | str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    """What each column of the file is called: without white space around its name, unless another is called so."""

    def add(self, location: int | str, row: dict[str, Any]) -> None:
        for name in row:
            if name not in self.names:
                short = name.strip()
                self.names[name] = short if short and short not in self.cells else name
                self.cells[self.names[name]] = [None] * len(self.locations)
        self.locations.append(location)
        for name, short in self.names.items():
            self.cells[short].append(self._text(row.get(name)))

    def _text(self, value: Any) -> str | None:
        if isinstance(value, dict | list):
            # Only a mistake where the column is used: marked, and found by whoever takes it.
            return f"\x00{type(value).__name__}"
        return as_text(value)

    def take(self, names: Sequence[str], lists: bool = False) -> Columns:
        columns = {}
        for name in names:
            cells = self.cells[name]
            nested = next((row for row, cell in enumerate(cells) if cell and cell.startswith("\x00")), None)
            if nested is not None and not lists:
                mistakes = Mistakes(self.mistakes.path)
                mistakes.add("a text or a number is expected here", "", self.locations[nested], name)
                raise TableMistakes(mistakes.listed)
            found = sorted({cell for cell in cells if cell is not None})
            numbers: dict[str | None, int] = {cell: number for number, cell in enumerate(found)}
            numbers[None] = -1
            columns[name] = Factor(np.fromiter(map(numbers.__getitem__, cells), np.int64, len(cells)), found)
        return Columns(columns, np.arange(len(self.locations)))


def as_text(value: Any) -> str | None:
    """A cell as text without white space around it: ids such as 007 stay what they are, an empty one is None.

    >>> as_text(5), as_text(5.0), as_text(0.1), as_text(True), as_text(" 007"), as_text(" ")
    ('5', '5', '0.1', 'true', '007', None)
    """
    if value is None:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value).strip() or None


def read_by_row(path: Path, options: Options = ANY) -> TableFile:
    """The table in a file of any kind, read as items are. Raises TableMistakes: what is wrong, with locations."""
    mistakes = Mistakes(path)
    columns = _RowColumns(mistakes)
    for location, row in read_rows(path, mistakes, options):
        columns.add(location, row)
    if mistakes.count:
        more = mistakes.count - len(mistakes.listed)
        rest = [Mistake(path.name, f"and {more} more mistakes")] if more else []
        raise TableMistakes([*mistakes.listed, *rest])
    if not columns.locations:
        what = "there are no judgments in this file"
        raise TableMistakes([Mistake(path.name, what, "a table has a row of names and then judgments")])
    return TableFile(path, list(columns.cells), columns.take, lambda: columns.locations)
