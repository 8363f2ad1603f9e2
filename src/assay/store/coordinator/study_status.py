"""How far a study is: its annotators, its items, its batches, and under which versions was judged."""

import json
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, Subquery, and_, case, func, select

from assay.fieldwork import AnnotatorProgress, ItemGiven
from assay.model import IMPORTED, PRACTICE
from assay.store.annotator.assignments import AT_WORK
from assay.store.coordinator import excluded_by_rule
from assay.store.coordinator.annotators_per_item import people_wanted
from assay.store.coordinator.finished_items import count_finished
from assay.store.coordinator.people_part import items_for_judges_alone
from assay.store.engine.text_order import by_code
from assay.store.tables import (
    WORK,
    annotator,
    assignment,
    gate_pass,
    is_in_study,
    item,
    item_hidden,
    study_version,
    submission,
)


def progress(connection: Connection, study_id: int, gates_in_force: Collection[str] = ()) -> list[AnnotatorProgress]:
    """How far every annotator is, in the order of their names. Gates count as they are now: an older text does not."""
    by_rule = excluded_by_rule.people(connection, study_id)
    rows = connection.execute(_progress_rows(study_id, gates_in_force))
    return [_progress(row, by_rule[row.name].reason if row.name in by_rule else "") for row in rows]


def _progress_rows(study_id: int, gates_in_force: Collection[str]) -> Select[Any]:
    mine = select(annotator.c.id).where(annotator.c.study_id == study_id)
    gates, given, done = _gates_passed(gates_in_force), _items_given(mine), _items_submitted(mine)
    return (
        select(
            annotator.c.name,
            annotator.c.left_at,
            annotator.c.simulated,
            annotator.c.state,
            annotator.c.excluded_at,
            annotator.c.from_file,
            gates.c.gates,
            given.c.given,
            given.c.declined,
            done,
        )
        .outerjoin(gates, gates.c.annotator_id == annotator.c.id)
        .outerjoin(given, given.c.annotator_id == annotator.c.id)
        .outerjoin(done, done.c.annotator_id == annotator.c.id)
        .where(annotator.c.study_id == study_id, annotator.c.judge.is_(False))
        .order_by(by_code(annotator.c.name))
    )


def _gates_passed(in_force: Collection[str]) -> Subquery:
    """How many of the gates in force each annotator has passed."""
    return (
        select(gate_pass.c.annotator_id, func.count(func.distinct(gate_pass.c.version)).label("gates"))
        .where(gate_pass.c.version.in_(list(in_force)))
        .group_by(gate_pass.c.annotator_id)
        .subquery()
    )


def _items_given(whom: Select[Any]) -> Subquery:
    """How many items each annotator was given, and how many they would rather not judge."""
    return (
        select(
            assignment.c.annotator_id,
            func.count().label("given"),
            func.sum(case((assignment.c.state == "declined", 1), else_=0)).label("declined"),
        )
        .where(assignment.c.annotator_id.in_(whom), AT_WORK, assignment.c.state != "returned")
        .group_by(assignment.c.annotator_id)
        .subquery()
    )


def _items_submitted(whom: Select[Any]) -> Subquery:
    """How many items each annotator has judged, in which time, and when the last; practice is no part of it."""
    of_file = and_(submission.c.revision == 1, submission.c.source == IMPORTED)
    return (
        select(
            submission.c.annotator_id,
            func.sum(case((submission.c.revision == 1, 1), else_=0)).label("submitted"),
            func.sum(case((of_file, 1), else_=0)).label("from_files"),
            func.sum(submission.c.active_ms).label("active_ms"),
            func.max(submission.c.submitted_at).label("last_at"),
        )
        .where(submission.c.annotator_id.in_(whom), submission.c.source != PRACTICE)
        .group_by(submission.c.annotator_id)
        .subquery()
    )


def _progress(row: Any, by_rule: str) -> AnnotatorProgress:
    return AnnotatorProgress(
        annotator=row.name,
        gates=row.gates or 0,
        given=row.given or 0,
        submitted=int(row.submitted or 0),
        active_ms=None if row.submitted and row.active_ms is None else int(row.active_ms or 0),
        last_at=row.last_at,
        left=row.left_at is not None,
        declined=int(row.declined or 0),
        simulated=row.simulated,
        state=row.state,
        excluded=row.excluded_at is not None,
        by_rule=by_rule,
        from_files=int(row.from_files or 0),
        elsewhere=row.from_file,
    )


