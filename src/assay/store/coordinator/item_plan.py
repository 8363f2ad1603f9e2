"""How the items of a study are laid out for work: how many people each one needs, in which pilot, group and cell it is.

The plan is computed from hidden fields (groups, systems, tags), and stored as numbers that reveal nothing: so the
annotators' side of the store can balance items without reading what is hidden.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from statistics import fmean
from typing import Any

from sqlalchemy import ColumnElement, Connection, Text, and_, bindparam, case, func, literal_column, select, update

from assay.assignment import lot
from assay.assignment.people_part import draw
from assay.items.fields import ABSENT, value_at
from assay.items.reference_items import CONTROLS
from assay.model import DrawnItem
from assay.store.annotator.annotator_counts import forget_had
from assay.store.annotator.participation import GIVEN_OUT, recount_items, recount_work
from assay.store.coordinator import people_part
from assay.store.engine.json_text import to_json
from assay.store.engine.prepared import Prepared
from assay.store.tables import EVERYBODY, WORK, is_in_study, item, item_hidden, pilot, study
from assay.study import Study

NOTHING = "[]"
"""Nothing is warned of."""
PLACE = ("wanted", "pilot", "group_number", "pair", "cell", "tagged", "queue")
PUT_DRAWN = Prepared(
    update(item_hidden).where(item_hidden.c.item_id == bindparam("item")).values(drawn=bindparam("probability"))
)


@dataclass(frozen=True, slots=True)
class _ItemToPlan:
    """An item, with the facts that its place is computed from."""

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
        """The unit of a draw: the group where its items come together, otherwise the item."""
        return self.group or self.name


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The places of items that have changed, as rows to be written, each with its item."""

    places: dict[tuple[str, ...], list[dict[str, Any]]]
    """Rows by the columns of `PLACE` that have changed."""
    probabilities: list[dict[str, Any]]
    warnings: list[dict[str, Any]]
    cells: int

    def of_items(self, which: Callable[[int], bool]) -> "Arrangement":
        """The rows of some items only."""
        places = {names: _about(rows, which) for names, rows in self.places.items()}
        return replace(
            self,
            places={names: rows for names, rows in places.items() if rows},
            probabilities=_about(self.probabilities, which),
            warnings=_about(self.warnings, which),
        )

    def steps(self, size: int) -> Iterator["Arrangement"]:
        """The rows in parts of at most `size`."""
        nothing = Arrangement({}, [], [], self.cells)
        for names, rows in self.places.items():
            yield from (replace(nothing, places={names: some}) for some in _parts(rows, size))
        yield from (replace(nothing, probabilities=some) for some in _parts(self.probabilities, size))
        yield from (replace(nothing, warnings=some) for some in _parts(self.warnings, size))

    def __bool__(self) -> bool:
        """Whether anything has changed."""
        return bool(self.places or self.probabilities or self.warnings)


AS_BEFORE = Arrangement({}, [], [], cells=1)


def _parts(rows: list[dict[str, Any]], size: int) -> Iterator[list[dict[str, Any]]]:
    return (rows[start : start + size] for start in range(0, len(rows), size))


def _about(rows: list[dict[str, Any]], which: Callable[[int], bool]) -> list[dict[str, Any]]:
    return [row for row in rows if which(row["item"])]


def arrange(connection: Connection, study_id: int, plan: Study) -> None:
    """Give every item its place in the work, and write what has changed."""
    arrangement = work_out(connection, study_id, plan)
    if not plan.care.warn:
        warned = (is_in_study(study_id), item.c.warnings != NOTHING)
        connection.execute(update(item).where(*warned).values(warnings=NOTHING))
    put(connection, arrangement)
    finish(connection, study_id, plan, arrangement.cells)


def work_out(connection: Connection, study_id: int, plan: Study, *, with_arriving: bool = False) -> Arrangement:
    """Compute the places of all items; `with_arriving` includes those of an import that is under way."""
    # What an item shows and hides is long, and most plans do not ask for it.
    rows = ROWS[_asks_for_tags(plan), with_arriving]
    found = [_item_of_row(plan, row) for row in rows.rows(connection, study=study_id)]
    drawn = _draw_for_people(connection, study_id, plan, found)
    arranged = _Arranged(plan, found, drawn)
    places: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for each in found:
        place = arranged.place(each)
        if place != each.place:
            # Only changed columns are written, since each update of a column also updates its indexes.
            new = {name: now for name, now, before in zip(PLACE, place, each.place, strict=True) if now != before}
            values = {f"new_{name}": now for name, now in new.items()}
            places.setdefault(tuple(new), []).append({"item": each.id, **values})
    return Arrangement(
        places,
        _new_probabilities(found, drawn),
        _new_warnings(connection, study_id, plan, with_arriving),
        len(arranged.pairs) if plan.assignment.counterbalance else 1,
    )


