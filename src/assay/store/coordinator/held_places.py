"""Places held by people who have stopped: items that they did not judge, or whose judgments no longer count.

They are named here, with what frees them; freeing those of somebody who is left out is done in `acts/exclusions.py`.
"""

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, func, select

from assay.in_words import count, duration
from assay.store.annotator.assignments import AT_WORK
from assay.store.annotator.session_lifetime import DAY
from assay.store.coordinator import excluded_by_rule
from assay.store.tables import WORK, annotator, assignment, item, submission

Why = Literal["excluded", "left", "paused", "away"]


@dataclass(frozen=True, slots=True)
class HeldPlaces:
    """The places of one person who has stopped."""

    annotator: str
    why: Why
    open: int
    """Items that were given to them and are not judged."""
    judged: int
    """Items that they have judged, where nothing of theirs counts."""
    since: int
    """When they did something last."""
    idle_ms: int = 0
    """How long ago that was."""

    @property
    def reason(self) -> str:
        """Why these places are held, as the rest of a sentence that begins with a name."""
        known = {"excluded": "is left out", "left": "has left", "paused": "is paused"}
        return known.get(self.why, f"has done nothing for {duration(self.idle_ms)}")

    def in_words(self) -> str:
        """A sentence: who holds how many places, and the command that frees them."""
        held = [f"{count(self.open)} not judged"] * bool(self.open) + [f"{count(self.judged)} judged"] * bool(
            self.judged
        )
        return f"{self.annotator} {self.reason} and holds places: {', '.join(held)}. `{self.command}` frees them."

    def as_json(self) -> dict[str, Any]:
        """The held places as JSON."""
        about = {"annotator": self.annotator, "why": self.why, "open": self.open, "judged": self.judged}
        return {**about, "says": self.in_words()}

    @property
    def command(self) -> str:
        """The command that frees them; on the annotator's page it is a button."""
        change = 'exclude --reassign --reason "..."' if self.why == "excluded" else "release"
        return f"assay annotator {self.annotator} {change}"


def held_places(connection: Connection, study_id: int, now: int) -> list[HeldPlaces]:
    """The places of everybody who was excluded, has left, is paused, or has done nothing for a day."""
    takes = (AT_WORK, assignment.c["pass"] == 1, item.c.series == WORK, assignment.c.freed_at.is_(None))
    last_work = (
        select(func.max(submission.c.submitted_at))
        .where(submission.c.annotator_id == annotator.c.id, submission.c.source != "imported")
        .correlate(annotator)
        .scalar_subquery()
    )
    rows = connection.execute(
        select(
            annotator.c.name,
            annotator.c.state,
            annotator.c.left_at,
            annotator.c.excluded_at,
            func.count().filter(assignment.c.state == "open").label("open"),
            func.count().filter(assignment.c.state == "submitted").label("judged"),
            func.max(assignment.c.created_at).label("given_at"),
            last_work.label("submitted_at"),
        )
        .select_from(annotator)
        .join(assignment, assignment.c.annotator_id == annotator.c.id)
        .join(item, item.c.id == assignment.c.item_id)
        .where(annotator.c.study_id == study_id, annotator.c.judge.is_(False), *takes)
        .group_by(annotator.c.id, annotator.c.name, annotator.c.state, annotator.c.left_at, annotator.c.excluded_at)
    )
    found = []
    by_rule = excluded_by_rule.people(connection, study_id)
    for row in rows:
        since = max(row.given_at, row.submitted_at or 0)
        is_out = row.excluded_at is not None or row.name in by_rule
        why = _why(is_out, row.left_at, row.state, now - since)
        judged = row.judged if why == "excluded" else 0
        if why is not None and row.open + judged:
            found.append(HeldPlaces(row.name, why, row.open, judged, since, now - since))
    return sorted(found, key=lambda each: (-each.open - each.judged, each.annotator))


def _why(is_excluded: bool, left_at: int | None, state: str, idle_ms: int) -> Why | None:
    if is_excluded:
        return "excluded"
    if left_at is not None:
        return "left"
    return "paused" if state == "paused" else "away" if idle_ms > DAY else None
