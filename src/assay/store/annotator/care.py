"""Care for those who judge: items opened after a warning, how many in a day, and how somebody said they are."""

from dataclasses import dataclass

from sqlalchemy import (
    BindParameter,
    Connection,
    and_,
    bindparam,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)

from assay.pace import DAY, PaceLimit
from assay.store.annotator.assignments import AT_WORK, MINE, OF_SUBMISSION, OPEN
from assay.store.engine.prepared import Prepared
from assay.store.tables import assignment, check_in, item, submission
from assay.study import Study

_SINCE: BindParameter[int] = bindparam("since")
_NOT_OPENED = assignment.c.opened_at.is_(None)
# What is judged on a sheet or by a script is not opened on a page: it counts when it was submitted.
_JUDGED_SINCE = and_(_NOT_OPENED, exists().where(OF_SUBMISSION, submission.c.submitted_at > _SINCE))
_WAITS = and_(_NOT_OPENED, OPEN)
HARD = Prepared(
    select(func.count(), func.min(assignment.c.opened_at))
    .select_from(assignment)
    .join(item, item.c.id == assignment.c.item_id)
    .where(MINE, AT_WORK, item.c.tagged, or_(assignment.c.opened_at > _SINCE, _JUDGED_SINCE, _WAITS))
)
OPENING = Prepared(
    update(assignment)
    .where(MINE, assignment.c.public_id == bindparam("public_id"), _NOT_OPENED)
    .values(opened_at=bindparam("at"))
)
LAST_CHECK_IN = Prepared(
    select(func.coalesce(func.max(check_in.c.judged), literal_column("0"))).where(
        check_in.c.annotator_id == bindparam("annotator")
    )
)


def open_item(connection: Connection, annotator_id: int, public_id: str, now: int) -> None:
    """Record that somebody opened an item after its warning; a second time changes nothing."""
    OPENING.run(connection, annotator=annotator_id, public_id=public_id, at=now)


def hard_items_left(connection: Connection, annotator_id: int, study: Study, now: int) -> int | None:
    """How many more items with a warning somebody can be given now; None: there is no limit by day.

    Counted are those opened in the last 24 hours, and those that wait to be opened.
    """
    most = study.care.most_per_day
    return None if most is None else most - HARD.row(connection, annotator=annotator_id, since=now - DAY)[0]


def enough_hard_items(connection: Connection, annotator_id: int, study: Study, now: int) -> PaceLimit | None:
    """The limit of items with a warning in 24 hours, and until when it lasts; None where it is not reached."""
    most = study.care.most_per_day
    if most is None:
        return None
    count, first = HARD.row(connection, annotator=annotator_id, since=now - DAY)
    return PaceLimit("hard", (first or now) + DAY) if count >= most else None


@dataclass(frozen=True, slots=True)
class CheckInState:
    """How many items somebody has judged, and how many they had judged at their last check-in."""

    judged: int
    last: int


def check_in_state(connection: Connection, annotator_id: int, judged: int) -> CheckInState:
    """The state of somebody's check-ins."""
    return CheckInState(judged, int(LAST_CHECK_IN.row(connection, annotator=annotator_id)[0]))


def keep_check_in(connection: Connection, annotator_id: int, judged: int, answer: str, now: int) -> None:
    """Store that somebody was asked how they are; the answer only where coordinators may see it."""
    row = {"annotator_id": annotator_id, "judged": judged, "at": now, "answer": answer}
    connection.execute(insert(check_in).values(row))
