"""What is done with a study as a whole: published, opened, paused, closed, removed, brought back, deleted.

Nothing is deleted by any of it but by `purge_study`, thirty days after a study was removed, and only when asked.
"""

from sqlalchemy import Connection

from assay.acts.reasons import need_reason
from assay.errors import AssayError
from assay.store.annotator.sessions import DAY
from assay.store.coordinator import studies
from assay.store.coordinator.record import By, record
from assay.store.coordinator.studies import KEPT_DAYS, REMOVED, STATES

RECORDED_AS = {"open": "open", "paused": "pause study", "closed": "close"}


def set_study_state(connection: Connection, by: By, new: str) -> None:
    """Open, pause or close a study."""
    if new not in STATES:
        raise AssayError(f"a study cannot be {new!r}", f"it can be {', '.join(STATES)}")
    if studies.state(connection, by.study_id) == REMOVED:
        raise AssayError("the study is removed", "bring it back first: assay remove --undo")
    if studies.set_state(connection, by.study_id, new, by.at):
        record(connection, by, RECORDED_AS[new])


def remove_study(connection: Connection, by: By, confirmed: str) -> None:
    """Put a study away: nobody sees it any more. It can be had back for thirty days."""
    name, state = studies.name_and_state(connection, by.study_id)
    if confirmed != name:
        raise AssayError(f"that is not the study's name ({confirmed!r})", f"type {name!r} to remove it")
    need_reason(by, "to remove a study")
    if studies.set_state(connection, by.study_id, REMOVED, by.at):
        record(connection, by, "remove study", about=state)


def bring_study_back(connection: Connection, by: By) -> None:
    """Have a removed study back, paused: whoever brings it back says when work goes on."""
    name, state = studies.name_and_state(connection, by.study_id)
    if state != REMOVED:
        raise AssayError(f"{name} is not removed", "there is nothing to undo")
    studies.set_state(connection, by.study_id, "paused", by.at)
    record(connection, by, "bring study back")


def purge_study(connection: Connection, study_id: int, now: int) -> None:
    """Delete everything of a study that was removed thirty days ago or earlier. This cannot be undone."""
    away = {each.id: each for each in studies.removed_studies(connection)}.get(study_id)
    if away is None or away.at > now - KEPT_DAYS * DAY:
        name, _ = studies.name_and_state(connection, study_id)
        raise AssayError(f"{name} cannot be deleted yet", f"it is kept for {KEPT_DAYS} days after it was removed")
    studies.delete_everything_of(connection, study_id)
