"""What is said and logged when a database fails: its kind in words, and never the data that were to be stored."""

import logging
import sqlite3
from collections import Counter

from sqlalchemy.exc import OperationalError

from assay.errors import StoreError

LOG = logging.getLogger("assay.store")
failures: Counter[str] = Counter()
"""How often the store of this process has failed, by kind: for whoever watches it."""


def first_line(error: BaseException) -> str:
    """What a database says of an error, without the statement and its values."""
    return str(getattr(error, "orig", error)).strip().splitlines()[0]


def as_store_error(error: BaseException) -> BaseException:
    """A database that is locked, full or gone is said in words; everything else stays what it is."""
    if isinstance(error, OperationalError | sqlite3.OperationalError):
        return StoreError(f"the store cannot be used just now: {first_line(error)}", "try again in a moment")
    if type(getattr(error, "orig", error)) is sqlite3.DatabaseError:  # not one of its kinds: the file itself is wrong
        return StoreError(f"the store cannot be read: {first_line(error)}", "is this the right file? restore a backup")
    return error


def log_failure(what: str, error: BaseException) -> None:
    """Keep that the store has failed: for the log, and for the counters. Parameters and rows are never part of it."""
    kind = type(getattr(error, "orig", None) or error).__name__
    failures[kind] += 1
    LOG.error("%s failed: %s: %s", what, kind, first_line(error))
