"""How connections to a SQLite file are made: those that read cannot write, and what is written is on disk."""

import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.pool import NullPool


def sqlite_engine(path: Path, busy_ms: int, *, writes: bool) -> Engine:
    """An engine whose connections write, or only read, and wait for locks for so long."""
    engine = create_engine(
        f"sqlite:///{path}",
        connect_args={"check_same_thread": False, "isolation_level": None},
        poolclass=NullPool,  # connections are held for life, one a thread
        # Errors are logged and shown: what was to be stored is not part of them.
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _: Any) -> None:
        connection.execute(f"PRAGMA busy_timeout={busy_ms}")
        if writes:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA foreign_keys=ON")
            # What is deleted is overwritten: somebody may have asked for it.
            connection.execute("PRAGMA secure_delete=ON")
        else:
            connection.execute("PRAGMA query_only=ON")

    return engine
