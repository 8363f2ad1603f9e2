"""One writer at a time across processes: a lock beside the database file, held for each write and checkpoint.

SQLite before 3.51.3 can damage a database when two connections write and checkpoint at the same instant. Within a
process one connection writes; this lock makes it one on the whole machine, so that a command can be used while the
server runs.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # not a POSIX system: SQLite's own locks remain
    fcntl = None  # type: ignore[assignment]


class WriteLock:
    """A lock on a small file; the system lets go of it when the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Wait for the lock, hold it, let go."""
        if fcntl is None:
            yield
            return
        fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Let go for good."""
        os.close(self._file)
