"""What monitors need besides judgments: facts about the items, and the ends of breaks."""

import json
from collections import defaultdict

from sqlalchemy import Connection, select

from assay.model import Fact
from assay.store.coordinator.item_names import longer_names
from assay.store.tables import annotator, break_, is_in_study, item, reference


def facts(connection: Connection, study_id: int) -> dict[str, Fact]:
    """What there is to know of every item, by its name."""
    rows = connection.execute(
        select(item.c.id, item.c.name, item.c.words, item.c.shown, reference.c.answers)
        .outerjoin(reference, reference.c.item_id == item.c.id)
        .where(is_in_study(study_id))
    )
    longer = longer_names(connection, study_id)
    return {
        longer.get(id_, name): Fact(words, json.loads(shown), json.loads(answers) if answers else {})
        for id_, name, words, shown, answers in rows
    }


def ends_of_breaks(connection: Connection, study_id: int) -> dict[str, list[int]]:
    """When each annotator came back from breaks."""
    rows = connection.execute(
        select(annotator.c.name, break_.c.ended_at)
        .join(annotator, annotator.c.id == break_.c.annotator_id)
        .where(annotator.c.study_id == study_id, break_.c.ended_at.is_not(None))
        .order_by(break_.c.ended_at)
    )
    found: dict[str, list[int]] = defaultdict(list)
    for name, ended_at in rows:
        found[name].append(ended_at)
    return dict(found)
