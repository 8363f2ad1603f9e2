"""The page of one annotator: how far, which flags, what was done about them, and what can be done."""

import asyncio

from starlette.responses import Response

from assay import acts
from assay.acts.annotators import CHANGES
from assay.acts.erasures import older_files
from assay.errors import AssayError, NotFound
from assay.live.annotator_at_a_glance import annotator_at_a_glance
from assay.quality import gravity
from assay.store.coordinator import flags, gates, record, study_status
from assay.study import Study
from assay.web.access import Call, Endpoint, see_other
from assay.web.coordinator.common import MOST_WORDS, address_of, by, compute, home, show, study_of
from assay.web.coordinator.known_names import pseudonym
from assay.words import Translatable

MOST_ITEMS = 200
"""The most items, and the most notes, on the page."""


async def page(call: Call, error: str = "", status: int = 200) -> Response:
    """One annotator: how far, which flags, what was done about them, and what can be done."""
    name = await pseudonym(call, call.request.query_params.get("name", "") or call.first("name"))
    study = await study_of(call)
    store, study_id = call.context.store, call.session.study_id
    rows = [
        row for row in await store.aread(study_status.progress, study_id, study.gate_versions) if row.annotator == name
    ]
    if not rows:
        raise NotFound(Translatable("errors.no_page"))
    done = await store.aread(record.entries, study_id, for_coordinators=not call.session.reads_only)
    raised = [each for each in await store.aread(flags.kept_flags, study_id) if each.annotator == name]
    return await show(
        call,
        "annotator.html",
        status,
        row=rows[0],
        person=await compute(call, annotator_at_a_glance, name=name),
        titles={entry.gate.kind: entry.gate.title(study.words) for entry in study.gates},
        dimensions={each.dimension: each.heading for each in study.rubric},
        flags=sorted(raised, key=lambda each: (each.state != "open", gravity(each.monitor), each.monitor)),
        kept_message=call.first("message"),
        most_items=MOST_ITEMS,
        done=[each for each in done if each.annotator == name],
        waiting=[each for each in await store.aread(gates.stuck, study_id) if each.annotator == name],
        error=error,
    )


async def act(call: Call) -> Response:
    """Do something about an annotator, with a note that is kept."""
    name = call.first("name")
    try:
        await _act(call, name, call.first("what"))
    except AssayError as error:
        return await page(call, f"{error.what}.", 422)
    back = call.first("back")
    return see_other(
        f"{home(call)}/{back}" if back in ("flags", "manage") else address_of(call, "annotator", name=name)
    )


async def _act(call: Call, name: str, what: str) -> None:
    write = call.context.store.awrite
    if what == "reassign":
        await write(acts.exclude, by(call), name, reassign=True)
    elif what in CHANGES:
        await write(CHANGES[what], by(call), name)
    elif what == "message":
        await write(acts.send_message, by(call), name, (call.first("message") or call.first("reason"))[:MOST_WORDS])
    elif what == "note":
        await write(acts.keep_note, by(call), name, call.first("note")[:MOST_WORDS])
    elif what == "reopen":
        time, _, item = call.first("about").partition(":")
        await write(acts.reopen_item, by(call), name, item, int(time) if time in ("1", "2") else 1)
    elif what == "dismiss":
        await write(acts.dismiss_flag, by(call), name, call.first("about"))
    elif what == "gate" and _is_gate(study := await study_of(call), call.first("about")):
        await write(acts.pass_gate_by_hand, by(call), study, name, call.first("about"))
    else:
        raise NotFound(Translatable("errors.no_page"))


async def erase(call: Call) -> Response:
    """Erase a person for good, where the name was written once more."""
    name, study = await pseudonym(call, call.first("name")), await study_of(call)
    if await pseudonym(call, call.first("again").strip()) != name:
        return await page(call, "The name that you wrote is another one: nobody was erased.", 422)
    keep = {"keep": True, "delete": False}.get(call.first("judgments"))
    try:
        done = await asyncio.to_thread(acts.erase, call.context.store, by(call), study, name, keep=keep)
    except AssayError as error:
        return await page(call, f"{error.what}.", 422)
    return await show(call, "erased.html", done=done, older=older_files(call.context.store))


def _is_gate(study: Study, kind: str) -> bool:
    return any(entry.gate.kind == kind for entry in study.gates)


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/annotator", "coordinator", page),
    Endpoint("POST", "/coordinate/{study}/act", "coordinator", act),
    Endpoint("POST", "/coordinate/{study}/erase", "coordinator", erase),
]
