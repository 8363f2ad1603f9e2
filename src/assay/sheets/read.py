"""Reading a filled sheet: its rows with their numbers, its columns with their letters, and whose it may be."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.errors import ItemMistakes, Mistake
from assay.exchange.human_ratings import METADATA, RATINGS
from assay.exchange.workbook import letters_of
from assay.files import read_in_child
from assay.items import MOST_MISTAKES, UnreadableText, text_lines
from assay.mistakes import quote
from assay.sheets.write import JUDGMENTS

NO_SHEET = "there is no sheet"


@dataclass
class SheetMistakes:
    """What is wrong in some sheets, cell by cell; listed up to a hundred, counted beyond."""

    mistakes: list[Mistake] = field(default_factory=list)
    warnings: list[Mistake] = field(default_factory=list)
    count: int = 0

    def add(self, where: str, what: str, fix: str = "") -> None:
        """Note one mistake."""
        self.count += 1
        if len(self.mistakes) < MOST_MISTAKES:
            self.mistakes.append(Mistake(*map(_printable, (where, what, fix))))

    def warn(self, where: str, what: str, fix: str = "") -> None:
        """Note something doubtful that is no reason to refuse a row."""
        if len(self.warnings) < MOST_MISTAKES:
            self.warnings.append(Mistake(*map(_printable, (where, what, fix))))

    def as_list(self) -> list[Mistake]:
        """The mistakes, with a word on how many there are beyond the list."""
        more = self.count - len(self.mistakes)
        return [*self.mistakes, *([Mistake("the sheets", f"and {more:,} more mistakes")] if more else [])]

    def raise_if_any(self) -> None:
        """Refuse the sheets when there are mistakes."""
        if self.count:
            raise ItemMistakes(self.as_list())


def _printable(text: str) -> str:
    return text.replace("\x00", "\\x00").encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True)
class ReadRow:
    """One row of a sheet."""

    number: int
    """As a spreadsheet counts: the head is row 1."""
    cells: dict[str, Any]


@dataclass
class FilledSheet:
    """A file that was filled in."""

    path: Path
    sheet: str
    """The sheet of a workbook; empty for a CSV."""
    columns: list[str]
    lines: list[ReadRow]
    about: dict[str, Any] = field(default_factory=dict)
    """Of a workbook with ratings: the one row of its other sheet."""
    broken: set[int] = field(default_factory=set)
    """The rows with a cell that could not be read."""

    @property
    def has_ratings(self) -> bool:
        """Whether it is a workbook in the layout of the in-car study."""
        return self.sheet == RATINGS

    def is_called(self, meant: str) -> bool:
        """Whether the file has this name; a browser may have added a number, as in `name (1).csv`."""
        stem = self.path.stem
        behind = stem.removeprefix(meant).strip()
        numbered = behind[:1] == "(" and behind[1:-1].isdigit() and behind[-1:] == ")"
        return stem.startswith(meant) and (not behind or numbered)

    def at(self, line: ReadRow | None = None, column: str = "") -> str:
        """A location in words: file, sheet, row, and the column by letter and name."""
        parts = [f"sheet {self.sheet}"] if self.sheet else []
        parts += [f"row {line.number}"] if line else []
        if column:
            letter = f"{letters_of(self.columns.index(column))} " if column in self.columns else ""
            parts.append(f"column {letter}({column})")
        return f"{self.path.name}: {', '.join(parts)}" if parts else self.path.name


def read_sheet(path: Path, mistakes: SheetMistakes) -> FilledSheet | None:
    """Read a filled sheet, whichever layout it has; what is wrong with the file itself is noted."""
    kind = path.suffix.lower()
    if not path.is_file():
        mistakes.add(path.name, "there is no such file", "name a sheet that came back")
        return None
    if kind not in (".csv", ".xlsx"):
        mistakes.add(path.name, "this is neither .csv nor .xlsx", "name the sheet itself")
        return None
    return _csv(path, mistakes) if kind == ".csv" else _workbook(path, mistakes)


def _csv(path: Path, mistakes: SheetMistakes) -> FilledSheet | None:
    filled = FilledSheet(path, "", [], [])
    try:
        lines = text_lines(path)
        first = next(lines, "")
        reader = csv.reader(_chain(first, lines), strict=True, delimiter=_delimiter(first))
        rows = enumerate(reader, 1)
        _, filled.columns = next(rows, (0, []))
        if not _has_usable_columns(filled, mistakes):
            return None
        for number, cells in rows:
            if len(cells) > len(filled.columns) and any(cells[len(filled.columns) :]):
                where = filled.at(ReadRow(number, {}))
                what = f"the row has {len(cells)} cells, the head {len(filled.columns)}"
                mistakes.add(where, what, "look for a quote or a comma too many")
            elif any(cell.strip() for cell in cells):
                whole = [*cells, *[""] * (len(filled.columns) - len(cells))]
                filled.lines.append(ReadRow(number, dict(zip(filled.columns, whole, strict=False))))
    except UnreadableText as error:
        mistakes.add(path.name, str(error), "save it as CSV UTF-8")
        return None
    except csv.Error as error:
        mistakes.add(filled.at(), f"cannot be read: {error}", "look at the quotes around the texts")
        return None
    return filled


def _chain(first: str, lines: Iterator[str]) -> Iterator[str]:
    yield first
    yield from lines


def _delimiter(first: str) -> str:
    """The delimiter, found behind the first column's name: in many countries spreadsheets write semicolons."""
    behind = re.match(r'(?:"[^"]*"|[^",;\t|]*)([;\t|,])', first)
    return behind[1] if behind else ","


def _workbook(path: Path, mistakes: SheetMistakes) -> FilledSheet | None:
    for sheet in (JUDGMENTS, RATINGS):
        filled = FilledSheet(path, sheet, [], [])
        wrong: list[tuple[Any, ...]] = []
        lines = read_in_child("xlsx", path, lambda *words, wrong=wrong: wrong.append(words), sheet)
        rows = list(lines)
        if wrong and str(wrong[0][0]).startswith(NO_SHEET):
            continue
        for what, fix, *at in wrong:
            line = ReadRow(at[0], {}) if at and at[0] else None
            filled.columns = [str(name) for name in rows[0][1]] if rows else []
            filled.broken |= {line.number} if line else set()
            mistakes.add(filled.at(line, str(at[1]) if len(at) > 1 else ""), what, fix)
        if not rows:
            if not wrong:
                mistakes.add(filled.at(), "the sheet is empty", "the first row has the names of the columns")
            return None
        filled.columns = [str(name) for name in rows[0][1]]
        if not _has_usable_columns(filled, mistakes):
            return None
        filled.lines = [ReadRow(number, dict(zip(filled.columns, cells, strict=False))) for number, cells in rows[1:]]
        if filled.has_ratings:
            filled.about = _metadata(path)
        return filled
    mistakes.add(
        path.name, f"has neither a sheet {JUDGMENTS!r} nor {RATINGS!r}", "name a sheet that this study gave out"
    )
    return None


def _metadata(path: Path) -> dict[str, Any]:
    rows = list(read_in_child("xlsx", path, lambda *_: None, METADATA))
    return dict(zip(map(str, rows[0][1]), rows[1][1], strict=False)) if len(rows) > 1 else {}


def _has_usable_columns(filled: FilledSheet, mistakes: SheetMistakes) -> bool:
    """Whether all column names are different."""
    names = [name for name in filled.columns if name.strip()]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    for name in twice:
        mistakes.add(filled.at(None, name), f"two columns are called {quote(name)}", "keep one of them")
    return not twice
