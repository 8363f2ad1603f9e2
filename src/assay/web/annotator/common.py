"""What the annotator's pages share: their address, the version of the study, the form, and how an item is shown."""

import re
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from assay.acts.farewells import Farewell, say_goodbye, time_out
from assay.acts.later_blocks import proofs_of_revealed
from assay.acts.may_judge import assignment_in_turn, next_gate
from assay.acts.page_version import proof_of_page, refuse_other_version
from assay.errors import NotFound
from assay.gates import Gate
from assay.judgments import questionnaire_of
from assay.store import Backend
from assay.store.annotator import assignments, attempts, versions
from assay.store.annotator.assignments import Assignment, RawAnswers
from assay.study import Study
from assay.study.support import support_for
from assay.web.access import Call, Refused
from assay.web.annotator.computed_values import computed_earlier
from assay.words import Translatable


def home(call: Call) -> str:
    """The address of the annotator's page."""
    return f"/judge/{call.session.study}"


def public_id(request: Request) -> str:
    """The public id in the address; raises NotFound where it can be none."""
    given: str = request.path_params["public_id"]
    if not re.fullmatch("[A-Za-z0-9_-]{1,64}", given):
        raise NotFound(Translatable("errors.no_item"))
    return given


def number(text: str, low: int, high: int) -> int | None:
    """A whole number as a page sends it, or None."""
    return min(high, max(low, int(text))) if text.isascii() and text.isdigit() and len(text) < 15 else None


async def version_of(store: Backend, study_id: int, version: str) -> Study:
    """A version of the study as the page showed it; only versions that were in force exist."""
    if (kept := versions.in_memory(study_id, version)) is not None:
        return kept
    known = re.fullmatch("[0-9a-f]{64}", version)
    found = await store.aread(versions.version, study_id, version) if known else None
    if found is None:
        raise Refused(409, Translatable("errors.study_changed"), Translatable("errors.reload"))
    return found


async def study_of(call: Call) -> Study:
    """The version in force."""
    return await version_of(call.context.store, call.session.study_id, call.session.version)


async def in_turn(call: Call, *, was_submitted: bool = False) -> tuple[Study, Assignment]:
    """The study version that a form was made from, and the item that it is about, where it is that item's turn."""
    store = call.context.store
    study = await version_of(store, call.session.study_id, call.first("study"))
    if was_submitted and call.annotator.left:
        # Whoever left over a new consent text gives nothing that was asked for under the old one.
        was_submitted = study.consent == (await study_of(call)).consent
    ask = partial(assignment_in_turn, was_submitted=was_submitted)
    found = await store.aread(ask, call.annotator, study, public_id(call.request), call.now)
    refuse_other_version(
        call.annotator, study, found, [call.first("made")], number(call.first("revision"), 1, 10**6) or 1
    )
    return study, found


def known_fields(study: Study, assignment: Assignment, call: Call) -> RawAnswers:
    """The answers in a form, by the item's questions; anything else is left out."""
    questions = questionnaire_of(study, assignment.shown).questions
    return {question.key: call.form[question.key] for question in questions if question.key in call.form}


@dataclass(frozen=True, slots=True)
class Counted:
    """The items that one is counted among: all of one's work, or those of an attempt at a gate."""

    heading: str
    """What the item is called: its number, and of how many."""
    total: int
    gate: str = ""


async def number_of_item(call: Call, study: Study, assignment: Assignment) -> Counted:
    """The total and the heading that an item is counted by: of all work, or of an attempt at a gate."""
    if not assignment.attempt:
        total = max(call.annotator.share(study).total, assignment.position)
        return Counted(study.words("item.heading", number=assignment.position, total=total), total)
    store = call.context.store
    gate = await store.aread(next_gate, call.annotator, study)
    assert gate is not None
    last = await store.aread(attempts.last_attempt, call.annotator.id, gate)
    total = max(int(last.result["planned"]) if last else 0, assignment.position)
    return Counted(gate.item_heading(study.words, assignment.position, total), total, gate.kind)


async def item_values(
    call: Call,
    study: Study,
    assignment: Assignment,
    reasons: dict[str, str] | None = None,
    answers: RawAnswers | None = None,
    *,
    out_of_turn: bool = False,
) -> dict[str, Any]:
    """What the template of one item needs. `out_of_turn`: others come before it that are not judged yet."""
    answers = assignment.answers if answers is None else answers
    pages = call.context.pages.of(study)
    among = await number_of_item(call, study, assignment)
    judged = assignment.position - 1
    if study.navigation == "free" and not assignment.attempt:
        # Items may be judged in any order: of those before this one, some may be open still.
        judged -= await call.context.store.aread(assignments.open_before, call.annotator.id, assignment.position)
    return {
        "study": study,
        "session": call.session,
        "home": home(call),
        "assignment": assignment,
        "among": among,
        "total": among.total,
        "judged": judged,
        "before": assignment.position - 1,
        # At the last one there is none: nothing stands at 0.
        "after": assignment.position + 1 if assignment.position < among.total else 0,
        "out_of_turn": out_of_turn,
        "computed": computed_earlier(study, assignment),
        "moves": study.navigation == "free" and not assignment.attempt,
        "made": proof_of_page(study, assignment),
        "shown_at": call.now,
        "seen": " ".join(proofs_of_revealed(study, assignment, answers)) if study.items.later_fields else None,
        "frame": pages.frame(study, home(call), study.navigation != "forward-only" and not assignment.attempt),
        "content": pages.content(study, assignment.shown, answers, home(call)),
        "questions": pages.questions(study, assignment.shown, answers, reasons or {}),
    }


async def farewell(call: Call, study: Study, submitted: int, *, nothing_left: bool = False) -> Farewell | None:
    """What somebody from a panel gets where it has ended for them; None for everybody else."""
    if study.assignment.panel is None:
        return None
    ended = partial(say_goodbye, submitted=submitted, nothing_left=nothing_left)
    return await call.context.store.awrite(ended, call.annotator, study, call.now)


async def time_is_over(call: Call, study: Study) -> bool:
    """Whether somebody from a panel has taken longer than the study gives; their place is given up then."""
    sent = study.assignment.panel is not None
    return sent and await call.context.store.awrite(time_out, call.annotator, study, call.now)


def step_of(study: Study, gate: Gate) -> dict[str, int]:
    """Which of the study's gates this is, and of how many: for the line over its heading."""
    versions = [entry.gate.version for entry in study.gates]
    if gate.version not in versions:
        return {"step": 0, "steps": 0}
    return {"step": versions.index(gate.version) + 1, "steps": len(versions)}


def supports(call: Call, study: Study) -> list[tuple[str, str]]:
    """Every text of support with its language, the one first that fits what the browser asks for."""
    texts = study.support_texts
    order = support_for(texts, call.request.headers.get("accept-language", "")) if len(texts) > 1 else list(texts)
    return [(language, texts[language].text) for language in order]


def show_item(call: Call, study: Study, values: dict[str, Any], status: int = 200) -> Response:
    """The page of an item, by what `item_values` and `pace.values` say of it."""
    return HTMLResponse(call.context.pages.of(study).items.page(values), status)


def show(call: Call, study: Study, template: str, status: int = 200, /, **values: Any) -> Response:
    """A page of the annotator's."""
    common = {"study": study, "session": call.session, "home": home(call), "error": "", "farewell": None}
    common["supports"] = supports(call, study)
    return call.context.pages.of(study).response(template, status, **{**common, **values})
