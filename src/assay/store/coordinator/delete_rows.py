"""Deletes rows, and puts the counts and places that depended on them right."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Column, Connection, delete, exists, insert, select, update

from assay.store.annotator.participation import TAKES_PLACE
from assay.store.coordinator import pattern_counts
from assay.store.coordinator.items import CHUNK
from assay.store.tables import annotator, assignment, item, submission, uncounted


def delete_rows(connection: Connection, column: Column[Any], values: Sequence[Any]) -> None:
    """Delete the rows of a table whose column has one of these values, in chunks."""
    for start in range(0, len(values), CHUNK):
        connection.execute(delete(column.table).where(column.in_(values[start : start + CHUNK])))


def count_without(connection: Connection, study_id: int, items: Iterable[int]) -> None:
    """Remove items from the counts of agreement, and queue what is left of their judgments to be counted again."""
    touched = sorted(items)
    for start in range(0, len(touched), CHUNK):
        some = touched[start : start + CHUNK]
        pattern_counts.count(connection, study_id, {each: [] for each in some}, {})
        waiting = exists().where(uncounted.c.submission_id == submission.c.id)
        left = select(submission.c.id, submission.c.study_id, submission.c.item_id).where(
            submission.c.item_id.in_(some), ~waiting
        )
        connection.execute(insert(uncounted).from_select(["submission_id", "study_id", "item_id"], left))


def free_places(connection: Connection, ids: Sequence[int]) -> None:
    """Free the places of assignments that are about to be deleted."""
    free: Counter[int] = Counter()
    for start in range(0, len(ids), CHUNK):
        some = assignment.c.id.in_(ids[start : start + CHUNK])
        rows = connection.execute(select(assignment.c.item_id).join(annotator).where(some, TAKES_PLACE))
        free.update(rows.scalars())
    for item_id, count in sorted(free.items()):
        connection.execute(update(item).where(item.c.id == item_id).values(taken=item.c.taken - count))
