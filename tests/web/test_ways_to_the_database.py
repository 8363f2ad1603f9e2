"""How often a page and a save go to the database: counted, since that is most of what they cost."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from assay.store import open_store
from tests import pages
from tests.conftest import make_bench
from tests.web.annotator import Annotator

MOST = {"sqlite": {"page": 3, "save": 23}, "postgresql": {"page": 3, "save": 22}}
"""Statements of SQLite, one for each judgment; of PostgreSQL how often an answer is waited for."""


class Ways:
    """Counts them."""

    def __init__(self) -> None:
        self.taken: list[str] = []


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ways]:
    """Those of every connection that is opened meanwhile."""
    import psycopg

    ways, wait = Ways(), psycopg.Connection.wait

    def waited(self: Any, *given: Any, **named: Any) -> Any:
        ways.taken.append("wait")
        return wait(self, *given, **named)

    def watch(connection: Any, _: Any) -> None:
        if isinstance(connection, sqlite3.Connection):
            connection.set_trace_callback(ways.taken.append)

    monkeypatch.setattr(psycopg.Connection, "wait", waited)
    event.listen(Engine, "connect", watch)
    try:
        yield ways
    finally:
        event.remove(Engine, "connect", watch)


def test_a_page_and_a_save_go_to_the_database_a_few_times(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = MOST["postgresql" if database.startswith("postgresql") else "sqlite"]
    with counted(monkeypatch) as ways:
        store = open_store(database)
        ana = Annotator(make_bench(store, tmp_path / "study")).begin()
        for _ in range(3):
            ways.taken.clear()
            address, form = pages.item_form(ana.page())
            assert 0 < len(ways.taken) <= most["page"], "\n".join(ways.taken)
            ways.taken.clear()
            assert ana.send(address, {**form, **pages.SCORES}).status_code == 200
            assert 0 < len(ways.taken) <= most["save"], "\n".join(ways.taken)
        store.close()
