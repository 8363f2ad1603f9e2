"""What every answer carries: a strict content policy, no caching of what is personal, no referrer to other hosts."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
ALWAYS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
# Static files are asked for again with each release: a page must not mix the modules of two.
CHECKED = [(b"cache-control", b"no-cache")]
PRIVATE = [(b"cache-control", b"no-store, private"), (b"vary", b"Cookie, Accept")]
NO_REFERRER = [(b"referrer-policy", b"no-referrer")]
# Without any referrer a browser sends `Origin: null` with a form, as another site's page can. From the page of a link,
# where nobody is known yet, the form says which host it comes from, and no more: the link itself stays out of logs.
HOST_ONLY = [(b"referrer-policy", b"strict-origin")]
SECURE = [(b"strict-transport-security", b"max-age=31536000")]


def leads_nowhere(scope: Scope) -> Scope:
    """The request rewritten to an address that does not exist, for addresses that can name nothing."""
    nowhere = "/api/-" if scope["path"].startswith("/api/") else "/-"
    return {**scope, "path": nowhere, "raw_path": nowhere.encode(), "query_string": b""}


def headers_for(scope: Scope) -> list[tuple[bytes, bytes]]:
    """The headers that the answer to this request carries."""
    secure = SECURE if scope["scheme"] == "https" else []
    referrer = HOST_ONLY if scope["path"].startswith("/join") else NO_REFERRER
    return ALWAYS + referrer + secure + (CHECKED if scope["path"].startswith("/static/") else PRIVATE)


class SecurityHeaders:
    """Adds the headers to every answer, errors and static files included."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and complete the answer's headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        # No query contains a NUL: PostgreSQL would refuse it.
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:
            scope = leads_nowhere(scope)
        extra = headers_for(scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = list(message.get("headers", []))
                # A picture says itself how long it may be kept; of policies both hold.
                keeps = any(name == b"cache-control" for name, _ in own)
                message["headers"] = own + [each for each in extra if not (keeps and each[0] == b"cache-control")]
            await send(message)

        await self.app(scope, receive, send_with_headers)
