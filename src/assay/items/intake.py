"""Rows -> items: what is shown and what is hidden, entries, the two sides of a pair, pictures, judgments given before.

Everything that the study file says under `items` is done here, row by row. All rows are right, or nothing is taken in.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from assay.displays import Display
from assay.errors import AssayError, Mistake
from assay.items import LONGEST_ID, NO_ITEMS, Mistakes, unstorable
from assay.items.existing import Given, GivenReader
from assay.items.fields import NOWHERE, value_at
from assay.items.rows import Place, Row, Rows
from assay.items.shapes import PAIR, SYSTEMS, Shapes, joined
from assay.mistakes import quote
from assay.model import CANDIDATES, Item
from assay.pictures import Picture, PictureError, inside, take_in
from assay.study.expression import holds
from assay.study.items import Entries
from assay.study.schema import Study


@dataclass(frozen=True, slots=True)
class Intake:
    """What one row brings: an item, unless it is known already; judgments of it; pictures."""

    name: str
    item: Item | None
    duplicate_of: str = ""
    given: tuple[Given, ...] = ()
    pictures: tuple[Picture, ...] = ()
    systems: tuple[str, ...] = ()
    """Of a duplicate: the system whose output it repeats."""


def read_items(study: Study, path: Path, join: Path | None = None) -> Iterator[Intake]:
    """Read every item of a file. Raises ItemMistakes at the end if any row was wrong: store nothing until then."""
    if not os.path.exists(path):
        raise AssayError(f"there is no file {path}", "items.source in study.yaml names the file, beside study.yaml")
    mistakes = Mistakes(path)
    reader = _Reader(study, path, mistakes)
    yield from reader.intakes(joined(study, path, join, mistakes))
    reader.rows.say_missing()
    if not reader.seen and not mistakes.count:
        mistakes.add(*NO_ITEMS)
    mistakes.raise_if_any()


def check_fields(study: Study, path: Path, join: Path | None = None) -> list[Mistake]:
    """Whether the fields that the study names are in the file, and can be shown, seen at its first row."""
    mistakes = Mistakes(path)
    reader = _Reader(study, path, mistakes)
    try:
        rows = joined(study, path, join, mistakes)
        first = next(rows, None)
    except AssayError as error:
        return [Mistake(path.name, error.what, error.hint)]
    if first is None:
        if not mistakes.count:
            mistakes.add(*NO_ITEMS)
        return mistakes.listed
    for _ in reader.intakes(iter([first])):
        pass
    reader.rows.say_missing()
    return mistakes.listed


class _Reader:
    """Turns rows into items, and notes what is wrong with them."""

    def __init__(self, study: Study, path: Path, mistakes: Mistakes) -> None:
        self.study = study
        self.items = study.items
        self.mistakes = mistakes
        self.rows = Rows(mistakes, study.items.join.file if study.items.join else "")
        self.shapes = Shapes(study, self.rows)
        self.existing = GivenReader(study, self.rows)
        self.folder = path if path.is_dir() else path.parent
        self.seen: dict[str, tuple[Place, int]] = {}
        self.displays: dict[str, list[Display]] = {}
        for block in self.items.show:
            for name in block.display.fields():
                self.displays.setdefault(name, []).append(block.display)
        self.inner: dict[str, list[Display]] = {}
        for block in self.items.show:
            for inner in getattr(block.display, "show", ()):
                for name in inner.display.fields():
                    self.inner.setdefault(name, []).append(inner.display)
        self.pictures: dict[str, Picture] = {}
        self.judged_by = [existing.annotator for existing in self.items.judgments if existing.annotator]

    def intakes(self, rows: Iterator[tuple[Place, Row]]) -> Iterator[Intake]:
        """What every row brings, in order."""
        for place, row in self.shapes.all_of(self._storable(rows)):
            self.rows.rows += 1
            intake = self._intake(row, place)
            if intake is not None:
                yield intake

    def _storable(self, rows: Iterator[tuple[Place, Row]]) -> Iterator[tuple[Place, Row]]:
        columns: set[str] = set()
        for place, row in rows:
            before = self.mistakes.count
            for column, value in row.items():
                if column in columns and type(value) is str and value.isascii() and "\x00" not in value:
                    continue
                reason = unstorable(value)
                if column not in columns and (reason := unstorable(column) or reason) is None:
                    columns.add(column)
                if reason is not None:
                    self.mistakes.add(reason, "remove it", place, column)
            if self.mistakes.count == before:
                yield place, row

    def _intake(self, row: Row, place: Place) -> Intake | None:
        before = self.mistakes.count
        if not self._all_there(row, place):
            return None
        row, systems = self._with_systems(row, place)
        name = self._name(row, systems, place)
        group = self._named("group", self.items.group, row, place)
        batch = self._named("batch", self.items.batch, row, place)
        entries = {each: self._entries(each, self.items.entries[each], row, place) for each in self.study.entries}
        shown, pictures = self._shown(row, place)
        if self.mistakes.count > before:
            return None
        shown |= {each: [kept for kept, _ in found] for each, found in entries.items()}
        given = tuple(self.existing.given(row, systems, entries, place))
        if self.mistakes.count > before:
            return None
        origin = value_at(row, self.items.duplicate_of) if self.items.duplicate_of else NOWHERE
        if origin is not NOWHERE and origin not in (None, ""):
            return Intake(name, None, str(origin), given, (), systems)
        item = Item(name, shown, _hidden(row, shown), systems, group, batch)
        carries = any(value_at(row, name) is not NOWHERE for name in self.judged_by)
        known = self._known(item, place, carries)
        return None if known is None else Intake(name, None if known else item, "", given, pictures, systems)

    def _known(self, item: Item, place: Place, carries: bool) -> bool | None:
        """Whether the item was there before, in a row that says the same of it; None where that is wrong.

        Only rows that carry somebody's judgments may come again: one for each annotator.
        """
        content = hash((str(item.shown), item.systems, item.group, item.batch)) if carries else 0
        if item.id not in self.seen:
            self.seen[item.id] = (place, content)
            return False
        first, before = self.seen[item.id]
        at = f"row {first}" if isinstance(first, int) else first
        if not carries:
            self.mistakes.add(
                f"the id {item.id!r} was already in {at}", "give each item its own id", place, self.items.id[0]
            )
            return None
        if before != content:
            what = f"the id {item.id!r} was already in {at}, with another content"
            self.mistakes.add(what, "rows about one item say the same of it", place, self.items.id[0])
            return None
        return True

    @cached_property
    def _needed(self) -> list[str]:
        items = self.items
        made = {items.history.as_} if items.history else set()
        named = [*items.id, items.system, items.group, items.batch, *(each.from_ for each in items.entries.values())]
        if items.candidates is not None:
            if items.candidates.rows:
                named = [name for name in named if name != items.system and name not in items.id]
            for candidate in items.candidates.fields:
                named += [candidate.system, *candidate.show.values()]
        spare = {name for block in items.show for name in block.display.optional_fields()}
        shown = [name for name in items.shown_fields if name not in spare]
        asked = [name for name in [*named, *shown] if name is not None and not name.endswith("?")]
        return [name for name in dict.fromkeys(asked) if name not in made]

    def _all_there(self, row: Row, place: Place) -> bool:
        """Whether a row has every field that the study names."""
        return self.rows.names_all(row, self._needed, place)

    def _with_systems(self, row: Row, place: Place) -> tuple[Row, tuple[str, ...]]:
        if SYSTEMS in row:
            return row, row[SYSTEMS]
        candidates = self.items.candidates
        if candidates is None:
            system = self._named("system", self.items.system, row, place)
            return row, (system,) if system else ()
        found = []
        for candidate in candidates.fields:
            system = self.rows.text("system", value_at(row, candidate.system), place, candidate.system)
            found.append((system, {name: value_at(row, field) for name, field in candidate.show.items()}))
        if found[0][0] == found[1][0]:
            what = f"both candidates are by {quote(found[0][0])}"
            self.mistakes.add(what, "a pair compares two systems", place, candidates.fields[0].system)
        # In the order of their names: the same two systems are the same pair, whoever comes first in the file.
        found.sort(key=lambda each: each[0])
        return {**row, CANDIDATES: [parts for _, parts in found]}, tuple(system for system, _ in found)

    def _name(self, row: Row, systems: tuple[str, ...], place: Place) -> str:
        candidates = self.items.candidates
        fields = (candidates.rows,) if candidates is not None and candidates.rows else self.items.id
        parts = [self.rows.text("id", value_at(row, name), place, name) for name in fields]
        if SYSTEMS in row:
            parts.append("+".join(systems))
        name = "/".join(parts)
        if len(parts) > 1 and len(name) > LONGEST_ID:
            self.mistakes.add(f"the id has {len(name):,} characters", f"at most {LONGEST_ID}", place, fields[0])
        return name

    def _named(self, word: str, name: str | None, row: Row, place: Place) -> str:
        if name is None:
            return ""
        value = value_at(row, name.removesuffix("?"))
        if name.endswith("?") and (value is NOWHERE or value in (None, "")):
            return ""
        return self.rows.text(word, value, place, name.removesuffix("?"))

    def _shown(self, row: Row, place: Place) -> tuple[dict[str, Any], tuple[Picture, ...]]:
        taken: list[Picture] = []
        shown = {
            name: self._kept(displays, name, None if (value := value_at(row, name)) is NOWHERE else value, place, taken)
            for name, displays in self.displays.items()
        }
        if CANDIDATES in row:
            shown[CANDIDATES] = [
                {
                    name: self._kept(displays, name, candidate.get(name), place, taken)
                    for name, displays in self.inner.items()
                }
                for candidate in row[CANDIDATES]
            ]
        return shown, tuple(taken)

    def _kept(self, displays: list[Display], name: str, value: Any, place: Place, taken: list[Picture]) -> Any:
        for display in displays:
            if name in display.pictures():
                return self._picture(value, place, name, taken)
            if (reason := display.mistake_in(name, value)) is not None:
                self.mistakes.add(reason, f"the display `{display.kind}` cannot show it", place, name)
                return None
        # Where several displays show one field, the first one says what of it may be seen.
        return displays[0].keep(name, value)

    def _picture(self, value: Any, place: Place, name: str, taken: list[Picture]) -> Any:
        if not isinstance(value, str) or not value.strip():
            self.mistakes.add(f"{quote(value)} names no picture", "write the path of a picture file", place, name)
            return None
        try:
            if value not in self.pictures:
                self.pictures[value] = take_in(inside(self.folder, value))
        except PictureError as error:
            self.mistakes.add(str(error), "paths count from the folder of the item file", place, name)
            return None
        found = self.pictures[value]
        taken.append(found)
        return {"picture": found.hash, "width": found.width, "height": found.height}

    def _entries(self, name: str, entries: Entries, row: Row, place: Place) -> list[tuple[Row, Row]]:
        """The entries of a list: what is shown of each, and what its file says of it."""
        source = value_at(row, entries.from_)
        if isinstance(source, Mapping):
            listed = [
                (key, dict(value) if isinstance(value, Mapping) else {"value": value}) for key, value in source.items()
            ]
        elif isinstance(source, list):
            listed = [self._entry(entries, each) for each in source]
        else:
            what = f"a list or a mapping is expected here, not {quote(source)}"
            self.mistakes.add(what, f"items.entries.{name} reads it", place, entries.from_)
            return []
        found: list[tuple[Row, Row]] = []
        count: dict[str, int] = {}
        for text, known in listed:
            if not isinstance(text, str) or not text.strip():
                self.mistakes.add("an entry has no text", "each entry needs one", place, entries.from_)
                continue
            count[text] = count.get(text, 0) + 1
            if entries.dropped is not None and entries.dropped.then == "hide" and holds(entries.dropped.tree, known):
                continue
            # By its text, and which of those with the same text: the same entry keeps its id when others come or go.
            made = hashlib.blake2b(f"{text}\x1f{count[text]}".encode(), digest_size=6).hexdigest()
            kept = {key: known[key] for key in (*entries.keep, entries.turn) if key in known}
            found.append(({"id": made, "text": text, **kept}, known))
        return found

    @staticmethod
    def _entry(entries: Entries, each: Any) -> tuple[Any, Row]:
        if isinstance(each, Mapping):
            return each.get(entries.text or "text"), dict(each)
        return each, {}


def _hidden(row: Row, shown: dict[str, Any]) -> dict[str, Any]:
    """Everything of a row that is not shown just as it is."""
    made = {CANDIDATES, SYSTEMS, PAIR}
    return {name: value for name, value in row.items() if name not in made and shown.get(name, NOWHERE) != value}


__all__ = ["Given", "Intake", "check_fields", "read_items"]
