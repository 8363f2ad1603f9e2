"""Verifies and repairs the counts that the store caches.

A wrong one is no damage: no data are lost, and it can be counted again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Table, and_, func, select, update

from assay.items.reference_items import CONTROLS
from assay.store.annotator.participation import GIVEN_OUT, TAKES_PART, TAKES_PLACE, counts_of_items, filled_places
from assay.store.annotator.places import lock_pool
from assay.store.tables import IS_IN_THE_STUDY, WITHDRAWN, WORK, annotator, assignment, item, study, submission


@dataclass(frozen=True, slots=True)
class WrongCount:
    """A cached count that is wrong."""

    table: Table = field(repr=False)  # it would fill a screen
    id: int
    study_id: int
    column: str
    counted: int
    says: str


COUNTED_BY_TAKEN = ("taken_places", "taken_items")


def compare_counts(connection: Connection) -> Iterator[WrongCount | None]:
    """Recount every cached number; yields None for each that is right."""
    wrong = set()
    for each in _of_items(connection):
        wrong |= set() if each is None else {each.study_id}
        yield each
    for each in _of_studies(connection):
        # A count that depends on a wrong one cannot be judged: it is checked when that is put right.
        unknown = each is not None and each.column in COUNTED_BY_TAKEN and each.study_id in wrong
        yield None if unknown else each


def put_counts_right(connection: Connection) -> list[WrongCount]:
    """Set every wrong number to its recount. Returns those that were wrong."""
    for study_id in connection.execute(select(study.c.id).order_by(study.c.id)).scalars().all():
        lock_pool(connection, study_id)
    wrong: list[WrongCount] = []
    for check in (_of_items, _of_studies):  # what is counted of a study follows from its items
        found = [each for each in check(connection) if each is not None]
        for each in found:
            named = update(each.table).where(each.table.c.id == each.id)
            connection.execute(named.values({each.column: each.counted}))
        wrong += found
    return wrong


def _of_items(connection: Connection) -> Iterator[WrongCount | None]:
    given = (
        select(assignment.c.id, assignment.c.item_id)
        .join(annotator, annotator.c.id == assignment.c.annotator_id)
        .where(TAKES_PLACE)
        .subquery()
    )
    # What came too late takes nobody's place.
    late = and_(submission.c.assignment_id == given.c.id, submission.c.revision == 1, submission.c.surplus)
    rows = connection.execute(
        select(
            item.c.id, item.c.study_id, item.c.name, item.c.taken, func.count(given.c.id) - func.count(submission.c.id)
        )
        .select_from(item)
        .outerjoin(given, given.c.item_id == item.c.id)
        .outerjoin(submission, late)
        .where(item.c.series.in_((WORK, WITHDRAWN)))
        .group_by(item.c.id, item.c.study_id, item.c.name, item.c.taken)
    )
    for id_, study_id, name, taken, count in rows:
        says = f"item {name}: {taken} places are taken, {count} assignments take one"
        yield None if taken == count else WrongCount(item, id_, study_id, "taken", count, says)


def _of_studies(connection: Connection) -> Iterator[WrongCount | None]:
    mine, work = IS_IN_THE_STUDY, item.c.series == WORK
    real = {
        "control_count": _count(item).where(mine, item.c.series == CONTROLS),
        "open_count": _count(item).where(mine, work, GIVEN_OUT),
        "annotator_count": _count(annotator).where(annotator.c.study_id == study.c.id, TAKES_PART),
    }
    counts = {name: count.correlate(study).scalar_subquery() for name, count in real.items()} | counts_of_items()
    for column, count in counts.items():
        for id_, name, kept, found in connection.execute(select(study.c.id, study.c.name, study.c[column], count)):
            says = f"study {name}: {column} is {kept}, there are {found}"
            yield None if kept == found else WrongCount(study, id_, id_, column, found, says)
    filled = ("filled_places", "filled_items")
    studies = select(study.c.id, study.c.name, *(study.c[each] for each in filled))
    for id_, name, *kept in connection.execute(studies).all():
        for column, was, found in zip(filled, kept, filled_places(connection, id_), strict=True):
            says = f"study {name}: {column} is {was}, there are {found}"
            yield None if was == found else WrongCount(study, id_, id_, column, found, says)


def _count(table: Any) -> Any:
    return select(func.count()).select_from(table)
