"""The work of one annotator: what was submitted when, every attempt at a gate, and the notes."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, func, select

from assay.model import IMPORTED, PRACTICE
from assay.store.annotator.attempts import COLUMNS, Attempt, attempt_of
from assay.store.coordinator.annotators import annotator_id
from assay.store.tables import gate_attempt, gate_pass, item, judgment, link, submission


@dataclass(frozen=True, slots=True)
class SubmittedItem:
    """One item that somebody submitted, as it stands now."""

    item: str
    at: int
    active_ms: int | None
    pass_: int
    revision: int
    surplus: bool
    from_file: bool


@dataclass(frozen=True, slots=True)
class GateOfAnnotator:
    """One gate in one version of it: the attempts, and whether it was passed."""

    gate: str
    version: str
    attempts: list[Attempt]
    passed_at: int | None = None
    by: str = ""
    """Who let the person pass; empty: passed in person, or not at all."""
    reason: str = ""
    since: int | None = None
    """When the gate before it was passed, or, of the first, the link was opened; None where work came in between."""

    @property
    def took_ms(self) -> int | None:
        """How long all attempts together took; of a gate that keeps none, the time since the gate before it."""
        ended = [each.ended_at - each.started_at for each in self.attempts if each.ended_at is not None]
        if ended or self.attempts:
            return sum(ended) if ended else None
        return None if self.since is None or self.passed_at is None else max(0, self.passed_at - self.since)


def submitted_items(connection: Connection, study_id: int, name: str) -> list[SubmittedItem]:
    """Every item that somebody submitted, the newest first; of what was changed, the last revision."""
    who = annotator_id(connection, study_id, name)
    rows = connection.execute(
        select(
            item.c.name,
            submission.c.submitted_at,
            submission.c.active_ms,
            submission.c["pass"].label("pass_"),
            submission.c.revision,
            submission.c.surplus,
            submission.c.source,
        )
        .join(item, item.c.id == submission.c.item_id)
        .where(submission.c.annotator_id == who, submission.c.source != PRACTICE)
        .order_by(submission.c.submitted_at.desc(), submission.c.revision.desc())
    )
    found: dict[tuple[str, int], SubmittedItem] = {}
    for row in rows:
        made = SubmittedItem(
            row.name,
            row.submitted_at,
            row.active_ms,
            row.pass_,
            row.revision,
            row.surplus,
            row.source == IMPORTED,
        )
        found.setdefault((row.name, row.pass_), made)
    return list(found.values())


def gates_of(connection: Connection, study_id: int, name: str) -> list[GateOfAnnotator]:
    """Every gate that somebody attempted or passed, in the order of time."""
    who = annotator_id(connection, study_id, name)
    made: dict[tuple[str, str], list[Attempt]] = {}
    attempts = select(gate_attempt.c.gate, gate_attempt.c.version, *COLUMNS).where(gate_attempt.c.annotator_id == who)
    for row in connection.execute(attempts.order_by(gate_attempt.c.started_at, gate_attempt.c.number)):
        made.setdefault((row[0], row[1]), []).append(attempt_of(row[2:]))
    passes = connection.execute(
        select(gate_pass).where(gate_pass.c.annotator_id == who).order_by(gate_pass.c.passed_at)
    )
    passed = {(row.gate, row.version): row for row in passes}
    found = [
        GateOfAnnotator(
            *key,
            attempts=made.get(key, []),
            passed_at=passed[key].passed_at if key in passed else None,
            by=passed[key].by if key in passed else "",
            reason=passed[key].reason if key in passed else "",
        )
        for key in dict.fromkeys([*passed, *made])
    ]
    found.sort(key=lambda each: each.attempts[0].started_at if each.attempts else each.passed_at or 0)
    return _with_times_before(connection, who, found)


def _with_times_before(connection: Connection, who: int, gates: Sequence[GateOfAnnotator]) -> list[GateOfAnnotator]:
    """The gates with the time at which each began, if known: when the gate before it was passed."""
    opened = connection.execute(select(func.min(link.c.opened_at)).where(link.c.annotator_id == who)).scalar()
    mine = (submission.c.annotator_id == who, submission.c.source.not_in((PRACTICE, IMPORTED)))
    worked = list(connection.execute(select(submission.c.submitted_at).where(*mine)).scalars())

    def is_next(since: int | None, at: int | None) -> bool:
        return since is not None and at is not None and not any(since < each < at for each in worked)

    before = [opened, *(each.passed_at for each in gates)]
    return [
        replace(each, since=since) if not each.by and is_next(since, each.passed_at) else each
        for each, since in zip(gates, before, strict=False)
    ]


def notes_of(connection: Connection, study_id: int, name: str, texts: Collection[str]) -> list[tuple[str, str, str]]:
    """What somebody wrote: the item, the dimension and the words, the newest first."""
    who = annotator_id(connection, study_id, name)
    rows = connection.execute(
        select(item.c.name, judgment.c.dimension, judgment.c.value)
        .join(submission, submission.c.id == judgment.c.submission_id)
        .join(item, item.c.id == submission.c.item_id)
        .where(submission.c.annotator_id == who, submission.c.source != PRACTICE, judgment.c.dimension.in_(list(texts)))
        .order_by(submission.c.submitted_at.desc(), submission.c.revision.desc())
    )
    found: dict[tuple[str, str], Any] = {}
    for name_, dimension, value in rows:
        found.setdefault((name_, dimension), json.loads(value))
    return [(*key, str(words)) for key, words in found.items() if words]
