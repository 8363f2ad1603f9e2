"""Who takes part: leaving, coming back, and how many there are."""

from sqlalchemy import Connection, and_, func, select, update

from assay.store.annotator.places import return_all_of
from assay.store.tables import annotator, study


def leave(connection: Connection, study_id: int, annotator_id: int, now: int) -> None:
    """Somebody chooses not to take part; what they have not judged goes to others."""
    connection.execute(
        update(annotator).where(annotator.c.id == annotator_id, annotator.c.left_at.is_(None)).values(left_at=now)
    )
    return_all_of(connection, study_id, annotator_id)
    count_annotators(connection, study_id)


def come_back(connection: Connection, study_id: int, annotator_id: int) -> None:
    """Somebody who left has changed their mind."""
    connection.execute(update(annotator).where(annotator.c.id == annotator_id).values(left_at=None))
    count_annotators(connection, study_id)


TAKES_PART = and_(
    annotator.c.left_at.is_(None),
    annotator.c.judge.is_(False),
    annotator.c.from_file.is_(False),
    annotator.c.state != "released",
)
"""Whom the work is shared by: nobody who is known only because a file holds what they judged."""


def count_annotators(connection: Connection, study_id: int) -> None:
    """Keep the number of people who take part beside the study: every page says how many items one will get."""
    taking_part = (annotator.c.study_id == study_id, TAKES_PART)
    count = select(func.count()).select_from(annotator).where(*taking_part).scalar_subquery()
    connection.execute(update(study).where(study.c.id == study_id).values(annotator_count=count))
