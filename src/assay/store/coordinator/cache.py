"""Results that took long to compute, kept with the time for which they stand."""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from assay.store.coordinator.items import to_json
from assay.store.tables import computed

PATIENCE = 20
"""What took a second to compute is not computed again for so many seconds."""
AT_LEAST_MS = 15_000
AGREEMENT = "agreement"
FIGURES = "figures"
DECLARED = "declared"
"""Whom the study's own rules leave out."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A result and what it stands for."""

    content: Any
    state: str
    """Of the data that it was made from: another state means that something has happened since."""
    at: int

    def has_rested(self, now: int) -> bool:
        """Whether it may be computed again: what takes long is kept for longer, so that other work gets done."""
        return now >= self.at + max(AT_LEAST_MS, PATIENCE * int(self.content["took_ms"]))


def keep(connection: Connection, study_id: int, what: str, found: Computed) -> None:
    """Keep a result in place of an older one."""
    connection.execute(delete(computed).where(computed.c.study_id == study_id, computed.c.what == what))
    row = {"study_id": study_id, "what": what, "state": found.state, "at": found.at}
    connection.execute(insert(computed).values({**row, "content": to_json(found.content)}))


def kept(connection: Connection, study_id: int, what: str) -> Computed | None:
    """A result that was kept, however old."""
    row = connection.execute(
        select(computed.c.content, computed.c.state, computed.c.at).where(
            computed.c.study_id == study_id, computed.c.what == what
        )
    ).first()
    return None if row is None else Computed(json.loads(row.content), row.state, row.at)
