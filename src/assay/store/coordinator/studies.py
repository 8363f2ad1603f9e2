"""Studies and their versions."""

from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from assay.errors import AssayError
from assay.store.coordinator.item_plan import arrange
from assay.store.tables import study, study_version, submission
from assay.study import Study, study_from_document


@dataclass(frozen=True, slots=True)
class Published:
    """What came of handing a study to the store."""

    id: int
    hash: str
    changed: bool
    """Whether this version went live now."""
    waiting: bool
    """Whether it differs from the version in force and was not put live, because work has begun."""


def publish(connection: Connection, new: Study, now: int, *, even_if_begun: bool = False) -> Published:
    """Put a study into force: at once while nobody has judged, later only when asked to."""
    known = select(study.c.id, study.c.version, study.c.arranged_for).where(study.c.name == new.study)
    found = connection.execute(known).first()
    if found is None:
        row = {"name": new.study, "version": new.hash, "created_at": now}
        made = connection.execute(insert(study).values(row).returning(study.c.id)).scalar_one()
        _keep_version(connection, made, new, now)
        arrange(connection, made, new)
        return Published(made, new.hash, changed=True, waiting=False)
    if found.version == new.hash:
        if found.arranged_for != new.hash:
            arrange(connection, found.id, new)
        return Published(found.id, new.hash, changed=False, waiting=False)
    begun = connection.execute(select(submission.c.id).where(submission.c.study_id == found.id).limit(1)).first()
    if begun and not even_if_begun:
        return Published(found.id, found.version, changed=False, waiting=True)
    _keep_version(connection, found.id, new, now)
    connection.execute(update(study).where(study.c.id == found.id).values(version=new.hash))
    arrange(connection, found.id, new)
    return Published(found.id, new.hash, changed=True, waiting=False)


def _keep_version(connection: Connection, study_id: int, new: Study, now: int) -> None:
    known = select(study_version.c.hash).where(study_version.c.study_id == study_id, study_version.c.hash == new.hash)
    if connection.execute(known).first() is None:
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


STATES = ("open", "paused", "closed")


def state(connection: Connection, study_id: int) -> str:
    """Whether a study takes answers: open, paused or closed."""
    return str(connection.execute(select(study.c.state).where(study.c.id == study_id)).scalar_one())


def set_state(connection: Connection, study_id: int, new: str, now: int) -> None:
    """Open, pause or close a study."""
    other = (study.c.id == study_id, study.c.state != new)
    connection.execute(update(study).where(*other).values(state=new, state_at=now))


def all_studies(connection: Connection) -> list[tuple[int, str]]:
    """Every study in the store by id and name."""
    return [(row.id, row.name) for row in connection.execute(select(study.c.id, study.c.name).order_by(study.c.name))]


def in_force(connection: Connection, name: str) -> Study | None:
    """The version in force of a study by its name."""
    found = connection.execute(select(study.c.id, study.c.version).where(study.c.name == name)).first()
    return None if found is None else version(connection, found.id, found.version)


def version(connection: Connection, study_id: int, hash_: str) -> Study | None:
    """One version of a study, as it was when it was in force. Versions never change, so they are kept in memory."""
    if (study_id, hash_) not in _versions:
        of_study = (study_version.c.study_id == study_id, study_version.c.hash == hash_)
        document = connection.execute(select(study_version.c.document).where(*of_study)).scalar()
        if document is None:
            return None
        _versions[study_id, hash_] = study_from_document(document)
    return _versions[study_id, hash_]


def versions(connection: Connection, study_id: int) -> dict[str, Study]:
    """Every version of a study that has been in force, by its hash."""
    hashes = [
        row[0] for row in connection.execute(select(study_version.c.hash).where(study_version.c.study_id == study_id))
    ]
    found = {each: version(connection, study_id, each) for each in hashes}
    return {each: one for each, one in found.items() if one is not None}


def version_count(connection: Connection, study_id: int) -> int:
    """How many versions of a study have been in force."""
    return len(connection.execute(select(study_version.c.hash).where(study_version.c.study_id == study_id)).all())


_versions: dict[tuple[int, str], Study] = {}
