"""Somebody does not want to go on. Coming back is with `farewells`, having everything deleted with `withdrawals`."""

from sqlalchemy import Connection

from assay.acts.own_record import own_record
from assay.store.annotator import participation
from assay.store.annotator.sessions import Annotator


def leave(connection: Connection, annotator: Annotator, now: int) -> None:
    """Somebody leaves. What they have submitted stays, and what they have not goes to others."""
    if participation.leave(connection, annotator.study_id, annotator.id, now):
        own_record(connection, annotator, "leave", now)
