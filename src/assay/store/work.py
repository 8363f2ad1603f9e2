"""The annotator's way into the store. It reads what is shown, and nothing in this module can reach what is hidden.

A test watches every statement that an annotator's request sends and finds the hidden table in none.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Connection,
    Insert,
    Table,
    bindparam,
    delete,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from assay.errors import Conflict, NotFound
from assay.judgments import Answers, derived_values
from assay.model import CANDIDATES, ROLES, SIDES, Slot
from assay.store.items import to_json
from assay.store.prepared import Prepared
from assay.store.tables import annotator, assignment, draft, gate_pass, item, judgment, picture, submission
from assay.study import Study

RawAnswers = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Task:
    """One item as the annotator's page needs it: an allow-list, field by field."""

    public_id: str
    position: int
    shown: dict[str, Any]
    answers: RawAnswers
    draft_version: int
    state: str
    swapped: bool | None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What is answered to a submission. A repeat gets the same one."""

    submission: str
    submitted_at: int


def _insert_once(table: Table) -> dict[str, Insert]:
    """INSERT that leaves a row alone which is there already, in the words of each database."""
    values: dict[str, Any] = {column.name: bindparam(column.name) for column in table.columns}
    return {
        "sqlite": sqlite.insert(table).values(values).on_conflict_do_nothing(),
        "postgresql": postgresql.insert(table).values(values).on_conflict_do_nothing(),
    }


MINE = assignment.c.annotator_id == bindparam("annotator")

PASSED = Prepared(
    select(gate_pass.c.gate, gate_pass.c.version).where(gate_pass.c.annotator_id == bindparam("annotator"))
)

_TASK = (
    select(
        assignment.c.public_id,
        assignment.c.position,
        item.c.shown,
        draft.c.answers,
        draft.c.version,
        assignment.c.state,
        assignment.c.swapped,
    )
    .join(item, item.c.id == assignment.c.item_id)
    .outerjoin(draft, draft.c.assignment_id == assignment.c.id)
)
# The state is written out, not bound: only so does the database see that its index of open assignments will do.
OPEN = assignment.c.state == literal_column("'open'")
OPEN_TASK = Prepared(_TASK.where(MINE, OPEN).order_by(assignment.c.position).limit(1))
NAMED_TASK = Prepared(_TASK.where(MINE, assignment.c.public_id == bindparam("public_id")))

OWN = Prepared(
    select(
        assignment.c.id,
        assignment.c.study_id,
        assignment.c.item_id,
        assignment.c["pass"],
        assignment.c.submission_id,
        assignment.c.state,
        assignment.c.created_at,
        assignment.c.swapped,
    ).where(MINE, assignment.c.public_id == bindparam("public_id"))
)


def passed_gates(connection: Connection, annotator_id: int) -> set[tuple[str, str]]:
    """Every gate passed, with its version."""
    return {(gate, version) for gate, version in PASSED.rows(connection, annotator=annotator_id)}


def pass_gate(connection: Connection, annotator_id: int, gate: str, version: str, now: int) -> None:
    """Record that a gate was passed; twice is once."""
    row = {"annotator_id": annotator_id, "gate": gate, "version": version, "passed_at": now}
    connection.execute(_insert_once(gate_pass)[connection.dialect.name], row)


def mark_ready(connection: Connection, annotator_id: int, version: str) -> None:
    """Remember that every gate of a study version is passed, so that it need not be asked again with each page."""
    connection.execute(update(annotator).where(annotator.c.id == annotator_id).values(ready_for=version))


def current_task(connection: Connection, annotator_id: int) -> Task | None:
    """The item that an annotator is at, with what was answered so far."""
    row = OPEN_TASK.row(connection, annotator=annotator_id)
    return None if row is None else _task(row)


def task(connection: Connection, annotator_id: int, public_id: str) -> Task:
    """One item of this annotator by its public id."""
    row = NAMED_TASK.row(connection, annotator=annotator_id, public_id=public_id)
    if row is None:
        raise NotFound("There is no such item for you.")
    return _task(row)


def _task(row: tuple[Any, ...]) -> Task:
    public_id, position, shown, answers, version, state, swapped = row
    given = json.loads(answers) if answers else {}
    content = on_screen(json.loads(shown), swapped)
    return Task(public_id, position, content, given, version or 0, state, swapped)


def on_screen(shown: dict[str, Any], swapped: bool | None) -> dict[str, Any]:
    """What an item shows, with its two candidates in the order in which this annotator sees them."""
    if swapped and CANDIDATES in shown:
        shown[CANDIDATES] = shown[CANDIDATES][::-1]
    return shown


def by_candidate(study: Study, answers: Answers, swapped: bool | None) -> Answers:
    """Answers about sides said of candidates instead: from here on it does not matter who stood where."""
    if swapped is None:
        return answers
    role = dict(zip(SIDES, ROLES[::-1] if swapped else ROLES, strict=True))
    points = {dimension.dimension for dimension in study.rubric if dimension.input.compares}
    return {
        Slot(slot.dimension, role.get(slot.side, ""), slot.entry): role.get(str(value), value)
        if slot.dimension in points
        else value
        for slot, value in answers.items()
    }


PICTURE = Prepared(
    select(picture.c.media_type, picture.c.content).where(
        picture.c.study_id == bindparam("study"), picture.c.hash == bindparam("hash_")
    )
)


def picture_of(connection: Connection, study_id: int, hash_: str) -> tuple[str, bytes] | None:
    """A picture of a study: its kind and its bytes."""
    row = PICTURE.row(connection, study=study_id, hash_=hash_)
    return None if row is None else (row[0], bytes(row[1]))


# The annotator's row is the lock: what two windows do at once happens one after the other.
LOCK = Prepared(select(annotator.c.id).where(annotator.c.id == bindparam("annotator")).with_for_update())

DRAFT_VERSION = Prepared(select(draft.c.version).where(draft.c.assignment_id == bindparam("assignment")))
NEW_DRAFT = Prepared(insert(draft).values({column.name: bindparam(column.name) for column in draft.columns}))
CHANGE_DRAFT = Prepared(
    update(draft)
    .where(draft.c.assignment_id == bindparam("assignment"))
    .values(answers=bindparam("new_answers"), version=bindparam("new_version"), saved_at=bindparam("now"))
)
DROP_DRAFT = Prepared(delete(draft).where(draft.c.assignment_id == bindparam("assignment")))


def save_draft(
    connection: Connection, annotator_id: int, public_id: str, answers: RawAnswers, version: int, now: int
) -> int:
    """Keep half-finished answers. A page that is behind another one is told so instead of overwriting it."""
    LOCK.row(connection, annotator=annotator_id)
    given = _own(connection, annotator_id, public_id)
    if given.state != "open":
        raise Conflict("This item is already submitted.")
    found = DRAFT_VERSION.row(connection, assignment=given.id)
    if found is None:
        NEW_DRAFT.run(connection, assignment_id=given.id, answers=to_json(answers), version=version + 1, saved_at=now)
    elif version < found[0]:
        raise Conflict("This item was changed in another window.")
    else:
        changed = {"new_answers": to_json(answers), "new_version": version + 1, "now": now}
        CHANGE_DRAFT.run(connection, assignment=given.id, **changed)
    return version + 1


@dataclass(frozen=True, slots=True)
class _Given:
    """An assignment, as far as writing needs it."""

    id: int
    study_id: int
    item_id: int
    pass_: int
    submission_id: str
    state: str
    created_at: int
    swapped: bool | None


def _own(connection: Connection, annotator_id: int, public_id: str) -> _Given:
    row = OWN.row(connection, annotator=annotator_id, public_id=public_id)
    if row is None:
        raise NotFound("There is no such item for you.")
    return _Given(*row)


def fingerprint(answers: Answers) -> str:
    """Tells whether two submissions under one id say the same."""
    said = sorted((slot.key, value) for slot, value in answers.items() if value is not None)
    return hashlib.sha256(to_json(said).encode()).hexdigest()


NEW_SUBMISSION = {name: Prepared(statement) for name, statement in _insert_once(submission).items()}
NEW_JUDGMENT = Prepared(insert(judgment).values({column.name: bindparam(column.name) for column in judgment.columns}))
SET_STATE = Prepared(
    update(assignment).where(assignment.c.id == bindparam("assignment")).values(state=bindparam("new_state"))
)
EARLIER = Prepared(
    select(submission.c.fingerprint, submission.c.submitted_at).where(submission.c.id == bindparam("submission"))
)


def submit(
    connection: Connection,
    annotator_id: int,
    public_id: str,
    study: Study,
    answers: Answers,
    *,
    shown_at: int | None,
    active_ms: int | None,
    now: int,
) -> Receipt:
    """Store a submission with its judgments, once. Called again with the same answers it answers the same."""
    given = _own(connection, annotator_id, public_id)
    if given.state == "declined":
        raise Conflict("You chose not to judge this item; somebody else will.")
    print_ = fingerprint(answers)
    new = NEW_SUBMISSION[connection.dialect.name].run(
        connection,
        **{
            "id": given.submission_id,
            "study_id": given.study_id,
            "assignment_id": given.id,
            "annotator_id": annotator_id,
            "item_id": given.item_id,
            "pass": given.pass_,
            "revision": 1,
            "study_hash": study.hash,
            "consent": study.consent,
            "fingerprint": print_,
            "shown_at": min(max(shown_at or 0, given.created_at), now),
            "submitted_at": now,
            "active_ms": active_ms,
            "swapped": given.swapped,
            "source": "work",
        },
    )
    if new != 1:
        return _earlier(connection, given.submission_id, print_)
    store_judgments(connection, given.submission_id, study, answers, given.swapped)
    SET_STATE.run(connection, assignment=given.id, new_state="submitted")
    DROP_DRAFT.run(connection, assignment=given.id)
    return Receipt(given.submission_id, now)


def store_judgments(
    connection: Connection, submission_id: str, study: Study, answers: Answers, swapped: bool | None
) -> None:
    """What a submission says, and what follows from it by the study's formulas, candidate by candidate."""
    said = by_candidate(study, {**answers, **derived_values(study, answers)}, swapped)
    rows = [
        {
            "submission_id": submission_id,
            "dimension": slot.dimension,
            "side": slot.side,
            "entry": slot.entry,
            "value": to_json(value),
        }
        for slot, value in said.items()
        if value is not None
    ]
    NEW_JUDGMENT.run_many(connection, rows)


def _earlier(connection: Connection, submission_id: str, print_: str) -> Receipt:
    stored_print, submitted_at = EARLIER.row(connection, submission=submission_id)
    if stored_print != print_:
        raise Conflict("This item was already submitted with other answers. The first submission counts.")
    return Receipt(submission_id, submitted_at)


def decline(connection: Connection, annotator_id: int, public_id: str) -> None:
    """Somebody would rather not judge this item: no answer, no penalty, and the place is free for another."""
    LOCK.row(connection, annotator=annotator_id)
    given = _own(connection, annotator_id, public_id)
    if given.state == "submitted":
        raise Conflict("This item is already submitted.")
    if given.state == "open":
        SET_STATE.run(connection, assignment=given.id, new_state="declined")
        connection.execute(update(item).where(item.c.id == given.item_id).values(taken=item.c.taken - 1))
        DROP_DRAFT.run(connection, assignment=given.id)
