"""How the work of a study went, for its report: every gate of everybody, and what was begun and never submitted."""

from collections.abc import Iterator

from sqlalchemy import Connection, func, select

from assay.fieldwork import GateAttempts
from assay.store.annotator.assignments import AT_WORK
from assay.store.tables import annotator, assignment, draft, gate_attempt, gate_pass


def at_gates(connection: Connection, study_id: int) -> list[GateAttempts]:
    """Every gate that each annotator attempted or passed, in every version of it."""
    who = (annotator.c.name, annotator.c.id)
    people = annotator.c.study_id == study_id
    passed = {
        (row.name, row.gate, row.version): row
        for row in connection.execute(
            select(*who, gate_pass.c.gate, gate_pass.c.version, gate_pass.c.by, gate_pass.c.passed_at)
            .join(annotator, annotator.c.id == gate_pass.c.annotator_id)
            .where(people)
        )
    }
    columns = (gate_attempt.c.gate, gate_attempt.c.version, gate_attempt.c.number, gate_attempt.c.passed)
    last = {
        (row.name, row.gate, row.version): row
        for row in connection.execute(
            select(*who, *columns, gate_attempt.c.started_at)
            .join(annotator, annotator.c.id == gate_attempt.c.annotator_id)
            .where(people)
            .order_by(gate_attempt.c.number)
        )
    }
    return [
        GateAttempts(
            *key,
            attempts=last[key].number if key in last else 0,
            passed=key in passed,
            by=passed[key].by if key in passed else "",
            failed=key not in passed and key in last and last[key].passed is False,
            at=passed[key].passed_at if key in passed else last[key].started_at,
        )
        for key in sorted({*passed, *last})
    ]


def count_begun(connection: Connection, study_id: int) -> dict[str, int]:
    """How many items each annotator has begun to answer and never submitted."""
    unsent = (annotator.c.study_id == study_id, AT_WORK, assignment.c.state.in_(["open", "returned"]))
    rows: Iterator[tuple[str, int]] = (
        (row[0], row[1])
        for row in connection.execute(
            select(annotator.c.name, func.count())
            .join(assignment, assignment.c.annotator_id == annotator.c.id)
            .join(draft, draft.c.assignment_id == assignment.c.id)
            .where(*unsent)
            .group_by(annotator.c.name)
        )
    )
    return dict(rows)
