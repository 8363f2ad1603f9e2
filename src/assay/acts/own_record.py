"""What people do about themselves, in the record of their study."""

from sqlalchemy import Connection

from assay.store.annotator.sessions import Annotator
from assay.store.coordinator.record import By, record

THE_PERSON = "the person"
"""Who did it, where somebody did it about themselves."""


def own_record(connection: Connection, annotator: Annotator, what: str, now: int) -> None:
    """Keep that somebody did something about themselves, and when."""
    record(connection, By(annotator.study_id, THE_PERSON, now), what, annotator.id)
