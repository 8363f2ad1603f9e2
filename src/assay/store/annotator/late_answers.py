"""Whether an answer still counts after its item went back to others; `acts/may_judge`: after the study's end."""

from sqlalchemy import Connection

from assay.store.annotator.places import lock_pool, take


def late_answer_counts(connection: Connection, study_id: int, item_id: int, freed_at: int | None) -> bool:
    """Take the place of an item again if it is still free; the answer then counts as if it were in time.

    A place that was given to others for good (`freed_at`) does not come back. An answer that gets no place is surplus:
    it is kept, and counted nowhere.
    """
    lock_pool(connection, study_id)
    return freed_at is None and take(connection, item_id)
