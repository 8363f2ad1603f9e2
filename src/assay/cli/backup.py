"""Make a backup."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, Json, database_of, folder_of, now, plural, print_json, progress
from assay.errors import StoreError


def run(
    where: Folder = Path(),
    out: Annotated[
        Path | None, typer.Option(help="The file to write. Default: backups/assay-<time>.backup in the study's folder.")
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Make a backup of the whole store while the server runs, and read it back before it counts.

    The file appears complete or not at all. It is the same for SQLite and PostgreSQL, so `assay restore` can also move
    a study from one to the other.
    """
    from assay.store import connect
    from assay.store.engine.backup import back_up
    from assay.store.engine.restore import database_exists

    address = database_of(where, database)
    if not database_exists(address):
        raise StoreError(f"there is no database {address}", "name the study's folder, or --database")
    path = out
    if path is None:
        stamp = datetime.fromtimestamp(now() / 1000, UTC).strftime("%Y%m%d-%H%M%S")
        path = folder_of(where) / "backups" / f"assay-{stamp}.backup"
        path.parent.mkdir(exist_ok=True, mode=0o700)
    store = connect(address)
    try:
        with progress("Copying rows", None) as show:
            made = back_up(store, path, now(), show)
    finally:
        store.close()
    if as_json:
        tables = {name: each.rows for name, each in made.tables.items()}
        print_json({"file": str(path), "schema": made.schema, "rows": made.rows, "tables": tables})
        return
    size = path.stat().st_size / 1e6
    print(f"{path}: {plural(made.rows, 'row')} in {len(made.tables)} tables, {size:,.1f} MB, read back and equal.")
