"""Rows of an item file that repeat an item: which one each repeats, and whether both show the same."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, insert, select

from assay.errors import Mistake
from assay.items.reader import ImportedRow
from assay.store.engine.json_text import to_json
from assay.store.tables import WITHDRAWN, WORK, duplicate, is_in_study, item, item_hidden


class Original(NamedTuple):
    """An item that duplicates may repeat."""

    id: int
    name: str
    shown: str
    systems: str


class Duplicates:
    """The duplicates of one import, kept until all items are in: an original may stand below its duplicate."""

    def __init__(self, study_id: int, number: int | None) -> None:
        self.study_id, self.number = study_id, number
        self.rows: list[tuple[str, str, str, str]] = []
        self.added = 0
        self.mistakes: list[Mistake] = []
        self._known: dict[str, int] | None = None
        self.originals: dict[tuple[str, str], Original | None] = {}

    def keep(self, rows: Sequence[ImportedRow]) -> None:
        """Keep the rows that are duplicates."""
        self.rows += [
            (each.name, each.duplicate_of, to_json(dict(each.shown)), to_json(list(each.systems)))
            for each in rows
            if each.duplicate_of
        ]

    def insert(self, connection: Connection) -> None:
        """Store the new duplicates; those whose original is missing or different become mistakes."""
        # An earlier attempt was rolled back, so begin again.
        self.connection, self._known, self.added, self.mistakes = connection, None, 0, []
        for name, origin, shown, systems in self.rows:
            original = self._original(name, origin, systems)
            if original is None:
                continue
            if self._items(item.c.name == name):
                self._refuse(name, "is in the store as an item of its own", "give the duplicate an id of its own")
            elif self._is_the_same(name, original, shown, systems) and not self._is_known(name, original):
                row = {"study_id": self.study_id, "name": name, "item_id": original.id, "import_number": self.number}
                self.connection.execute(insert(duplicate).values(row))
                self.ids_of_originals(self.connection)[name] = original.id
                self.added += 1

    def _original(self, name: str, origin: str, systems: str) -> Original | None:
        """The item that a row repeats: by its id, or the one of a group by the same system."""
        if (origin, systems) not in self.originals:
            by_name = self._items(item.c.name == origin)
            in_group = (item_hidden.c.group == origin, item_hidden.c.systems == systems)
            found = by_name or self._items(*in_group)
            self.originals[origin, systems] = found[0] if len(found) == 1 else None
        original = self.originals[origin, systems]
        if original is None:
            by = " and ".join(json.loads(systems))
            what = f"is a duplicate of {origin!r}{f' by {by}' if by else ''}, which is not there"
            hint = "its original must be in the same file or in the store: name its id, or a group with one such item"
            self._refuse(name, what, hint)
        return original

    def _is_the_same(self, name: str, original: Original, shown: str, systems: str) -> bool:
        """Whether a row shows what its original shows: if not, it is another item and no duplicate."""
        if systems != original.systems and systems != "[]":
            said, meant = (" and ".join(json.loads(each)) or "nobody" for each in (systems, original.systems))
            self._refuse(name, f"is by {said}, and its original {original.name} by {meant}", "name another original")
            return False
        if shown != original.shown:
            here, there = json.loads(shown), json.loads(original.shown)
            fields = ", ".join(key for key in there if here.get(key) != there[key])
            hint = "a duplicate shows what its original shows: name another original, or make it an item of its own"
            self._refuse(name, f"shows something else than its original {original.name}: {fields}", hint)
            return False
        return True

    def _is_known(self, name: str, original: Original) -> bool:
        before = self.ids_of_originals(self.connection).get(name)
        if before is not None and before != original.id:
            there = self._items(item.c.id == before)[0].name
            what = f"is in the store as a duplicate of {there}, and here of {original.name}"
            self._refuse(name, what, "a duplicate keeps its original: give the changed one a new id")
        return before is not None

    def ids_of_originals(self, connection: Connection) -> dict[str, int]:
        """The duplicates that are in the store, each with the id of its original."""
        if self._known is None:
            of_study = select(duplicate.c.name, duplicate.c.item_id).where(duplicate.c.study_id == self.study_id)
            self._known = {row.name: row.item_id for row in connection.execute(of_study)}
        return self._known

    def _items(self, *which: ColumnElement[bool]) -> list[Original]:
        # The original of a duplicate may have been taken out of the study since: it is its original all the same.
        statement = (
            select(item.c.id, item.c.name, item.c.shown, item_hidden.c.systems)
            .join(item_hidden)
            .where(is_in_study(self.study_id), item.c.series.in_((WORK, WITHDRAWN)), *which)
            .limit(2)
        )
        return [Original(*row) for row in self.connection.execute(statement)]

    def _refuse(self, name: str, what: str, hint: str) -> None:
        self.mistakes.append(Mistake(f"item {name}", what, hint))
