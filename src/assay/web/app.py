"""The application: routes with their roles, headers, static files. State lives in the store, not here."""

import time
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from assay.kinds import modules_of
from assay.store import Backend
from assay.web import api, health, join, own_data
from assay.web.access import Context, Endpoint
from assay.web.background_work import background_work
from assay.web.compression import Compression
from assay.web.coordinator.menu import menu_of
from assay.web.headers import SecurityHeaders, headers_for
from assay.web.metrics import Counting
from assay.web.notices import Notifier
from assay.web.page_language import pages_at_address
from assay.web.pages import Pages
from assay.web.public_address import ByPublicAddress
from assay.web.rate_limits import RateLimits
from assay.web.static_files import StaticFilesAndKinds
from assay.words import Translatable

PAGES = ("assay.web.annotator", "assay.web.coordinator")
"""Where pages are found: a module there that has `ENDPOINTS` is taken."""

OFTEN = ("/judge/{study}", "/judge/{study}/draft/{public_id}", "/judge/{study}/submit/{public_id}")
"""What is asked for again and again. Routes are tried one after the other: these come first."""

ENDPOINTS: list[Endpoint] = sorted(
    [
        *join.ENDPOINTS,
        *own_data.ENDPOINTS,
        *health.ENDPOINTS,
        *(each for package in PAGES for module in modules_of(package) for each in getattr(module, "ENDPOINTS", ())),
    ],
    key=lambda each: OFTEN.index(each.path) if each.path in OFTEN else len(OFTEN),
)
MENU = menu_of((each.path, each.menu) for each in ENDPOINTS)


def wall_clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def create_app(
    store: Backend,
    clock: Callable[[], int] = wall_clock,
    *,
    public_address: str = "",
    metrics_token: str = "",
    notifier: Notifier | None = None,
    limits: RateLimits | None = None,
) -> Starlette:
    """The program as a web application on this store.

    With a public address it answers only requests to that address. With a token it serves its metrics. With a notifier
    it tells coordinators what needs them.
    """
    app = Starlette(lifespan=background_work)
    app.state.notices = (notifier, public_address)
    app.state.context = context = Context(store, clock, Pages(), MENU, metrics_token, limits=limits or RateLimits())
    app.router.routes.extend(endpoint.route() for endpoint in ENDPOINTS)
    app.router.routes.extend(api.ROUTES)
    app.mount("/static", StaticFilesAndKinds(), name="static")
    app.add_middleware(SecurityHeaders)
    if metrics_token:
        app.add_middleware(Counting)
    app.add_middleware(Compression)
    if public_address:
        app.add_middleware(ByPublicAddress, address=public_address)

    async def in_words(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        known = {404: Translatable("errors.no_page"), 405: Translatable("errors.no_such_method")}
        title = Translatable("errors.not_here") if status == 404 else Translatable("errors.sorry")
        pages = await pages_at_address(request, context.store, context.pages)
        for_script = api.answer_to_failure(request, error)
        answer = for_script or pages.message(status, title, known.get(status, Translatable("errors.failed")))
        if isinstance(error, HTTPException):
            answer.headers.update({} if for_script else error.headers or {})
        else:
            # The framework answers for a failure from outside the middleware that adds these.
            answer.raw_headers.extend(headers_for(request.scope))
        return answer

    app.add_exception_handler(HTTPException, in_words)
    app.add_exception_handler(Exception, in_words)
    return app
