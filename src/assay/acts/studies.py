"""What is done with a study as a whole: published, opened, paused, closed, removed, brought back, deleted.

Nothing is deleted by any of it but by `purge_study`, thirty days after a study was removed, and only when asked.
"""

from sqlalchemy import Connection

from assay.acts.reasons import need_reason
from assay.errors import AssayError
from assay.store.annotator.session_lifetime import DAY
from assay.store.annotator.versions import version_in_force
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
    """Put a study away: nobody sees it any more. It can be brought back for thirty days."""
    name, state = studies.name_and_state(connection, by.study_id)
    if confirmed != name:
        raise AssayError(f"that is not the study's name ({confirmed!r})", f"type {name!r} to remove it")
    need_reason(by, "to remove a study")
    if studies.set_state(connection, by.study_id, REMOVED, by.at):
        record(connection, by, "remove study", about=state)


def set_study_aside(connection: Connection, by: By) -> str:
    """Keep a removed study under another name, which is returned: its own is free, and a study can begin under it."""
    name, state = studies.name_and_state(connection, by.study_id)
    if state != REMOVED:
        raise AssayError(f"{name} is not removed", "a study in use keeps its name: remove it first")
    kept = studies.name_to_keep(connection, name)
    studies.rename(connection, by.study_id, kept)
    record(connection, by, "set study aside", about=kept)
    return kept


def bring_study_back(connection: Connection, by: By) -> str:
    """Bring a removed study back, paused: whoever brings it back says when work goes on.

    One that was set aside has its own name again, unless another study has it by now. Returns its name.
    """
    name, state = studies.name_and_state(connection, by.study_id)
    if state != REMOVED:
        raise AssayError(f"{name} is not removed", "there is nothing to undo")
    own = version_in_force(connection, by.study_id).study
    if name != own and not studies.is_taken(connection, own):
        studies.rename(connection, by.study_id, own)
        name = own
    studies.set_state(connection, by.study_id, "paused", by.at)
    record(connection, by, "bring study back", about=name)
    return name


def purge_study(connection: Connection, study_id: int, now: int) -> None:
    """Delete everything of a study that was removed thirty days ago or earlier. This cannot be undone."""
    away = {each.id: each for each in studies.removed_studies(connection)}.get(study_id)
    if away is None or away.at > now - KEPT_DAYS * DAY:
        name, _ = studies.name_and_state(connection, study_id)
        raise AssayError(f"{name} cannot be deleted yet", f"it is kept for {KEPT_DAYS} days after it was removed")
    studies.delete_everything_of(connection, study_id)
