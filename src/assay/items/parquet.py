"""Parquet, as data frames are kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assay.files import read_in_child
from assay.items import Mistakes, Options, Source
from assay.items.xlsx import table_rows


class ParquetSource(Source):
    """A Parquet file. Lists and structures stay as they are; dates become text; binary data is refused."""

    kind: ClassVar[str] = "parquet"
    suffixes: ClassVar[tuple[str, ...]] = (".parquet",)

    def rows(
        self, path: Path, mistakes: Mistakes, options: Options = Options()
    ) -> Iterator[tuple[int | str, dict[str, Any]]]:
        yield from table_rows(read_in_child(self.kind, path, mistakes.add), mistakes)
