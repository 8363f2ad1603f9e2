"""Refuses requests that do not come by the server's public address, so that cookies and links always fit it."""

import logging
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOG = logging.getLogger("uvicorn.error")
FOR_MACHINES = ("/health", "/metrics")
"""What proxies and monitoring ask for by whatever address they have."""


class ByPublicAddress:
    """Refuses requests that have come by another scheme or name, and says why, in the log too."""

    def __init__(self, app: ASGIApp, address: str) -> None:
        self.app, self.address = app, address
        parts = urlsplit(address)
        self.scheme, self.host = parts.scheme, parts.netloc.lower()
        self.said: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or say by which address to come."""
        if scope["type"] != "http" or scope["path"].startswith(FOR_MACHINES):
            await self.app(scope, receive, send)
            return
        host = next((value.decode("latin-1").lower() for name, value in scope["headers"] if name == b"host"), "")
        if scope["scheme"] == self.scheme and host == self.host:
            await self.app(scope, receive, send)
            return
        self._warn(scope, host)
        await PlainTextResponse(f"This server is reached at {self.address}", 421)(scope, receive, send)

    def _warn(self, scope: Scope, host: str) -> None:
        """Log each reason once."""
        came_from = (scope.get("client") or ("?",))[0]
        if scope["scheme"] != self.scheme:
            why = f"a request came from {came_from} by {scope['scheme']} and not {self.scheme}: if that is the proxy, "
            why += "name it with --trusted-proxy, and have it set X-Forwarded-Proto"
        else:
            why = "a request named another host than --public-address: the proxy must pass Host on"
        if why not in self.said and len(self.said) < 20:
            self.said.add(why)
            LOG.warning(why)
