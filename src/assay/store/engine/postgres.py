"""PostgreSQL: connections are replaced when they are lost or time out."""

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, Concatenate

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, InvalidRequestError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoneFree

from assay.errors import StoreError
from assay.store.engine import postgres_connections as connections
from assay.store.engine.backend import Backend, P, T, other_tables
from assay.store.engine.failures import first_line, log_failure
from assay.store.tables import metadata

RETRIES = 3
LOST = ("08", "57P", "25P03")
"""States of a connection that is gone: lost, the server shuts down, its transaction did nothing for too long."""
REQUESTS_AT_ONCE = min(32, (os.cpu_count() or 1) + 4)
"""Threads in which requests ask; heavy work has others, so that it never keeps a request waiting."""

OWNS_DATABASE = """
select pg_has_role(current_user, datdba, 'usage') from pg_database where datname = current_database()
"""
"""Whether this user owns the database: only the owner can rewrite the catalogue, and PostgreSQL only warns others."""
TEXTS_KNOWN = """
select s.attname from pg_stats s join information_schema.columns c
  on c.table_schema = s.schemaname and c.table_name = s.tablename and c.column_name = s.attname
where s.schemaname = current_schema() and s.tablename = :table and c.data_type = 'text'
"""
"""The text columns of a table that have planner statistics."""
KNOWN_ROWS = "select reltuples from pg_class where oid = to_regclass(:table)"
"""The planner's estimate of a table's rows; -1: it was never analysed."""
MANY_ROWS = 300
LARGE_SHARE = 0.1
"""Of a table: a tenth more changes no plan."""
OLDER = """
select count(*) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and backend_xmin is not null and xact_start < :now
"""
"""Transactions of this database that began before a time, its own upkeep among them."""
NEXT = "select txid_snapshot_xmax(txid_current_snapshot())"
"""One more than the number of whatever was written and committed so far, on the whole server."""
ENDED = "select txid_snapshot_xmin(txid_current_snapshot())"
"""Below this number all writing transactions have ended, in every database of the server. Until then `vacuum full`
keeps what was deleted since they began: it looks with a snapshot, which knows the writers of all databases."""
MOST_LOOKS = 50
"""How often it is checked whether they have ended, a tenth of a second apart."""


