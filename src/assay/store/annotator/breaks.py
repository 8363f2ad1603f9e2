"""Breaks: when one is due, when somebody begins to rest, and when they work again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select, update

from assay.store.annotator.assignments import insert_once
from assay.store.engine.prepared import Prepared
from assay.store.tables import annotator, break_
from assay.study.pace import Break

MINUTE = 60 * 1000


@dataclass(slots=True)
class Count:
    """What was done since a break was restarted."""

    items: int = 0
    active_ms: int = 0


def is_due(rest: Break, count: Count, nearly: int = 0) -> bool:
    """Whether the number of items or minutes is reached."""
    by_items = rest.after_items is not None and count.items >= rest.after_items
    return by_items or (rest.after_minutes is not None and count.active_ms >= rest.after_minutes * MINUTE - nearly)


def due_break(breaks: Sequence[Break], counts: Sequence[Count], *, batch_is_over: bool) -> Break | None:
    """The break that is due now: of several, the longest. `static/pace.js` decides alike on the page."""
    found = [
        each
        for each, count in zip(breaks, counts, strict=False)
        if is_due(each, count) or (each.between_batches and batch_is_over)
    ]
    return max(found, key=lambda each: each.minutes, default=None)


def begin_break(connection: Connection, annotator_id: int, started_at: int) -> None:
    """Somebody rests from now on. One who rests already goes on resting."""
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
    """Whoever works again rests no longer."""
    END.run(connection, annotator=annotator_id, now=now)


def breaks(connection: Connection, study_id: int) -> Iterator[tuple[str, int, int | None, bool]]:
    """Every break of a study for the export: whose it was, when it began and ended, and whether that is a bot."""
    taken = (
        select(annotator.c.name, break_.c.started_at, break_.c.ended_at, annotator.c.simulated)
        .join(annotator, annotator.c.id == break_.c.annotator_id)
        .where(annotator.c.study_id == study_id)
        .order_by(break_.c.started_at, annotator.c.name)
    )
    for row in connection.execute(taken):
        yield row[0], row[1], row[2], row[3]
