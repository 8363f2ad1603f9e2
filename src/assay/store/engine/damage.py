"""Damaged data: finds damage in a SQLite file, and words the error."""

import sqlite3

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from assay.errors import StoreError
from assay.store.engine.failures import first_line, sqlite_code

LOOKED_AT_FIRST = 64 * 2**20
"""Bytes. A file up to this size is checked before a server starts, a larger one in the background."""


def error_of_damage(found: str) -> StoreError:
    """The error where data are damaged, so that nothing is read or stored any more."""
    return StoreError(
        f"the data are damaged ({found}); what comes now cannot be kept",
        "stop the server; `assay verify` says what is wrong; restore a backup",
    )


def damage_of(connection: Connection) -> str:
    """Check every page of a SQLite file; returns what is wrong, or "". An interrupted check returns "", too."""
    try:
        found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())
    except DBAPIError as error:
        return "" if sqlite_code(error) == sqlite3.SQLITE_INTERRUPT else first_line(error)
    return "" if found == "ok" else " ".join(found.split())
