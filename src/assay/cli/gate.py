"""Let somebody pass a gate."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import Database, Folder, Reason, Who

if TYPE_CHECKING:
    from assay.gates import Gate
    from assay.store import Backend
    from assay.study import Study


def run(
    name: Annotated[str, typer.Argument(help="The annotator's pseudonym.", metavar="NAME")],
    gate: Annotated[str, typer.Argument(help="The kind of gate, as the study file names it.", metavar="GATE")],
    where: Folder = Path(),
    reason: Reason = "",
    who: Who = "",
    database: Database = None,
) -> None:
    """Let somebody pass a gate that they cannot pass by themselves. Who decided it, when and why is recorded.

    After a quiz or a calibration without a try left, after a screening that turned somebody away by mistake, and where
    a calibration asks for a talk before the work: then this ends the waiting. What was answered at the gate stays as it
    is. `assay status` names those who wait.
    """
    from assay.cli.common import by, opened
    from assay.store.annotator import attempts

    with opened(where, database) as at:
        acting = by(at, reason, who)
        meant = _meant(at.store, at.study_id, at.study, name, gate)
        at.store.write(
            attempts.pass_by_hand, at.study_id, name, meant.kind, meant.version, acting.who, reason, acting.at
        )
    print(f"{name} has passed {gate}.")


def _meant(store: "Backend", study_id: int, study: "Study", name: str, kind: str) -> "Gate":
    """The gate of this kind; of several the first that the person has not passed."""
    from assay.errors import AssayError
    from assay.store.annotator import attempts

    found = [entry.gate for entry in study.gates if entry.gate.kind == kind]
    if not found:
        kinds = ", ".join(dict.fromkeys(entry.gate.kind for entry in study.gates)) or "none"
        raise AssayError(f"the study has no gate {kind!r}", f"its gates: {kinds}")
    open_ = store.read(attempts.not_passed, study_id, name, found)
    if not open_:
        raise AssayError(f"{name} has passed {kind} already")
    return open_[0]
