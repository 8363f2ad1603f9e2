"""The way in: a personal link is looked at, then exchanged for a session by a form, and leaves the address bar."""

from starlette.responses import PlainTextResponse, Response

from assay.model import WORDS_A_MINUTE
from assay.store import people, studies
from assay.web.access import Call, Endpoint, see_other, set_cookie
from assay.words import Said


async def landing(call: Call) -> Response:
    """What a link leads to, with the button that begins. Looking uses nothing up, so link previews do no harm."""
    token = call.request.path_params["token"]
    study_id, _, version, coordinator = await call.context.store.aread(people.look_at_link, token, call.now)
    study = await call.context.store.aread(studies.version, study_id, version)
    assert study is not None
    pages = call.context.pages if coordinator else call.context.pages.of(study)
    items, words = await call.context.store.aread(people.reading, study_id, study.assignment.per_item)
    return pages.response(
        "landing.html",
        study=study,
        coordinator=coordinator,
        token=token,
        items=items,
        minutes=-(-words // WORDS_A_MINUTE),
        # Said before the work begins, not found out in it.
        large=study.sides and any(block.display.pictures() for block in study.items.show),
    )


async def enter(call: Call) -> Response:
    """Exchange the link for a session."""
    token = call.first("token")
    _, name, _, coordinator = await call.context.store.aread(people.look_at_link, token, call.now)
    cookie = await call.context.store.awrite(people.enter, token, call.now)
    role = "coordinator" if coordinator else "annotator"
    response = see_other(f"/coordinate/{name}" if coordinator else f"/judge/{name}")
    set_cookie(response, call.request, role, name, cookie)
    return response


async def home(call: Call) -> Response:
    """The bare address says where to go."""
    return call.context.pages.message(200, "Assay", Said("site.open_link"))


async def health(call: Call) -> Response:
    """For proxies and scripts: the server runs and its store answers."""
    await call.context.store.aread(studies.all_studies)
    return PlainTextResponse("ok")


ENDPOINTS = [
    Endpoint("GET", "/", "anyone", home),
    Endpoint("GET", "/health", "anyone", health),
    Endpoint("GET", "/join/{token}", "anyone", landing),
    Endpoint("POST", "/join", "anyone", enter),
]
