"""Practice and calibration: items on the judging page, feedback after each, and in the end how it went."""

import re
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from assay.acts.attempt_result import compare_item
from assay.acts.attempts import (
    AttemptState,
    attempt_state,
    continue_attempt,
    dimensions_to_read,
    press_on,
)
from assay.gates import Gate
from assay.inputs.one_of import OneOf
from assay.inputs.scale import ScaleInput
from assay.judgments.reference import AnswerAndReference
from assay.model import Value
from assay.store.annotator import attempts
from assay.store.annotator.attempts import Attempt
from assay.study import Study
from assay.study.rubric import Dimension
from assay.web.access import Call, see_other
from assay.web.annotator import care, common
from assay.web.annotator.result_words import describe

MOST_POINTS = 11
"""The most points of a scale that fit on a drawn line."""


async def show(call: Call, study: Study, gate: Gate, status: int = 200, error: str = "") -> Response:
    """The page of the state that an attempt is in: before the first item, an item, its feedback, or the result."""
    store = call.context.store
    at = await store.aread(attempt_state, call.annotator, gate)
    if at.last is not None and at.last.ended_at is None and at.assignment is None and not at.owes_a_look:
        # An item was left out: another one comes, or the attempt is over.
        await store.awrite(continue_attempt, call.annotator, study, gate, call.now)
        at = await store.aread(attempt_state, call.annotator, gate)
    values: dict[str, Any] = {"gate": gate, "error": error, **common.step_of(study, gate)}
    if at.last is None:
        values |= {
            "given": {},
            "missing": [],
            "last": None,
            "told": {},
            "number": 1,
            "headings": {},
            "over": False,
            "asked": "",
        }
        return common.show(call, study, "gate.html", status, **values, total=gate.items_in_attempt(1))
    if at.last.ended_at is not None:
        values["farewell"] = await common.farewell(call, study, 0)
        return common.show(call, study, "result.html", status, **values, **_result(study, gate, at.last))
    if at.owes_a_look:
        return common.show(call, study, "feedback.html", **values, **_feedback(call, study, gate, at))
    assert at.assignment is not None
    if (instead := await care.before(call, study, at.assignment)) is not None:
        return instead
    return common.show_item(call, study, await common.item_values(call, study, at.assignment))


async def receive(call: Call, study: Study, gate: Gate) -> Response:
    """Do what a button on these pages says: begin, next, try again, go on."""
    number, seen = (common.number(call.first(name), 0, 10**6) for name in ("try", "seen"))
    read = {int(name[5:]) for name in call.form if re.fullmatch(r"read-\d{1,4}", name) and call.first(name) == "yes"}
    if not await call.context.store.awrite(press_on, call.annotator, study, gate, number, seen, read, call.now):
        return await show(call, study, gate, 422, study.words("gate.incomplete"))
    return see_other(common.home(call))


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


def _feedback(call: Call, study: Study, gate: Gate, at: AttemptState) -> dict[str, Any]:
    assert at.last is not None
    item = at.judged[at.last.seen]
    pages, home = call.context.pages.of(study), common.home(call)
    total = max(int(at.last.result["planned"]), item.position)
    marks = [_mark(study, each) for each in compare_item(study, item)]
    return {
        "last": at.last,
        "heading": gate.item_heading(study.words, item.position, total),
        # What differs comes first: it must not lie out of sight.
        "marks": sorted(marks, key=lambda mark: mark.same),
        "apart": [mark for mark in marks if not mark.same],
        "reason": item.reason,
        "content": [pages.block(block, item.shown, home) for block in study.items.show],
        "is_last": item.position >= total,
    }


def _mark(study: Study, each: AnswerAndReference) -> Mark:
    words, asked = study.words, each.dimension.input
    drawn = isinstance(asked, ScaleInput) and len(asked.values()) <= MOST_POINTS and each.own is not None
    if not each.asked:
        apart = words("feedback.not_asked")
    elif each.own is None:
        apart = words("feedback.no_answer")
    elif each.same:
        apart = words("feedback.same")
    else:
        apart = (
            words("feedback.different")
            if each.difference is None
            else words("feedback.apart", n=round(abs(each.difference)))
        )
    return Mark(
        dimension=each.dimension,
        title=each.question.title,
        part=each.question.part,
        points=[*asked.values()] if drawn else [],  # type: ignore[list-item]
        own=each.own,
        reference=each.reference,
        own_words=in_words(study, each.dimension, each.own) if each.asked else "",
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
    if each.same or each.difference is None:
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
class PartToRead:
    """What an annotator should read again about one dimension."""

    dimension: Dimension
    choices: list[Any]
    guide: str


def _result(study: Study, gate: Gate, last: Attempt) -> dict[str, Any]:
    found = [describe(study, gate, each) for each in last.result.get("dimensions", [])]
    again = last.passed is False and not attempts.is_last(gate, last)
    return {
        "last": last,
        "found": found,
        "judged": last.result.get("judged", 0),
        "again": again,
        "count": gate.items_in_attempt(last.number + 1),
        "parts": _to_read(study, last) if again else [],
        "talks": bool(last.passed and gate.waits_for_talk),
        "calibrates": gate.rule is not None,
    }


def _to_read(study: Study, last: Attempt) -> list[PartToRead]:
    """Of each dimension that was not passed, what its rubric and the guidelines say."""
    return [_part(study, study.dimension(name)) for name in dimensions_to_read(last)]


def _part(study: Study, dimension: Dimension) -> PartToRead:
    asked = dimension.input
    choices = asked.choices(study.sides, study.words) if isinstance(asked, OneOf) else []
    return PartToRead(dimension, choices, _guide(study, dimension))


def _guide(study: Study, dimension: Dimension) -> str:
    return next((text for entry in study.gates if (text := entry.gate.about(dimension.heading))), "")
