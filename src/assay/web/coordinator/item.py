"""The page of one item, as annotators see it, with everything that was said of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from assay.in_words import number
from assay.judgments import entries_of
from assay.model import Judgment
from assay.report.hidden_results import are_hidden
from assay.sides_and_candidates import systems_by_role
from assay.store.coordinator import long_table
from assay.store.coordinator.item_search import neighbours
from assay.store.tables import WITHDRAWN
from assay.study import Study
from assay.web.access import Call, Endpoint
from assay.web.annotator.pages import picture
from assay.web.coordinator.common import content, home, item_of, no_such_item, show, study_of
from assay.web.coordinator.items import ItemQuestion

SaidQuestion = tuple[str, str]
"""The title of a dimension, and what it asks about, where that is a candidate or an entry."""


async def page(call: Call) -> Response:
    """One item as annotators see it, everything that was said of it, and the ways to its neighbours in the list."""
    name = call.request.query_params.get("name", "")
    study, store, study_id = await study_of(call), call.context.store, call.session.study_id
    found = await item_of(call, name)
    if found is None:
        return await no_such_item(call, name)
    hidden = are_hidden(study, call.session.state)
    asked = await ItemQuestion.of(call.request.query_params).look_up_names(call, hidden)
    before, after = await store.aread(neighbours, study_id, asked.filter(study, hidden), found.id)
    said = await store.aread(long_table.judgments_of_item, study_id, name, study.preference_dimensions)
    names = _candidate_names(study, found.systems, hidden)
    return await show(
        call,
        "item_seen.html",
        name=name,
        content=content(call, study, found.shown),
        systems=[] if hidden else [*names.values()] or found.systems,
        said=_answers_of_item(study, found.shown, said, names),
        series=found.series,
        withdrawn=found.series == WITHDRAWN,
        before=before and f"{home(call)}/item?{asked.query(name=before)}",
        after=after and f"{home(call)}/item?{asked.query(name=after)}",
        all_items=f"{home(call)}/items?{asked.query()}",
    )


@dataclass(frozen=True)
class Said:
    """What somebody said of the item at one time, by question."""

    annotator: str
    active_ms: int | None
    at: int | None
    remarks: str
    values: dict[SaidQuestion, str]


@dataclass(frozen=True)
class SaidOfItem:
    """Everything that was said of an item: a row for each submission, a column for each question."""

    columns: list[SaidQuestion]
    rows: list[Said]

    @property
    def has_remarks(self) -> bool:
        """Whether anything is to be known of any row."""
        return any(each.remarks for each in self.rows)


def _answers_of_item(study: Study, shown: Mapping[str, Any], said: list[Judgment], names: dict[str, str]) -> SaidOfItem:
    titles = {each.dimension: each.heading for each in study.rubric}
    titles |= {each.derived: each.heading for each in study.derive}
    order = {dimension: place for place, dimension in enumerate(titles)}
    columns: dict[SaidQuestion, int] = {}
    rows: dict[tuple[str, str, int, str], Said] = {}
    for each, part in zip(said, _parts(study, shown, said, names), strict=True):
        question = titles.get(each.dimension, each.dimension), part
        columns.setdefault(question, order.get(each.dimension, len(order)))
        key = each.annotator, each.submission, each.revision, _remarks(each)
        row = rows.setdefault(key, Said(each.annotator, each.active_ms, each.submitted_at, key[3], {}))
        row.values[question] = _value_in_words(study, each, names)
    return SaidOfItem(sorted(columns, key=lambda question: columns[question]), [*rows.values()])


def _remarks(given: Judgment) -> str:
    said = (
        "practice" if given.is_practice else "",
        "second time" if given.pass_ > 1 else "",
        f"revision {given.revision}" if given.revision > 1 else "",
        "replaced" if given.superseded else "",
        "surplus" if given.surplus else "",
    )
    return ", ".join(filter(None, said))


def _candidate_names(study: Study, systems: tuple[str, ...], hidden: bool) -> dict[str, str]:
    """What each candidate of a pair is called here, by its system: by its side alone where systems are not to be known.

    The page shows candidates in the order of the item's systems.
    """
    sides = zip(systems_by_role(systems).values(), study.sides, strict=False)
    return {system: side if hidden else f"{side}: {system}" for system, side in sides}


def _parts(study: Study, shown: Mapping[str, Any], said: list[Judgment], names: dict[str, str]) -> list[str]:
    """The name of the candidate or entry that each judgment is about; an entry by its words, not by its id."""
    words = {
        (dimension.dimension, entry["id"]): entry["text"]
        for dimension in study.rubric
        if dimension.scope.of == "entries"
        for entry in entries_of(shown, dimension.scope.entries)
    }
    found = ((names.get(each.candidate, ""), words.get((each.dimension, each.entry), each.entry)) for each in said)
    return [", ".join(filter(None, each)) for each in found]


def _value_in_words(study: Study, given: Judgment, names: dict[str, str]) -> str:
    """A number as people write it, tags by their labels, a candidate of a pair by its name."""
    if given.value is None:
        return "cannot be judged"
    if isinstance(given.value, float):
        return number(given.value)
    if isinstance(given.value, list | tuple):
        asked = next((each for each in study.rubric if each.dimension == given.dimension), None)
        return asked.input.show(given.value) if asked else ", ".join(map(str, given.value))
    return names.get(str(given.value), str(given.value))


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/item", "coordinator", page),
    Endpoint("GET", "/coordinate/{study}/picture/{hash}", "coordinator", picture),
]
