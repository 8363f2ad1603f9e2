"""Where an annotator is: which version of the study, which gate, which item, and what may be done there."""

import re
from typing import Any

from sqlalchemy import Connection
from starlette.responses import Response

from assay.errors import NotFound
from assay.gates import Gate
from assay.judgments import asked
from assay.kinds import ORDERS
from assay.store import claims, studies, work
from assay.store.work import RawAnswers, Task
from assay.study import Study
from assay.web.access import Call, Refused
from assay.words import Said

GRACE_MS = 60 * 60 * 1000
"""So long after a study has closed are answers still taken that were on their way."""


def home(call: Call) -> str:
    """The address of the annotator's page."""
    return f"/judge/{call.who.study}"


def public_id(call: Call) -> str:
    """What the address calls the item; an address that cannot name one leads nowhere."""
    given: str = call.request.path_params["public_id"]
    if not re.fullmatch("[A-Za-z0-9_-]{1,64}", given):
        raise NotFound(Said("errors.no_item"))
    return given


def number(text: str, low: int, high: int) -> int | None:
    """A whole number as a page sends it, or None."""
    return min(high, max(low, int(text))) if text.isascii() and text.isdigit() and len(text) < 15 else None


async def study_of(call: Call, version: str) -> Study:
    """A version of the study as the page showed it; only versions that were in force exist."""
    known = re.fullmatch("[0-9a-f]{64}", version)
    found = await call.context.store.aread(studies.version, call.who.study_id, version) if known else None
    if found is None:
        raise Refused(409, Said("errors.study_changed"), Said("errors.reload"))
    return found


async def study_at_work(call: Call) -> Study:
    """The study version that a form was made from, once the annotator has passed its gates and takes part."""
    study = await study_of(call, call.first("study"))
    if call.who.left or await next_gate(call, study) is not None:
        raise Refused(403, Said("errors.not_yet"), Said("errors.gates_first"))
    if call.who.state == "closed" and call.now > call.who.state_at + GRACE_MS:
        raise Refused(409, Said("errors.closed"), Said("errors.closed_before"))
    return study


async def next_gate(call: Call, study: Study) -> Gate | None:
    """The first gate that this annotator has not passed in the version at hand."""
    if call.who.ready_for == study.hash:
        return None
    passed = await call.context.store.aread(work.passed_gates, call.annotator_id)
    gates = (entry.gate for entry in study.gates if entry.gate.acts)
    waiting = next((gate for gate in gates if (gate.kind, gate.version) not in passed), None)
    if waiting is None:
        await call.context.store.awrite(work.mark_ready, call.annotator_id, study.hash)
    return waiting


def share(call: Call, study: Study) -> int:
    """How many items one annotator will get: what is to be judged, shared by all who take part."""
    whole = -(-call.who.items * study.assignment.per_item // max(1, call.who.annotators))
    return min(whole, call.who.items)


def claim(connection: Connection, call: Call, study: Study, ahead: int = 0) -> None:
    """Give out the next item, and some ahead of it, but no more ahead than is the annotator's share."""
    order = ORDERS[study.assignment.order]()
    who = call.who
    claims.claim(
        connection,
        who.study_id,
        call.annotator_id,
        who.annotator,
        study,
        order,
        call.now,
        ahead=ahead,
        share=share(call, study),
    )


def goes_back_to(call: Call, study: Study, task: Task) -> bool:
    """Whether the study lets this annotator open and change an item that is submitted."""
    return task.state == "submitted" and task.submitted_at >= back_until(call, study)


def back_until(call: Call, study: Study) -> float:
    """Since when submitted items may be opened again, as the study has it: always, in this session, or never."""
    return {"free": 0, "session": call.who.since, "forward-only": float("inf")}[study.navigation]


def known_fields(study: Study, task: Task, call: Call) -> RawAnswers:
    """The answers in a form, by the item's questions; anything else is left out."""
    questions = asked(study, task.shown).questions
    return {question.key: call.form[question.key] for question in questions if question.key in call.form}


def item_values(
    call: Call, study: Study, task: Task, reasons: dict[str, str] | None = None, answers: RawAnswers | None = None
) -> dict[str, Any]:
    """What the template of one item needs."""
    answers = task.answers if answers is None else answers
    pages = call.context.pages.of(study)
    return {
        "study": study,
        "visit": call.who,
        "home": home(call),
        "task": task,
        "total": max(share(call, study), task.position),
        "shown_at": call.now,
        "goes_back": study.navigation != "forward-only",
        "content": pages.content(study, task.shown, answers, home(call)),
        "questions": pages.questions(study, task.shown, answers, reasons or {}),
    }


def show(call: Call, study: Study, template: str, status: int = 200, /, **values: Any) -> Response:
    """A page of the annotator's."""
    values.setdefault("error", "")
    return call.context.pages.of(study).response(
        template, status, **{"study": study, "visit": call.who, "home": home(call), **values}
    )
