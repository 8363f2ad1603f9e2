"""Put a study away, have it back, or delete it for good."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, Who, by, now, open_study
from assay.errors import AssayError


def run(
    where: Folder = Path(),
    confirm: Annotated[str, typer.Option(help="The study's name, typed out: what is to be removed.")] = "",
    reason: Annotated[str, typer.Option(help="Why, for the record.")] = "",
    undo: Annotated[bool, typer.Option("--undo", help="Have the study back, paused.")] = False,
    purge: Annotated[
        bool, typer.Option("--purge", help="Delete it for good, thirty days or more after it was removed.")
    ] = False,
    who: Who = "",
    database: Database = None,
) -> None:
    """Put a study away. Nobody sees it any more, and it can be had back for thirty days.

    Its judgments stay in the store until it is purged, which is asked for by itself and never happens on its own.
    """
    from assay import acts
    from assay.store.coordinator import studies

    if undo and purge:
        raise AssayError("a study is had back or deleted, not both", "say --undo or --purge")
    with open_study(where, database) as at:
        acting = by(at, reason, who)
        name = at.study.study
        if undo:
            at.store.write(acts.bring_study_back, acting)
            print(f"{name} is back, and paused. `assay state --to open` lets work go on.")
        elif purge:
            if confirm != name:
                raise AssayError(f"that is not the study's name ({confirm!r})", f"say --confirm {name}")
            at.store.write(acts.purge_study, at.study_id, now())
            print(f"Everything of {name} is deleted.")
        else:
            at.store.write(acts.remove_study, acting, confirm)
            print(f"{name} is removed. `assay remove --undo` has it back, for {studies.KEPT_DAYS} days.")
