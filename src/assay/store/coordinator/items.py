"""Items into the store, with what comes along with them: all of it or nothing."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, literal_column, or_, select

from assay.assignment import lots
from assay.errors import ItemMistakes, Mistake
from assay.items.rating_fields import without_ratings
from assay.items.reader import ImportedRow
from assay.items.reference_items import ReferenceItem
from assay.items.rows import by_blanks_alone, without_blanks
from assay.model import Item
from assay.pictures import Picture
from assay.store.annotator.versions import version_in_force
from assay.store.coordinator.duplicates import Duplicates
from assay.store.engine.json_text import to_json
from assay.store.engine.prepared import Prepared
from assay.store.tables import WITHDRAWN, WORK, is_in_study, item, item_hidden, picture, reference
from assay.study import Study

CHUNK = 1000
STEP = 2500
"""The most new items that one transaction writes. Saves of annotators wait for it; but smaller transactions would
rewrite the same index pages (those of the random order) more often.
"""
MOST_MISTAKES = 100


@dataclass(frozen=True, slots=True)
class ImportedItems:
    """What an import did."""

    added: int
    known: int
    duplicates: int = 0
    taken_out: Sequence[str] = ()
    """Those of the known ones that somebody took out of the study: they stay out."""
    corrected: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The items whose known answers have changed, by file."""


NEW_ITEM = Prepared(
    insert(item).values(
        {
            name: bindparam(name)
            for name in (
                *("study_id", "name", "shown", "words", "lot", "batch", "series", "import_number"),
                *("wanted", "group_number", "pair"),
            )
        }
    )
)
_HIDDEN = ("item_id", "group", "hidden", "systems", "batch")
NEW_HIDDEN = Prepared(insert(item_hidden).values({name: bindparam(name) for name in _HIDDEN}))
NEWEST = Prepared(select(func.coalesce(func.max(item.c.id), 0)))
"""The last number that an item of any study has got: whoever comes now gets a higher one."""
NUMBERS_ABOVE = Prepared(
    select(item.c.name, item.c.id).where(
        item.c.study_id == bindparam("study"), item.c.series == bindparam("series"), item.c.id > bindparam("above")
    )
)
PLACES = Prepared(
    select(item.c.name, item_hidden.c.group, item_hidden.c.systems, item.c.group_number, item.c.pair)
    .join(item_hidden)
    .where(is_in_study(bindparam("study")), item.c.series == literal_column("'work'"))
    .order_by(item.c.id)
)


def add(
    connection: Connection,
    study_id: int,
    intakes: Iterable[ImportedRow],
    seed: int,
    series: str = WORK,
    number: int | None = None,
    wanted: int = 1,
) -> ImportedItems:
    """Store items that are new. One that is there with another content is refused, and then nothing is stored.

    `number` is that of the import that they come with; `wanted` says how many people most of them need, until
    `arrange` gives each its place.
    """
    adding = Adding(connection, study_id, seed, series, number, wanted)
    for chunk in chunks(intakes):
        adding.write(connection, adding.prepare(connection, chunk))
    return adding.finish(connection)


def chunks(intakes: Iterable[ImportedRow]) -> Iterator[list[ImportedRow]]:
    """The rows in lists of at most `STEP`."""
    rest = iter(intakes)
    while chunk := list(islice(rest, STEP)):
        yield chunk


def add_known(
    connection: Connection, study_id: int, known: Iterable[ReferenceItem], seed: int, series: str
) -> list[str]:
    """Store items with known answers, replacing earlier answers. Returns the items whose answers have changed."""
    found = list(known)
    add(connection, study_id, (each.row for each in found), seed, series)
    ids = item_ids(connection, study_id, [each.row.name for each in found], series)
    mine = reference.c.item_id.in_(list(ids.values()))
    before = {row.item_id: (row.answers, row.reason) for row in connection.execute(select(reference).where(mine))}
    connection.execute(delete(reference).where(mine))
    rows = [
        {
            "item_id": ids[each.row.name],
            "answers": to_json({slot.key: value for slot, value in each.answers.items()}),
            "reason": each.reason,
        }
        for each in found
    ]
    if rows:
        connection.execute(insert(reference), rows)
    now = {row["item_id"]: (row["answers"], row["reason"]) for row in rows}
    return [name for name, id_ in ids.items() if id_ in before and before[id_] != now[id_]]


