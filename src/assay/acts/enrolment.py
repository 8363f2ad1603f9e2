"""Whether strangers can enrol: a coordinator's switch, and the study's limit for each minute."""

from sqlalchemy import Connection

from assay.errors import AssayError, Conflict, TooMany
from assay.store.coordinator import studies
from assay.store.coordinator.record import By, record
from assay.study.assignment import Enrolment
from assay.words import Translatable

MINUTE = 60_000


def set_enrolment(connection: Connection, by: By, new: str) -> None:
    """Stop new people from enrolling, or let them enrol again. Whoever has a place keeps it."""
    if new not in studies.ENROLMENT:
        raise AssayError(f"enrolment cannot be {new!r}", f"it can be {', '.join(studies.ENROLMENT)}")
    if studies.set_enrolment(connection, by.study_id, new, by.at):
        record(connection, by, f"enrolment {new}")


def refuse_enrolment(connection: Connection, study_id: int, enrol: Enrolment, now: int) -> None:
    """Raise where nobody new can enrol under an id of their own: it is stopped, or too many come at once."""
    if studies.enrolment(connection, study_id) == "stopped":
        raise Conflict(Translatable("landing.stopped"))
    refuse_too_many(connection, study_id, enrol, now)


def refuse_too_many(connection: Connection, study_id: int, enrol: Enrolment, now: int) -> None:
    """Raise where as many have come in this minute as the study takes.

    The study's row is locked by then: of two who come at once, the second sees the first.
    """
    most, times = enrol.per_minute, studies.enrolment_times(connection, study_id, now - MINUTE)
    if most is not None and len(times) >= most:
        raise TooMany(max(1, -(-(times[-most] + MINUTE - now) // 1000)))
