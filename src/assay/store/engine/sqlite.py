"""SQLite: one writing connection with group commit.

All writes go through one thread, which commits whatever is waiting as one group: every caller is answered after the
commit, and one fsync serves them all.
"""

import asyncio
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Concatenate

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool

from assay.errors import StoreError
from assay.store.engine.backend import Backend, P, T
from assay.store.engine.failures import as_store_error, log_failure
from assay.store.engine.lock import WriteLock

MOST_IN_A_GROUP = 128
BUSY_MS = 5_000


class Sqlite(Backend):
    """SQLite in WAL mode with `synchronous=FULL`: what was answered is on disk."""

    dialect = "sqlite"
    version = sqlite3.sqlite_version

    def __init__(self, path: Path) -> None:
        self.path = path
        self.address = str(path)
        try:
            if not path.exists():
                # Made by us, readable by its owner alone: it holds what annotators said.
                os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self.lock = WriteLock(path.with_name(path.name + "-lock"))
        except OSError as error:
            raise StoreError(
                f"{path} cannot be opened ({error.strerror})", "look at the folder's permissions"
            ) from None
        self._local = threading.local()
        self._opened: list[Connection] = []
        self._opening = threading.Lock()
        self._reader = self._engine(writes=False)
        self._writer = self._engine(writes=True)
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[Connection], Any]] | None] = queue.SimpleQueue()
        self._closed = False
        self._files: dict[Path, int] = {}
        self._ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._work, name="assay-writer", daemon=True)
        self._thread.start()
        self._ready.result()

    def _engine(self, *, writes: bool) -> Engine:
        engine = create_engine(
            f"sqlite:///{self.path}",
            connect_args={"check_same_thread": False, "isolation_level": None},
            poolclass=NullPool,  # connections are held for life, one a thread
            # Errors are logged and shown: what was to be stored is not part of them.
            hide_parameters=True,
        )

        @event.listens_for(engine, "connect")
        def _prepare(connection: sqlite3.Connection, _: Any) -> None:
            connection.execute(f"PRAGMA busy_timeout={BUSY_MS}")
            if writes:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=FULL")
                connection.execute("PRAGMA foreign_keys=ON")
            else:
                connection.execute("PRAGMA query_only=ON")

        return engine

    def _read_connection(self) -> Connection:
        connection: Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._reader.connect().execution_options(isolation_level="AUTOCOMMIT")
            self._local.connection = connection
            with self._opening:
                self._opened.append(connection)
        return connection

    def read(self, ask: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return ask(self._read_connection(), *args, **kwargs)

    def stream(
        self, ask: Callable[Concatenate[Connection, P], Iterator[T]], *args: P.args, **kwargs: P.kwargs
    ) -> Iterator[T]:
        with self._reader.connect() as connection:
            connection = connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.exec_driver_sql("BEGIN")
            yield from ask(connection, *args, **kwargs)
            connection.exec_driver_sql("COMMIT")

    @property
    def description(self) -> str:
        return f"{self.path} (SQLite {self.version}, WAL, synchronous=FULL)"

    async def aread(self, ask: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        # A read takes microseconds: a thread would cost more than it saves.
        return self.read(ask, *args, **kwargs)

    def _submit(self, act: Callable[[Connection], T]) -> Future[T]:
        if self._closed:
            raise StoreError("the store is closed")
        future: Future[T] = Future()
        self._jobs.put((future, act))
        return future

    def write(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return self._submit(lambda connection: act(connection, *args, **kwargs)).result()

    async def awrite(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.wrap_future(self._submit(lambda connection: act(connection, *args, **kwargs)))

    def _work(self) -> None:
        try:
            with self.lock.held():
                connection = self._writer.connect().execution_options(isolation_level="AUTOCOMMIT")
        except BaseException as error:
            self._ready.set_exception(as_store_error(error))
            return
        self._ready.set_result(None)
        stop = False
        while not stop:
            group, stop = self._next_group()
            if group:
                self._commit(connection, group)
        with self.lock.held():
            connection.close()

    def _next_group(self) -> tuple[list[tuple[Future[Any], Callable[[Connection], Any]]], bool]:
        """Wait for one write, then take whatever else is waiting already."""
        first = self._jobs.get()
        if first is None:
            return [], True
        group = [first]
        while len(group) < MOST_IN_A_GROUP:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                break
            if job is None:
                return group, True
            group.append(job)
        return group, False

    def _commit(self, connection: Connection, group: list[tuple[Future[Any], Callable[[Connection], Any]]]) -> None:
        """Do a group of writes in one transaction and answer each only after the commit."""
        raw: Any = connection.connection.dbapi_connection
        done: list[tuple[Future[Any], Any]] = []
        try:
            with self.lock.held():
                raw.execute("BEGIN IMMEDIATE")
                try:
                    for future, act in group:
                        if not future.set_running_or_notify_cancel():
                            continue
                        raw.execute("SAVEPOINT one")
                        try:
                            result = act(connection)
                        except BaseException as error:
                            raw.execute("ROLLBACK TO one")
                            future.set_exception(as_store_error(error))
                        else:
                            done.append((future, result))
                        raw.execute("RELEASE one")
                    raw.execute("COMMIT")
                    self._look_at_files()
                except BaseException:
                    if raw.in_transaction:
                        raw.execute("ROLLBACK")
                    raise
        except BaseException as error:
            log_failure("a write", error)
            self.last_write = 0.0
            for future, _ in group:
                if not future.done():
                    future.set_exception(as_store_error(error))
            return
        self.last_write = time.monotonic()
        for future, result in done:
            future.set_result(result)

    def _look_at_files(self) -> None:
        """Refuse to call anything saved that went into a file which nobody can find any more."""
        for path in (self.path, self.path.with_name(f"{self.path.name}-wal")):
            try:
                found = path.stat().st_ino
            except FileNotFoundError:
                found = 0
            if self._files.setdefault(path, found) != found or not found:
                raise StoreError(
                    f"{path.name} was deleted or replaced while it was in use; what comes now cannot be kept",
                    "stop the server, put the file back or restore a backup, and start it again",
                )

    def try_write(self) -> None:
        def change_nothing(connection: Connection) -> None:
            # A number in the file's head that nothing reads: the smallest thing that must reach the disk.
            number = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            connection.exec_driver_sql(f"PRAGMA user_version = {(number + 1) % 2**31}")

        self.write(change_nothing)

    def migrate(self, act: Callable[[Connection], None]) -> None:
        with self.lock.held(), self._writer.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            raw: Any = connection.connection.dbapi_connection
            # A table that others refer to is changed by making it anew; what refers to it is looked at afterwards.
            raw.execute("PRAGMA foreign_keys=OFF")
            raw.execute("BEGIN IMMEDIATE")
            try:
                act(connection)
                if raw.execute("PRAGMA foreign_key_check").fetchone() is not None:
                    raise StoreError("the store's tables do not fit together", "restore a backup, then try again")
                raw.execute("COMMIT")
            except BaseException:
                if raw.in_transaction:
                    raw.execute("ROLLBACK")
                raise

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        # Readers go first: whoever closes last checkpoints, and that must be the writer.
        with self.lock.held():
            for connection in self._opened:
                connection.close()
        self._jobs.put(None)
        self._thread.join()
        self.lock.close()
