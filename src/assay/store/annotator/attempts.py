"""Tries at gates: what was answered, which items were drawn for them, how each went, and who waits for somebody.

What the agreed answers are is read only for items that the annotator has submitted.
"""

import json
import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, func, insert, select, update

from assay.assignment import lot
from assay.candidates import on_screen
from assay.errors import AssayError
from assay.gates import Gate
from assay.gates.practice import Practice
from assay.kinds import GATES
from assay.model import Passed, Slot, Value
from assay.store.annotator import people
from assay.store.annotator.assignments import LOCK, pass_gate
from assay.store.annotator.sides import swapped
from assay.store.coordinator import actions, studies
from assay.store.coordinator.items import to_json
from assay.store.tables import (
    annotator,
    assignment,
    gate_attempt,
    gate_pass,
    item,
    judgment,
    reference,
    study,
    submission,
)
from assay.study import Study


@dataclass(frozen=True, slots=True)
class Try:
    """One try at a gate."""

    id: int
    number: int
    started_at: int
    ended_at: int | None
    passed: bool | None
    seen: int
    """Of how many items the feedback has been looked at."""
    result: dict[str, Any]


TRY = (
    gate_attempt.c.id,
    gate_attempt.c.number,
    gate_attempt.c.started_at,
    gate_attempt.c.ended_at,
    gate_attempt.c.passed,
    gate_attempt.c.seen,
    gate_attempt.c.result,
)


def _try(row: Any) -> Try:
    id_, number, started_at, ended_at, passed, seen, result = row
    return Try(id_, number, started_at, ended_at, passed, seen, json.loads(result))


def tries(connection: Connection, annotator_id: int, gate: Gate) -> list[Try]:
    """Every try at a gate as it is now, in order."""
    mine = (
        gate_attempt.c.annotator_id == annotator_id,
        gate_attempt.c.gate == gate.kind,
        gate_attempt.c.version == gate.version,
    )
    return [_try(row) for row in connection.execute(select(*TRY).where(*mine).order_by(gate_attempt.c.number))]


def last_try(connection: Connection, annotator_id: int, gate: Gate) -> Try | None:
    """The newest try at a gate."""
    return next(reversed(tries(connection, annotator_id, gate)), None)


def lock(connection: Connection, annotator_id: int) -> None:
    """What two windows of one person do happens one after the other."""
    LOCK.row(connection, annotator=annotator_id)


def answer(
    connection: Connection, annotator_id: int, gate: Gate, number: int, passed: bool, kept: dict[str, str], now: int
) -> bool:
    """Keep a try that one form decides. False where it is not this one's turn: a form sent twice is one try."""
    lock(connection, annotator_id)
    before = last_try(connection, annotator_id, gate)
    if number != (before.number + 1 if before else 1) or (before and (before.passed or is_last(gate, before))):
        return False
    _insert(connection, annotator_id, gate, number, now, {"answers": kept} if kept else {}, passed)
    return True


def is_last(gate: Gate, last: Try) -> bool:
    """Whether there is no try after this one."""
    return gate.most_attempts is not None and last.number >= gate.most_attempts


def _insert(
    connection: Connection,
    annotator_id: int,
    gate: Gate,
    number: int,
    now: int,
    result: dict[str, Any],
    passed: bool | None = None,
) -> int:
    row = {
        "annotator_id": annotator_id,
        "gate": gate.kind,
        "version": gate.version,
        "number": number,
        "started_at": now,
        "ended_at": None if passed is None else now,
        "passed": passed,
        "result": to_json(result),
    }
    return int(connection.execute(insert(gate_attempt).values(row).returning(gate_attempt.c.id)).scalar_one())


def turn_away(
    connection: Connection, study_id: int, annotator_id: int, gate: Gate, number: int, kept: dict[str, str], now: int
) -> None:
    """Somebody cannot take part: that is all that is kept."""
    if answer(connection, annotator_id, gate, number, False, kept, now):
        people.leave(connection, study_id, annotator_id, now)


def turned_away(connection: Connection, annotator_id: int, gates: list[Gate]) -> Gate | None:
    """The gate, of those that are for good, at which somebody was turned away; one passed by leave is none."""
    for gate in gates:
        last = last_try(connection, annotator_id, gate) if gate.after_no == "out" else None
        if last is not None and last.passed is False and not _is_passed(connection, annotator_id, gate):
            return gate
    return None


def _is_passed(connection: Connection, annotator_id: int, gate: Gate) -> bool:
    passed = (
        gate_pass.c.annotator_id == annotator_id,
        gate_pass.c.gate == gate.kind,
        gate_pass.c.version == gate.version,
    )
    return connection.execute(select(gate_pass.c.gate).where(*passed)).first() is not None


# Items for practice


