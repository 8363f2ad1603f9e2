"""What exports need besides judgments: the items and the annotators of a study, row by row."""

import json
from collections.abc import Iterator

from sqlalchemy import Connection, func, select

from assay.model import PRACTICE, ExportAnnotator, ExportItem, Item
from assay.store.coordinator.annotators_per_item import people_wanted
from assay.store.coordinator.item_names import longer_names
from assay.store.engine.text_order import by_code
from assay.store.tables import EVERYBODY, annotator, duplicate, is_in_study, item, item_hidden, submission


def items(connection: Connection, study_id: int) -> Iterator[ExportItem]:
    """Every item of a study, in the order in which they came."""
    again: dict[int, list[str]] = {}
    named = select(duplicate.c.item_id, duplicate.c.name).where(duplicate.c.study_id == study_id)
    for item_id, name in connection.execute(named.order_by(by_code(duplicate.c.name))):
        again.setdefault(item_id, []).append(name)
    longer = longer_names(connection, study_id)
    everybody = people_wanted(connection, study_id, EVERYBODY)
    hidden = item_hidden.c
    rows = connection.execution_options(stream_results=True).execute(
        select(item, hidden.systems, hidden.group, hidden.batch.label("batch_name"), hidden.hidden)
        .join(item_hidden, item_hidden.c.item_id == item.c.id)
        .where(is_in_study(study_id))
        .order_by(item.c.id)
    )
    for row in rows:
        systems = tuple(json.loads(row.systems))
        shown, kept = json.loads(row.shown), json.loads(row.hidden)
        made = Item(longer.get(row.id, row.name), shown, kept, systems, row.group, row.batch_name)
        wanted = everybody if row.wanted == EVERYBODY else row.wanted
        yield ExportItem(made, row.series, wanted, tuple(again.get(row.id, ())))


def annotators(connection: Connection, study_id: int) -> Iterator[ExportAnnotator]:
    """Everybody who takes part in a study, automated judges too, in the order of their names."""
    done = (
        select(
            submission.c.annotator_id,
            func.count().label("submissions"),
            func.sum(submission.c.active_ms).label("active_ms"),
            func.min(submission.c.submitted_at).label("first_at"),
            func.max(submission.c.submitted_at).label("last_at"),
        )
        .where(submission.c.study_id == study_id, submission.c.source != PRACTICE)
        .group_by(submission.c.annotator_id)
        .subquery()
    )
    rows = connection.execute(
        select(annotator, done.c.submissions, done.c.active_ms, done.c.first_at, done.c.last_at)
        .outerjoin(done, done.c.annotator_id == annotator.c.id)
        .where(annotator.c.study_id == study_id)
        .order_by(by_code(annotator.c.name))
    )
    for row in rows:
        yield ExportAnnotator(
            annotator=row.name,
            judge=row.judge,
            simulated=row.simulated,
            state=row.state,
            left=row.left_at is not None,
            excluded=row.excluded_at is not None,
            submissions=row.submissions or 0,
            active_ms=None if row.submissions and row.active_ms is None else int(row.active_ms or 0),
            first_at=row.first_at,
            last_at=row.last_at,
        )
