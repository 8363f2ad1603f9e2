"""Reads the work and the breaks of somebody's last 24 hours, from which `assay/pace.py` decides about pace."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, exists, func, literal_column, or_, select

from assay.pace import (
    DAY,
    MINUTE,
    Done,
    PaceLimit,
    PaceState,
    Rest,
    active_time,
    count_since_breaks,
    limit_reached,
    session,
    work_from_rows,
)
from assay.store.annotator.assignments import AT_WORK, MINE, Assignment
from assay.store.annotator.places import OF_ITEM
from assay.store.annotator.sessions import Annotator
from assay.store.engine.prepared import Prepared
from assay.store.tables import assignment, break_, draft, is_in_study, item, submission
from assay.study import Study
from assay.study.pace import Pace

DONE = Prepared(
    select(
        submission.c.shown_at,
        submission.c.submitted_at,
        submission.c.active_ms,
        submission.c.revision,
        assignment.c.public_id,
    )
    .join(assignment, assignment.c.id == submission.c.assignment_id)
    .where(
        submission.c.annotator_id == bindparam("annotator"),
        submission.c.submitted_at > bindparam("since"),
        submission.c.source == literal_column("'work'"),
    )
    .order_by(submission.c.shown_at, submission.c.submitted_at)
)
RESTS = Prepared(
    select(break_.c.started_at, break_.c.ended_at)
    .where(
        break_.c.annotator_id == bindparam("annotator"),
        or_(break_.c.started_at > bindparam("since"), break_.c.ended_at.is_(None)),
    )
    .order_by(break_.c.started_at)
)
LAST_DRAFT = Prepared(
    select(func.max(draft.c.saved_at)).join(assignment, assignment.c.id == draft.c.assignment_id).where(MINE, AT_WORK)
)
LAST_BATCH = Prepared(
    select(item.c.batch + 1)
    .select_from(assignment)
    .join(item, item.c.id == assignment.c.item_id)
    .where(
        MINE,
        AT_WORK,
        assignment.c.state.in_([literal_column("'submitted'"), literal_column("'declined'")]),
        item.c.series == literal_column("'work'"),
    )
    .order_by(assignment.c.position.desc())
    .limit(1)
)

MOST_ON_THEIR_WAY = 60
"""So many submissions may be on a device still that the server has: more than a page keeps ready."""
MOST_LEFT = 20
"""The most items that are counted in a batch: a break farther away is not announced."""
_ONE: ColumnElement[int] = literal_column("1")
# By the indexes by which items are given out, so that done items and other batches are not scanned.
_NOT_GIVEN = (
    select(_ONE)
    .select_from(item)
    .where(
        is_in_study(bindparam("study")),
        item.c.taken < item.c.wanted,
        item.c.series == literal_column("'work'"),
        item.c.pilot == literal_column("0"),
        item.c.queue == bindparam("queue"),
        item.c.cell == literal_column("0"),
        item.c.tagged == bindparam("tagged"),
        ~exists().where(OF_ITEM, MINE),
    )
    .limit(literal_column(str(MOST_LEFT + 1)))
)
_OPEN = (
    select(_ONE)
    .select_from(assignment)
    .join(item, item.c.id == assignment.c.item_id)
    .where(
        MINE,
        AT_WORK,
        assignment.c.state == literal_column("'open'"),
        assignment.c["pass"] == literal_column("1"),
        item.c.series == literal_column("'work'"),
        item.c.queue == bindparam("queue"),
    )
    .limit(literal_column(str(MOST_LEFT + 1)))
)
NOT_GIVEN = Prepared(select(func.count()).select_from(_NOT_GIVEN.subquery()))
STILL_OPEN = Prepared(select(func.count()).select_from(_OPEN.subquery()))


def items_left_of_batch(connection: Connection, who: Annotator, study: Study, at_hand: Assignment) -> int | None:
    """How many items of the batch at hand somebody still has before them, with the one on the page.

    None where no break follows a batch, where more than `MOST_LEFT` are left, or where others may take some of them:
    that is so unless everybody judges everything.
    """
    plan = study.assignment
    breaks = any(each.between_batches for each in study.pace.breaks)
    if not breaks or plan.batches != "in_order" or plan.per_item != "all" or study.analysis.pilot is not None:
        return None
    if at_hand.state != "open" or at_hand.batch >= at_hand.batches:
        return None
    here = {"annotator": who.id, "queue": at_hand.batch - 1}
    found = int(STILL_OPEN.row(connection, **here)[0])
    for tagged in (False, True):
        if found <= MOST_LEFT:
            found += int(NOT_GIVEN.row(connection, **here, study=who.study_id, tagged=tagged)[0])
    return max(1, found) if found <= MOST_LEFT else None


def _submissions(connection: Connection, annotator_id: int, now: int) -> list[Any]:
    return DONE.rows(connection, annotator=annotator_id, since=now - DAY)


def _limit(connection: Connection, annotator_id: int, pace: Pace, work: list[Done], now: int) -> PaceLimit | None:
    enough = bool(pace.session_minutes) and active_time(work) >= (pace.session_minutes or 0) * MINUTE
    last_at = LAST_DRAFT.row(connection, annotator=annotator_id)[0] if enough else None
    return limit_reached(pace, work, now, last_at or 0)


def limit(connection: Connection, annotator_id: int, study: Study, now: int) -> PaceLimit | None:
    """Whether somebody has worked as long as the study lets them in one session or one day."""
    pace = study.pace
    if not pace.session_minutes and not pace.day_minutes:
        return None
    return _limit(connection, annotator_id, pace, work_from_rows(_submissions(connection, annotator_id, now)), now)


def read_pace_state(connection: Connection, annotator_id: int, study: Study, now: int) -> PaceState:
    """Somebody's pace: what they have done, whether they rest, and what is left of the session and the day."""
    pace = study.pace
    rests = [Rest(*row) for row in RESTS.rows(connection, annotator=annotator_id, since=now - DAY)]
    resting = any(rest.ended_at is None for rest in rests)
    if not pace.breaks and not pace.session_minutes and not pace.day_minutes:
        return PaceState(resting=resting)
    submissions = _submissions(connection, annotator_id, now)
    work = work_from_rows(submissions)
    lasting = session(work, now)
    left = [
        minutes * MINUTE - active_time(some)
        for minutes, some in ((pace.session_minutes, lasting), (pace.day_minutes, work))
        if minutes
    ]
    return PaceState(
        count_since_breaks(pace.breaks, work, rests, now),
        _finished_batch(connection, annotator_id, study, lasting, rests),
        resting,
        _limit(connection, annotator_id, pace, work, now),
        max(0, min(left)) if left else None,
        now - lasting[-1].ended_at if lasting else None,
        {public_id: revision for *_, revision, public_id in submissions[-MOST_ON_THEIR_WAY:]},
    )


def _finished_batch(
    connection: Connection, annotator_id: int, study: Study, lasting: Sequence[Done], rests: Sequence[Rest]
) -> int | None:
    """The batch of the item that was judged last; None if a break has followed it."""
    minutes = [each.minutes for each in study.pace.breaks if each.between_batches]
    if not minutes or study.assignment.batches != "in_order" or not lasting:
        return None
    last = lasting[-1]
    for rest in rests:
        long_enough = rest.ended_at is not None and rest.ended_at - rest.started_at >= max(minutes) * MINUTE
        if rest.started_at >= last.shown_at + (0 if long_enough else last.active_ms):
            return None
    found = LAST_BATCH.row(connection, annotator=annotator_id)
    return None if found is None else int(found[0])
