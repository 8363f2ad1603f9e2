"""The list of an annotator's own items: what each begins with, and how far it is."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, and_, bindparam, exists, func, literal_column, select

from assay.sides_and_candidates import on_screen
from assay.store.annotator.assignments import AT_WORK, MINE, OF_SUBMISSION, OPEN
from assay.store.engine.prepared import Prepared
from assay.store.tables import WORK, assignment, draft, item, problem, submission

State = Literal["done", "changed", "begun", "open", "declined"]


@dataclass(frozen=True, slots=True)
class ListedItem:
    """One of an annotator's items, as their list shows it."""

    public_id: str
    position: int
    state: State
    """done; changed since and not submitted again; begun; open: not begun; declined: the annotator left it out."""
    reported: bool
    """Whether the annotator has reported a problem with it."""
    batch: int
    """The number of its batch, from 1; 0 where it is in none of its own."""
    shown: dict[str, Any]
    is_covered: bool
    """Whether a warning stands before it, and it was never shown."""


_LAST = (
    select(func.max(submission.c.submitted_at)).where(OF_SUBMISSION).correlate(assignment).scalar_subquery().label("at")
)
# Literals, not parameters, as everywhere: only then can the database use its partial indexes.
LISTED = Prepared(
    select(
        assignment.c.public_id,
        assignment.c.position,
        assignment.c.state,
        assignment.c["pass"].label("number"),
        assignment.c.swapped,
        item.c.shown,
        item.c.batch,
        item.c.series,
        draft.c.saved_at,
        _LAST,
        exists().where(problem.c.assignment_id == assignment.c.id).label("reported"),
        and_(item.c.warnings != literal_column("'[]'"), assignment.c.opened_at.is_(None)).label("covered"),
    )
    .join(item, item.c.id == assignment.c.item_id)
    .outerjoin(draft, draft.c.assignment_id == assignment.c.id)
    .where(
        MINE,
        AT_WORK,
        assignment.c.state != literal_column("'returned'"),
        assignment.c.position > bindparam("after"),
        assignment.c.position <= bindparam("up_to"),
    )
    .order_by(assignment.c.position)
)
AT_POSITION = Prepared(
    select(assignment.c.public_id).where(MINE, AT_WORK, assignment.c.position == bindparam("position"))
)
COUNTS = Prepared(
    select(
        func.count().filter(OPEN),
        func.count().filter(assignment.c.state == literal_column("'submitted'")),
        func.coalesce(func.max(assignment.c.position), 0),
    )
    .select_from(assignment)
    .where(MINE, AT_WORK)
)


def items_between(connection: Connection, annotator_id: int, after: int, up_to: int) -> list[ListedItem]:
    """The items of an annotator behind one position and up to another, as far as they are given out."""
    rows = LISTED.named_rows(connection, annotator=annotator_id, after=after, up_to=up_to)
    return [_listed_item(row) for row in rows]


def items_at(connection: Connection, annotator_id: int, positions: Sequence[int]) -> list[ListedItem]:
    """The items of an annotator at some positions, in that order."""
    if not positions:
        return []
    between = items_between(connection, annotator_id, min(positions) - 1, max(positions))
    found = {each.position: each for each in between}
    return [found[position] for position in positions if position in found]


def _listed_item(row: Any) -> ListedItem:
    own_batch = row.series == WORK and row.number == 1
    return ListedItem(
        public_id=row.public_id,
        position=row.position,
        state=_state(row),
        reported=bool(row.reported),
        batch=row.batch + 1 if own_batch else 0,
        shown=on_screen(json.loads(row.shown), row.swapped),
        is_covered=bool(row.covered) and row.state != "submitted",
    )


def _state(row: Any) -> State:
    if row.state == "declined":
        return "declined"
    if row.state == "submitted":
        return "changed" if (row.saved_at or 0) > (row.at or 0) else "done"
    return "begun" if row.saved_at else "open"


def at_position(connection: Connection, annotator_id: int, position: int) -> str | None:
    """The item that an annotator has at a position, by its public id."""
    row = AT_POSITION.row(connection, annotator=annotator_id, position=position)
    return None if row is None else str(row[0])


@dataclass(frozen=True, slots=True)
class OwnCounts:
    """How many items an annotator has."""

    open: int
    submitted: int
    last: int
    """The highest position."""


def own_counts(connection: Connection, annotator_id: int) -> OwnCounts:
    """How many items an annotator has been given, and how many they have submitted."""
    return OwnCounts(*map(int, COUNTS.row(connection, annotator=annotator_id)))
