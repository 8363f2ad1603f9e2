"""Limits on a server's connections: none is kept idle for long, and a new client gets the place of an unknown one.

Whatever a stranger can do is limited before anything is asked of the store: how long the head of a request is and how
many lines it has, how long it may take to come, how long an answer may wait to be taken, and how many connections there
are. Where there are too many, the oldest idle one that has not authenticated is closed.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

try:
    import resource
except ImportError:  # not a POSIX system
    resource = None  # type: ignore[assignment]

OPEN_FILES_KEPT = 128
"""So many open files are left for the store, its side files and everything else."""
EVERY = 1.0
"""Seconds between two looks at all connections."""


class Careful(HttpToolsProtocol):
    """One connection, with the limits of what it may cost."""

    most_connections = 4000
    most_head = 32_000
    """Bytes: the longest head of a request."""
    most_lines = 100
    """So many header lines a request may have."""
    head_seconds = 15.0
    """So long the head of a request may take to come, and so long a new connection may be silent."""
    body_seconds = 120.0
    """So long a whole request may take to come."""
    stuck_seconds = 60.0
    """So long an answer may wait for somebody who takes nothing of it."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.came_at = self.loop.time()
        self.since: float | None = self.came_at
        """When the request under way began; None: there is none."""
        self.in_head = True
        self.head_bytes = 0
        self.known = False
        """Whether somebody has said on it who they are, and it was true."""
        self.unsent = 0
        self.unsent_since = self.came_at

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection. Over the limit another one is closed for it, or else it is refused."""
        if not self.connections:
            self.loop.call_later(EVERY, self._look_at_all)
        if len(self.connections) >= self.most_connections and not _let_one_go(self.connections):
            transport.abort()
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Read on; refuse a head that is too long before it has ended."""
        if self.in_head:
            self.head_bytes += len(data)
        super().data_received(data)
        if self.in_head and self.head_bytes > self.most_head:
            self._refuse()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self.since, self.in_head = self.loop.time(), True

    def on_headers_complete(self) -> None:
        """The head of a request is here: it is answered unless it is too long."""
        self.in_head, self.head_bytes = False, 0
        long = len(self.headers) > self.most_lines
        if long or len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > self.most_head:
            self._refuse()
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Some of a request's body; after a refusal nobody waits for it."""
        if not self.transport.is_closing():
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The whole request is here."""
        self.since = None
        if not self.transport.is_closing():
            super().on_message_complete()

    def on_response_complete(self) -> None:
        """Remember, for as long as the connection lasts, whether a request on it was authenticated."""
        self.known = self.known or "known" in self.scope["state"]
        super().on_response_complete()

    def _refuse(self) -> None:
        if not self.transport.is_closing():
            words = b"The head of the request is too long."
            head = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain\r\nconnection: close\r\n"
            self.transport.write(head + b"content-length: %d\r\n\r\n%b" % (len(words), words))
            self.transport.close()

    def _look_at_all(self) -> None:
        """Drop overdue connections, and look again in a moment as long as there are any."""
        now = self.loop.time()
        for each in [*self.connections]:
            if isinstance(each, Careful) and each.is_overdue(now):
                each.transport.abort()
        if self.connections:
            self.loop.call_later(EVERY, self._look_at_all)

    def is_overdue(self, now: float) -> bool:
        """Whether a request does not come to its end, or its answer is not taken."""
        if self.since is not None and now - self.since > (self.head_seconds if self.in_head else self.body_seconds):
            return True
        unsent = self.transport.get_write_buffer_size()
        if unsent == 0 or unsent != self.unsent:
            self.unsent, self.unsent_since = unsent, now
        return now - self.unsent_since > self.stuck_seconds

    @property
    def is_at_work(self) -> bool:
        """Whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete


def _let_one_go(connections: set[Any]) -> bool:
    """Close the oldest connection that is idle and not authenticated; False where there is none."""
    waiting = [each for each in connections if isinstance(each, Careful) and not each.known and not each.is_at_work]
    if not waiting:
        return False
    oldest = min(waiting, key=lambda each: each.came_at)
    connections.discard(oldest)
    oldest.transport.abort()
    return True


def room_for_connections(wanted: int = Careful.most_connections) -> int:
    """Raise the limit on open files if need be; returns how many connections it leaves, `wanted` at most."""
    if resource is None:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = wanted + OPEN_FILES_KEPT
    if soft != resource.RLIM_INFINITY and soft < enough:
        soft = enough if hard == resource.RLIM_INFINITY else min(enough, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else max(1, min(wanted, soft - OPEN_FILES_KEPT))