class Postgres(Backend):
    """PostgreSQL: several servers may share it; nothing that matters lives in a process."""

    dialect = "postgresql"

    def __init__(self, url: str, name: str = "assay") -> None:
        self.address = url
        self._limits = connections.Limits()
        self._for_requests = ThreadPoolExecutor(REQUESTS_AT_ONCE, "assay-postgres", _hurry)
        try:
            self._engine = connections.pool_of(url, name, self._limits, self._look_at_tables)
            # Reads use autocommit, which saves two round trips. They have connections of their own, since switching a
            # connection between the two modes costs more than a query.
            at_once = {"isolation_level": "AUTOCOMMIT", "skip_autocommit_rollback": True}
            self._reader = connections.pool_of(url, name, self._limits, self._look_at_tables, **at_once)
            with self._reader.connect() as connection:
                self.version = str(connection.execute(text("show server_version")).scalar_one())
        except ModuleNotFoundError:
            raise StoreError("PostgreSQL needs the psycopg package", "pip install 'assay-eval[postgres]'") from None
        except DBAPIError as error:
            raise StoreError(f"PostgreSQL does not answer: {first_line(error)}", "look at the address") from None

    def read(self, ask: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return self._again(lambda: self._read_once(lambda connection: ask(connection, *args, **kwargs)))

    def write(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return self._again(lambda: self._write_once(lambda connection: act(connection, *args, **kwargs)))

    def stream(
        self, ask: Callable[Concatenate[Connection, P], Iterator[T]], *args: P.args, **kwargs: P.kwargs
    ) -> Iterator[T]:
        for attempt in range(RETRIES):
            begun = False
            try:
                snapshot = self._engine.connect().execution_options(isolation_level="REPEATABLE READ")
                with snapshot as connection, _drop_if_lost(connection):
                    # Whoever only reads holds nobody up, and may take a while between two rows.
                    connection.execute(text("set local idle_in_transaction_session_timeout = 0"))
                    for row in (rows := iter(ask(connection, *args, **kwargs))):
                        begun = True
                        yield row
                        yield from rows
                    return
            except Exception as error:
                # Once there was a row, another snapshot would not go on where this one has ended.
                self._look_at(error, last=begun or attempt == RETRIES - 1)

    @property
    def description(self) -> str:
        return f"{self._engine.url.render_as_string(hide_password=True)} (PostgreSQL {self.version})"

    async def aread(self, ask: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._for_requests, lambda: self.read(ask, *args, **kwargs))

    async def awrite(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._for_requests, lambda: self.write(act, *args, **kwargs))

    def limit_waiting(self) -> None:
        self._limits.answer = connections.HEAVY_SECONDS
        self._dispose()  # what comes from now on has the limits of a server

    def _read_once(self, ask: Callable[[Connection], T]) -> T:
        with self._reader.connect() as connection, _drop_if_lost(connection):
            return ask(connection)

    def _write_once(self, act: Callable[[Connection], T]) -> T:
        with self._engine.begin() as connection, _drop_if_lost(connection):
            result = act(connection)
        self.last_write = time.monotonic()
        return result

    @contextmanager
    def alone(self, work: int, study_id: int) -> Iterator[bool]:
        key = {"work": work, "study": study_id}
        with self._reader.connect() as connection:
            take = text("select pg_try_advisory_lock(cast(:work as integer), cast(:study as integer))")
            is_ours = bool(connection.execute(take, key).scalar_one())
            try:
                yield is_ours
            finally:
                # The server may be gone by now, and the lock with it: that is no reason to lose what was done.
                with suppress(DBAPIError):
                    if is_ours:
                        let_go = text("select pg_advisory_unlock(cast(:work as integer), cast(:study as integer))")
                        connection.execute(let_go, key)

    @staticmethod
    def change_nothing(connection: Connection) -> None:
        # A message to nobody: the smallest thing that must reach the disk.
        connection.execute(text("select pg_logical_emit_message(true, 'assay', '')"))

    def rows_came(self, added: Mapping[str, int]) -> None:
        # Autovacuum runs once a minute. Until then the planner takes the tables to be as small as before, and scans
        # them where it could use an index. Without the right to analyse, PostgreSQL warns and does nothing.
        many = {table: rows for table, rows in added.items() if rows >= MANY_ROWS}
        with suppress(SQLAlchemyError), self._reader.connect() as connection:
            for table, rows in many.items():
                name = connection.dialect.identifier_preparer.quote(table)
                if rows > LARGE_SHARE * connection.execute(text(KNOWN_ROWS), {"table": name}).scalar_one():
                    connection.exec_driver_sql(f"analyze {name}")

    def overwrite_deleted(self) -> str:
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connections.longest.set(connections.FOR_EVER)
            quote = connection.dialect.identifier_preparer.quote
            is_alone = _alone_from_now(connection)
            for table in metadata.sorted_tables:
                connection.exec_driver_sql(f"vacuum full {quote(table.name)}")
                _forget_values(connection, table.name)
            is_alone &= _alone_from_now(connection)
            left = [] if is_alone else ["a transaction from before still saw it: erase again later"]
            if connection.execute(text(OWNS_DATABASE)).scalar_one():
                connection.exec_driver_sql("vacuum full pg_statistic")
            else:
                left.append("only the database's owner can have `vacuum full pg_statistic`: it may still hold values")
            try:
                connection.exec_driver_sql("checkpoint")
            except DBAPIError:
                left.append("this user may not ask for a checkpoint: old rows leave the disk with the next one")
        return "; ".join([*left, "the server's write-ahead log, its archives and replicas are its operator's to clear"])

    def _look_at_tables(self, driver: Any) -> None:
        """Raise on a new connection where a newer program has migrated the tables while this one was not connected."""
        if self.schema is None:
            return
        [found] = driver.execute("select version_num from alembic_version").fetchone()
        if found != self.schema:
            error = other_tables(found, self.schema)
            log_failure("PostgreSQL", error)
            self.last_write = 0.0
            raise error

    def _again(self, run: Callable[[], T]) -> T:
        """Run, and retry after a lost connection, a deadlock or a race: every write can be repeated without harm."""
        for attempt in range(RETRIES):
            try:
                return run()
            except Exception as error:
                self._look_at(error, last=attempt == RETRIES - 1)
                time.sleep(0.1 * attempt)
        raise AssertionError("unreachable")

    def _look_at(self, error: Exception, *, last: bool) -> None:
        """Prepare a retry after an error; raises where a retry would not help, or this was the last one."""
        if not isinstance(error, NoneFree) and not _is_passing(error):
            raise error
        if _is_lost(error):
            # Whatever happened to this connection may have happened to all that wait in the pool.
            self._dispose()
        if last or isinstance(error, NoneFree):
            log_failure("PostgreSQL", error)
            self.last_write = 0.0
            raise StoreError(f"PostgreSQL does not answer: {first_line(error)}", "try again") from error

    def _dispose(self) -> None:
        for each in (self._engine, self._reader):
            each.dispose()

    def close(self) -> None:
        self._for_requests.shutdown(wait=False)
        self._dispose()


def _alone_from_now(connection: Connection) -> bool:
    """Wait for older transactions, for which PostgreSQL keeps deleted rows. False if some have not ended in time."""
    now = connection.exec_driver_sql("select clock_timestamp()").scalar_one()
    following = connection.exec_driver_sql(NEXT).scalar_one()
    for _ in range(MOST_LOOKS):
        have_ended = connection.exec_driver_sql(ENDED).scalar_one() >= following
        if have_ended and not connection.execute(text(OLDER), {"now": now}).scalar_one():
            return True
        time.sleep(0.1)
    return False


def _forget_values(connection: Connection, table: str) -> None:
    """Update the planner statistics of a table, since these hold sample values of deleted rows.

    ANALYZE skips an empty table: there, setting the type of text columns to what it is drops their statistics.
    """
    quote = connection.dialect.identifier_preparer.quote
    if connection.exec_driver_sql(f"select 1 from {quote(table)} limit 1").first() is not None:
        connection.exec_driver_sql(f"analyze {quote(table)}")
        return
    columns = connection.execute(text(TEXTS_KNOWN), {"table": table}).scalars().all()
    if changes := ", ".join(f"alter column {quote(name)} type text" for name in columns):
        connection.exec_driver_sql(f"alter table {quote(table)} {changes}")


def _hurry() -> None:
    """Set the timeout of answers in each thread that serves requests."""
    connections.longest.set(connections.ANSWER_SECONDS)


@contextmanager
def _drop_if_lost(connection: Connection) -> Iterator[None]:
    """Invalidate a connection that turns out to be closed: prepared statements bypass SQLAlchemy, which would."""
    try:
        yield
    except Exception:
        if not connection.invalidated:
            driver: Any = connection.connection.dbapi_connection
            if driver is None or driver.closed:
                connection.invalidate()
        raise


def _is_lost(error: Exception) -> bool:
    """Whether the connection is gone, as far as the error tells."""
    cause = getattr(error, "orig", None) or error
    state = getattr(cause, "sqlstate", None)
    return (state is None and not isinstance(error, NoneFree)) or str(state).startswith(LOST)


def _is_passing(error: Exception) -> bool:
    """Whether a retry can help: the connection was lost, or another transaction was in the way."""
    cause = getattr(error, "orig", None) or error
    state = getattr(cause, "sqlstate", None)
    if state is not None:
        # Serialisation and deadlock (40), a row that another one added first.
        return str(state).startswith((*LOST, "40")) or state == "23505"
    # The pool says of a connection that was lost more than once, or in the middle, that it is closed or not usable.
    if isinstance(cause, InvalidRequestError) or "connection in transaction status" in str(cause):
        return True
    # The driver's name, and of none that it does not have: to import it takes long. Time that ran out is a kind of it.
    return any(kind.__name__ in ("OperationalError", "InterfaceError") for kind in type(cause).__mro__)
