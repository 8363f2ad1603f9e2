"""Publishing a study folder that somebody sends: what would change, what follows, and the act itself."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from assay.acts.new_version import effects_of_publishing, publish
from assay.acts.reasons import need_reason
from assay.errors import AssayError
from assay.files.study_folder import unpack_study_folder
from assay.judgments.study_changes import study_changes
from assay.store.annotator import versions
from assay.store.coordinator.record import By
from assay.study import Study, load


@dataclass(frozen=True, slots=True)
class ProposedVersion:
    """A version that is not in force: what it changes, and what follows."""

    hash: str
    changes: list[str]
    effects: list[str]
    is_same: bool
    """Whether it is the version in force."""


def propose_version(connection: Connection, by: By, content: bytes, *, minor: bool = False) -> ProposedVersion:
    """What would change if a study folder, packed as a zip file, were published."""
    with tempfile.TemporaryDirectory(prefix="assay-publish-") as folder:
        before, after, _ = _read(connection, by, content, Path(folder))
    return ProposedVersion(
        hash=after.hash,
        changes=[str(each) for each in study_changes(before, after)],
        effects=effects_of_publishing(connection, before, after, minor=minor),
        is_same=before.hash == after.hash,
    )


def publish_folder(connection: Connection, by: By, content: bytes, *, minor: bool = False) -> str:
    """Put a study folder, packed as a zip file, into force; returns the version's hash."""
    need_reason(by, "to publish a new version")
    with tempfile.TemporaryDirectory(prefix="assay-publish-") as folder:
        _, study, where = _read(connection, by, content, Path(folder))
        publish(connection, by.who, study, where, by.at, even_if_begun=True, minor=minor, reason=by.reason)
    return study.hash


def _read(connection: Connection, by: By, content: bytes, into: Path) -> tuple[Study, Study, Path]:
    where = unpack_study_folder(content, into)
    study = load(where)
    before = versions.version_in_force(connection, by.study_id)
    if study.study != before.study:
        raise AssayError(f"this is the study {study.study!r}, not {before.study!r}", "upload the folder of this study")
    return before, study, where
