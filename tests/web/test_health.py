"""Whether the server is alive, whether it can keep what it is given, and what it counts."""

import resource
import sqlite3
from pathlib import Path

import pytest

from assay.web import create_app
from tests.conftest import Bench
from tests.servers import Annotator, Server, assay, filled, links, prepared
from tests.straight_client import StraightClient

TOKEN = "a secret of some length"


def test_the_server_is_ready_when_something_can_be_written(bench: Bench) -> None:
    client = bench.client()
    assert (client.get("/health/live").text, client.get("/health").text) == ("alive", "ok")


def test_a_write_that_succeeded_lately_is_not_tried_again(sqlite_bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    change = sqlite_bench.store.change_nothing
    monkeypatch.setattr(sqlite_bench.store, "change_nothing", lambda connection: (tried.append(1), change(connection)))
    sqlite_bench.store.last_write = 0.0
    for _ in range(5):
        assert sqlite_bench.client().get("/health").text == "ok"
    assert tried == [1]


def test_the_server_is_alive_and_not_ready_while_nothing_can_be_written(
    sqlite_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.store.engine.sqlite.BUSY_MS", 50)
    other = sqlite3.connect(sqlite_bench.store.address, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    sqlite_bench.store.last_write = 0.0
    answer = sqlite_bench.client().get("/health")
    assert (answer.status_code, "locked" in answer.text) == (503, True)
    assert sqlite_bench.client().get("/health/live").status_code == 200
    other.execute("ROLLBACK")
    other.close()
    assert sqlite_bench.client().get("/health").status_code == 200


def test_a_full_disk_is_said_logged_and_over_when_there_is_room_again(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "study", items=20)
    assay("import", folder)
    [link] = links(folder, 1)
    server = Server(folder)
    someone = Annotator(server.port)
    someone.enter(link)
    form = filled(someone.page())
    # No file of the server may grow any more, as on a disk without room.
    size = (folder / "assay.db-wal").stat().st_size
    unlimited = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, unlimited[1]))
    assert someone.submit(*form)[0] >= 500
    assert someone.ask("GET", "/health")[0] == 503
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, unlimited)
    assert someone.submit(*form)[0] == 200
    assert someone.ask("GET", "/health")[0] == 200
    server.process.kill()
    server.process.wait(10)
    assert server.process.stdout is not None
    logged = server.process.stdout.read()
    server.process.stdout.close()
    assert "a write failed: OperationalError" in logged
    assert form[1]["csrf"] not in logged


def test_counters_are_there_for_whoever_has_the_token(sqlite_bench: Bench) -> None:
    client = StraightClient(create_app(sqlite_bench.store, sqlite_bench.clock, metrics_token=TOKEN))
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer another"}).status_code == 404
    client.get("/judge/empathy")
    client.get("/static/nothing.css")
    said = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
    assert 'assay_requests_total{kind="judge",status="401"}' in said
    assert 'assay_request_seconds_count{kind="static"}' in said
    assert "empathy" not in said, "no name of a study is part of a counter"


def test_without_a_token_nothing_is_counted(sqlite_bench: Bench) -> None:
    assert sqlite_bench.client().get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


def test_the_secret_must_be_one(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "study", items=2)
    (tmp_path / "short").write_text("abc")
    assert "holds no secret" in assay("serve", folder, "--metrics-token-file", tmp_path / "short", expect=1)
    assert "cannot be read" in assay("serve", folder, "--metrics-token-file", tmp_path / "nothing", expect=1)
