"""Breaks: somebody rests, and works again. `pace.py` decides when one is due."""

from sqlalchemy import Connection

from assay.store.annotator import breaks
from assay.store.annotator.sessions import Annotator


def begin_break(connection: Connection, annotator: Annotator, at: int) -> None:
    """Store that somebody rests from a time on. It may be over by now: a page without a connection sends it later."""
    breaks.begin_break(connection, annotator.id, at)


def end_break(connection: Connection, annotator: Annotator, at: int) -> None:
    """Somebody works again."""
    breaks.end_break(connection, annotator.id, at)
