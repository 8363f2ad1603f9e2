"""What happens when what lies under the store fails: a file that goes, a lock that is held, a server that is silent."""

import asyncio
import logging
import select
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import Connection, bindparam, column, insert, table

from assay.errors import StoreError
from assay.store import Backend, open_store
from assay.store.engine import postgres_connections as connections
from assay.store.engine import prepared as prepared_statements
from assay.store.engine.failures import WithoutValues, failures
from assay.store.engine.prepared import Prepared
from assay.store.engine.sqlite import Sqlite
from assay.store.tables import picture
from tests.loops import run_apart
from tests.servers import Annotator, Server, assay, filled, links, prepared
from tests.store.test_backends import add_study, names
from tests.web.test_beside_requests import until


@pytest.mark.parametrize("ending", ["", "-wal"])
def test_nothing_is_called_saved_that_went_into_a_deleted_file(tmp_path: Path, ending: str) -> None:
    store = open_store(tmp_path / "a.db")
    store.write(add_study, "before")
    (tmp_path / f"a.db{ending}").rename(tmp_path / "elsewhere")
    for name in ("x", "y"):
        with pytest.raises(StoreError, match="deleted or replaced"):
            store.write(add_study, name)
    store.close()


@pytest.mark.parametrize("written", [True, False], ids=["after a write", "before any"])
def test_a_file_that_was_exchanged_for_another_is_noticed(tmp_path: Path, written: bool) -> None:
    for name in ("a.db", "b.db"):
        open_store(tmp_path / name).close()
    store = open_store(tmp_path / "a.db")
    if written:
        store.write(add_study, "before")
    (tmp_path / "b.db").replace(tmp_path / "a.db")
    with pytest.raises(StoreError, match="deleted or replaced"):
        store.write(add_study, "x")
    store.close()


PAGE = 4096
"""Bytes, as SQLite has them."""


