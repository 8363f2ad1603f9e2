"""Values between vertical bars, with a header row."""

from typing import ClassVar

from assay.items.csv import CsvSource


class PipesSource(CsvSource):
    """Values between vertical bars, with a header row."""

    kind: ClassVar[str] = "pipes"
    suffixes: ClassVar[tuple[str, ...]] = (".pipes",)
    delimiter: ClassVar[str] = "|"
    delimiter_word: ClassVar[str] = "vertical bar"
