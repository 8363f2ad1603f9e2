"""Takes and frees the places of items: expired assignments are returned, and may be taken up again.

How long an item is held is a setting of the study: `study/assignment.py: AssignmentSettings.place_lasts_ms`.
"""

from dataclasses import dataclass

from sqlalchemy import BigInteger, Connection, Integer, and_, bindparam, func, literal_column, or_, select, update

from assay.items.reference_items import CONTROLS
from assay.store.annotator.assignments import AT_WORK, MINE, OPEN
from assay.store.engine.prepared import Prepared
from assay.store.tables import WITHDRAWN, WORK, assignment, item, study, submission

OF_ITEM = assignment.c.item_id == item.c.id
_CHANGED = (item.c.study_id, item.c.series, item.c.pilot, item.c.taken, item.c.wanted, item.c.pair)
TAKE = Prepared(
    update(item)
    .where(item.c.id == bindparam("item"), item.c.taken < item.c.wanted)
    .values(taken=item.c.taken + 1)
    .returning(*_CHANGED)
)
LATE = and_(assignment.c.study_id == bindparam("study"), OPEN, assignment.c.expires_at < bindparam("now"))
EXPIRED = Prepared(
    select(assignment.c.id)
    .where(LATE)
    .order_by(assignment.c.id)
    .limit(100)
    # An assignment that is being submitted at this moment is locked, and not returned.
    .with_for_update(skip_locked=True)
)
RETURN = Prepared(
    update(assignment)
    .where(assignment.c.id == bindparam("assignment"), OPEN)
    .values(state="returned")
    .returning(assignment.c.item_id, assignment.c["pass"])
)
# Items of the work have places. What was taken out keeps its own, to have them when it comes back.
_HAS_PLACES = or_(item.c.series == literal_column("'work'"), item.c.series == literal_column("'withdrawn'"))
FREE = Prepared(
    update(item).where(item.c.id == bindparam("item"), _HAS_PLACES).values(taken=item.c.taken - 1).returning(*_CHANGED)
)
# Counted among what is given out by now, as `participation.GIVEN_OUT` says it of all items.
KEEP_COUNT = Prepared(
    update(study)
    .where(
        study.c.id == bindparam("study"),
        or_(study.c.pilot == 0, bindparam("item_pilot", type_=Integer).between(1, study.c.pilot)),
    )
    .values(
        taken_places=study.c.taken_places + bindparam("places"), taken_items=study.c.taken_items + bindparam("items")
    )
)
_FIRST = and_(submission.c.assignment_id == assignment.c.id, submission.c.revision == literal_column("1"))
MINE_DONE = Prepared(
    select(assignment.c.id, assignment.c.item_id)
    .join(item, OF_ITEM)
    .join(submission, _FIRST)
    .where(
        MINE,
        AT_WORK,
        assignment.c.state == literal_column("'submitted'"),
        assignment.c["pass"] == literal_column("1"),
        _HAS_PLACES,
        submission.c.surplus.is_(False),
        assignment.c.freed_at.is_(None),
    )
    .order_by(assignment.c.id)
)
SET_FREED = Prepared(
    update(assignment)
    .where(assignment.c.id == bindparam("assignment"))
    .values(freed_at=bindparam("at", type_=BigInteger))
)
NOT_DONE = Prepared(
    update(assignment)
    .where(MINE, AT_WORK, assignment.c.state == literal_column("'returned'"))
    .values(freed_at=bindparam("at", type_=BigInteger))
)
MINE_FREED = Prepared(
    select(assignment.c.id, assignment.c.item_id, submission.c.surplus.is_(False).label("had_a_place"))
    .select_from(assignment.join(submission, _FIRST, isouter=True))
    .where(MINE, assignment.c.freed_at.is_not(None))
    .order_by(assignment.c.id)
)
MINE_OPEN = Prepared(select(assignment.c.id).where(MINE, AT_WORK, OPEN).order_by(assignment.c.id))
RETURNED = and_(assignment.c.state == literal_column("'returned'"), assignment.c.freed_at.is_(None))
MINE_RETURNED = Prepared(
    select(assignment.c.position, assignment.c.id, assignment.c.item_id, assignment.c["pass"], item.c.series)
    .join(item, OF_ITEM)
    .where(MINE, AT_WORK, RETURNED)
)
"""Sorted by the caller: with ORDER BY the database may scan everything that somebody ever had."""
TAKE_UP = Prepared(
    update(assignment)
    .where(assignment.c.id == bindparam("assignment"))
    .values(state="open", expires_at=bindparam("new_expires_at"))
)


# On PostgreSQL a transaction that takes, frees or counts several places locks the items of a study exclusively: two
# that lock several items each, in different orders, would deadlock. Transactions that take one place each share the
# lock: each locks its item, then the study's count, so there is no deadlock. SQLite serialises all writes anyway.
ALONE = Prepared(select(func.pg_advisory_xact_lock(bindparam("study", type_=BigInteger))))
BESIDE_OTHERS = Prepared(select(func.pg_advisory_xact_lock_shared(bindparam("study", type_=BigInteger))))


