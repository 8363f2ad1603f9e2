"""Versions of a study, as each was when it was in force. They never change, so they are cached in memory."""

from sqlalchemy import Connection, select

from assay.store.tables import study, study_version
from assay.study import Study, study_from_document

_versions: dict[tuple[int, str], Study] = {}


def in_force(connection: Connection, name: str) -> Study | None:
    """The version in force of a study by its name."""
    found = connection.execute(select(study.c.id, study.c.version).where(study.c.name == name)).first()
    return None if found is None else version(connection, found.id, found.version)


def in_memory(study_id: int, hash_: str) -> Study | None:
    """A version of a study from the cache in memory; None where it is not cached yet."""
    return _versions.get((study_id, hash_))


def version(connection: Connection, study_id: int, hash_: str) -> Study | None:
    """One version of a study, as it was when it was in force."""
    if (study_id, hash_) not in _versions:
        of_study = (study_version.c.study_id == study_id, study_version.c.hash == hash_)
        document = connection.execute(select(study_version.c.document).where(*of_study)).scalar()
        if document is None:
            return None
        _versions[study_id, hash_] = study_from_document(document)
    return _versions[study_id, hash_]


def version_in_force(connection: Connection, study_id: int) -> Study:
    """The version in force of a study."""
    hash_ = connection.execute(select(study.c.version).where(study.c.id == study_id)).scalar_one()
    found = version(connection, study_id, hash_)
    assert found is not None
    return found


def publication_times(connection: Connection, study_id: int) -> dict[str, int]:
    """When each version of a study was published, by its hash."""
    rows = select(study_version.c.hash, study_version.c.published_at).where(study_version.c.study_id == study_id)
    return {row.hash: row.published_at for row in connection.execute(rows)}


def versions(connection: Connection, study_id: int) -> dict[str, Study]:
    """Every version of a study that has been in force, by its hash."""
    hashes = [
        row[0] for row in connection.execute(select(study_version.c.hash).where(study_version.c.study_id == study_id))
    ]
    found = {each: version(connection, study_id, each) for each in hashes}
    return {each: one for each, one in found.items() if one is not None}
