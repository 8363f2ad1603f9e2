"""What annotators answered to items with agreed answers, side by side: for them and the coordinator to talk over."""

import json
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from sqlalchemy import Connection, select

from assay.model import Slot, Value
from assay.store.tables import annotator, is_in_study, item, judgment, reference, submission


@dataclass(frozen=True, slots=True)
class AnswersToItem:
    """An item with a reference, and everybody's answers by form field, with candidates instead of sides."""

    item: str
    shown: dict[str, Any]
    reference: dict[str, Value]
    reason: str
    said: dict[str, dict[str, Value]] = field(default_factory=dict)
    """By annotator; of somebody who had it twice, the newest."""


def answers_by_item(connection: Connection, study_id: int, series: str) -> list[AnswersToItem]:
    """Every item of a series that somebody has judged, in the order of the file."""
    of_series = (is_in_study(study_id), item.c.series == series)
    items = connection.execute(
        select(item.c.id, item.c.name, item.c.shown, reference.c.answers, reference.c.reason)
        .join(reference, reference.c.item_id == item.c.id)
        .where(*of_series)
        .order_by(item.c.id)
    )
    found = {
        row.id: AnswersToItem(row.name, json.loads(row.shown), json.loads(row.answers), row.reason)
        for row in items.all()
    }
    rows = connection.execute(
        select(submission.c.item_id, submission.c.id, annotator.c.name, judgment)
        .select_from(submission)
        .join(item, item.c.id == submission.c.item_id)
        .join(annotator, annotator.c.id == submission.c.annotator_id)
        .join(judgment, judgment.c.submission_id == submission.c.id)
        .where(*of_series)
        .order_by(submission.c.submitted_at, submission.c.id)
    )
    newest: dict[tuple[int, str], str] = {}
    for row in rows:
        if row.item_id not in found:
            continue
        if newest.get((row.item_id, row.name)) != row.id:
            newest[row.item_id, row.name] = row.id
            found[row.item_id].said[row.name] = {}
        key = Slot(row.dimension, row.side, row.entry).key
        found[row.item_id].said[row.name][key] = json.loads(row.value)
    return [each for each in found.values() if each.said]


def best_pair(items: list[AnswersToItem]) -> tuple[str, str] | None:
    """The two annotators with the most items in common; of several the first by name."""
    common = Counter(pair for each in items for pair in combinations(sorted(each.said), 2))
    return min(common, key=lambda pair: (-common[pair], pair)) if common else None