def lock_pool(connection: Connection, study_id: int, *, one_place: bool = False) -> bool:
    """Lock the items of a study until the transaction ends. Taken after the lock of an annotator, never before.

    With `one_place` the lock is shared with others who take one place each; it may not be upgraded afterwards. Returns
    whether others may have changed something while this waited.
    """
    if connection.dialect.name != "postgresql":
        return False
    (BESIDE_OTHERS if one_place else ALONE).row(connection, study=study_id)
    return True


@dataclass(frozen=True, slots=True)
class Place:
    """A place that was just taken, with its item's counts."""

    study_id: int
    series: str
    pilot: int
    taken: int
    wanted: int
    pair: int
    """The pair of systems that the item compares."""


def take(connection: Connection, item_id: int) -> bool:
    """Take a place of an item and count it; False where none is free."""
    place = take_uncounted(connection, item_id)
    if place is not None:
        count(connection, place)
    return place is not None


def take_uncounted(connection: Connection, item_id: int) -> Place | None:
    """Take a place without counting it: call `count` at the end of the transaction, since it locks the study's row."""
    row = TAKE.row(connection, item=item_id)
    return None if row is None else Place(*row)


def count(connection: Connection, place: Place) -> None:
    """Add a place to the study's count of taken places."""
    if place.series == WORK:
        full = int(place.taken == place.wanted)
        KEEP_COUNT.run(connection, study=place.study_id, item_pilot=place.pilot, places=1, items=full)


def free(connection: Connection, item_id: int) -> None:
    """Free a place of an item. Where more people have the item than it needs, no place comes free."""
    row = FREE.row(connection, item=item_id)
    if row is not None and row[1] == WORK and row[3] < row[4]:
        study_id, _, pilot, taken, wanted, _ = row
        KEEP_COUNT.run(connection, study=study_id, item_pilot=pilot, places=-1, items=-int(taken + 1 == wanted))


def return_expired(connection: Connection, study_id: int, now: int) -> int:
    """Return expired assignments, so that others get their items; returns how many."""
    found = EXPIRED.rows(connection, study=study_id, now=now)
    for row in found:
        give_back(connection, row[0])
    return len(found)


def return_all_of(connection: Connection, study_id: int, annotator_id: int) -> None:
    """Return all open assignments of somebody who will not go on."""
    lock_pool(connection, study_id)
    for row in MINE_OPEN.rows(connection, annotator=annotator_id):
        give_back(connection, row[0])


def free_all_of(connection: Connection, study_id: int, annotator_id: int, now: int) -> int:
    """Free every place of somebody whose work no longer counts, for good; returns how many they had judged.

    Their judgments stay, and answers that still come in from them are surplus.
    """
    return_all_of(connection, study_id, annotator_id)
    NOT_DONE.run(connection, annotator=annotator_id, at=now)
    done = MINE_DONE.rows(connection, annotator=annotator_id)
    for assignment_id, item_id in done:
        free(connection, item_id)
        SET_FREED.run(connection, assignment=assignment_id, at=now)
    return len(done)


def holds_places(connection: Connection, annotator_id: int) -> bool:
    """Whether somebody holds a place, by an open assignment or a judged item."""
    mine = (MINE_OPEN, MINE_DONE)
    return any(each.row(connection, annotator=annotator_id) is not None for each in mine)


def take_back_all_of(connection: Connection, study_id: int, annotator_id: int) -> tuple[int, int]:
    """Take back the places of somebody whose work counts again, as far as nobody else has taken them.

    Returns how many were taken back, and how many others keep. Judgments that were surplus before stay surplus.
    """
    lock_pool(connection, study_id)
    back = away = 0
    for assignment_id, item_id, had_a_place in MINE_FREED.rows(connection, annotator=annotator_id):
        if had_a_place:
            if not take(connection, item_id):
                away += 1
                continue
            back += 1
        SET_FREED.run(connection, assignment=assignment_id, at=None)
    return back, away


def give_back(connection: Connection, assignment_id: int) -> None:
    """Return one open assignment. Its place is free again, unless it was a second pass or a control."""
    row = RETURN.row(connection, assignment=assignment_id)
    if row is not None and row[1] == 1:
        free(connection, row[0])


def take_up_again(connection: Connection, annotator_id: int, most: int, expires_at: int) -> int:
    """Reopen up to `most` returned assignments whose places are still free, with their drafts; returns how many."""
    found = 0
    for _, assignment_id, item_id, pass_, series in sorted(MINE_RETURNED.rows(connection, annotator=annotator_id)):
        if found >= most:
            break
        if series == WITHDRAWN:
            continue
        if pass_ > 1 or series == CONTROLS or take(connection, item_id):
            TAKE_UP.run(connection, assignment=assignment_id, new_expires_at=expires_at)
            found += 1
    return found
