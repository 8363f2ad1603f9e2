"""The annotator's pages. Everything they show comes through `store.work`, which cannot reach what is hidden."""

import re
from typing import Any

from sqlalchemy import Connection
from starlette.responses import JSONResponse, Response

from assay.errors import AnswersRefused, Conflict, NotFound
from assay.gates import Gate
from assay.judgments import Answers, asked, read_answers
from assay.kinds import ORDERS
from assay.store import claims, people, studies, work
from assay.store.work import RawAnswers, Task
from assay.study import Study
from assay.web.access import Call, Endpoint, Refused, see_other
from assay.web.pages import is_due

MOST_ACTIVE_MS = 24 * 60 * 60 * 1000


async def page(call: Call) -> Response:
    """Wherever the annotator is: at a gate, at an item, or done. Old addresses lead here too."""
    study = await _study(call, call.who.version)
    if call.who.left:
        return _page(call, study, "left.html")
    if (gate := await _next_gate(call, study)) is not None:
        return _page(call, study, "gate.html", gate=gate)
    task = await _current_task(call, study)
    if task is None:
        return _page(call, study, "finished.html")
    return await _item_page(call, study, task)


async def gate(call: Call) -> Response:
    """A gate's form: passed, left, or asked again. Only the gate that is next can be passed."""
    study = await _study(call, call.who.version)
    waiting = await _next_gate(call, study)
    if call.who.left or waiting is None or waiting.version != call.first("version"):
        return see_other(_home(call))
    decision = waiting.decide({name: values[0] for name, values in call.form.items()})
    if decision is None:
        words = "Please confirm each part before you go on."
        return _page(call, study, "gate.html", 422, gate=waiting, error=words)
    if decision:
        await call.context.store.awrite(work.pass_gate, call.annotator_id, waiting.kind, waiting.version, call.now)
    else:
        await call.context.store.awrite(people.leave, call.who.study_id, call.annotator_id, call.now)
    return see_other(_home(call))


async def draft(call: Call) -> Response:
    """Keep half-finished answers; the answer comes after the commit."""
    study = await _study_at_work(call)
    public_id = _public_id(call)
    task = await call.context.store.aread(work.task, call.annotator_id, public_id)
    answers = _known_fields(study, task, call)
    version = _number(call.first("draft"), 0, 10**9)
    stored = await call.context.store.awrite(
        work.save_draft, call.annotator_id, public_id, answers, version or 0, call.now
    )
    due = [
        number
        for number, block in enumerate(study.items.show)
        if block.after and is_due(study, task.shown, block, answers)
    ]
    return JSONResponse({"draft": stored, "revealed": due})


async def reveal(call: Call) -> Response:
    """A block that is shown only after some answers: sent when those answers are stored, and not before."""
    study = await _study(call, call.who.version)
    task = await call.context.store.aread(work.task, call.annotator_id, _public_id(call))
    pages = call.context.pages
    blocks = {
        str(number): pages.block(block, task.shown, _home(call))
        for number, block in enumerate(study.items.show)
        if block.after and is_due(study, task.shown, block, task.answers)
    }
    return JSONResponse({"blocks": blocks})


async def picture(call: Call) -> Response:
    """A picture of the study, by what it shows."""
    hash_ = call.request.path_params["hash"]
    known = re.fullmatch("[0-9a-f]{64}", hash_)
    found = await call.context.store.aread(work.picture_of, call.who.study_id, hash_) if known else None
    if found is None:
        raise NotFound("There is no such picture.")
    headers = {"Cache-Control": "private, max-age=31536000, immutable", "Content-Security-Policy": "sandbox"}
    return Response(found[1], media_type=found[0], headers=headers)


async def submit(call: Call) -> Response:
    """Take a submission: checked by the rules of the study version that was shown, stored once, then answered."""
    study = await _study_at_work(call)
    public_id = _public_id(call)
    if call.first("decline"):
        # The annotator would rather not judge this item. No reason is asked.
        await call.context.store.awrite(work.decline, call.annotator_id, public_id)
        return see_other(_home(call))
    task = await call.context.store.aread(work.task, call.annotator_id, public_id)
    given = _known_fields(study, task, call)
    try:
        answers = read_answers(study, task.shown, given)
    except AnswersRefused as refusal:
        if task.state != "open":
            raise Conflict("This item is already submitted.") from None
        if call.wants_json:
            raise
        return await _item_page(call, study, task, 422, refusal.reasons, given)
    receipt = await call.context.store.awrite(_submit_and_go_on, call, study, public_id, answers)
    if call.wants_json:
        return JSONResponse({"submission": receipt.submission, "next": _home(call)})
    return see_other(_home(call))


def _submit_and_go_on(
    connection: Connection, call: Call, study: Study, public_id: str, answers: Answers
) -> work.Receipt:
    """One transaction for the submission and the next item: the next page then only reads."""
    receipt = work.submit(
        connection,
        call.annotator_id,
        public_id,
        study,
        answers,
        shown_at=_number(call.first("shown_at"), 0, call.now),
        active_ms=_number(call.first("active_ms"), 0, MOST_ACTIVE_MS),
        now=call.now,
    )
    _claim(connection, call, study)
    return receipt


