"""The annotator's pages. Everything they show comes through `store.annotator`, which cannot reach what is hidden."""

import re

from sqlalchemy import Connection
from starlette.responses import Response

from assay.acts.about_person import questions_at_end
from assay.acts.claims import claim
from assay.acts.farewells import change_ones_mind
from assay.acts.may_judge import back_until, next_gate
from assay.acts.messages import confirm_message
from assay.acts.participation import leave as leave_study
from assay.errors import NotFound
from assay.gates import Gate
from assay.pace import MINUTE, PaceState
from assay.store import Backend
from assay.store.annotator import assignments, attempts, item_list, messages
from assay.store.annotator.assignments import Assignment
from assay.store.annotator.pace_state import read_pace_state
from assay.store.annotator.reopened_items import reopened_items
from assay.store.annotator.sessions import Annotator
from assay.study import Study
from assay.web.access import Call, Endpoint, Refused, see_other
from assay.web.annotator import care, common, gate, pace
from assay.web.annotator.item_list import words_of_items
from assay.words import Translatable


async def page(call: Call) -> Response:
    """Wherever the annotator is: at a gate, at an item, or done. Old addresses lead here too."""
    study = await common.study_of(call)
    if call.annotator.left or await common.time_is_over(call, study):
        submitted = await call.context.store.aread(assignments.count_submitted, call.annotator.id)
        out, goodbye = await _gate_of_refusal(call, study), await common.farewell(call, study, submitted)
        return common.show(call, study, "left.html", submitted=submitted, out=out, farewell=goodbye)
    if call.annotator.state != "open":
        return await _state_page(call, study, call.annotator.state)
    waiting, assignment, stands = await call.context.store.aread(_at_work, call.annotator, study, call.now)
    if waiting is not None:
        return await gate.show(call, study, waiting)
    if call.annotator.unread:
        waits = await call.context.store.aread(messages.unread, call.annotator.id)
        opened = await call.context.store.aread(reopened_items, call.annotator.id)
        return common.show(call, study, "note.html", message=waits, reopened=opened)
    if assignment is None:
        await call.context.store.awrite_soon(claim, call.annotator, study, call.now)
        assignment = await call.context.store.aread(assignments.current, call.annotator.id)
    if (instead := await pace.between(call, study, assignment, stands)) is not None:
        return instead
    if assignment is None:
        if (enough := await pace.enough_hard(call, study)) is not None:
            return enough
        if (asked := await call.context.store.aread(questions_at_end, call.annotator, study)) is not None:
            return await gate.show(call, study, asked)
        return await _state_page(call, study, "finished")
    if (instead := await care.before(call, study, assignment)) is not None:
        return instead
    values = {**await common.item_values(call, study, assignment), **await pace.values(call, study, assignment, stands)}
    return common.show_item(call, study, values)


def _at_work(
    connection: Connection, annotator: Annotator, study: Study, now: int
) -> tuple[Gate | None, Assignment | None, PaceState]:
    """The gate that somebody is at, or their item and their pace; read in one call."""
    waiting = next_gate(connection, annotator, study)
    if waiting is not None or annotator.unread:
        return waiting, None, PaceState()
    return None, assignments.current(connection, annotator.id), read_pace_state(connection, annotator.id, study, now)


async def _state_page(call: Call, study: Study, state: str) -> Response:
    """The page where there is nothing to judge: the study is paused or closed, or everything is done."""
    submitted = await call.context.store.aread(assignments.count_submitted, call.annotator.id)
    values = {
        "state": state,
        "submitted": submitted,
        "total": max(submitted, call.annotator.items),
        "minutes": round(await call.context.store.aread(assignments.active_ms, call.annotator.id) / MINUTE),
        "finished": submitted >= call.annotator.items,
        "warns": bool(study.care.warn) or any(entry.gate.kind == "warning" for entry in study.gates),
        "goes_back": state == "finished" and study.navigation != "forward-only",
        "reopened": await call.context.store.aread(reopened_items, call.annotator.id),
        "farewell": await common.farewell(call, study, submitted, nothing_left=state in ("finished", "closed")),
    }
    return common.show(call, study, "state.html", **values)


