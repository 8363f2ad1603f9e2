"""What the annotator's page sends: drafts, submissions, a problem, a break; and what it fetches to go on with."""

import re
from dataclasses import replace
from typing import Any

from starlette.responses import JSONResponse, Response

from assay.acts import submissions as acts
from assay.acts.breaks import begin_break, end_break
from assay.acts.care import items_to_send_ahead, refuse_covered
from assay.acts.claims import claim
from assay.acts.later_blocks import early_answers, proof_of
from assay.acts.may_judge import can_go_back_to, may_judge, may_work
from assay.acts.problems import report_problem
from assay.errors import AnswersRefused, Conflict, NotFound, NotYet
from assay.judgments.later_blocks import revealed_blocks
from assay.store.annotator import assignments
from assay.store.annotator.assignments import Assignment, RawAnswers
from assay.store.annotator.submissions import Seat
from assay.study import Study
from assay.web.access import Call, Endpoint, see_other
from assay.web.annotator import common, pace
from assay.web.annotator.computed_values import computed_words
from assay.words import Translatable

MOST_ACTIVE_MS = 24 * 60 * 60 * 1000
MOST_REVISIONS = 10**6
MOST_AHEAD = 20
"""The most items that a page keeps ready, to go on with at once or without a connection."""
AT_A_TIME = 5
MOST_WORDS = 4000


async def draft(call: Call) -> Response:
    """Store a draft; the response comes after the commit."""
    study, assignment = await common.in_turn(call)
    given = common.known_fields(study, assignment, call)
    write = call.context.store.awrite_soon
    stored = await write(
        acts.save_draft, call.annotator, study, assignment, given, _seat(call), call.now, _proofs_of_blocks(call)
    )
    return JSONResponse({"draft": stored, "revealed": revealed_blocks(study, assignment.shown, given)})


async def reveal(call: Call) -> Response:
    """Send a block that is shown only after some answers, once these are stored."""
    study = await common.study_of(call)
    assignment = await call.context.store.aread(
        assignments.by_public_id, call.annotator.id, common.public_id(call.request)
    )
    if not await call.context.store.aread(may_judge, call.annotator, study, assignment):
        raise NotYet(Translatable("errors.gates_first"))
    refuse_covered(assignment)
    pages = call.context.pages.of(study)
    due = revealed_blocks(study, assignment.shown, assignment.answers)
    blocks = {str(number): pages.block(study.items.show[number], assignment.shown, common.home(call)) for number in due}
    return JSONResponse({"blocks": blocks, "seen": [proof_of(study, assignment, number) for number in due]})


async def submit(call: Call) -> Response:
    """Receive a submission: validated by the study version that was shown, stored once, then confirmed."""
    study, assignment = await common.in_turn(call, was_submitted=not call.first("decline"))
    if call.first("decline"):
        # The annotator would rather not judge this item. No reason is asked.
        await call.context.store.awrite_soon(acts.decline, call.annotator, study, assignment, call.now)
        return JSONResponse({"state": call.annotator.state}) if call.wants_json else see_other(common.home(call))
    refuse_covered(assignment)
    given = common.known_fields(study, assignment, call)
    try:
        form = acts.read_form(call.annotator, study, assignment, _form_of(call, given))
    except AnswersRefused as refusal:
        if assignment.state != "open" and not can_go_back_to(call.annotator, study, assignment):
            raise Conflict(Translatable("errors.submitted")) from None
        if call.wants_json:
            raise
        early = early_answers(study, assignment, given, _proofs_of_blocks(call))
        kept = {key: answer for key, answer in given.items() if key not in early}
        if revealed_blocks(study, assignment.shown, kept):
            # The page that comes back shows them, so what they wait for is kept as it was.
            seat, seen = _seat(call), _proofs_of_blocks(call)
            write = call.context.store.awrite
            version = await write(acts.save_draft, call.annotator, study, assignment, given, seat, call.now, seen)
            assignment = replace(assignment, draft_version=version)
        values = await common.item_values(call, study, assignment, refusal.reasons, kept)
        return common.show_item(call, study, {**values, **await pace.values(call, study, assignment)}, 422)
    write = call.context.store.awrite_soon
    receipt, state = await write(acts.submit_and_look, call.annotator, study, assignment, form, call.now)
    if call.wants_json:
        told = computed_words(study, form.answers)
        return JSONResponse({"submission": receipt.submission, "state": state} | ({"computed": told} if told else {}))
    return see_other(common.home(call))