def _claim(connection: Connection, call: Call, study: Study) -> None:
    order = ORDERS[study.assignment.order]()
    claims.claim(connection, call.who.study_id, call.annotator_id, call.who.annotator, study, order, call.now)


async def come_back(call: Call) -> Response:
    """Somebody who left at a gate has changed their mind."""
    await call.context.store.awrite(people.come_back, call.who.study_id, call.annotator_id)
    return see_other(_home(call))


async def guide(call: Call) -> Response:
    """The guidelines, as they were to be read, at any time."""
    study = await _study(call, call.who.version)
    sections = [section for entry in study.gates for section in getattr(entry.gate, "sections", ())]
    return _page(call, study, "guide.html", sections=sections)


async def support(call: Call) -> Response:
    """Where to turn."""
    study = await _study(call, call.who.version)
    return _page(call, study, "support.html")


async def _study(call: Call, version: str) -> Study:
    """A version of the study as the page showed it; only versions that were in force exist."""
    known = re.fullmatch("[0-9a-f]{64}", version)
    found = await call.context.store.aread(studies.version, call.who.study_id, version) if known else None
    if found is None:
        raise Refused(409, "The study has changed", "Please reload the page; your answers are kept.")
    return found


async def _study_at_work(call: Call) -> Study:
    """The study version that a form was made from, once the annotator has passed its gates and takes part."""
    study = await _study(call, call.first("study"))
    if call.who.left or await _next_gate(call, study) is not None:
        raise Refused(403, "Not yet", "Please pass the pages before the items first.")
    return study


def _public_id(call: Call) -> str:
    """What the address calls the item; an address that cannot name one leads nowhere."""
    given: str = call.request.path_params["public_id"]
    if not re.fullmatch("[A-Za-z0-9_-]{1,64}", given):
        raise NotFound("There is no such item for you.")
    return given


async def _next_gate(call: Call, study: Study) -> Gate | None:
    if call.who.ready_for == study.hash:
        return None
    passed = await call.context.store.aread(work.passed_gates, call.annotator_id)
    gates = (entry.gate for entry in study.gates if entry.gate.acts)
    waiting = next((gate for gate in gates if (gate.kind, gate.version) not in passed), None)
    if waiting is None:
        await call.context.store.awrite(work.mark_ready, call.annotator_id, study.hash)
    return waiting


async def _current_task(call: Call, study: Study) -> Task | None:
    store = call.context.store
    task = await store.aread(work.current_task, call.annotator_id)
    if task is not None:
        return task
    await store.awrite(_claim, call, study)
    return await store.aread(work.current_task, call.annotator_id)


def _known_fields(study: Study, task: Task, call: Call) -> RawAnswers:
    """The answers in a form, by the item's questions; anything else is left out."""
    questions = asked(study, task.shown).questions
    return {question.key: call.form[question.key] for question in questions if question.key in call.form}


def _number(text: str, low: int, high: int) -> int | None:
    """A whole number as a page sends it, or None."""
    return min(high, max(low, int(text))) if text.isascii() and text.isdigit() and len(text) < 15 else None


async def _item_page(
    call: Call,
    study: Study,
    task: Task,
    status: int = 200,
    reasons: dict[str, str] | None = None,
    answers: RawAnswers | None = None,
) -> Response:
    # What is to be judged, shared by all who take part.
    share = -(-call.who.items * study.assignment.per_item // max(1, call.who.annotators))
    answers = task.answers if answers is None else answers
    return _page(
        call,
        study,
        "item.html",
        status,
        task=task,
        total=max(min(share, call.who.items), task.position),
        shown_at=call.now,
        content=call.context.pages.content(study, task.shown, answers, _home(call)),
        questions=call.context.pages.questions(study, task.shown, answers, reasons or {}),
    )


def _page(call: Call, study: Study, template: str, status: int = 200, **values: Any) -> Response:
    values.setdefault("error", "")
    return call.context.pages.response(template, status, study=study, visit=call.who, home=_home(call), **values)


def _home(call: Call) -> str:
    return f"/judge/{call.who.study}"


ENDPOINTS = [
    Endpoint("GET", "/judge/{study}", "annotator", page),
    Endpoint("POST", "/judge/{study}/gate", "annotator", gate),
    Endpoint("POST", "/judge/{study}/draft/{public_id}", "annotator", draft),
    Endpoint("POST", "/judge/{study}/submit/{public_id}", "annotator", submit),
    Endpoint("GET", "/judge/{study}/reveal/{public_id}", "annotator", reveal),
    Endpoint("GET", "/judge/{study}/picture/{hash}", "annotator", picture),
    Endpoint("POST", "/judge/{study}/come-back", "annotator", come_back),
    Endpoint("GET", "/judge/{study}/guide", "annotator", guide),
    Endpoint("GET", "/judge/{study}/support", "annotator", support),
]
