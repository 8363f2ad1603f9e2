"""The way in from a panel: its address says who comes, and is removed from the address bar before anything is shown."""

from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import Response

from assay.acts.arrivals import arrive, lacks_signature, why_nobody_new
from assay.acts.farewells import farewell
from assay.errors import OverQuota
from assay.panels import Arrival
from assay.store.annotator import arrivals
from assay.store.annotator.sessions import LinkTarget
from assay.study import Study
from assay.web.access import Call, cookie_name, see_other
from assay.web.rate_limits import address_of
from assay.words import Translatable

MINUTE = 60
MOST_PARAMETERS = 20
LONGEST = 4000
DAYS_OF_DEVICE = 180


async def instead_of_landing(call: Call, study: Study, found: LinkTarget) -> Response | None:
    """What is shown in the place of the page with the button: nothing, or why there is no way in.

    What the panel's address says goes into a cookie, and the address is opened again without it.
    """
    request = call.request
    if request.method == "GET" and request.url.query:
        bare = see_other(request.url.path)
        _keep(bare, request, "panel", found.study, request.url.query[:LONGEST], 60 * MINUTE)
        return bare
    said = await _who_came(call, study, found)
    if said is None:
        return _no_way_in(call, study, study.words("landing.no_panel_id"))
    known = await call.context.store.aread(arrivals.find, found.study_id, said.person)
    if known is None and await call.context.store.aread(lacks_signature, found.study_id, study, said):
        return _no_way_in(call, study, study.words("landing.not_signed"))
    if known is None:
        why = await call.context.store.aread(why_nobody_new, found.study_id, study, call.now)
        return None if why is None else await _over_quota(call, study, found, said, why)
    return None


async def enter(call: Call, study: Study, found: LinkTarget, token: str, home: str) -> tuple[str | None, Response]:
    """Let somebody in whom the panel has sent: the token of their link, and where they go; None: there is no way in."""
    said = await _who_came(call, study, found)
    if said is None:
        return None, _no_way_in(call, study, study.words("landing.no_panel_id"))
    if await call.context.store.aread(arrivals.find, found.study_id, said.person) is None:
        call.context.limits.enrolments.take(address_of(call.request), call.now)
    device = call.request.cookies.get(cookie_name(call.request, "device", found.study), "")[:100]
    try:
        entry = await call.context.store.awrite(arrive, token, study, said, device, call.now)
    except OverQuota as error:
        return None, await _over_quota(call, study, found, said, error.words)
    response = see_other(home)
    _keep(response, call.request, "device", found.study, entry.device, DAYS_OF_DEVICE * 24 * 60 * MINUTE)
    return entry.token, response


async def _who_came(call: Call, study: Study, found: LinkTarget) -> Arrival | None:
    panel = study.assignment.panel
    assert panel is not None
    kept = call.request.cookies.get(cookie_name(call.request, "panel", found.study), "")
    try:
        parameters = dict(parse_qsl(kept.strip('"'), max_num_fields=MOST_PARAMETERS))
    except ValueError:
        return None
    setup = await call.context.store.aread(arrivals.setup_of, found.study_id)
    return panel.arrival(parameters, setup.key, call.now)


def _keep(response: Response, request: Request, what: str, study: str, value: str, seconds: int) -> None:
    secure = request.url.scheme == "https"
    name = cookie_name(request, what, study)
    # As parameters again: whatever else was in the address cannot end the cookie or begin another.
    plain = urlencode(parse_qsl(value)) if what == "panel" else value
    response.set_cookie(name, plain, max_age=seconds, path="/", secure=secure, httponly=True, samesite="lax")


async def _over_quota(call: Call, study: Study, found: LinkTarget, said: Arrival, why: Translatable | str) -> Response:
    goodbye = await call.context.store.aread(farewell, found.study_id, "over_quota", said)
    pages = call.context.pages.of(study)
    return pages.response("over_quota.html", 409, study=study, farewell=goodbye, words=pages.words.say(why))


def _no_way_in(call: Call, study: Study, words: str) -> Response:
    pages = call.context.pages.of(study)
    return pages.response("over_quota.html", 422, study=study, farewell=None, words=words)
