"""Backups while work goes on. A backup is written whole or not at all, and read back before it counts.

The rows come out of one snapshot, so a running server is neither stopped nor disturbed. SQLite and PostgreSQL give the
same kind of file: a study can be moved from one to the other by a backup and a restore.
"""

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from assay import __version__
from assay.errors import StoreError
from assay.store import SCHEMA, migrate_to, schema_of
from assay.store.engine.archive import (
    AT_A_TIME,
    Content,
    Digest,
    Manifest,
    Row,
    Show,
    columns_of,
    connect_to,
    content_of,
    differences,
    file_faults,
    is_damage,
    read_manifest,
    rows_of,
    table_names,
    write_manifest,
)
from assay.store.engine.backend import Backend
from assay.store.engine.encryption import encrypt, is_encrypted

NAMED_BY_TIME = re.compile(r"assay-\d{8}-\d{6}\.backup(\.age)?")

try:
    import fcntl
except ImportError:  # not a POSIX system: two backups to one file are then not told from each other
    fcntl = None  # type: ignore[assignment]


def _silent(_: int) -> None:
    pass


def back_up(store: Backend, path: Path, now: int, show: Show = _silent, recipients: Sequence[Any] = ()) -> Manifest:
    """Write a backup of a store that others may be using; what was acknowledged before it began is in it.

    With recipients it is encrypted, after it was read back, for the holders of these keys.
    """
    if recipients:
        if path.exists() and not is_encrypted(path):
            raise StoreError(f"{path} is there already and is no encrypted backup", "choose another name with --out")
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".backup-") as folder, _appearing_whole(path) as part:
            plain = Path(folder) / "plain.backup"
            manifest = back_up(store, plain, now, show)
            encrypt(plain, part, list(recipients))
        return manifest
    _may_be_replaced(path)
    with _appearing_whole(path) as part:
        copied: dict[str, Content] = {}
        schema = ""
        for schema, table, content in store.stream(copy_all, part, show):  # noqa: B007 the last one is used
            copied[table] = content
        if not schema:
            raise StoreError("the store has no tables yet", "assay import puts a study into it")
        manifest = Manifest(schema, now, __version__, copied)
        with connect_to(part, read_only=False) as archive:
            write_manifest(archive, manifest)
        _read_back(part, manifest)
    return manifest


def copy_all(connection: Connection, part: Path, show: Show) -> Iterator[tuple[str, str, Content]]:
    """Copy every table into a new file with the same tables; yields what each one held."""
    schema = schema_of(connection)
    if schema is None:
        return
    with connect_to(part, read_only=False) as archive:
        archive.exec_driver_sql("pragma journal_mode=off")
        archive.exec_driver_sql("pragma synchronous=off")  # it is flushed as a whole before it gets its name
        archive.exec_driver_sql("begin")
        migrate_to(archive, schema)
        before = 0
        for table in table_names(archive):
            digest = Digest()
            columns = columns_of(archive, table)
            for rows in _in_parts(rows_of(connection, table, columns), digest):
                _insert(archive, table, columns, rows)
                show(before + digest.rows)
            before += digest.rows
            yield schema, table, digest.content
        archive.exec_driver_sql("commit")


def _in_parts(rows: Iterator[Row], digest: Digest) -> Iterator[list[Row]]:
    part: list[Row] = []
    for row in rows:
        digest.add(row)
        part.append(row)
        if len(part) == AT_A_TIME:
            yield part
            part = []
    if part:
        yield part


def _insert(connection: Connection, table: str, columns: list[str], rows: list[Row]) -> None:
    quote = connection.dialect.identifier_preparer.quote
    places = ", ".join("?" * len(columns))
    statement = f"insert into {quote(table)} ({', '.join(map(quote, columns))}) values ({places})"
    connection.exec_driver_sql(statement, rows)


def _may_be_replaced(path: Path) -> None:
    """Raise unless a backup can be written under this name: it is free, or an older backup has it."""
    if not path.parent.is_dir():
        raise StoreError(f"there is no folder {path.parent}", "make it first")
    if path.exists():
        with suppress(StoreError):
            look_at(path)
            return
        raise StoreError(f"{path} is there already and is no backup", "choose another name with --out")


@contextmanager
def _appearing_whole(path: Path) -> Iterator[Path]:
    """A file that has its name only once it is complete and on disk. What a killed run left behind is deleted."""
    part = path.with_name(f".{path.name}.part")
    handle = os.open(part, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if fcntl is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise StoreError(f"another backup to {path} is under way", "wait for it to end") from None
        os.truncate(handle, 0)
        try:
            yield part
            os.fsync(handle)
            os.replace(part, path)
            flush_folder(path.parent)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    finally:
        os.close(handle)


def flush_folder(folder: Path) -> None:
    """Flush a folder to disk (fsync), so that a new name in it survives a crash."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _read_back(path: Path, manifest: Manifest) -> None:
    """Read a copy again, from its first row to its last, and compare."""
    with connect_to(path) as archive:
        try:
            faults = file_faults(archive) or differences(manifest.tables, content_of(archive))
        except Exception as error:
            if not is_damage(error):
                raise
            faults = [str(getattr(error, "orig", error))]
    if faults:
        raise StoreError(
            f"{path.name.removeprefix('.').removesuffix('.part')} does not hold what it should: {faults[0]}",
            "take another backup; if this one is new, look at the disk",
        )


def look_at(path: Path) -> Manifest:
    """What a backup says that it holds, without reading it all."""
    if not path.is_file():
        raise StoreError(f"there is no file {path}", "name a backup that `assay backup` has written")
    not_one = StoreError(f"{path} is no backup", "name a file that `assay backup` has written")
    try:
        with connect_to(path) as archive:
            found = read_manifest(archive)
    except StoreError:
        raise
    except Exception as error:
        if not is_damage(error):
            raise
        raise not_one from None
    if found is None:
        raise not_one
    if found.schema > SCHEMA:
        raise StoreError(
            f"{path} was written by a newer version of the program (schema {found.schema}, here {SCHEMA})",
            "install that version, or a later one, and restore with it",
        )
    return found


def remove_older(folder: Path, keep: int) -> list[Path]:
    """Remove backups that were named by their time, but for the newest; returns which. Other files are left alone."""
    found = sorted(path for path in folder.glob("assay-*.backup*") if NAMED_BY_TIME.fullmatch(path.name))
    older = found[:-keep]
    for path in older:
        path.unlink()
    return older


def verify_backup(path: Path) -> Manifest:
    """Read a backup from its first row to its last and compare it with what it says that it holds."""
    manifest = look_at(path)
    _read_back(path, manifest)
    return manifest
