"""Giving out items: one that fewer than k people have, drawn from the seed, and on which side each candidate stands.

Like `work`, this is the annotator's side of the store: it reads nothing that is hidden.
"""

import secrets
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, bindparam, exists, func, insert, select, update

from assay.assignment import Candidate, Order, lot
from assay.store.prepared import Prepared
from assay.store.tables import assignment, item
from assay.store.work import LOCK, MINE, OPEN
from assay.study import Study

WINDOW = 16
"""How many items are looked at when one is given out."""

MOST_ALIKE = 3
"""So many times in a row at most do the candidates stand the same way round."""

# Giving out items. The annotator's row is the lock: two tabs that ask at once get the same item.
OPEN_COUNT = Prepared(select(func.count()).select_from(assignment).where(MINE, OPEN))
LAST_POSITION = Prepared(select(func.max(assignment.c.position)).where(MINE))
_NOT_MINE = ~exists().where(assignment.c.item_id == item.c.id, MINE)
_FREE = (
    select(item.c.id, item.c.lot, item.c.taken).where(item.c.study_id == bindparam("study"), _NOT_MINE).limit(WINDOW)
)
_BATCH = item.c.batch == bindparam("batch")
_LEVEL = item.c.taken == bindparam("level")
_AFTER, _BEFORE = item.c.lot >= bindparam("start"), item.c.lot < bindparam("start")


@dataclass(frozen=True)
class Pool:
    """The items that are given out next: all of a study, or one batch of it."""

    after: Prepared
    """Among the least judged items, onwards from a place drawn by lot."""
    before: Prepared
    """The same from the beginning."""
    in_order: Prepared
    lowest: Prepared


def _pool(*within: ColumnElement[bool]) -> Pool:
    by_lot = (item.c.lot, item.c.id)
    lowest = select(func.min(item.c.taken)).where(item.c.study_id == bindparam("study"), *within)
    return Pool(
        Prepared(_FREE.where(*within, _LEVEL, _AFTER).order_by(*by_lot)),
        Prepared(_FREE.where(*within, _LEVEL, _BEFORE).order_by(*by_lot)),
        Prepared(_FREE.where(*within, item.c.taken < bindparam("most")).order_by(item.c.id)),
        Prepared(lowest),
    )


WHOLE, OF_BATCH = _pool(), _pool(_BATCH)
LAST_BATCH = Prepared(select(func.max(item.c.batch)).where(item.c.study_id == bindparam("study")))
MY_BATCH = Prepared(
    select(item.c.batch)
    .join(assignment, assignment.c.item_id == item.c.id)
    .where(MINE)
    .order_by(assignment.c.position.desc())
    .limit(1)
)
TAKE = Prepared(
    update(item).where(item.c.id == bindparam("item"), item.c.taken < bindparam("most")).values(taken=item.c.taken + 1)
)
GIVE = Prepared(
    insert(assignment).values(
        study_id=bindparam("study_id"),
        annotator_id=bindparam("annotator_id"),
        item_id=bindparam("item_id"),
        position=bindparam("position"),
        public_id=bindparam("public_id"),
        submission_id=bindparam("submission_id"),
        created_at=bindparam("created_at"),
        swapped=bindparam("swapped"),
    )
)
LAST_SIDES = Prepared(
    select(assignment.c.swapped)
    .where(MINE, assignment.c.swapped.is_not(None))
    .order_by(assignment.c.position.desc())
    .limit(MOST_ALIKE)
)


def claim(
    connection: Connection,
    study_id: int,
    annotator_id: int,
    name: str,
    study: Study,
    order: Order,
    now: int,
    *,
    ahead: int = 0,
    share: int = 0,
) -> None:
    """Give an annotator items until one is open, and so many more ahead of it as are within the share."""
    LOCK.row(connection, annotator=annotator_id)
    is_open = OPEN_COUNT.row(connection, annotator=annotator_id)[0]
    if is_open > ahead:
        return
    position = LAST_POSITION.row(connection, annotator=annotator_id)[0] or 0
    last = min(position + 1 + ahead - is_open, max(share, position + (0 if is_open else 1)))
    for number in range(position + 1, last + 1):
        if not _give(connection, study_id, annotator_id, name, study, order, number, now):
            return


def _give(
    connection: Connection,
    study_id: int,
    annotator_id: int,
    name: str,
    study: Study,
    order: Order,
    position: int,
    now: int,
) -> bool:
    """Give out one item that fewer than k people have; False where there is none."""
    most = study.assignment.per_item
    start = lot(study.seed, name, str(position))
    for candidate in _candidates(connection, study_id, annotator_id, study, start, order):
        if TAKE.run(connection, item=candidate.item, most=most) == 1:
            GIVE.run(
                connection,
                study_id=study_id,
                annotator_id=annotator_id,
                item_id=candidate.item,
                position=position,
                public_id=secrets.token_urlsafe(16),
                submission_id=secrets.token_urlsafe(16),
                created_at=now,
                swapped=_swapped(connection, annotator_id, study, start, candidate),
            )
            return True
    return False


def _swapped(connection: Connection, annotator_id: int, study: Study, start: int, candidate: Candidate) -> bool | None:
    """Who stands on the left: drawn once, kept, and never the same way round too often in a row."""
    if study.items.candidates is None:
        return None
    before = [bool(row[0]) for row in LAST_SIDES.rows(connection, annotator=annotator_id)]
    if len(before) == MOST_ALIKE and len(set(before)) == 1:
        return not before[0]
    return bool(lot(start, "side", str(candidate.lot)) & 1)


def _candidates(
    connection: Connection, study_id: int, annotator_id: int, study: Study, start: int, order: Order
) -> list[Candidate]:
    """Some items that this annotator could be given, best first."""
    who = {"study": study_id, "annotator": annotator_id}
    if study.assignment.batches == "mixed":
        return _ranked(connection, WHOLE, who, study.assignment.per_item, start, order)
    mine = MY_BATCH.row(connection, annotator=annotator_id)
    now, last = mine[0] if mine else 0, batches(connection, study_id) - 1
    # Onwards from the batch at hand; what has come free in an earlier one since comes last.
    for batch in (*range(now, last + 1), *range(now)):
        if found := _ranked(connection, OF_BATCH, {**who, "batch": batch}, study.assignment.per_item, start, order):
            return found
    return []


def _ranked(
    connection: Connection, pool: Pool, who: dict[str, int], most: int, start: int, order: Order
) -> list[Candidate]:
    if not order.balanced:
        return order.rank([Candidate(*row) for row in pool.in_order.rows(connection, **who, most=most)], start)
    of_pool = {name: value for name, value in who.items() if name != "annotator"}
    lowest = pool.lowest.row(connection, **of_pool)[0]
    for level in range(most if lowest is None else lowest, most):
        rows = pool.after.rows(connection, **who, level=level, start=start)
        if len(rows) < WINDOW:
            rows += pool.before.rows(connection, **who, level=level, start=start)
        if rows:
            return order.rank([Candidate(*row) for row in rows], start)
    return []


def batches(connection: Connection, study_id: int) -> int:
    """How many batches a study's items have."""
    return int(LAST_BATCH.row(connection, study=study_id)[0] or 0) + 1
