"""Attempts at gates: what was answered, which items were drawn for them, how each went, and who waits for somebody.

Agreed answers are read only for items that the annotator has submitted.
"""

import json
import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, func, insert, select, update

from assay.assignment import lot
from assay.gates import Gate
from assay.model import Slot, Value
from assay.sides_and_candidates import on_screen
from assay.store.annotator.annotator_counts import NOTHING_YET, keep_had, read_had
from assay.store.annotator.assignments import lock_annotator
from assay.store.annotator.draw_sides import draw_swapped
from assay.store.annotator.sessions import Annotator
from assay.store.engine.json_text import to_json
from assay.store.tables import (
    annotator,
    assignment,
    gate_attempt,
    gate_pass,
    is_in_study,
    item,
    judgment,
    reference,
    submission,
)
from assay.study import Study


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a gate."""

    id: int
    number: int
    started_at: int
    ended_at: int | None
    passed: bool | None
    seen: int
    """Of how many items the feedback has been looked at."""
    result: dict[str, Any]


COLUMNS = (
    gate_attempt.c.id,
    gate_attempt.c.number,
    gate_attempt.c.started_at,
    gate_attempt.c.ended_at,
    gate_attempt.c.passed,
    gate_attempt.c.seen,
    gate_attempt.c.result,
)


def attempt_of(row: Any) -> Attempt:
    """An attempt from the values of `COLUMNS`."""
    id_, number, started_at, ended_at, passed, seen, result = row
    return Attempt(id_, number, started_at, ended_at, passed, seen, json.loads(result))


def attempts_at(connection: Connection, annotator_id: int, gate: Gate) -> list[Attempt]:
    """Every attempt at a gate as it is now, in order."""
    mine = (
        gate_attempt.c.annotator_id == annotator_id,
        gate_attempt.c.gate == gate.kind,
        gate_attempt.c.version == gate.version,
    )
    return [
        attempt_of(row) for row in connection.execute(select(*COLUMNS).where(*mine).order_by(gate_attempt.c.number))
    ]


def last_attempt(connection: Connection, annotator_id: int, gate: Gate) -> Attempt | None:
    """The newest attempt at a gate."""
    return next(reversed(attempts_at(connection, annotator_id, gate)), None)


def lock(connection: Connection, annotator_id: int) -> None:
    """Lock the annotator's row, so that requests of two windows run one after the other."""
    lock_annotator(connection, annotator_id)


def answer(
    connection: Connection, annotator_id: int, gate: Gate, number: int, passed: bool, kept: dict[str, str], now: int
) -> bool:
    """Store an attempt that one form decides. False where its number is not the next: a form sent twice counts once."""
    lock(connection, annotator_id)
    before = last_attempt(connection, annotator_id, gate)
    if number != (before.number + 1 if before else 1) or (before and (before.passed or is_last(gate, before))):
        return False
    _insert(connection, annotator_id, gate, number, now, {"answers": kept} if kept else {}, passed)
    return True


def keep(connection: Connection, annotator_id: int, gate: Gate, kept: dict[str, str], now: int) -> dict[str, str]:
    """Store the answers of one form in an attempt that takes several; returns all of its answers so far."""
    lock(connection, annotator_id)
    before = last_attempt(connection, annotator_id, gate)
    if before is None:
        _insert(connection, annotator_id, gate, 1, now, {"answers": kept})
        return kept
    answers: dict[str, str] = {**before.result.get("answers", {}), **kept}
    if before.ended_at is None:
        result = to_json({**before.result, "answers": answers})
        connection.execute(update(gate_attempt).where(gate_attempt.c.id == before.id).values(result=result))
    return answers


def end_what_is_open(connection: Connection, annotator_id: int, gate: Gate, now: int) -> None:
    """End an open attempt of several forms as passed, if there is one."""
    before = last_attempt(connection, annotator_id, gate)
    if before is not None and before.ended_at is None:
        end(connection, before, True, {}, now)


def is_last(gate: Gate, last: Attempt) -> bool:
    """Whether there is no attempt after this one."""
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


def gate_of_refusal(connection: Connection, annotator_id: int, gates: list[Gate]) -> Gate | None:
    """The gate that turned somebody away for good, unless a coordinator has let them pass it since."""
    for gate in gates:
        last = last_attempt(connection, annotator_id, gate) if gate.after_no == "out" else None
        if last is not None and last.passed is False and not is_passed(connection, annotator_id, gate):
            return gate
    return None


def is_passed(connection: Connection, annotator_id: int, gate: Gate) -> bool:
    """Whether somebody has passed a gate as it is now."""
    passed = (
        gate_pass.c.annotator_id == annotator_id,
        gate_pass.c.gate == gate.kind,
        gate_pass.c.version == gate.version,
    )
    return connection.execute(select(gate_pass.c.gate).where(*passed)).first() is not None


# Items for practice


def begin(connection: Connection, who: Annotator, study: Study, gate: Gate, number: int, now: int) -> None:
    """Begin an attempt, with as many items as the gate asks for, or as there are."""
    planned = min(gate.items_in_attempt(number), len(_items_left(connection, who, study, gate, 0)))
    _insert(connection, who.id, gate, number, now, {"planned": planned})


