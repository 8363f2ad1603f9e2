"""Letting somebody pass a gate."""

from sqlalchemy import Connection

from assay.acts.reasons import need_reason
from assay.errors import AssayError
from assay.store.annotator import assignments, attempts
from assay.store.annotator.participation import come_back
from assay.store.coordinator.annotators import annotator_id
from assay.store.coordinator.record import By, record
from assay.study import Study


def pass_gate_by_hand(connection: Connection, by: By, study: Study, name: str, kind: str) -> None:
    """Somebody may go on because the coordinator says so: at the first gate of a kind that they have not passed."""
    of_kind = [entry.gate for entry in study.gates if entry.gate.kind == kind]
    if not of_kind:
        kinds = ", ".join(dict.fromkeys(entry.gate.kind for entry in study.gates)) or "none"
        raise AssayError(f"the study has no gate {kind!r}", f"its gates: {kinds}")
    need_reason(by, "to pass a gate for somebody", "say why, and who decided it")
    whose = annotator_id(connection, by.study_id, name)
    gate = next((each for each in of_kind if not attempts.is_passed(connection, whose, each)), None)
    if gate is None:
        raise AssayError(f"{name} has passed {kind} already", "nothing is left to do")
    if not gate.by_hand:
        raise AssayError(f"nobody can pass {kind} for another", "only the person can read a text and agree to it")
    assignments.pass_gate(connection, whose, gate.kind, gate.version, by.at, by=by.who, reason=by.reason.strip())
    record(connection, by, "pass gate", whose, kind)
    # Whoever was turned away here is back; whoever left by their own will stays away.
    if attempts.has_left_by_failing(connection, whose, gate):
        come_back(connection, by.study_id, whose)
