"""What a new version of a study affects: judgments under earlier versions, and people who passed earlier gates."""

from collections.abc import Mapping

from sqlalchemy import Connection, func, insert, literal, select

from assay.store.tables import annotator, gate_pass, judgment, submission


def judgments_by_version(connection: Connection, study_id: int) -> dict[tuple[str, str], int]:
    """How many judgments of each dimension were given under each version; practice is left out."""
    rows = connection.execute(
        select(submission.c.study_hash, judgment.c.dimension, func.count())
        .join(judgment, judgment.c.submission_id == submission.c.id)
        .where(submission.c.study_id == study_id, submission.c.source != "practice")
        .group_by(submission.c.study_hash, judgment.c.dimension)
    )
    return {(hash_, dimension): count for hash_, dimension, count in rows}


def passes_by_gate(connection: Connection, study_id: int) -> dict[tuple[str, str], int]:
    """How many people who still take part have passed each gate, by its kind and version."""
    rows = connection.execute(
        select(gate_pass.c.gate, gate_pass.c.version, func.count())
        .join(annotator, annotator.c.id == gate_pass.c.annotator_id)
        .where(annotator.c.study_id == study_id, annotator.c.left_at.is_(None), annotator.c.simulated.is_(False))
        .group_by(gate_pass.c.gate, gate_pass.c.version)
    )
    return {(gate, version): count for gate, version, count in rows}


def keep_passes(connection: Connection, study_id: int, gates: Mapping[tuple[str, str], str]) -> None:
    """Copy passes of gates to new versions of them; `gates` has the new version by kind and old version."""
    for (kind, old), new in gates.items():
        have = select(gate_pass.c.annotator_id).where(gate_pass.c.gate == kind, gate_pass.c.version == new)
        passed = (
            select(
                gate_pass.c.annotator_id,
                gate_pass.c.gate,
                literal(new),
                gate_pass.c.passed_at,
                gate_pass.c.by,
                gate_pass.c.reason,
            )
            .join(annotator, annotator.c.id == gate_pass.c.annotator_id)
            .where(
                annotator.c.study_id == study_id,
                gate_pass.c.gate == kind,
                gate_pass.c.version == old,
                gate_pass.c.annotator_id.not_in(have),
            )
        )
        columns = ["annotator_id", "gate", "version", "passed_at", "by", "reason"]
        connection.execute(insert(gate_pass).from_select(columns, passed))