Content = tuple[str, ...]
"""What is shown and what is hidden, as JSON, and the rest."""
REST = ("system", "group", "batch")


@dataclass(frozen=True, slots=True)
class ItemRows:
    """Some items as rows of the store, with the pictures that they show."""

    rows: list[dict[str, Any]]
    hidden: list[dict[str, Any]]
    pictures: list[Picture]


class Adding:
    """One import under way. Reading and writing are separate steps, since only writing makes others wait."""

    def __init__(
        self,
        connection: Connection,
        study_id: int,
        seed: int,
        series: str = WORK,
        number: int | None = None,
        wanted: int = 1,
    ) -> None:
        self.wanted = wanted
        self.connection = connection
        """That of the step at hand."""
        self.study_id = study_id
        self.number = number
        self._lot = lots(seed, "item")
        self.series = series
        # What was taken out of the study does not come back with the next import.
        self.known_in = (WORK, WITHDRAWN) if series == WORK else (series,)
        self.added = self.known = 0
        self.taken_out: list[str] = []
        self.mistakes: list[Mistake] = []
        self.duplicates = Duplicates(study_id, number)
        self.pictures: set[str] = set()
        self.groups: dict[bytes, int] = {}
        """Groups by name, as bytes: these are copies, while a text would keep the whole row's memory alive."""
        self.pairs: dict[str, int] = {}
        before = select(item.c.id).where(is_in_study(study_id), item.c.series.in_(self.known_in)).limit(1)
        self.some_before = connection.execute(before).first() is not None
        self.knows_places = series == WORK and not self.some_before
        self.others_stay = False
        """Whether those in the study have the numbers that they would get now."""
        mine = (is_in_study(study_id), item.c.series == series)
        of_study = select(item_hidden.c.batch, item.c.batch).join(item).where(*mine).distinct()
        self.batches: dict[str, int] = {row[0]: row[1] for row in connection.execute(of_study)}

    def go_on_counting(self, connection: Connection) -> None:
        """Number new groups and pairs of systems after those in the study, so that known ones keep their numbers."""
        self.knows_places = self.others_stay = True
        for name, group, systems, *before in PLACES.rows(connection, study=self.study_id):
            number = self._group_number(group or name)
            pair = self.pairs.setdefault(systems, len(self.pairs))
            self.others_stay &= before == [number, pair]

    def _group_number(self, name: str) -> int:
        return self.groups.setdefault(name.encode(), len(self.groups))

    def prepare(self, connection: Connection, chunk: Sequence[ImportedRow]) -> ItemRows:
        """Compare some rows with the store: new items are returned, changed ones become mistakes."""
        self.connection = connection
        items = [intake.item for intake in chunk if intake.item is not None]
        stored = self._stored_content([each.id for each in items]) if self.some_before else {}
        new = [each for each in items if each.id not in stored]
        for each in items:
            if each.id not in stored:
                continue
            is_out, before = stored[each.id]
            if differs := self._differences(before, _content(each)):
                what = f"is in the store with another content, in {', '.join(differs)}"
                hint = "an item keeps its content, hidden fields too: give the changed one a new id"
                self.mistakes.append(Mistake(f"item {each.id}", what, hint))
            else:
                self.known += 1
                self.taken_out += [each.id] * is_out
        known_twice = self.duplicates.ids_of_originals(connection)
        self.mistakes += [
            Mistake(f"item {each.id}", "is in the store as a duplicate", "give the item an id of its own")
            for each in new
            if each.id in known_twice
        ]
        if self.some_before:
            self.mistakes += self._apart_by_blanks([each.id for each in new])
        self.duplicates.keep(chunk)
        self.added += len(new)
        return self._rows(new, [each for intake in chunk for each in intake.pictures])

    def write(self, connection: Connection, new: ItemRows) -> None:
        """Store some rows."""
        if new.rows:
            [newest] = NEWEST.row(connection)
            NEW_ITEM.run_many(connection, new.rows)
            # One query for the ids of all new items, rather than one for each when its hidden part is written.
            numbers = dict(NUMBERS_ABOVE.rows(connection, study=self.study_id, series=self.series, above=newest))
            hidden = ({"item_id": numbers[each["name"]], **of} for each, of in zip(new.rows, new.hidden, strict=True))
            NEW_HIDDEN.run_many(connection, hidden)
        insert_pictures(connection, self.study_id, new.pictures)

    def finish(self, connection: Connection) -> ImportedItems:
        """The steps that must wait for the last row, such as storing duplicates."""
        self.duplicates.insert(connection)
        self.mistakes += self.duplicates.mistakes
        self.refuse_mistakes()
        return ImportedItems(self.added, self.known, self.duplicates.added, tuple(self.taken_out))

    def refuse_mistakes(self) -> None:
        """Raise all mistakes, if there are any."""
        if self.mistakes:
            more = len(self.mistakes) - MOST_MISTAKES
            rest = [Mistake("the store", f"and {more} more mistakes")] if more > 0 else []
            raise ItemMistakes([*self.mistakes[:MOST_MISTAKES], *rest])

    def _stored_content(self, names: list[str]) -> dict[str, tuple[bool, Content]]:
        """The items of these names that are stored: whether each was taken out, and its content."""
        hidden = item_hidden.c
        rows = self.connection.execute(
            select(item.c.name, item.c.series, item.c.shown, hidden.hidden, hidden.systems, hidden.group, hidden.batch)
            .join(item_hidden, item_hidden.c.item_id == item.c.id)
            .where(is_in_study(self.study_id), item.c.series.in_(self.known_in), item.c.name.in_(names))
        )
        return {row[0]: (row[1] == WITHDRAWN, tuple(row[2:])) for row in rows}

    def _apart_by_blanks(self, new: list[str]) -> Iterator[Mistake]:
        """Mistakes for new ids that differ from a stored one by blanks alone: the item would be stored twice."""
        looks = {name: without_blanks(name) for name in new}
        plain = [look for name, look in looks.items() if look != name]
        there = {name: name for name in self._names(item.c.name.in_(plain))} | self.with_blanks
        for name, look in looks.items():
            if (other := there.get(look, name)) != name:
                yield Mistake(f"item {name}", *by_blanks_alone(name, other, "the store"))

    @cached_property
    def with_blanks(self) -> dict[str, str]:
        """Stored ids with blanks around them or around one of their parts, by the id without blanks."""
        blanks = or_(*(item.c.name.like(pattern) for pattern in (" %", "% ", "% /%", "%/ %")))
        return {without_blanks(name): name for name in self._names(blanks)}

    def _names(self, where: ColumnElement[bool]) -> Iterable[str]:
        mine = (is_in_study(self.study_id), item.c.series.in_(self.known_in))
        return self.connection.scalars(select(item.c.name).where(*mine, where))

    def _differences(self, before: Content, now: Content) -> list[str]:
        """The fields of an item that have changed. Judgments that stand in the same row of the file may differ."""
        if before == now:
            return []
        shown, hidden = ((json.loads(before[part]), json.loads(now[part])) for part in (0, 1))
        parts = [*_unequal(*shown)]
        # Among what is hidden of an item with known answers are the answers themselves.
        if self.series == WORK and before[1] != now[1]:
            apart = [
                _without_shown(of, without_ratings(self.study, each)) for of, each in zip(shown, hidden, strict=True)
            ]
            parts += [f"{name} (hidden)" for name in _unequal(*apart)]
        return [*parts, *(name for name, *two in zip(REST, before[2:], now[2:], strict=True) if two[0] != two[1])]

    @cached_property
    def study(self) -> Study:
        """The version in force, which says which fields of a row are judgments."""
        return version_in_force(self.connection, self.study_id)

    def _rows(self, items: list[Item], pictures: Iterable[Picture]) -> ItemRows:
        # They get the place that most of them keep: `arrange` need not write it once more.
        placed = self.knows_places
        rows = [
            {
                "study_id": self.study_id,
                "wanted": self.wanted,
                "group_number": self._group_number(each.group or each.id) if placed else 0,
                "pair": self.pairs.setdefault(_systems(each.systems), len(self.pairs)) if placed else 0,
                "name": each.id,
                "shown": to_json(each.shown),
                "words": each.words,
                "lot": self._lot(each.id),
                "batch": self.batches.setdefault(each.batch, len(self.batches)),
                "series": self.series,
                "import_number": self.number,
            }
            for each in items
        ]
        hidden = [
            {"systems": _systems(one.systems), "group": one.group, "batch": one.batch, "hidden": to_json(one.hidden)}
            for one in items
        ]
        shown = {each.hash: each for each in pictures if each.hash not in self.pictures}
        self.pictures |= set(shown)
        return ItemRows(rows, hidden, list(shown.values()))


