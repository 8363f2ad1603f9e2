"""Where an annotator is: which version of the study, which gate, which item, and what may be done there."""

import re
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection
from starlette.responses import Response

from assay.assignment.share import Share
from assay.errors import Conflict, NotFound
from assay.gates import Gate
from assay.gates.practice import Practice
from assay.judgments import questionnaire_of
from assay.store.annotator import assignments, attempts, next_item, pace
from assay.store.annotator.assignments import RawAnswers, Task
from assay.store.annotator.latin_square import take_cell
from assay.store.annotator.next_item import Asking
from assay.store.coordinator import studies
from assay.study import Study
from assay.web.access import Call, Refused
from assay.words import Translatable

GRACE_MS = 60 * 60 * 1000
"""So long after a study has closed are answers still taken that were on their way."""


def home(call: Call) -> str:
    """The address of the annotator's page."""
    return f"/judge/{call.who.study}"


def public_id(call: Call) -> str:
    """What the address calls the item; an address that cannot name one leads nowhere."""
    given: str = call.request.path_params["public_id"]
    if not re.fullmatch("[A-Za-z0-9_-]{1,64}", given):
        raise NotFound(Translatable("errors.no_item"))
    return given


def number(text: str, low: int, high: int) -> int | None:
    """A whole number as a page sends it, or None."""
    return min(high, max(low, int(text))) if text.isascii() and text.isdigit() and len(text) < 15 else None


async def study_of(call: Call, version: str) -> Study:
    """A version of the study as the page showed it; only versions that were in force exist."""
    known = re.fullmatch("[0-9a-f]{64}", version)
    found = await call.context.store.aread(studies.version, call.who.study_id, version) if known else None
    if found is None:
        raise Refused(409, Translatable("errors.study_changed"), Translatable("errors.reload"))
    return found


async def at_work(call: Call) -> tuple[Study, Task]:
    """The study version that a form was made from, and the item that it is about, where it is that item's turn."""
    study = await study_of(call, call.first("study"))
    not_yet = Refused(403, Translatable("errors.not_yet"), Translatable("errors.gates_first"))
    waiting = await next_gate(call, study)
    if call.who.left or (waiting is not None and not waiting.has_items):
        raise not_yet
    task = await call.context.store.aread(assignments.task, call.annotator_id, public_id(call))
    if not await may_judge(call, study, task):
        if task.attempt and task.state != "open":
            # It is stored, and its try is over: nothing is left to do about it.
            raise Conflict(
                Translatable("errors.declined") if task.state == "declined" else Translatable("errors.submitted")
            )
        raise not_yet
    if call.who.state == "closed" and call.now > call.who.state_at + GRACE_MS:
        raise Refused(409, Translatable("errors.closed"), Translatable("errors.closed_before"))
    return study, task


async def may_judge(call: Call, study: Study, task: Task) -> bool:
    """Whether it is this item's turn: work once every gate is passed, and before that only the try under way."""
    gate = await next_gate(call, study)
    if gate is None or not task.attempt:
        return gate is None and not task.attempt
    last = await call.context.store.aread(attempts.last_try, call.annotator_id, gate)
    return last is not None and last.id == task.attempt and last.ended_at is None


async def next_gate(call: Call, study: Study) -> Gate | None:
    """The first gate that this annotator has not passed in the version at hand."""
    if call.who.ready_for == study.hash:
        return None
    passed = await call.context.store.aread(assignments.passed_gates, call.annotator_id)
    every = (entry.gate for entry in study.gates)
    waiting = next((gate for gate in every if (gate.kind, gate.version) not in passed), None)
    if waiting is None:
        await call.context.store.awrite(assignments.mark_ready, call.annotator_id, study.hash)
    return waiting


def share(call: Call, study: Study) -> Share:
    """What the annotator will get: what is to be judged, shared by all who take part."""
    who = call.who
    return Share(study, who.annotator, who.items, who.annotators, who.controls, who.cells)


def claim(connection: Connection, call: Call, study: Study, ahead: int = 0) -> None:
    """Give out the next item, and some ahead of it, but no more ahead than is the annotator's share.

    Nothing to somebody who has worked long enough for this session or this day.
    """
    if pace.limit(connection, call.annotator_id, study, call.now) is not None:
        return
    who = call.who
    cell = who.cell
    if study.assignment.counterbalance and cell is None:
        cell = take_cell(connection, who.study_id, call.annotator_id, who.cells)
    asking = Asking(
        who.study_id, call.annotator_id, who.annotator, study, share(call, study), who.phase, cell, call.now
    )
    next_item.claim(connection, asking, ahead)


def goes_back_to(call: Call, study: Study, task: Task) -> bool:
    """Whether the study lets this annotator open and change an item that is submitted."""
    return task.state == "submitted" and not task.attempt and task.submitted_at >= back_until(call, study)


def back_until(call: Call, study: Study) -> float:
    """Since when submitted items may be opened again, as the study has it: always, in this session, or never."""
    return {"free": 0, "session": call.who.since, "forward-only": float("inf")}[study.navigation]


def known_fields(study: Study, task: Task, call: Call) -> RawAnswers:
    """The answers in a form, by the item's questions; anything else is left out."""
    questions = questionnaire_of(study, task.shown).questions
    return {question.key: call.form[question.key] for question in questions if question.key in call.form}


@dataclass(frozen=True, slots=True)
class Round:
    """The items that one is counted among: all of one's work, or those of a try at a gate."""

    heading: str
    """What the item is called: its number, and of how many."""
    total: int
    gate: str = ""


async def round_of(call: Call, study: Study, task: Task) -> Round:
    """What an item is counted among."""
    if not task.attempt:
        total = max(share(call, study).total, task.position)
        return Round(study.words("item.heading", number=task.position, total=total), total)
    gate = await next_gate(call, study)
    assert isinstance(gate, Practice)
    last = await call.context.store.aread(attempts.last_try, call.annotator_id, gate)
    total = max(int(last.result["planned"]) if last else 0, task.position)
    return Round(gate.item_heading(study.words, task.position, total), total, gate.kind)


async def item_values(
    call: Call, study: Study, task: Task, reasons: dict[str, str] | None = None, answers: RawAnswers | None = None
) -> dict[str, Any]:
    """What the template of one item needs."""
    answers = task.answers if answers is None else answers
    pages = call.context.pages.of(study)
    among = await round_of(call, study, task)
    return {
        "study": study,
        "visit": call.who,
        "home": home(call),
        "task": task,
        "among": among,
        "total": among.total,
        "shown_at": call.now,
        "goes_back": study.navigation != "forward-only" and not task.attempt,
        "content": pages.content(study, task.shown, answers, home(call)),
        "questions": pages.questions(study, task.shown, answers, reasons or {}),
    }


def show(call: Call, study: Study, template: str, status: int = 200, /, **values: Any) -> Response:
    """A page of the annotator's."""
    values.setdefault("error", "")
    return call.context.pages.of(study).response(
        template, status, **{"study": study, "visit": call.who, "home": home(call), **values}
    )
