"""One sheet of a workbook, its first row the column names."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assay.files import read_in_child
from assay.items import Mistakes, Options, Source
from assay.items.csv import is_usable_header, name_columns


class XlsxSource(Source):
    """One sheet of an Excel workbook, with a header row. Numbers stay numbers; dates become text, as 2026-01-31."""

    kind: ClassVar[str] = "xlsx"
    suffixes: ClassVar[tuple[str, ...]] = (".xlsx",)

    def rows(
        self, path: Path, mistakes: Mistakes, options: Options = Options()
    ) -> Iterator[tuple[int | str, dict[str, Any]]]:
        yield from table_rows(read_in_child(self.kind, path, mistakes.add, options.sheet), mistakes, options.nameless)


def table_rows(
    lines: Iterator[tuple[int, list[Any]]], mistakes: Mistakes, nameless: bool = False
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Rows by their column names, which come first."""
    _, header = next(lines, (0, None))
    if header is not None and nameless:
        header = name_columns(header)
    if header is not None and is_usable_header(header, mistakes):
        for number, cells in lines:
            yield number, dict(zip(header, cells, strict=True))
