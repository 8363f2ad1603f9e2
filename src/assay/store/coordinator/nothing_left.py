"""Who has nothing left to judge: no open assignment, and no item that could still be given to them."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, func, select

from assay.store.annotator.assignments import AT_WORK
from assay.store.annotator.participation import GIVEN_OUT, TAKES_PART
from assay.store.annotator.places import OF_ITEM
from assay.store.tables import WITHDRAWN, WORK, annotator, assignment, is_in_study, item, study
from assay.study import Study

Kind = tuple[int, bool]
"""Whom an item is for, in a Latin square, and whether it has hard content: what decides who can get it."""


def with_nothing_left(connection: Connection, study_id: int, of: Study, last: Mapping[int, int]) -> set[int]:
    """Which of these people have nothing left to judge; `last` has the time of each one's last submission.

    Somebody whose last assignment expired has not come to the end, unless they submitted something after that. The
    queries read the items once and the assignments once.
    """
    through = _who_take_part(connection, study_id) & last.keys()
    through -= _with_items_before_them(connection, study_id, last)
    if not through:
        return set()
    free = _Free.of(connection, study_id, of)
    return {who for who in through if not free.has_one_for(who)}


def _who_take_part(connection: Connection, study_id: int) -> set[int]:
    return set(connection.execute(select(annotator.c.id).where(annotator.c.study_id == study_id, TAKES_PART)).scalars())


def _with_items_before_them(connection: Connection, study_id: int, last: Mapping[int, int]) -> set[int]:
    """Annotators with an open assignment, or with one that expired after their last submission."""
    is_open = func.max(case((assignment.c.state == "open", 1), else_=0))
    went_back = func.max(case((assignment.c.state == "returned", assignment.c.expires_at)))
    rows = connection.execute(
        select(assignment.c.annotator_id, is_open, went_back)
        .join(item, OF_ITEM)
        .where(assignment.c.annotator_id.in_(_mine(study_id)), AT_WORK, item.c.series != WITHDRAWN)
        .where(assignment.c.state.in_(("open", "returned")))
        .group_by(assignment.c.annotator_id)
    )
    return {who for who, lies, until in rows if lies or (until is not None and until >= last.get(who, 0))}


@dataclass(frozen=True, slots=True)
class _Free:
    """How many items still need annotators, by kind, and what keeps each annotator from getting them."""

    items: Mapping[Kind, int]
    """How many there are of each kind."""
    had: Mapping[tuple[int, Kind], int]
    """How many of these items each annotator has had."""
    cells: Mapping[int, int]
    full: Collection[int]
    """Who has had as many items as one person gets at most."""
    no_more_hard: Collection[int]
    """Who has had as many items with hard content as one person gets at most."""

    @classmethod
    def of(cls, connection: Connection, study_id: int, plan: Study) -> "_Free":
        free = (is_in_study(study_id), item.c.series == WORK, GIVEN_OUT, item.c.taken < item.c.wanted)
        kind = (item.c.cell, item.c.tagged)
        of_study = select(*kind, func.count()).join(study, study.c.id == item.c.study_id)
        items = {(cell, tagged): n for cell, tagged, n in connection.execute(of_study.where(*free).group_by(*kind))}
        work, squared = plan.assignment, plan.assignment.counterbalance
        return cls(
            items=items,
            had=_had(connection, study_id, and_(*free)) if items else {},
            cells=_cells(connection, study_id) if items and squared else {},
            full=_full(connection, study_id, work.most_items),
            no_more_hard=_no_more_hard(connection, study_id, work.exposure.at_most) if work.exposure else (),
        )

    def has_one_for(self, who: int) -> bool:
        """Whether an annotator could be given one of these items."""
        if who in self.full:
            return False
        mine = (
            (self.cells.get(who, 0), tagged) for tagged in (False, True) if not (tagged and who in self.no_more_hard)
        )
        return any(self.items.get(kind, 0) > self.had.get((who, kind), 0) for kind in mine)


def _mine(study_id: int) -> Any:
    return select(annotator.c.id).where(annotator.c.study_id == study_id)


def _had(connection: Connection, study_id: int, free: ColumnElement[bool]) -> dict[tuple[int, Kind], int]:
    """How many of the free items each annotator has had. Returned assignments do not count: they can come again."""
    counts = Counter[tuple[int, Kind]]()
    rows = connection.execute(
        select(assignment.c.annotator_id, item.c.cell, item.c.tagged, func.count())
        .select_from(assignment)
        .join(item, OF_ITEM)
        .join(study, study.c.id == item.c.study_id)
        .where(assignment.c.annotator_id.in_(_mine(study_id)), AT_WORK, assignment.c["pass"] == 1)
        .where(assignment.c.state != "returned", free)
        .group_by(assignment.c.annotator_id, item.c.cell, item.c.tagged)
    )
    for who, cell, tagged, n in rows:
        counts[who, (cell, tagged)] = n
    return counts


def _cells(connection: Connection, study_id: int) -> dict[int, int]:
    rows = connection.execute(select(annotator.c.id, annotator.c.cell).where(annotator.c.study_id == study_id))
    return {who: cell or 0 for who, cell in rows}


def _full(connection: Connection, study_id: int, most: int | None) -> Collection[int]:
    if most is None:
        return ()
    given = (assignment.c.annotator_id.in_(_mine(study_id)), AT_WORK)
    rows = select(assignment.c.annotator_id).where(*given).group_by(assignment.c.annotator_id)
    return set(connection.execute(rows.having(func.max(assignment.c.position) >= most)).scalars())


def _no_more_hard(connection: Connection, study_id: int, most: int) -> Collection[int]:
    hard = (assignment.c.annotator_id.in_(_mine(study_id)), AT_WORK, item.c.tagged)
    rows = select(assignment.c.annotator_id).join(item, OF_ITEM).where(*hard).group_by(assignment.c.annotator_id)
    return set(connection.execute(rows.having(func.count() >= most)).scalars())
