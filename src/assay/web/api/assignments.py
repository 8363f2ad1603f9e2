"""Assignments and judgments for scripts that act for an annotator. They see what the annotator's page shows, no more.

Like the annotator's pages, this reads through `store.annotator` alone, which cannot reach what is hidden.
"""

from typing import Any

from pydantic import Field
from sqlalchemy import Connection
from starlette.responses import Response

from assay.acts.claims import claim
from assay.acts.later_blocks import proofs_of_revealed
from assay.acts.may_judge import assignment_in_turn, next_gate, nothing_left, state_of_work
from assay.acts.page_version import proof_of_page, refuse_other_version
from assay.acts.submissions import SentForm, read_form, save_draft
from assay.acts.submissions import submit as submit_form
from assay.judgments import Question, form_strings, questionnaire_of
from assay.judgments.later_blocks import is_revealed
from assay.model import CANDIDATES
from assay.store.annotator import assignments
from assay.store.annotator.assignments import Assignment, RawAnswers
from assay.store.annotator.sessions import Annotator, annotator_named
from assay.store.annotator.submissions import Seat
from assay.study import Study
from assay.web.annotator import common
from assay.web.annotator.pages import picture_answer
from assay.web.annotator.submissions import MOST_ACTIVE_MS, MOST_AHEAD
from assay.web.api.endpoint import Answer, ApiCall, ApiEndpoint, Body, Query, bad_request, no_such_thing

MOST_ANSWERS = 2000
MOST_PARTS = 200
PATH = "/studies/{study}/annotators/{annotator}/assignments"

SEAT = Seat("api")
"""A script goes on from its own drafts; what a window has written since it does not overwrite."""

Given = str | int | float | bool | list[str] | None


class OptionAnswer(Answer):
    """One legal answer."""

    value: Any
    label: str


class QuestionAnswer(Answer):
    """One question of an item; `key` names it in the answers."""

    key: str
    dimension: str
    kind: str
    title: str
    of: str
    """What it is asked of: a side or an entry by its heading; empty: the item."""
    optional: bool
    unable: bool
    """Whether "unable" may be answered: this cannot be judged."""
    asked_when: str
    """Under which condition on other answers it is asked; empty: always. An answer to what is not asked is refused."""
    options: list[OptionAnswer]


class AssignmentAnswer(Answer):
    """One item to judge, as the annotator's page shows it."""

    assignment: str
    position: int
    study_version: str
    shown: dict[str, Any]
    warnings: list[str]
    """What the study warns of before the item opens. A page shows nothing of it until the person asks for it."""
    questions: list[QuestionAnswer]
    seen: list[str]
    """Proofs of what has been shown: the item under this version, and what comes after some answers. They are sent with
    the judgments."""


class AssignmentsAnswer(Answer):
    """What an annotator has to judge now."""

    state: str
    """open, or why there is nothing: paused, closed, held, released, left, message, enough, finished."""
    assignments: list[AssignmentAnswer]


class NewDraft(Body):
    """Some answers to an item's questions, by their keys."""

    answers: dict[str, Given] = Field(max_length=MOST_ANSWERS)
    study_version: str = Field(default="", max_length=64)
    """The version that the assignment came with; left out: the one in force. Another needs the proof in `seen`."""
    seen: list[str] = Field(default=[], max_length=MOST_PARTS)
    """The proofs that came with what was shown."""


class NewJudgments(NewDraft):
    """The answers to an item's questions, by their keys."""

    shown_at: int | None = Field(default=None, ge=0, le=2**53)
    active_ms: int | None = Field(default=None, ge=0, le=2**53)


class ReceiptAnswer(Answer):
    """What was stored. The same judgments sent again get the same receipt."""

    submission: str
    submitted_at: int


async def annotator_of(call: ApiCall) -> Annotator:
    """Whom the request is for, after it is known that the token may act for them."""
    name, only = call.path("annotator"), call.bearer.annotator_id
    found = await call.context.store.aread(annotator_named, call.bearer.study_id, name, call.now)
    if found is None or (only is not None and found.id != only):
        raise no_such_thing("nobody in this study is called so")
    return found


