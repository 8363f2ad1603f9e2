"""The long table as CSV. Texts that a spreadsheet would run as a formula are made harmless."""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, ClassVar

from assay.exchange import LONG, Column, Export, ExportData, ExportResult
from assay.exchange.tables import values_of
from assay.files.formulas import STARTS, harmless_text


class CsvExport(Export):
    """The long table as CSV: one row for each judgment.

    A text that a spreadsheet would run as a formula gets a leading apostrophe; a number stays a number.
    """

    kind: ClassVar[str] = "csv"
    suffix: ClassVar[str] = ".csv"
    name: ClassVar[str] = "judgments"

    def write(self, data: ExportData, path: Path) -> ExportResult:
        return ExportResult(self.table(LONG, map(values_of, data.judgments()), path))

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        yield from (("", column) for column in LONG)

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[Any]], path: Path) -> int:
        with open(path, "w", encoding="utf-8", newline="") as file:
            return write_csv(file, [column.name for column in columns], rows)


def write_csv(file: IO[str], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Write a table and return how many rows it had."""
    # The standard line end: with a bare line feed the module leaves a carriage return in a cell unquoted.
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow([harmless(name) for name in names])
    count = 0
    for row in rows:
        # Most cells are numbers and harmless texts: whether one is costs less than to ask a function.
        writer.writerow(
            [
                value
                if (kind := type(value)) in PLAIN or (kind is str and value[:1] not in STARTS)
                else harmless(value)
                for value in row
            ]
        )
        count += 1
    return count


PLAIN = frozenset({int, float, type(None)})
"""The types of values that are written just as they are."""


def harmless(value: Any) -> Any:
    """A value as a cell that no spreadsheet runs: lists and truth values as JSON, formulas with an apostrophe."""
    if type(value) is str:
        return harmless_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return harmless(json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value))
