"""Items into the store, with what comes along with them: all of it or nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, literal_column, select

from assay.assignment import lots
from assay.errors import ItemMistakes, Mistake
from assay.items.reader import ImportedRow
from assay.items.reference_items import ReferenceItem
from assay.model import Item
from assay.pictures import Picture
from assay.store.coordinator.duplicates import Duplicates
from assay.store.coordinator.known_ids import KnownIds, systems_as_text
from assay.store.engine.json_text import to_json
from assay.store.engine.prepared import Prepared
from assay.store.tables import WITHDRAWN, WORK, is_in_study, item, item_hidden, picture, reference

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
        self.study_id = study_id
        self.number = number
        self._lot = lots(seed, "item")
        self.series = series
        self.added = 0
        self.known_ids = KnownIds(connection, study_id, series)
        self.mistakes = self.known_ids.mistakes
        """One list of everything that is wrong, to which others add."""
        self.duplicates = Duplicates(study_id, number)
        self.pictures: set[str] = set()
        self.groups: dict[bytes, int] = {}
        """Groups by name, as bytes: these are copies, while a text would keep the whole row's memory alive."""
        self.pairs: dict[str, int] = {}
        self.knows_places = series == WORK and not self.known_ids.some_before
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
        items = [intake.item for intake in chunk if intake.item is not None]
        new = self.known_ids.take_new(connection, items, self.duplicates.ids_of_originals(connection))
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
        known = self.known_ids
        return ImportedItems(self.added, known.count, self.duplicates.added, tuple(known.taken_out))

    def refuse_mistakes(self) -> None:
        """Raise all mistakes, if there are any."""
        if self.mistakes:
            more = len(self.mistakes) - MOST_MISTAKES
            rest = [Mistake("the store", f"and {more} more mistakes")] if more > 0 else []
            raise ItemMistakes([*self.mistakes[:MOST_MISTAKES], *rest])

    def _rows(self, items: list[Item], pictures: Iterable[Picture]) -> ItemRows:
        # They get the place that most of them keep: `arrange` need not write it once more.
        placed = self.knows_places
        rows = [
            {
                "study_id": self.study_id,
                "wanted": self.wanted,
                "group_number": self._group_number(each.group or each.id) if placed else 0,
                "pair": self.pairs.setdefault(systems_as_text(each.systems), len(self.pairs)) if placed else 0,
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
            {
                "systems": systems_as_text(one.systems),
                "group": one.group,
                "batch": one.batch,
                "hidden": to_json(one.hidden),
            }
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
