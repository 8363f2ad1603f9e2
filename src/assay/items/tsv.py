"""Tab-separated values with a header row, read as CSV is."""

from typing import ClassVar

from assay.items.csv import CsvSource


class TsvSource(CsvSource):
    """Tab-separated values with a header row. Every cell stays text; line breaks inside quotes are kept."""

    kind: ClassVar[str] = "tsv"
    suffixes: ClassVar[tuple[str, ...]] = (".tsv", ".tab")
    delimiter: ClassVar[str] = "\t"
    delimiter_word: ClassVar[str] = "tab"
