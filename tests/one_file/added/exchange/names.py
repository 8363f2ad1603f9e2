"""The ids of the judged items, one a line."""

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from assay.exchange import LONG, Column, Export, ExportData, ExportResult


class NamesExport(Export):
    """The ids of the judged items, one a line."""

    kind: ClassVar[str] = "names"
    suffix: ClassVar[str] = ".txt"

    def write(self, data: ExportData, path: Path) -> ExportResult:
        names = sorted({each.item for each in data.judgments("item")})
        path.write_text("".join(f"{name}\n" for name in names), "utf-8")
        return ExportResult(len(names), "items")

    def columns(self, data: ExportData) -> Iterable[tuple[str, Column]]:
        return [("names.txt", next(column for column in LONG if column.name == "item"))]