async def earlier(call: Call) -> Response:
    """The items that may be opened again."""
    study = await common.study_of(call)
    if call.annotator.left or await call.context.store.aread(next_gate, call.annotator, study) is not None:
        return see_other(common.home(call))
    since = back_until(call.annotator, study)
    known = since < float("inf")
    found = await call.context.store.aread(assignments.earlier, call.annotator.id, int(since)) if known else []
    opened = await call.context.store.aread(reopened_items, call.annotator.id)
    positions = list(dict.fromkeys([*(each.position for each in found), *(each.position for each in opened)]))
    listed = await call.context.store.aread(item_list.items_at, call.annotator.id, positions)
    return common.show(call, study, "earlier.html", earlier=listed, words=words_of_items(study, listed))


async def read(call: Call) -> Response:
    """Mark the coordinator's message as read."""
    id_ = common.number(call.first("message"), 0, 10**12) or 0
    await call.context.store.awrite(confirm_message, call.annotator, id_, call.now)
    return see_other(common.home(call))


async def picture(call: Call) -> Response:
    """A picture of the study, by its hash."""
    return await picture_answer(call.context.store, call.session.study_id, call.request.path_params["hash"])


async def picture_answer(store: Backend, study_id: int, hash_: str) -> Response:
    """A picture as it is sent, whoever asks: under its hash it never changes."""
    known = re.fullmatch("[0-9a-f]{64}", hash_)
    found = await store.aread(assignments.picture_of, study_id, hash_) if known else None
    if found is None:
        raise NotFound(Translatable("errors.no_picture"))
    headers = {"Cache-Control": "private, max-age=31536000, immutable", "Content-Security-Policy": "sandbox"}
    return Response(found[1], media_type=found[0], headers=headers)


async def leave(call: Call) -> Response:
    """Leave the study. What somebody has submitted stays."""
    await call.context.store.awrite(leave_study, call.annotator, call.now)
    return see_other(common.home(call))


async def come_back(call: Call) -> Response:
    """Take part again after leaving at a gate. Somebody who was turned away cannot."""
    study = await common.study_of(call)
    if call.annotator.left and await _gate_of_refusal(call, study) is not None:
        raise Refused(403, Translatable("errors.no_way_back"), Translatable("errors.cannot_take_part"))
    await call.context.store.awrite(change_ones_mind, call.annotator, study, call.now)
    return see_other(common.home(call))


async def support(call: Call) -> Response:
    """The support page."""
    study = await common.study_of(call)
    return common.show(call, study, "support.html")


async def offline(call: Call) -> Response:
    """The page that a device keeps, to show when there is no connection."""
    return common.show(call, await common.study_of(call), "offline.html")


async def _gate_of_refusal(call: Call, study: Study) -> Gate | None:
    """The gate at which somebody was turned away for good."""
    gates = [entry.gate for entry in study.gates]
    return await call.context.store.aread(attempts.gate_of_refusal, call.annotator.id, gates)


ENDPOINTS = [
    Endpoint("GET", "/judge/{study}", "annotator", page),
    Endpoint("GET", "/judge/{study}/earlier", "annotator", earlier),
    Endpoint("GET", "/judge/{study}/offline", "annotator", offline),
    Endpoint("POST", "/judge/{study}/read", "annotator", read),
    Endpoint("GET", "/judge/{study}/picture/{hash}", "annotator", picture),
    Endpoint("POST", "/judge/{study}/leave", "annotator", leave),
    Endpoint("POST", "/judge/{study}/come-back", "annotator", come_back),
    Endpoint("GET", "/judge/{study}/support", "annotator", support),
]
