"""What a coordinator does about people and items: flags, one annotator, one item, the pilot, values agreed on."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import urlencode

from starlette.responses import Response

from assay.candidates import slot_of_candidate, systems_by_role
from assay.errors import AnswerError, AssayError, NotFound
from assay.exchange import as_time
from assay.judgments import Question, questions_of, read_answer
from assay.live import report_data
from assay.report import adjudication
from assay.store.annotator import attempts
from assay.store.coordinator import actions, adjudications, flags, pilots, results, studies
from assay.store.coordinator.actions import By
from assay.store.tables import WITHDRAWN
from assay.study import Study
from assay.web.access import Call, Endpoint, MenuEntry, see_other
from assay.web.annotator.pages import picture
from assay.words import Translatable

T = TypeVar("T")

ACTIONS: dict[str, Callable[..., None]] = {
    "pause": actions.pause,
    "resume": actions.resume,
    "release": actions.release,
    "exclude": actions.exclude,
    "include": actions.include,
}
MOST_WORDS = 4000


def home(call: Call) -> str:
    """The address of the coordinator's page."""
    return f"/coordinate/{call.who.study}"


async def study_of(call: Call) -> Study:
    """The version in force."""
    found = await call.context.store.aread(studies.version, call.who.study_id, call.who.version)
    assert found is not None
    return found


async def show(call: Call, template: str, status: int = 200, /, **values: Any) -> Response:
    """A page of the coordinator's."""
    study = await study_of(call)
    menu = [(path.format(study=study.study), each.label) for path, each in call.context.menu if each.is_for(study)]
    common = {"study": study, "visit": call.who, "home": home(call), "menu": menu, "as_time": as_time, "error": ""}
    return call.context.pages.response(template, status, **{**common, **values})


async def _computed(call: Call, compute: Callable[..., T], **more: Any) -> T:
    """Something that takes a while, without holding up the annotators."""
    study = await study_of(call)
    return await asyncio.to_thread(compute, call.context.store, call.who.study_id, study, call.now, **more)


def by(call: Call) -> By:
    """Who asks for something, when, and why."""
    who = call.who.name or "coordinator"
    return By(call.who.study_id, who, call.now, call.first("reason").strip()[:MOST_WORDS])


async def all_flags(call: Call) -> Response:
    """Every flag with its reason, its evidence and the items that show it."""
    found = await _computed(call, report_data.flags_of)
    return await show(call, "flags.html", flags=found)


async def annotator(call: Call, error: str = "", status: int = 200) -> Response:
    """One annotator: how far, which flags, what was done about them, and what can be done."""
    name = call.request.query_params.get("name", "") or call.first("name")
    study = await study_of(call)
    store, study_id = call.context.store, call.who.study_id
    rows = [row for row in await store.aread(results.progress, study_id, study.gate_versions) if row.annotator == name]
    if not rows:
        raise NotFound(Translatable("errors.no_page"))
    return await show(
        call,
        "annotator.html",
        status,
        row=rows[0],
        flags=[each for each in await store.aread(flags.kept, study_id) if each.annotator == name],
        done=[each for each in await store.aread(actions.done, study_id) if each.annotator == name],
        waiting=[each for each in await store.aread(attempts.waiting, study_id) if each.annotator == name],
        error=error,
    )


async def act(call: Call) -> Response:
    """Do something about an annotator, with a note that is kept."""
    what, name = call.first("what"), call.first("name")
    store = call.context.store
    try:
        if what in ACTIONS:
            await store.awrite(ACTIONS[what], by(call), name)
        elif what == "message":
            await store.awrite(actions.send, by(call), name, call.first("reason")[:MOST_WORDS])
        elif what == "dismiss":
            await store.awrite(flags.dismiss, by(call), name, call.first("about"))
        elif what == "gate":
            await _pass_gate(call, name, call.first("about"))
        else:
            raise NotFound(Translatable("errors.no_page"))
    except AssayError as error:
        return await annotator(call, f"{error.what}.", 422)
    return see_other(f"{home(call)}/flags" if call.first("back") == "flags" else _to(call, "annotator", name=name))


async def _pass_gate(call: Call, name: str, kind: str) -> None:
    """Let somebody pass the first gate of a kind that they have not passed."""
    study, asked, store = await study_of(call), by(call), call.context.store
    of_kind = [entry.gate for entry in study.gates if entry.gate.kind == kind]
    waiting = await store.aread(attempts.not_passed, asked.study_id, name, of_kind)
    if not waiting:
        raise NotFound(Translatable("errors.no_page"))
    version = waiting[0].version
    await store.awrite(attempts.pass_by_hand, asked.study_id, name, kind, version, asked.who, asked.reason, asked.at)


def _to(call: Call, page: str, **query: str) -> str:
    return f"{home(call)}/{page}?{urlencode(query)}"


async def item(call: Call) -> Response:
    """One item as annotators see it, and everything that was said of it."""
    name = call.request.query_params.get("name", "")
    study = await study_of(call)
    found = await call.context.store.aread(results.item_named, call.who.study_id, name)
    said = await call.context.store.aread(results.judgments_of, call.who.study_id, name, study.preference_dimensions)
    content = _content(call, study, found.shown)
    out = found.series == WITHDRAWN
    return await show(call, "item_seen.html", name=name, content=content, said=said, series=found.series, withdrawn=out)


