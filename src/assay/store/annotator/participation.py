"""Who takes part: leaving, coming back, and the counts that are kept beside a study."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, ScalarSelect, and_, case, func, or_, select, update

from assay.model import IMPORTED
from assay.store.annotator.places import return_all_of
from assay.store.tables import IS_IN_THE_STUDY, WORK, annotator, assignment, is_in_study, item, study, submission


def leave(connection: Connection, study_id: int, annotator_id: int, now: int) -> bool:
    """Record that somebody leaves, and give their unjudged items to others. False if they had left before."""
    changed = connection.execute(
        update(annotator).where(annotator.c.id == annotator_id, annotator.c.left_at.is_(None)).values(left_at=now)
    )
    return_all_of(connection, study_id, annotator_id)
    recount_work(connection, study_id)
    return changed.rowcount > 0


def come_back(connection: Connection, study_id: int, annotator_id: int) -> None:
    """Take part again, after having left."""
    connection.execute(update(annotator).where(annotator.c.id == annotator_id).values(left_at=None))
    recount_work(connection, study_id)


def are_people(study_id: int) -> tuple[ColumnElement[bool], ...]:
    """The conditions for people who take part: no judges, no bots, nobody who is known from files alone or has left."""
    return (
        annotator.c.study_id == study_id,
        annotator.c.judge.is_(False),
        annotator.c.simulated.is_(False),
        annotator.c.from_file.is_(False),
        annotator.c.left_at.is_(None),
    )


def people_taking_part(connection: Connection, study_id: int) -> int:
    """How many people are in the study and have not left."""
    return int(connection.execute(select(func.count()).where(*are_people(study_id))).scalar_one())


TAKES_PART = and_(
    annotator.c.left_at.is_(None),
    annotator.c.judge.is_(False),
    annotator.c.from_file.is_(False),
    annotator.c.state != "released",
)
"""Whom the work is shared by: nobody who is known only because a file holds what they judged."""
FROM_FILES = submission.c.source == IMPORTED
GIVEN_OUT = and_(item.c.wanted > 0, or_(study.c.pilot == 0, item.c.pilot.between(1, study.c.pilot)))
"""The items that are given out by now: those of the pilots that have begun, or all that people are asked for."""
TAKES_PLACE = and_(
    assignment.c["pass"] == 1,
    assignment.c.attempt == 0,
    assignment.c.state.in_(("open", "submitted")),
    assignment.c.freed_at.is_(None),
    annotator.c.judge.is_(False),
)
"""Which assignments take one of the places of their item; one whose answer came too late takes none all the same."""


def recount_work(connection: Connection, study_id: int) -> None:
    """Update the counts beside a study from which pages compute each annotator's share.

    They are how many people take part, and how much work was done by those who do not: judges from files, people who
    have left or were released.
    """
    taking_part = (annotator.c.study_id == study_id, TAKES_PART)
    count = select(func.count()).select_from(annotator).where(*taking_part).scalar_subquery()
    places, items = filled_places(connection, study_id)
    values = {"annotator_count": count, "filled_places": places, "filled_items": items}
    connection.execute(update(study).where(study.c.id == study_id).values(values))


def counts_of_items() -> dict[str, ScalarSelect[Any]]:
    """The values for the counts beside a study: its items, their words, and how many places are given out."""
    of_work = (IS_IN_THE_STUDY, item.c.series == WORK)
    places = case((item.c.taken < item.c.wanted, item.c.taken), else_=item.c.wanted)
    wholly = item.c.taken >= item.c.wanted
    counts = {
        "item_count": select(func.count()).select_from(item).where(*of_work),
        "batch_count": select(func.coalesce(func.max(item.c.batch), 0) + 1).where(*of_work),
        "word_count": select(func.coalesce(func.sum(item.c.words), 0)).where(*of_work),
        "hard_count": select(func.count()).select_from(item).where(*of_work, item.c.tagged),
        "taken_places": select(func.coalesce(func.sum(places), 0)).where(*of_work, GIVEN_OUT),
        "taken_items": select(func.count()).select_from(item).where(*of_work, GIVEN_OUT, wholly),
    }
    return {name: count.correlate(study).scalar_subquery() for name, count in counts.items()}


def recount_items(connection: Connection, study_id: int) -> None:
    """Recount the items of a study, after many of them were changed at once."""
    connection.execute(update(study).where(study.c.id == study_id).values(counts_of_items()))


def filled_places(connection: Connection, study_id: int, whom: ColumnElement[bool] = ~TAKES_PART) -> tuple[int, int]:
    """How many places these people have filled, and how many items wholly; by default those who do not take part.

    Only items that are given out by now count, and surplus judgments fill no place.
    """
    # Joined on the leading columns of the submissions' index, and not on the assignment.
    same = (submission.c[name] == assignment.c[name] for name in ("annotator_id", "item_id", "pass"))
    by_item = (
        select(item.c.wanted, func.count().label("judged"))
        .select_from(item)
        .join(study, study.c.id == item.c.study_id)
        .join(assignment, assignment.c.item_id == item.c.id)
        .join(annotator, annotator.c.id == assignment.c.annotator_id)
        .join(submission, and_(*same, submission.c.revision == 1))
        .where(is_in_study(study_id), item.c.series == WORK, GIVEN_OUT, TAKES_PLACE)
        .where(submission.c.surplus.is_(False), whom)
        .group_by(item.c.id, item.c.wanted)
        .subquery()
    )
    filled = case((by_item.c.judged < by_item.c.wanted, by_item.c.judged), else_=by_item.c.wanted)
    full = func.count().filter(by_item.c.judged >= by_item.c.wanted)
    row = connection.execute(select(func.coalesce(func.sum(filled), 0), full).select_from(by_item)).one()
    return int(row[0]), int(row[1])
