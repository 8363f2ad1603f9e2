"""Restoring a backup: into a new place, or with care in place of what is there. Whole or not at all, and read back."""

import os
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from assay.errors import StoreError
from assay.store import MIGRATION_LOCK, connect, open_store, schema_of
from assay.store.coordinator.erase_person import Erasure, erase_again, erasures
from assay.store.engine.archive import (
    MANIFEST,
    Content,
    Manifest,
    columns_of,
    connect_to,
    content_of,
    differences,
    file_faults,
    is_damage,
    rows_of,
    table_names,
)
from assay.store.engine.backup import flush_folder, verify_backup
from assay.store.engine.lock import WriteLock
from assay.store.tables import metadata
from assay.store.upkeep.erasure_list import lists_of, read_list, together
from assay.store.upkeep.verify import rows_with_nul

SIDE_FILES = ("-wal", "-shm", "-journal")


def restore(
    path: Path, database: str, now: int, *, replace: bool = False, folder: Path | None = None
) -> tuple[Manifest, Path | None]:
    """Put a backup into a database, whole or not at all; returns where the data before it is kept, if there was any.

    Whoever was erased since is erased again: as the database knows that is replaced, and the lists of erasures beside
    it and in the study's folder.
    """
    manifest = verify_backup(path)
    target = sqlite_file(database)
    place = target.parent if target is not None else Path(tempfile.gettempdir())
    if not place.is_dir():
        raise StoreError(f"there is no folder {place}", "make it first, or name another database")
    with tempfile.TemporaryDirectory(dir=place, prefix=".restore-") as workshop:
        fresh = Path(workshop) / "assay.db"
        wanted = _up_to_date(path, fresh, _known_erasures(database, target, folder))
        kept = _into_file(fresh, target, now, replace) if target is not None else None
        if target is None:
            _into_server(fresh, database, wanted, replace)
    if target is not None:
        _compare(target, wanted)
    return manifest, kept


def sqlite_file(database: str) -> Path | None:
    """The SQLite file of a database address; None where the address is a server's."""
    is_server = database.startswith(("postgresql:", "postgres:", "postgresql+psycopg:"))
    return None if is_server else Path(database.removeprefix("sqlite:///"))


def _known_erasures(database: str, target: Path | None, folder: Path | None) -> list[Erasure]:
    """Who may have been erased since: as the database says that is replaced, and the lists outside it."""
    outside = together(*map(read_list, lists_of(target, folder)))
    if target is not None and not target.is_file():
        return outside
    try:
        with closing(connect(database)) as store:
            return together(outside, store.read(erasures))
    except (SQLAlchemyError, StoreError):  # there are no tables yet, or the file is damaged
        return outside


def _up_to_date(path: Path, fresh: Path, erased: Sequence[Erasure]) -> dict[str, Content]:
    """A copy of a backup with the tables of this program, without whoever was erased since; returns what it holds."""
    shutil.copyfile(path, fresh)
    fresh.chmod(0o600)
    with connect_to(fresh, read_only=False) as copy:
        copy.exec_driver_sql(f"drop table {MANIFEST}")
        copy.exec_driver_sql("vacuum")
    with closing(open_store(fresh)) as store:
        if [each for each in erased if store.write(erase_again, each)]:
            store.overwrite_deleted()
    with connect_to(fresh) as copy:
        return content_of(copy)


def _compare(target: Path, wanted: dict[str, Content]) -> None:
    with connect_to(target) as restored:
        faults = file_faults(restored) or differences(wanted, content_of(restored))
    if faults:
        raise StoreError(f"{target} does not hold what was restored: {faults[0]}", "look at the disk, restore again")


def _into_file(fresh: Path, target: Path, now: int, replace: bool) -> Path | None:
    """Exchange a SQLite file. The one before stays beside it under a name with the date."""
    kept = None
    lock = WriteLock(target.with_name(target.name + "-lock"))
    try:
        with lock.hold():
            if target.exists():
                kept = _set_aside(target, now, replace)
            handle = os.open(fresh, os.O_RDWR)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
            os.replace(fresh, target)
            flush_folder(target.parent)
    finally:
        lock.close()
    return kept


