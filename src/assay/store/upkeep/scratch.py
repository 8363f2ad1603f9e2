"""A scratch copy of a store: something can be done to it to the end, and nothing of it stays.

The rows come out of one snapshot, as for a backup: whoever is at work in the store notices nothing.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.store import connect
from assay.store.engine.archive import Show
from assay.store.engine.backup import copy_all
from assay.store.upkeep.restore import database_exists


@contextmanager
def scratch_copy(database: str, show: Show) -> Iterator[str]:
    """A copy of a database in a SQLite file that goes away again; an empty one where there is no database yet."""
    with tempfile.TemporaryDirectory(prefix="assay-scratch-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "assay.db"
        if database_exists(database):
            store = connect(database)
            try:
                for _ in store.stream(copy_all, path, show):
                    pass
            finally:
                store.close()
        yield str(path)
