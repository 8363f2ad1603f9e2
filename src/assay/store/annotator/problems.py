"""Problems with items, as annotators report them."""

from sqlalchemy import Connection, select

from assay.errors import NotFound
from assay.store.annotator.assignments import insert_once
from assay.store.tables import assignment, problem
from assay.words import Translatable


def report_problem(connection: Connection, annotator_id: int, public_id: str, id_: str, words: str, now: int) -> None:
    """Store a problem with an item. The id comes from the page, so that a retry does not report it twice."""
    mine = select(assignment.c.id, assignment.c.study_id).where(
        assignment.c.annotator_id == annotator_id, assignment.c.public_id == public_id
    )
    found = connection.execute(mine).first()
    if found is None:
        raise NotFound(Translatable("errors.no_item"))
    row = {
        "id": id_,
        "study_id": found.study_id,
        "assignment_id": found.id,
        "words": words,
        "reported_at": now,
        "closed_at": None,
    }
    connection.execute(insert_once(problem)[connection.dialect.name], row)
