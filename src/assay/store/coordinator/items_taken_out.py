"""Items that are taken out of a study, and put back. Their judgments stay, and count nowhere while they are out."""

from sqlalchemy import Connection, and_, select, update

from assay.errors import AssayError
from assay.store.annotator.places import give_back, lock_pool
from assay.store.annotator.versions import version_in_force
from assay.store.coordinator.item_plan import arrange, open_pilot
from assay.store.engine.text_order import by_code
from assay.store.tables import WITHDRAWN, WORK, assignment, is_in_study, item, study, submission, uncounted


def take_out(connection: Connection, study_id: int, *names: str) -> None:
    """Withdraw items: they are given to nobody any more and count nowhere."""
    lock_pool(connection, study_id)
    for name in names:
        # Open assignments are returned first, while the item's places still count.
        of_item = and_(is_in_study(study_id), item.c.series == WORK, item.c.name == name)
        before_somebody = select(assignment.c.id).join(item).where(of_item, assignment.c.state == "open")
        for row in connection.execute(before_somebody.order_by(assignment.c.id)).all():
            give_back(connection, row.id)
        _move(connection, study_id, name, WORK, WITHDRAWN)
    open_pilot(
        connection, study_id, connection.execute(select(study.c.pilot).where(study.c.id == study_id)).scalar_one()
    )


def put_back(connection: Connection, study_id: int, name: str) -> None:
    """Have the item in the study again, in the place that the version in force has for it."""
    _move(connection, study_id, name, WITHDRAWN, WORK)
    arrange(connection, study_id, version_in_force(connection, study_id))


def _move(connection: Connection, study_id: int, name: str, from_: str, to: str) -> None:
    named = and_(is_in_study(study_id), item.c.series == from_, item.c.name == name)
    item_id = connection.execute(select(item.c.id).where(named)).scalar()
    if item_id is None:
        where = "in the study" if from_ == WORK else "among those that were taken out"
        raise AssayError(f"there is no item {name!r} {where}", "items are named as in their file")
    connection.execute(update(item).where(item.c.id == item_id).values(series=to))
    # What agreement is computed from is made anew for this item.
    waiting = select(uncounted.c.submission_id)
    again = select(submission.c.id, submission.c.study_id, submission.c.item_id).where(
        submission.c.item_id == item_id, submission.c.id.not_in(waiting)
    )
    connection.execute(uncounted.insert().from_select(["submission_id", "study_id", "item_id"], again))


def withdrawn_items(connection: Connection, study_id: int) -> list[str]:
    """The names of the items that were taken out."""
    out = (is_in_study(study_id), item.c.series == WITHDRAWN)
    return list(connection.execute(select(item.c.name).where(*out).order_by(by_code(item.c.name))).scalars())
