"""What a form has made and the page after it shows: kept for minutes in this process, for the session that made it.

A page that is loaded again then shows the same and does nothing again. Another server, or one that was started anew,
does not have it: that page says so.
"""

import secrets
from dataclasses import dataclass, field
from typing import Any

KEPT_MS = 10 * 60 * 1000
MOST = 200
"""So many are kept at once; the oldest goes first."""


@dataclass
class KeptForAWhile:
    """Things by keys that cannot be guessed, each for one session."""

    _kept: dict[str, tuple[str, int, Any]] = field(default_factory=dict)

    def put(self, session: str, now: int, thing: Any) -> str:
        """Keep something; returns its key."""
        for key in [key for key, (_, at, _) in self._kept.items() if at < now - KEPT_MS]:
            del self._kept[key]
        while len(self._kept) >= MOST:
            del self._kept[next(iter(self._kept))]
        key = secrets.token_urlsafe(16)
        self._kept[key] = session, now, thing
        return key

    def get(self, session: str, now: int, key: str) -> Any | None:
        """What was kept under a key, for the session that made it; None where it is not there any more."""
        whose, at, thing = self._kept.get(key, ("", 0, None))
        return thing if whose == session and at >= now - KEPT_MS else None

    def drop(self, key: str) -> None:
        """Forget it."""
        self._kept.pop(key, None)
