"""Whose turn it is: which gate comes next, and whether an item may be judged now. The acts of annotators ask here."""

from sqlalchemy import Connection

from assay.errors import Closed, Conflict, NotYet
from assay.gates import Gate
from assay.store.annotator import assignments, attempts, pace_state
from assay.store.annotator.assignments import Assignment
from assay.store.annotator.care import enough_hard_items
from assay.store.annotator.sessions import Annotator
from assay.study import Study
from assay.words import Translatable

GRACE_MS = 60 * 60 * 1000
"""For how long after a study has closed, or somebody has left it, answers are still taken that were on their way."""


def next_gate(connection: Connection, annotator: Annotator, study: Study) -> Gate | None:
    """The first gate that this annotator has not passed in the version at hand."""
    if annotator.ready_for == study.hash:
        return None
    passed = assignments.passed_gates(connection, annotator.id)
    every = (entry.gate for entry in study.gates)
    return next((gate for gate in every if (gate.kind, gate.version) not in passed), None)


def may_judge(connection: Connection, annotator: Annotator, study: Study, assignment: Assignment) -> bool:
    """Whether it is this item's turn: work once every gate is passed, and before that only the attempt under way."""
    if annotator.left:
        return False
    gate = next_gate(connection, annotator, study)
    if gate is None or not assignment.attempt:
        return gate is None and not assignment.attempt
    last = attempts.last_attempt(connection, annotator.id, gate)
    return last is not None and last.id == assignment.attempt and last.ended_at is None


def assignment_in_turn(
    connection: Connection, annotator: Annotator, study: Study, public_id: str, now: int, *, was_submitted: bool = False
) -> Assignment:
    """An assignment whose answers can be taken now; refused where it is not its turn, or the study is closed.

    `was_submitted`: the answers were finished, and may have been on their way when somebody left.
    """
    gate = next_gate(connection, annotator, study)
    late = was_submitted and annotator.left_at is not None and now <= annotator.left_at + GRACE_MS
    if (annotator.left and not (late and gate is None)) or (gate is not None and not gate.has_items):
        raise NotYet(Translatable("errors.gates_first"))
    assignment = assignments.by_public_id(connection, annotator.id, public_id)
    if late and not assignment.attempt:
        return assignment
    if not may_judge(connection, annotator, study, assignment):
        if assignment.attempt and assignment.state != "open":
            # It is stored, and its attempt is over: nothing is left to do about it.
            declined = assignment.state == "declined"
            raise Conflict(Translatable("errors.declined") if declined else Translatable("errors.submitted"))
        raise NotYet(Translatable("errors.gates_first"))
    if annotator.state == "closed" and now > annotator.state_at + GRACE_MS:
        raise Closed(Translatable("errors.closed_before"))
    return assignment


def may_work(connection: Connection, annotator: Annotator, study: Study) -> bool:
    """Whether somebody may be given items of the work: the study is open, and every gate is passed."""
    return annotator.takes_part and next_gate(connection, annotator, study) is None


def state_of_work(connection: Connection, annotator: Annotator, study: Study, now: int) -> str:
    """Whether somebody may go on: `open`, or what the study is, `message`, or `enough` for this session or day."""
    if annotator.state == "open" and annotator.unread:
        return "message"
    return annotator.state if pace_state.limit(connection, annotator.id, study, now) is None else "enough"


def nothing_left(connection: Connection, annotator: Annotator, study: Study, now: int) -> str:
    """Why there is no item for somebody: `enough` hard ones for this day, or everything is `finished`."""
    more = assignments.count_submitted(connection, annotator.id) < annotator.items
    return "enough" if more and enough_hard_items(connection, annotator.id, study, now) else "finished"


def back_until(annotator: Annotator, study: Study) -> float:
    """The time since which submitted items may be opened again, by the study's `navigation`: 0 any, infinity none."""
    return {"free": 0, "session": annotator.since, "forward-only": float("inf")}[study.navigation]


def can_go_back_to(annotator: Annotator, study: Study, assignment: Assignment) -> bool:
    """Whether the study, or its coordinator, lets this annotator open and change an item that is submitted."""
    submitted = assignment.state == "submitted" and not assignment.attempt
    return submitted and (assignment.reopened or assignment.submitted_at >= back_until(annotator, study))
