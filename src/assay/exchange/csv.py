"""The long table as CSV. Texts that a spreadsheet would run as a formula are made harmless."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, ClassVar

from assay.exchange import LONG, Column, Export, ExportData, ExportResult
from assay.exchange.tables import values_of
from assay.files.formulas import STARTS, harmless_text


def own_part(columns: Sequence[Column]) -> slice:
    """The columns of the long table in which judgments of a submission differ; of two candidates also the system."""
    names = [column.name for column in columns]
    return slice(names.index("dimension"), names.index("missing") + 1)


class CsvExport(Export):
    """The long table as CSV: one row for each judgment.

    A text that a spreadsheet would run as a formula gets a leading apostrophe; a number stays a number.
    """

    kind: ClassVar[str] = "csv"
    suffix: ClassVar[str] = ".csv"
    name: ClassVar[str] = "judgments"

    def write(self, data: ExportData, path: Path) -> ExportResult:
        with open(path, "w", encoding="utf-8", newline="") as file:
            count = write_csv(file, [column.name for column in LONG], ())
            for line in lines_in_parts(map(values_of, data.judgments()), own_part(LONG), harmless_cells):
                file.write(line)
                count += 1
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


def lines_in_parts(
    rows: Iterable[tuple[Any, ...]], own: slice, cells: Callable[[Sequence[Any]], list[Any]]
) -> Iterator[str]:
    """The lines of rows that mostly differ in some columns of their own and are like the row before in the others.

    What stands before and behind these is made into text once: the same text as for each row by itself. A column must
    hold one type of value, since 1 is like true and 1.0.
    """
    before = behind = None
    start = end = ""
    for row in rows:
        if row[: own.start] != before:
            before = row[: own.start]
            start = _part(cells(before))
        if row[own.stop :] != behind:
            behind = row[own.stop :]
            end = _part(cells(behind))
        yield f"{start},{_part(cells(row[own]))},{end}{END}"


class _Lines:
    """What a writer of CSV writes to, to get a line back."""

    def write(self, text: str) -> str:
        """Hand the line back."""
        return text


END = "\r\n"
"""The standard line end: with a bare line feed the module leaves a carriage return in a cell unquoted."""
_to_line = csv.writer(_Lines(), lineterminator=END)


def as_line(cells: list[Any]) -> str:
    """Cells as a line of a file."""
    return str(_to_line.writerow(cells))


def _part(cells: list[Any]) -> str:
    """Two or more cells as they stand within a line."""
    return as_line(cells)[: -len(END)]


def harmless_cells(row: Sequence[Any]) -> list[Any]:
    """A row as cells that no spreadsheet runs."""
    # Most cells are numbers and harmless texts: whether one is costs less than to ask a function.
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
