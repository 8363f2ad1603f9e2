"""The way in: a personal link is looked at, then exchanged for a session by a form, and leaves the address bar."""

from starlette.responses import PlainTextResponse, Response

from assay.store import people, studies
from assay.web.access import Call, Endpoint, see_other, set_cookie


async def landing(call: Call) -> Response:
    """What a link leads to, with the button that begins. Looking uses nothing up, so link previews do no harm."""
    token = call.request.path_params["token"]
    study_id, _, version, coordinator = await call.context.store.aread(people.look_at_link, token, call.now)
    study = await call.context.store.aread(studies.version, study_id, version)
    return call.context.pages.response("landing.html", study=study, coordinator=coordinator, token=token)


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
    words = "Open the personal link that you were sent. It leads to your study."
    return call.context.pages.response("message.html", title="Assay", words=words, home="")


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
