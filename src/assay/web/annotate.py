"""The annotator's pages. Everything they show comes through `store.work`, which cannot reach what is hidden."""

import re

from starlette.responses import Response

from assay.errors import NotFound
from assay.store import people, work
from assay.store.work import Task
from assay.study import Study
from assay.web import place
from assay.web.access import Call, Endpoint, see_other
from assay.words import Said


async def page(call: Call) -> Response:
    """Wherever the annotator is: at a gate, at an item, or done. Old addresses lead here too."""
    study = await place.study_of(call, call.who.version)
    if call.who.left:
        submitted = await call.context.store.aread(work.submitted, call.annotator_id)
        return place.show(call, study, "left.html", submitted=submitted)
    if call.who.state != "open":
        return await _state_page(call, study, call.who.state)
    if (gate := await place.next_gate(call, study)) is not None:
        return place.show(call, study, "gate.html", gate=gate)
    task = await _current_task(call, study)
    if task is None:
        return await _state_page(call, study, "finished")
    return place.show(call, study, "item.html", **place.item_values(call, study, task))


async def _state_page(call: Call, study: Study, state: str) -> Response:
    """There is nothing to judge: the study is paused or closed, or everything is done."""
    submitted = await call.context.store.aread(work.submitted, call.annotator_id)
    goes_back = state == "finished" and study.navigation != "forward-only"
    finished = submitted >= call.who.items
    return place.show(
        call, study, "state.html", state=state, submitted=submitted, finished=finished, goes_back=goes_back
    )


async def _current_task(call: Call, study: Study) -> Task | None:
    store = call.context.store
    task = await store.aread(work.current_task, call.annotator_id)
    if task is not None:
        return task
    await store.awrite(place.claim, call, study)
    return await store.aread(work.current_task, call.annotator_id)


async def item(call: Call) -> Response:
    """An item by its address: an earlier one where the study lets people go back. All others lead to the current."""
    study = await place.study_of(call, call.who.version)
    task = await call.context.store.aread(work.task, call.annotator_id, place.public_id(call))
    if call.who.state != "open" or call.who.left or await place.next_gate(call, study) is not None:
        return see_other(place.home(call))
    if not place.goes_back_to(call, study, task):
        return see_other(place.home(call))
    return place.show(call, study, "item.html", **place.item_values(call, study, task))


async def earlier(call: Call) -> Response:
    """The items that may be opened again."""
    study = await place.study_of(call, call.who.version)
    since = place.back_until(call, study)
    known = since < float("inf")
    found = await call.context.store.aread(work.earlier, call.annotator_id, int(since)) if known else []
    return place.show(call, study, "earlier.html", earlier=found)


async def gate(call: Call) -> Response:
    """A gate's form: passed, left, or asked again. Only the gate that is next can be passed."""
    study = await place.study_of(call, call.who.version)
    waiting = await place.next_gate(call, study)
    if call.who.left or waiting is None or waiting.version != call.first("version"):
        return see_other(place.home(call))
    decision = waiting.decide({name: values[0] for name, values in call.form.items()})
    if decision is None:
        return place.show(call, study, "gate.html", 422, gate=waiting, error=study.words("gate.incomplete"))
    if decision:
        await call.context.store.awrite(work.pass_gate, call.annotator_id, waiting.kind, waiting.version, call.now)
    else:
        await call.context.store.awrite(people.leave, call.who.study_id, call.annotator_id, call.now)
    return see_other(place.home(call))


async def picture(call: Call) -> Response:
    """A picture of the study, by what it shows."""
    hash_ = call.request.path_params["hash"]
    known = re.fullmatch("[0-9a-f]{64}", hash_)
    found = await call.context.store.aread(work.picture_of, call.who.study_id, hash_) if known else None
    if found is None:
        raise NotFound(Said("errors.no_picture"))
    headers = {"Cache-Control": "private, max-age=31536000, immutable", "Content-Security-Policy": "sandbox"}
    return Response(found[1], media_type=found[0], headers=headers)


async def leave(call: Call) -> Response:
    """Somebody does not want to go on. What they have submitted stays."""
    await call.context.store.awrite(people.leave, call.who.study_id, call.annotator_id, call.now)
    return see_other(place.home(call))


async def come_back(call: Call) -> Response:
    """Somebody who left at a gate has changed their mind."""
    await call.context.store.awrite(people.come_back, call.who.study_id, call.annotator_id)
    return see_other(place.home(call))


async def guide(call: Call) -> Response:
    """The guidelines, as they were to be read, at any time."""
    study = await place.study_of(call, call.who.version)
    sections = [section for entry in study.gates for section in getattr(entry.gate, "sections", ())]
    return place.show(call, study, "guide.html", sections=sections)


async def support(call: Call) -> Response:
    """Where to turn."""
    study = await place.study_of(call, call.who.version)
    return place.show(call, study, "support.html")


ENDPOINTS = [
    Endpoint("GET", "/judge/{study}", "annotator", page),
    Endpoint("GET", "/judge/{study}/item/{public_id}", "annotator", item),
    Endpoint("GET", "/judge/{study}/earlier", "annotator", earlier),
    Endpoint("POST", "/judge/{study}/gate", "annotator", gate),
    Endpoint("GET", "/judge/{study}/picture/{hash}", "annotator", picture),
    Endpoint("POST", "/judge/{study}/leave", "annotator", leave),
    Endpoint("POST", "/judge/{study}/come-back", "annotator", come_back),
    Endpoint("GET", "/judge/{study}/guide", "annotator", guide),
    Endpoint("GET", "/judge/{study}/support", "annotator", support),
]
