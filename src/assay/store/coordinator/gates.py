"""Gates as a coordinator sees them: who waits for somebody, and who was let pass by hand."""

from dataclasses import dataclass

from sqlalchemy import Connection, select

from assay.gates import Gate
from assay.model import Passed
from assay.store.annotator.attempts import COLUMNS, Attempt, attempt_of, is_last
from assay.store.annotator.versions import version_in_force
from assay.store.engine.text_order import by_code
from assay.store.tables import annotator, arrival, gate_attempt, gate_pass


@dataclass(frozen=True, slots=True)
class WaitingAnnotator:
    """Somebody who cannot go on by themselves."""

    annotator: str
    gate: str
    version: str
    why: str
    """`failed`: there is no attempt left. `talk`: passed, and to be let on after a talk."""
    attempts: list[Attempt]


def waiting_annotators(connection: Connection, study_id: int) -> list[WaitingAnnotator]:
    """Everybody who is stuck at a gate of the version in force and has not gone back to a panel, by their names."""
    gone = select(annotator.c.name).join(arrival).where(arrival.c.study_id == study_id, arrival.c.outcome != "")
    sent_back = set(connection.execute(gone).scalars())
    return [each for each in stuck(connection, study_id) if each.annotator not in sent_back]


def stuck(connection: Connection, study_id: int) -> list[WaitingAnnotator]:
    """Everybody who cannot go on from a gate of the version in force, in the order of their names."""
    in_force = version_in_force(connection, study_id)
    of_study = (annotator.c.study_id == study_id,)
    left = set(
        connection.execute(select(annotator.c.name).where(*of_study, annotator.c.left_at.is_not(None))).scalars()
    )
    made: dict[tuple[str, str, str], list[Attempt]] = {}
    every = select(annotator.c.name, gate_attempt.c.gate, gate_attempt.c.version, *COLUMNS).join(annotator)
    for row in connection.execute(every.where(*of_study).order_by(by_code(annotator.c.name), gate_attempt.c.number)):
        made.setdefault(row[:3], []).append(attempt_of(row[3:]))
    passes = select(annotator.c.name, gate_pass.c.gate, gate_pass.c.version).join(annotator).where(*of_study)
    passed = {tuple(row) for row in connection.execute(passes)}
    gates = {(entry.gate.kind, entry.gate.version): entry.gate for entry in in_force.gates}
    return [
        WaitingAnnotator(name, kind, version, why, found)
        for (name, kind, version), found in made.items()
        if (kind, version) in gates and (name, kind, version) not in passed
        if (why := _why(gates[kind, version], found[-1]))
        # Whoever was turned away has left as well; whoever left by their own will waits for nothing.
        if name not in left or gates[kind, version].after_no == "out"
    ]


def _why(gate: Gate, last: Attempt) -> str:
    if last.passed:
        return "talk" if gate.waits_for_talk else ""
    return "failed" if last.passed is False and is_last(gate, last) else ""


def passes_by_hand(connection: Connection, study_id: int) -> list[Passed]:
    """Everybody whom a coordinator let pass a gate, with the reason."""
    columns = (annotator.c.name, gate_pass.c.gate, gate_pass.c.by, gate_pass.c.reason)
    by_hand = (annotator.c.study_id == study_id, gate_pass.c.by != "")
    rows = connection.execute(
        select(*columns).join(annotator).where(*by_hand).order_by(by_code(annotator.c.name), gate_pass.c.gate)
    )
    return [Passed(*row) for row in rows]
