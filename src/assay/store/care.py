"""What annotators do besides judging: report a problem with an item, and take a break.

Like `work`, this is the annotator's side of the store: it reads nothing that is hidden.
"""

from sqlalchemy import Connection, select, update

from assay.errors import NotFound
from assay.store.tables import assignment, break_, problem
from assay.store.work import insert_once
from assay.words import Said


def report_problem(connection: Connection, annotator_id: int, public_id: str, id_: str, words: str, now: int) -> None:
    """Keep what somebody found wrong with an item. The id comes from the page: sent twice it is one report."""
    mine = select(assignment.c.id, assignment.c.study_id).where(
        assignment.c.annotator_id == annotator_id, assignment.c.public_id == public_id
    )
    found = connection.execute(mine).first()
    if found is None:
        raise NotFound(Said("errors.no_item"))
    row = {"id": id_, "study_id": found.study_id, "assignment_id": found.id, "words": words, "reported_at": now}
    connection.execute(insert_once(problem)[connection.dialect.name], row)


def begin_break(connection: Connection, annotator_id: int, started_at: int) -> None:
    """Somebody rests from now on. One who rests already goes on resting."""
    resting = select(break_.c.started_at).where(break_.c.annotator_id == annotator_id, break_.c.ended_at.is_(None))
    if connection.execute(resting).first() is None:
        row = {"annotator_id": annotator_id, "started_at": started_at, "ended_at": None}
        connection.execute(insert_once(break_)[connection.dialect.name], row)


def end_break(connection: Connection, annotator_id: int, now: int) -> None:
    """Whoever works again rests no longer."""
    resting = (break_.c.annotator_id == annotator_id, break_.c.ended_at.is_(None))
    connection.execute(update(break_).where(*resting).values(ended_at=now))