def _form_of(call: Call, given: RawAnswers) -> acts.SentForm:
    return acts.SentForm(
        answers=given,
        seat=_seat(call),
        revision=common.number(call.first("revision"), 1, MOST_REVISIONS) or 1,
        shown_at=common.number(call.first("shown_at"), 0, call.now),
        active_ms=common.number(call.first("active_ms"), 0, MOST_ACTIVE_MS),
        events=pace.read_events(call.first("events")),
        seen=_proofs_of_blocks(call),
    )


def _proofs_of_blocks(call: Call) -> tuple[str, ...]:
    """The proofs that the page was sent blocks which come after some answers."""
    return tuple(call.first("seen").split())


def _seat(call: Call) -> Seat:
    """The window that the answers come from, by the name that its script chose."""
    named = re.fullmatch("[0-9a-z]{1,40}", call.first("seat"))
    return Seat(named.group() if named else "", common.number(call.first("draft"), 0, 10**9) or 0)


async def ahead(call: Call) -> Response:
    """The items after a position, ready to be shown: a few at a time, and no more than a page may keep."""
    study = await common.study_of(call)
    if not await call.context.store.aread(may_work, call.annotator, study):
        return JSONResponse({"items": []})
    # What is revealed later comes from the server: such items are kept for speed only, not to be judged without it.
    most = 1 if study.items.later_fields else MOST_AHEAD
    await call.context.store.awrite_soon(claim, call.annotator, study, call.now, most)
    after = common.number(call.first("after"), 0, 10**9) or 0
    found = await call.context.store.aread(assignments.ahead, call.annotator.id, after, min(most, AT_A_TIME))
    found = await call.context.store.aread(items_to_send_ahead, call.annotator, study, found)
    return JSONResponse({"items": [await _ready(call, study, assignment) for assignment in found]})


async def again(call: Call) -> Response:
    """The current state of one item, for the page to show it again."""
    study = await common.study_of(call)
    assignment = await call.context.store.aread(
        assignments.by_public_id, call.annotator.id, common.public_id(call.request)
    )
    may = assignment.state == "open" or can_go_back_to(call.annotator, study, assignment)
    if not may or not await call.context.store.aread(may_judge, call.annotator, study, assignment):
        raise Conflict(Translatable("errors.submitted"))
    refuse_covered(assignment)
    return JSONResponse(await _ready(call, study, assignment))


async def _ready(call: Call, study: Study, assignment: Assignment) -> dict[str, Any]:
    values = await common.item_values(call, study, assignment)
    return {
        "item": assignment.public_id,
        "position": assignment.position,
        "total": values["total"],
        "batch": assignment.batch,
        "heading": values["among"].heading,
        "html": call.context.pages.of(study).items.main(values),
    }


async def problem(call: Call) -> Response:
    """Receive a report of a problem with an item."""
    public_id, id_, words = common.public_id(call.request), call.first("report"), call.first("words").strip()
    if not re.fullmatch("[0-9a-z]{8,40}", id_):
        raise NotFound(Translatable("errors.no_report"))
    if not words:
        study = await common.study_of(call)
        raise AnswersRefused({"words": study.words("answers.say_what_is_wrong")})
    await call.context.store.awrite_soon(report_problem, call.annotator, public_id, id_, words[:MOST_WORDS], call.now)
    return JSONResponse({"reported": id_})


async def rest(call: Call) -> Response:
    """Begin or end a break."""
    # It may have waited on the device for a connection.
    at = call.now - (common.number(call.first("late_ms"), 0, MOST_ACTIVE_MS) or 0)
    act = end_break if call.first("ends") else begin_break
    await call.context.store.awrite_soon(act, call.annotator, at)
    return JSONResponse({}) if call.wants_json else see_other(common.home(call))


ENDPOINTS = [
    Endpoint("POST", "/judge/{study}/draft/{public_id}", "annotator", draft),
    Endpoint("POST", "/judge/{study}/submit/{public_id}", "annotator", submit),
    Endpoint("GET", "/judge/{study}/reveal/{public_id}", "annotator", reveal),
    Endpoint("POST", "/judge/{study}/ahead", "annotator", ahead),
    Endpoint("GET", "/judge/{study}/again/{public_id}", "annotator", again),
    Endpoint("POST", "/judge/{study}/problem/{public_id}", "annotator", problem),
    Endpoint("POST", "/judge/{study}/break", "annotator", rest),
]
