"""PostgreSQL: a pool of connections that are replaced when they are lost, or when nothing comes from them any more.

A server that is gone without a word (a fail-over, a dropped entry of a router) leaves connections on which one could
wait for ever. So whoever serves a request waits for one answer a few seconds, then takes a new connection.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from typing import Any, Concatenate

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError

from assay.errors import StoreError
from assay.store.engine.backend import Backend, P, T
from assay.store.engine.failures import first_line, log_failure
from assay.store.tables import metadata

RETRIES = 3
CONNECT_SECONDS = 5
ANSWER_SECONDS = 6
"""So long does a request wait for one answer. Commands wait as long as it takes."""
TCP = {"keepalives_idle": 10, "keepalives_interval": 3, "keepalives_count": 3, "tcp_user_timeout": 20_000}
"""When the system itself gives a connection up: for commands, which have no other limit."""

OWNS_DATABASE = """
select pg_has_role(current_user, datdba, 'usage') from pg_database where datname = current_database()
"""
"""Whether this user may write the catalogue anew: nobody else can, and PostgreSQL only warns of it."""
TEXTS_KNOWN = """
select s.attname from pg_stats s join information_schema.columns c
  on c.table_schema = s.schemaname and c.table_name = s.tablename and c.column_name = s.attname
where s.schemaname = current_schema() and s.tablename = :table and c.data_type = 'text'
"""
"""The texts of a table of which the planner has kept values."""

_longest: ContextVar[float | None] = ContextVar("longest", default=None)
"""How long to wait for one answer; None: for ever."""


class Postgres(Backend):
    """PostgreSQL: several servers may share it; nothing that matters lives in a process."""

    dialect = "postgresql"

    def __init__(self, url: str, name: str = "assay") -> None:
        self.address = url
        try:
            self._engine = _engine(url, name)
            # Reads need no transaction of their own: two messages less on the way. They have connections of their own,
            # since changing one from the one to the other and back costs more than to ask something.
            self._reader = _engine(url, name, isolation_level="AUTOCOMMIT", skip_autocommit_rollback=True)
            with self._reader.connect() as connection:
                self.version = str(connection.execute(text("show server_version")).scalar_one())
        except ModuleNotFoundError:
            raise StoreError("PostgreSQL needs the psycopg package", "pip install 'assay-eval[postgres]'") from None
        except DBAPIError as error:
            raise StoreError(f"PostgreSQL does not answer: {first_line(error)}", "look at the address") from None

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
        return await asyncio.to_thread(lambda: self._soon(lambda: self.read(ask, *args, **kwargs)))

    async def awrite(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(lambda: self._soon(lambda: self.write(act, *args, **kwargs)))

    @staticmethod
    def _soon(run: Callable[[], T]) -> T:
        """Do something for a request: it does not wait for ever. The context is that of the thread's call alone."""
        _longest.set(ANSWER_SECONDS)
        return run()

    def _reading(self, ask: Callable[[Connection], T]) -> T:
        with self._reader.connect() as connection, _noticing_a_lost(connection):
            return ask(connection)

    def _writing(self, act: Callable[[Connection], T]) -> T:
        with self._engine.begin() as connection, _noticing_a_lost(connection):
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

    def try_write(self) -> None:
        # A message to nobody: the smallest thing that must reach the disk.
        self.write(lambda connection: connection.execute(text("select pg_logical_emit_message(true, 'assay', '')")))

    def overwrite_deleted(self) -> str:
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            quote = connection.dialect.identifier_preparer.quote
            for table in metadata.sorted_tables:
                connection.exec_driver_sql(f"vacuum full {quote(table.name)}")
                _forget_values(connection, table.name)
            left = []
            if connection.execute(text(OWNS_DATABASE)).scalar_one():
                connection.exec_driver_sql("vacuum full pg_statistic")
            else:
                left.append("only the database's owner can have `vacuum full pg_statistic`: it may still hold values")
            try:
                connection.exec_driver_sql("checkpoint")
            except DBAPIError:
                left.append("this user may not ask for a checkpoint: old rows leave the disk with the next one")
        return "; ".join([*left, "the server's write-ahead log, its archives and replicas are its operator's to clear"])

    def _again(self, run: Callable[[], T]) -> T:
        """Once more after a lost connection, a deadlock or a race: every write here can be repeated without harm."""
        for attempt in range(RETRIES):
            try:
                return run()
            except Exception as error:
                if not _passing(error):
                    raise
                if _is_lost(error):
                    # Whatever happened to this connection may have happened to all that wait in the pool.
                    self._dispose()
                if attempt == RETRIES - 1:
                    log_failure("PostgreSQL", error)
                    self.last_write = 0.0
                    raise StoreError(f"PostgreSQL does not answer: {first_line(error)}", "try again") from error
                time.sleep(0.1 * attempt)
        raise AssertionError("unreachable")

    def _dispose(self) -> None:
        for each in (self._engine, self._reader):
            each.dispose()

    def close(self) -> None:
        self._dispose()


def _forget_values(connection: Connection, table: str) -> None:
    """Have the planner look at a table anew: of what it saw before, it has kept some values as they were.

    At an empty table it does not look, so there what it knows of the texts is dropped with their type, which stays.
    """
    quote = connection.dialect.identifier_preparer.quote
    if connection.exec_driver_sql(f"select 1 from {quote(table)} limit 1").first() is not None:
        connection.exec_driver_sql(f"analyze {quote(table)}")
        return
    columns = connection.execute(text(TEXTS_KNOWN), {"table": table}).scalars().all()
    if changes := ", ".join(f"alter column {quote(name)} type text" for name in columns):
        connection.exec_driver_sql(f"alter table {quote(table)} {changes}")


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


def _engine(url: str, name: str, **settings: Any) -> Engine:
    engine = create_engine(
        url,
        pool_size=5,
        max_overflow=10,
        pool_timeout=ANSWER_SECONDS,
        connect_args={"connect_timeout": CONNECT_SECONDS, "application_name": name, **TCP},
        # Errors are logged and shown: what was to be stored is not part of them.
        hide_parameters=True,
        **{"isolation_level": "READ COMMITTED", **settings},
    )

    @event.listens_for(engine, "do_connect")
    def _connect(_dialect: Any, _record: Any, arguments: Any, settings: Any) -> Any:
        return _impatient_connection().connect(*arguments, **settings)

    return engine


@cache
def _impatient_connection() -> Any:
    import psycopg

    class Impatient(psycopg.Connection[Any]):
        """A connection on which a request waits only so long for an answer."""

        def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
            longest = _longest.get() if timeout is None else timeout
            try:
                return super().wait(gen, interval, longest)
            except psycopg.errors._WaitTimeout:
                self.pgconn.finish()
                raise psycopg.OperationalError(f"no answer within {longest} seconds") from None

    return Impatient


def _is_lost(error: Exception) -> bool:
    """Whether the connection is gone, as far as the error tells."""
    cause = getattr(error, "orig", None) or error
    state = getattr(cause, "sqlstate", None)
    return state is None or str(state).startswith(("08", "57P"))


def _passing(error: Exception) -> bool:
    """Whether trying again can help: the connection was lost, or another transaction was in the way."""
    cause = getattr(error, "orig", None) or error
    state = getattr(cause, "sqlstate", None)
    if state is not None:
        # Lost connections (08), serialisation and deadlock (40), a row that another one added first, shutdown (57P).
        return str(state).startswith(("08", "40", "57P")) or state == "23505"
    return type(cause).__name__ in ("OperationalError", "InterfaceError")
