"""Stop new people from enrolling, or let them enrol again."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from assay.cli.common import Database, Folder, Reason, Who, by, open_study


def run(
    where: Folder = Path(),
    to: Annotated[
        Literal["open", "stopped"] | None,
        typer.Option("--to", help="The state to go to; without it the state is only shown."),
    ] = None,
    reason: Reason = "",
    who: Who = "",
    database: Database = None,
) -> None:
    """Show whether new people can enrol by the link for anybody, or stop that, or let it go on.

    Whoever has a place keeps it and comes back to it. People whom a panel sends meanwhile get the code for over quota.
    """
    from assay import acts
    from assay.store.coordinator import studies

    with open_study(where, database) as at:
        if to is not None:
            at.store.write(acts.set_enrolment, by(at, reason, who), to)
        print(f"Enrolment of {at.study.study} is {at.store.read(studies.enrolment, at.study_id)}.")
