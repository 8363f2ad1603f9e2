"""The engine room: one writing connection with group commit on SQLite, a pool on PostgreSQL, one way to use both.

A read or a write is a function that takes a connection. On SQLite all writes go through one thread, which commits
whatever is waiting as one group: every caller is answered after the commit, and one fsync serves them all.
"""

import asyncio
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import NullPool

from assay.errors import StoreError
from assay.store.engine.lock import WriteLock

P = ParamSpec("P")
T = TypeVar("T")

MOST_IN_A_GROUP = 128
BUSY_MS = 5_000
RETRIES = 3


class Backend:
    """What a database must offer to the store."""

    dialect: str
    version: str
    address: str
    """Where the data is, as `open_store` takes it. It may hold a password: for other processes, not for people."""

    def read(self, ask: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function that only reads."""
        raise NotImplementedError

    def write(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function that writes; it returns after the commit, or raises and nothing is changed."""
        raise NotImplementedError

    async def aread(self, ask: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Read without holding up the server."""
        raise NotImplementedError

    async def awrite(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Write without holding up the server."""
        raise NotImplementedError

    def stream(
        self, ask: Callable[Concatenate[Connection, P], Iterator[T]], *args: P.args, **kwargs: P.kwargs
    ) -> Iterator[T]:
        """Read row by row on a connection of its own, as one snapshot, without gathering anything."""
        raise NotImplementedError

    def migrate(self, act: Callable[[Connection], None]) -> None:
        """Change the tables themselves, all of it or nothing."""
        self.write(act)

    @property
    def description(self) -> str:
        """What the data is kept in, for people."""
        raise NotImplementedError

    def close(self) -> None:
        """Finish what is waiting and let go."""
        raise NotImplementedError


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
        self._ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._work, name="assay-writer", daemon=True)
        self._thread.start()
        self._ready.result()

    def _engine(self, *, writes: bool) -> Engine:
        engine = create_engine(
            f"sqlite:///{self.path}",
            connect_args={"check_same_thread": False, "isolation_level": None},
            poolclass=NullPool,  # connections are held for life, one a thread
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
            self._ready.set_exception(_as_store_error(error))
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
                            future.set_exception(_as_store_error(error))
                        else:
                            done.append((future, result))
                        raw.execute("RELEASE one")
                    raw.execute("COMMIT")
                except BaseException:
                    if raw.in_transaction:
                        raw.execute("ROLLBACK")
                    raise
        except BaseException as error:
            for future, _ in group:
                if not future.done():
                    future.set_exception(_as_store_error(error))
            return
        for future, result in done:
            future.set_result(result)

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


class Postgres(Backend):
    """PostgreSQL: several servers may share it; nothing that matters lives in a process."""

    dialect = "postgresql"

    def __init__(self, url: str) -> None:
        self.address = url
        try:
            self._engine = create_engine(url, pool_size=10, max_overflow=20, isolation_level="READ COMMITTED")
            # Reads need no transaction of their own: two messages less on the way.
            self._reader = self._engine.execution_options(isolation_level="AUTOCOMMIT")
            with self._engine.connect() as connection:
                self.version = str(connection.execute(text("show server_version")).scalar_one())
        except ModuleNotFoundError:
            raise StoreError("PostgreSQL needs the psycopg package", "pip install 'assay-eval[postgres]'") from None
        except DBAPIError as error:
            raise StoreError(f"PostgreSQL does not answer: {_first_line(error)}", "look at the address") from None

    def read(self, ask: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return self._again(lambda: self._reading(lambda connection: ask(connection, *args, **kwargs)))

    def write(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return self._again(lambda: self._writing(lambda connection: act(connection, *args, **kwargs)))

    def stream(
        self, ask: Callable[Concatenate[Connection, P], Iterator[T]], *args: P.args, **kwargs: P.kwargs
    ) -> Iterator[T]:
        with self._engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
            yield from ask(connection, *args, **kwargs)

    @property
    def description(self) -> str:
        return f"{self._engine.url.render_as_string(hide_password=True)} (PostgreSQL {self.version})"

    async def aread(self, ask: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(lambda: self.read(ask, *args, **kwargs))

    async def awrite(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(lambda: self.write(act, *args, **kwargs))

    def _reading(self, ask: Callable[[Connection], T]) -> T:
        with self._reader.connect() as connection, _noticing_a_lost(connection):
            return ask(connection)

    def _writing(self, act: Callable[[Connection], T]) -> T:
        with self._engine.begin() as connection, _noticing_a_lost(connection):
            return act(connection)

    @staticmethod
    def _again(run: Callable[[], T]) -> T:
        """Once more after a lost connection, a deadlock or a race: every write here can be repeated without harm."""
        for attempt in range(RETRIES):
            try:
                return run()
            except Exception as error:
                if not _passing(error):
                    raise
                if attempt == RETRIES - 1:
                    raise StoreError(f"PostgreSQL does not answer: {_first_line(error)}", "try again") from error
                time.sleep(0.1 * attempt)
        raise AssertionError("unreachable")

    def close(self) -> None:
        self._engine.dispose()


@contextmanager
def _noticing_a_lost(connection: Connection) -> Iterator[None]:
    """Take a connection out of the pool when it turns out to be gone: prepared statements go past SQLAlchemy."""
    try:
        yield
    except Exception:
        if not connection.invalidated:
            driver: Any = connection.connection.dbapi_connection
            if driver is None or driver.closed:
                connection.invalidate()
        raise


def _passing(error: Exception) -> bool:
    """Whether trying again can help: the connection was lost, or another transaction was in the way."""
    cause = getattr(error, "orig", None) or error
    state = getattr(cause, "sqlstate", None)
    if state is not None:
        # Lost connections (08), serialisation and deadlock (40), a row that another one added first, shutdown (57P).
        return str(state).startswith(("08", "40", "57P")) or state == "23505"
    return type(cause).__name__ in ("OperationalError", "InterfaceError")


def _first_line(error: BaseException) -> str:
    return str(getattr(error, "orig", error)).strip().splitlines()[0]


def _as_store_error(error: BaseException) -> BaseException:
    """A database that is locked, full or gone is said in words; everything else stays what it is."""
    if isinstance(error, OperationalError | sqlite3.OperationalError):
        return StoreError(f"the store cannot be used just now: {_first_line(error)}", "try again in a moment")
    if type(getattr(error, "orig", error)) is sqlite3.DatabaseError:  # not one of its kinds: the file itself is wrong
        return StoreError(f"the store cannot be read: {_first_line(error)}", "is this the right file? restore a backup")
    return error


__all__ = ["Backend", "Postgres", "Sqlite"]
