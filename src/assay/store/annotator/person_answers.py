"""What somebody says about themselves, kept by their drawn key. Cannot reach what is hidden."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from assay.model import Value
from assay.store.engine.json_text import to_json
from assay.store.tables import annotator, person_answer


def _key_of(annotator_id: int) -> Any:
    return select(annotator.c.key).where(annotator.c.id == annotator_id).scalar_subquery()


def keep_person_answers(
    connection: Connection, study_id: int, annotator_id: int, answers: Mapping[str, Value], now: int
) -> None:
    """Store answers about the person in place of earlier ones; a question that is left out has no answer any more."""
    mine = person_answer.c.key == _key_of(annotator_id)
    connection.execute(delete(person_answer).where(mine, person_answer.c.question.in_(list(answers))))
    given = [
        {"question": question, "study_id": study_id, "value": to_json(value), "answered_at": now}
        for question, value in answers.items()
        if value is not None
    ]
    if given:
        key = connection.execute(select(annotator.c.key).where(annotator.c.id == annotator_id)).scalar_one()
        connection.execute(insert(person_answer), [{"key": key, **row} for row in given])


def person_answers_of(connection: Connection, annotator_id: int) -> list[dict[str, Any]]:
    """What one person has said about themselves."""
    columns = (person_answer.c.question, person_answer.c.value, person_answer.c.answered_at)
    mine = select(*columns).where(person_answer.c.key == _key_of(annotator_id))
    rows = connection.execute(mine.order_by(person_answer.c.answered_at, person_answer.c.question))
    return [{"question": row[0], "value": json.loads(row[1]), "answered_at": row[2]} for row in rows]