def damaged(path: Path) -> Path:
    """A database of which everything is overwritten but its head, its tables and what the program asks for first."""
    store = open_store(path)
    for number in range(600):
        store.write(add_study, f"{number:04}" + "x" * 500)
    store.close()
    overwrite(path, path.stat().st_size // PAGE - 40)
    return path


def overwrite(path: Path, first: int) -> None:
    """Overwrite a file from a page on."""
    with path.open("r+b") as file:
        file.seek(PAGE * first)
        file.write(b"\x55" * (path.stat().st_size - PAGE * first))


def test_what_fails_below_a_write_is_logged_and_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = open_store(damaged(tmp_path / "a.db"))
    before = failures["DatabaseError"]
    with pytest.raises(StoreError, match="malformed"):
        store.write(names)
    assert "a write failed: DatabaseError: database disk image is malformed" in caplog.text
    assert failures["DatabaseError"] > before
    assert store.last_write == 0
    store.close()


def test_a_short_write_that_cannot_begin_is_said_in_words_and_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = open_store(tmp_path / "a.db")
    store.write(add_study, "before")
    assert isinstance(store, Sqlite)
    store._raw.set_authorizer(lambda *_: sqlite3.SQLITE_DENY)
    with pytest.raises(StoreError, match="not authorized"):
        run_apart(store.awrite_soon(add_study, "x"))
    assert "a write failed" in caplog.text
    assert store.last_write == 0
    store._raw.set_authorizer(None)
    run_apart(store.awrite_soon(add_study, "y"))
    assert store.last_write > 0
    store.close()


def test_a_read_from_a_damaged_file_is_said_and_nothing_more_is_taken(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = open_store(damaged(tmp_path / "a.db"))
    for ask in (lambda: store.read(names), lambda: list(store.stream(lambda connection: iter(names(connection))))):
        with pytest.raises(StoreError, match="cannot be read: database disk image is malformed"):
            ask()
    assert "a read failed: DatabaseError" in caplog.text
    with pytest.raises(StoreError, match="the data are damaged"):
        store.write(add_study, "x")
    store.close()


@pytest.mark.parametrize("at_first", [True, False], ids=["before it starts", "while it works"])
def test_pages_are_looked_at_when_a_server_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_first: bool
) -> None:
    if not at_first:
        monkeypatch.setattr("assay.store.engine.sqlite.LOOKED_AT_FIRST", 0)
    store = open_store(damaged(tmp_path / "a.db"))
    if at_first:
        with pytest.raises(StoreError, match="the data are damaged"):
            store.look_for_damage()
    else:
        store.look_for_damage()
        until(lambda: store.damage)
    with pytest.raises(StoreError, match="the data are damaged"):
        store.write(add_study, "x")
    store.close()


def test_a_server_serves_nothing_of_a_damaged_file_as_whole(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "study", items=400)
    items = folder / "items.csv"
    items.write_text(items.read_text("utf-8").replace("reply", "reply " + "x" * 2000), "utf-8")
    assay("import", folder)
    server = Server(folder)
    person, coordinator = Annotator(server.port), Annotator(server.port)
    coordinator.ask("POST", "/join", {"token": server.coordinator.rsplit("/", 1)[1]})
    person.enter(links(folder, 1)[0])
    form = filled(person.page())
    assert person.ask("GET", "/health")[0] == 200
    overwrite(folder / "assay.db", 1)
    overwrite(folder / "assay.db-wal", 0)
    # What was read lately is still right; this page needs what nobody has read yet.
    assert coordinator.ask("GET", "/coordinate/empathy/items")[0] == 503
    assert person.submit(*form)[0] == 503
    assert person.ask("GET", "/health")[0] == 503
    assert person.ask("GET", "/health/live")[0] == 200
    server.process.kill()
    assert server.process.stdout is not None
    assert "failed: DatabaseError" in server.process.stdout.read()
    server.kill()
    (folder / "assay.db-wal").unlink()
    assert "restore a backup" in assay("serve", folder, "--port", "0", expect=1)


HOLD = """
import sys, time
from pathlib import Path
from assay.store.engine.lock import WriteLock
sys.argv = ["assay", "import", "--secret"]
with WriteLock(Path(sys.stdin.readline().strip())).hold():
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_a_lock_that_is_held_too_long_names_its_holder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(tmp_path / "a.db")
    monkeypatch.setattr("assay.store.engine.lock.LONGEST_WAIT", 0.2)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", HOLD], text=True, **pipes) as other:  # type: ignore[call-overload]
        other.stdin.write(f"{tmp_path / 'a.db-lock'}\n")
        other.stdin.flush()
        assert other.stdout.readline() == "held\n"
        with pytest.raises(StoreError, match=rf"assay import \(process {other.pid}\)") as refused:
            store.write(add_study, "x")
        assert "secret" not in str(refused.value)
        other.communicate("\n")
    store.write(add_study, "x")
    assert store.read(names) == ["x"]
    store.close()


slow = table("slow", column("number"))


class SilentPostgres:
    """A way to a real PostgreSQL that can be frozen: what is sent stays where it is, and no connection is closed."""

    def __init__(self, address: str) -> None:
        query = parse_qs(urlsplit(address).query)
        self._to = f"{query['host'][0]}/.s.PGSQL.{query.get('port', ['5432'])[0]}"
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._frozen: set[int] = set()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self.address = (
            address.replace(urlsplit(address).query, "")
            .rstrip("?")
            .replace("@/", f"@127.0.0.1:{self._listener.getsockname()[1]}/")
        )
        threading.Thread(target=self._accept, daemon=True).start()

    def freeze(self) -> None:
        """Nothing passes any more on the connections that are open."""
        self._frozen = set(range(len(self._pairs)))

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._to)
            self._pairs.append((client, server))
            threading.Thread(target=self._carry, args=(len(self._pairs) - 1,), daemon=True).start()

    def _carry(self, number: int) -> None:
        one, other = self._pairs[number]
        # One end or the other is closed at last, while the thread may be anywhere in here.
        with one, other, suppress(OSError, ValueError):
            while self._passes(number, one, other):
                pass
            while number in self._frozen:
                time.sleep(0.05)

    def _passes(self, number: int, one: socket.socket, other: socket.socket) -> bool:
        """Carry what is there from one end to the other; False: frozen, or at an end."""
        for ready in select.select([one, other], [], [], 0.05)[0]:
            if number in self._frozen or not (data := ready.recv(65536)):
                return False
            (other if ready is one else one).sendall(data)
        return number not in self._frozen

    def close(self) -> None:
        self._listener.close()
        self._frozen = set()
        for pair in self._pairs:
            for each in pair:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)


@contextmanager
def behind(address: str) -> Iterator[tuple[Backend, SilentPostgres]]:
    way = SilentPostgres(address)
    store = open_store(way.address)
    try:
        yield store, way
    finally:
        store.close()
        way.close()


def test_a_request_does_not_wait_for_a_postgres_that_is_silent(
    new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "ANSWER_SECONDS", 0.5)
    with behind(new_postgres()) as (store, way):
        store.write(add_study, "before")
        way.freeze()

        async def work() -> list[str]:
            await store.awrite(add_study, "after")
            return await store.aread(names)

        assert run_apart(work()) == ["after", "before"]


def test_no_thread_of_a_server_waits_for_a_postgres_that_is_silent(
    new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAVY_SECONDS", 0.5)
    monkeypatch.setattr(connections, "SURE_FOR_SECONDS", 600)  # whatever is in the pool is handed out as it is
    with behind(new_postgres()) as (store, way):
        store.limit_waiting()
        store.write(add_study, "before")
        store.read(names)
        way.freeze()
        assert run_apart(asyncio.to_thread(store.read, names)) == ["before"]
        way.freeze()
        run_apart(asyncio.to_thread(store.write, add_study, "after"))
        assert list(store.stream(lambda connection: iter(names(connection)))) == ["after", "before"]


def test_a_postgres_that_hardly_answers_in_time_is_asked_again_or_said_in_words(
    new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(new_postgres())
    monkeypatch.setattr(connections, "SURE_FOR_SECONDS", -1)
    monkeypatch.setattr(connections, "TRY_SECONDS", 1e-6)
    for _ in range(5):
        with suppress(StoreError):  # now and then one does answer in time
            assert store.read(names) == []
    store.close()


def test_many_rows_are_not_taken_for_silence(new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "ANSWER_SECONDS", 1)
    monkeypatch.setattr(prepared_statements, "AT_ONCE", 100)
    store = open_store(new_postgres())
    statement = Prepared(insert(slow).values(number=bindparam("number")))

    def add_many(connection: Connection) -> None:
        connection.exec_driver_sql(
            "create function wait() returns trigger language plpgsql as $$ "
            "begin perform pg_sleep(0.0005); return new; end $$"
        )
        connection.exec_driver_sql("create table slow (number integer)")
        connection.exec_driver_sql("create trigger w before insert on slow for each row execute function wait()")
        statement.run_many(connection, ({"number": number} for number in range(2500)))

    run_apart(store.awrite(add_many))
    assert store.read(lambda connection: connection.exec_driver_sql("select count(*) from slow").scalar_one()) == 2500
    store.close()


def test_a_connection_is_tried_before_it_is_handed_out(
    new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SURE_FOR_SECONDS", 0)
    monkeypatch.setattr(connections, "TRY_SECONDS", 0.3)
    with behind(new_postgres()) as (store, way):
        store.write(add_study, "before")
        store.read(names)
        way.freeze()
        # Commands wait as long as an answer takes, yet not for one on a connection that has died meanwhile.
        assert store.read(names) == ["before"]
        assert list(store.stream(lambda connection: iter(names(connection)))) == ["before"]


def test_nobody_waits_for_the_locks_of_a_server_that_has_gone(
    new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "IDLE_SECONDS", 1)
    monkeypatch.setattr(connections, "HEAVY_SECONDS", 2)  # then the server that has gone ends, too
    address = new_postgres()
    other = open_store(address)
    locked, go_on = threading.Event(), threading.Event()

    def change(connection: Connection, wait: bool = False) -> None:
        connection.exec_driver_sql("update study set name = name")
        if wait and not locked.is_set():
            way.freeze()
            locked.set()
            go_on.wait()

    with behind(address) as (store, way):
        store.limit_waiting()
        store.write(add_study, "x")
        gone = threading.Thread(target=store.write, args=(change, True))
        gone.start()
        assert locked.wait(30)
        other.write(change)
        go_on.set()
        gone.join(30)
    other.close()


def test_a_server_is_back_at_work_ten_seconds_after_postgres_fell_silent(
    new_postgres: Callable[[], str], tmp_path: Path
) -> None:
    folder = prepared(tmp_path / "study", items=10)
    way = SilentPostgres(new_postgres())
    assay("import", folder, "--database", way.address)
    server = Server(folder, way.address)
    try:
        person, coordinator = Annotator(server.port), Annotator(server.port)
        person.enter(links(folder, 1, way.address)[0])
        coordinator.ask("POST", "/join", {"token": server.coordinator.rsplit("/", 1)[1]})
        form = filled(person.page())
        home = "/coordinate/empathy"
        asked = [(coordinator, page) for page in (home, f"{home}/flags", f"{home}/progress")]
        asked += [(person, "/judge/empathy"), (coordinator, f"{home}/manage")] + [(person, "/health")] * 12
        with ThreadPoolExecutor(len(asked)) as pool:
            work = [pool.submit(who.ask, "GET", page) for who, page in asked]
            time.sleep(0.05)
            way.freeze()
            until = time.monotonic() + 10
            work += [pool.submit(who.ask, "GET", page) for who, page in asked]
            saved = pool.submit(person.submit, *form).result(timeout=until - time.monotonic())
            assert saved[0] == 200
            # Rows that were under way cannot be gone on with: that one page is asked for again.
            endings = [(503,)] * len(asked) + [()] * len(asked)
            for (_, page), each, may_end in zip(asked * 2, work, endings, strict=True):
                assert each.result(timeout=max(0, until - time.monotonic()))[0] in (200, *may_end), page
    finally:
        server.process.kill()
        assert server.process.stdout is not None
        print(server.process.stdout.read())  # shown where this test fails
        server.kill()
        way.close()


FAIL = """
import asyncio, gc, logging.config, sys
import psycopg
from assay.live.child import stand_back
from assay.server import LOGS

said = "null value in column name\\nDETAIL:  Failing row contains (CANARY)."

async def fail():
    raise psycopg.errors.NotNullViolation(said)

async def leave_a_task_behind():
    task = asyncio.create_task(fail())
    await asyncio.sleep(0)
    del task
    gc.collect()

if sys.argv[1] == "server":
    logging.config.dictConfig(LOGS)
    asyncio.run(leave_a_task_behind())
    logging.getLogger("assay").error("apart", exc_info=ExceptionGroup("g", [psycopg.errors.NotNullViolation(said)]))
else:
    stand_back()
    asyncio.run(fail())
"""


@pytest.mark.parametrize("program", ["server", "child"])
def test_no_log_of_a_server_and_no_process_of_its_own_shows_values(program: str) -> None:
    said = subprocess.run([sys.executable, "-c", FAIL, program], capture_output=True, text=True, check=False).stderr
    assert "NotNullViolation: null value in column name" in said
    assert "CANARY" not in said


def test_no_traceback_shows_what_was_to_be_stored(store: Backend) -> None:
    # Twice the same key, and a row without something that it needs: databases name both with their values.
    row = {"study_id": 1, "hash": "CANARY", "media_type": None, "width": 1, "height": 1, "content": b"CANARY"}

    def through_the_toolkit(connection: Connection) -> None:
        connection.execute(insert(picture).values(row))

    def past_it(connection: Connection) -> None:
        values = {column.name: bindparam(column.name) for column in picture.columns}
        Prepared(insert(picture).values(values)).run(connection, **row)

    for act in (through_the_toolkit, past_it):
        with pytest.raises(Exception, match=r"(?i)null") as failure:
            store.write(act)
        record = logging.LogRecord("x", logging.ERROR, "", 0, "failed", (), failure._excinfo)
        said = WithoutValues().format(record)
        assert "CANARY" not in said
        assert "media_type" in said
        assert act.__name__ in said
