"""List who is to be paid."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, Json, note, now, open_study, print_json


def run(
    where: Folder = Path(),
    out: Annotated[Path | None, typer.Option(help="Write the list to this CSV file.")] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print the list as CSV.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List who has done what, in how much time, with the panel's id, the code and a suggestion for each.

    The suggestion is pay, look (something is to be looked at first), wait (still at work) or none (nothing was done).
    What people get is in `pay` of the study file; what an hour of work brings is said, and whether that is enough.
    """
    from assay.exchange.atomic import atomic_text_file
    from assay.exchange.csv import write_csv
    from assay.live.pay_list import COLUMNS, pay_list

    with open_study(where, database) as at:
        found = pay_list(at.store, at.study_id, at.study, now())
    if as_json:
        print_json(found.as_json())
        return
    people = found.as_json()["people"]
    rows = [[each[name] for name in COLUMNS] for each in people]
    if out is not None:
        with atomic_text_file(out) as file:
            write_csv(file, COLUMNS, rows)
        note(f"{len(rows)} {'person' if len(rows) == 1 else 'people'} in {out}.")
    elif csv:
        write_csv(sys.stdout, COLUMNS, rows)
    else:
        for each in people:
            said = "".join(f"  {known}" for known in (each["panel_id"], each["name"]) if known)
            amount = "" if each["amount"] is None else f", {each['amount']:,.2f} {each['currency']}".rstrip()
            why = f" ({each['evidence']})" if each["evidence"] else ""
            print(
                f"{each['annotator']}{said}: {each['decision']}{why}; {each['items']} items, "
                f"{each['active_minutes']:g} minutes, {each['controls_passed']} of {each['controls']} controls{amount}"
            )
    for sentence in found.hour.sentences():
        note(sentence)
