"""Stage 2: files -> Item, split into shown and hidden fields. All rows are right, or nothing is imported."""

import codecs
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from assay.errors import AssayError, ItemMistakes, Mistake
from assay.kinds import SOURCES

MOST_MISTAKES = 100
LONGEST_ID = 500
MOST_DEPTH = 50
SURROGATE = re.compile("[\ud800-\udfff]")
NO_ITEMS = ("there are no items here", "a table has a row for each item, a list an object, a folder a .json file")


@dataclass
class Mistakes:
    """The mistakes in one file: those of the whole file, then row by row the first hundred; all are counted."""

    path: Path
    listed: list[Mistake] = field(default_factory=list)
    count: int = 0
    of_file: int = 0
    """How many of those that are listed are of the whole file, not of a row: they may be why rows are wrong."""

    def add(self, what: str, hint: str = "", row: int | str | None = None, column: str = "") -> None:
        """Note one mistake with its place."""
        self.count += 1
        if self.of_file < MOST_MISTAKES if row is None else len(self.listed) < MOST_MISTAKES:
            at = f"row {row}" if isinstance(row, int) else row or ""
            place = ", ".join(([at] if at else []) + ([f"column {column}"] if column else []))
            where = f"{self.path.name}: {place}" if place else self.path.name
            found = Mistake(*map(_printable, (where, what, hint)))
            self.listed.insert(self.of_file if row is None else len(self.listed), found)
            self.of_file += row is None

    def raise_if_any(self) -> None:
        """Refuse the file where there is any mistake."""
        if self.count:
            more = self.count - len(self.listed)
            rest = [Mistake(self.path.name, f"and {more} more mistakes")] if more else []
            raise ItemMistakes([*self.listed, *rest])


def _printable(text: str) -> str:
    return text.replace("\x00", "\\x00").encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True, slots=True)
class Options:
    """Where a source finds the rows in its file."""

    each: str = ""
    """The path to the list of rows: keys with dots between them."""
    sheet: str = ""
    """The sheet of a workbook; the first one where it is left out."""
    nameless: bool = False
    """Whether a column may stand without a name, as a data frame writes its index. It is called as pandas calls it."""
    alone: bool = False
    """Whether one object may stand in the place of a list of them: a file for each judgment."""


ANY = Options()
"""The defaults: the first sheet, the list at the top."""


class Source:
    """A file format that items come in. A subclass that names its `kind` is registered by existing."""

    kind: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    folder: ClassVar[bool] = False
    """Whether it reads a folder instead of a file."""
    by_rows: ClassVar[bool] = False
    """Whether it reads a file row by row, however long that is: to read it twice at once takes little memory."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        SOURCES.register(cls.kind, cls)

    def rows(
        self, path: Path, mistakes: Mistakes, options: Options = ANY
    ) -> Iterator[tuple[int | str, dict[str, Any]]]:
        """Yield each row with its location (a number as an editor shows it, or words); note mistakes and go on."""
        raise NotImplementedError


def source_of(path: Path) -> Source:
    """The source that reads this file, by its ending, or this folder."""
    in_folder = path.is_dir()
    for kind in SOURCES.values():
        if kind.folder if in_folder else path.suffix.lower() in kind.suffixes:
            source: Source = kind()
            return source
    known = ", ".join(suffix for kind in SOURCES.values() for suffix in kind.suffixes)
    raise AssayError(f"{path.name}: items cannot be read from this kind of file", f"known endings: {known}")


def read_rows(path: Path, mistakes: Mistakes, options: Options) -> Iterator[tuple[int | str, dict[str, Any]]]:
    """Every row that can be read. That a file cannot be read at all, or not to its end, is noted as a mistake."""
    try:
        yield from source_of(path).rows(path, mistakes, options)
    except UnreadableText as error:
        mistakes.add(str(error), "save it as UTF-8 (in a spreadsheet: CSV UTF-8)")
    except OSError as error:
        mistakes.add(f"the file cannot be read ({error.strerror})", "look at its permissions")


def why_unstorable(value: Any, depth: int = 0) -> str | None:
    """Why a value cannot be stored as it is, or None."""
    if isinstance(value, str):
        if "\x00" in value:
            return "the text holds a NUL character"
        if not value.isascii() and SURROGATE.search(value):
            return "the text holds half of a character (a lone surrogate)"
    elif isinstance(value, float) and not math.isfinite(value):
        return "the number is too large"
    elif isinstance(value, dict | list):
        if depth == MOST_DEPTH:
            return f"the value is nested more than {MOST_DEPTH} levels deep"
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        return next((why for part in parts if (why := why_unstorable(part, depth + 1))), None)
    return None


class UnreadableText(Exception):
    """The bytes of a file are not text: why."""


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file with their line ends, without a byte order mark. Raises UnreadableText."""
    with path.open("rb") as file:
        start = file.read(4)
        if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise UnreadableText("the file is UTF-16")
        at = len(codecs.BOM_UTF8) if start.startswith(codecs.BOM_UTF8) else 0
        file.seek(at)
        for line in file:
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise UnreadableText(f"byte {at + error.start} is not UTF-8") from None
            at += len(line)