def is_plain(plan: Study) -> bool:
    """Whether adding items moves no other: an item's place depends on itself and earlier items alone."""
    work, care = plan.assignment, plan.care
    drawn = work.overlap or work.people or plan.analysis.pilot or work.counterbalance
    return not (drawn or _asks_for_tags(plan) or care.warn or work.batches == "in_order")


def put(connection: Connection, arrangement: Arrangement) -> None:
    """Write the places that have changed."""
    for names, rows in arrangement.places.items():
        _change_of(names).run_many(connection, rows)
    PUT_DRAWN.run_many(connection, arrangement.probabilities)
    WARN.run_many(connection, arrangement.warnings)


def finish(
    connection: Connection, study_id: int, plan: Study, cells: int, added: Mapping[str, Any] | None = None
) -> None:
    """Update the counts beside a study that depend on the places of its items.

    Where items were added and no other has moved, `added` is what they add to each count.
    """
    known = select(func.count()).select_from(item).where(is_in_study(study_id), item.c.series == CONTROLS)
    values = {"arranged_for": plan.hash, "control_count": known.scalar_subquery(), "cells": cells}
    connection.execute(update(study).where(study.c.id == study_id).values(values))
    now = _pilot(connection, study_id, plan)
    if added is None or added["pilot"] != now:
        open_pilot(connection, study_id, now)
        return
    more = {name: study.c[name] + count for name, count in added.items() if name not in ("pilot", "batch_count")}
    batches = case((study.c.batch_count < added["batch_count"], added["batch_count"]), else_=study.c.batch_count)
    connection.execute(update(study).where(study.c.id == study_id).values(**more, batch_count=batches))
    forget_had(connection, study_id)


def count_arriving(connection: Connection, study_id: int, first: int) -> dict[str, Any]:
    """What the items from `first` on add to the counts beside their study. None of them is given out yet."""
    arriving = and_(item.c.study_id == study.c.id, item.c.series == WORK, item.c.id >= first)
    rows = (
        # An import may have no new items.
        select(
            study.c.pilot,
            func.count(item.c.id).label("item_count"),
            func.coalesce(func.sum(item.c.words), 0).label("word_count"),
            func.count(item.c.id).filter(item.c.tagged).label("hard_count"),
            func.count(item.c.id).filter(GIVEN_OUT).label("open_count"),
            (func.coalesce(func.max(item.c.batch), 0) + 1).label("batch_count"),
        )
        .select_from(study.outerjoin(item, arriving))
        .where(study.c.id == study_id)
        .group_by(study.c.pilot)
    )
    return dict(connection.execute(rows).mappings().one())


@cache
def _change_of(names: tuple[str, ...]) -> Prepared:
    new: dict[str, Any] = {name: bindparam(f"new_{name}") for name in names}
    return Prepared(update(item).where(item.c.id == bindparam("item")).values(new))


def _new_probabilities(found: list[_ItemToPlan], drawn: Mapping[str, DrawnItem]) -> list[dict[str, Any]]:
    now = {unit: each.probability for unit, each in drawn.items()}
    return [{"item": each.id, "probability": now.get(each.unit)} for each in found if now.get(each.unit) != each.drawn]


def _draw_for_people(
    connection: Connection, study_id: int, plan: Study, found: list[_ItemToPlan]
) -> dict[str, DrawnItem]:
    """For each unit whether people are asked to judge it: as drawn before, or drawn now.

    A draw by doubt waits until the judges' doubt about every undrawn item is known: else the first items would be drawn
    among themselves.
    """
    part = plan.assignment.people
    if part is None:
        return {}
    known = {each.unit: DrawnItem(each.drawn, each.place[0] > 0) for each in found if each.drawn is not None}
    new: dict[str, list[_ItemToPlan]] = {}
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
    of_work = [is_in_study(study_id), item.c.series == WORK, item.c.wanted > 0]
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


NO_TEXT: Any = literal_column("'{}'")


def _rows(with_texts: bool, with_arriving: bool) -> Prepared:
    of_hidden = (item_hidden.c.group, item_hidden.c.systems, item_hidden.c.drawn)
    texts = (item_hidden.c.hidden, item.c.shown) if with_texts else (NO_TEXT, NO_TEXT)
    return Prepared(
        select(item.c.id, item.c.name, item.c.batch, *of_hidden, *texts, *(item.c[name] for name in PLACE))
        .join(item_hidden, item_hidden.c.item_id == item.c.id)
        .where(_of_study(bindparam("study"), with_arriving), item.c.series == WORK)
        .order_by(item.c.id)
    )


