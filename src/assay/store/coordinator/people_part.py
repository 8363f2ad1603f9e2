"""Which items were drawn for people, where the study asks them for a part, and what judges leave in doubt."""

import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, func, select

from assay.assignment.people_part import doubt_of
from assay.judgments.stated_doubt import doubt_in
from assay.model import DrawnItem
from assay.store.tables import WORK, annotator, is_in_study, item, item_hidden, judgment, submission
from assay.study import Study


def drawn_items(connection: Connection, study_id: int) -> dict[str, DrawnItem]:
    """The items that were drawn from, by name; none where all are for people."""
    rows = connection.execute(
        select(item.c.name, item.c.wanted, item_hidden.c.drawn)
        .join(item_hidden, item_hidden.c.item_id == item.c.id)
        .where(is_in_study(study_id), item.c.series == WORK, item_hidden.c.drawn.is_not(None))
    )
    return {row.name: DrawnItem(row.drawn, row.wanted > 0) for row in rows}


def items_for_judges_alone(connection: Connection, study_id: int) -> int:
    """How many items people are not asked for."""
    left = (is_in_study(study_id), item.c.series == WORK, item.c.wanted == 0)
    return int(connection.execute(select(func.count()).select_from(item).where(*left)).scalar_one())


def doubts(connection: Connection, study_id: int, plan: Study) -> dict[int, float]:
    """The doubt of judges about each item, by its id; items without any are missing."""
    scored = {each.dimension: each.input.values() for each in plan.scored_dimensions}
    spans = {name: _span(values) for name, values in scored.items()}
    answers: dict[int, list[tuple[str, Any]]] = defaultdict(list)
    stated: dict[int, list[float]] = defaultdict(list)
    of_question: dict[str, float] = {}
    for (item_id, events), rows in _newest_of_judges(connection, study_id):
        given = []
        for row in rows:
            if row.dimension in scored:
                question = f"{row.dimension}.{row.side}.{row.entry}"
                given.append((question, json.loads(row.value)))
                of_question[question] = spans[row.dimension]
        answers[item_id] += given
        said = doubt_in(events)
        if said is not None:
            stated[item_id].append(said)
        elif given and all(value is None for _, value in given):
            stated[item_id].append(1.0)
    found = {item_id: doubt_of(given, of_question, stated[item_id]) for item_id, given in answers.items()}
    return {item_id: doubt for item_id, doubt in found.items() if doubt is not None}


def _newest_of_judges(connection: Connection, study_id: int) -> Iterator[tuple[tuple[int, str | None], list[Any]]]:
    """The newest submission of each judge for each item and pass: (item, its note) with the answers."""
    said = (submission.c.id, submission.c.item_id, submission.c.annotator_id, submission.c["pass"], submission.c.events)
    rows = connection.execute(
        select(*said, judgment.c.dimension, judgment.c.side, judgment.c.entry, judgment.c.value)
        .join(submission, submission.c.id == judgment.c.submission_id)
        .join(annotator, annotator.c.id == submission.c.annotator_id)
        .where(submission.c.study_id == study_id, annotator.c.judge.is_(True))
        .order_by(submission.c.item_id, submission.c.annotator_id, submission.c["pass"], submission.c.revision)
    )
    for (item_id, *_), passes in groupby(rows, key=lambda row: (row.item_id, row.annotator_id, row[3])):
        *_, newest = (list(some) for _, some in groupby(passes, key=lambda row: row.id))
        yield (item_id, newest[0].events), newest


def _span(values: Any) -> float:
    """From the least to the greatest point of a scale of numbers; 0 for words."""
    numbers = [each for each in values if isinstance(each, int | float) and not isinstance(each, bool)]
    return float(max(numbers) - min(numbers)) if numbers and len(numbers) == len(values) else 0.0
