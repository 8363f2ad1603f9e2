"""A group of writes in one transaction of SQLite: one that fails is rolled back alone.

For a savepoint SQLite copies each page that a write changes, which takes a fifth of the time of a save. Short writes go
without one: where one has failed half-way, the transaction is rolled back, and the others are run again, each with a
savepoint. Most writes that are refused fail before they change anything.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection

from assay.store.engine.loop_writes import Done, Job

Refuse = Callable[[Any, BaseException], None]
"""Tells whoever waits for a write that it has failed, and why."""


def do_together(connection: Connection, raw: Any, group: list[Job], refuse: Refuse) -> Done:
    """Run some writes that can be repeated; returns those that succeeded, with their results."""
    done: Done = []
    for future, act in group:
        before = raw.total_changes
        try:
            done.append((future, act(connection)))
        except BaseException as error:
            half_way = raw.total_changes != before or not raw.in_transaction
            refuse(future, error)
            if half_way:
                _begin_anew(raw)
                return do_one_by_one(connection, raw, [job for job in group if not job[0].done()], refuse)
    return done


def _begin_anew(raw: Any) -> None:
    if raw.in_transaction:
        raw.execute("ROLLBACK")
    raw.execute("BEGIN IMMEDIATE")


def do_one_by_one(connection: Connection, raw: Any, group: list[Job], refuse: Refuse) -> Done:
    """Run some writes, each with a savepoint; returns those that succeeded, with their results."""
    done: Done = []
    for future, act in group:
        raw.execute("SAVEPOINT one")
        try:
            done.append((future, act(connection)))
        except BaseException as error:
            raw.execute("ROLLBACK TO one")
            refuse(future, error)
        raw.execute("RELEASE one")
    return done
