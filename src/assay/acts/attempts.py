"""Attempts at gates: a form that is decided at once, or items that are judged and compared with what was agreed on."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from assay.acts.attempt_result import decide_attempt
from assay.acts.participation import leave
from assay.gates import Gate
from assay.store.annotator import assignments, attempts, participation
from assay.store.annotator.assignments import Assignment
from assay.store.annotator.attempts import Attempt, ComparedItem
from assay.store.annotator.sessions import Annotator
from assay.study import Study

# A gate that one form decides


def answer_gate(
    connection: Connection, annotator: Annotator, gate: Gate, form: Mapping[str, str], number: int, now: int
) -> bool:
    """Process a gate's form: the gate decides, or the answers that do not suffice yet are kept as a partial form.

    `number` is the attempt that the form is about. Returns False where there was nothing to decide and nothing to keep.
    """
    decision = gate.decide(form)
    if decision is None and (kept := gate.kept_meanwhile(form)):
        decision = gate.decide(attempts.keep(connection, annotator.id, gate, kept, now))
        if decision is None:
            return True
    if gate.after_no == "again" and _go_on_after_gate(connection, annotator, gate, number, now):
        return True
    if decision is None:
        return False
    _follow_decision(connection, annotator, gate, number, decision, gate.answers_to_store(form), now)
    return True


def _follow_decision(
    connection: Connection, annotator: Annotator, gate: Gate, number: int, passed: bool, kept: dict[str, str], now: int
) -> None:
    """Apply a gate's decision: the gate is passed, the person leaves or is turned away, or the attempt is stored."""
    if gate.after_no == "leave" and not passed:
        leave(connection, annotator, now)
    elif gate.after_no == "out" and not passed:
        # Somebody cannot take part: that is all that is kept.
        if attempts.answer(connection, annotator.id, gate, number, False, kept, now):
            participation.leave(connection, annotator.study_id, annotator.id, now)
    elif gate.after_no == "again":
        # The answers are explained first; whoever has seen that goes on.
        attempts.answer(connection, annotator.id, gate, number, passed, kept, now)
    elif gate.after_no == "leave" or attempts.answer(connection, annotator.id, gate, number, True, kept, now):
        attempts.end_what_is_open(connection, annotator.id, gate, now)
        pass_gate(connection, annotator, gate, now)


def _go_on_after_gate(connection: Connection, annotator: Annotator, gate: Gate, number: int, now: int) -> bool:
    """Let on whoever has passed and read the explanations. True also for an outdated form, which is ignored."""
    last = attempts.last_attempt(connection, annotator.id, gate)
    if last is None:
        return False
    stale = number != last.number + 1
    if last.passed and not stale:
        pass_gate(connection, annotator, gate, now)
    return stale or bool(last.passed)


def pass_gate(connection: Connection, annotator: Annotator, gate: Gate, now: int) -> None:
    """Somebody has passed a gate in person."""
    assignments.pass_gate(connection, annotator.id, gate.kind, gate.version, now)


# A gate with items


@dataclass(frozen=True)
class AttemptState:
    """Where somebody is in a gate with items."""

    last: Attempt | None
    judged: list[ComparedItem]
    assignment: Assignment | None

    @property
    def owes_a_look(self) -> bool:
        """Whether there is feedback that has not been looked at."""
        return self.last is not None and len(self.judged) > self.last.seen


def attempt_state(connection: Connection, annotator: Annotator, gate: Gate) -> AttemptState:
    """Where somebody is in a gate with items."""
    last = attempts.last_attempt(connection, annotator.id, gate)
    if last is None:
        return AttemptState(None, [], None)
    judged = attempts.compared_items(connection, annotator.id, last.id)
    return AttemptState(last, judged, assignments.of_attempt(connection, annotator.id, last.id))


def press_on(
    connection: Connection,
    annotator: Annotator,
    study: Study,
    gate: Gate,
    number: int | None,
    seen: int | None,
    read: Collection[int],
    now: int,
) -> bool:
    """What the button of a gate with items does: begin, see the next item, try again, go on.

    The form says which attempt (`number`) and how many looks at feedback (`seen`) it is about, so that a form that is
    sent twice does nothing the second time. `read` are the numbers of the parts of the guidelines that were confirmed
    as read; False where one is missing.
    """
    attempts.lock(connection, annotator.id)
    at = attempt_state(connection, annotator, gate)
    last = at.last
    if last is None:
        if number == 1:
            _begin(connection, annotator, study, gate, 1, now)
    elif last.ended_at is None:
        if at.owes_a_look and (number, seen) == (last.number, last.seen + 1):
            attempts.see(connection, last)
            continue_attempt(connection, annotator, study, gate, now)
    elif last.passed:
        if number == last.number and not gate.waits_for_talk:
            pass_gate(connection, annotator, gate, now)
    elif number == last.number + 1 and not attempts.is_last(gate, last):
        if not set(range(len(dimensions_to_read(last)))) <= set(read):
            return False
        _begin(connection, annotator, study, gate, number, now)
    return True


def dimensions_to_read(last: Attempt) -> list[str]:
    """The dimensions that were not passed: before the next attempt the guidelines say more about them."""
    return [each["dimension"] for each in last.result.get("dimensions", []) if each["passed"] is False]


def _begin(connection: Connection, annotator: Annotator, study: Study, gate: Gate, number: int, now: int) -> None:
    attempts.begin(connection, annotator, study, gate, number, now)
    continue_attempt(connection, annotator, study, gate, now)


def continue_attempt(connection: Connection, annotator: Annotator, study: Study, gate: Gate, now: int) -> None:
    """Give out the next item of the attempt under way, or end it where there is none."""
    attempts.lock(connection, annotator.id)
    at = attempt_state(connection, annotator, gate)
    last = at.last
    if last is None or last.ended_at is not None or at.assignment is not None or at.owes_a_look:
        return
    planned = int(last.result["planned"])
    if len(at.judged) < planned and attempts.give(connection, annotator, study, gate, last, now):
        return
    passed, result = decide_attempt(study, gate, at.judged, planned)
    attempts.end(connection, last, passed, result, now)
