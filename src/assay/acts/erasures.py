"""Erasing a person: the one act that deletes what somebody judged, since that is their right."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from assay.errors import AssayError, StoreError
from assay.store import Backend
from assay.store.coordinator import annotators, studies
from assay.store.coordinator.erase_person import Erasure, erase_person
from assay.store.coordinator.record import By, record
from assay.store.engine.backup import look_at
from assay.store.engine.encryption import ENDING
from assay.store.upkeep.erasure_list import add_to_list, lists_of
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

    It is listed under a random key in the database, beside it and in the study's folder, so that a backup that is
    restored has them erased again. Afterwards nothing of what was deleted is left in the database's files.
    """
    if keep is None:
        keep = study.privacy.on_erasure == "keep"
    return finish_erasure(store, store.write(erase_now, by, name, keep))


def finish_erasure(store: Backend, done: Erasure) -> ErasureDone:
    """Write an erasure down outside the database, and leave nothing of what was deleted in its files."""
    left = [_list(store, done), store.overwrite_deleted()]
    return ErasureDone(done, "; ".join(filter(None, left)))


def _list(store: Backend, done: Erasure) -> str:
    """Write an erasure down outside the database; returns what is left to do where that fails."""
    left = []
    for path in lists_of(sqlite_file(store.address), store.folder):
        try:
            add_to_list(path, done)
        except OSError as error:  # it is done, and in the database: that it is not in a list hinders nothing
            line = f"{done.key} {'kept' if done.kept else 'deleted'} {done.at}"
            left.append(f"the list of erasures {path} cannot be written ({error.strerror}): add the line {line!r}")
    return "; ".join(left)


def erase_people(store: Backend, by: By, names: Sequence[str], *, keep: bool) -> int:
    """Erase many, and overwrite what was deleted once, after the last. Returns how many they were."""
    for name in names:
        _list(store, store.write(erase_now, by, name, keep))
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


@dataclass(frozen=True, slots=True)
class OlderFile:
    """A file that still knows whoever was erased since it was written."""

    path: Path
    made_at: int


def older_files(store: Backend) -> list[OlderFile]:
    """Backups and earlier databases, the oldest first: in the study's folder, and beside a SQLite file."""
    return sorted(map(_older_file, set(_backup_files(store))), key=lambda each: (each.made_at, each.path))


def _backup_files(store: Backend) -> Iterator[Path]:
    file = sqlite_file(store.address)
    folders = {each.resolve() for each in (store.folder, None if file is None else file.parent) if each is not None}
    for folder in folders:
        for place in (folder, folder / "backups"):
            yield from place.glob("*.backup")
            yield from place.glob(f"*.backup{ENDING}")
        yield from folder.glob(f"{'assay.db' if file is None else file.name}.before-*")


def _older_file(path: Path) -> OlderFile:
    """A file with the time at which it was made, as it says itself; else when it was last written."""
    with suppress(StoreError):  # it is encrypted, or no backup
        return OlderFile(path, look_at(path).made_at)
    return OlderFile(path, int(path.stat().st_mtime * 1000))
