"""How the items of a study are laid out for work: how many people each one needs, in which pilot, group and cell it is.

It follows from what is hidden (groups, systems, tags), and what it leaves behind are numbers that tell nobody anything:
only by these can the annotators' side of the store be fair without seeing what it must not see.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Any

from sqlalchemy import Connection, Text, bindparam, func, literal_column, select, update

from assay.assignment import lot
from assay.assignment.people_part import draw
from assay.items.fields import ABSENT, value_at
from assay.items.reference_items import CONTROLS
from assay.model import DrawnItem
from assay.store.annotator.annotator_counts import forget_had
from assay.store.annotator.participation import recount_items, recount_work
from assay.store.coordinator import people_part
from assay.store.engine.json_text import to_json
from assay.store.engine.prepared import Prepared
from assay.store.tables import EVERYBODY, WORK, item, item_hidden, pilot, study
from assay.study import Study

NOTHING = "[]"
"""Nothing is warned of."""
PLACE = ("wanted", "pilot", "group_number", "pair", "cell", "tagged", "queue")
PUT_DRAWN = Prepared(
    update(item_hidden).where(item_hidden.c.item_id == bindparam("item")).values(drawn=bindparam("probability"))
)


@dataclass(frozen=True, slots=True)
class _Found:
    """An item, with what its place follows from."""

    id: int
    name: str
    group: str
    systems: str
    batch: int
    tagged: bool
    drawn: float | None
    """With which probability it was drawn for people; None where nothing was drawn from it."""
    place: tuple[Any, ...]

    @property
    def unit(self) -> str:
        """What is drawn as one: a group where its items come together, otherwise the item."""
        return self.group or self.name


def arrange(connection: Connection, study_id: int, plan: Study) -> None:
    """Give every item its place in the work, and write what has changed."""
    # What an item shows and hides is long, and most plans do not ask for it.
    rows = WITH_TEXTS if _asks_for_tags(plan) else WITHOUT_TEXTS
    found = [_found(plan, row) for row in rows.rows(connection, study=study_id)]
    drawn = _draw_for_people(connection, study_id, plan, found)
    arranged = _Arranged(plan, found, drawn)
    note_warnings(connection, study_id, plan)
    _put(connection, [(each, arranged.place(each)) for each in found])
    _keep_probabilities(connection, found, drawn)
    known = select(func.count()).select_from(item).where(item.c.study_id == study_id, item.c.series == CONTROLS)
    connection.execute(
        update(study)
        .where(study.c.id == study_id)
        .values(
            arranged_for=plan.hash,
            control_count=known.scalar_subquery(),
            cells=len(arranged.pairs) if plan.assignment.counterbalance else 1,
        )
    )
    open_pilot(connection, study_id, _pilot(connection, study_id, plan))


@cache
def _change_of(names: tuple[str, ...]) -> Prepared:
    new: dict[str, Any] = {name: bindparam(f"new_{name}") for name in names}
    return Prepared(update(item).where(item.c.id == bindparam("item")).values(new))


def _put(connection: Connection, places: list[tuple[_Found, tuple[Any, ...]]]) -> None:
    """Write where items stand otherwise than before, and of each only what has changed: indexes follow every column."""
    changes: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for each, place in places:
        if place != each.place:
            new = {name: now for name, now, before in zip(PLACE, place, each.place, strict=True) if now != before}
            values = {f"new_{name}": now for name, now in new.items()}
            changes.setdefault(tuple(new), []).append({"item": each.id, **values})
    for names, rows in changes.items():
        _change_of(names).run_many(connection, rows)


def _keep_probabilities(connection: Connection, found: list[_Found], drawn: Mapping[str, DrawnItem]) -> None:
    now = {unit: each.probability for unit, each in drawn.items()}
    redrawn = [
        {"item": each.id, "probability": now.get(each.unit)} for each in found if now.get(each.unit) != each.drawn
    ]
    PUT_DRAWN.run_many(connection, redrawn)


def _draw_for_people(connection: Connection, study_id: int, plan: Study, found: list[_Found]) -> dict[str, DrawnItem]:
    """Of each unit, whether people are asked for it: as it was drawn before, or drawn now.

    By doubt lots are drawn when judges have left a doubt on everything that waits for it: those who come first would
    otherwise be drawn among themselves.
    """
    part = plan.assignment.people
    if part is None:
        return {}
    known = {each.unit: DrawnItem(each.drawn, each.place[0] > 0) for each in found if each.drawn is not None}
    new: dict[str, list[_Found]] = {}
    for each in found:
        if each.unit not in known:
            new.setdefault(each.unit, []).append(each)
    strata = {unit: " ".join(sorted(each.systems for each in items)) for unit, items in new.items()}
    doubts: dict[str, float] = {}
    if part.by == "doubt" and new:
        left = people_part.doubts(connection, study_id, plan)
        if any(each.id not in left for items in new.values() for each in items):
            return known
        doubts = {unit: fmean(left[each.id] for each in items) for unit, items in new.items()}
    return known | draw(part, plan.seed, strata, doubts)


def open_pilot(connection: Connection, study_id: int, number: int) -> None:
    """Give out the items of a pilot and of those before it; 0 opens everything."""
    of_work = [item.c.study_id == study_id, item.c.series == WORK, item.c.wanted > 0]
    if number:
        of_work.append(item.c.pilot.between(1, number))
    count = select(func.count()).select_from(item).where(*of_work).scalar_subquery()
    connection.execute(update(study).where(study.c.id == study_id).values(pilot=number, open_count=count))
    recount_items(connection, study_id)
    recount_work(connection, study_id)
    forget_had(connection, study_id)


def _pilot(connection: Connection, study_id: int, plan: Study) -> int:
    """The pilot that is under way: the first one until something has been decided."""
    if plan.analysis.pilot is None:
        return 0
    decided = connection.execute(select(pilot.c.round).where(pilot.c.study_id == study_id).limit(1)).first()
    now = connection.execute(select(study.c.pilot).where(study.c.id == study_id)).scalar_one()
    return int(now) if decided else 1


def _rows(*texts: Any) -> Prepared:
    of_hidden = (item_hidden.c.group, item_hidden.c.systems, item_hidden.c.drawn)
    return Prepared(
        select(item.c.id, item.c.name, item.c.batch, *of_hidden, *texts, *(item.c[name] for name in PLACE))
        .join(item_hidden, item_hidden.c.item_id == item.c.id)
        .where(item.c.study_id == bindparam("study"), item.c.series == WORK)
        .order_by(item.c.id)
    )


NO_TEXT: Any = literal_column("'{}'")
WITH_TEXTS, WITHOUT_TEXTS = _rows(item_hidden.c.hidden, item.c.shown), _rows(NO_TEXT, NO_TEXT)


def _asks_for_tags(plan: Study) -> bool:
    return plan.assignment.exposure is not None or plan.care.most_per_day is not None


def _found(plan: Study, row: tuple[Any, ...]) -> _Found:
    id_, name, batch, group, systems, drawn, hidden, shown, *place = row
    exposure, care = plan.assignment.exposure, plan.care
    tagged = False
    if _asks_for_tags(plan):
        fields: Mapping[str, Any] = {**json.loads(hidden), **json.loads(shown)}
        hard = care.warn if exposure is None else exposure.values
        value = value_at(fields, care.field if exposure is None else exposure.field)
        values = value if isinstance(value, list) else [] if value is ABSENT else [value]
        tagged = any(str(each) in hard for each in values)
    return _Found(id_, name, group, systems, batch, tagged, drawn, tuple(place))


WARN = Prepared(
    update(item).where(item.c.id == bindparam("item")).values(warnings=bindparam("new_warnings", type_=Text))
)


def note_warnings(connection: Connection, study_id: int, plan: Study) -> None:
    """Keep with each item, for practice too, what is warned of before it opens."""
    mine = item.c.study_id == study_id
    if not plan.care.warn:
        connection.execute(update(item).where(mine, item.c.warnings != NOTHING).values(warnings=NOTHING))
        return
    rows = select(item.c.id, item.c.warnings, item.c.shown, item_hidden.c.hidden).join(item_hidden).where(mine)
    changed = []
    for id_, before, shown, hidden in connection.execute(rows):
        value = value_at({**json.loads(hidden), **json.loads(shown)}, plan.care.field)
        now = NOTHING if value is ABSENT else to_json(plan.care.warnings_of(value))
        if now != before:
            changed.append({"item": id_, "new_warnings": now})
    WARN.run_many(connection, changed)


class _Arranged:
    """The plan of a study, worked out for its items."""

    def __init__(self, plan: Study, found: list[_Found], drawn: Mapping[str, DrawnItem]) -> None:
        self.plan = plan
        self.drawn = drawn
        self.groups = {name: number for number, name in enumerate(dict.fromkeys(each.unit for each in found))}
        self.pairs = {name: number for number, name in enumerate(dict.fromkeys(each.systems for each in found))}
        asked = [each for each in found if self._is_for_people(each)]
        self.block = self._first_by_lot(asked, "overlap", self._block_size(len(asked)))
        self.pilots = self._pilots(asked)

    def _is_for_people(self, each: _Found) -> bool:
        if self.plan.assignment.people is None:
            return True
        return each.unit in self.drawn and self.drawn[each.unit].drawn

    def _block_size(self, items: int) -> int:
        overlap = self.plan.assignment.overlap
        return 0 if overlap is None else -(-items * round(overlap.share * 10**6) // 10**6)

    def _pilots(self, found: list[_Found]) -> dict[str, int]:
        """Which items each pilot has: others for each."""
        asked = self.plan.analysis.pilot
        if asked is None:
            return {}
        drawn: dict[str, int] = {}
        order = self._by_lot(found, "pilot")
        for round_ in range(1, asked.rounds + 1):
            drawn |= dict.fromkeys(_first(order, asked.items), round_)
        return drawn

    def _first_by_lot(self, found: list[_Found], what: str, size: int) -> set[str]:
        """The first so many items of an order drawn by lot; groups that come together are not torn apart."""
        return set(_first(self._by_lot(found, what), size)) if size > 0 else set()

    def _by_lot(self, found: list[_Found], what: str) -> Iterator[tuple[str, int]]:
        """What comes together, in an order drawn by lot, each with how many items it has."""
        sizes = Counter(map(self._unit, found))
        for name in sorted(sizes, key=lambda name: lot(self.plan.seed, what, name)):
            yield name, sizes[name]

    def _unit(self, each: _Found) -> str:
        return each.unit if self.plan.assignment.together else each.name

    def place(self, each: _Found) -> tuple[Any, ...]:
        """The place of one item."""
        work = self.plan.assignment
        group, pair = self.groups[each.unit], self.pairs[each.systems]
        in_block = work.overlap is not None and self._unit(each) in self.block
        wanted = work.overlap.per_item if work.overlap is not None and in_block else work.annotators_of_item(EVERYBODY)
        wanted = wanted if self._is_for_people(each) else 0
        cell = (group + pair) % len(self.pairs) if work.counterbalance else 0
        queue = each.batch if work.batches == "in_order" else 0
        return wanted, self.pilots.get(self._unit(each), 0), group, pair, cell, each.tagged, queue


def _first(order: Iterator[tuple[str, int]], size: int) -> Iterator[str]:
    """The first of an order, until so many items are together; the rest of it stays."""
    left = size
    while left > 0 and (following := next(order, None)) is not None:
        name, items = following
        left -= items
        yield name
