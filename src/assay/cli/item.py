"""Take an item out of a study, or put it back."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from assay.cli.common import Database, Folder, Reason, Who, by, open_study


def run(
    name: Annotated[str, typer.Argument(help="The item's id, as in its file.", metavar="NAME")],
    what: Annotated[Literal["take-out", "put-back"], typer.Argument(help="What to do.")],
    where: Folder = Path(),
    reason: Reason = "",
    who: Who = "",
    database: Database = None,
) -> None:
    """Take an item out of a study, or put it back. It is recorded with who, when and why, and deletes nothing.

    take-out: nobody gets the item any more, and no result counts it; what was said of it stays in the data, and the
    next import does not bring it back. put-back: it is given out and counted again.
    """
    from assay import acts

    with open_study(where, database) as at:
        move = acts.withdraw_item if what == "take-out" else acts.put_item_back
        at.store.write(move, by(at, reason, who), name)
    said = "is taken out: nobody gets it, and no result counts it." if what == "take-out" else "is in the study again."
    print(f"{name} {said}")
