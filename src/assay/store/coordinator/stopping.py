"""That a study's stopping rule was reached: a row of the record, written once for each rule."""

from sqlalchemy import Connection, func, select

from assay.fieldwork import StopReached
from assay.store.coordinator.annotators_per_item import people_wanted, places
from assay.store.coordinator.excluded_by_rule import BY_RULE
from assay.store.coordinator.record import By, record
from assay.store.tables import WORK, action, annotator, item, submission

REACHED = "stopping rule reached"


def find_reached(connection: Connection, study_id: int, rule: str) -> StopReached | None:
    """When the rule with exactly these words was reached; None where it was not. Other words are another rule."""
    of_rule = (action.c.study_id == study_id, action.c.by == BY_RULE, action.c.what == REACHED, action.c.about == rule)
    row = connection.execute(select(action.c.at, action.c.reason).where(*of_rule).order_by(action.c.id)).first()
    if row is None:
        return None
    return StopReached(
        rule, row.at, row.reason, _count_judged(connection, study_id, row.at), places(connection, study_id)
    )


def keep(connection: Connection, study_id: int, rule: str, found: str, now: int) -> bool:
    """Record that a rule was reached; False where that is known already."""
    if find_reached(connection, study_id, rule) is not None:
        return False
    record(connection, By(study_id, BY_RULE, now, found), REACHED, about=rule)
    return True


def _count_judged(connection: Connection, study_id: int, at: int) -> int:
    """How many of the planned judgments had been given by then; surplus ones do not count."""
    counted = (submission.c.revision == 1, submission.c["pass"] == 1, submission.c.surplus.is_(False))
    by_item = connection.execute(
        select(item.c.wanted, func.count().label("judged"))
        .select_from(submission)
        .join(item, item.c.id == submission.c.item_id)
        .join(annotator, annotator.c.id == submission.c.annotator_id)
        .where(submission.c.study_id == study_id, item.c.series == WORK, annotator.c.judge.is_(False), *counted)
        .where(submission.c.submitted_at <= at)
        .group_by(item.c.id, item.c.wanted)
    ).all()
    wanted = {each: people_wanted(connection, study_id, each) for each in {row.wanted for row in by_item}}
    return sum(min(row.judged, wanted[row.wanted]) for row in by_item)
