"""Pages, styles, scripts and data are sent packed to whoever takes them so: on a slow line that is most of the time.

A secret in a packed page could be guessed by its length if somebody else could put words beside it, again and again.
Nobody can here: a page shows nothing of its address, nor anything else that another site could send.
"""

import gzip

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TYPES = ("text/html", "text/css", "text/javascript", "application/json", "image/svg+xml")
LEAST_BYTES = 1000
LEVEL = 1
"""A page of 43 kB takes 0.2 ms and becomes 9.6 kB; level 6 takes 2 ms and saves 1.5 kB more."""


def takes_packed(headers: Headers) -> bool:
    """Whether whoever asks takes what is packed by gzip."""
    listed = (part.partition(";") for part in headers.get("accept-encoding", "").split(","))
    return any(name.strip() == "gzip" and weight.replace(" ", "") not in ("q=0", "q=0.0") for name, _, weight in listed)


class Packing:
    """Packs what is worth it. What comes in several pieces, or packed already, goes through as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and pack the answer."""
        if scope["type"] != "http" or not takes_packed(Headers(scope=scope)):
            await self.app(scope, receive, send)
            return
        start: Message | None = None

        async def send_packed(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _may_be_packed(message):
                start = message
                return
            if start is not None:
                begun, start = start, None
                whole = message["type"] == "http.response.body" and not message.get("more_body")
                if whole and len(message.get("body", b"")) >= LEAST_BYTES:
                    message = {**message, "body": gzip.compress(message["body"], LEVEL, mtime=0)}
                    mark_packed(MutableHeaders(raw=begun["headers"]), len(message["body"]))
                await send(begun)
            await send(message)

        await self.app(scope, receive, send_packed)


def _may_be_packed(message: Message) -> bool:
    headers = Headers(raw=message.get("headers", []))
    return headers.get("content-type", "").partition(";")[0] in TYPES and "content-encoding" not in headers


def mark_packed(headers: MutableHeaders, length: int) -> None:
    """Say in an answer's headers that it is packed: so it is the same thing, and not the same bytes."""
    headers["content-encoding"] = "gzip"
    headers["content-length"] = str(length)
    headers.add_vary_header("Accept-Encoding")
    if "etag" in headers and not headers["etag"].startswith("W/"):
        headers["etag"] = f"W/{headers['etag']}"
