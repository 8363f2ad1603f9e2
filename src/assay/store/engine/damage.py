"""Data that are not whole: how that is found, and what is said of it."""

import sqlite3

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from assay.errors import StoreError
from assay.store.engine.failures import first_line, sqlite_code

LOOKED_AT_FIRST = 64 * 2**20
"""Bytes. A file up to this size is looked through before a server starts, a larger one while it works."""


def damaged(found: str) -> StoreError:
    """Why nothing more is taken from or into data that are not whole."""
    return StoreError(
        f"the data are damaged ({found}); what comes now cannot be kept",
        "stop the server; `assay verify` says what is wrong; restore a backup",
    )


def damage_of(connection: Connection) -> str:
    """Read every page of a SQLite file; what is wrong with it, or nothing. Whoever interrupts it is told nothing."""
    try:
        found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())
    except DBAPIError as error:
        return "" if sqlite_code(error) == sqlite3.SQLITE_INTERRUPT else first_line(error)
    return "" if found == "ok" else " ".join(found.split())
