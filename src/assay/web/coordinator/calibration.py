"""Calibration talked over: two annotators and the reference, item by item, the largest differences first."""

from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from assay.judgments.reference import AnswerAndReference, compare_with_reference
from assay.model import Value
from assay.store.coordinator import calibration_answers
from assay.store.coordinator.calibration_answers import AnswersToItem
from assay.study import Study
from assay.web.access import Call, Endpoint
from assay.web.annotator.practice import in_words
from assay.web.coordinator.common import home, show, study_of
from assay.web.coordinator.menu import MenuEntry

SHOW = {"differ": "where they differ", "all": "all"}


@dataclass(frozen=True)
class ComparedAnswers:
    """One question: what the two said, and what was agreed on."""

    title: str
    part: str
    first: str
    second: str
    reference: str
    apart: float
    """Between the two: in points, or 1 where answers without an order differ."""
    from_reference: float
    """The further of the two from the reference."""


@dataclass(frozen=True)
class Beside:
    """One item that both have judged."""

    item: str
    content: list[Any]
    reason: str
    rows: list[ComparedAnswers]

    @property
    def apart(self) -> tuple[float, float]:
        """How far apart on the question that divides them most, and on all."""
        return max((row.apart for row in self.rows), default=0), sum(row.apart for row in self.rows)


async def page(call: Call) -> Response:
    """What two annotators answered in the calibration, beside the reference."""
    study, query = await study_of(call), call.request.query_params
    gates = [entry.gate for entry in study.gates if entry.gate.item_file]
    gate = next((each for each in gates if each.rule is not None), gates[0] if gates else None)
    items = (
        await call.context.store.aread(calibration_answers.answers_by_item, call.session.study_id, gate.item_file)
        if gate
        else []
    )
    names = sorted({name for each in items for name in each.said})
    first, second = _pair(items, names, query.get("first", ""), query.get("second", ""))
    which = query.get("show", "") if query.get("show") in SHOW else "differ"
    only = query.get("dimension", "")
    found = [_beside(call, study, each, first, second, only) for each in items if {first, second} <= set(each.said)]
    common = len(found)
    if which == "differ":
        found = [each for each in found if each.apart[0] > 0]
    values = {
        "names": names,
        "first": first,
        "second": second,
        "which": which,
        "kinds": SHOW,
        "only": only,
        "dimensions": [each for each in study.rubric if each.input.answer != "text"],
        "items": sorted(found, key=lambda each: each.apart, reverse=True),
        "common": common,
    }
    return await show(call, "compare.html", **values)


def _pair(items: list[AnswersToItem], names: list[str], first: str, second: str) -> tuple[str, str]:
    """The two who are asked for; else the two with the most items in common."""
    if first in names and second in names and first != second:
        return first, second
    return calibration_answers.best_pair(items) or ("", "")


def _beside(call: Call, study: Study, each: AnswersToItem, first: str, second: str, only: str) -> Beside:
    one, other = (
        compare_with_reference(study, each.shown, False, each.said[name], each.reference) for name in (first, second)
    )
    rows = [
        _compare_answers(study, mine, theirs)
        for mine, theirs in zip(one, other, strict=True)
        if only in ("", mine.dimension.dimension)
    ]
    content = [call.context.pages.block(block, each.shown, home(call)) for block in study.items.show]
    return Beside(each.item, content, each.reason, sorted(rows, key=lambda row: -row.apart))


def _compare_answers(study: Study, mine: AnswerAndReference, theirs: AnswerAndReference) -> ComparedAnswers:
    def words_of(value: Value) -> str:
        return in_words(study, mine.dimension, value) or "–"

    return ComparedAnswers(
        title=mine.question.title,
        part=mine.question.part,
        first=words_of(mine.own),
        second=words_of(theirs.own),
        reference=words_of(mine.reference),
        apart=_apart(AnswerAndReference(mine.question, mine.own, theirs.own)),
        from_reference=max(_apart(mine), _apart(theirs)),
    )


def _apart(each: AnswerAndReference) -> float:
    return float(not each.same) if each.difference is None else abs(each.difference)


def _practises(study: Study) -> bool:
    return any(entry.gate.has_items for entry in study.gates)


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/calibration", "coordinator", page, MenuEntry("Calibration", 30, _practises)),
]
