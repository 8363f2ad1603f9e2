"""What people say about themselves, for those who may know it: by pseudonym, and by question."""

import json
from collections.abc import Collection, Iterator

from sqlalchemy import Connection, delete, select

from assay.model import Value
from assay.store.engine.text_order import by_code
from assay.store.tables import annotator, person_answer
from assay.study.person import PersonAnswer


def person_answers(connection: Connection, study_id: int) -> Iterator[PersonAnswer]:
    """Every answer about a person, by pseudonym and in the order of the answers."""
    rows = connection.execute(
        select(
            annotator.c.name,
            person_answer.c.question,
            person_answer.c.value,
            person_answer.c.answered_at,
            annotator.c.simulated,
        )
        .join(annotator, annotator.c.key == person_answer.c.key)
        .where(person_answer.c.study_id == study_id)
        .order_by(by_code(annotator.c.name), person_answer.c.answered_at, person_answer.c.question)
    )
    for name, question, value, at, simulated in rows:
        yield PersonAnswer(name, question, json.loads(value), at, simulated)


def answers_by_question(
    connection: Connection, study_id: int, questions: Collection[str]
) -> dict[str, dict[str, Value]]:
    """For some questions what each annotator has answered, by pseudonym."""
    found: dict[str, dict[str, Value]] = {name: {} for name in questions}
    if questions:
        for each in person_answers(connection, study_id):
            if each.question in found:
                found[each.question][each.annotator] = each.value
    return found


def delete_person_answers(connection: Connection, key: str) -> None:
    """Delete what the person with this drawn key has said about themselves."""
    connection.execute(delete(person_answer).where(person_answer.c.key == key))
