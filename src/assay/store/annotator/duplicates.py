"""Items that come to an annotator a second time: first those that the item file repeats, then others by lot."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, bindparam, exists, func, literal_column, or_, select

from assay.assignment import lot
from assay.store.annotator.assignments import AT_WORK, AT_WORK_TOO, MINE, OPEN
from assay.store.annotator.claim import Claim
from assay.store.annotator.places import OF_ITEM
from assay.store.engine.prepared import Prepared
from assay.store.tables import assignment, duplicate, item

DRAWS = 32
"""How many earlier items are drawn by lot before all of them are searched."""

_again = assignment.alias()
_COULD_COME_AGAIN = (
    select(assignment.c.item_id, item.c.pair, item.c.lot)
    .join(item, OF_ITEM)
    .where(
        MINE,
        assignment.c["pass"] == 1,
        item.c.series == literal_column("'work'"),
        # Hard content comes once.
        item.c.tagged.is_(False),
        ~exists().where(
            _again.c.annotator_id == assignment.c.annotator_id,
            _again.c.item_id == assignment.c.item_id,
            _again.c["pass"] > 1,
        ),
    )
)
_BEHIND = assignment.c.position < bindparam("before")
_SUBMITTED = assignment.c.state == literal_column("'submitted'")


@dataclass(frozen=True)
class _Sources:
    """The queries that find an item to repeat."""

    named: Prepared
    """Items that the item file repeats."""
    one: Prepared
    """The item that came at one position."""
    every: Prepared


def _sources(judged: ColumnElement[bool]) -> _Sources:
    could = _COULD_COME_AGAIN.where(judged)
    twice = select(duplicate.c.item_id).where(duplicate.c.study_id == bindparam("study"))
    return _Sources(
        named=Prepared(could.where(AT_WORK_TOO, _BEHIND, assignment.c.item_id.in_(twice))),
        one=Prepared(could.where(AT_WORK, assignment.c.position == bindparam("position"))),
        every=Prepared(could.where(AT_WORK, _BEHIND).order_by(assignment.c.position)),
    )


ON_SCREEN = _sources(_SUBMITTED)
ON_PAPER = _sources(_SUBMITTED | OPEN)


_came_again = assignment.alias()
NAMED_TO_COME = Prepared(
    select(func.count(duplicate.c.item_id.distinct()))
    .join(item, item.c.id == duplicate.c.item_id)
    .outerjoin(assignment, and_(OF_ITEM, MINE))
    .where(
        duplicate.c.study_id == bindparam("study"),
        item.c.tagged.is_(False),
        item.c.series == literal_column("'work'"),
        or_(assignment.c.id.is_not(None), item.c.taken < item.c.wanted),
        ~exists().where(
            _came_again.c.annotator_id == bindparam("annotator"),
            _came_again.c.item_id == item.c.id,
            _came_again.c["pass"] > 1,
        ),
    )
)
"""How many of the items that the file repeats can still come to an annotator a second time."""


def find_duplicate(connection: Connection, claim: Claim, position: int, missing: int = 0) -> tuple[int, int] | None:
    """An item that the annotator has judged before, far enough behind, and its pair of systems.

    Items that the item file repeats come first. None is drawn by lot as long as enough of these are still to come for
    the `missing` duplicates.
    """
    asked = claim.study.assignment.duplicates
    if asked is None:
        return None
    me, before = claim.annotator, position - asked.distance
    sources = ON_PAPER if claim.on_paper else ON_SCREEN
    start = lot(claim.study.seed, me.name, "again", str(position))
    rows: list[Any] = []
    if claim.study.items.duplicate_of or claim.by_name:
        rows = sources.named.rows(connection, study=me.study_id, annotator=me.id, before=before)
        if not rows and (claim.by_name or (missing > 0 and _count_to_come(connection, claim) >= missing)):
            return None
    if not rows:
        # Mostly one of the first that are drawn will do, however many there are.
        for number in range(DRAWS if before > DRAWS else 0):
            drawn = 1 + lot(start, str(number)) % (before - 1)
            if (row := sources.one.row(connection, annotator=me.id, position=drawn)) is not None:
                return row[0], row[1]
        rows = sources.every.rows(connection, annotator=me.id, before=before)
    found = min(rows, key=lambda row: lot(start, str(row[2])), default=None)
    return None if found is None else (found[0], found[1])


def _count_to_come(connection: Connection, claim: Claim) -> int:
    me = claim.annotator
    return int(NAMED_TO_COME.row(connection, study=me.study_id, annotator=me.id)[0])
