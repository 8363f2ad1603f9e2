"""What an import does with items whose ids are in the store: known ones are skipped, changed ones refused."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from sqlalchemy import ColumnElement, Connection, or_, select

from assay.errors import Mistake
from assay.items.rating_fields import without_ratings
from assay.items.rows import by_blanks_alone, without_blanks
from assay.model import Item
from assay.store.annotator.versions import version_in_force
from assay.store.engine.json_text import to_json
from assay.store.tables import WITHDRAWN, WORK, is_in_study, item, item_hidden
from assay.study import Study

Content = tuple[str, ...]
"""What is shown and what is hidden, as JSON, and the rest."""
REST = ("system", "group", "batch")


class KnownIds:
    """The ids that a study knows before an import, and what came of those that the import brings again."""

    def __init__(self, connection: Connection, study_id: int, series: str) -> None:
        self.connection = connection
        """That of the step at hand."""
        self.study_id = study_id
        self.series = series
        # What was taken out of the study does not come back with the next import.
        self.known_in = (WORK, WITHDRAWN) if series == WORK else (series,)
        before = select(item.c.id).where(is_in_study(study_id), item.c.series.in_(self.known_in)).limit(1)
        self.some_before = connection.execute(before).first() is not None
        self.count = 0
        """How many came again as they are in the store."""
        self.taken_out: list[str] = []
        self.mistakes: list[Mistake] = []

    def take_new(self, connection: Connection, items: Sequence[Item], known_twice: Collection[str]) -> list[Item]:
        """Those of some items that are new. `known_twice` are the ids of duplicates, which no item may have."""
        self.connection = connection
        stored = self._stored_content([each.id for each in items]) if self.some_before else {}
        new = [each for each in items if each.id not in stored]
        for each in items:
            if each.id in stored:
                self._skip_or_refuse(each, *stored[each.id])
        self.mistakes += [
            Mistake(f"item {each.id}", "is in the store as a duplicate", "give the item an id of its own")
            for each in new
            if each.id in known_twice
        ]
        if self.some_before:
            self.mistakes += self._apart_by_blanks([each.id for each in new])
        return new

    def _skip_or_refuse(self, each: Item, is_out: bool, before: Content) -> None:
        if differs := self._differences(before, _content(each)):
            what = f"is in the store with another content, in {', '.join(differs)}"
            hint = "an item keeps its content, hidden fields too: give the changed one a new id"
            self.mistakes.append(Mistake(f"item {each.id}", what, hint))
        else:
            self.count += 1
            self.taken_out += [each.id] * is_out

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


@cache
def systems_as_text(names: tuple[str, ...]) -> str:
    """The systems of an item as the store keeps them; the same few stand at all items."""
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
    return to_json(each.shown), to_json(each.hidden), systems_as_text(each.systems), each.group, each.batch
