"""Breaks: somebody rests, and works again. `pace.py` decides when one is due."""

from sqlalchemy import Connection

from assay.store.annotator import breaks
from assay.store.annotator.sessions import Annotator


def begin_break(connection: Connection, annotator: Annotator, at: int) -> None:
    """Somebody rests from a time on, which may be over: it can have waited on their device for a connection."""
    breaks.begin_break(connection, annotator.id, at)


def end_break(connection: Connection, annotator: Annotator, at: int) -> None:
    """Somebody works again."""
    breaks.end_break(connection, annotator.id, at)
