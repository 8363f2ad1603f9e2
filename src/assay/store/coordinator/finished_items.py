"""Which items are finished: as many people as each needs have judged it. Whom a study leaves out does not count."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Subquery, func, select

from assay.store.coordinator import excluded_by_rule
from assay.store.coordinator.annotators_per_item import who_is_wanted
from assay.store.tables import WORK, is_in_study, item, submission


def is_finished(judged: Any, wanted: Any) -> Any:
    """Whether an item is finished that so many people have judged and that needs so many: numbers, or SQL."""
    return judged >= wanted


def first_passes(people: Select[Any] | list[int]) -> tuple[ColumnElement[bool], ...]:
    """The submissions by which people judge items: their first passes, without those that are surplus."""
    return submission.c["pass"] == 1, submission.c.surplus.is_(False), submission.c.annotator_id.in_(people)


def judged_and_wanted(connection: Connection, study_id: int) -> tuple[Any, ColumnElement[int]]:
    """How many people who count have judged an item, and how many it needs, in a query for items."""
    people, wanted = who_is_wanted(connection, study_id, excluded_by_rule.people(connection, study_id))
    of_item = (submission.c.item_id == item.c.id, *first_passes(people))
    counted = select(func.count(func.distinct(submission.c.annotator_id))).where(*of_item)
    return counted.correlate(item).scalar_subquery(), wanted


def count_finished(
    connection: Connection, study_id: int, left_out: Collection[str] | None = None, *which: ColumnElement[bool]
) -> int:
    """How many items are finished, of all or of those that meet conditions.

    Whom a coordinator has excluded does not count, nor do those whom the study's rules exclude: the named ones, or by
    default those whom they excluded when that was computed last.
    """
    named = excluded_by_rule.people(connection, study_id) if left_out is None else left_out
    finished = _finished_items(connection, study_id, named, *which)
    return int(connection.execute(select(func.count()).select_from(finished)).scalar_one())


def count_finished_in_pilot(
    connection: Connection, study_id: int, pilot: int, left_out: Collection[str] | None = None
) -> int:
    """How many items of a pilot are finished."""
    return count_finished(connection, study_id, left_out, item.c.pilot == pilot)


def count_finished_behind_pilot(connection: Connection, study_id: int, pilot: int) -> int:
    """How many items that are in none of the pilots so far are finished, as from files."""
    return count_finished(connection, study_id, None, ~item.c.pilot.between(1, pilot))


def _finished_items(
    connection: Connection, study_id: int, left_out: Collection[str], *which: ColumnElement[bool]
) -> Subquery:
    # One count over all submissions; `judged_and_wanted` counts for each item that a page shows.
    people, wanted = who_is_wanted(connection, study_id, left_out)
    by_item = (
        select(submission.c.item_id, func.count(func.distinct(submission.c.annotator_id)).label("people"))
        .where(*first_passes(people))
        .group_by(submission.c.item_id)
        .subquery()
    )
    of_work = (is_in_study(study_id), item.c.series == WORK, item.c.wanted > 0, *which)
    return (
        select(by_item.c.item_id)
        .join(item, item.c.id == by_item.c.item_id)
        .where(*of_work, is_finished(by_item.c.people, wanted))
        .subquery()
    )
