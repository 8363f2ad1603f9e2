"""Stage 2: files -> Item, split into what is shown and what is hidden. All rows are right, or nothing is taken in."""

import codecs
import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from assay.errors import AssayError, ItemProblems, Problem
from assay.kinds import SOURCES
from assay.model import Item
from assay.problems import quoted
from assay.study.schema import Study
from assay.study.words import nearest

MOST_PROBLEMS = 100
LONGEST_ID = 500
MOST_DEPTH = 50
SURROGATE = re.compile("[\ud800-\udfff]")
NO_ITEMS = ("there are no items in this file", "one row for each item, below the column names")


@dataclass
class Findings:
    """What is wrong in one file, row by row; listed up to a hundred, counted beyond."""

    path: Path
    problems: list[Problem] = field(default_factory=list)
    count: int = 0

    def add(self, what: str, hint: str = "", row: int | None = None, column: str = "") -> None:
        """Note one problem with its place."""
        self.count += 1
        if len(self.problems) < MOST_PROBLEMS:
            place = ", ".join(([f"row {row}"] if row else []) + ([f"column {column}"] if column else []))
            where = f"{self.path.name}: {place}" if place else self.path.name
            self.problems.append(Problem(*map(_printable, (where, what, hint))))

    def raise_if_any(self) -> None:
        """Refuse the file when anything was found."""
        if self.count:
            more = self.count - len(self.problems)
            rest = [Problem(self.path.name, f"and {more} more problems")] if more else []
            raise ItemProblems([*self.problems, *rest])


def _printable(text: str) -> str:
    return text.replace("\x00", "\\x00").encode("utf-8", "backslashreplace").decode()


class Source:
    """A file format that items come in. A subclass that names its `kind` is registered by existing."""

    kind: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        SOURCES.register(cls.kind, cls)

    def rows(self, path: Path, findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield each row with its number as an editor shows it; note what is wrong and go on where possible."""
        raise NotImplementedError


def source_of(path: Path) -> Source:
    """The source that reads this file, by its ending."""
    for kind in SOURCES.values():
        if path.suffix.lower() in kind.suffixes:
            source: Source = kind()
            return source
    known = ", ".join(suffix for kind in SOURCES.values() for suffix in kind.suffixes)
    raise AssayError(f"{path.name}: items cannot be read from this kind of file", f"known endings: {known}")


def read_items(study: Study, path: Path) -> Iterator[Item]:
    """Read every item of a file. Raises ItemProblems at the end if any row was wrong: store nothing until then."""
    if not os.path.isfile(path):
        raise AssayError(f"there is no file {path}", "items.source in study.yaml names the file, beside study.yaml")
    findings = Findings(path)
    fields = _Fields(study)
    seen: dict[str, int] = {}
    for number, row in _rows(path, findings):
        item = _item(study, fields, row, number, findings)
        if item is None:
            continue
        if item.id in seen:
            what = f"the id {item.id!r} was already in row {seen[item.id]}"
            findings.add(what, "give each item its own id", number, study.items.id)
            continue
        seen[item.id] = number
        yield item
    fields.say_missing(findings)
    if not seen and not findings.count:
        findings.add(*NO_ITEMS)
    findings.raise_if_any()


def check_fields(study: Study, path: Path) -> list[Problem]:
    """Whether the fields that the study names are in the file, seen at its first row."""
    findings = Findings(path)
    fields = _Fields(study)
    try:
        first = next(_rows(path, findings), None)
    except AssayError as error:
        return [Problem(path.name, error.what, error.hint)]
    if first is not None:
        fields.all_in(first[1], first[0])
        fields.say_missing(findings)
    elif not findings.count:
        findings.add(*NO_ITEMS)
    return findings.problems


class _Fields:
    """The fields that the study names, and the rows that lack them."""

    def __init__(self, study: Study) -> None:
        named = [study.items.id, study.items.system, study.items.group, *study.items.shown_fields]
        self.shown = study.items.shown_fields
        self.rows = 0
        self.missing: dict[str, list[int]] = {name: [] for name in named if name is not None}
        self.hints: dict[str, str] = {}

    def all_in(self, row: dict[str, Any], number: int) -> bool:
        """Whether a row has them all; where not, it is noted for later."""
        self.rows += 1
        lacking = [name for name in self.missing if name not in row]
        for name in lacking:
            self.missing[name].append(number)
            self.hints.setdefault(name, nearest(name, row))
        return not lacking

    def say_missing(self, findings: Findings) -> None:
        """A field that no row has is one mistake; else each row that lacks it is one."""
        for name, rows in self.missing.items():
            if rows and len(rows) == self.rows:
                findings.add(f"there is no field {name!r}", self.hints[name])
            else:
                for number in rows:
                    findings.add(f"there is no field {name!r} here", self.hints[name], number)


def _item(study: Study, fields: _Fields, row: dict[str, Any], number: int, findings: Findings) -> Item | None:
    before = findings.count
    for column, value in row.items():
        if (reason := _unstorable(column) or _unstorable(value)) is not None:
            findings.add(reason, "remove it", number, column)
    if not fields.all_in(row, number) or findings.count > before:
        return None
    names = {"id": study.items.id, "system": study.items.system, "group": study.items.group}
    known = {word: _as_id(word, row[name], number, name, findings) for word, name in names.items() if name is not None}
    if findings.count > before:
        return None
    return Item(
        id=known["id"],
        shown={name: row[name] for name in fields.shown},
        hidden={name: value for name, value in row.items() if name not in fields.shown},
        system=known.get("system", ""),
        group=known.get("group", ""),
    )


def _as_id(word: str, value: Any, number: int, column: str, findings: Findings) -> str:
    """Ids stay text: "007", "1e5" and "NA" are what they look like."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        findings.add(f"{quoted(value)} cannot be the {word}", "write a text in quotes", number, column)
        return ""
    if not value.strip():
        findings.add(f"the {word} is empty", "every item needs one", number, column)
    elif len(value) > LONGEST_ID:
        findings.add(f"the {word} has {len(value):,} characters", f"at most {LONGEST_ID}", number, column)
    return value


def _unstorable(value: Any, depth: int = 0) -> str | None:
    """Why a value cannot be stored as it is, or None."""
    if isinstance(value, str):
        if "\x00" in value:
            return "the text holds a NUL character"
        if SURROGATE.search(value):
            return "the text holds half of a character (a lone surrogate)"
    elif isinstance(value, float) and not math.isfinite(value):
        return "the number is too large"
    elif isinstance(value, dict | list):
        if depth == MOST_DEPTH:
            return f"the value is nested more than {MOST_DEPTH} levels deep"
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        return next((why for part in parts if (why := _unstorable(part, depth + 1))), None)
    return None


def _rows(path: Path, findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every row that can be read; where the file as a whole cannot be, that is the last finding."""
    try:
        yield from source_of(path).rows(path, findings)
    except _Unreadable as error:
        findings.add(str(error), "save it as UTF-8 (in a spreadsheet: CSV UTF-8)")
    except OSError as error:
        findings.add(f"the file cannot be read ({error.strerror})", "look at its permissions")


class _Unreadable(Exception):
    """Why the bytes of a file are not text."""


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file, line ends kept, a byte order mark removed; a wrong byte is named by its place."""
    with path.open("rb") as file:
        start = file.read(4)
        if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise _Unreadable("the file is UTF-16")
        at = len(codecs.BOM_UTF8) if start.startswith(codecs.BOM_UTF8) else 0
        file.seek(at)
        for line in file:
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise _Unreadable(f"byte {at + error.start} is not UTF-8") from None
            at += len(line)
