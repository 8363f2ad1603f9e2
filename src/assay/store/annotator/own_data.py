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
    action,
    annotator,
    arrival,
    assignment,
    break_,
    check_in,
    draft,
    flag,
    gate_attempt,
    gate_pass,
    item,
    judgment,
    message,
    problem,
    session,
    study,
    submission,
    token,
)
from assay.store.tables import link as link_table

COLUMNS = ("item", "submitted_at", "active_seconds", "question", "value", "part")
"""The columns of the table for download."""


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
        "links": _rows(connection, link_table, annotator_id, "created_at", "opened_at", "expires_at", "revoked_at"),
        "sessions": _sessions(connection, annotator_id),
        "tokens": _rows(connection, token, annotator_id, "name", "scopes", "created_at", "expires_at", "revoked_at"),
        "gates_passed": _rows(connection, gate_pass, annotator_id, "gate", "passed_at", "by", "reason"),
        "attempts": _attempts(connection, annotator_id),
        "about_you": person_answers_of(connection, annotator_id),
        "check_ins": _rows(connection, check_in, annotator_id, "at", "judged", "answer"),
        "breaks": _rows(connection, break_, annotator_id, "started_at", "ended_at"),
        "messages": _rows(connection, message, annotator_id, "words", "sent_at", "read_at"),
        "items": _items(connection, annotator_id),
        "answers": _answers(connection, who.study_id, annotator_id),
        "drafts": _drafts(connection, annotator_id),
        "problems": _problems(connection, annotator_id),
        **_flags(connection, who),
        "record": _record(connection, annotator_id),
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


def _items(connection: Connection, annotator_id: int) -> list[dict[str, Any]]:
    """Every item that they were given, what became of it, and why it was left out where it was."""
    given = (assignment.c.position, assignment.c.attempt, assignment.c.state, assignment.c.created_at)
    more = (assignment.c.opened_at, assignment.c.declined_because, assignment.c.freed_at, assignment.c.reopened_at)
    mine = select(*given, *more).where(assignment.c.annotator_id == annotator_id)
    return [
        {
            "item": row.position,
            "for_practice": bool(row.attempt),
            "state": row.state,
            "given_at": row.created_at,
            "opened_at": row.opened_at,
            "left_out_because": row.declined_because,
            "place_given_away_at": row.freed_at,
            "reopened_at": row.reopened_at,
        }
        for row in connection.execute(mine.order_by(assignment.c.attempt, assignment.c.position))
    ]


def _numbers(connection: Connection, annotator_id: int) -> dict[str, int]:
    """The number of each of their items, by its name in the file, which is not for them to know."""
    mine = select(item.c.name, assignment.c.position).join(assignment, assignment.c.item_id == item.c.id)
    rows = connection.execute(mine.where(assignment.c.annotator_id == annotator_id))
    return {row.name: row.position for row in rows}


def _flags(connection: Connection, who: Any) -> dict[str, Any]:
    """Doubts that monitors have raised about their work; to somebody who is at work only how many there are.

    Flags tell which items are controls or duplicates; somebody who knows that judges them differently.
    """
    rows = _rows(connection, flag, who.id, "raised_at", "monitor", "reason", "state", "items")
    state = connection.execute(select(study.c.state).where(study.c.id == who.study_id)).scalar_one()
    if who.left_at is None and state in ("open", "paused"):
        return {"flags": [], "flags_shown_later": len(rows)}
    numbers = _numbers(connection, who.id)
    named = [{**row, "items": [numbers[each] for each in json.loads(row["items"]) if each in numbers]} for row in rows]
    return {"flags": named, "flags_shown_later": 0}


def _record(connection: Connection, annotator_id: int) -> list[dict[str, Any]]:
    """What coordinators did about them, and wrote about them for themselves."""
    numbers = _numbers(connection, annotator_id)
    rows = _rows(connection, action, annotator_id, "at", "what", "by", "about", "reason")
    for row in rows:
        name, _, more = row["about"].partition(" (pass ")
        if name in numbers:
            row["about"] = f"{numbers[name]}{f' (pass {more}' if more else ''}"
    return rows


def _answers(connection: Connection, study_id: int, annotator_id: int) -> list[dict[str, Any]]:
    """What they answered, newest revision and earlier ones, as it stood on their page."""
    known = versions(connection, study_id)
    given = (assignment.c.position, submission.c.id, submission.c.revision, submission.c.submitted_at)
    seen = (submission.c.shown_at, submission.c.source, submission.c.events, submission.c.overridden)
    said = (judgment.c.dimension, judgment.c.side, judgment.c.entry, judgment.c.value)
    rows = connection.execute(
        select(*given, submission.c.active_ms, submission.c.swapped, submission.c.study_hash, *seen, *said)
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
                "shown_at": row.shown_at,
                "source": row.source,
                "page_events": json.loads(row.events) if row.events else [],
                "warnings_not_heeded": json.loads(row.overridden),
                "answers": {},
            },
        )
        shown = known.get(row.study_hash)
        comparing = shown.preference_dimensions if shown is not None else ()
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


ABOUT_YOU, ANSWERS = "about_you", "answers"


def own_rows(data: dict[str, Any]) -> list[list[Any]]:
    """Everything as one table with `COLUMNS`: answers first, then everything else, one row for each value."""
    about = [[None, each["answered_at"], None, each["question"], each["value"], ABOUT_YOU] for each in data[ABOUT_YOU]]
    answers = [
        [each["item"], each["submitted_at"], (each["active_ms"] or 0) / 1000, question, value, ANSWERS]
        for each in data[ANSWERS]
        for question, value in each["answers"].items()
    ]
    return [*about, *answers, *_other_rows(data)]


def _other_rows(data: dict[str, Any]) -> list[list[Any]]:
    found: list[list[Any]] = []
    for part, value in data.items():
        if not isinstance(value, list):
            found.append([None, None, None, part, value, "you"])
            continue
        for each in value if part != ABOUT_YOU else ():
            left = {name: said for name, said in each.items() if name not in ("item", "answers") or part == "drafts"}
            called = "submissions" if part == ANSWERS else part
            found += [[each.get("item"), None, None, name, said, called] for name, said in left.items()]
    return [[*row[:4], _as_text(row[4]), row[5]] for row in found if row[4] not in (None, "", [], {})]


def _as_text(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
