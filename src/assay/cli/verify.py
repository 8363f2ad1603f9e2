"""Check whether the store is whole."""

from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import Database, Folder, Json, database_of, note, now, print_json, who_acts
from assay.errors import StoreError

if TYPE_CHECKING:
    from assay.store.upkeep.verify import Verified


def run(
    where: Folder = Path(),
    against: Annotated[
        Path | None, typer.Option(help="A backup: everything in it must still be there and say the same.")
    ] = None,
    identity: Annotated[
        Path | None, typer.Option(help="The file with the secret key, for a backup that is encrypted.")
    ] = None,
    repair: Annotated[
        bool, typer.Option(help="Put wrong counts right, such as how many have an item. Nothing else is changed.")
    ] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Check whether the store is whole: the file, what refers to what, hashes, counters, values that are computed.

    It prints what was looked at, how often, and names the rows that are wrong. Nothing is changed. Exit code 1: there
    are problems. With --against also what no rule can tell is found, such as a changed letter in an item's text.

    A count that is wrong is no damage: nothing that somebody gave is lost. --repair counts again, and records it, where
    nothing else is wrong.
    """
    from assay.acts.counts import put_counts_right
    from assay.store import connect
    from assay.store.engine.backup import verify_backup
    from assay.store.engine.encryption import readable
    from assay.store.upkeep.restore import database_exists
    from assay.store.upkeep.verify import COUNTS, verify

    address = database_of(where, database)
    if not database_exists(address):
        raise StoreError(f"there is no database {address}", "name the study's folder, or --database")
    found: list[Verified] = []
    with ExitStack() as open_files:
        if against is not None:
            against = open_files.enter_context(readable(against, identity))
            verify_backup(against)
        store = open_files.enter_context(closing(connect(address)))
        for checked in verify(store, against, lambda what: None if as_json else note(f"{what} ...")):
            found.append(checked)
            if not as_json:
                _say(checked)
        wrong = sum(each.wrong for each in found)
        counts = sum(each.wrong for each in found if each.what == COUNTS)
        repaired = store.write(put_counts_right, who_acts(), now()) if repair and 0 < wrong == counts else 0
    if as_json:
        rows = [{"what": c.what, "looked_at": c.looked_at, "wrong": c.wrong, "problems": c.problems} for c in found]
        print_json({"whole": wrong == repaired, "checks": rows, "repaired": repaired})
    else:
        print("\n" + _verdict(wrong, counts, repaired))
    if wrong > repaired:
        raise typer.Exit(1)


def _verdict(wrong: int, counts: int, repaired: int) -> str:
    if not wrong:
        return "The store is whole."
    if repaired:
        return f"{repaired:,} counts were wrong and are put right. The store is whole."
    if wrong == counts:
        return f"{wrong:,} counts are wrong. No data is damaged. Put them right: assay verify --repair"
    return f"{wrong:,} problems. Restore a backup: assay restore"


def _say(checked: "Verified") -> None:
    good = f"{checked.looked_at:>10,}  {checked.what}"
    print(good + ("" if not checked.wrong else f": {checked.wrong:,} wrong"))
    for problem in checked.problems:
        print(f"            {problem}")
    if checked.wrong > len(checked.problems):
        print(f"            and {checked.wrong - len(checked.problems):,} more")
