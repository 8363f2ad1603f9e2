"""Who may do what on pages (of the API: `api/endpoint.py`). Every route declares its role; errors become answers."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from assay.errors import AnswersRefused, Closed, Conflict, NotFound, NotYet, PageError, StoreError, TooMany
from assay.store import Backend
from assay.store.annotator.session_lifetime import SESSION_DAYS
from assay.store.annotator.sessions import Annotator, Session, renew, session_of
from assay.web.coordinator.menu import Menu, MenuEntry
from assay.web.page_language import pages_at_address
from assay.web.pages import Pages
from assay.web.rate_limits import RateLimits
from assay.web.result_cache import KeptForAWhile
from assay.words import Translatable

Role = Literal["anyone", "annotator", "coordinator"]
Form = dict[str, list[str]]

MOST_BODY = 512_000
MOST_FIELDS = 2_000
UPLOAD = "multipart/form-data"
SIGN_OUT = "/sign-out"
"""The end of the sign-out address; viewers, who change nothing, may use it, too."""


@dataclass(frozen=True)
class Context:
    """What handlers need: the store, the clock, the pages, the cache of form results and the rate limits."""

    store: Backend
    clock: Callable[[], int]
    pages: Pages
    menu: Menu = ()
    """The coordinator's menu."""
    metrics_token: str = ""
    """Who may see the counters of this server; empty: nobody, and nothing is counted."""
    kept: KeptForAWhile = field(default_factory=KeptForAWhile)
    """What forms have made and the pages after them show."""
    limits: RateLimits = field(default_factory=RateLimits)
    """How often strangers may ask."""


@dataclass(frozen=True)
class Call:
    """One request, after it is known who asks and that they may."""

    request: Request
    context: Context
    who: Session | None
    form: Form
    files: dict[str, bytes] = field(default_factory=dict)
    """What was uploaded, by the form field."""

    @property
    def session(self) -> Session:
        """Who asks; routes for anyone have nobody."""
        assert self.who is not None
        return self.who

    @property
    def annotator(self) -> Annotator:
        """The annotator who asks."""
        assert self.session.annotator is not None
        return self.session.annotator

    @cached_property
    def now(self) -> int:
        """The time, as the program sees it: one for the whole request, so that a limit cannot end within it."""
        return self.context.clock()

    @property
    def wants_json(self) -> bool:
        """Whether a script asks rather than a person."""
        return wants_json(self.request)

    def first(self, name: str) -> str:
        """The first value of a form field, or nothing."""
        return self.form.get(name, [""])[0]


Handler = Callable[[Call], Awaitable[Response]]


