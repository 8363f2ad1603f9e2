"""What coordinators do with a study as a whole, its links and its items: each time with who, when and why.

Nothing is deleted by any of it but by `purge`, thirty days after a study was removed, and only when asked.
"""

from dataclasses import dataclass

from sqlalchemy import Connection, Table, and_, case, delete, func, or_, select, update
from sqlalchemy.sql.elements import ColumnElement

from assay.errors import AssayError
from assay.store.annotator import people
from assay.store.annotator.people import DAY
from assay.store.annotator.places import give_back, lock_pool
from assay.store.coordinator.actions import By, annotator_id, record
from assay.store.coordinator.item_plan import arrange
from assay.store.coordinator.items import batch_count
from assay.store.coordinator.studies import STATES, version
from assay.store.tables import (
    WITHDRAWN,
    WORK,
    assignment,
    item,
    item_hidden,
    link,
    metadata,
    problem,
    session,
    study,
    submission,
    uncounted,
)

REMOVED = "removed"
KEPT_DAYS = 30
"""For so long a study that was removed can be had back."""


def set_state(connection: Connection, by: By, new: str) -> None:
    """Open, pause or close a study."""
    if new not in STATES:
        raise AssayError(f"a study cannot be {new!r}", f"it can be {', '.join(STATES)}")
    if connection.execute(select(study.c.state).where(study.c.id == by.study_id)).scalar_one() == REMOVED:
        raise AssayError("the study is removed", "bring it back first: assay remove --undo")
    other = (study.c.id == by.study_id, study.c.state != new)
    if connection.execute(update(study).where(*other).values(state=new, state_at=by.at)).rowcount:
        record(connection, by, {"open": "open", "paused": "pause study", "closed": "close"}[new])


def remove(connection: Connection, by: By, confirmed: str) -> None:
    """Put a study away: nobody sees it any more. It can be had back for thirty days."""
    row = connection.execute(select(study.c.name, study.c.state).where(study.c.id == by.study_id)).one()
    if confirmed != row.name:
        raise AssayError(f"that is not the study's name ({confirmed!r})", f"type {row.name!r} to remove it")
    if not by.reason.strip():
        raise AssayError("a reason is needed to remove a study", "it is kept with who did it and when")
    if row.state == REMOVED:
        return
    connection.execute(update(study).where(study.c.id == by.study_id).values(state=REMOVED, state_at=by.at))
    record(connection, by, "remove study", about=row.state)


def bring_back(connection: Connection, by: By) -> None:
    """Have a removed study back, paused: whoever brings it back says when work goes on."""
    row = connection.execute(select(study.c.name, study.c.state).where(study.c.id == by.study_id)).one()
    if row.state != REMOVED:
        raise AssayError(f"{row.name} is not removed", "there is nothing to undo")
    connection.execute(update(study).where(study.c.id == by.study_id).values(state="paused", state_at=by.at))
    record(connection, by, "bring study back")


@dataclass(frozen=True, slots=True)
class Removed:
    """A study that was put away."""

    id: int
    name: str
    at: int

    @property
    def until(self) -> int:
        """For how long it can be had back for sure."""
        return self.at + KEPT_DAYS * DAY


def removed(connection: Connection) -> list[Removed]:
    """The studies that were put away, the newest first."""
    rows = connection.execute(
        select(study.c.id, study.c.name, study.c.state_at)
        .where(study.c.state == REMOVED)
        .order_by(study.c.state_at.desc())
    )
    return [Removed(*row) for row in rows]


def purge(connection: Connection, study_id: int, now: int) -> None:
    """Delete everything of a study that was removed thirty days ago or earlier. This cannot be undone."""
    row = connection.execute(select(study.c.name, study.c.state, study.c.state_at).where(study.c.id == study_id)).one()
    if row.state != REMOVED or row.state_at > now - KEPT_DAYS * DAY:
        raise AssayError(f"{row.name} cannot be deleted yet", f"it is kept for {KEPT_DAYS} days after it was removed")
    for table in reversed(metadata.sorted_tables):
        connection.execute(delete(table).where(_of_study(table, study_id)))


def _of_study(table: Table, study_id: int) -> ColumnElement[bool]:
    """Which rows of a table belong to a study: by its own column, or by what they refer to."""
    if table is study:
        return study.c.id == study_id
    if "study_id" in table.c:
        return table.c.study_id == study_id
    reached = [
        column.in_(select(to.column).where(_of_study(to.column.table, study_id)))
        for column in table.c
        for to in column.foreign_keys
    ]
    return or_(*reached)


def withdraw(connection: Connection, by: By, name: str) -> None:
    """Take an item out of the study: nobody gets it any more, and the report leaves it out. Its judgments stay."""
    if not by.reason.strip():
        raise AssayError("a reason is needed to take an item out", "it is kept with who did it and when")
    lock_pool(connection, by.study_id)
    # What lies before somebody goes back while it still counts among the places.
    of_item = and_(item.c.study_id == by.study_id, item.c.series == WORK, item.c.name == name)
    before_somebody = select(assignment.c.id).join(item).where(of_item, assignment.c.state == "open")
    for row in connection.execute(before_somebody.order_by(assignment.c.id)).all():
        give_back(connection, row.id)
    _move(connection, by, name, WORK, WITHDRAWN)
    record(connection, by, "withdraw item", about=name)


def put_back(connection: Connection, by: By, name: str) -> None:
    """Have an item in the study again, in the place that the version in force has for it."""
    _move(connection, by, name, WITHDRAWN, WORK)
    in_force = connection.execute(select(study.c.version).where(study.c.id == by.study_id)).scalar_one()
    plan = version(connection, by.study_id, in_force)
    assert plan is not None
    arrange(connection, by.study_id, plan)
    record(connection, by, "put item back", about=name)


