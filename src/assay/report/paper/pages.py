"""How a table is divided into pages of a paper: how wide its columns are, and how many lines its rows take.

LaTeX breaks no float: what is longer than a page is cut at its foot. So lines are reckoned here, rather too many than
too few, on the text of an article in a single column.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assay.report.paper.pieces import Cell, PaperTable

PROSE = 26
"""The number of letters from which a column counts as prose, with lines that are broken."""
MOST_LINES = 40
"""How many lines fit on a page, below a caption."""
ACROSS = 64
"""How many letters fit side by side on a page."""
BETWEEN = 2.5
"""The space between two columns, in letters."""
LEAST, MOST = 0.14, 0.5
"""The shares of the whole width that a column of prose takes."""

Row = list[tuple[Cell, bool]]
"""The cells of a row, and whether each is prose."""


@dataclass(frozen=True, slots=True)
class PaperColumn:
    """How a column is set."""

    is_number: bool
    is_prose: bool
    share: float = 0.0
    """Of the width of the text; of prose alone."""

    @property
    def letters(self) -> int:
        """How many letters fit on a line of prose."""
        return max(1, int(self.share * ACROSS))


def layout_of(table: PaperTable) -> list[PaperColumn]:
    """How each column is set: columns of prose share the width that others leave, in relation to their text."""
    sizes = [_sizes(table, place) for place in range(len(table.head))]
    prose = [not head.is_number and max(found) >= PROSE for head, found in zip(table.head, sizes, strict=True)]
    taken = sum(max(found) for found, is_prose in zip(sizes, prose, strict=True) if not is_prose)
    left = max(0.6, 1 - (taken + BETWEEN * (len(prose) - 1)) / ACROSS)
    # Twice the text gets less than twice the width: short columns stay readable.
    weights = [sum(found) ** 0.5 if is_prose else 0.0 for found, is_prose in zip(sizes, prose, strict=True)]
    whole = sum(weights) or 1.0
    return [
        PaperColumn(head.is_number, is_prose, min(MOST, max(LEAST, left * weight / whole)) if is_prose else 0.0)
        for head, is_prose, weight in zip(table.head, prose, weights, strict=True)
    ]


def _sizes(table: PaperTable, place: int) -> list[int]:
    """How many letters the cells of a column have."""
    cells = [row[place] for row in table.rows if place < len(row) and row[place].columns == 1]
    return [len(each.whole) for each in cells] or [len(table.head[place].whole)]


def pages_of(rows: Sequence[Sequence[Cell]], layout: Sequence[PaperColumn]) -> Iterator[list[Row]]:
    """The rows of each page; a row that is longer than a page goes on in another. Without rows there is one page."""
    page, lines = list[Row](), 0
    for row in rows:
        for part, tall in _parts_of(row, layout):
            if page and lines + tall > MOST_LINES:
                yield page
                page, lines = [], 0
            page.append(part)
            lines += tall
    yield page


def _parts_of(row: Sequence[Cell], layout: Sequence[PaperColumn]) -> Iterator[tuple[Row, int]]:
    """A row, or the parts of a long one, each with its number of lines."""
    place, found = 0, list[tuple[Cell, PaperColumn | None]]()
    for cell in row:
        is_prose = cell.columns == 1 and place < len(layout) and layout[place].is_prose
        found.append((cell, layout[place] if is_prose else None))
        place += cell.columns
    broken = [broken_into_lines(cell.whole, column.letters) if column else [] for cell, column in found]
    tallest = max(map(len, broken), default=1)
    for start in range(0, max(1, tallest), MOST_LINES):
        part = [
            (_cell_of_part(cell, lines[start : start + MOST_LINES], start), column is not None)
            for (cell, column), lines in zip(found, broken, strict=True)
        ]
        yield part, max(1, min(MOST_LINES, tallest - start))


def _cell_of_part(cell: Cell, lines: Sequence[str], start: int) -> Cell:
    """A cell as one part of its row shows it: these lines of prose; anything else stands in the first part alone."""
    whole = " ".join(filter(None, lines))
    if start == 0 and (not lines or whole == " ".join(cell.whole.split())):
        return cell
    return replace(cell, text=whole, behind="")


def broken_into_lines(text: str, letters: int) -> list[str]:
    """A text as it is broken into lines of so many letters; a longer word takes as many lines as it needs.

    >>> broken_into_lines("one two three", 7)
    ['one two', 'three']
    """
    lines, line, more = list[str](), "", 0
    for word in text.split():
        if line and len(line) + 1 + len(word) > letters:
            lines += [line, *[""] * more]
            line, more = word, 0
        else:
            line = f"{line} {word}".strip()
        more = max(more, (len(word) - 1) // letters)
    return [*lines, line, *[""] * more]
