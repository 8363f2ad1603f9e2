"""What a coordinator is told outside the page: nobody works, a pilot is ready, somebody waits at a gate, it is done.

A notice names the study and what is the matter, and nobody. Each is sent once: what was sent is kept in the store.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from assay.live.at_a_glance import AtAGlance, at_a_glance
from assay.store import Backend
from assay.store.annotator import versions
from assay.store.coordinator import cache, studies
from assay.store.coordinator.cache import CachedResult

SENT = "notices"


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to tell."""

    study: str
    kind: str
    """idle, pilot, gate or done."""
    says: str
    about: str
    """What tells it from the next of its kind; nothing of it is sent."""


def due_notices(store: Backend, now: int) -> list[tuple[int, Notice]]:
    """What is the matter in each study and was not told yet."""
    found = []
    for study_id, name in store.read(studies.all_studies):
        study = store.read(versions.in_force, name)
        if study is not None and store.read(studies.state, study_id) == "open":
            sent = _notices_sent(store, study_id)
            matters = _matters(name, at_a_glance(store, study_id, study, now))
            found += [(study_id, each) for each in matters if sent.get(each.kind) != each.about]
    return found


def mark_sent(connection: Connection, study_id: int, notice: Notice, now: int) -> bool:
    """Note that a notice is told now. False where another server has told it."""
    kept = cache.get(connection, study_id, SENT)
    sent = dict(kept.content) if kept else {}
    if sent.get(notice.kind) == notice.about:
        return False
    cache.put(connection, study_id, SENT, CachedResult({**sent, notice.kind: notice.about}, "", now))
    return True


def take_back(connection: Connection, study_id: int, notice: Notice, now: int) -> None:
    """Forget that a notice was sent, since sending it failed: it is sent the next time."""
    kept = cache.get(connection, study_id, SENT)
    sent = {kind: about for kind, about in (kept.content if kept else {}).items() if kind != notice.kind}
    cache.put(connection, study_id, SENT, CachedResult(sent, "", now))


def _notices_sent(store: Backend, study_id: int) -> Mapping[str, str]:
    kept = store.read(cache.get, study_id, SENT)
    found: Mapping[str, str] = kept.content if kept else {}
    return found


def _matters(name: str, now: AtAGlance) -> list[Notice]:
    found = []
    if now.how_far.is_stalled:
        found.append(Notice(name, "idle", "nobody has worked for two days", str(now.last_at)))
    if now.pilot_ready:
        found.append(Notice(name, "pilot", "the pilot is judged, and waits for a decision", str(now.pilot)))
    if now.waiting:
        newest = max(each.attempts[-1].id for each in now.waiting)
        found.append(Notice(name, "gate", "somebody waits at a gate", str(newest)))
    if now.counts.items and now.counts.finished >= now.counts.items:
        found.append(Notice(name, "done", "every item has all its judgments", str(now.counts.items)))
    return found