async def listed(call: ApiCall) -> AssignmentsAnswer:
    """Read what an annotator has to judge, and some items ahead; they are given out as the page gives them out."""
    annotator, store = await annotator_of(call), call.context.store
    study = await common.version_of(store, annotator.study_id, annotator.version)
    if not annotator.takes_part:
        return AssignmentsAnswer(state="left" if annotator.left else annotator.state, assignments=[])
    if (waiting := await store.aread(next_gate, annotator, study)) is not None:
        fix = "the annotator passes it on their own page; some gates a coordinator can pass for them"
        raise bad_request("annotator", f"the gate {waiting.kind} is not passed", fix, 403)
    state = await store.aread(state_of_work, annotator, study, call.now)
    if state != "open":
        return AssignmentsAnswer(state=state, assignments=[])
    # What is revealed later depends on answers that are not given yet.
    ahead = 0 if study.items.later_fields else call.query["ahead"]
    await store.awrite_soon(claim, annotator, study, call.now, ahead)
    first = await store.aread(assignments.current, annotator.id)
    if first is None:
        return AssignmentsAnswer(state=await store.aread(nothing_left, annotator, study, call.now), assignments=[])
    rest = await store.aread(assignments.ahead, annotator.id, first.position, ahead) if ahead else []
    found = [assignment_answer(study, each, annotator.study) for each in (first, *rest)]
    return AssignmentsAnswer(state="open", assignments=found)


def assignment_answer(study: Study, assignment: Assignment, name: str) -> AssignmentAnswer:
    """An item as its page shows it now, in the study of this name."""
    shown = fields_on_page(study, assignment.shown, assignment.answers)
    return AssignmentAnswer(
        assignment=assignment.public_id,
        position=assignment.position,
        study_version=study.hash,
        shown=_with_addresses(shown, f"/api/v1/studies/{name}/pictures/"),
        warnings=[study.care.warn.get(tag, tag) for tag in assignment.warnings],
        questions=[_question(each) for each in questionnaire_of(study, shown).possible],
        seen=[proof_of_page(study, assignment), *proofs_of_revealed(study, assignment, assignment.answers)],
    )


def fields_on_page(study: Study, shown: dict[str, Any], given: RawAnswers) -> dict[str, Any]:
    """Of an item, what its page shows now: the fields of the blocks that are due, and the entries that are asked of."""
    due = [block for block in study.items.show if not block.after or is_revealed(study, shown, block, given)]
    fields = {name for block in due for name in block.display.fields()}
    parts = {name for block in due for name in block.display.candidate_fields()}
    found: dict[str, Any] = {name: shown[name] for name in sorted(fields) if name in shown}
    for name in study.entries:
        found[name] = [{"id": each["id"], "text": each["text"]} for each in shown.get(name) or []]
    if CANDIDATES in shown:
        found[CANDIDATES] = [{name: each[name] for name in sorted(parts) if name in each} for each in shown[CANDIDATES]]
    return found


def _with_addresses(value: Any, root: str) -> Any:
    """The shown fields with pictures replaced by their addresses."""
    if isinstance(value, dict):
        if set(value) == {"picture", "width", "height"}:
            return {**value, "picture": f"{root}{value['picture']}"}
        return {name: _with_addresses(each, root) for name, each in value.items()}
    return [_with_addresses(each, root) for each in value] if isinstance(value, list) else value


def _question(question: Question) -> QuestionAnswer:
    kind = question.dimension.input
    return QuestionAnswer(
        key=question.key,
        dimension=question.dimension.dimension,
        kind=kind.kind,
        title=question.title,
        of=question.part,
        optional=question.dimension.optional,
        unable=question.unable is not None,
        asked_when=question.dimension.ask_when or "",
        options=[OptionAnswer(value=value, label=kind.show(value)) for value in kind.values()]
        or [OptionAnswer(value=name, label=kind.show([name])) for name in kind.option_names()],
    )


