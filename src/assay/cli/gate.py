"""Let somebody pass a gate."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, Reason, Who, by, open_study


def run(
    name: Annotated[str, typer.Argument(help="The annotator's name or pseudonym.", metavar="NAME")],
    gate: Annotated[str, typer.Argument(help="The kind of gate, as the study file names it.", metavar="GATE")],
    where: Folder = Path(),
    reason: Reason = "",
    who: Who = "",
    database: Database = None,
) -> None:
    """Let somebody pass a gate that they cannot pass by themselves. Who decided it, when and why is recorded.

    After the last attempt at a quiz or a calibration, after a screening that turned somebody away by mistake, and where
    a calibration asks for a talk before the work: then this ends the waiting. What was answered at the gate stays as it
    is. `assay status` names those who wait.
    """
    from assay import acts

    with open_study(where, database) as at:
        at.store.write(acts.pass_gate_by_hand, by(at, reason, who), at.study, name, gate)
    print(f"{name} has passed {gate}.")