@dataclass(frozen=True)
class Endpoint:
    """One address with its method, its role and what answers it."""

    method: Literal["GET", "POST"]
    path: str
    role: Role
    handler: Handler
    menu: MenuEntry | None = None
    """Its entry in the coordinator's menu, where it has one."""
    most_uploaded: int = 0
    """The most bytes that a form may upload; 0: it uploads nothing."""

    def route(self) -> Route:
        """The endpoint as the framework takes it, with access checked before the handler runs."""
        return Route(self.path, self, methods=[self.method], name=f"{self.method} {self.path}")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. The framework would wrap a function once more, to handle what is handled here."""
        answer = await self._answer(Request(scope, receive, send))
        await answer(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        context: Context = request.app.state.context
        try:
            return await self._call_handler(request, context)
        except Refused as refusal:
            return await self._say(request, context, refusal.status, refusal.title, refusal.words)
        except NotFound as error:
            return await self._say(request, context, 404, Translatable("errors.not_here"), error.words)
        except Conflict as error:
            return await self._say(request, context, 409, Translatable("errors.decided"), error.words)
        except Closed as error:
            return await self._say(request, context, 409, Translatable("errors.closed"), error.words)
        except NotYet as error:
            return await self._say(request, context, 403, Translatable("errors.not_yet"), error.words)
        except TooMany as error:
            answer = await self._say(request, context, 429, Translatable("errors.one_moment"), error.words)
            answer.headers["Retry-After"] = str(error.seconds)
            return answer
        except AnswersRefused as error:
            return JSONResponse({"reasons": error.reasons}, 422)
        except StoreError:
            answer = await self._say(
                request, context, 503, Translatable("errors.one_moment"), Translatable("errors.not_saved_yet")
            )
            answer.headers["Retry-After"] = "2"
            return answer

    async def _say(
        self, request: Request, context: Context, status: int, title: Translatable | str, words: Translatable | str
    ) -> Response:
        pages = await pages_at_address(request, context.store, context.pages)
        if wants_json(request):
            code = words.key if isinstance(words, Translatable) else ""
            return JSONResponse({"error": pages.words.say(words), "code": code}, status)
        # Who asks is known unless that is the trouble: then there is no page to lead them to.
        home = "/".join(request.url.path.split("/")[:3]) if self.role != "anyone" else ""
        ended = status == 401
        return pages.message(
            status, title, words, "" if ended else home, home if ended and self.role == "annotator" else ""
        )

    async def _call_handler(self, request: Request, context: Context) -> Response:
        who = await _session(request, context, self.role)
        form: Form = {}
        files: dict[str, bytes] = {}
        if self.method == "POST":
            _same_origin(request, nobody_yet=who is None)
            if self.most_uploaded and _kind_of_body(request) == UPLOAD:
                form, files = await _read_upload(request, self.most_uploaded)
            else:
                form = await _form(request)
            if who is not None and form.get("csrf", [""])[0] != who.csrf:
                raise Refused(403, Translatable("errors.try_again"), Translatable("errors.page_too_old"))
        return await self.handler(Call(request, context, who, form, files))


class Refused(PageError):
    """The request cannot be answered."""

    def __init__(self, status: int, title: Translatable | str, words: Translatable | str) -> None:
        super().__init__(words)
        self.status, self.title = status, title


async def _session(request: Request, context: Context, role: Role) -> Session | None:
    if role == "anyone":
        return None
    cookie = request.cookies.get(cookie_name(request, role, request.path_params["study"]))
    found = await context.store.aread(session_of, cookie, context.clock()) if cookie else None
    if found is None or found.study != request.path_params["study"]:
        raise Refused(401, Translatable("errors.use_link"), Translatable("errors.open_link"))
    if (found.annotator is None) != (role == "coordinator"):
        raise Refused(401, Translatable("errors.use_link"), Translatable("errors.other_link"))
    if found.reads_only and request.method == "POST" and not request.url.path.endswith(SIGN_OUT):
        raise Refused(403, Translatable("errors.not_allowed"), Translatable("errors.reads_only"))
    is_known(request)
    if found.renew_until:
        with suppress(StoreError):
            await context.store.awrite(renew, found.hash, found.renew_until)
    return found


def is_known(request: Request) -> None:
    """Mark the connection as one of a known person, so that it stays open when connections are short."""
    request.scope.setdefault("state", {})["known"] = True


def _same_origin(request: Request, *, nobody_yet: bool) -> None:
    """A form that another site sends is refused, whatever it carries."""
    # Our own pages send "null" where they are asked to send no referrer: they are known by their token instead.
    origin = request.headers.get("origin", "null")
    if origin != "null" and origin.partition("://")[2] != request.headers.get("host"):
        raise Refused(403, Translatable("errors.not_from_here"), Translatable("errors.other_site"))
    # Somebody without a session has no token, and "null" could be any page's. Our form sends its origin, see
    # headers.py.
    unsaid = "cross-site" if nobody_yet and request.headers.get("origin") == "null" else "same-origin"
    if request.headers.get("sec-fetch-site", unsaid) not in ("same-origin", "none"):
        raise Refused(403, Translatable("errors.not_from_here"), Translatable("errors.other_site"))


def _kind_of_body(request: Request) -> str:
    return request.headers.get("content-type", "").split(";")[0].strip().lower()


async def _read_upload(request: Request, most: int) -> tuple[Form, dict[str, bytes]]:
    """The fields and the files of a form that uploads something."""
    length = request.headers.get("content-length", "")
    if not length.isdecimal() or int(length) > most:
        raise Refused(413, Translatable("errors.too_long"), Translatable("errors.answers_too_long"))
    form: Form = {}
    files: dict[str, bytes] = {}
    try:
        async with request.form(max_files=2, max_fields=50, max_part_size=MOST_BODY) as sent:
            for name, value in sent.multi_items():
                if isinstance(value, str):
                    form.setdefault(name, []).append(value)
                else:
                    files[name] = await value.read()
    except HTTPException:
        raise Refused(400, Translatable("errors.not_understood"), Translatable("errors.form_unreadable")) from None
    if any("\0" in value for values in form.values() for value in values):
        raise Refused(400, Translatable("errors.not_understood"), Translatable("errors.form_unreadable"))
    return form, files


async def _form(request: Request) -> Form:
    kind = _kind_of_body(request)
    if kind != "application/x-www-form-urlencoded":
        raise Refused(415, Translatable("errors.not_understood"), Translatable("errors.form_expected"))
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BODY:
            raise Refused(413, Translatable("errors.too_long"), Translatable("errors.answers_too_long"))
    try:
        if b"%00" in body or b"\0" in body:
            raise ValueError("a NUL, which no database keeps")
        return parse_qs(
            bytes(body).decode("utf-8"), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict"
        )
    except ValueError:
        raise Refused(400, Translatable("errors.not_understood"), Translatable("errors.form_unreadable")) from None


def wants_json(request: Request) -> bool:
    """Whether a script asks rather than a person."""
    return "application/json" in request.headers.get("accept", "")


def cookie_name(request: Request, role: str, study: str) -> str:
    """One cookie for each study and role, so that both links of a demo can be open side by side."""
    prefix = "__Host-" if request.scope["scheme"] == "https" else ""
    return f"{prefix}assay-{role}-{study}"


def set_cookie(response: Response, request: Request, role: str, study: str, value: str) -> None:
    """Set a session cookie: HttpOnly, SameSite=Lax, and Secure where the page came over TLS."""
    response.set_cookie(
        cookie_name(request, role, study),
        value,
        max_age=SESSION_DAYS * 24 * 60 * 60,
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )


def drop_cookie(response: Response, request: Request, role: str, study: str) -> None:
    """Delete a session's cookie."""
    name, secure = cookie_name(request, role, study), request.url.scheme == "https"
    response.delete_cookie(name, path="/", secure=secure, httponly=True, samesite="lax")


def see_other(where: str) -> RedirectResponse:
    """A redirect after a form (303 See Other)."""
    return RedirectResponse(where, 303)


__all__ = [
    "Call",
    "Context",
    "Endpoint",
    "Form",
    "Refused",
    "Role",
    "cookie_name",
    "see_other",
    "set_cookie",
]
