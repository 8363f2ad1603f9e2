"""The annotator's way into the store. It reads what is shown, and nothing in this module can reach what is hidden.

A test watches every statement that an annotator's request sends and finds the hidden table in none.
"""

import hashlib
import json
import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Connection,
    Insert,
    Table,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from assay.assignment import Candidate, Order, lot
from assay.errors import Conflict, NotFound
from assay.judgments import Answers
from assay.store.items import to_json
from assay.store.prepared import Prepared
from assay.store.tables import annotator, assignment, draft, gate_pass, item, judgment, submission
from assay.study import Study

WINDOW = 16
"""How many items are looked at when one is given out."""

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
    )
    .join(item, item.c.id == assignment.c.item_id)
    .outerjoin(draft, draft.c.assignment_id == assignment.c.id)
)
# The state is written out, not bound: only so does the database see that its index of open assignments will do.
_OPEN = assignment.c.state == literal_column("'open'")
OPEN_TASK = Prepared(_TASK.where(MINE, _OPEN).order_by(assignment.c.position).limit(1))
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
    public_id, position, shown, answers, version, state = row
    return Task(public_id, position, json.loads(shown), json.loads(answers) if answers else {}, version or 0, state)


# Giving out items. The annotator's row is the lock: two tabs that ask at once get the same item.
LOCK = Prepared(select(annotator.c.id).where(annotator.c.id == bindparam("annotator")).with_for_update())
HAS_OPEN = Prepared(select(assignment.c.id).where(MINE, _OPEN).limit(1))
LAST_POSITION = Prepared(select(func.max(assignment.c.position)).where(MINE))
_NOT_MINE = ~exists().where(assignment.c.item_id == item.c.id, MINE)
_FREE = (
    select(item.c.id, item.c.lot, item.c.taken).where(item.c.study_id == bindparam("study"), _NOT_MINE).limit(WINDOW)
)
# Among the least judged items, onwards from a place drawn by lot, then from the beginning.
FREE_AFTER = Prepared(
    _FREE.where(item.c.taken == bindparam("level"), item.c.lot >= bindparam("start")).order_by(item.c.lot, item.c.id)
)
FREE_BEFORE = Prepared(
    _FREE.where(item.c.taken == bindparam("level"), item.c.lot < bindparam("start")).order_by(item.c.lot, item.c.id)
)
FREE_IN_ORDER = Prepared(_FREE.where(item.c.taken < bindparam("most")).order_by(item.c.id))
LOWEST_LEVEL = Prepared(select(func.min(item.c.taken)).where(item.c.study_id == bindparam("study")))
TAKE = Prepared(
    update(item).where(item.c.id == bindparam("item"), item.c.taken < bindparam("most")).values(taken=item.c.taken + 1)
)
GIVE = Prepared(
    insert(assignment).values(
        study_id=bindparam("study_id"),
        annotator_id=bindparam("annotator_id"),
        item_id=bindparam("item_id"),
        position=bindparam("position"),
        public_id=bindparam("public_id"),
        submission_id=bindparam("submission_id"),
        created_at=bindparam("created_at"),
    )
)


def claim(
    connection: Connection, study_id: int, annotator_id: int, name: str, study: Study, order: Order, now: int
) -> None:
    """Give an annotator the next item, unless one is open or none is left: one that fewer than k people have."""
    LOCK.row(connection, annotator=annotator_id)
    if HAS_OPEN.row(connection, annotator=annotator_id) is not None:
        return
    position = (LAST_POSITION.row(connection, annotator=annotator_id)[0] or 0) + 1
    most = study.assignment.per_item
    start = lot(study.seed, name, str(position))
    for candidate in _candidates(connection, study_id, annotator_id, most, start, order):
        if TAKE.run(connection, item=candidate.item, most=most) == 1:
            GIVE.run(
                connection,
                study_id=study_id,
                annotator_id=annotator_id,
                item_id=candidate.item,
                position=position,
                public_id=secrets.token_urlsafe(16),
                submission_id=secrets.token_urlsafe(16),
                created_at=now,
            )
            return


def _candidates(
    connection: Connection, study_id: int, annotator_id: int, most: int, start: int, order: Order
) -> list[Candidate]:
    """Some items that this annotator could be given, best first."""
    who = {"study": study_id, "annotator": annotator_id}
    if not order.balanced:
        return order.rank([Candidate(*row) for row in FREE_IN_ORDER.rows(connection, **who, most=most)], start)
    lowest = LOWEST_LEVEL.row(connection, study=study_id)[0]
    for level in range(most if lowest is None else lowest, most):
        rows = FREE_AFTER.rows(connection, **who, level=level, start=start)
        if len(rows) < WINDOW:
            rows += FREE_BEFORE.rows(connection, **who, level=level, start=start)
        if rows:
            return order.rank([Candidate(*row) for row in rows], start)
    return []


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
        },
    )
    if new != 1:
        return _earlier(connection, given.submission_id, print_)
    NEW_JUDGMENT.run_many(
        connection,
        [
            {
                "submission_id": given.submission_id,
                "dimension": slot.dimension,
                "side": slot.side,
                "entry": slot.entry,
                "value": to_json(value),
            }
            for slot, value in answers.items()
            if value is not None
        ],
    )
    SET_STATE.run(connection, assignment=given.id, new_state="submitted")
    DROP_DRAFT.run(connection, assignment=given.id)
    return Receipt(given.submission_id, now)


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
