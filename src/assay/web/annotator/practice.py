"""Practice and calibration: items on the judging page, feedback after each, and in the end how it went."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection
from starlette.responses import Response

from assay.gates.calibration import Calibration
from assay.gates.practice import Practice
from assay.gates.reading import Reading
from assay.inputs.one_of import OneOf
from assay.inputs.scale import ScaleInput
from assay.judgments.reference import AnswerAndReference
from assay.model import Value
from assay.store.annotator import assignments, attempts
from assay.store.annotator.attempts import Judged, Try, Trying
from assay.study import Study
from assay.study.rubric import Dimension
from assay.web.access import Call, see_other
from assay.web.annotator import common
from assay.web.annotator.verdict import compared, said, verdict

MOST_POINTS = 11
"""So many points of a scale fit on a line that is drawn."""


@dataclass(frozen=True)
class Standing:
    """Where somebody is in a gate with items."""

    last: Try | None
    judged: list[Judged]
    task: assignments.Task | None

    @property
    def owes_a_look(self) -> bool:
        """Whether there is feedback that has not been looked at."""
        return self.last is not None and len(self.judged) > self.last.seen


def _standing(connection: Connection, annotator_id: int, gate: Practice) -> Standing:
    last = attempts.last_try(connection, annotator_id, gate)
    if last is None:
        return Standing(None, [], None)
    return Standing(
        last,
        attempts.judged(connection, annotator_id, last.id),
        assignments.task_of_try(connection, annotator_id, last.id),
    )


async def show(call: Call, study: Study, gate: Practice, status: int = 200, error: str = "") -> Response:
    """Where somebody is: before the first item, at one, at the feedback on one, or at the result."""
    at = await call.context.store.aread(_standing, call.annotator_id, gate)
    if at.last is not None and at.last.ended_at is None and at.task is None and not at.owes_a_look:
        # An item was left out: another one comes, or the try is over.
        await call.context.store.awrite(_go_on, call, study, gate)
        at = await call.context.store.aread(_standing, call.annotator_id, gate)
    values: dict[str, Any] = {"gate": gate, "error": error}
    if at.last is None:
        values |= {"given": {}, "missing": [], "last": None, "told": {}, "number": 1, "headings": {}, "over": False}
        return common.show(call, study, "gate.html", status, **values, total=gate.items_in_attempt(1))
    if at.last.ended_at is not None:
        return common.show(call, study, "result.html", status, **values, **_result(study, gate, at.last))
    if at.owes_a_look:
        return common.show(call, study, "feedback.html", **values, **_feedback(call, study, gate, at))
    assert at.task is not None
    return common.show(call, study, "item.html", **await common.item_values(call, study, at.task))


async def receive(call: Call, study: Study, gate: Practice) -> Response:
    """What a button on these pages does: begin, next, try again, go on.

    Each form says what it is about, so that one that is sent again does nothing.
    """
    done = await call.context.store.awrite(_receive, call, study, gate)
    if not done:
        return await show(call, study, gate, 422, study.words("gate.incomplete"))
    return see_other(common.home(call))


def _receive(connection: Connection, call: Call, study: Study, gate: Practice) -> bool:
    """False where something is still to be confirmed."""
    attempts.lock(connection, call.annotator_id)
    at = _standing(connection, call.annotator_id, gate)
    number, seen = (common.number(call.first(name), 0, 10**6) for name in ("try", "seen"))
    last = at.last
    if last is None:
        if number == 1:
            _begin(connection, call, study, gate, 1)
    elif last.ended_at is None:
        if at.owes_a_look and (number, seen) == (last.number, last.seen + 1):
            attempts.see(connection, last)
            _go_on(connection, call, study, gate)
    elif last.passed:
        if number == last.number and not getattr(gate, "talk", False):
            assignments.pass_gate(connection, call.annotator_id, gate.kind, gate.version, call.now)
    elif number == last.number + 1 and not attempts.is_last(gate, last):
        parts = _to_read(study, last)
        if any(call.first(f"read-{place_}") != "yes" for place_ in range(len(parts))):
            return False
        _begin(connection, call, study, gate, number)
    return True


def _trying(call: Call, study: Study, gate: Practice) -> Trying:
    return Trying(call.who.study_id, call.annotator_id, call.who.annotator, study, gate, call.now)


def _begin(connection: Connection, call: Call, study: Study, gate: Practice, number: int) -> None:
    attempts.begin(connection, _trying(call, study, gate), number)
    _go_on(connection, call, study, gate)


def _go_on(connection: Connection, call: Call, study: Study, gate: Practice) -> None:
    """Give out the next item of the try under way, or end it where there is none."""
    attempts.lock(connection, call.annotator_id)
    at = _standing(connection, call.annotator_id, gate)
    last = at.last
    if last is None or last.ended_at is not None or at.task is not None or at.owes_a_look:
        return
    planned = int(last.result["planned"])
    if len(at.judged) < planned and attempts.give(connection, _trying(call, study, gate), last):
        return
    passed, result = verdict(study, gate, at.judged, planned)
    attempts.end(connection, last, passed, result, call.now)


# Feedback


@dataclass(frozen=True)
class Mark:
    """One answer beside its reference, as the page shows it."""

    dimension: Dimension
    title: str
    part: str
    points: list[int]
    """The points of the scale, where it is drawn."""
    own: Value
    reference: Value
    own_words: str
    reference_words: str
    apart: str
    same: bool
    boundaries: list[tuple[str, str]]
    """What tells the points between the two apart."""
    guide: str
    """What the guidelines say about it."""


def _feedback(call: Call, study: Study, gate: Practice, at: Standing) -> dict[str, Any]:
    assert at.last is not None
    item = at.judged[at.last.seen]
    pages, home = call.context.pages.of(study), common.home(call)
    total = max(int(at.last.result["planned"]), item.position)
    return {
        "last": at.last,
        "heading": gate.item_heading(study.words, item.position, total),
        "marks": [_mark(study, each) for each in compared(study, item)],
        "reason": item.reason,
        "content": [pages.block(block, item.shown, home) for block in study.items.show],
        "is_last": item.position >= total,
    }


def _mark(study: Study, each: AnswerAndReference) -> Mark:
    words, asked = study.words, each.dimension.input
    drawn = isinstance(asked, ScaleInput) and len(asked.values()) <= MOST_POINTS and each.own is not None
    if each.own is None:
        apart = words("feedback.no_answer")
    elif each.same:
        apart = words("feedback.same")
    else:
        apart = (
            words("feedback.different") if each.signed is None else words("feedback.apart", n=round(abs(each.signed)))
        )
    return Mark(
        dimension=each.dimension,
        title=each.question.title,
        part=each.question.part,
        points=[*asked.values()] if drawn else [],  # type: ignore[list-item]
        own=each.own,
        reference=each.reference,
        own_words=in_words(study, each.dimension, each.own),
        reference_words=in_words(study, each.dimension, each.reference),
        apart=apart,
        same=each.same,
        boundaries=_between(each),
        guide="" if each.same else _guide(study, each.dimension),
    )


def in_words(study: Study, dimension: Dimension, value: Value) -> str:
    """An answer in the words of the page, with its point where it has one."""
    asked = dimension.input
    if value is None:
        return study.unable(dimension) or ""
    if isinstance(asked, ScaleInput):
        return asked.show(value)
    if isinstance(asked, OneOf):
        choices = asked.choices(study.sides, study.words)
        return next((choice.label for choice in choices if choice.value == value), str(value))
    return asked.show(value)


def _between(each: AnswerAndReference) -> list[tuple[str, str]]:
    """The boundaries that lie between the own answer and the reference."""
    if each.same or each.signed is None:
        return []
    low, high = sorted((float(each.own), float(each.reference)))  # type: ignore[arg-type]
    found = []
    for between, words in each.dimension.boundaries.items():
        ends = [float(part) for part in between.split("-") if part.strip().isdigit()]
        if ends and low <= min(ends) and max(ends) <= high:
            found.append((between, words))
    return found


# The result


@dataclass(frozen=True)
class Part:
    """What is to be read again about one dimension."""

    dimension: Dimension
    choices: list[Any]
    guide: str


def _result(study: Study, gate: Practice, last: Try) -> dict[str, Any]:
    found = [said(study, gate, each) for each in last.result.get("dimensions", [])]
    again = last.passed is False and not attempts.is_last(gate, last)
    return {
        "last": last,
        "found": found,
        "judged": last.result.get("judged", 0),
        "again": again,
        "count": gate.items_in_attempt(last.number + 1),
        "parts": _to_read(study, last) if again else [],
        "talks": bool(last.passed and getattr(gate, "talk", False)),
        "calibrates": isinstance(gate, Calibration),
    }


def _to_read(study: Study, last: Try) -> list[Part]:
    """Of each dimension that was not passed, what its rubric and the guidelines say."""
    failed = [each["dimension"] for each in last.result.get("dimensions", []) if each["passed"] is False]
    return [_part(study, study.dimension(name)) for name in failed]


def _part(study: Study, dimension: Dimension) -> Part:
    asked = dimension.input
    choices = asked.choices(study.sides, study.words) if isinstance(asked, OneOf) else []
    return Part(dimension, choices, _guide(study, dimension))


def _guide(study: Study, dimension: Dimension) -> str:
    readings = (entry.gate for entry in study.gates if isinstance(entry.gate, Reading))
    return next((text for gate in readings if (text := gate.about(dimension.heading))), "")