@dataclass(frozen=True, slots=True)
class Trying:
    """Somebody at a gate that is passed by judging items."""

    study_id: int
    annotator_id: int
    name: str
    study: Study
    gate: Practice
    now: int


def begin(connection: Connection, trying: Trying, number: int) -> Try:
    """Begin a try: so many items as the gate asks for, or as there are."""
    planned = min(trying.gate.items_in_attempt(number), len(_left(connection, trying, 0)))
    _insert(connection, trying.annotator_id, trying.gate, number, trying.now, {"planned": planned})
    begun = last_try(connection, trying.annotator_id, trying.gate)
    assert begun is not None
    return begun


def give(connection: Connection, trying: Trying, at: Try) -> bool:
    """Give out the next item of a try; False where there is none left."""
    left = _left(connection, trying, at.id)
    if not left:
        return False
    of_try = and_(assignment.c.annotator_id == trying.annotator_id, assignment.c.attempt == at.id)
    last = connection.execute(select(func.max(assignment.c.position)).where(of_try)).scalar()
    position = max(0, last or 0) + 1
    item_id, pair, passes = left[0]
    row = {
        "study_id": trying.study_id,
        "annotator_id": trying.annotator_id,
        "item_id": item_id,
        "pass": passes + 1,
        "position": position,
        "public_id": secrets.token_urlsafe(16),
        "submission_id": secrets.token_urlsafe(16),
        "created_at": trying.now,
        "attempt": at.id,
        "swapped": swapped(connection, trying.study, trying.annotator_id, trying.name, position, pair),
    }
    connection.execute(insert(assignment).values(row))
    return True


def _left(connection: Connection, trying: Trying, attempt: int) -> list[tuple[int, int, int]]:
    """The items that a try can still have: new ones by lot, then those seen longest ago. None that was declined.

    Each with its pair of systems and how often the person has had it.
    """
    mine = and_(assignment.c.item_id == item.c.id, assignment.c.annotator_id == trying.annotator_id)
    of_series = (item.c.study_id == trying.study_id, item.c.series == trying.gate.items)
    had = (assignment.c.id, assignment.c["pass"], assignment.c.attempt, assignment.c.state)
    pairs: dict[int, tuple[int, int]] = {}
    given: dict[int, list[Any]] = {}
    for row in connection.execute(
        select(item.c.id, item.c.lot, item.c.pair, *had).outerjoin(assignment, mine).where(*of_series)
    ):
        pairs[row[0]] = (row[1], row[2])
        given.setdefault(row[0], []).extend([row[3:]] if row[3] is not None else [])
    start = lot(trying.study.seed, trying.name, trying.gate.items)

    def rank(item_id: int) -> tuple[int, int]:
        return max((each[0] for each in given[item_id]), default=0), lot(start, str(pairs[item_id][0]))

    free = [each for each in pairs if not any(one[2] == attempt or one[3] == "declined" for one in given[each])]
    return [(each, pairs[each][1], max((one[1] for one in given[each]), default=0)) for each in sorted(free, key=rank)]


def make_room(connection: Connection, public_id: str) -> None:
    """A declined item gives its place in the try to another."""
    declined = (assignment.c.public_id == public_id, assignment.c.state == "declined", assignment.c.attempt != 0)
    connection.execute(update(assignment).where(*declined).values(position=-assignment.c.id))


@dataclass(frozen=True, slots=True)
class Judged:
    """An item of a try that was submitted, beside what was agreed on."""

    position: int
    shown: dict[str, Any]
    """As it stood on the screen."""
    swapped: bool | None
    own: dict[str, Value]
    reference: dict[str, Value]
    reason: str


def judged(connection: Connection, annotator_id: int, attempt: int) -> list[Judged]:
    """What was submitted in a try, in order."""
    rows = connection.execute(
        select(
            assignment.c.position,
            item.c.shown,
            submission.c.swapped,
            submission.c.id,
            reference.c.answers,
            reference.c.reason,
        )
        .select_from(submission)
        .join(assignment, assignment.c.id == submission.c.assignment_id)
        .join(item, item.c.id == submission.c.item_id)
        .outerjoin(reference, reference.c.item_id == item.c.id)
        .where(submission.c.annotator_id == annotator_id, assignment.c.attempt == attempt)
        .order_by(assignment.c.position)
    )
    return [
        Judged(
            position=row.position,
            shown=on_screen(json.loads(row.shown), row.swapped),
            swapped=row.swapped,
            own=values(connection, row.id),
            reference=json.loads(row.answers or "{}"),
            reason=row.reason or "",
        )
        for row in rows
    ]


def values(connection: Connection, submission_id: str) -> dict[str, Value]:
    """What a submission says, by form field with the candidate's role in the place of its side."""
    rows = connection.execute(select(judgment).where(judgment.c.submission_id == submission_id))
    return {Slot(row.dimension, row.side, row.entry).key: json.loads(row.value) for row in rows}


