"""Studies and their versions."""

from dataclasses import dataclass
from itertools import count

from sqlalchemy import ColumnElement, Connection, Table, delete, insert, or_, select, update

from assay.errors import AssayError
from assay.store.annotator.session_lifetime import DAY
from assay.store.coordinator.item_plan import arrange
from assay.store.engine.text_order import by_code
from assay.store.tables import annotator, metadata, study, study_version, submission
from assay.study import Study


@dataclass(frozen=True, slots=True)
class Published:
    """The result of publishing a study."""

    id: int
    hash: str
    changed: bool
    """Whether this version went live now."""
    begun: bool = False
    """Whether somebody had judged by then."""

    @property
    def waiting(self) -> bool:
        """Whether it differs from the version in force and was not put live, because work has begun."""
        return self.begun and not self.changed


def publish(connection: Connection, new: Study, now: int, *, even_if_begun: bool = False) -> Published:
    """Put a study into force: at once while nobody has judged, later only when asked to."""
    known = select(study.c.id, study.c.version, study.c.arranged_for).where(study.c.name == new.study)
    found = connection.execute(known).first()
    if found is None:
        row = {"name": new.study, "version": new.hash, "created_at": now}
        made = connection.execute(insert(study).values(row).returning(study.c.id)).scalar_one()
        _keep_version(connection, made, new, now)
        arrange(connection, made, new)
        return Published(made, new.hash, changed=True)
    if found.version == new.hash:
        if found.arranged_for != new.hash:
            arrange(connection, found.id, new)
        return Published(found.id, new.hash, changed=False)
    judged = select(submission.c.id).where(submission.c.study_id == found.id).limit(1)
    begun = connection.execute(judged).first() is not None
    if begun and not even_if_begun:
        return Published(found.id, found.version, changed=False, begun=True)
    _keep_version(connection, found.id, new, now)
    connection.execute(update(study).where(study.c.id == found.id).values(version=new.hash))
    arrange(connection, found.id, new)
    return Published(found.id, new.hash, changed=True, begun=begun)


def has_version(connection: Connection, wanted: Study) -> bool:
    """Whether this very version of a study was published before."""
    kept = study_version.join(study, study.c.id == study_version.c.study_id)
    known = select(study_version.c.hash).select_from(kept)
    found = known.where(study.c.name == wanted.study, study_version.c.hash == wanted.hash).limit(1)
    return connection.execute(found).first() is not None


def _keep_version(connection: Connection, study_id: int, new: Study, now: int) -> None:
    if not has_version(connection, new):
        row = {"study_id": study_id, "hash": new.hash, "document": new.document(), "published_at": now}
        connection.execute(insert(study_version).values(row))


def find(connection: Connection, name: str) -> tuple[int, str]:
    """The id and the version in force of a study by its name."""
    found = connection.execute(select(study.c.id, study.c.version).where(study.c.name == name)).first()
    if found is None:
        raise AssayError(
            f"the store holds no study {name!r}", "`assay import` puts a study and its items into the store"
        )
    return found.id, found.version


def lock(connection: Connection, study_id: int) -> None:
    """Lock the study's row until the transaction ends."""
    connection.execute(select(study.c.id).where(study.c.id == study_id).with_for_update())


STATES = ("open", "paused", "closed")
REMOVED = "removed"
KEPT_DAYS = 30
"""For how many days a removed study can be brought back."""


def name_and_state(connection: Connection, study_id: int) -> tuple[str, str]:
    """What a study is called, and whether it is open, paused, closed or removed."""
    row = connection.execute(select(study.c.name, study.c.state).where(study.c.id == study_id)).one()
    return row.name, row.state


def state(connection: Connection, study_id: int) -> str:
    """Whether a study takes answers: open, paused, closed or removed."""
    return name_and_state(connection, study_id)[1]


def set_state(connection: Connection, study_id: int, new: str, now: int) -> bool:
    """Give a study another state. False where it has this one already."""
    other = (study.c.id == study_id, study.c.state != new)
    return connection.execute(update(study).where(*other).values(state=new, state_at=now)).rowcount > 0


ENROLMENT = ("open", "stopped")


def enrolment(connection: Connection, study_id: int) -> str:
    """Whether new people can enrol: open or stopped."""
    since = connection.execute(select(study.c.enrolment_stopped_at).where(study.c.id == study_id)).scalar()
    return "open" if since is None else "stopped"


def set_enrolment(connection: Connection, study_id: int, new: str, now: int) -> bool:
    """Stop enrolment, or let it go on. False where it is so already."""
    is_open = study.c.enrolment_stopped_at.is_(None)
    other = is_open if new == "stopped" else ~is_open
    row = {"enrolment_stopped_at": now if new == "stopped" else None}
    return connection.execute(update(study).where(study.c.id == study_id, other).values(row)).rowcount > 0


def enrolment_times(connection: Connection, study_id: int, since: int) -> list[int]:
    """The times at which annotators were added after `since`, in order."""
    came = select(annotator.c.created_at).where(annotator.c.study_id == study_id, annotator.c.created_at > since)
    return list(connection.execute(came.order_by(annotator.c.created_at)).scalars())


@dataclass(frozen=True, slots=True)
class RemovedStudy:
    """A study that was put away."""

    id: int
    name: str
    at: int

    @property
    def until(self) -> int:
        """Until when it can certainly be restored."""
        return self.at + KEPT_DAYS * DAY


def removed_studies(connection: Connection) -> list[RemovedStudy]:
    """The studies that were put away, the newest first."""
    rows = connection.execute(
        select(study.c.id, study.c.name, study.c.state_at)
        .where(study.c.state == REMOVED)
        .order_by(study.c.state_at.desc())
    )
    return [RemovedStudy(*row) for row in rows]


def is_taken(connection: Connection, name: str) -> bool:
    """Whether a study has this name."""
    return connection.execute(select(study.c.id).where(study.c.name == name)).first() is not None


def name_to_keep(connection: Connection, name: str) -> str:
    """The name under which a removed study is kept, so that another one can have its own."""
    numbers = (f"{name}-{REMOVED}-{number}" for number in count(1))
    return next(each for each in numbers if not is_taken(connection, each))


def rename(connection: Connection, study_id: int, name: str) -> None:
    """Give a study another name. Its versions keep theirs: they are what was judged."""
    connection.execute(update(study).where(study.c.id == study_id).values(name=name))


def delete_everything_of(connection: Connection, study_id: int) -> None:
    """Delete every row of a study. This cannot be undone."""
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


def all_studies(connection: Connection) -> list[tuple[int, str]]:
    """Every study in the store by id and name."""
    return [
        (row.id, row.name)
        for row in connection.execute(select(study.c.id, study.c.name).order_by(by_code(study.c.name)))
    ]


def version_count(connection: Connection, study_id: int) -> int:
    """How many versions of a study have been in force."""
    return len(connection.execute(select(study_version.c.hash).where(study_version.c.study_id == study_id)).all())
