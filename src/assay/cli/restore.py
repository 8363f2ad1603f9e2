"""Restore a backup."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, Json, database_of, folder_of, note, now, plural, print_json


def run(
    backup: Annotated[Path, typer.Argument(help="The file that `assay backup` has written.", metavar="BACKUP")],
    where: Folder = Path(),
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Put it in place of the data that is there. A SQLite file is kept beside it."),
    ] = False,
    identity: Annotated[
        Path | None, typer.Option(help="The file with the secret key, for a backup that is encrypted.")
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Restore a backup into a database that is empty or not there, and read everything back.

    A backup of an older version is brought up to date, one of a newer version is refused. Stop the server first.
    """
    from assay.store.engine.encryption import readable
    from assay.store.upkeep.restore import restore

    address = database_of(where, database)
    note("Restoring ...")
    with readable(backup, identity) as path:
        made, kept = restore(path, address, now(), replace=replace, folder=folder_of(where))
    if as_json:
        print_json({"rows": made.rows, "schema": made.schema, "kept": None if kept is None else str(kept)})
        return
    print(f"{plural(made.rows, 'row')} restored from {backup.name}, read back and equal.")
    if kept is not None:
        print(f"What was there before is in {kept}")
