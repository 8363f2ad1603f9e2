"""One address of the API: who may use it, what it takes, what it answers. Errors become problem+json here, once."""

import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from sqlalchemy import Connection
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from assay.errors import (
    AnswersRefused,
    AssayError,
    Conflict,
    FileMistakes,
    Mistake,
    NotFound,
    NotYet,
    PageError,
    StoreError,
    TooMany,
)
from assay.items import why_unstorable
from assay.store.annotator import versions
from assay.store.coordinator import tokens
from assay.store.coordinator.record import By
from assay.store.coordinator.tokens import Bearer, Once, OtherRequest
from assay.study import Study
from assay.web.access import Context, Refused, is_known
from assay.web.rate_limits import address_of

ROOT = "/api/v1"
Scope = Literal["anyone", "read", "manage", "judge", "export"]
Method = Literal["GET", "POST", "PATCH"]
MOST_BODY = 512_000
LONGEST_KEY = 200
WORDS = 4000
KEY = "Idempotency-Key"

B = TypeVar("B", bound=BaseModel)


class Body(BaseModel):
    """A request body: typed; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Answer(BaseModel):
    """A response body."""

    model_config = ConfigDict(frozen=True)


class Wrong(Answer):
    """One thing that is wrong: where, what, and how to put it right."""

    where: str
    what: str
    fix: str


class ProblemAnswer(Answer):
    """Why a request cannot be answered (RFC 9457)."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    problems: list[Wrong]


@dataclass(frozen=True)
class Query:
    """One parameter after the question mark."""

    name: str
    about: str
    default: int | str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 2**53

    def read(self, given: str | None) -> int | str:
        """The value that was given, or the default."""
        if given is None:
            return self.default
        if self.choices:
            if given in self.choices:
                return given
            raise bad_request(
                f"query {self.name}", f"{given[:40]!r} is no choice", f"one of: {', '.join(self.choices)}"
            )
        # Digits of other scripts are digits to Python, and a number of a thousand digits is one, too.
        if not (given.isascii() and given.isdigit() and len(given) < 17 and self.low <= int(given) <= self.high):
            raise bad_request(f"query {self.name}", f"{given[:40]!r} cannot be used", f"{self.low} to {self.high}")
        return int(given)


class Declined(Exception):
    """The request cannot be answered, for reasons that the script's author can act on."""

    def __init__(self, status: int, *problems: Mistake) -> None:
        super().__init__("; ".join(str(problem) for problem in problems))
        self.status, self.problems = status, problems


def bad_request(where: str, what: str, fix: str = "", status: int = 400) -> Declined:
    """A request that is wrong in one place."""
    return Declined(status, Mistake(where, what, fix))


@dataclass(frozen=True)
class ApiCall:
    """One request, after it is known who asks and that they may."""

    request: Request
    context: Context
    token: Bearer | None
    body: bytes
    query: dict[str, Any]

    @property
    def bearer(self) -> Bearer:
        """Who asks; what is for anyone has nobody."""
        assert self.token is not None
        return self.token

    @cached_property
    def now(self) -> int:
        """The time, as the program sees it: one for the whole request, so that a limit cannot end within it."""
        return self.context.clock()

    def path(self, name: str) -> str:
        """A part of the address."""
        return str(self.request.path_params[name])

    async def study(self) -> Study:
        """The version of the study that is in force."""
        found = await self.context.store.aread(versions.version, self.bearer.study_id, self.bearer.version)
        assert found is not None
        return found

    def by(self, reason: str = "") -> By:
        """Who does something, and why, as it is recorded."""
        return By(self.bearer.study_id, f"token {self.bearer.name}", self.now, reason.strip())

    def read(self, body: type[B]) -> B:
        """The body of the request, validated."""
        return read_body(body, self.kind, self.body)

    def take_heavy(self) -> None:
        """Count one answer that takes long to compute, where only some requests to an address do."""
        self.context.limits.heavy_calls.take(str(self.bearer.id), self.now)

    @property
    def kind(self) -> str:
        """The content type of the body."""
        return self.request.headers.get("content-type", "")

    async def write(self, act: Callable[[Connection], dict[str, Any]], *, repeatable: bool = True) -> dict[str, Any]:
        """Write, idempotently: a retried request with the same key gets the same response."""
        request = self.once() if repeatable else None
        try:
            return await self.context.store.awrite(tokens.once, request, self.now, act)
        except OtherRequest:
            raise other_request() from None

    def once(self) -> Once | None:
        """The idempotency key of the request, if it has one."""
        key = self.request.headers.get(KEY.lower())
        if key is None:
            return None
        if not 0 < len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
            raise bad_request(KEY, "it cannot be used", f"1 to {LONGEST_KEY} letters, digits or signs")
        said = f"{self.request.method} {self.request.url.path}\n".encode("utf-8", "surrogateescape") + self.body
        return Once(self.bearer.id, key, hashlib.sha256(said).hexdigest())


