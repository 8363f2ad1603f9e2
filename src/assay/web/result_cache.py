"""A cache of form results for the page that shows them: for minutes, in this process, for the session that made them.

Reloading that page shows the same result and repeats nothing. Another server, or one that was started anew,
does not have it: that page says so.
"""

import secrets
from dataclasses import dataclass, field
from typing import Any

KEPT_MS = 10 * 60 * 1000
MOST = 200
"""The most results that are kept at once; the oldest is removed first."""


@dataclass
class KeptForAWhile:
    """Cached results by random keys, each for one session."""

    _kept: dict[str, tuple[str, int, Any]] = field(default_factory=dict)

    def put(self, session: str, now: int, thing: Any) -> str:
        """Cache a result; returns its key."""
        for key in [key for key, (_, at, _) in self._kept.items() if at < now - KEPT_MS]:
            del self._kept[key]
        while len(self._kept) >= MOST:
            del self._kept[next(iter(self._kept))]
        key = secrets.token_urlsafe(16)
        self._kept[key] = session, now, thing
        return key

    def get(self, session: str, now: int, key: str) -> Any | None:
        """The result under a key, if this session made it; None where it has expired."""
        whose, at, thing = self._kept.get(key, ("", 0, None))
        return thing if whose == session and at >= now - KEPT_MS else None

    def drop(self, key: str) -> None:
        """Remove a result."""
        self._kept.pop(key, None)
