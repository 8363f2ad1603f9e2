"""A table of the report as CSV."""

import csv
import io
import re
from collections.abc import Sequence
from functools import lru_cache

from assay.report.paper.pieces import Cell, PaperTable

THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
MANY = 2**14
"""The size of the cache of formatted numbers: most recur in every column."""
INTERVAL = re.compile(r"\[(\S+), (\S+)\]")


def table_as_csv(table: PaperTable) -> str:
    """A table as CSV: an interval has columns of its own, and a minus is one that programs read."""
    rows = [[each.in_csv for each in row] for row in table.rows]
    split = [
        any(INTERVAL.fullmatch(each.behind) for row in rows if place < len(row) and (each := row[place]).behind)
        for place in range(len(table.head))
    ]
    into = io.StringIO()
    writer = csv.writer(into, lineterminator="\n")
    writer.writerow(_head(table.head, split))
    for row in rows:
        writer.writerow(_csv_row(row, split))
    return into.getvalue()


def _head(head: Sequence[Cell], split: Sequence[bool]) -> list[str]:
    named = [(each.whole, several) for each, several in zip(head, split, strict=True)]
    return [
        name for title, several in named for name in ([title, f"{title} low", f"{title} high"] if several else [title])
    ]


def _csv_row(row: Sequence[Cell], split: Sequence[bool]) -> list[str]:
    found: list[str] = []
    place = 0
    for cell in row:
        interval = INTERVAL.fullmatch(cell.behind) if cell.behind else None
        is_split = place < len(split) and split[place]
        found.append(_plain(cell.text if interval or is_split or place >= len(split) else cell.whole))
        if is_split:
            found += map(_plain, interval.groups()) if interval else ("", "")
        if cell.columns > 1:
            found += [""] * sum(3 if each else 1 for each in split[place + 1 : place + cell.columns])
        place += cell.columns
    return found


@lru_cache(MANY)
def _plain(text: str) -> str:
    """A text as a program reads it; one that a spreadsheet would run gets an apostrophe, a number never."""
    plain = text.replace("\u00a0", " ").replace("−", "-")
    if THOUSANDS.fullmatch(plain):
        return plain.replace(",", "")
    if plain[:1] not in ("=", "+", "-", "@", "\t", "\r") or re.fullmatch(r"[+-]?\d[\d.,]*( %)?", plain):
        return plain
    return f"'{plain}"
