"""Counters that the store keeps beside the rows they count: correcting wrong ones, with an entry in each record."""

from collections import Counter

from sqlalchemy import Connection

from assay.store.coordinator.record import By, record
from assay.store.upkeep import kept_counts


def put_counts_right(connection: Connection, who: str, now: int) -> int:
    """Recount, and correct every wrong counter, with an entry in each study's record. Returns how many were wrong."""
    wrong = kept_counts.put_counts_right(connection)
    for study_id, count in sorted(Counter(each.study_id for each in wrong).items()):
        record(connection, By(study_id, who, now), "put counts right", about=f"{count} were wrong")
    return len(wrong)
