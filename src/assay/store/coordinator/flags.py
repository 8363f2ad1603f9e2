"""The doubts that monitors have raised, kept so that a coordinator can deal with each of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, func, insert, select, update

from assay.model import Flag
from assay.store.engine.json_text import to_json
from assay.store.engine.text_order import by_code
from assay.store.tables import action, annotator, flag, study, submission


@dataclass(frozen=True, slots=True)
class Kept:
    """A flag in the store."""

    monitor: str
    annotator: str
    reason: str
    items: tuple[str, ...]
    evidence: dict[str, Any]
    raised_at: int
    state: str
    """open, dismissed, or over: the monitor no longer finds it."""


def keep(connection: Connection, study_id: int, found: Sequence[Flag], now: int) -> None:
    """Update the flags of a study: new ones are opened, dismissed ones stay dismissed, those no longer raised end."""
    names = connection.execute(select(annotator.c.name, annotator.c.id).where(annotator.c.study_id == study_id))
    ids = {row[0]: row[1] for row in names}
    known = {(row.annotator_id, row.monitor): row for row in connection.execute(_of(study_id))}
    for each in found:
        row: dict[str, Any] = {"reason": each.reason, "evidence": to_json(each.evidence), "items": to_json(each.items)}
        old = known.pop((ids[each.annotator], each.monitor), None)
        if old is None:
            who = {"study_id": study_id, "annotator_id": ids[each.annotator], "monitor": each.monitor}
            connection.execute(insert(flag).values({**who, **row, "raised_at": now}))
            continue
        if old.state == "over":
            row |= {"state": "open", "raised_at": now}
        if any(old._mapping[flag.c[name]] != value for name, value in row.items()):
            connection.execute(update(flag).where(flag.c.id == old.id).values(row))
    gone = [row.id for row in known.values() if row.state == "open"]
    if gone:
        connection.execute(update(flag).where(flag.c.id.in_(gone)).values(state="over"))


def _of(study_id: int) -> Any:
    return select(flag).where(flag.c.study_id == study_id)


def kept_flags(connection: Connection, study_id: int) -> list[Kept]:
    """Every flag of a study: open ones first, then by annotator and monitor."""
    columns = (flag.c.monitor, annotator.c.name, flag.c.reason, flag.c["items"], flag.c.evidence)
    rows = connection.execute(
        select(*columns, flag.c.raised_at, flag.c.state)
        .join(annotator, annotator.c.id == flag.c.annotator_id)
        .where(flag.c.study_id == study_id)
        .order_by(flag.c.state != "open", by_code(annotator.c.name), flag.c.monitor)
    )
    return [
        Kept(monitor, name, reason, tuple(json.loads(items)), json.loads(evidence), raised_at, state)
        for monitor, name, reason, items, evidence, raised_at, state in rows
    ]


def dismiss(connection: Connection, study_id: int, annotator_id: int, monitor: str) -> bool:
    """Dismiss an open flag, as looked into. False where there is none."""
    which = and_(flag.c.study_id == study_id, flag.c.annotator_id == annotator_id, flag.c.monitor == monitor)
    changed = connection.execute(update(flag).where(which, flag.c.state == "open").values(state="dismissed"))
    return changed.rowcount > 0


CHANGES_NO_NUMBER = (
    "dismiss",
    "message",
    "note",
    "invite",
    "revoke link",
    "revoke links",
    "replace links",
    "pause",
    "resume",
    "sheet out",
    "leave",
    "come back",
    "make token",
    "revoke token",
)
"""Acts that change no computed number."""


def state_of_work(connection: Connection, study_id: int) -> tuple[int, int, int, int]:
    """A key for caches of numbers and flags: while it is the same, there is nothing new to find.

    How many submissions there are and when the last one came, how many items, and which act was the last that changes
    a number: an item is taken out or put back, somebody excluded, a version published, a value agreed on.
    """
    newest = select(func.count(), func.coalesce(func.max(submission.c.submitted_at), 0))
    count, last = connection.execute(newest.where(submission.c.study_id == study_id)).one()
    items = connection.execute(select(study.c.item_count).where(study.c.id == study_id)).scalar_one()
    acts = (action.c.study_id == study_id, action.c.what.not_in(CHANGES_NO_NUMBER))
    done = connection.execute(select(func.coalesce(func.max(action.c.id), 0)).where(*acts)).scalar_one()
    return count, last, items, done