def give(connection: Connection, who: Annotator, study: Study, gate: Gate, at: Attempt, now: int) -> bool:
    """Give out the next item of an attempt; False where there is none left."""
    left = _items_left(connection, who, study, gate, at.id)
    if not left:
        return False
    of_attempt = and_(assignment.c.annotator_id == who.id, assignment.c.attempt == at.id)
    last = connection.execute(select(func.max(assignment.c.position)).where(of_attempt)).scalar()
    position = max(0, last or 0) + 1
    item_id, pair, passes = left[0]
    had = read_had(connection, who.id) if study.items.candidates is not None else NOTHING_YET
    lean = had.leans.get(str(pair), 0)
    swapped = draw_swapped(connection, study, who.id, who.name, position, lean, at.id)
    row = {
        "study_id": who.study_id,
        "annotator_id": who.id,
        "item_id": item_id,
        "pass": passes + 1,
        "position": position,
        "public_id": secrets.token_urlsafe(16),
        "submission_id": secrets.token_urlsafe(16),
        "created_at": now,
        "attempt": at.id,
        "swapped": swapped,
    }
    connection.execute(insert(assignment).values(row))
    if swapped is not None:
        keep_had(connection, who.id, had.with_sides(pair, swapped))
    return True


def _items_left(
    connection: Connection, who: Annotator, study: Study, gate: Gate, attempt: int
) -> list[tuple[int, int, int]]:
    """The items that an attempt can still get: new ones by lot, then those seen longest ago, without declined ones.

    Each comes with its pair of systems and how often the annotator has had it.
    """
    mine = and_(assignment.c.item_id == item.c.id, assignment.c.annotator_id == who.id)
    of_series = (is_in_study(who.study_id), item.c.series == gate.item_file)
    had = (assignment.c.id, assignment.c["pass"], assignment.c.attempt, assignment.c.state)
    pairs: dict[int, tuple[int, int]] = {}
    given: dict[int, list[Any]] = {}
    for row in connection.execute(
        select(item.c.id, item.c.lot, item.c.pair, *had).outerjoin(assignment, mine).where(*of_series)
    ):
        pairs[row[0]] = (row[1], row[2])
        given.setdefault(row[0], []).extend([row[3:]] if row[3] is not None else [])
    start = lot(study.seed, who.name, gate.item_file)

    def rank(item_id: int) -> tuple[int, int]:
        return max((each[0] for each in given[item_id]), default=0), lot(start, str(pairs[item_id][0]))

    free = [each for each in pairs if not any(one[2] == attempt or one[3] == "declined" for one in given[each])]
    return [(each, pairs[each][1], max((one[1] for one in given[each]), default=0)) for each in sorted(free, key=rank)]


def make_room(connection: Connection, public_id: str) -> None:
    """Move a declined item out of its position in the attempt, so that another can take it."""
    declined = (assignment.c.public_id == public_id, assignment.c.state == "declined", assignment.c.attempt != 0)
    connection.execute(update(assignment).where(*declined).values(position=-assignment.c.id))


@dataclass(frozen=True, slots=True)
class ComparedItem:
    """A submitted item of an attempt, with its reference."""

    position: int
    shown: dict[str, Any]
    """As it stood on the screen."""
    swapped: bool | None
    own: dict[str, Value]
    reference: dict[str, Value]
    reason: str


def compared_items(connection: Connection, annotator_id: int, attempt: int) -> list[ComparedItem]:
    """The submitted items of an attempt, in order."""
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
        ComparedItem(
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
    """The values of a submission by form field, with the candidate's role in place of its side."""
    rows = connection.execute(select(judgment).where(judgment.c.submission_id == submission_id))
    return {Slot(row.dimension, row.side, row.entry).key: json.loads(row.value) for row in rows}


def see(connection: Connection, at: Attempt) -> None:
    """Count one more item whose feedback was looked at."""
    connection.execute(update(gate_attempt).where(gate_attempt.c.id == at.id).values(seen=at.seen + 1))


def end(connection: Connection, at: Attempt, passed: bool, result: dict[str, Any], now: int) -> None:
    """End an attempt and store its result."""
    row = {"ended_at": now, "passed": passed, "result": to_json({**at.result, **result})}
    connection.execute(update(gate_attempt).where(gate_attempt.c.id == at.id).values(row))


def has_left_by_failing(connection: Connection, annotator_id: int, gate: Gate) -> bool:
    """Whether somebody left because this gate turned them away, and not by their own choice."""
    turned_away = select(gate_attempt.c.id).where(
        gate_attempt.c.annotator_id == annotator_id,
        gate_attempt.c.gate == gate.kind,
        gate_attempt.c.version == gate.version,
        gate_attempt.c.passed.is_(False),
        gate_attempt.c.ended_at == select(annotator.c.left_at).where(annotator.c.id == annotator_id).scalar_subquery(),
    )
    return connection.execute(turned_away).first() is not None
