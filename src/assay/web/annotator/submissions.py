"""What the annotator's page sends: drafts, submissions, a problem, a break; and what it fetches to go on with."""

import re
from typing import Any

from sqlalchemy import Connection
from starlette.responses import JSONResponse, Response

from assay.errors import AnswersRefused, Conflict, NotFound
from assay.judgments import overridden_warnings, read_answers
from assay.store.annotator import assignments, attempts, care, submissions
from assay.store.annotator.assignments import Task
from assay.store.annotator.submissions import Form, Seat
from assay.study import Study
from assay.web.access import Call, Endpoint, Refused, see_other
from assay.web.annotator import common, pace
from assay.web.pages import is_due
from assay.words import Translatable

MOST_ACTIVE_MS = 24 * 60 * 60 * 1000
MOST_REVISIONS = 10**6
MOST_AHEAD = 20
"""So many items can a page keep ready, to go on with at once or without a connection."""
AT_A_TIME = 5
MOST_WORDS = 4000


async def draft(call: Call) -> Response:
    """Keep half-finished answers; the answer comes after the commit."""
    study, task = await common.at_work(call)
    given = common.known_fields(study, task, call)
    go_back = common.goes_back_to(call, study, task)
    stored = await call.context.store.awrite(
        submissions.save_draft,
        call.annotator_id,
        task.public_id,
        given,
        _seat(call),
        call.now,
        lasts_ms=study.assignment.lasts_ms,
        go_back=go_back,
    )
    due = [
        number
        for number, block in enumerate(study.items.show)
        if block.after and is_due(study, task.shown, block, given)
    ]
    return JSONResponse({"draft": stored, "revealed": due})


async def reveal(call: Call) -> Response:
    """A block that is shown only after some answers: sent when those answers are stored, and not before."""
    study = await common.study_of(call, call.who.version)
    task = await call.context.store.aread(assignments.task, call.annotator_id, common.public_id(call))
    if call.who.left or not await common.may_judge(call, study, task):
        raise Refused(403, Translatable("errors.not_yet"), Translatable("errors.gates_first"))
    pages = call.context.pages.of(study)
    blocks = {
        str(number): pages.block(block, task.shown, common.home(call))
        for number, block in enumerate(study.items.show)
        if block.after and is_due(study, task.shown, block, task.answers)
    }
    return JSONResponse({"blocks": blocks})


async def submit(call: Call) -> Response:
    """Take a submission: checked by the rules of the study version that was shown, stored once, then answered."""
    study, task = await common.at_work(call)
    if call.first("decline"):
        # The annotator would rather not judge this item. No reason is asked.
        await call.context.store.awrite(_decline_and_go_on, call, study, task)
        return JSONResponse({"state": call.who.state}) if call.wants_json else see_other(common.home(call))
    given = common.known_fields(study, task, call)
    try:
        form = read_form(call, study, task, given)
    except AnswersRefused as refusal:
        if task.state != "open" and not common.goes_back_to(call, study, task):
            raise Conflict(Translatable("errors.submitted")) from None
        if call.wants_json:
            raise
        values = await common.item_values(call, study, task, refusal.reasons, given)
        return common.show(call, study, "item.html", 422, **values, **await pace.values(call, study, task))
    receipt = await call.context.store.awrite(submit_and_go_on, call, study, task, form)
    if call.wants_json:
        return JSONResponse({"submission": receipt.submission, "state": await pace.state(call, study)})
    return see_other(common.home(call))


def read_form(call: Call, study: Study, task: Task, given: assignments.RawAnswers) -> Form:
    """A form as it is stored; raises AnswersRefused where the answers break the study's rules."""
    goes_back = common.goes_back_to(call, study, task)
    said = read_answers(study, task.shown, given)
    return Form(
        answers=said,
        raw=given,
        seat=_seat(call),
        # Whoever may not go back can only repeat the first submission.
        revision=(common.number(call.first("revision"), 1, MOST_REVISIONS) or 1) if goes_back else 1,
        shown_at=common.number(call.first("shown_at"), 0, call.now),
        active_ms=common.number(call.first("active_ms"), 0, MOST_ACTIVE_MS),
        events=pace.read_events(call.first("events")) if study.pace.events else None,
        overridden=overridden_warnings(study, task.shown, said),
    )


