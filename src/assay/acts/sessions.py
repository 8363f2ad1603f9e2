"""Sessions: somebody comes in by their link, and signs out."""

from sqlalchemy import Connection

from assay.store.annotator import sessions


def begin_session(connection: Connection, token: str, now: int) -> str:
    """Exchange a personal link for a session; the cookie's value, of which only the hash is kept."""
    return sessions.enter(connection, token, now)


def end_session(connection: Connection, session_hash: str) -> None:
    """End a session on the server, wherever its cookie still is."""
    sessions.end_session(connection, session_hash)
