import asyncio
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select, text

from assay.errors import StoreError
from assay.store import Backend, open_store
from assay.store.engine.postgres import Postgres
from assay.store.tables import study
from tests.loops import run_apart


def add_study(connection: Connection, name: str) -> None:
    connection.execute(insert(study).values(name=name, version="v", created_at=0))


def names(connection: Connection) -> list[str]:
    return list(connection.execute(select(study.c.name).order_by(study.c.name)).scalars())


def test_the_store_runs_on_the_database_that_the_test_asked_for(store: Backend, request: pytest.FixtureRequest) -> None:
    wanted = request.node.callspec.params["store"]
    ask = "select sqlite_version()" if wanted == "sqlite" else "show server_version"
    version = store.read(lambda connection: connection.exec_driver_sql(ask).scalar())
    assert store.dialect == wanted
    assert version == store.version
    assert version in store.description


def test_a_write_that_fails_leaves_nothing_behind(store: Backend) -> None:
    def half(connection: Connection) -> None:
        add_study(connection, "half")
        raise ValueError("in the middle")

    with pytest.raises(ValueError, match="in the middle"):
        store.write(half)
    store.write(add_study, "whole")
    assert store.read(names) == ["whole"]


def test_a_write_that_fails_does_not_harm_the_others_of_its_group(store: Backend) -> None:
    def work(number: int) -> str:
        def act(connection: Connection) -> str:
            add_study(connection, f"s{number:02}")
            if number % 3 == 0:
                raise ValueError("no")
            return f"s{number:02}"

        try:
            return store.write(act)
        except ValueError:
            return ""

    done: list[str] = []
    threads = [threading.Thread(target=lambda n=n: done.append(work(n))) for n in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(filter(None, done)) == store.read(names) == [f"s{n:02}" for n in range(40) if n % 3]


def test_reads_and_writes_work_from_the_event_loop(store: Backend) -> None:
    async def both() -> list[str]:
        await asyncio.gather(*(store.awrite(add_study, f"s{n}") for n in range(5)))
        return await store.aread(names)

    assert run_apart(both()) == [f"s{n}" for n in range(5)]


def test_a_reading_connection_cannot_write_on_sqlite(tmp_path: Path) -> None:
    store = open_store(tmp_path / "a.db")
    with pytest.raises(Exception, match="readonly"):
        store.read(add_study, "x")
    store.close()


def test_sqlite_is_durable_by_its_settings(tmp_path: Path) -> None:
    store = open_store(tmp_path / "a.db")
    settings = store.write(
        lambda connection: {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    )
    store.close()
    assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_the_database_file_belongs_to_its_owner_alone(tmp_path: Path) -> None:
    open_store(tmp_path / "a.db").close()
    assert stat.S_IMODE((tmp_path / "a.db").stat().st_mode) == 0o600


def test_a_second_process_can_write_while_the_first_has_the_store_open(tmp_path: Path) -> None:
    store = open_store(tmp_path / "a.db")
    script = """
import sys
from assay.store import open_store
from tests.store.test_backends import add_study
store = open_store(sys.argv[1])
for n in range(50): store.write(add_study, f"{sys.argv[2]}{n:02}")
store.close()
"""
    others = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "a.db"), letter]) for letter in ("x", "y")]
    for number in range(50):
        store.write(add_study, f"z{number:02}")
    assert [other.wait() for other in others] == [0, 0]
    assert len(store.read(names)) == 150
    store.close()
    with sqlite3.connect(tmp_path / "a.db") as plain:
        assert plain.execute("pragma integrity_check").fetchone() == ("ok",)
    plain.close()


def test_a_locked_database_is_said_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.store.engine.sqlite.BUSY_MS", 100)
    store = open_store(tmp_path / "a.db")
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked"):
        store.write(add_study, "x")
    other.execute("ROLLBACK")
    other.close()
    store.write(add_study, "x")
    assert store.read(names) == ["x"]
    store.close()


def test_a_store_that_cannot_be_opened_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no folder"):
        open_store(tmp_path / "missing" / "a.db")
    with pytest.raises(StoreError, match="mysql"):
        open_store("mysql://somewhere/else")
    (tmp_path / "text.db").write_text("this is not a database, only a text of some length " * 10)
    with pytest.raises(StoreError, match="not a database"):
        open_store(tmp_path / "text.db")
    with pytest.raises(StoreError, match="PostgreSQL does not answer"):
        open_store("postgresql://postgres@127.0.0.1:1/none")


def test_a_lost_postgres_connection_is_replaced(new_postgres) -> None:  # type: ignore[no-untyped-def]
    store = open_store(new_postgres())
    assert isinstance(store, Postgres)
    store.write(add_study, "before")
    kill = (
        "select pg_terminate_backend(pid) from pg_stat_activity "
        "where datname = current_database() and pid <> pg_backend_pid()"
    )

    def end_others(connection: Connection) -> None:
        connection.execute(text(kill))

    # Several connections are in the pool; all but the one that asks are ended behind its back.
    run_apart(_at_once(store))
    store.read(end_others)
    store.write(add_study, "between")
    run_apart(_at_once(store))
    assert store.read(names) == ["before", "between"]
    store.close()


async def _at_once(store: Backend) -> None:
    def slow(connection: Connection) -> None:
        connection.execute(text("select pg_sleep(0.1)"))

    await asyncio.gather(*(store.aread(slow) for _ in range(5)))
