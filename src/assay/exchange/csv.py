"""The long table as CSV. Texts that a spreadsheet would run as a formula are made harmless."""

import csv
import json
from collections.abc import Iterable, Mapping
from typing import IO, Any, ClassVar

from assay.exchange import Export

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


class Csv(Export):
    """The long table as CSV. Texts that a spreadsheet would run as a formula get a leading apostrophe."""

    kind: ClassVar[str] = "csv"
    suffix: ClassVar[str] = ".csv"

    def table(self, columns: Iterable[str], rows: Iterable[Mapping[str, Any]], file: IO[str]) -> int:
        # The standard line end: with a bare line feed the module leaves a carriage return in a cell unquoted.
        writer = csv.writer(file, lineterminator="\r\n")
        writer.writerow(columns)
        count = 0
        for row in rows:
            writer.writerow([_cell(value) for value in row.values()])
            count += 1
        return count


def _cell(value: Any) -> Any:
    if isinstance(value, bool | list):
        value = json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return "'" + value
    return value
