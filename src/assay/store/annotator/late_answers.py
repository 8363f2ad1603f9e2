"""Whether an answer that comes late still counts: after its item went back to others (`may_judge`: after the end)."""

from sqlalchemy import Connection

from assay.store.annotator.places import lock_pool, take


def late_answer_counts(connection: Connection, study_id: int, item_id: int, freed_at: int | None) -> bool:
    """Take the place of an item again, where it is still free: then the answer counts as if it had come in time.

    A place that was given to others for good (`freed_at`) does not come back. An answer that gets no place is surplus:
    it is kept, and counted nowhere.
    """
    lock_pool(connection, study_id)
    return freed_at is None and take(connection, item_id)
