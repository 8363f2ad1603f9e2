"""SQLite: one writing connection with group commit.

Whatever is waiting is committed as one group: every caller is answered after the commit, and one fsync serves them all.
A thread does that; short writes of an event loop are done in the loop (`loop_writes`), and only committed elsewhere.
"""

import asyncio
import os
import queue
import sqlite3
import threading
import time
from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Concatenate, NoReturn
from weakref import WeakKeyDictionary

from sqlalchemy import Connection

from assay.errors import StoreError
from assay.store.engine.backend import Backend, P, T, other_tables
from assay.store.engine.damage import LOOKED_AT_FIRST, damage_of, error_of_damage
from assay.store.engine.database_files import DatabaseFiles
from assay.store.engine.failures import BELOW, DAMAGE, as_store_error, first_line, log_failure, sqlite_code
from assay.store.engine.lock import WriteLock
from assay.store.engine.loop_writes import Done, Job, LoopWrites, NotNow, answer
from assay.store.engine.sqlite_connections import sqlite_engine
from assay.store.engine.sqlite_groups import do_one_by_one, do_together

MOST_IN_A_GROUP = 128
BUSY_MS = 5_000
CHECKPOINTS = 100
"""How often a checkpoint of the log is tried, a tenth of a second apart."""


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
        self._reader = sqlite_engine(path, BUSY_MS, writes=False)
        self._writer = sqlite_engine(path, BUSY_MS, writes=True)
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._raw: Any = None
        self._turn = threading.Lock()
        self._in_loops: WeakKeyDictionary[AbstractEventLoop, LoopWrites] = WeakKeyDictionary()
        self._closed = False
        self._table_changes = -1
        self._fails = False
        self._looking: Any = None
        self._ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._work, name="assay-writer", daemon=True)
        self._thread.start()
        self._ready.result()

    def _read_connection(self) -> Connection:
        connection: Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._reader.connect().execution_options(isolation_level="AUTOCOMMIT")
            self._local.connection = connection
            with self._opening:
                self._opened.append(connection)
        return connection

    def read(self, ask: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return ask(self._read_connection(), *args, **kwargs)
        except Exception as error:
            self._raise_of_read(error)

    def stream(
        self, ask: Callable[Concatenate[Connection, P], Iterator[T]], *args: P.args, **kwargs: P.kwargs
    ) -> Iterator[T]:
        with self._reader.connect() as connection:
            connection = connection.execution_options(isolation_level="AUTOCOMMIT")
            try:
                connection.exec_driver_sql("BEGIN")
                yield from ask(connection, *args, **kwargs)
                connection.exec_driver_sql("COMMIT")
            except Exception as error:
                self._raise_of_read(error)

    @contextmanager
    def alone(self, work: int, study_id: int) -> Iterator[bool]:
        lock = WriteLock(self.path.with_name(f"{self.path.name}-{work:x}-{study_id}-lock"))
        try:
            yield lock.take_at_once()
        finally:
            lock.close()

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

    async def awrite_soon(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        if self._closed:
            raise StoreError("the store is closed")
        loop = asyncio.get_running_loop()
        here = self._in_loops.get(loop)
        if here is None:
            here = self._in_loops[loop] = LoopWrites(loop, self.begin_at_once, self.do, self.end)
        try:
            result: T = await here.add(lambda connection: act(connection, *args, **kwargs))
        except NotNow:
            return await self.awrite(act, *args, **kwargs)
        return result

    def _work(self) -> None:
        try:
            with self.lock.hold():
                self._connection = self._writer.connect().execution_options(isolation_level="AUTOCOMMIT")
                self._raw = self._connection.connection.dbapi_connection
                # Who waits, and how long, is decided here: an event loop does not.
                self._raw.execute("PRAGMA busy_timeout=0")
                self._raw.execute("SELECT 1 FROM sqlite_master").fetchone()  # opens the log, too
                self._files = DatabaseFiles(self.path)
        except BaseException as error:
            self._ready.set_exception(as_store_error(error))
            return
        self._ready.set_result(None)
        stop = False
        while not stop:
            group, stop = self._next_group()
            if group:
                self._commit(group)
        with self._turn, self.lock.hold():
            self._connection.close()

    def _next_group(self) -> tuple[list[Job], bool]:
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

    def _commit(self, group: list[Job]) -> None:
        """Do a group of writes in one transaction and answer each only after the commit."""
        waiting = [job for job in group if job[0].set_running_or_notify_cancel()]
        try:
            self._begin()
        except BaseException as error:
            answer([], waiting, self._as_failure(error))
            return
        done, failure = self.do(waiting, short=False)
        try:
            failure = self.end(failure)
        except BaseException as error:  # it could not even be taken back: this thread must go on, and say so
            failure = self._as_failure(error)
        answer(done, waiting, failure)

    def _begin(self) -> None:
        """Wait for other writers, then begin a transaction."""
        self._turn.acquire()
        try:
            self.lock.take()
            until = time.monotonic() + BUSY_MS / 1000
            while not self._try_to_begin():
                if time.monotonic() > until:
                    raise sqlite3.OperationalError("database is locked")
                time.sleep(0.01)
        except BaseException:
            self._let_go()
            raise

    def begin_at_once(self) -> bool:
        """Begin a transaction if nobody else is writing."""
        if not self._turn.acquire(blocking=False):
            return False
        if not self.lock.take_at_once():
            self._turn.release()
            return False
        try:
            begun = self._try_to_begin()
        except BaseException as error:
            self._let_go()
            raise self._as_failure(error) from error
        if not begun:
            self._let_go()
        return begun

    def _try_to_begin(self) -> bool:
        try:
            self._raw.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            return False
        return True

    def do(self, group: list[Job], *, short: bool = True) -> tuple[Done, BaseException | None]:
        """Run some writes within a transaction: returns those that succeeded, with their results, or why none could.

        A write that raises is rolled back alone, and its caller is told at once.
        """
        try:
            if self.damage:
                raise error_of_damage(self.damage)
            self._look_at_tables()
            do_group = do_together if short else do_one_by_one
            return do_group(self._connection, self._raw, group, self._refuse), None
        except BaseException as error:
            return [], error

    def _refuse(self, future: Any, error: BaseException) -> None:
        below = sqlite_code(error) in BELOW
        future.set_exception(self._as_failure(error) if below else as_store_error(error))
        self._fails = self._fails or below

    def end(self, failure: BaseException | None) -> BaseException | None:
        """Commit, or roll back after a failure, and release the lock. Returns why nothing was stored, else None."""
        try:
            if failure is not None:
                raise failure
            self._raw.execute("COMMIT")
            self._files.look()
        except BaseException as error:
            if self._raw.in_transaction:
                self._raw.execute("ROLLBACK")
            return self._as_failure(error)
        else:
            # After a failure of the system, a commit of the rest proves little.
            self.last_write = 0.0 if self._fails else time.monotonic()
            return None
        finally:
            self._fails = False
            self._let_go()

    def _let_go(self) -> None:
        self.lock.let_go()
        self._turn.release()

    def _as_failure(self, error: BaseException, what: str = "a write") -> BaseException:
        log_failure(what, error)
        self.last_write = 0.0
        if sqlite_code(error) in DAMAGE:
            self.damage = first_line(error)
        return as_store_error(error)

    def _raise_of_read(self, error: Exception) -> NoReturn:
        if sqlite_code(error) in BELOW:
            raise self._as_failure(error, "a read") from error
        raise error

    def look_for_damage(self) -> None:
        if self.path.stat().st_size > LOOKED_AT_FIRST:
            threading.Thread(target=self._look_at_pages, name="assay-damage", daemon=True).start()
            return
        self._look_at_pages()
        if self.damage:
            raise error_of_damage(self.damage)

    def _look_at_pages(self) -> None:
        """Check every page of the file, on a connection of its own; closing the store interrupts it."""
        with self._reader.connect() as connection:
            self._looking = connection.connection.dbapi_connection
            self.damage = damage_of(connection) or self.damage
            self._looking = None
        if self.damage:
            self._as_failure(error_of_damage(self.damage), "looking at the file")

    def _look_at_tables(self) -> None:
        """Raise where a newer program has migrated the tables while this one ran."""
        changes = self._raw.execute("PRAGMA schema_version").fetchone()[0]
        if self.schema is None or changes == self._table_changes:
            return
        [found] = self._raw.execute("SELECT version_num FROM alembic_version").fetchone()
        if found != self.schema:
            raise other_tables(found, self.schema)
        self._table_changes = changes

    @staticmethod
    def change_nothing(connection: Connection) -> None:
        # A number in the file's head that nothing reads: the smallest thing that must reach the disk.
        number = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        connection.exec_driver_sql(f"PRAGMA user_version = {(number + 1) % 2**31}")

    def migrate(self, act: Callable[[Connection], None]) -> None:
        with self.lock.hold(), self._writer.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            raw: Any = connection.connection.dbapi_connection
            # A referenced table is altered by rebuilding it; foreign keys are checked afterwards.
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

    def overwrite_deleted(self) -> str:
        # Pages that were freed before this program overwrote freed pages, and the log, go with the old file.
        at_once = self._writer.connect().execution_options(isolation_level="AUTOCOMMIT")
        with self._turn, self.lock.hold(), at_once as connection:
            raw: Any = connection.connection.dbapi_connection
            raw.execute("VACUUM")
            # Each try would wait for whoever reads as long as a write does, and all writes wait for the last of them.
            raw.execute("PRAGMA busy_timeout=0")
            for _ in range(CHECKPOINTS):
                if not raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                    return ""
                time.sleep(0.1)
        return "somebody reads from the database: the log is emptied when they are done, or when the server stops"

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if (looking := self._looking) is not None:
            looking.interrupt()
        # Readers go first: whoever closes last checkpoints, and that must be the writer.
        with self.lock.hold():
            for connection in self._opened:
                connection.close()
        self._jobs.put(None)
        self._thread.join()
        for each in self._in_loops.values():
            each.close()
        self.lock.close()
