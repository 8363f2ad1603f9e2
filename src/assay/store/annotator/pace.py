"""Pace: what somebody has done since the last rest, and whether it is enough for this session or this day.

Everything follows from what is stored anyway, submissions and breaks of the last 24 hours, so that a reload, a second
device or a restart goes on counting where the work stands. The rules, which `static/pace.js` keeps in the same words:

- Each break of the study counts for itself: items submitted and active time since it was restarted.
- A rest restarts every break that was due when it began, however short it was: whoever ends it early has had it. It
  also restarts each one that it was long enough for. The item at which a break is taken counts as before it.
- A pause of half an hour in which nothing was done restarts all of them. It also ends a session.
- Active time is what the browser reports, but no more than has gone by since the item before was finished. A browser
  that reports none (without JavaScript) is taken to have been active since the item was shown, for ten minutes at most.
- A limit is reached when the active time of submitted work has come to it. The day is the last 24 hours.

Practice does not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from sqlalchemy import Connection, bindparam, func, literal_column, or_, select

from assay.store.annotator.assignments import AT_WORK, MINE
from assay.store.annotator.breaks import MINUTE, Count, due_break, is_due
from assay.store.engine.prepared import Prepared
from assay.store.tables import assignment, break_, draft, item, submission
from assay.study import Study
from assay.study.pace import Break, Pace

GAP = 30 * MINUTE
"""After so long without anything done, a session is over."""
DAY = 24 * 60 * MINUTE
MOST_UNKNOWN = 10 * MINUTE
NEARLY = 1000
"""The page decides by its own clock that a break is due; here it may seem so much too early."""


@dataclass(frozen=True, slots=True)
class Done:
    """One submission, as far as its pace goes."""

    shown_at: int
    ended_at: int
    active_ms: int
    items: int
    """1, or 0 where an earlier submission was changed."""


@dataclass(frozen=True, slots=True)
class Rest:
    """A break that was taken."""

    started_at: int
    ended_at: int | None


@dataclass(frozen=True, slots=True)
class PaceLimit:
    """Enough: nothing new is given out before a time."""

    of: Literal["session", "day"]
    until: int


@dataclass(frozen=True, slots=True)
class PaceState:
    """What counts for somebody's pace: since each break, in this session, on this day."""

    counts: tuple[Count, ...] = ()
    """For each break of the study."""
    batch: int | None = None
    """The batch that they have come to the end of, if a next item is in another one; None where that is no news."""
    resting: bool = False
    """Whether a break goes on."""
    limit: PaceLimit | None = None
    left_ms: int | None = None
    """Active time that is left until a limit; None without one."""
    idle_ms: int | None = None
    """How long ago something was finished; None where that was in another session."""


DONE = Prepared(
    select(submission.c.shown_at, submission.c.submitted_at, submission.c.active_ms, submission.c.revision)
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
    select(func.max(item.c.batch) + 1)
    .select_from(assignment)
    .join(item, item.c.id == assignment.c.item_id)
    .where(
        MINE,
        AT_WORK,
        assignment.c.state.in_([literal_column("'submitted'"), literal_column("'declined'")]),
        item.c.series == literal_column("'work'"),
    )
)


def done(rows: Sequence[tuple[int, int, int | None, int]]) -> list[Done]:
    """Submissions in the order in which they were worked on, with the active time that counts.

    What was judged without a connection arrives all at once: then an item was finished when the next one was shown.
    """
    found: list[Done] = []
    ends = [min(one[1], other[0]) for one, other in pairwise(rows)] + [row[1] for row in rows[-1:]]
    for (shown_at, _, reported, revision), end in zip(rows, ends, strict=True):
        since = found[-1].ended_at if found else end - DAY
        active = min(end - max(shown_at, since), MOST_UNKNOWN) if reported is None else min(reported, end - since)
        found.append(Done(shown_at, end, max(0, active), int(revision == 1)))
    return found


def counted(breaks: Sequence[Break], work: Sequence[Done], rests: Sequence[Rest], now: int) -> tuple[Count, ...]:
    """What was done since each break was restarted."""
    counts = [Count() for _ in breaks]
    waiting = list(rests)
    before: Done | None = None
    for each in work:
        _rest(breaks, counts, [rest for rest in waiting if rest.started_at < each.shown_at], now)
        waiting = [rest for rest in waiting if rest.started_at >= each.shown_at]
        if before is not None and _pause(before, each) >= GAP:
            counts = [Count() for _ in breaks]
        for count in counts:
            count.items += each.items
            count.active_ms += each.active_ms
        before = each
    _rest(breaks, counts, waiting, now)
    if before is not None and now - before.ended_at >= GAP:
        counts = [Count() for _ in breaks]
    return tuple(counts)