def insert_pictures(connection: Connection, study_id: int, pictures: Iterable[Picture]) -> None:
    """Store the pictures that are new."""
    new = {each.hash: each for each in pictures}
    if not new:
        return
    known = select(picture.c.hash).where(picture.c.study_id == study_id, picture.c.hash.in_(list(new)))
    for there in connection.execute(known).scalars():
        del new[there]
    columns = [column.name for column in picture.columns if column is not picture.c.study_id]
    if rows := [{"study_id": study_id, **{name: getattr(each, name) for name in columns}} for each in new.values()]:
        connection.execute(insert(picture), rows)


@cache
def _systems(names: tuple[str, ...]) -> str:
    return to_json(list(names))


def _without_shown(shown: Mapping[str, Any], hidden: Mapping[str, Any]) -> dict[str, Any]:
    """The hidden fields without those that are stored as shown fields with the same value."""
    return {name: value for name, value in hidden.items() if name not in shown or shown[name] != value}


def _unequal(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """The names of the fields that are not the same. An empty cell says what a missing column says."""
    empty = (None, "")
    differ = (name for name in {**before, **now} if before.get(name) != now.get(name))
    return [name for name in differ if before.get(name) not in empty or now.get(name) not in empty]


def _content(each: Item) -> Content:
    return to_json(each.shown), to_json(each.hidden), _systems(each.systems), each.group, each.batch


def item_of_group(connection: Connection, study_id: int, group: str, systems: str) -> int | None:
    """The one item of a group by these systems: some files name an item by what it shares with others.

    An item that was taken out is found only where there is no other: it may have been replaced by one.
    """
    mine = (is_in_study(study_id), item_hidden.c.group == group, item_hidden.c.systems == systems)
    for series in (WORK, WITHDRAWN):
        rows = connection.execute(select(item.c.id).join(item_hidden).where(*mine, item.c.series == series))
        if found := rows.scalars().all():
            return found[0] if len(found) == 1 else None
    return None


def item_ids(connection: Connection, study_id: int, names: Sequence[str], series: str = WORK) -> dict[str, int]:
    """The ids of items by their names."""
    found: dict[str, int] = {}
    for start in range(0, len(names), CHUNK):
        some = names[start : start + CHUNK]
        rows = connection.execute(
            select(item.c.name, item.c.id).where(is_in_study(study_id), item.c.series == series, item.c.name.in_(some))
        )
        found |= {row.name: row.id for row in rows}
    return found