def other_request() -> Declined:
    """The error where an idempotency key was used with another request."""
    return bad_request(KEY, "this key came before with another request", "use a new key", 422)


def read_body(body: type[B], kind: str, content: bytes) -> B:
    """The body of a request with its content type, validated."""
    try:
        return body.model_validate(_json(kind, content))
    except ValidationError as error:
        raise Declined(422, *(_mistake_of(each) for each in error.errors(include_url=False))) from None


def _json(kind: str, content: bytes) -> Any:
    if kind.split(";")[0].strip().lower() != "application/json":
        raise bad_request("Content-Type", "the body is not marked as JSON", "send application/json", 415)
    try:
        found = json.loads(content.decode("utf-8"), parse_constant=_no_number, object_pairs_hook=_no_key_twice)
    except (ValueError, RecursionError) as error:
        raise bad_request("body", f"it is not JSON ({str(error)[:200]})", "send one JSON object in UTF-8") from None
    if (reason := why_unstorable(found)) is not None:
        raise bad_request("body", reason, "remove it", 422)
    return found


STATUS: dict[type[Exception], int] = {NotFound: 404, NotYet: 403}
"""How an error of the pages is answered; all others say that the request no longer fits what is stored."""

Handler = Callable[[ApiCall], Awaitable[BaseModel | Response]]


