"""The way in: a personal link is looked at, then exchanged for a session by a form, and leaves the address bar."""

from starlette.responses import Response

from assay import acts
from assay.acts.sessions import begin_session, end_session
from assay.errors import AssayError, Conflict, NotFound
from assay.store.annotator import arrivals, sessions, versions
from assay.store.annotator.sessions import LinkTarget
from assay.store.annotator.workload import has_begun, workload
from assay.study import Study
from assay.web import from_panel
from assay.web.access import SIGN_OUT, Call, Endpoint, drop_cookie, see_other, set_cookie
from assay.web.annotator.common import supports
from assay.web.page_language import pages_at_address, pages_for_role
from assay.web.rate_limits import address_of
from assay.words import Translatable


async def landing(call: Call, error: str = "", status: int = 200) -> Response:
    """What a link leads to, with the button that begins. Looking uses nothing up, so link previews do no harm."""
    token = call.request.path_params.get("token") or call.first("token")
    found = await _look_at(call, token)
    study = await call.context.store.aread(versions.version, found.study_id, found.version)
    assert study is not None
    sent = found.role == "anybody" and study.assignment.panel is not None
    if sent and (instead := await from_panel.instead_of_landing(call, study, found)) is not None:
        return instead
    pages = pages_for_role(found.role, study, call.context.pages)
    work = await call.context.store.aread(workload, found.study_id)
    begun = found.annotator_id and await call.context.store.aread(has_begun, found.annotator_id)
    forecast = work.forecast(study, new=not begun)
    return pages.response(
        "landing.html",
        status,
        study=study,
        role=found.role,
        sent=sent,
        token=token,
        items=forecast.share.total,
        practice=forecast.practice,
        minutes=forecast.minutes,
        most=await _most_minutes(call, study, found),
        reading=0 if begun else forecast.reading,
        # Said before the work begins, not found out in it.
        large=study.sides and any(block.display.pictures() for block in study.items.show),
        supports=supports(call, study) if found.role != "coordinator" else [],
        error=error,
        given=call.first("id"),
    )


async def _most_minutes(call: Call, study: Study, found: LinkTarget) -> int | None:
    """The greatest time from arriving to the end, for somebody whom a panel sends or has sent; None: there is none."""
    enrol = study.assignment.enrol
    if enrol is None or enrol.panel is None or enrol.most_minutes is None:
        return None
    if found.annotator_id is None:
        return enrol.most_minutes if found.role == "anybody" else None
    came = await call.context.store.aread(arrivals.of_annotator, found.annotator_id)
    return None if came is None else enrol.most_minutes


async def _look_at(call: Call, token: str) -> LinkTarget:
    """Where a link leads. Opening too many invalid links is rate-limited; a valid one always opens."""
    try:
        return await call.context.store.aread(sessions.look_at_link, token, call.now)
    except NotFound:
        call.context.limits.wrong_links.take(address_of(call.request), call.now)
        raise


async def enter(call: Call) -> Response:
    """Exchange the link for a session."""
    token = call.first("token")
    found = await _look_at(call, token)
    if found.role == "anybody":
        return await _enrol(call, token, found)
    return await _with_session(call, see_other(_place(found)), token, found)


def _place(found: LinkTarget) -> str:
    return f"/coordinate/{found.study}" if found.role == "coordinator" else f"/judge/{found.study}"


async def _with_session(call: Call, response: Response, token: str, found: LinkTarget) -> Response:
    cookie = await call.context.store.awrite(begin_session, token, call.now)
    role = "coordinator" if found.role == "coordinator" else "annotator"
    set_cookie(response, call.request, role, found.study, cookie)
    return response


async def _enrol(call: Call, token: str, found: LinkTarget) -> Response:
    """Enrol somebody whom a panel has sent, or who enters an id of their own."""
    study = await call.context.store.aread(versions.version, found.study_id, found.version)
    assert study is not None
    try:
        if study.assignment.panel is not None:
            own, response = await from_panel.enter(call, study, found, token, _place(found))
            return response if own is None else await _with_session(call, response, own, found)
        call.context.limits.enrolments.take(address_of(call.request), call.now)
        own = await call.context.store.awrite(acts.enrol, token, study, call.first("id").strip(), call.now)
    except AssayError:
        return await landing(call, study.words("landing.id_bad"), 422)
    except Conflict as error:
        return await landing(call, study.words.say(error.words), 409)
    return await _with_session(call, _own_link(call, study, own, _place(found)), own, found)


def _own_link(call: Call, study: Study, own: str, home: str) -> Response:
    """The page with the personal link that brings somebody back who has just enrolled."""
    address = str(call.request.url.replace(path=f"/join/{own}", query=""))
    return call.context.pages.of(study).response("enrolled.html", study=study, address=address, home=home)


async def sign_out(call: Call) -> Response:
    """End the session here and on the server; the personal link begins a new one."""
    await call.context.store.awrite(end_session, call.session.hash)
    role = "coordinator" if call.session.annotator is None else "annotator"
    pages = await pages_at_address(call.request, call.context.store, call.context.pages)
    page = pages.message(200, Translatable("site.signed_out"), Translatable("site.open_link_again"))
    drop_cookie(page, call.request, role, call.session.study)
    return page


async def home(call: Call) -> Response:
    """The page at the bare address, which says to use one's link."""
    return call.context.pages.message(200, "Assay", Translatable("site.open_link"))


ENDPOINTS = [
    Endpoint("GET", "/", "anyone", home),
    Endpoint("GET", "/join/{token}", "anyone", landing),
    Endpoint("POST", "/join", "anyone", enter),
    Endpoint("POST", f"/judge/{{study}}{SIGN_OUT}", "annotator", sign_out),
    Endpoint("POST", f"/coordinate/{{study}}{SIGN_OUT}", "coordinator", sign_out),
]
