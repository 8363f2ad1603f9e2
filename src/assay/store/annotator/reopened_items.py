"""Items that a coordinator has opened again for one annotator, who made a slip and may not go back by themselves."""

import json
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, literal_column, select, update

from assay.judgments import questionnaire_of
from assay.model import IMPORTED, UNABLE, Slot
from assay.sides_and_candidates import by_side, on_screen
from assay.store.annotator.assignments import AT_WORK, MINE, RawAnswers, lock_annotator
from assay.store.engine.json_text import to_json
from assay.store.engine.prepared import Prepared
from assay.store.tables import assignment, draft, item, judgment, submission
from assay.study import Study


@dataclass(frozen=True, slots=True)
class ReopenedItem:
    """One that waits to be changed, as its annotator's pages name it."""

    public_id: str
    position: int


REOPENED = Prepared(
    select(assignment.c.public_id, assignment.c.position)
    .where(MINE, AT_WORK, assignment.c.state == literal_column("'submitted'"), assignment.c.reopened_at.is_not(None))
    .order_by(assignment.c.position)
)


def reopened_items(connection: Connection, annotator_id: int) -> list[ReopenedItem]:
    """The items that somebody is let change once more."""
    return [ReopenedItem(*row) for row in REOPENED.rows(connection, annotator=annotator_id)]


def reopen(
    connection: Connection, annotator_id: int, study: Study, item_id: int | None, pass_: int, now: int
) -> ReopenedItem | None:
    """Reopen an item that somebody submitted, with the form as it was sent last; None where they have not."""
    lock_annotator(connection, annotator_id)
    which = (assignment.c.annotator_id == annotator_id, assignment.c["pass"] == pass_, AT_WORK, item.c.id == item_id)
    row = connection.execute(
        select(assignment, item.c.shown, submission.c.id.label("last"), submission.c.submitted_at)
        .join(item, item.c.id == assignment.c.item_id)
        .join(submission, submission.c.assignment_id == assignment.c.id)
        .where(*which, assignment.c.state == "submitted", submission.c.source != IMPORTED)
        .order_by(submission.c.revision.desc())
    ).first()
    if row is None:
        return None
    shown = on_screen(json.loads(row.shown), row.swapped)
    kept = {"answers": to_json(_as_sent(connection, study, shown, row.swapped, row.last)), "saved_at": row.submitted_at}
    connection.execute(delete(draft).where(draft.c.assignment_id == row.id))
    connection.execute(insert(draft).values(assignment_id=row.id, version=1, **kept))
    connection.execute(update(assignment).where(assignment.c.id == row.id).values(reopened_at=now))
    return ReopenedItem(row.public_id, row.position)


def _as_sent(
    connection: Connection, study: Study, shown: dict[str, object], swapped: bool | None, submission_id: str
) -> RawAnswers:
    """The answers of a submission as their form fields have them."""
    stored = connection.execute(select(judgment).where(judgment.c.submission_id == submission_id))
    by_role = {Slot(row.dimension, row.side, row.entry): json.loads(row.value) for row in stored}
    given = by_side(by_role, study.preference_dimensions, swapped)
    asked = (each for each in questionnaire_of(study, shown).questions if given.get(each.slot) is not None)
    return {
        each.key: [UNABLE] if given[each.slot] == UNABLE else each.dimension.input.write(given[each.slot])
        for each in asked
    }
