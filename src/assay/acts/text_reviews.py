"""Reviewing free texts: each is let through into anonymised exports, or is not."""

from collections.abc import Sequence

from sqlalchemy import Connection

from assay.store.coordinator import text_reviews
from assay.store.coordinator.erase_person import text_dimensions
from assay.store.coordinator.record import By, record
from assay.store.coordinator.text_reviews import FreeText


def texts_to_review(connection: Connection, study_id: int) -> list[FreeText]:
    """Every free text, with what was decided about it."""
    return text_reviews.free_texts(connection, study_id, text_dimensions(connection, study_id))


def review_texts(connection: Connection, by: By, let_through: Sequence[str], leave_out: Sequence[str]) -> int:
    """Decide which texts anonymised exports have; one without a decision is left out. Returns how many were decided."""
    known = {each.key for each in texts_to_review(connection, by.study_id)}
    done = text_reviews.decide(connection, by, known, let_through, leave_out)
    if done:
        record(
            connection, by, "review texts", about=f"{len(set(let_through))} let through, {len(set(leave_out))} left out"
        )
    return done