def _of_study(study_id: Any, with_arriving: bool) -> ColumnElement[bool]:
    return item.c.study_id == study_id if with_arriving else is_in_study(study_id)


ROWS = {which: _rows(*which) for which in product((False, True), repeat=2)}


def _asks_for_tags(plan: Study) -> bool:
    return plan.assignment.exposure is not None or plan.care.most_per_day is not None


def _item_of_row(plan: Study, row: tuple[Any, ...]) -> _ItemToPlan:
    id_, name, batch, group, systems, drawn, hidden, shown, *place = row
    exposure, care = plan.assignment.exposure, plan.care
    tagged = False
    if _asks_for_tags(plan):
        fields: Mapping[str, Any] = {**json.loads(hidden), **json.loads(shown)}
        hard = care.warn if exposure is None else exposure.values
        value = value_at(fields, care.field if exposure is None else exposure.field)
        values = value if isinstance(value, list) else [] if value is ABSENT else [value]
        tagged = any(str(each) in hard for each in values)
    return _ItemToPlan(id_, name, group, systems, batch, tagged, drawn, tuple(place))


WARN = Prepared(
    update(item).where(item.c.id == bindparam("item")).values(warnings=bindparam("new_warnings", type_=Text))
)


def _new_warnings(connection: Connection, study_id: int, plan: Study, with_arriving: bool) -> list[dict[str, Any]]:
    """The warnings of items that have changed, practice included."""
    if not plan.care.warn:
        return []
    mine = _of_study(study_id, with_arriving)
    rows = select(item.c.id, item.c.warnings, item.c.shown, item_hidden.c.hidden).join(item_hidden).where(mine)
    changed = []
    for id_, before, shown, hidden in connection.execute(rows):
        value = value_at({**json.loads(hidden), **json.loads(shown)}, plan.care.field)
        now = NOTHING if value is ABSENT else to_json(plan.care.warnings_of(value))
        if now != before:
            changed.append({"item": id_, "new_warnings": now})
    return changed


class _Arranged:
    """The plan of a study, worked out for its items."""

    def __init__(self, plan: Study, found: list[_ItemToPlan], drawn: Mapping[str, DrawnItem]) -> None:
        self.plan = plan
        self.drawn = drawn
        self.groups = {name: number for number, name in enumerate(dict.fromkeys(each.unit for each in found))}
        self.pairs = {name: number for number, name in enumerate(dict.fromkeys(each.systems for each in found))}
        asked = [each for each in found if self._is_for_people(each)]
        self.block = self._first_by_lot(asked, "overlap", self._block_size(len(asked)))
        self.pilots = self._pilots(asked)

    def _is_for_people(self, each: _ItemToPlan) -> bool:
        if self.plan.assignment.people is None:
            return True
        return each.unit in self.drawn and self.drawn[each.unit].drawn

    def _block_size(self, items: int) -> int:
        overlap = self.plan.assignment.overlap
        return 0 if overlap is None else -(-items * round(overlap.share * 10**6) // 10**6)

    def _pilots(self, found: list[_ItemToPlan]) -> dict[str, int]:
        """The pilot of each drawn item; no item is in two."""
        asked = self.plan.analysis.pilot
        if asked is None:
            return {}
        drawn: dict[str, int] = {}
        order = self._by_lot(found, "pilot")
        for round_ in range(1, asked.rounds + 1):
            drawn |= dict.fromkeys(_first(order, asked.items), round_)
        return drawn

    def _first_by_lot(self, found: list[_ItemToPlan], what: str, size: int) -> set[str]:
        """The first so many items of an order drawn by lot; groups that come together are not split."""
        return set(_first(self._by_lot(found, what), size)) if size > 0 else set()

    def _by_lot(self, found: list[_ItemToPlan], what: str) -> Iterator[tuple[str, int]]:
        """The units in an order drawn by lot, each with its number of items."""
        sizes = Counter(map(self._unit, found))
        for name in sorted(sizes, key=lambda name: lot(self.plan.seed, what, name)):
            yield name, sizes[name]

    def _unit(self, each: _ItemToPlan) -> str:
        return each.unit if self.plan.assignment.together else each.name

    def place(self, each: _ItemToPlan) -> tuple[Any, ...]:
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
    """Take units from the front of an order until they have `size` items together; the rest stays in the iterator."""
    left = size
    while left > 0 and (following := next(order, None)) is not None:
        name, items = following
        left -= items
        yield name
