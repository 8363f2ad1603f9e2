"""The long table as CSV. Texts that a spreadsheet would run as a formula are made harmless."""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, Any, ClassVar

from assay.exchange import LONG, LONG_LINES, Column, Export, ExportData, ExportResult
from assay.exchange.long_lines import encode_lines, write_made
from assay.files.formulas import STARTS, harmless_text


class CsvExport(Export):
    """The long table as CSV: one row for each judgment.

    A text that a spreadsheet would run as a formula gets a leading apostrophe; a number stays a number.
    """

    kind: ClassVar[str] = "csv"
    suffix: ClassVar[str] = ".csv"
    name: ClassVar[str] = "judgments"

    def write(self, data: ExportData, path: Path) -> ExportResult:
        lines = LONG_LINES.maker(lambda _: harmless_in_line, "", ",", END)
        with open(path, "wb") as file, closing(data.in_parts(lambda some: encode_lines(lines(some)))) as parts:
            file.write(as_line([column.name for column in LONG]).encode())
            count, _ = write_made(file, parts)
        return ExportResult(count)

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        yield from (("", column) for column in LONG)

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[Any]], path: Path) -> int:
        with open(path, "w", encoding="utf-8", newline="") as file:
            return write_csv(file, [column.name for column in columns], rows)


def write_csv(file: IO[str], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Write a table and return how many rows it had."""
    writer = csv.writer(file, lineterminator=END)
    writer.writerow([harmless(name) for name in names])
    count = 0
    for row in rows:
        writer.writerow(harmless_cells(row))
        count += 1
    return count


def harmless_in_line(value: Any) -> str:
    """A value as a cell that no spreadsheet runs, as it stands within a line."""
    if type(value) is str and AS_IT_IS(value):
        return value
    return cell_in_line(value if type(value) in PLAIN else harmless(value))


class _Lines:
    """A file object for a CSV writer: it returns each line instead of storing it."""

    def write(self, text: str) -> str:
        """Return the line."""
        return text


END = "\r\n"
"""The standard line end: with a bare line feed the module leaves a carriage return in a cell unquoted."""
_to_line = csv.writer(_Lines(), lineterminator=END)


def as_line(cells: list[Any]) -> str:
    """Cells as a line of a file."""
    return str(_to_line.writerow(cells))


def cell_in_line(cell: Any) -> str:
    """A cell as it stands within a line."""
    if type(cell) is str and AS_IT_IS(cell):
        return cell
    # One empty cell more: a line of a single empty one would be written in quotes.
    return as_line([cell, ""])[: -len("," + END)]


AS_IT_IS = re.compile(r"\w[\w .:/|-]*|").fullmatch
"""Matches texts that need neither an apostrophe nor quotes, as most do; the CSV writer decides about the others."""


def harmless_cells(row: Sequence[Any]) -> list[Any]:
    """A row as cells that no spreadsheet runs."""
    # Most cells are numbers and harmless texts: to test that here is faster than a function call.
    return [
        value if (kind := type(value)) in PLAIN or (kind is str and value[:1] not in STARTS) else harmless(value)
        for value in row
    ]


PLAIN = frozenset({int, float, type(None)})
"""The types of values that are written just as they are."""


def harmless(value: Any) -> Any:
    """A value as a cell that no spreadsheet runs: lists and truth values as JSON, formulas with an apostrophe."""
    if type(value) is str:
        return harmless_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return harmless(json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value))
