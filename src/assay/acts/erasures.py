"""Erasing a person: the one act that deletes what somebody judged, since that is their right."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from assay.errors import AssayError
from assay.store import Backend
from assay.store.coordinator import annotators, studies
from assay.store.coordinator.erase_person import Erasure, erase_person
from assay.store.coordinator.record import By, record
from assay.store.upkeep.erasure_list import add_to_list, list_beside
from assay.store.upkeep.restore import sqlite_file
from assay.study import Study


@dataclass(frozen=True, slots=True)
class ErasureDone:
    """What came of erasing somebody."""

    erasure: Erasure
    left_to_do: str
    """What the database cannot do by itself; empty: nothing."""


def erase(store: Backend, by: By, study: Study, name: str, *, keep: bool | None = None) -> ErasureDone:
    """Erase a person: name, ids and free texts everywhere, and judgments as the study declares or as is said here.

    Written down by a drawn key in the database and beside it, so that a backup that is restored has them erased again.
    Afterwards nothing of what was deleted is left in the database's files.
    """
    if keep is None:
        keep = study.privacy.on_erasure == "keep"
    return finish_erasure(store, store.write(erase_now, by, name, keep))


def finish_erasure(store: Backend, done: Erasure) -> ErasureDone:
    """Write an erasure down beside the database, and leave nothing of what was deleted in its files."""
    if (file := sqlite_file(store.address)) is not None:
        add_to_list(list_beside(file), done)
    return ErasureDone(done, store.overwrite_deleted())


def erase_people(store: Backend, by: By, names: Sequence[str], *, keep: bool) -> int:
    """Erase many, and overwrite what was deleted once, after the last. Returns how many they were."""
    file = sqlite_file(store.address)
    for name in names:
        done = store.write(erase_now, by, name, keep)
        if file is not None:
            add_to_list(list_beside(file), done)
    if names:
        store.overwrite_deleted()
    return len(names)


def erase_now(connection: Connection, by: By, name: str, keep: bool) -> Erasure:
    """Erase a person in the database, and record it; `finish_erasure` does what comes after the transaction."""
    studies.lock(connection, by.study_id)
    annotator_id = annotators.annotator_id(connection, by.study_id, name)
    if annotators.is_judge(connection, annotator_id):
        raise AssayError(f"{name!r} is an automated judge, and nobody's data", "`assay import --undo` takes it back")
    done = erase_person(connection, by.study_id, annotator_id, by.at, keep=keep)
    # Neither the name nor a reason: both could say who it was.
    record(connection, By(by.study_id, by.who, by.at), "erase", about=done.key)
    return done


def backups_beside(database: str) -> list[Path]:
    """Backups and earlier files beside a SQLite database: they still know whoever was erased since."""
    file = sqlite_file(database)
    if file is None:
        return []
    patterns = ("*.backup", "*.backup.age", f"{file.name}.before-*")
    found = [each for pattern in patterns for each in file.parent.glob(pattern)]
    return sorted(found, key=lambda each: each.stat().st_mtime)
