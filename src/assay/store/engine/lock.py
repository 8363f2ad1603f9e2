"""One writer at a time across processes: a lock beside the database file, held for each write and checkpoint.

SQLite before 3.51.3 can damage a database when two connections write and checkpoint at the same instant. Within a
process one connection writes; this lock makes it one on the whole machine, so that a command can be used while the
server runs.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.errors import StoreError

try:
    import fcntl
except ImportError:  # not a POSIX system: SQLite's own locks remain
    fcntl = None  # type: ignore[assignment]

LONGEST_WAIT = 30.0
"""Seconds. Whoever waits longer is told who holds the lock."""
PAUSES = (0.0005, 0.001, 0.002, 0.005)
"""Seconds to wait before looking again: the last is repeated."""
LONGEST_NAME = 100


class WriteLock:
    """A lock on a small file that names its holder; the system releases it when the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        # The command and its first word, and nothing that could be a secret.
        words = " ".join([Path(sys.argv[0]).name, *sys.argv[1:2]])
        self._name = f"{words} (process {os.getpid()})".encode()[:LONGEST_NAME]

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Wait for the lock, hold it for the block, and release it."""
        self.take()
        try:
            yield
        finally:
            self.let_go()

    def take_at_once(self) -> bool:
        """Take the lock if it is free, without waiting; the caller must call `let_go`."""
        if not self._is_ours():
            return False
        self._sign()
        return True

    def let_go(self) -> None:
        """Release the lock."""
        if fcntl is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def take(self) -> None:
        """Wait for the lock. Raises StoreError when somebody else holds it for very long."""
        until = time.monotonic() + LONGEST_WAIT
        looked = 0
        while not self._is_ours():
            if time.monotonic() > until:
                raise StoreError(
                    f"the data has been held by {self.holder()} for {LONGEST_WAIT:.0f} seconds",
                    "wait until it is done, or end it; nothing was changed",
                )
            time.sleep(PAUSES[min(looked, len(PAUSES) - 1)])
            looked += 1
        self._sign()

    def _sign(self) -> None:
        """Write this process into the file as the holder."""
        if os.pread(self._file, LONGEST_NAME + 1, 0) != self._name:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, self._name, 0)

    def _is_ours(self) -> bool:
        """Try to take the lock; whether it is ours now."""
        if fcntl is None:
            return True
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def holder(self) -> str:
        """Who holds the lock, or was the last to."""
        return os.pread(self._file, LONGEST_NAME, 0).decode("utf-8", "replace") or "another process"

    def close(self) -> None:
        """Close the file, which releases the lock."""
        os.close(self._file)