def _rest(breaks: Sequence[Break], counts: list[Count], rests: Sequence[Rest], now: int) -> None:
    """Restart what these rests restart."""
    for rest in rests:
        length = (rest.ended_at or now) - rest.started_at
        for place, (planned, count) in enumerate(zip(breaks, counts, strict=True)):
            if length >= planned.minutes * MINUTE or is_due(planned, count, NEARLY):
                counts[place] = Count()


def _pause(before: Done, after: Done) -> int:
    """How long nothing was done until an item was finished."""
    return after.ended_at - after.active_ms - before.ended_at


def session(work: Sequence[Done], now: int, last_at: int = 0) -> Sequence[Done]:
    """What was done since the last pause of half an hour; nothing, if there is one now.

    `last_at` is when answers were kept last: whoever goes on with a begun item is still at it.
    """
    if not work or now - _last(work, last_at) >= GAP:
        return ()
    starts = [place for place, (one, other) in enumerate(pairwise(work), 1) if _pause(one, other) >= GAP]
    return work[max(starts, default=0) :]


def _last(work: Sequence[Done], last_at: int) -> int:
    ended_at = work[-1].ended_at
    return last_at if ended_at < last_at < ended_at + GAP else ended_at


def limited(pace: Pace, work: Sequence[Done], now: int, last_at: int = 0) -> PaceLimit | None:
    """Whether a limit is reached, and until when; of two, the one that lasts longer."""
    found = []
    lasting = session(work, now, last_at)
    if pace.session_minutes and lasting and _active(lasting) >= pace.session_minutes * MINUTE:
        found.append(PaceLimit("session", _last(work, last_at) + GAP))
    if pace.day_minutes:
        left = _active(work)
        until = 0
        for each in work:
            if left < pace.day_minutes * MINUTE:
                break
            left -= each.active_ms
            until = each.ended_at + DAY
        if until > now:
            found.append(PaceLimit("day", until))
    return max(found, key=lambda each: each.until, default=None)


def _active(work: Sequence[Done]) -> int:
    return sum(each.active_ms for each in work)


def _work(connection: Connection, annotator_id: int, now: int) -> list[Done]:
    return done(DONE.rows(connection, annotator=annotator_id, since=now - DAY))


def _limit(connection: Connection, annotator_id: int, pace: Pace, work: list[Done], now: int) -> PaceLimit | None:
    enough = bool(pace.session_minutes) and _active(work) >= (pace.session_minutes or 0) * MINUTE
    last_at = LAST_DRAFT.row(connection, annotator=annotator_id)[0] if enough else None
    return limited(pace, work, now, last_at or 0)


def limit(connection: Connection, annotator_id: int, study: Study, now: int) -> PaceLimit | None:
    """Whether somebody has worked as long as the study lets them in one session or one day."""
    pace = study.pace
    if not pace.session_minutes and not pace.day_minutes:
        return None
    return _limit(connection, annotator_id, pace, _work(connection, annotator_id, now), now)


def pace_state(connection: Connection, annotator_id: int, study: Study, now: int) -> PaceState:
    """Where somebody stands: what is counted, whether they rest, and what is left of the session and the day."""
    pace = study.pace
    rests = [Rest(*row) for row in RESTS.rows(connection, annotator=annotator_id, since=now - DAY)]
    resting = any(rest.ended_at is None for rest in rests)
    if not pace.breaks and not pace.session_minutes and not pace.day_minutes:
        return PaceState(resting=resting)
    work = _work(connection, annotator_id, now)
    lasting = session(work, now)
    left = [
        minutes * MINUTE - _active(some)
        for minutes, some in ((pace.session_minutes, lasting), (pace.day_minutes, work))
        if minutes
    ]
    return PaceState(
        counted(pace.breaks, work, rests, now),
        _finished_batch(connection, annotator_id, study, lasting, rests),
        resting,
        _limit(connection, annotator_id, pace, work, now),
        max(0, min(left)) if left else None,
        now - lasting[-1].ended_at if lasting else None,
    )


def _finished_batch(
    connection: Connection, annotator_id: int, study: Study, lasting: Sequence[Done], rests: Sequence[Rest]
) -> int | None:
    """The batch of what was judged last, unless there was a rest since."""
    minutes = [each.minutes for each in study.pace.breaks if each.between_batches]
    if not minutes or study.assignment.batches != "in_order" or not lasting:
        return None
    last = lasting[-1]
    for rest in rests:
        long_enough = rest.ended_at is not None and rest.ended_at - rest.started_at >= max(minutes) * MINUTE
        if rest.started_at >= last.shown_at + (0 if long_enough else last.active_ms):
            return None
    found = LAST_BATCH.row(connection, annotator=annotator_id)[0]
    return None if found is None else int(found)


def due(study: Study, state: PaceState, batch: int) -> Break | None:
    """The break that is due before an item of a batch."""
    is_over = state.batch is not None and batch > state.batch
    return due_break(study.pace.breaks, state.counts, batch_is_over=is_over)
