"""Pace: when a break is due, and when the work of a session or a day is enough.

Everything follows from what is stored anyway, submissions and breaks of the last 24 hours, so that a reload, a second
device or a restart goes on counting where the work stands. The rules, by which `pace.js` counts on the page as well:

- Each break of the study counts for itself: items submitted and active time since it was restarted.
- A rest restarts every break that was due when it began, or nearly (four fifths of its items or minutes), however short
  it was: whoever ends it early has had it. It also restarts each one that it was long enough for. The item at which a
  break is taken counts as before it.
- A batch that ends with the first item after a rest has no break of its own: two cards never come in a row.
- A pause of half an hour in which nothing was done restarts all of them. It also ends a session.
- Active time is what the browser reports, but no more than has gone by since the item before was finished. A browser
  that reports none (without JavaScript) is taken to have been active since the item was shown, for ten minutes at most.
- A limit is reached when the active time of submitted work has come to it. The day is the last 24 hours.

Practice does not count.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

from assay.study import Study
from assay.study.pace import Break, Pace

MINUTE = 60 * 1000
GAP = 30 * MINUTE
"""After so long without anything done, a session is over."""
DAY = 24 * 60 * MINUTE
MOST_UNKNOWN = 10 * MINUTE
NEARLY = 0.8
"""A rest makes up for a break of which this share is reached: else its card would come right after that rest."""
LEAST_BETWEEN = 2
"""Items between a rest and the break at the end of a batch."""


@dataclass(slots=True)
class Count:
    """What was done since a break was restarted."""

    items: int = 0
    active_ms: int = 0


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

    of: Literal["session", "day", "hard"]
    """`hard`: only items with a warning are left, and enough of them were opened."""
    until: int


@dataclass(frozen=True, slots=True)
class PaceState:
    """What counts for somebody's pace: since each break, in this session, on this day."""

    counts: tuple[Count, ...] = ()
    """For each break of the study."""
    batch: int | None = None
    """The batch that they have come to the end of, if a next item is in another one; None otherwise."""
    resting: bool = False
    """Whether a break goes on."""
    limit: PaceLimit | None = None
    left_ms: int | None = None
    """Active time that is left until a limit; None without one."""
    idle_ms: int | None = None
    """How long ago something was finished; None where that was in another session."""
    arrived: Mapping[str, int] = field(default_factory=dict)
    """Of what was submitted last, and is counted: the revision, by the public id of the assignment."""


def is_due(rest: Break, count: Count, share: float = 1) -> bool:
    """Whether the number of items or minutes is reached, or such a share of it."""
    by_items = rest.after_items is not None and count.items >= rest.after_items * share
    return by_items or (rest.after_minutes is not None and count.active_ms >= rest.after_minutes * MINUTE * share)


def due_break(study: Study, state: PaceState, batch: int) -> Break | None:
    """The break that is due before an item of a batch: of several, the longest."""
    batch_is_over = state.batch is not None and batch > state.batch
    found = [
        each
        for each, count in zip(study.pace.breaks, state.counts, strict=False)
        if is_due(each, count) or (each.between_batches and batch_is_over and count.items >= LEAST_BETWEEN)
    ]
    return max(found, key=lambda each: each.minutes, default=None)


def work_from_rows(rows: Sequence[Any]) -> list[Done]:
    """Submissions in the order in which they were worked on, with the active time that counts.

    Each row begins with when it was shown and submitted, the active time that the page says, and the revision.

    What was judged without a connection arrives all at once: then an item was finished when the next one was shown.
    """
    found: list[Done] = []
    ends = [min(one[1], other[0]) for one, other in pairwise(rows)] + [row[1] for row in rows[-1:]]
    for (shown_at, _, reported, revision, *_rest), end in zip(rows, ends, strict=True):
        since = found[-1].ended_at if found else end - DAY
        active = min(end - max(shown_at, since), MOST_UNKNOWN) if reported is None else min(reported, end - since)
        found.append(Done(shown_at, end, max(0, active), int(revision == 1)))
    return found


def count_since_breaks(
    breaks: Sequence[Break], work: Sequence[Done], rests: Sequence[Rest], now: int
) -> tuple[Count, ...]:
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
    """Reset the counts of the breaks that these rests restart."""
    for rest in rests:
        length = (rest.ended_at or now) - rest.started_at
        for place, (planned, count) in enumerate(zip(breaks, counts, strict=True)):
            only_batches = planned.after_items is None and planned.after_minutes is None
            if only_batches or length >= planned.minutes * MINUTE or is_due(planned, count, NEARLY):
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


def limit_reached(pace: Pace, work: Sequence[Done], now: int, last_at: int = 0) -> PaceLimit | None:
    """The limit that is reached, and until when; of two, the one that lasts longer. None: neither is."""
    found = []
    lasting = session(work, now, last_at)
    if pace.session_minutes and lasting and active_time(lasting) >= pace.session_minutes * MINUTE:
        found.append(PaceLimit("session", _last(work, last_at) + GAP))
    if pace.day_minutes:
        left = active_time(work)
        until = 0
        for each in work:
            if left < pace.day_minutes * MINUTE:
                break
            left -= each.active_ms
            until = each.ended_at + DAY
        if until > now:
            found.append(PaceLimit("day", until))
    return max(found, key=lambda each: each.until, default=None)


def active_time(work: Sequence[Done]) -> int:
    """Active milliseconds of some work."""
    return sum(each.active_ms for each in work)