def _content(call: Call, study: Study, shown: dict[str, Any]) -> list[Any]:
    return [call.context.pages.block(block, shown, home(call)) for block in study.items.show]


async def pilot(call: Call, error: str = "", status: int = 200) -> Response:
    """What the pilot has shown, and the decision about it."""
    found = await _computed(call, report_data.pilot_of)
    rounds = await call.context.store.aread(pilots.recorded, call.who.study_id)
    return await show(call, "pilot.html", status, pilot=found, rounds=rounds, round=call.who.phase, error=error)


async def decide_pilot(call: Call) -> Response:
    """Record a pilot, open the main part, or begin another pilot."""
    what = call.first("what")
    store = call.context.store
    try:
        if what == "again":
            await store.awrite(pilots.again, by(call))
        else:
            found = await _computed(call, report_data.pilot_of)
            if found is None:
                return see_other(f"{home(call)}/pilot")
            if what == "decide" and not found.complete:
                raise AssayError("the pilot is not finished", "")
            if what == "open" and not call.first("reason").strip():
                raise AssayError("a reason is needed to open the main part by hand", "")
            await store.awrite(pilots.decide, by(call), found.as_json(), opens=what == "open" or found.passed)
    except AssayError as error:
        return await pilot(call, f"{error.what}.", 422)
    return see_other(f"{home(call)}/pilot")


async def queue(call: Call) -> Response:
    """The items on which people were too far apart."""
    data = await _computed(call, report_data.gather)
    known = {
        (each.item, each.dimension, each.system, each.entry): each
        for each in await call.context.store.aread(adjudications.agreed, call.who.study_id)
    }
    waiting = adjudication.queue(data)
    rows = [(each, known.get((each.item, each.dimension, each.system, each.entry))) for each in waiting]
    return await show(call, "adjudicate.html", rows=rows)


async def talk_over(call: Call, error: str = "", status: int = 200) -> Response:
    """One question of one item, with what was said but not by whom, and not which system it was."""
    study = await study_of(call)
    asked = {key: call.request.query_params.get(key, "") or call.first(key) for key in ("name", "key")}
    found = await call.context.store.aread(results.item_named, call.who.study_id, asked["name"])
    question = _question(study, found, asked["key"])
    data = await _computed(call, report_data.gather)
    slot, kind = question.slot, question.dimension.input
    system = systems_by_role(found.systems).get(slot.side, "")
    said = [
        each
        for each in adjudication.spreads(data)
        if each.target == (asked["name"], slot.dimension, system, slot.entry)
    ]
    return await show(
        call,
        "talk_over.html",
        status,
        **asked,
        question=question,
        content=_content(call, study, found.shown),
        said=said[0] if said else None,
        options=[(value, kind.write(value)[0], kind.show(value)) for value in kind.values()],
        error=error,
    )


async def agree(call: Call) -> Response:
    """Keep the value that was agreed on."""
    study = await study_of(call)
    name = call.first("name")
    found = await call.context.store.aread(results.item_named, call.who.study_id, name)
    question = _question(study, found, call.first("key"))
    try:
        value = read_answer(question, call.form.get("value", []))
        if value is None:
            raise AssayError("choose the value that was agreed on", "")
        await call.context.store.awrite(adjudications.agree, by(call), name, question.slot, value)
    except AnswerError as error:
        return await talk_over(call, study.words.say(error.words), 422)
    except AssayError as error:
        return await talk_over(call, f"{error.what}.", 422)
    return see_other(f"{home(call)}/adjudicate")


def _question(study: Study, found: results.Named, key: str) -> Question:
    """The question of an item by its key, in which a candidate's role stands for its side."""
    for question in questions_of(study, found.shown):
        by_role = replace(question, slot=slot_of_candidate(question.slot))
        if by_role.key == key:
            return by_role
    raise NotFound(Translatable("errors.no_page"))


def _has_pilot(study: Study) -> bool:
    return study.analysis.pilot is not None


def _talks_over(study: Study) -> bool:
    return study.analysis.adjudicate_above is not None


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/flags", "coordinator", all_flags, MenuEntry("Flags", 20)),
    Endpoint("GET", "/coordinate/{study}/annotator", "coordinator", annotator),
    Endpoint("POST", "/coordinate/{study}/act", "coordinator", act),
    Endpoint("GET", "/coordinate/{study}/item", "coordinator", item),
    Endpoint("GET", "/coordinate/{study}/picture/{hash}", "coordinator", picture),
    Endpoint("GET", "/coordinate/{study}/pilot", "coordinator", pilot, MenuEntry("Pilot", 40, _has_pilot)),
    Endpoint("POST", "/coordinate/{study}/decide", "coordinator", decide_pilot),
    Endpoint("GET", "/coordinate/{study}/adjudicate", "coordinator", queue, MenuEntry("Talk over", 50, _talks_over)),
    Endpoint("GET", "/coordinate/{study}/talk-over", "coordinator", talk_over),
    Endpoint("POST", "/coordinate/{study}/agree", "coordinator", agree),
]
