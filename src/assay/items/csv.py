"""Comma-separated values with a header row. Every cell stays text; line breaks inside quotes are kept."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assay.files.formulas import as_it_was
from assay.items import Mistakes, Options, Source, text_lines
from assay.mistakes import quote

# A cell can hold a long conversation; the default limit of the csv module is 131,072 characters.
csv.field_size_limit(16_000_000)


class CsvSource(Source):
    """Comma-separated values with a header row. Every cell stays text; line breaks inside quotes are kept.

    An apostrophe before what a spreadsheet would run as a formula, as exports write it, is taken away again.
    """

    kind: ClassVar[str] = "csv"
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)
    by_rows: ClassVar[bool] = True
    delimiter: ClassVar[str] = ","
    delimiter_word: ClassVar[str] = "comma"

    def rows(
        self, path: Path, mistakes: Mistakes, options: Options = Options()
    ) -> Iterator[tuple[int | str, dict[str, Any]]]:
        reader = csv.reader(text_lines(path), strict=True, delimiter=self.delimiter)
        number = 1
        try:
            header = next(reader, None)
            if header is not None and options.nameless:
                header = name_columns(header)
            if header is None or not is_usable_header(header, mistakes):
                return
            if len(header) == 1 and (other := next((sign for sign in ";\t,|" if sign in header[0]), "")):
                what = f"the first row holds one column name, {quote(header[0])}"
                hint = "the cells seem to be separated by another sign"
                mistakes.add(
                    what,
                    f"{hint} ({'a tab' if other == chr(9) else other}): save the file with {self.delimiter_word}s",
                    1,
                )
                return
            for number, cells in enumerate(reader, start=2):
                if len(cells) == len(header) and any(cells):
                    # Few cells begin with an apostrophe, and a file has millions of them.
                    texts = [as_it_was(cell) if cell[:1] == "'" else cell for cell in cells]
                    yield number, dict(zip(header, texts, strict=True))
                elif any(cells):
                    what = f"the row has {len(cells)} cell{'s' * (len(cells) > 1)}, the header {len(header)}"
                    mistakes.add(what, f"look for a {self.delimiter_word} or a quote too many or too few", number)
        except csv.Error as error:
            what = f"cannot read on after line {reader.line_num}: {error}"
            mistakes.add(what, "look at the quotes around this place", number + 1)


def name_columns(header: list[str]) -> list[str]:
    """The names of columns, with one for each that has none, unless all lack one.

    >>> name_columns(["", "item", " "])
    ['Unnamed: 0', 'item', 'Unnamed: 2']
    """
    if not any(str(name).strip() for name in header):
        return header
    return [name if str(name).strip() else f"Unnamed: {index}" for index, name in enumerate(header)]


def is_usable_header(header: list[str], mistakes: Mistakes) -> bool:
    """Whether every column has a name of its own; what is wrong is noted."""
    before = mistakes.count
    seen: set[str] = set()
    if not any(name.strip() for name in header):
        mistakes.add("the first row holds no column names", "write a name above each column", 1)
        return False
    for index, name in enumerate(header):
        if not name.strip():
            mistakes.add(f"column {index + 1} has no name", "write a name into the first row", 1)
        elif name in seen:
            mistakes.add(f"the column name {name!r} occurs twice", "give each column its own name", 1)
        elif "\x00" in name:
            mistakes.add(f"the column name {name!r} holds a NUL character", "remove it", 1)
        seen.add(name)
    return mistakes.count == before
