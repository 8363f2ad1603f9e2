"""Check whether the store is whole."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import Database, Folder, Json, database_of, note, print_json
from assay.errors import StoreError

if TYPE_CHECKING:
    from assay.store.engine.verify import Verified


def run(
    where: Folder = Path(),
    against: Annotated[
        Path | None, typer.Option(help="A backup: everything in it must still be there and say the same.")
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Check whether the store is whole: the file, what refers to what, hashes, counters, values that are computed.

    It prints what was looked at, how often, and names the rows that are wrong. Nothing is changed. Exit code 1: there
    are problems. With --against also what no rule can tell is found, such as a changed letter in an item's text.
    """
    from assay.store import connect
    from assay.store.engine.backup import check_backup
    from assay.store.engine.restore import database_exists
    from assay.store.engine.verify import verify

    address = database_of(where, database)
    if not database_exists(address):
        raise StoreError(f"there is no database {address}", "name the study's folder, or --database")
    if against is not None:
        check_backup(against)
    store = connect(address)
    found: list[Verified] = []
    try:
        for checked in verify(store, against, lambda what: None if as_json else note(f"{what} ...")):
            found.append(checked)
            if not as_json:
                _say(checked)
    finally:
        store.close()
    wrong = sum(each.wrong for each in found)
    if as_json:
        rows = [{"what": c.what, "looked_at": c.looked_at, "wrong": c.wrong, "problems": c.problems} for c in found]
        print_json({"whole": not wrong, "checks": rows})
    else:
        print("\nThe store is whole." if not wrong else f"\n{wrong:,} problems. Restore a backup: assay restore")
    if wrong:
        raise typer.Exit(1)


def _say(checked: "Verified") -> None:
    good = f"{checked.looked_at:>10,}  {checked.what}"
    print(good + ("" if not checked.wrong else f": {checked.wrong:,} wrong"))
    for problem in checked.problems:
        print(f"            {problem}")
    if checked.wrong > len(checked.problems):
        print(f"            and {checked.wrong - len(checked.problems):,} more")
