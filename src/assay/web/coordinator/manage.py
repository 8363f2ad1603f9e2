"""The page that manages a study as a whole: its state, its links, its items, and what annotators found wrong."""

import asyncio
from typing import Any

from starlette.responses import Response

from assay import acts
from assay.errors import AssayError
from assay.kinds import EXPORTS
from assay.live.before_closing import before_closing
from assay.live.work_plan import work_plan
from assay.report.hidden_results import are_hidden
from assay.store.coordinator import items_taken_out, links, problem_reports, studies, study_status
from assay.study.ethics_text import ethics_text
from assay.web.access import Call, Endpoint, cookie_name, see_other, set_cookie
from assay.web.coordinator.common import by, compute, home, show, study_of
from assay.web.coordinator.menu import MenuEntry


async def page(call: Call, error: str = "", status: int = 200) -> Response:
    """Everything that can be done with the study."""
    store, study_id = call.context.store, call.session.study_id
    study = await study_of(call)
    plan = await compute(call, work_plan)
    reports = await store.aread(problem_reports.problem_reports, study_id)
    return await show(
        call,
        "manage.html",
        status,
        error=error,
        batches=await store.aread(study_status.batches, study_id),
        withdrawn=await store.aread(items_taken_out.withdrawn_items, study_id),
        links=await store.aread(links.shared_links, study_id, call.now),
        problems=[each for each in reports if each.closed_at is None],
        opens_to_anybody=study.assignment.enrol is not None,
        enrolment=await store.aread(studies.enrolment, study_id),
        plan=plan,
        retention=await store.aread(acts.retention, study_id, study),
        ethics=ethics_text(study),
        now=call.now,
        held=plan.held,
        kept_days=studies.KEPT_DAYS,
        own_link=await store.aread(links.link_of_session, call.session.hash),
        hidden=are_hidden(study, call.session.state),
        judges=await store.aread(study_status.judges_have_judged, study_id),
        formats=[kind.kind for each in EXPORTS.values() if not (kind := each()).refuses(study)],
        alone=len(await store.aread(studies.all_studies)) == 1,
    )


async def _do(call: Call, act: Any, *args: Any) -> Response:
    """Run an act, and go back to the page; an error is shown on it."""
    try:
        await call.context.store.awrite(act, by(call), *args)
    except AssayError as error:
        return await page(call, f"{error.what}: {error.hint}." if error.hint else f"{error.what}.", 422)
    return see_other(f"{home(call)}/manage")


async def set_state(call: Call) -> Response:
    """Open, pause or close the study. Before it is closed, the page says what is still open."""
    if call.first("state") == "closed" and call.first("confirm") != "close":
        matters = await compute(call, before_closing)
        return await show(call, "close.html", matters=matters, reason=call.first("reason"))
    return await _do(call, acts.set_study_state, call.first("state"))


async def set_enrolment(call: Call) -> Response:
    """Stop new people from enrolling, or let them enrol again."""
    return await _do(call, acts.set_enrolment, call.first("enrolment"))


async def retain(call: Call) -> Response:
    """Erase everybody whose time is over; where it is not, nothing is done."""
    study = await study_of(call)
    await asyncio.to_thread(acts.retain, call.context.store, by(call), study)
    return see_other(f"{home(call)}/manage")


async def remove(call: Call) -> Response:
    """Put the study away, after its name was typed."""
    return await _do(call, acts.remove_study, call.first("confirm").strip())


async def bring_back(call: Call) -> Response:
    """Bring the study back: under its own name if it was set aside and no other study has that name."""
    return await _follow(call, acts.bring_study_back)


async def set_aside(call: Call) -> Response:
    """Keep the removed study under another name, so that one can begin under its own."""
    return await _follow(call, acts.set_study_aside)


async def _follow(call: Call, act: Any) -> Response:
    """Run an act that may rename the study, and go to its page under the new name."""
    try:
        name = await call.context.store.awrite(act, by(call))
    except AssayError as error:
        return await page(call, f"{error.what}: {error.hint}.", 422)
    response = see_other(f"/coordinate/{name}/manage")
    if name != call.session.study:
        cookie = call.request.cookies[cookie_name(call.request, "coordinator", call.session.study)]
        set_cookie(response, call.request, "coordinator", name, cookie)
    return response


async def move_item(call: Call) -> Response:
    """Take an item out of the study, or put it back."""
    act = acts.put_item_back if call.first("what") == "back" else acts.withdraw_item
    return await _do(call, act, call.first("name").strip())


async def close_problem(call: Call) -> Response:
    """Close a problem that an annotator reported."""
    return await _do(call, acts.close_problem, call.first("id"))


async def revoke(call: Call) -> Response:
    """End links: one that is nobody's in particular, or all of one annotator."""
    if hash_ := call.first("link"):
        own = await call.context.store.aread(links.link_of_session, call.session.hash)
        if hash_ == own and call.first("confirm") != "own":
            return await show(call, "own_link.html", link=hash_)
        return await _do(call, acts.revoke_shared_link, hash_)
    return await _do(call, acts.revoke_links, call.first("name"))


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/manage", "coordinator", page, MenuEntry("Manage", 80)),
    Endpoint("POST", "/coordinate/{study}/state", "coordinator", set_state),
    Endpoint("POST", "/coordinate/{study}/enrolment", "coordinator", set_enrolment),
    Endpoint("POST", "/coordinate/{study}/retain", "coordinator", retain),
    Endpoint("POST", "/coordinate/{study}/remove", "coordinator", remove),
    Endpoint("POST", "/coordinate/{study}/bring-back", "coordinator", bring_back),
    Endpoint("POST", "/coordinate/{study}/set-aside", "coordinator", set_aside),
    Endpoint("POST", "/coordinate/{study}/move-item", "coordinator", move_item),
    Endpoint("POST", "/coordinate/{study}/close-problem", "coordinator", close_problem),
    Endpoint("POST", "/coordinate/{study}/revoke", "coordinator", revoke),
]