def see(connection: Connection, at: Try) -> None:
    """The feedback on one more item has been looked at."""
    connection.execute(update(gate_attempt).where(gate_attempt.c.id == at.id).values(seen=at.seen + 1))


def end(connection: Connection, at: Try, passed: bool, result: dict[str, Any], now: int) -> None:
    """A try is over: how it went is kept with it."""
    row = {"ended_at": now, "passed": passed, "result": to_json({**at.result, **result})}
    connection.execute(update(gate_attempt).where(gate_attempt.c.id == at.id).values(row))


# The coordinator's side


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody who cannot go on by themselves."""

    annotator: str
    gate: str
    version: str
    why: str
    """`failed`: there is no try left. `talk`: passed, and to be let on after a talk."""
    tries: list[Try]

    @property
    def attempts(self) -> int:
        """How many tries there were."""
        return len(self.tries)


def waiting(connection: Connection, study_id: int) -> list[Waiting]:
    """Everybody who is stuck at a gate of the version in force, in the order of their names."""
    hash_ = connection.execute(select(study.c.version).where(study.c.id == study_id)).scalar_one()
    in_force = studies.version(connection, study_id, hash_)
    assert in_force is not None
    of_study = (annotator.c.study_id == study_id,)
    left = set(
        connection.execute(select(annotator.c.name).where(*of_study, annotator.c.left_at.is_not(None))).scalars()
    )
    made: dict[tuple[str, str, str], list[Try]] = {}
    every = select(annotator.c.name, gate_attempt.c.gate, gate_attempt.c.version, *TRY).join(annotator)
    for row in connection.execute(every.where(*of_study).order_by(annotator.c.name, gate_attempt.c.number)):
        made.setdefault(row[:3], []).append(_try(row[3:]))
    passes = select(annotator.c.name, gate_pass.c.gate, gate_pass.c.version).join(annotator).where(*of_study)
    passed = {tuple(row) for row in connection.execute(passes)}
    gates = {(entry.gate.kind, entry.gate.version): entry.gate for entry in in_force.gates}
    return [
        Waiting(name, kind, version, why, found)
        for (name, kind, version), found in made.items()
        if (kind, version) in gates and (name, kind, version) not in passed
        if (why := _why(gates[kind, version], found[-1]))
        # Whoever was turned away has left as well; whoever left by their own will waits for nothing.
        if name not in left or gates[kind, version].after_no == "out"
    ]


def _why(gate: Gate, last: Try) -> str:
    if last.passed:
        return "talk" if getattr(gate, "talk", False) else ""
    return "failed" if last.passed is False and is_last(gate, last) else ""


def passed_by_hand(connection: Connection, study_id: int) -> list[Passed]:
    """Everybody whom a coordinator let pass a gate, with the reason."""
    columns = (annotator.c.name, gate_pass.c.gate, gate_pass.c.by, gate_pass.c.reason)
    by_hand = (annotator.c.study_id == study_id, gate_pass.c.by != "")
    rows = connection.execute(select(*columns).join(annotator).where(*by_hand).order_by(annotator.c.name))
    return [Passed(*row) for row in rows]


def not_passed(connection: Connection, study_id: int, name: str, gates: list[Gate]) -> list[Gate]:
    """Of some gates, those that somebody has not passed."""
    mine = actions.annotator_id(connection, study_id, name)
    return [gate for gate in gates if not _is_passed(connection, mine, gate)]


def pass_by_hand(
    connection: Connection, study_id: int, name: str, gate: str, version: str, by: str, reason: str, now: int
) -> None:
    """Somebody may go on because the coordinator says so. Who said it, and why, is kept."""
    if not by.strip() or not reason.strip():
        raise AssayError("a gate is passed by hand only with a reason", "say why, and who decided it")
    if not GATES[gate].by_hand:
        raise AssayError(f"nobody can pass {gate} for another", "only the person can read a text and agree to it")
    mine = actions.annotator_id(connection, study_id, name)
    pass_gate(connection, mine, gate, version, now, by=by.strip(), reason=reason.strip())
    actions.record(connection, actions.By(study_id, by.strip(), now, reason.strip()), "pass gate", mine, gate)
    turned = select(gate_attempt.c.id).where(
        gate_attempt.c.annotator_id == mine,
        gate_attempt.c.gate == gate,
        gate_attempt.c.version == version,
        gate_attempt.c.passed.is_(False),
        gate_attempt.c.ended_at == select(annotator.c.left_at).where(annotator.c.id == mine).scalar_subquery(),
    )
    # Whoever was turned away here is back; whoever left by their own will stays away.
    if connection.execute(turned).first() is not None:
        people.come_back(connection, study_id, mine)
