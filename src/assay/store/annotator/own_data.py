"""Everything that is stored about one person, as they may see it: sides, not systems. Cannot reach what is hidden."""

import json
from typing import Any

from sqlalchemy import Connection, Table, select

from assay.model import Slot
from assay.sides_and_candidates import by_side
from assay.store.annotator.names import both_names
from assay.store.annotator.person_answers import person_answers_of
from assay.store.annotator.versions import versions
from assay.store.tables import (
    annotator,
    arrival,
    assignment,
    break_,
    check_in,
    draft,
    gate_attempt,
    gate_pass,
    judgment,
    message,
    problem,
    session,
    submission,
)
from assay.store.tables import link as link_table

ANSWER_COLUMNS = ("item", "submitted_at", "active_seconds", "question", "value")


def own_data(connection: Connection, annotator_id: int) -> dict[str, Any]:
    """All of it, ready for JSON. Items are called by their number, as the person's page calls them."""
    who = connection.execute(select(annotator).where(annotator.c.id == annotator_id)).one()
    return {
        "name": who.name,
        "called": both_names(connection, annotator_id)[1],
        "since": who.created_at,
        "state": "left" if who.left_at is not None else who.state,
        "left_at": who.left_at,
        "left_out_of_the_report_since": who.excluded_at,
        "panel": _rows(connection, arrival, annotator_id, "person", "session", "survey", "arrived_at", "outcome"),
        "links": _rows(connection, link_table, annotator_id, "created_at", "expires_at", "revoked_at"),
        "sessions": _sessions(connection, annotator_id),
        "gates_passed": _rows(connection, gate_pass, annotator_id, "gate", "passed_at", "by", "reason"),
        "attempts": _attempts(connection, annotator_id),
        "about_you": person_answers_of(connection, annotator_id),
        "check_ins": _rows(connection, check_in, annotator_id, "at", "judged", "answer"),
        "breaks": _rows(connection, break_, annotator_id, "started_at", "ended_at"),
        "messages": _rows(connection, message, annotator_id, "words", "sent_at", "read_at"),
        "answers": _answers(connection, who.study_id, annotator_id),
        "drafts": _drafts(connection, annotator_id),
        "problems": _problems(connection, annotator_id),
    }


def _rows(connection: Connection, table: Table, annotator_id: int, *columns: str) -> list[dict[str, Any]]:
    named = [table.c[name] for name in columns]
    rows = connection.execute(select(*named).where(table.c.annotator_id == annotator_id).order_by(*named[:1]))
    return [dict(row._mapping) for row in rows]


def _sessions(connection: Connection, annotator_id: int) -> list[dict[str, Any]]:
    mine = select(session.c.created_at, session.c.expires_at).join(link_table)
    return [dict(row._mapping) for row in connection.execute(mine.where(link_table.c.annotator_id == annotator_id))]


def _attempts(connection: Connection, annotator_id: int) -> list[dict[str, Any]]:
    columns = ("gate", "number", "started_at", "ended_at", "passed", "result")
    rows = _rows(connection, gate_attempt, annotator_id, *columns)
    return [{**row, "result": json.loads(row["result"]).get("answers", {})} for row in rows]


def _answers(connection: Connection, study_id: int, annotator_id: int) -> list[dict[str, Any]]:
    """What they answered, newest revision and earlier ones, as it stood on their page."""
    known = versions(connection, study_id)
    given = (assignment.c.position, submission.c.id, submission.c.revision, submission.c.submitted_at)
    said = (judgment.c.dimension, judgment.c.side, judgment.c.entry, judgment.c.value)
    rows = connection.execute(
        select(*given, submission.c.active_ms, submission.c.swapped, submission.c.study_hash, *said)
        .join(assignment, assignment.c.id == submission.c.assignment_id)
        .join(judgment, judgment.c.submission_id == submission.c.id)
        .where(submission.c.annotator_id == annotator_id)
        .order_by(submission.c.submitted_at, submission.c.id)
    )
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        one = found.setdefault(
            row.id,
            {
                "item": row.position,
                "revision": row.revision,
                "submitted_at": row.submitted_at,
                "active_ms": row.active_ms,
                "answers": {},
            },
        )
        study = known.get(row.study_hash)
        comparing = study.preference_dimensions if study is not None else ()
        slot, value = Slot(row.dimension, row.side, row.entry), json.loads(row.value)
        one["answers"] |= {each.key: said for each, said in by_side({slot: value}, comparing, row.swapped).items()}
    return list(found.values())


def _drafts(connection: Connection, annotator_id: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        select(assignment.c.position, draft.c.answers, draft.c.saved_at)
        .join(assignment, assignment.c.id == draft.c.assignment_id)
        .where(assignment.c.annotator_id == annotator_id)
        .order_by(assignment.c.position)
    )
    return [{"item": row[0], "answers": json.loads(row[1]), "saved_at": row[2]} for row in rows]


def _problems(connection: Connection, annotator_id: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        select(assignment.c.position, problem.c.words, problem.c.reported_at)
        .join(assignment, assignment.c.id == problem.c.assignment_id)
        .where(assignment.c.annotator_id == annotator_id)
        .order_by(problem.c.reported_at)
    )
    return [{"item": row[0], "words": row[1], "reported_at": row[2]} for row in rows]


def answer_rows(data: dict[str, Any]) -> list[list[Any]]:
    """The answers as a table, by `ANSWER_COLUMNS`: about the person first, which belong to no item."""
    about = [[None, each["answered_at"], None, each["question"], each["value"]] for each in data["about_you"]]
    return about + [
        [each["item"], each["submitted_at"], (each["active_ms"] or 0) / 1000, question, value]
        for each in data["answers"]
        for question, value in each["answers"].items()
    ]