def _set_aside(target: Path, now: int, replace: bool) -> Path | None:
    """Give the file that is there a second name, after making sure that nobody is using it."""
    holds = _holds_data(target)
    if holds and not replace:
        raise StoreError(
            f"{target} holds data already",
            "--replace puts the backup in its place and keeps it beside under another name",
        )
    kept = target.with_name(f"{target.name}.before-{_stamp(now)}") if holds else None
    if kept is not None:
        for suffix in SIDE_FILES:  # only a file that could not be read still has them
            with suppress(FileNotFoundError):
                os.replace(f"{target}{suffix}", f"{kept}{suffix}")
        try:
            os.link(target, kept)
        except OSError:  # a file system without second names
            shutil.copy2(target, kept)
    return kept


def _holds_data(target: Path) -> bool:
    """Whether a file must be kept. It is turned back into one whole file, which works only while nobody has it open."""
    if target.stat().st_size == 0:
        return False
    try:
        with connect_to(target, read_only=False) as connection:
            connection.exec_driver_sql("pragma busy_timeout=1000")
            connection.exec_driver_sql("pragma journal_mode=delete")
            return any(_has_rows(connection, table) for table in table_names(connection)) or not _is_store(connection)
    except Exception as error:
        if "locked" in str(error):
            raise StoreError(f"{target} is in use", "stop the server that uses it, then restore again") from None
        if not is_damage(error):
            raise
        return True  # damaged, or no database: kept all the same


def _is_store(connection: Connection) -> bool:
    return schema_of(connection) is not None


def _has_rows(connection: Connection, table: str) -> bool:
    quoted = connection.dialect.identifier_preparer.quote(table)
    return connection.exec_driver_sql(f"select 1 from {quoted} limit 1").first() is not None


def _stamp(now: int) -> str:
    return datetime.fromtimestamp(now / 1000, UTC).strftime("%Y%m%d-%H%M%S")


def _into_server(fresh: Path, database: str, wanted: dict[str, Content], replace: bool) -> None:
    """Put everything into PostgreSQL in one transaction: others see all of it, or what was there before."""
    store = open_store(database)
    try:
        store.write(_exchange, fresh, wanted, replace)
    finally:
        store.close()


def _exchange(connection: Connection, fresh: Path, wanted: dict[str, Content], replace: bool) -> None:
    quote = connection.dialect.identifier_preparer.quote
    connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
    tables = table_names(connection)
    connection.exec_driver_sql(f"lock table {', '.join(map(quote, tables))} in access exclusive mode")
    if any(_has_rows(connection, table) for table in tables):
        if not replace:
            raise StoreError(
                "the database holds data already",
                "--replace puts the backup in its place; make a backup of what is there first",
            )
        connection.exec_driver_sql(f"truncate {', '.join(map(quote, tables))} restart identity cascade")
    with connect_to(fresh) as source:
        if (fault := next(rows_with_nul(source), None)) is not None:
            raise StoreError(
                f"PostgreSQL cannot keep this backup: {fault}",
                "restore it into a SQLite file, where `assay verify` names every such row",
            )
        for table in metadata.sorted_tables:
            _copy_in(connection, source, table.name)
    if faults := differences(wanted, content_of(connection)):
        raise StoreError(f"the database does not hold what was restored: {faults[0]}", "nothing was changed")


def _copy_in(connection: Connection, source: Connection, table: str) -> None:
    """Insert the rows of one table, and set its sequence behind the highest id."""
    quote = connection.dialect.identifier_preparer.quote
    known = {str(column["name"]): str(column["type"]) for column in inspect(connection).get_columns(table)}
    columns = columns_of(source, table)
    booleans = {index for index, name in enumerate(columns) if known[name] == "BOOLEAN"}
    driver: Any = connection.connection.dbapi_connection
    names = ", ".join(map(quote, columns))
    with driver.cursor() as cursor, cursor.copy(f"copy {quote(table)} ({names}) from stdin") as copy:
        for row in rows_of(source, table, columns):
            copy.write_row([bool(v) if n in booleans and v is not None else v for n, v in enumerate(row)])
    counter = connection.execute(
        text("select pg_get_serial_sequence(:table, 'id') where :has"), {"table": quote(table), "has": "id" in columns}
    ).scalar()
    if counter:
        highest = f"(select max(id) from {quote(table)})"
        connection.execute(
            text(f"select setval(:counter, {highest}) where {highest} is not null"), {"counter": counter}
        )


def database_exists(database: str) -> bool:
    """Whether there is a database to back up; opening a missing SQLite file would create one."""
    path = sqlite_file(database)
    return path is None or path.is_file()
