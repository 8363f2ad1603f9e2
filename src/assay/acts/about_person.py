"""Questions about the person: which are due at the end of the work, and answers that are kept apart."""

from collections.abc import Mapping

from sqlalchemy import Connection

from assay.acts.attempts import pass_gate
from assay.gates import Gate
from assay.model import Value
from assay.store.annotator import assignments, attempts
from assay.store.annotator.person_answers import keep_person_answers
from assay.store.annotator.sessions import Annotator
from assay.study import Study


def questions_at_end(connection: Connection, annotator: Annotator, study: Study) -> Gate | None:
    """The questions after the work, where they are due: something was judged, nothing is left, nothing answered yet."""
    asked = study.at_end
    if asked is None or not annotator.takes_part or attempts.is_passed(connection, annotator.id, asked):
        return None
    judged = assignments.count_submitted(connection, annotator.id)
    return asked if judged and assignments.current(connection, annotator.id) is None else None


def answer_about_person(
    connection: Connection, annotator: Annotator, gate: Gate, answers: Mapping[str, Value], now: int
) -> None:
    """Keep what somebody says about themselves; the gate is passed with it. Sent again, it changes nothing."""
    if not attempts.is_passed(connection, annotator.id, gate):
        keep_person_answers(connection, annotator.study_id, annotator.id, answers, now)
        pass_gate(connection, annotator, gate, now)
