"""The server's clock was set: times in a study before and after it cannot be compared, so the record says so."""

from sqlalchemy import Connection

from assay.store.coordinator import studies
from assay.store.coordinator.record import By, record


def jump_in_words(jump_ms: int) -> str:
    """How far the clock was set, in words."""
    return f"{abs(jump_ms) / 1000:,.0f} seconds {'forward' if jump_ms > 0 else 'back'}"


def record_clock_jump(connection: Connection, jump_ms: int, now: int) -> None:
    """Keep in the record of every study that the clock was set."""
    about = f"the clock was set {jump_in_words(jump_ms)}"
    for study_id, _ in studies.all_studies(connection):
        record(connection, By(study_id, "the server", now), "clock", about=about)