async def draft(call: ApiCall) -> AssignmentAnswer:
    """Keep half-finished answers, and read the item as its page then shows it: with what comes after these answers."""
    sent = call.read(NewDraft)
    annotator = await annotator_of(call)
    study, assignment = await _in_turn(call, annotator, sent)
    answers = _raw(study, assignment, sent.answers)

    def act(connection: Connection) -> dict[str, Any]:
        save_draft(connection, annotator, study, assignment, answers, SEAT, call.now, tuple(sent.seen))
        kept = assignments.by_public_id(connection, annotator.id, assignment.public_id)
        return assignment_answer(study, kept, annotator.study).model_dump()

    return AssignmentAnswer(**await call.write(act))


async def _in_turn(call: ApiCall, annotator: Annotator, sent: NewDraft) -> tuple[Study, Assignment]:
    """The version that the answers are for, and the item that they are about, where it is that item's turn."""
    store = call.context.store
    study = await common.version_of(store, annotator.study_id, sent.study_version or annotator.version)
    public_id = common.public_id(call.request)
    found = await store.aread(assignment_in_turn, annotator, study, public_id, call.now)
    refuse_other_version(annotator, study, found, sent.seen)
    return study, found


async def submit(call: ApiCall) -> ReceiptAnswer:
    """Submit the judgments of an item: checked by the same rules and stored by the same function as the page's."""
    sent = call.read(NewJudgments)
    annotator = await annotator_of(call)
    study, assignment = await _in_turn(call, annotator, sent)
    answers = _raw(study, assignment, sent.answers)
    shown_at = None if sent.shown_at is None else min(sent.shown_at, call.now)
    active_ms = None if sent.active_ms is None else min(sent.active_ms, MOST_ACTIVE_MS)
    sent_form = SentForm(answers, SEAT, shown_at=shown_at, active_ms=active_ms, seen=tuple(sent.seen))
    form = read_form(annotator, study, assignment, sent_form, refuse_unasked=True)

    def act(connection: Connection) -> dict[str, Any]:
        receipt = submit_form(connection, annotator, study, assignment, form, call.now)
        return {"submission": receipt.submission, "submitted_at": receipt.submitted_at}

    return ReceiptAnswer(**await call.write(act))


def _raw(study: Study, assignment: Assignment, given: dict[str, Given]) -> RawAnswers:
    """Answers in the shape of a form; an unknown key is refused, so that a typo does not go unnoticed."""
    questions = {question.key: question for question in questionnaire_of(study, assignment.shown).questions}
    unknown = [key for key in given if key not in questions]
    if unknown:
        fix = f"questions here: {', '.join(questions)}"[:2000]
        raise bad_request(f"answers.{unknown[0][:100]}", "nothing is asked under this key", fix, 422)
    return {key: _strings(questions[key], value) for key, value in given.items() if value is not None}


def _strings(question: Question, value: Given) -> list[str]:
    if isinstance(value, list) and len(value) > MOST_PARTS:
        raise bad_request(f"answers.{question.key}", "the list is too long", f"at most {MOST_PARTS}", 422)
    return form_strings(question, value)


async def picture(call: ApiCall) -> Response:
    """Read a picture that an item shows."""
    return await picture_answer(call.context.store, call.bearer.study_id, call.path("hash"))


ENDPOINTS = [
    ApiEndpoint(
        "GET",
        PATH,
        "judge",
        listed,
        AssignmentsAnswer,
        query=(Query("ahead", "How many items more than the one to judge now.", 0, high=MOST_AHEAD),),
    ),
    ApiEndpoint("POST", f"{PATH}/{{public_id}}/draft", "judge", draft, AssignmentAnswer, NewDraft, repeatable=True),
    ApiEndpoint(
        "POST",
        f"{PATH}/{{public_id}}/judgments",
        "judge",
        submit,
        ReceiptAnswer,
        NewJudgments,
        status=201,
        repeatable=True,
    ),
    ApiEndpoint("GET", "/studies/{study}/pictures/{hash}", "judge", picture, media_type="image/*"),
]
