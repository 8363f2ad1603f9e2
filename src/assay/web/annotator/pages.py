"""The annotator's pages. Everything they show comes through `store.annotator`, which cannot reach what is hidden."""

import re
from itertools import takewhile

from starlette.responses import Response

from assay.errors import NotFound
from assay.store.annotator import assignments, people
from assay.store.annotator.assignments import Task
from assay.store.coordinator import actions
from assay.study import Study
from assay.web.access import Call, Endpoint, Refused, see_other
from assay.web.annotator import common, gate, pace
from assay.words import Translatable


async def page(call: Call) -> Response:
    """Wherever the annotator is: at a gate, at an item, or done. Old addresses lead here too."""
    study = await common.study_of(call, call.who.version)
    if call.who.left:
        submitted = await call.context.store.aread(assignments.submitted, call.annotator_id)
        return common.show(call, study, "left.html", submitted=submitted, out=await gate.turned_away(call, study))
    if call.who.state != "open":
        return await _state_page(call, study, call.who.state)
    if (waiting := await common.next_gate(call, study)) is not None:
        return await gate.show(call, study, waiting)
    if call.who.unread:
        waits = await call.context.store.aread(actions.unread, call.annotator_id)
        return common.show(call, study, "note.html", message=waits)
    task = await _current_task(call, study)
    if (instead := await pace.between(call, study, task)) is not None:
        return instead
    if task is None:
        return await _state_page(call, study, "finished")
    values = {**await common.item_values(call, study, task), **await pace.values(call, study, task)}
    return common.show(call, study, "item.html", **values)


async def _state_page(call: Call, study: Study, state: str) -> Response:
    """There is nothing to judge: the study is paused or closed, or everything is done."""
    submitted = await call.context.store.aread(assignments.submitted, call.annotator_id)
    goes_back = state == "finished" and study.navigation != "forward-only"
    finished = submitted >= call.who.items
    return common.show(
        call, study, "state.html", state=state, submitted=submitted, finished=finished, goes_back=goes_back
    )


async def _current_task(call: Call, study: Study) -> Task | None:
    store = call.context.store
    task = await store.aread(assignments.current_task, call.annotator_id)
    if task is not None:
        return task
    await store.awrite(common.claim, call, study)
    return await store.aread(assignments.current_task, call.annotator_id)


async def item(call: Call) -> Response:
    """An item by its address: an earlier one where the study lets people go back. All others lead to the current."""
    study = await common.study_of(call, call.who.version)
    task = await call.context.store.aread(assignments.task, call.annotator_id, common.public_id(call))
    if call.who.state != "open" or call.who.left or await common.next_gate(call, study) is not None:
        return see_other(common.home(call))
    if not common.goes_back_to(call, study, task):
        return see_other(common.home(call))
    values = {**await common.item_values(call, study, task), **await pace.values(call, study, task)}
    return common.show(call, study, "item.html", **values)


async def earlier(call: Call) -> Response:
    """The items that may be opened again."""
    study = await common.study_of(call, call.who.version)
    if call.who.left or await common.next_gate(call, study) is not None:
        return see_other(common.home(call))
    since = common.back_until(call, study)
    known = since < float("inf")
    found = await call.context.store.aread(assignments.earlier, call.annotator_id, int(since)) if known else []
    return common.show(call, study, "earlier.html", earlier=found)


async def read(call: Call) -> Response:
    """Somebody has read what the coordinator wrote."""
    id_ = common.number(call.first("message"), 0, 10**12) or 0
    await call.context.store.awrite(actions.mark_read, call.annotator_id, id_, call.now)
    return see_other(common.home(call))


async def picture(call: Call) -> Response:
    """A picture of the study, by what it shows."""
    hash_ = call.request.path_params["hash"]
    known = re.fullmatch("[0-9a-f]{64}", hash_)
    found = await call.context.store.aread(assignments.picture_of, call.who.study_id, hash_) if known else None
    if found is None:
        raise NotFound(Translatable("errors.no_picture"))
    headers = {"Cache-Control": "private, max-age=31536000, immutable", "Content-Security-Policy": "sandbox"}
    return Response(found[1], media_type=found[0], headers=headers)


async def leave(call: Call) -> Response:
    """Somebody does not want to go on. What they have submitted stays."""
    await call.context.store.awrite(people.leave, call.who.study_id, call.annotator_id, call.now)
    return see_other(common.home(call))


async def come_back(call: Call) -> Response:
    """Somebody who left at a gate has changed their mind. Whoever cannot take part stays where they are."""
    study = await common.study_of(call, call.who.version)
    if call.who.left and await gate.turned_away(call, study) is not None:
        raise Refused(403, Translatable("errors.no_way_back"), Translatable("errors.cannot_take_part"))
    await call.context.store.awrite(people.come_back, call.who.study_id, call.annotator_id)
    return see_other(common.home(call))


async def guide(call: Call) -> Response:
    """The guidelines, as they were to be read, at any time from then on: hard examples come after the warning."""
    study = await common.study_of(call, call.who.version)
    waiting = await common.next_gate(call, study)
    before = list(takewhile(lambda kind: kind != "reading", (entry.gate.kind for entry in study.gates)))
    if call.who.left or (waiting is not None and waiting.kind in before):
        return see_other(common.home(call))
    sections = [section for entry in study.gates for section in getattr(entry.gate, "sections", ())]
    return common.show(call, study, "guide.html", sections=sections)


async def support(call: Call) -> Response:
    """Where to turn."""
    study = await common.study_of(call, call.who.version)
    return common.show(call, study, "support.html")


ENDPOINTS = [
    Endpoint("GET", "/judge/{study}", "annotator", page),
    Endpoint("GET", "/judge/{study}/item/{public_id}", "annotator", item),
    Endpoint("GET", "/judge/{study}/earlier", "annotator", earlier),
    Endpoint("POST", "/judge/{study}/gate", "annotator", gate.receive),
    Endpoint("POST", "/judge/{study}/read", "annotator", read),
    Endpoint("GET", "/judge/{study}/picture/{hash}", "annotator", picture),
    Endpoint("POST", "/judge/{study}/leave", "annotator", leave),
    Endpoint("POST", "/judge/{study}/come-back", "annotator", come_back),
    Endpoint("GET", "/judge/{study}/guide", "annotator", guide),
    Endpoint("GET", "/judge/{study}/support", "annotator", support),
]
