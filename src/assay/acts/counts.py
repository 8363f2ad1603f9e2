"""Counts that the store keeps beside what they count: putting wrong ones right, with an entry in each record."""

from collections import Counter

from sqlalchemy import Connection

from assay.store.coordinator.record import By, record
from assay.store.upkeep import kept_counts


def put_counts_right(connection: Connection, who: str, now: int) -> int:
    """Set every wrong number to what it counts, with an entry in each study's record. Returns how many were wrong."""
    wrong = kept_counts.put_counts_right(connection)
    for study_id, count in sorted(Counter(each.study_id for each in wrong).items()):
        record(connection, By(study_id, who, now), "put counts right", about=f"{count} were wrong")
    return len(wrong)
