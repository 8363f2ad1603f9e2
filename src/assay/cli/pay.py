"""List who is to be paid."""

import csv as csv_files
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import Database, Folder, Json, note, now, open_study, plural, print_json
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.live.pay_list import PayList


class Reader(StrEnum):
    """Who is to read the list."""

    panel = "panel"


def run(
    where: Folder = Path(),
    out: Annotated[Path | None, typer.Option(help="Write the list to this CSV file.")] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print the list as CSV.")] = False,
    for_: Annotated[
        Reader | None,
        typer.Option("--for", help="panel: whom to pay, in the columns that the study's panel takes; nothing else."),
    ] = None,
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
    if for_ is not None:
        _write_for_panel(found, out)
    elif out is not None:
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


def _write_for_panel(found: "PayList", out: Path | None) -> None:
    from assay.exchange.atomic import atomic_text_file

    lines = found.for_panel()
    if found.panel is None or lines is None:
        raise AssayError("no panel sends people to this study", "assignment.enrol.panel names one; or leave out --for")
    if out is None:
        csv_files.writer(sys.stdout, lineterminator="\n").writerows(lines)
    else:
        with atomic_text_file(out) as file:
            csv_files.writer(file, lineterminator="\n").writerows(lines)
    note(f"{plural(len(lines), 'line')} for {found.panel.kind}{'' if out is None else f' in {out}'}.")