def _move(connection: Connection, by: By, name: str, from_: str, to: str) -> None:
    named = and_(item.c.study_id == by.study_id, item.c.series == from_, item.c.name == name)
    item_id = connection.execute(select(item.c.id).where(named)).scalar()
    if item_id is None:
        where = "in the study" if from_ == WORK else "among those that were taken out"
        raise AssayError(f"there is no item {name!r} {where}", "items are named as in their file")
    connection.execute(update(item).where(item.c.id == item_id).values(series=to))
    at_work = select(func.count()).select_from(item).where(item.c.study_id == by.study_id, item.c.series == WORK)
    step = -1 if to == WITHDRAWN else 1
    changed = {
        "item_count": at_work.scalar_subquery(),
        "open_count": study.c.open_count + step,
        "batch_count": batch_count(by.study_id),
    }
    connection.execute(update(study).where(study.c.id == by.study_id).values(changed))
    # What agreement is computed from is made anew for this item.
    waiting = select(uncounted.c.submission_id)
    again = select(submission.c.id, submission.c.study_id, submission.c.item_id).where(
        submission.c.item_id == item_id, submission.c.id.not_in(waiting)
    )
    connection.execute(uncounted.insert().from_select(["submission_id", "study_id", "item_id"], again))


def withdrawn(connection: Connection, study_id: int) -> list[str]:
    """The items that were taken out."""
    out = (item.c.study_id == study_id, item.c.series == WITHDRAWN)
    return list(connection.execute(select(item.c.name).where(*out).order_by(item.c.name)).scalars())


def close_problem(connection: Connection, by: By, problem_id: str) -> None:
    """Somebody is done with what an annotator found wrong."""
    mine = (problem.c.id == problem_id, problem.c.study_id == by.study_id, problem.c.closed_at.is_(None))
    if connection.execute(update(problem).where(*mine).values(closed_at=by.at)).rowcount:
        about = select(item.c.name).join(assignment, assignment.c.item_id == item.c.id).join(problem)
        name = connection.execute(about.where(problem.c.id == problem_id)).scalar_one()
        record(connection, by, "close problem", about=name)


def invite(connection: Connection, by: By, names: list[str]) -> list[tuple[str, str]]:
    """Make a personal link for each annotator, old or new."""
    links = people.invite(connection, by.study_id, names, by.at)
    for name, _ in links:
        record(connection, by, "invite", annotator_id(connection, by.study_id, name))
    return links


def invite_other(connection: Connection, by: By, role: str, name: str = "") -> str:
    """Make a link for a coordinator or a viewer under a name, or the one for anybody."""
    if role == "anybody":
        token = people.invite_anybody(connection, by.study_id, by.at)
    else:
        token = people.invite_coordinator(connection, by.study_id, by.at, name, reads_only=role == "viewer")
    record(connection, by, f"invite {role}", about=name)
    return token


def revoke(connection: Connection, by: By, name: str) -> int:
    """Have somebody's links and sessions end at once. Returns how many links that were."""
    mine = and_(link.c.annotator_id == annotator_id(connection, by.study_id, name), link.c.revoked_at.is_(None))
    hashes = list(connection.execute(select(link.c.token_hash).where(mine)).scalars())
    _end(connection, hashes, by.at)
    record(connection, by, "revoke links", annotator_id(connection, by.study_id, name))
    return len(hashes)


def revoke_seat(connection: Connection, by: By, hash_: str) -> None:
    """Have the link of a coordinator, of a viewer, or the one for anybody end at once."""
    which = (link.c.study_id == by.study_id, link.c.annotator_id.is_(None), link.c.token_hash.startswith(hash_))
    found = connection.execute(select(link.c.token_hash, link.c.name).where(*which)).all()
    if len(hash_) < 12 or len(found) != 1:
        raise AssayError("there is no such link", "the page of links lists them")
    _end(connection, [found[0].token_hash], by.at)
    record(connection, by, "revoke link", about=found[0].name)


def _end(connection: Connection, hashes: list[str], at: int) -> None:
    connection.execute(update(link).where(link.c.token_hash.in_(hashes)).values(revoked_at=at))
    connection.execute(delete(session).where(session.c.link_hash.in_(hashes)))


@dataclass(frozen=True, slots=True)
class Seat:
    """A link that is no annotator's."""

    hash: str
    role: str
    name: str
    created_at: int
    expires_at: int


def seats(connection: Connection, study_id: int, now: int) -> list[Seat]:
    """The links of coordinators and viewers, and those for anybody, that are good now."""
    good = (link.c.study_id == study_id, link.c.annotator_id.is_(None), link.c.revoked_at.is_(None))
    role = case((link.c.enrols, "anybody"), (link.c.reads_only, "viewer"), else_="coordinator")
    rows = connection.execute(
        select(func.substr(link.c.token_hash, 1, 16), role, link.c.name, link.c.created_at, link.c.expires_at)
        .where(*good, link.c.expires_at > now)
        .order_by(link.c.created_at.desc())
    )
    return [Seat(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class Batch:
    """How far the items of a batch are."""

    name: str
    items: int
    places: int
    """How many judgments of items it needs in all."""
    taken: int


def batches(connection: Connection, study_id: int) -> list[Batch]:
    """The batches of a study in their order, where it has some."""
    rows = connection.execute(
        select(item_hidden.c.batch, func.count(), func.sum(item.c.wanted), func.sum(item.c.taken))
        .join(item, item.c.id == item_hidden.c.item_id)
        .where(item.c.study_id == study_id, item.c.series == WORK, item_hidden.c.batch != "")
        .group_by(item_hidden.c.batch, item.c.batch)
        .order_by(item.c.batch)
    )
    return [Batch(name, items, int(places), int(taken)) for name, items, places, taken in rows]