@dataclass(frozen=True)
class ApiEndpoint:
    """One address with its method, its scope, and what answers it."""

    method: Method
    path: str
    scope: Scope
    handler: Handler
    answer: type[BaseModel] | None = None
    """What is answered as JSON; None where it is a file or a stream of lines."""
    body: type[BaseModel] | None = None
    query: tuple[Query, ...] = ()
    status: int = 200
    most_body: int = MOST_BODY
    repeatable: bool = False
    """Whether a request that comes again under its key is answered again and not done again."""
    media_type: str = "application/json"
    heavy: bool = False
    """Whether an answer takes long to compute, so that there is a limit to how many a token gets in a minute."""

    @property
    def role(self) -> str:
        """Who may use it, as the pages' endpoints say it."""
        return self.scope

    @property
    def address(self) -> str:
        """The whole path."""
        return ROOT + self.path

    def route(self) -> Route:
        """The endpoint as the framework takes it, with access checked before the handler runs."""
        # The ids of items may have slashes in them: such a one stands last, and goes to the end of the address.
        path = self.address.replace("{item}", "{item:path}")
        return Route(path, self._answer, methods=[self.method], name=f"{self.method} {self.address}")

    async def _answer(self, request: Request) -> Response:
        try:
            found = await self._call_handler(request, request.app.state.context)
        except Declined as error:
            return problem(error.status, error.problems)
        except AnswersRefused as error:
            return problem(422, [Mistake(f"answers.{key}", words) for key, words in error.reasons.items()])
        except FileMistakes as error:
            return problem(422, error.mistakes)
        except StoreError as error:
            answer = problem(503, [Mistake("the store", error.what, "send the request again in a moment")])
            answer.headers["Retry-After"] = "2"
            return answer
        except AssayError as error:
            return problem(422, [Mistake("request", error.what, error.hint)])
        except TooMany as error:
            fix = f"send the request again in {error.seconds} seconds"
            answer = problem(429, [Mistake("request", "too many of these have come lately", fix)])
            answer.headers["Retry-After"] = str(error.seconds)
            return answer
        except PageError as error:
            status = error.status if isinstance(error, Refused) else STATUS.get(type(error), 409)
            fix = "read what is stored, then decide" if isinstance(error, Conflict) else ""
            return problem(status, [Mistake("request", str(error), fix)])
        return found if isinstance(found, Response) else JSONResponse(found.model_dump(mode="json"), self.status)

    async def _call_handler(self, request: Request, context: Context) -> BaseModel | Response:
        token = await self._bearer(request, context)
        if any(why_unstorable(str(value)) for value in request.path_params.values()):
            raise no_such_thing()
        if token is not None and request.path_params.get("study", token.study) != token.study:
            raise no_such_thing()
        known = {each.name: each for each in self.query}
        given = request.query_params
        for name in given:
            if name not in known or len(given.getlist(name)) > 1:
                fix = f"known here: {', '.join(known)}" if known else "there are none here"
                raise bad_request(f"query {name[:40]}", "it is not known here, or is there twice", fix)
        query = {name: each.read(given.get(name)) for name, each in known.items()}
        body = await self._body(request) if self.method != "GET" else b""
        return await self.handler(ApiCall(request, context, token, body, query))

    async def _bearer(self, request: Request, context: Context) -> Bearer | None:
        if self.scope == "anyone":
            return None
        now = context.clock()
        kind, _, secret = request.headers.get("authorization", "").partition(" ")
        found = None
        if kind.lower() == "bearer" and secret.isascii() and 0 < len(secret) < 200:
            found = await context.store.aread(tokens.bearer, secret.strip(), now)
        if found is None:
            context.limits.wrong_tokens.take(address_of(request), now)
            what = "there is no token, or it is no longer good"
            raise bad_request("Authorization", what, "send Bearer and a token that `assay token` has made", 401)
        is_known(request)
        if self.scope not in found.scopes:
            what = f"the token is not good for this: it has {', '.join(sorted(found.scopes))}"
            raise bad_request("Authorization", what, f"make one with --scope {self.scope}", 403)
        if self.heavy:
            context.limits.heavy_calls.take(str(found.id), now)
        return found

    async def _body(self, request: Request) -> bytes:
        body = bytearray()
        try:
            async for chunk in request.stream():
                body += chunk
                if len(body) > self.most_body:
                    raise bad_request("body", "it is too long", f"at most {self.most_body:,} bytes", 413)
        except ClientDisconnect:
            raise bad_request("body", "it broke off", "send it again") from None
        return bytes(body)


def no_such_thing(what: str = "there is nothing here for this token") -> Declined:
    """The error 404, the same for what does not exist and for what belongs to somebody else."""
    return bad_request("address", what, "look at the study's name and the rest of the address", 404)


def problem(status: int, problems: Any) -> JSONResponse:
    """An error as RFC 9457 has it, with a list of what is wrong, where, and what to do."""
    wrong = [Wrong(where=each.where, what=each.what, fix=each.hint) for each in problems]
    title = HTTPStatus(status).phrase
    detail = wrong[0].what if wrong else title
    said = ProblemAnswer(title=title, status=status, detail=detail, problems=wrong)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return JSONResponse(said.model_dump(), status, headers, media_type="application/problem+json")


def _mistake_of(error: Any) -> Mistake:
    where = ".".join(["body", *(str(part)[:80] for part in error["loc"])])
    return Mistake(where, str(error["msg"]), "the schema is at /api/v1/openapi.json")


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number in JSON")


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found
