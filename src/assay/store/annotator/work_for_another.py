"""Whether there is work for one more person from a panel, besides what is reserved for those who came before.

Somebody at a gate has no item yet, but their share is reserved: else the last items would be promised to several
people, and be gone when they have passed the gates.
"""

from collections.abc import Collection

from sqlalchemy import Connection, and_, func, or_, select

from assay.store.annotator.participation import GIVEN_OUT, TAKES_PLACE
from assay.store.annotator.workload import workload
from assay.store.tables import WORK, annotator, arrival, assignment, item, study
from assay.study import Study


def has_work_for_another(connection: Connection, study_id: int, plan: Study, late: Collection[int], now: int) -> bool:
    """Whether somebody new would find an item behind the gates. Items of those in `late` count as free."""
    if plan.assignment.per_item == "all":
        return True
    work = workload(connection, study_id)
    share = work.forecast(plan).share
    # Where the work is shared by all, nobody has a fixed number: each person who waits is to find at least one item.
    each = share.fair_items if plan.assignment.per_annotator is not None else 1
    kept = _count_kept(connection, study_id, each, late, now - plan.assignment.place_lasts_ms)
    left = share.all_places - work.taken_places
    return left > kept or left + _come_back(connection, study_id, late, now) > kept


def _count_kept(connection: Connection, study_id: int, each: int, late: Collection[int], since: int) -> int:
    """How many items are reserved for people who have fewer than `each` yet, and were active since `since`."""
    mine = and_(assignment.c.annotator_id == annotator.c.id, TAKES_PLACE)
    of_work = and_(item.c.id == assignment.c.item_id, item.c.series == WORK)
    had = func.count(item.c.id)
    rows = connection.execute(
        select(had)
        .select_from(arrival)
        .join(annotator, annotator.c.id == arrival.c.annotator_id)
        .outerjoin(assignment, mine)
        .outerjoin(item, of_work)
        .where(arrival.c.study_id == study_id, arrival.c.outcome == "", annotator.c.left_at.is_(None))
        .where(arrival.c.annotator_id.not_in(late))
        .group_by(arrival.c.annotator_id, arrival.c.arrived_at)
        .having(and_(had < each, or_(arrival.c.arrived_at >= since, func.max(assignment.c.created_at) >= since)))
    )
    return sum(each - row[0] for row in rows)


def _come_back(connection: Connection, study_id: int, late: Collection[int], now: int) -> int:
    """How many assigned items are as good as free: they have expired, or their annotators are in `late`."""
    over = or_(assignment.c.expires_at < now, assignment.c.annotator_id.in_(late))
    found = connection.execute(
        select(func.count())
        .select_from(assignment)
        .join(annotator, annotator.c.id == assignment.c.annotator_id)
        .join(item, item.c.id == assignment.c.item_id)
        .join(study, study.c.id == item.c.study_id)
        .where(assignment.c.study_id == study_id, assignment.c.state == "open", over)
        .where(TAKES_PLACE, item.c.series == WORK, GIVEN_OUT, item.c.taken <= item.c.wanted)
    )
    return int(found.scalar_one())
