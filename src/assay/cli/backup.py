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
    encrypt_to: Annotated[
        list[str] | None,
        typer.Option(
            "--encrypt-to",
            help="A public key (age1..., or of ssh), or a file of them: only who has its secret key can read the "
            "backup; once each.",
        ),
    ] = None,
    keep: Annotated[
        int,
        typer.Option(help="Of the backups in the study's folder keep so many, the newest; 0: all.", min=0),
    ] = 0,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Make a backup of the whole store while the server runs, and read it back before it counts.

    The file appears complete or not at all. It is the same for SQLite and PostgreSQL, so `assay restore` can also move
    a study from one to the other. With --keep older backups are removed, once the new one has been read back.
    """
    from assay.store import connect
    from assay.store.engine.backup import back_up, remove_older
    from assay.store.engine.encryption import ENDING, recipients_of
    from assay.store.upkeep.restore import database_exists

    address = database_of(where, database)
    if not database_exists(address):
        raise StoreError(f"there is no database {address}", "name the study's folder, or --database")
    if keep and out is not None:
        raise StoreError("--keep is for the backups in the study's folder", "leave out --out, or --keep")
    path = out
    if path is None:
        stamp = datetime.fromtimestamp(now() / 1000, UTC).strftime("%Y%m%d-%H%M%S")
        path = folder_of(where) / "backups" / f"assay-{stamp}.backup"
        path.parent.mkdir(exist_ok=True, mode=0o700)
    recipients = recipients_of(encrypt_to or [])
    if recipients and out is None:
        path = path.with_name(path.name + ENDING)
    store = connect(address)
    try:
        with progress("Copying rows", None) as show:
            made = back_up(store, path, now(), show, recipients)
    finally:
        store.close()
    removed = remove_older(path.parent, keep) if keep else []
    if as_json:
        tables = {name: each.rows for name, each in made.tables.items()}
        print_json(
            {
                "file": str(path),
                "schema": made.schema,
                "rows": made.rows,
                "tables": tables,
                "removed": [str(each) for each in removed],
            }
        )
        return
    size = path.stat().st_size / 1e6
    print(f"{path}: {plural(made.rows, 'row')} in {len(made.tables)} tables, {size:,.1f} MB, read back and equal.")
    for each in removed:
        print(f"{each.name} was removed: {plural(keep, 'newer backup')} {'is' if keep == 1 else 'are'} there.")
