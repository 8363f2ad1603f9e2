"""The cache of results that take long to compute, each with the time and the state of the data it was computed from."""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from assay.store.engine.json_text import to_json
from assay.store.tables import computed

PATIENCE = 20
"""A result that took t to compute is kept for this many times t."""
AT_LEAST_MS = 15_000
AGREEMENT = "agreement"
FIGURES = "figures"
LEADS = "figure leads"
"""What each mark of the figures leads to."""
STOPPING = "stopping rule"
EXCLUDED_BY_RULE = "excluded by rule"
"""The annotators whom the study's own rules exclude."""


@dataclass(frozen=True, slots=True)
class CachedResult:
    """A result, when it was computed, and from what."""

    content: Any
    state: str
    """The state of the data that it was computed from: with data in another state, it is out of date."""
    at: int

    def may_be_refreshed(self, now: int) -> bool:
        """Whether it may be computed again: what takes long is kept for longer, so that other work gets done."""
        return now >= self.at + max(AT_LEAST_MS, PATIENCE * int(self.content["took_ms"]))


def put(connection: Connection, study_id: int, what: str, found: CachedResult) -> None:
    """Cache a result in place of an older one."""
    connection.execute(delete(computed).where(computed.c.study_id == study_id, computed.c.what == what))
    row = {"study_id": study_id, "what": what, "state": found.state, "at": found.at}
    connection.execute(insert(computed).values({**row, "content": to_json(found.content)}))


def get(connection: Connection, study_id: int, what: str) -> CachedResult | None:
    """A cached result, however old; None where there is none."""
    row = connection.execute(
        select(computed.c.content, computed.c.state, computed.c.at).where(
            computed.c.study_id == study_id, computed.c.what == what
        )
    ).first()
    return None if row is None else CachedResult(_read(row.content), row.state, row.at)


@lru_cache(maxsize=4)
def _read(content: str) -> Any:
    """Parse a cached result. Memoised: a page that refreshes every few seconds reads the same megabytes again."""
    return json.loads(content)