def submit_and_go_on(connection: Connection, call: Call, study: Study, task: Task, form: Form) -> submissions.Receipt:
    """One transaction for the submission and the next item: the next page then only reads."""
    keep = study.navigation != "forward-only" and not task.attempt
    receipt = submissions.submit(connection, call.annotator_id, task.public_id, study, form, call.now, go_back=keep)
    care.end_break(connection, call.annotator_id, call.now)
    # At a gate the feedback comes first.
    if call.who.state == "open" and not task.attempt:
        common.claim(connection, call, study)
    return receipt


def _decline_and_go_on(connection: Connection, call: Call, study: Study, task: Task) -> None:
    submissions.decline(connection, call.annotator_id, task.public_id)
    if task.attempt:
        attempts.make_room(connection, task.public_id)
    elif call.who.state == "open":
        common.claim(connection, call, study)


def _seat(call: Call) -> Seat:
    """Which window the answers come from, by the name that it has given itself."""
    named = re.fullmatch("[0-9a-z]{1,40}", call.first("seat"))
    return Seat(named.group() if named else "", common.number(call.first("draft"), 0, 10**9) or 0)


async def ahead(call: Call) -> Response:
    """The items after a position, ready to be shown: a few at a time, and no more than a page may keep."""
    study = await common.study_of(call, call.who.version)
    if call.who.left or call.who.state != "open" or await common.next_gate(call, study) is not None:
        return JSONResponse({"items": []})
    # What is revealed later comes from the server: such items are kept for speed only, not to be judged without it.
    most = 1 if study.items.revealed else MOST_AHEAD
    await call.context.store.awrite(common.claim, call, study, most)
    after = common.number(call.first("after"), 0, 10**9) or 0
    tasks = await call.context.store.aread(assignments.tasks_ahead, call.annotator_id, after, min(most, AT_A_TIME))
    return JSONResponse({"items": [await _ready(call, study, task) for task in tasks]})


async def again(call: Call) -> Response:
    """One item as it stands now, to be shown anew."""
    study = await common.study_of(call, call.who.version)
    task = await call.context.store.aread(assignments.task, call.annotator_id, common.public_id(call))
    may = task.state == "open" or common.goes_back_to(call, study, task)
    if not may or call.who.left or not await common.may_judge(call, study, task):
        raise Conflict(Translatable("errors.submitted"))
    return JSONResponse(await _ready(call, study, task))


async def _ready(call: Call, study: Study, task: Task) -> dict[str, Any]:
    values = await common.item_values(call, study, task)
    return {
        "item": task.public_id,
        "position": task.position,
        "total": values["total"],
        "batch": task.batch,
        "heading": values["among"].heading,
        "html": call.context.pages.of(study).html("item_main.html", **values),
    }


async def problem(call: Call) -> Response:
    """Something is wrong with an item."""
    public_id, id_, words = common.public_id(call), call.first("report"), call.first("words").strip()
    if not re.fullmatch("[0-9a-z]{8,40}", id_):
        raise NotFound(Translatable("errors.no_report"))
    if not words:
        study = await common.study_of(call, call.who.version)
        raise AnswersRefused({"words": study.words("answers.say_what_is_wrong")})
    await call.context.store.awrite(
        care.report_problem, call.annotator_id, public_id, id_, words[:MOST_WORDS], call.now
    )
    return JSONResponse({"reported": id_})


async def rest(call: Call) -> Response:
    """A break begins or ends."""
    # It may have waited on the device for a connection.
    at = call.now - (common.number(call.first("late_ms"), 0, MOST_ACTIVE_MS) or 0)
    change = care.end_break if call.first("ends") else care.begin_break
    await call.context.store.awrite(change, call.annotator_id, at)
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
