"""Open, pause or close a study."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from assay.cli.common import Database, Folder, Who, by, now, open_study


def run(
    where: Folder = Path(),
    to: Annotated[
        Literal["open", "paused", "closed"] | None,
        typer.Option("--to", help="The state to go to; without it the state is only shown."),
    ] = None,
    reason: Annotated[str, typer.Option(help="Why, for the record.")] = "",
    who: Who = "",
    database: Database = None,
) -> None:
    """Show whether a study takes answers, or open, pause or close it. Nothing is ever deleted by it.

    Paused, nobody gets a new item, and what is on its way is taken. Closed, answers that were on their way are taken
    for one more hour. Both can be undone at any time. Before a study is closed, what is still open is said.
    """
    from assay import acts
    from assay.live.before_closing import before_closing
    from assay.store.coordinator import studies

    with open_study(where, database) as at:
        if to == "closed":
            for each in before_closing(at.store, at.study_id, at.study, now()):
                print(f"  {'!' if each.count else '-'} {each.says}")
        if to is not None:
            at.store.write(acts.set_study_state, by(at, reason, who), to)
        print(f"{at.study.study} is {at.store.read(studies.state, at.study_id)}.")
