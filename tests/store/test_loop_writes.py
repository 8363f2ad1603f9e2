"""Short writes of an event loop: in groups, each by itself, and never called saved before they are."""

import asyncio
import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy import Connection

from assay.errors import StoreError
from assay.store import Backend, open_store
from assay.store.engine.sqlite import Sqlite
from tests.loops import run_apart
from tests.store.test_backends import add_study, names


def test_a_short_write_that_fails_does_not_harm_the_others_of_its_group(store: Backend) -> None:
    def act(connection: Connection, number: int) -> str:
        add_study(connection, f"s{number:03}")
        if number % 3 == 0:
            raise ValueError("no")
        return f"s{number:03}"

    async def work() -> list[str | BaseException]:
        every = (store.awrite_soon(act, number) for number in range(100))
        return await asyncio.gather(*every, return_exceptions=True)

    done = run_apart(work())
    assert [each for each in done if isinstance(each, str)] == store.read(names)
    assert [str(each) for number, each in enumerate(done) if number % 3 == 0] == ["no"] * 34


def test_a_short_write_that_is_refused_before_it_changes_anything_costs_the_others_nothing(store: Backend) -> None:
    done = []

    def act(connection: Connection, number: int) -> None:
        if number % 3 == 0:
            raise ValueError("no")
        add_study(connection, f"s{number:03}")
        done.append(number)

    async def work() -> list[BaseException | None]:
        return await asyncio.gather(*(store.awrite_soon(act, number) for number in range(9)), return_exceptions=True)

    assert [str(each) for each in run_apart(work()) if each is not None] == ["no"] * 3
    assert sorted(done) == [1, 2, 4, 5, 7, 8]
    assert len(store.read(names)) == 6


def test_a_loop_goes_on_while_somebody_else_writes(tmp_path: Path) -> None:
    store = open_store(tmp_path / "a.db")
    under_way, go_on = threading.Event(), threading.Event()

    def long_write(connection: Connection) -> None:
        add_study(connection, "long")
        under_way.set()
        go_on.wait(30)

    async def work() -> list[str]:
        other = asyncio.create_task(store.awrite(long_write))
        while not under_way.is_set():
            await asyncio.sleep(0.001)
        short = asyncio.create_task(store.awrite_soon(add_study, "short"))
        for _ in range(10):
            await asyncio.sleep(0.001)
            assert await store.aread(names) == []
        go_on.set()
        await asyncio.gather(other, short)
        return await store.aread(names)

    assert run_apart(work()) == ["long", "short"]
    store.close()


def test_a_short_write_waits_for_another_program_that_holds_the_database(tmp_path: Path) -> None:
    store = open_store(tmp_path / "a.db")
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")

    async def work() -> None:
        waits = asyncio.create_task(store.awrite_soon(add_study, "x"))
        for _ in range(10):
            await asyncio.sleep(0.001)
        assert not waits.done()
        other.execute("COMMIT")
        await waits

    run_apart(work())
    other.close()
    assert store.read(names) == ["x"]
    store.close()


def test_a_short_write_is_not_called_saved_where_its_commit_fails(tmp_path: Path) -> None:
    store = open_store(tmp_path / "a.db")
    store.write(add_study, "before")
    (tmp_path / "a.db-wal").rename(tmp_path / "elsewhere")

    async def work(name: str) -> list[BaseException | None]:
        every = (store.awrite_soon(add_study, f"{name}{number}") for number in range(3))
        return await asyncio.gather(*every, return_exceptions=True)

    for name in "xy":
        for told in run_apart(work(name)):
            assert isinstance(told, StoreError)
            assert "deleted or replaced" in str(told)
    store.close()


def test_a_short_write_that_nobody_waits_for_any_more_is_left_out(tmp_path: Path) -> None:
    store = open_store(tmp_path / "a.db")

    async def work() -> None:
        given_up = asyncio.create_task(store.awrite_soon(add_study, "given up"))
        kept = asyncio.create_task(store.awrite_soon(add_study, "kept"))
        await asyncio.sleep(0)
        given_up.cancel()
        await kept
        with pytest.raises(asyncio.CancelledError):
            await given_up

    run_apart(work())
    store.close()


def test_a_thread_whose_commit_cannot_even_be_taken_back_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(tmp_path / "a.db")
    end = Sqlite.end

    def failing(self: Sqlite, failure: BaseException | None) -> BaseException | None:
        end(self, ValueError("taken back"))
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(Sqlite, "end", failing)
        with pytest.raises(StoreError, match="I/O"):
            store.write(add_study, "lost")
    store.write(add_study, "kept")
    assert store.read(names) == ["kept"]
    store.close()