def items_given(connection: Connection, study_id: int) -> list[ItemGiven]:
    """Of every item that was given to somebody: how often, and how often it was declined. Practice is no part of it."""
    rows = connection.execute(
        select(
            item.c.name,
            item_hidden.c.systems,
            item_hidden.c.group,
            func.count().label("given"),
            func.sum(case((assignment.c.state == "declined", 1), else_=0)).label("declined"),
        )
        .join(item, item.c.id == assignment.c.item_id)
        .join(item_hidden, item_hidden.c.item_id == item.c.id)
        .join(annotator, annotator.c.id == assignment.c.annotator_id)
        .where(
            annotator.c.study_id == study_id, annotator.c.judge.is_(False), AT_WORK, assignment.c.state != "returned"
        )
        .group_by(item.c.name, item_hidden.c.systems, item_hidden.c.group)
        .order_by(by_code(item.c.name))
    )
    return [
        ItemGiven(row.name, tuple(json.loads(row.systems or "[]")), row.group or "", row.given, int(row.declined or 0))
        for row in rows
    ]


def people_have_worked(connection: Connection, study_id: int) -> bool:
    """Whether somebody who is no bot has submitted an item, on the page or on a sheet."""
    of_people = (
        select(submission.c.id)
        .join(annotator, annotator.c.id == submission.c.annotator_id)
        .where(submission.c.study_id == study_id, submission.c.source.in_(("work", "sheet")))
        .where(annotator.c.simulated.is_(False))
    )
    return connection.execute(of_people.limit(1)).first() is not None


def judges_have_judged(connection: Connection, study_id: int) -> bool:
    """Whether an automated judge has judged an item."""
    of_judges = (
        select(submission.c.id)
        .join(annotator, annotator.c.id == submission.c.annotator_id)
        .where(submission.c.study_id == study_id, annotator.c.judge.is_(True))
    )
    return connection.execute(of_judges.limit(1)).first() is not None


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """How many items there are, by system, and how many are done."""

    items: int
    """That people are asked for."""
    finished: int
    systems: dict[str, int]
    judges_alone: int = 0
    """How many more there are that people are not asked for."""


def item_counts(connection: Connection, study_id: int, left_out: Collection[str] | None = None) -> ItemCounts:
    """Count the items of a study: all, those that have all their judgments, and by system.

    Whom a coordinator has excluded does not count, nor do those whom the study's rules exclude: the named ones, or by
    default those whom they excluded when that was computed last.
    """
    of_work = (is_in_study(study_id), item.c.series == WORK, item.c.wanted > 0)
    finished = count_finished(connection, study_id, left_out)
    by_system = connection.execute(
        select(item_hidden.c.systems, func.count().label("count"))
        .join(item, item.c.id == item_hidden.c.item_id)
        .where(*of_work)
        .group_by(item_hidden.c.systems)
        .order_by(by_code(item_hidden.c.systems))
    )
    total = 0
    systems: Counter[str] = Counter()
    for names, count in by_system:
        total += count
        for system in json.loads(names) or [""]:
            systems[system] += count
    alone = items_for_judges_alone(connection, study_id)
    return ItemCounts(total, finished, dict(sorted(systems.items())), alone)


def items_begun(connection: Connection, study_id: int) -> int:
    """How many items were given to somebody or judged."""
    begun = (is_in_study(study_id), item.c.series == WORK, item.c.taken > 0)
    return int(connection.execute(select(func.count()).where(*begun)).scalar_one())


def submissions_by_version(connection: Connection, study_id: int) -> dict[str, int]:
    """The study versions under which judgments were given, with the number of submissions of each."""
    rows = connection.execute(
        select(study_version.c.hash, func.count(submission.c.id).label("count"))
        .join(
            submission,
            and_(submission.c.study_id == study_version.c.study_id, submission.c.study_hash == study_version.c.hash),
        )
        .where(study_version.c.study_id == study_id)
        .group_by(study_version.c.hash, study_version.c.published_at)
        .order_by(study_version.c.published_at)
    )
    return {str(row[0]): int(row[1]) for row in rows}


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """How far the items of a batch are."""

    name: str
    items: int
    places: int
    """How many judgments of items it needs in all."""
    taken: int


def batches(connection: Connection, study_id: int) -> list[BatchProgress]:
    """The batches of a study in their order, where it has some."""
    rows = connection.execute(
        select(item_hidden.c.batch, item.c.wanted, func.count().label("items"), func.sum(item.c.taken).label("taken"))
        .join(item, item.c.id == item_hidden.c.item_id)
        .where(is_in_study(study_id), item.c.series == WORK, item_hidden.c.batch != "")
        .group_by(item_hidden.c.batch, item.c.batch, item.c.wanted)
        .order_by(item.c.batch)
    ).all()
    found: dict[str, BatchProgress] = {}
    for row in rows:
        so_far = found.get(row.batch, BatchProgress(row.batch, 0, 0, 0))
        places = so_far.places + row.items * people_wanted(connection, study_id, row.wanted)
        found[row.batch] = BatchProgress(row.batch, so_far.items + row.items, places, so_far.taken + int(row.taken))
    return list(found.values())
