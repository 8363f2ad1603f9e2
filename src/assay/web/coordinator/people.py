"""The page of people: everybody, some by name or state, or those whom a mark of a figure leads to."""

from collections.abc import Collection

from starlette.responses import Response

from assay.fieldwork import AnnotatorProgress
from assay.store.coordinator import funnel, study_status
from assay.web.access import Call, Endpoint
from assay.web.coordinator.common import leads_of, show, study_of
from assay.web.coordinator.known_names import names_known
from assay.web.coordinator.menu import MenuEntry


async def page(call: Call) -> Response:
    """Everybody, or those whom a mark, a part of their name and a state leave."""
    query, study = call.request.query_params, await study_of(call)
    store, study_id = call.context.store, call.session.study_id
    rows = await store.aread(study_status.progress, study_id, study.gate_versions)
    finished, at_work = await store.aread(funnel.people_finished_and_at_work, study_id, study, call.now)
    states = {row.annotator: _state(row, call.session.state, finished, at_work) for row in rows}
    about = query.get("about", "")
    if figure := query.get("figure", ""):
        names = set((await leads_of(call, figure)).get(about, ()))
        rows = [row for row in rows if row.annotator in names]
    words, state = query.get("words", "").strip(), query.get("state", "")
    found = [row for row in rows if not state or states[row.annotator] == state]
    if words:
        called = await names_known(call)
        found = [row for row in found if _has_words(words, row.annotator, called.get(row.annotator, ""))]
    return await show(
        call,
        "people.html",
        rows=found,
        total=len(rows),
        states=states,
        every_state=list(dict.fromkeys(states[row.annotator] for row in rows)),
        words=words,
        state=state,
        figure=figure,
        about=about if figure else "",
        now=call.now,
    )


def _has_words(words: str, *names: str) -> bool:
    return any(words.casefold() in name.casefold() for name in names)


def _state(row: AnnotatorProgress, study: str, finished: Collection[str], at_work: Collection[str]) -> str:
    """The state of an annotator in a word or two."""
    if row.left or row.state != "active":
        return "left" if row.left else row.state
    if row.elsewhere:
        return "from files"
    if row.annotator in finished:
        return "finished"
    if study != "open":
        return f"the study is {study}"
    return "active" if row.annotator in at_work else "idle" if row.given else "not begun"


ENDPOINTS = [Endpoint("GET", "/coordinate/{study}/people", "coordinator", page, MenuEntry("People", 17))]
