"""Review free texts for anonymised exports."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, Json, Reason, Who, by, open_study, plural, print_json

STATES = {True: "let through", False: "left out", None: "not reviewed"}


def run(
    where: Folder = Path(),
    let_through: Annotated[
        list[str] | None, typer.Option("--let-through", help="The key of a text that exports may have; once each.")
    ] = None,
    leave_out: Annotated[
        list[str] | None, typer.Option("--leave-out", help="The key of a text that exports must not have; once each.")
    ] = None,
    reason: Reason = "",
    who: Who = "",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List the free texts of annotators, or decide which of them an anonymised export has.

    What may tell who somebody is (names, mail addresses, numbers) stands in [brackets]. A text that nobody has decided
    about is left out of anonymised exports.
    """
    from assay import acts
    from assay.exchange.personal_details import parts

    with open_study(where, database) as at:
        if let_through or leave_out:
            done = at.store.write(acts.review_texts, by(at, reason, who), let_through or [], leave_out or [])
            print(f"{plural(done, 'text')} decided.")
            return
        found = at.store.read(acts.texts_to_review, at.study_id)
    if as_json:
        print_json([asdict(each) for each in found])
        return
    for each in found:
        words = "".join(f"[{part.text}]" if part.kind else part.text for part in parts(each.words))
        print(f"{each.key}  {each.item}  {each.dimension}  ({STATES[each.passed]})\n    {' '.join(words.split())}")
    if not found:
        print("Nobody has written anything.")
