"""The pace on the annotator's pages: the counts that a page starts from, the card of a break, the page at a limit."""

import json
import re
from typing import Any

from starlette.responses import Response

from assay.acts.breaks import begin_break
from assay.pace import LEAST_BETWEEN, MINUTE, Count, PaceLimit, PaceState, due_break
from assay.store.annotator import assignments
from assay.store.annotator.assignments import Assignment
from assay.store.annotator.care import enough_hard_items
from assay.store.annotator.pace_state import items_left_of_batch, read_pace_state
from assay.study import Study
from assay.study.pace import Break
from assay.web.access import Call
from assay.web.annotator import common

MOST_EVENTS = 500
EVENTS = ("visible", "hidden", "focus", "blur", "paste")
HOW = re.compile(r"with:\d{1,4}/\d{1,4}/(narrow|wide)")
"""The entry at the end of the events: how many answers came by key and by pointer, and whether the page was narrow."""
MOST_MS = 10**11
HOUR = 60 * MINUTE


def read_events(text: str) -> str | None:
    """The times at which a page was visible or hidden, as its script reports them; anything malformed is dropped."""
    if not text:
        return None
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, list) or not given or not all(_is_event(each) for each in given):
        return None
    times = [each[0] for each in given]
    return json.dumps(given[:MOST_EVENTS], separators=(",", ":")) if times == sorted(times) else None


def _is_event(given: Any) -> bool:
    if not isinstance(given, list) or len(given) != 2:
        return False
    at, what = given
    return (
        type(at) is int
        and 0 <= at < MOST_MS
        and (what in EVENTS or (isinstance(what, str) and HOW.fullmatch(what) is not None))
    )


async def pace_state(call: Call, study: Study) -> PaceState:
    """Where the annotator stands."""
    return await call.context.store.aread(read_pace_state, call.annotator.id, study, call.now)


async def values(call: Call, study: Study, assignment: Assignment, stands: PaceState | None = None) -> dict[str, Any]:
    """What the page of an item needs: the counts to start from, and in words when the next break comes."""
    if assignment.attempt:
        return {}
    stands = stands or await pace_state(call, study)
    breaks = [
        {
            "active_ms": count.active_ms,
            "after_items": each.after_items,
            "after_ms": each.after_minutes and each.after_minutes * MINUTE,
            "between_batches": each.between_batches,
            "items": count.items,
            "minutes": each.minutes,
        }
        for each, count in zip(study.pace.breaks, stands.counts, strict=True)
    ]
    of_batch = await call.context.store.aread(items_left_of_batch, call.annotator, study, assignment)
    counts = {
        "breaks": breaks,
        "idle_ms": stands.idle_ms,
        "left_ms": stands.left_ms,
        "of_batch": of_batch,
        "arrived": dict(stands.arrived),
    }
    left = max(call.annotator.share(study).total, assignment.position) - assignment.position + 1
    if assignment.state != "open" and await call.context.store.aread(assignments.current, call.annotator.id) is None:
        # It is changed after everything was done: nothing comes behind it.
        counts["nothing_left"], left = True, 0
    return {"pace_counts": json.dumps(counts), "pace_hint": _hint(study, stands.counts, of_batch, left)}


def _hint(study: Study, counts: tuple[Count, ...], of_batch: int | None, left: int) -> str:
    """When the next break comes; `of_batch`: how many items are left of a batch, `left`: of all.

    After the last item there is none. Twin of `say` in pace.js.
    """
    both = list(zip(study.pace.breaks, counts, strict=True)) if left else []
    items = [each.after_items - count.items for each, count in both if each.after_items]
    if of_batch is not None:
        enough = [each for each, count in both if each.between_batches and count.items + of_batch >= LEAST_BETWEEN]
        items += [of_batch] if enough else []
    if items and max(1, min(items)) < left:
        return study.words("pace.in_items", n=max(1, min(items)))
    if minutes := [each.after_minutes * MINUTE - count.active_ms for each, count in both if each.after_minutes]:
        return study.words("pace.in_minutes", n=max(1, round(min(minutes) / MINUTE)))
    return ""


async def between(call: Call, study: Study, assignment: Assignment | None, stands: PaceState) -> Response | None:
    """The page that comes instead of the next item: enough for now, or a break. None: work goes on.

    An item that is begun can be finished, whatever is due.
    """
    begun = assignment is not None and assignment.draft_version > 0
    if stands.limit is not None and not begun:
        submitted = await call.context.store.aread(assignments.count_submitted, call.annotator.id)
        return _limit_page(call, study, stands.limit, submitted) if submitted < call.annotator.items else None
    if assignment is None:
        return None
    if stands.resting:
        return _rest_page(call, study, assignment, None, stands)
    planned = None if begun else due_break(study, stands, assignment.batch)
    if planned is None:
        return None
    await call.context.store.awrite_soon(begin_break, call.annotator, call.now)
    return _rest_page(call, study, assignment, planned, stands)


async def enough_hard(call: Call, study: Study) -> Response | None:
    """The page for somebody for whom only items with a warning are left, and who has opened enough of them today."""
    limit = await call.context.store.aread(enough_hard_items, call.annotator.id, study, call.now)
    if limit is None:
        return None
    submitted = await call.context.store.aread(assignments.count_submitted, call.annotator.id)
    return _limit_page(call, study, limit, submitted) if submitted < call.annotator.items else None


def _rest_page(call: Call, study: Study, assignment: Assignment, planned: Break | None, stands: PaceState) -> Response:
    finished = stands.batch if planned is not None and planned.between_batches else None
    total = max(call.annotator.share(study).total, assignment.position)
    return common.show(call, study, "rest.html", planned=planned, finished=finished, assignment=assignment, total=total)


def _limit_page(call: Call, study: Study, limit: PaceLimit, submitted: int) -> Response:
    left = max(MINUTE, limit.until - call.now)
    return common.show(
        call,
        study,
        "limit.html",
        limit=limit,
        submitted=submitted,
        minutes=-(-left // MINUTE),
        hours=round(left / HOUR) if left > 90 * MINUTE else 0,
    )
