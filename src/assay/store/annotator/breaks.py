"""Stores breaks: when each began and ended. `pace.py` decides when one is due."""

from collections.abc import Iterator

from sqlalchemy import Connection, bindparam, select, update

from assay.store.annotator.assignments import insert_once
from assay.store.engine.prepared import Prepared
from assay.store.engine.text_order import by_code
from assay.store.tables import annotator, break_


def begin_break(connection: Connection, annotator_id: int, started_at: int) -> None:
    """Begin a break; nothing happens where one has begun already."""
    resting = select(break_.c.started_at).where(break_.c.annotator_id == annotator_id, break_.c.ended_at.is_(None))
    if connection.execute(resting).first() is None:
        row = {"annotator_id": annotator_id, "started_at": started_at, "ended_at": None}
        connection.execute(insert_once(break_)[connection.dialect.name], row)


END = Prepared(
    update(break_)
    .where(break_.c.annotator_id == bindparam("annotator"), break_.c.ended_at.is_(None))
    .values(ended_at=bindparam("now"))
)


def end_break(connection: Connection, annotator_id: int, now: int) -> None:
    """End the break of somebody who works again."""
    END.run(connection, annotator=annotator_id, now=now)


def breaks(connection: Connection, study_id: int) -> Iterator[tuple[str, int, int | None, bool]]:
    """Every break of a study for the export: whose it was (and whether a bot's), when it began and ended."""
    taken = (
        select(annotator.c.name, break_.c.started_at, break_.c.ended_at, annotator.c.simulated)
        .join(annotator, annotator.c.id == break_.c.annotator_id)
        .where(annotator.c.study_id == study_id)
        .order_by(break_.c.started_at, by_code(annotator.c.name))
    )
    for row in connection.execute(taken):
        yield row[0], row[1], row[2], row[3]
