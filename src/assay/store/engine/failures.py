"""What is said and logged when a database fails: its kind in words, and never the data that were to be stored."""

import logging
import sqlite3
import sys
import traceback
from collections import Counter
from types import TracebackType

from sqlalchemy.exc import DBAPIError, OperationalError

from assay.errors import StoreError

DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""SQLite's errors for a damaged file."""
BELOW = (
    *DAMAGE,
    *(sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY),
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOMEM),
)
"""SQLite's errors where the system fails (disk, memory, permissions), and not the statement."""

MARGINS = ("", *(f"{'  ' * depth}| " for depth in range(1, 9)))
"""What stands before each line of an error: in a group of them they are indented."""

LOG = logging.getLogger("assay.store")
failures: Counter[str] = Counter()
"""How often the store of this process has failed, by kind: for whoever watches it."""


def first_line(error: BaseException) -> str:
    """What a database says of an error, without the statement and its values."""
    return str(getattr(error, "orig", error)).strip().splitlines()[0]


def sqlite_code(error: BaseException) -> int:
    """What SQLite calls an error, without its finer kind; 0 where it is none of SQLite's."""
    return int(getattr(getattr(error, "orig", error), "sqlite_errorcode", 0)) & 0xFF


def as_store_error(error: BaseException) -> BaseException:
    """A StoreError for a database that is locked, full, gone or damaged; any other error unchanged."""
    if isinstance(error, OperationalError | sqlite3.OperationalError):
        return StoreError(f"the store cannot be used just now: {first_line(error)}", "try again in a moment")
    if type(getattr(error, "orig", error)) is sqlite3.DatabaseError:  # not one of its kinds: the file itself is wrong
        return StoreError(f"the store cannot be read: {first_line(error)}", "is this the right file? restore a backup")
    return error


def traceback_of(error: BaseException) -> str:
    """The traceback of an error for a log; of a database's error only the first line, which holds no values."""
    return without_values("".join(traceback.format_exception(error)), error)


def without_values(said: str, error: BaseException) -> str:
    """What is said of an error, with only the first line of what a database said."""
    seen: set[int] = set()
    left: list[BaseException | None] = [error]
    while left:
        each = left.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, DBAPIError) or hasattr(each, "sqlstate"):
            whole, first = str(each).strip(), first_line(each)
            said = said.replace(repr(each), f"{type(each).__name__}({first!r})")
            for margin in MARGINS:
                said = said.replace(whole.replace("\n", f"\n{margin}"), first)
        left += [each.__cause__, each.__context__, *getattr(each, "exceptions", ())]
    return said


class WithoutValues(logging.Formatter):
    """Log lines whose tracebacks hold nothing of what was to be stored."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """One entry: its message may hold the error itself, as that of a task that nobody waits for does."""
        said = super().format(record)
        return without_values(said, record.exc_info[1]) if record.exc_info and record.exc_info[1] else said

    def formatException(
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        """The traceback of an error."""
        return "" if ei[1] is None else traceback_of(ei[1]).rstrip()


def log_without_values() -> None:
    """Set up logging and the uncaught-exception hook so that neither shows stored values; for child processes."""
    handler = logging.StreamHandler()
    handler.setFormatter(WithoutValues())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    sys.excepthook = lambda kind, error, at: print(traceback_of(error), file=sys.stderr)


def log_failure(what: str, error: BaseException) -> None:
    """Log and count a failure of the store. Parameters and rows are never part of it."""
    kind = type(getattr(error, "orig", None) or error).__name__
    failures[kind] += 1
    LOG.error("%s failed: %s: %s", what, kind, first_line(error))
