"""Connections to PostgreSQL with timeouts, which are tested before they are handed out.

A database that vanishes silently (a fail-over, a dropped entry of a router) leaves connections on which one could wait
for ever. So a server waits for one answer for a few seconds, then takes a new connection. The other way round, a
program that is gone leaves a session that could hold its locks for ever: PostgreSQL is told when to end it.
"""

import math
import time
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import InvalidatePoolError

CONNECT_SECONDS = 5
ANSWER_SECONDS = 6
"""How long a request waits for one answer. Commands have no timeout."""
HEAVY_SECONDS = 8
"""How long everything else in a server waits for one answer."""
FOR_EVER = math.inf
TRY_SECONDS = 2
"""How long the test of a connection may take."""
SURE_FOR_SECONDS = 1.0
"""A connection that was used within this time is not tested."""
IDLE_SECONDS = 8
"""How long a server's transaction may be idle: after that its program is most likely gone, and others wait for it."""
IDLE_SECONDS_OF_COMMANDS = 600
TCP = {"keepalives_idle": 10, "keepalives_interval": 3, "keepalives_count": 3, "tcp_user_timeout": 20_000}
"""When the system itself gives a connection up."""
SESSION = (
    "set idle_in_transaction_session_timeout = '{idle}s'; set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2;"
    "set tcp_keepalives_count = 2; set tcp_user_timeout = 20000"
)
"""When PostgreSQL gives a connection up."""

longest: ContextVar[float] = ContextVar("longest")
"""How long to wait for one answer here, where that is not what the store's limits say."""


class Limits:
    """The timeouts of a store's connections; a server has shorter ones than a command."""

    answer = FOR_EVER

    @property
    def idle(self) -> int:
        """Seconds that a transaction may do nothing."""
        return IDLE_SECONDS_OF_COMMANDS if self.answer == FOR_EVER else IDLE_SECONDS


def pool_of(url: str, name: str, limits: Limits, look: Callable[[Any], None], **settings: Any) -> Engine:
    """A pool of connections: each is set up when it is made, and tested before it is handed out."""
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
        made = _impatient_connection().connect(*arguments, autocommit=True, **settings)
        made.limits = limits
        made.execute(SESSION.format(idle=limits.idle))
        try:
            look(made)
        except BaseException:
            made.close()
            raise
        made.autocommit = False
        return made

    @event.listens_for(engine, "connect")
    @event.listens_for(engine, "checkin")
    def _remember(_driver: Any, record: Any) -> None:
        record.info["used_at"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def _try(driver: Any, record: Any, _proxy: Any) -> None:
        if time.monotonic() - record.info.get("used_at", 0.0) < SURE_FOR_SECONDS:
            return
        before = longest.set(TRY_SECONDS)
        try:
            engine.dialect.do_ping(driver)
        except Exception as error:
            # Whatever happened to this connection may have happened to all that wait in the pool.
            raise InvalidatePoolError from error
        finally:
            longest.reset(before)

    return engine


@cache
def _impatient_connection() -> Any:
    import psycopg

    class Impatient(psycopg.Connection[Any]):
        """A connection on which a server waits only so long for an answer."""

        limits = Limits()

        def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
            until = longest.get(self.limits.answer) if timeout is None else timeout
            try:
                return super().wait(gen, interval, None if until == FOR_EVER else until)
            except psycopg.errors._WaitTimeout:
                self.pgconn.finish()
                raise psycopg.OperationalError(f"no answer within {until} seconds") from None

    return Impatient
