"""A mutant to be caught, with SQLite less careful than it is: `python -m tests.weaker NORMAL serve STUDY`."""

import sqlite3.dbapi2
import sys
from functools import partial
from typing import Any

from assay.cli import main


class Weaker(sqlite3.Connection):
    """A connection that is told to wait for the disk, and waits less."""

    setting = "FULL"

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        return super().execute(statement.replace("synchronous=FULL", f"synchronous={self.setting}"), *values)


if __name__ == "__main__":
    Weaker.setting = sys.argv.pop(1)
    sqlite3.dbapi2.connect = partial(sqlite3.connect, factory=Weaker)  # type: ignore[assignment]
    main()
