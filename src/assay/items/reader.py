"""Reads the rows of a file into items: shown and hidden fields, entries, pairs, pictures, and imported judgments.

This carries out the part `items` of the study file, row by row. All rows are right, or nothing is imported.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assay.errors import AssayError, Mistake
from assay.frozen_maker import maker_of
from assay.items import LONGEST_ID, NO_ITEMS, Mistakes, why_unstorable
from assay.items.blinding import ShownAndHidden
from assay.items.clean import NOTHING, TextCleaner
from assay.items.combine_rows import SYSTEMS, RowCombiner, join_rows
from assay.items.entry_links import NO_LINKS, LinkFile
from assay.items.fields import ABSENT, value_at
from assay.items.imported_judgments import ImportedAnswers, ImportedAnswersReader
from assay.items.judgment_fields import ONLY_JUDGES, JudgmentsWanted
from assay.items.plain_rows import PlainRows, are_storable_texts
from assay.items.rows import Location, Row, RowFields, by_blanks_alone, hint_on_ids, without_blanks
from assay.mistakes import quote
from assay.model import CANDIDATES, Item
from assay.pictures import Picture
from assay.study.evaluate import holds
from assay.study.items import Entries
from assay.study.schema import Study
from assay.suggest import closest_name


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """What one row holds: an item, unless an earlier row held it; judgments of it; pictures."""

    name: str
    item: Item | None
    duplicate_of: str = ""
    judgments: tuple[ImportedAnswers, ...] = ()
    pictures: tuple[Picture, ...] = ()
    systems: tuple[str, ...] = ()
    """Of a duplicate: the system whose output it repeats."""
    shown: Mapping[str, Any] = field(default_factory=dict)
    """Of a duplicate: what it shows, which must be what its original shows."""
    cleaned: Mapping[str, int] = field(default_factory=dict)
    """How many texts of each shown field were cleaned."""


make_row = maker_of(ImportedRow)
NO_FIELDS: Mapping[str, Any] = MappingProxyType({})


def read_items(
    study: Study,
    path: Path,
    join: Path | None = None,
    wanted: JudgmentsWanted = ONLY_JUDGES,
    pictures: Path | None = None,
    links: Mapping[str, LinkFile] = NO_LINKS,
    notes: list[str] | None = None,
) -> Iterator[ImportedRow]:
    """Read every item of a file. Raises ItemMistakes after the last row if any was wrong: store nothing before.

    Pictures are looked for below the folder `pictures`; where none is named, paths count from the file. `links` say of
    each list of entries which ones lie within others. What looks wrong of the whole file, and may be meant all the
    same, is added to `notes` after the last row.
    """
    if not os.path.exists(path):
        raise AssayError(f"there is no file {path}", "items.source in study.yaml names the file, beside study.yaml")
    mistakes = Mistakes(path)
    reader = _ItemReader(study, path, mistakes, wanted, pictures, links, join)
    yield from reader.read_rows(join_rows(study, path, join, mistakes, notes))
    reader.fields.report_missing()
    reader.blinding.pictures.report()
    reader.refuse_misspelled_origin()
    reader.imported.report()
    if not reader.plain.seen and not mistakes.count:
        mistakes.add(*NO_ITEMS)
    for each in links.values():
        mistakes.listed += each.mistakes.listed
        mistakes.count += each.mistakes.count
    mistakes.raise_if_any()


def mistakes_in_first_row(
    study: Study, path: Path, join: Path | None = None, pictures: Path | None = None
) -> list[Mistake]:
    """What is wrong in the first row: fields that the study names and it lacks, and values that cannot be shown."""
    mistakes = Mistakes(path)
    reader = _ItemReader(study, path, mistakes, JudgmentsWanted(partial=True), pictures, join=join)
    try:
        rows = join_rows(study, path, join, mistakes)
        first = next(rows, None)
    except AssayError as error:
        return [Mistake(path.name, error.what, error.hint)]
    if first is None:
        if not mistakes.count:
            mistakes.add(*NO_ITEMS)
        return mistakes.listed
    for _ in reader.read_rows(iter([first])):
        pass
    reader.fields.report_missing()
    reader.blinding.pictures.report()
    return mistakes.listed


class _ItemReader:
    """Turns rows into items, and notes the mistakes in them."""

    def __init__(
        self,
        study: Study,
        path: Path,
        mistakes: Mistakes,
        wanted: JudgmentsWanted,
        pictures: Path | None,
        links: Mapping[str, LinkFile] = NO_LINKS,
        join: Path | None = None,
    ) -> None:
        self.study = study
        self.links = links
        self.items = study.items
        self.mistakes = mistakes
        joined = study.items.join
        self.fields = RowFields(mistakes, "" if joined is None else join.name if join else joined.file)
        self.combiner = RowCombiner(study, self.fields)
        self.imported = ImportedAnswersReader(study, self.fields, wanted)
        self.blinding = ShownAndHidden(study, path, pictures, mistakes)
        self.plain = PlainRows(study, self.blinding.displays)
        self.cleaner = TextCleaner(self.items.clean)
        self.unlike_origin: dict[str, None] | None = {} if self.items.duplicate_of else None
        """The fields of all rows, until one has the field that `items.duplicate_of` names."""
        self._entries = tuple(study.entries)
        self._columns: set[str] = set()
        """The names of fields that were looked at: they can be stored."""
        self.annotator_fields = [each.annotator for each in self.items.judgments if each.annotator]

    def read_rows(self, rows: Iterator[tuple[Location, Row]]) -> Iterator[ImportedRow]:
        """What every row holds, in order."""
        if not self.plain.is_possible:
            yield from self._read_rows(rows)
            return
        for location, row in rows:
            item = self.plain.read(row, location)
            if item is None:
                yield from self._learn_from(row, location)
                continue
            self.fields.rows += 1
            yield make_row(item.id, item, "", (), (), item.systems, NO_FIELDS, NOTHING)

    def _learn_from(self, row: Row, location: Location) -> Iterator[ImportedRow]:
        """What a row holds; after one that holds an item alone, rows with the same columns take the fast path."""
        for imported in self._read_rows(iter([(location, row)])):
            is_judged = any(name in row for name in self.annotator_fields)
            if not is_judged and all(named.is_silent(row) for named in self.imported.named):
                self.plain.learn(row)
            yield imported

    def _read_rows(self, rows: Iterator[tuple[Location, Row]]) -> Iterator[ImportedRow]:
        for location, row in self.combiner.combine(self._storable_rows(rows)):
            self.fields.rows += 1
            imported = self._read_row(row, location)
            if imported is not None:
                yield imported

    def _storable_rows(self, rows: Iterator[tuple[Location, Row]]) -> Iterator[tuple[Location, Row]]:
        columns = self._columns
        for location, row in rows:
            if row.keys() <= columns and are_storable_texts(row):
                yield location, row
                continue
            before = self.mistakes.count
            for column, value in row.items():
                if column in columns and type(value) is str and value.isascii() and "\x00" not in value:
                    continue
                reason = why_unstorable(value)
                if column not in columns and (reason := why_unstorable(column) or reason) is None:
                    columns.add(column)
                if reason is not None:
                    self.mistakes.add(reason, "remove it", location, column)
            if self.mistakes.count == before:
                yield location, row

    def _read_row(self, row: Row, location: Location) -> ImportedRow | None:
        before = self.mistakes.count
        if not self._has_needed_fields(row, location):
            return None
        row, systems = self._find_systems(row, location)
        name = self._name(row, systems, location)
        group = self._optional_text("group", self.items.group, row, location)
        batch = self._optional_text("batch", self.items.batch, row, location)
        entries = {each: self._read_entries(each, self.items.entries[each], row, location) for each in self._entries}
        for each, linked in self.links.items():
            texts = [text for text, _ in self._texts_and_fields(self.items.entries[each], row)]
            linked.add_to(name, (kept for kept, _ in entries.get(each, ())), texts)
        shown, pictures = self.blinding.shown_fields(row, location)
        if self.mistakes.count > before:
            return None
        shown, cleaned = self.cleaner.clean(shown)
        shown |= {each: [kept for kept, _ in found] for each, found in entries.items()}
        judgments: tuple[ImportedAnswers, ...] = ()
        if self.imported.named:
            judgments = tuple(self.imported.in_row(name, row, systems, entries, location))
        if self.mistakes.count > before:
            return None
        item = Item(name, shown, self.blinding.hidden_fields(row, shown), systems, group, batch)
        origin = self._origin(row)
        named = self.annotator_fields
        has_judgments = bool(named) and any(value_at(row, name) is not ABSENT for name in named)
        repeated = self._is_repeated(item, origin, location, has_judgments)
        if repeated is None:
            return None
        if origin:
            return make_row(name, None, origin, judgments, (), systems, shown, NOTHING)
        return make_row(name, None if repeated else item, "", judgments, pictures, systems, NO_FIELDS, cleaned)

    def _origin(self, row: Row) -> str:
        """What a duplicate repeats, as the row names it; empty: the row is an item of its own."""
        origin = value_at(row, self.items.duplicate_of) if self.items.duplicate_of else ABSENT
        if origin is not ABSENT:
            self.unlike_origin = None
        elif self.unlike_origin is not None:
            self.unlike_origin.update(dict.fromkeys(row))
        return "" if origin is ABSENT or origin in (None, "") else str(origin)

    def refuse_misspelled_origin(self) -> None:
        """Refuse a file whose rows lack the field that names what they repeat, and have one that looks like it.

        A file may have no duplicates at all, and then lacks the field: its plan says that there are none.
        """
        named = self.items.duplicate_of
        used = {*self._needed_fields, *self.items.shown_fields, *self.annotator_fields}
        spare = [name for name in self.unlike_origin or () if name not in used and not name.startswith("_")]
        if named and (meant := closest_name(named, spare)) is not None:
            self.mistakes.add(f"there is no field {named!r}", f"items.duplicate_of names it; did you mean {meant!r}?")

    def _is_repeated(self, item: Item, origin: str, location: Location, has_judgments: bool) -> bool | None:
        """Whether an earlier row held the same item; None where that is a mistake.

        Only rows with judgments may repeat an item, one row for each annotator, and all of them with the same content.
        """
        content = hash((str(item.shown), item.systems, item.group, item.batch, origin)) if has_judgments else 0
        looks = without_blanks(item.id)
        if looks not in self.plain.seen:
            self.plain.seen[looks] = (item.id, location, content)
            return False
        named, first, before = self.plain.seen[looks]
        at, column = f"row {first}" if isinstance(first, int) else first, self.items.id[0]
        if named != item.id:
            self.mistakes.add(*by_blanks_alone(item.id, named, at), location, column)
            return None
        if not has_judgments:
            self.mistakes.add(f"the id {item.id!r} was already in {at}", hint_on_ids(self.items), location, column)
            return None
        if before != content:
            what = f"the id {item.id!r} was already in {at}, with another content"
            self.mistakes.add(what, "rows about one item say the same of it", location, column)
            return None
        return True

    @cached_property
    def _needed_fields(self) -> list[str]:
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

    @cached_property
    def _needed_names(self) -> frozenset[str]:
        return frozenset(self._needed_fields)

    def _has_needed_fields(self, row: Row, location: Location) -> bool:
        """Whether a row has every field that the study names."""
        return row.keys() >= self._needed_names or self.fields.names_all(row, self._needed_fields, location)

    def _find_systems(self, row: Row, location: Location) -> tuple[Row, tuple[str, ...]]:
        if SYSTEMS in row:
            return row, row[SYSTEMS]
        candidates = self.items.candidates
        if candidates is None:
            return row, self._one_system(row, location)
        found = []
        for candidate in candidates.fields:
            system = self.fields.name("system", value_at(row, candidate.system), location, candidate.system)
            system = self.items.system_name(system)
            found.append((system, {name: value_at(row, field) for name, field in candidate.show.items()}))
        if found[0][0] == found[1][0]:
            what = f"both candidates are by {quote(found[0][0])}"
            self.mistakes.add(what, "a pair compares two systems", location, candidates.fields[0].system)
        # In the order of their names: the same two systems are the same pair, whoever comes first in the file.
        found.sort(key=lambda each: each[0])
        return {**row, CANDIDATES: [parts for _, parts in found]}, tuple(system for system, _ in found)

    def _one_system(self, row: Row, location: Location) -> tuple[str, ...]:
        named = self.items.system
        if named is None:
            return ()
        said = value_at(row, named.removesuffix("?"))
        if type(said) is str and said in self.plain.systems:
            return self.plain.systems[said]
        before = self.mistakes.count
        system = self._optional_text("system", named, row, location)
        found = (self.items.system_name(system),) if system else ()
        if type(said) is str and self.mistakes.count == before:
            self.plain.systems[said] = found
        return found

    def _name(self, row: Row, systems: tuple[str, ...], location: Location) -> str:
        candidates = self.items.candidates
        fields = (candidates.rows,) if candidates is not None and candidates.rows else self.items.id
        parts = [self.fields.text("id", value_at(row, name), location, name) for name in fields]
        if SYSTEMS in row:
            parts.append("+".join(systems))
        name = "/".join(parts)
        if len(parts) > 1 and len(name) > LONGEST_ID:
            self.mistakes.add(f"the id has {len(name):,} characters", f"at most {LONGEST_ID}", location, fields[0])
        return name

    def _optional_text(self, word: str, name: str | None, row: Row, location: Location) -> str:
        if name is None:
            return ""
        value = value_at(row, name.removesuffix("?"))
        if name.endswith("?") and (value is ABSENT or value in (None, "")):
            return ""
        return self.fields.name(word, value, location, name.removesuffix("?"))

    def _read_entries(self, name: str, entries: Entries, row: Row, location: Location) -> list[tuple[Row, Row]]:
        """The entries of a list: the shown fields of each, and all of its fields."""
        source = value_at(row, entries.from_)
        if not isinstance(source, Mapping | list):
            what = f"a list or a mapping is expected here, not {quote(source)}"
            self.mistakes.add(what, f"items.entries.{name} reads it", location, entries.from_)
            return []
        found: list[tuple[Row, Row]] = []
        count: dict[str, int] = {}
        for text, known in self._texts_and_fields(entries, row):
            if not isinstance(text, str) or not text.strip():
                self.mistakes.add("an entry has no text", "each entry needs one", location, entries.from_)
                continue
            count[text] = count.get(text, 0) + 1
            if entries.dropped is not None and entries.dropped.then == "hide" and holds(entries.dropped.tree, known):
                continue
            # Made from the text, and a number where a text repeats: an entry keeps its id when others change.
            made = hashlib.blake2b(f"{text}\x1f{count[text]}".encode(), digest_size=6).hexdigest()
            kept = {key: known[key] for key in (*entries.keep, entries.turn) if key in known}
            found.append(({"id": made, "text": text, **kept}, known))
        return found

    @staticmethod
    def _texts_and_fields(entries: Entries, row: Row) -> list[tuple[Any, Row]]:
        """Of each entry, dropped ones too, its text and all of its fields."""
        source = value_at(row, entries.from_)
        if isinstance(source, Mapping):
            return [
                (key, dict(value) if isinstance(value, Mapping) else {"value": value}) for key, value in source.items()
            ]
        return [
            (each.get(entries.text or "text"), dict(each)) if isinstance(each, Mapping) else (each, {})
            for each in (source if isinstance(source, list) else ())
        ]


__all__ = ["ImportedAnswers", "ImportedRow", "mistakes_in_first_row", "read_items"]
