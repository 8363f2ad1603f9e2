"""What a stranger can cost a server before anybody is known: heads, time and connections are limited."""

import asyncio
import json
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import uvicorn

from assay import connections
from assay.connections import OPEN_FILES_KEPT, Careful, room_for_connections
from tests.conftest import Bench
from tests.servers import Annotator, Server, assay, filled, links, prepared
from tests.web.test_beside_requests import until


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answers everything, and knows whoever says so; of /long it answers more than anybody takes."""
    if scope["type"] != "http":
        return
    while (await receive())["more_body"]:
        pass
    if any(name == b"x-known" for name, _ in scope["headers"]):
        scope["state"]["known"] = True
    body = b"x" * (50_000_000 if scope["path"] == "/long" else 2)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


@contextmanager
def serving(monkeypatch: pytest.MonkeyPatch, served: Any = app, **limits: float) -> Iterator[int]:
    """A server with these limits; gives its port."""
    monkeypatch.setattr(connections, "EVERY", 0.05)
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(served, http=type("Limited", (Careful,), limits), lifespan="off", log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def ask(port: int, head: bytes = b"", path: bytes = b"/") -> socket.socket:
    """A connection on which a request was sent."""
    made = socket.create_connection(("127.0.0.1", port), 30)
    made.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: a\r\n" + head + b"\r\n")
    return made


def status(of: socket.socket) -> int:
    """The status of an answer, which is read to its end."""
    answer = HTTPResponse(of)
    answer.begin()
    answer.read()
    return answer.status


def is_dropped(made: socket.socket) -> bool:
    """Whether the server ends a connection, instead of waiting for more."""
    with suppress(ConnectionResetError, BrokenPipeError):
        while made.recv(1_000_000):
            pass
    return True


@pytest.mark.parametrize(
    "head",
    [b"X: " + b"a" * 5000 + b"\r\n", b"".join(b"X-%d: a\r\n" % n for n in range(60)), b"X: " + b"a" * 3_000_000],
    ids=["long", "many lines", "without end"],
)
def test_a_head_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch, head: bytes) -> None:
    with serving(monkeypatch, most_head=4000, most_lines=50) as port:
        with closing(socket.create_connection(("127.0.0.1", port), 30)) as made, suppress(OSError):
            made.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n" + head + b"\r\n\r\n")
            with suppress(ConnectionResetError):
                assert status(made) == 431
            assert is_dropped(made)
        with closing(ask(port, b"X: fine\r\n")) as fine:
            assert status(fine) == 200


def test_whoever_is_silent_slow_or_takes_no_answer_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(monkeypatch, head_seconds=0.3, body_seconds=0.3, stuck_seconds=0.3) as port:
        silent = socket.create_connection(("127.0.0.1", port), 30)
        half = socket.create_connection(("127.0.0.1", port), 30)
        half.sendall(b"GET / HTTP/1.1\r\nHost:")
        slow = ask(port, b"Content-Length: 1000\r\n")
        slow.sendall(b"a")
        greedy = ask(port, path=b"/long")
        for each in (silent, half, slow):
            with closing(each):
                assert is_dropped(each)
        with closing(greedy):
            time.sleep(1)  # nothing is taken: the answer waits, and then it is given up
            taken = 0
            with suppress(ConnectionResetError):
                while part := greedy.recv(1_000_000):
                    taken += len(part)
            assert taken < 50_000_000


def test_those_who_work_find_room_among_those_who_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(monkeypatch, most_connections=5) as port:
        known = ask(port, b"X-Known: yes\r\n")
        assert status(known) == 200
        strangers = [socket.create_connection(("127.0.0.1", port), 30) for _ in range(20)]
        for _ in range(3):
            with closing(ask(port, b"X-Known: yes\r\n")) as new:
                assert status(new) == 200, "a stranger gives way"
        known.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert status(known) == 200, "who is known stays"
        assert is_dropped(strangers[0]), "the oldest goes first"
        for each in (known, *strangers):
            each.close()


def test_whoever_has_a_session_is_known_to_the_application_and_nobody_else(
    sqlite_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = sqlite_bench.client()
    client.post("/join", data={"token": sqlite_bench.link().rsplit("/", 1)[1]})
    [(name, value)] = client.cookies.items()
    path, cookie = b"/judge/empathy", f"Cookie: {name}={value}\r\n".encode()
    with serving(monkeypatch, sqlite_bench.app, most_connections=4) as port:
        at_work, guesser = ask(port, cookie, path), ask(port, cookie.replace(b"=", b"=x"), path)
        assert (status(at_work), status(guesser)) == (200, 401)
        strangers = [socket.create_connection(("127.0.0.1", port), 30) for _ in range(20)]
        assert is_dropped(guesser)
        at_work.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: a\r\n" + cookie + b"\r\n")
        assert status(at_work) == 200
        for each in (at_work, guesser, *strangers):
            each.close()


def test_a_server_that_is_told_to_stop_answers_what_it_has_and_leaves(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "study", items=10)
    assay("import", folder)
    server = Server(folder)
    person = Annotator(server.port)
    person.enter(links(folder, 1)[0])
    address, form = filled(person.page())
    body = urlencode(form).encode()
    head = f"POST {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {person.cookie}\r\nAccept: application/json\r\n"
    head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
    with closing(socket.create_connection(("127.0.0.1", server.port), 30)) as under_way:
        under_way.sendall(head.encode() + body[:20])
        assert person.ask("GET", "/health")[0] == 200  # so that the head has come
        server.process.send_signal(signal.SIGTERM)
        until(lambda: _refuses(server.port))
        under_way.sendall(body[20:])
        answer = HTTPResponse(under_way)
        answer.begin()
        assert answer.status == 200
        saved = json.loads(answer.read())["submission"]
    assert server.process.wait(30) in (0, -signal.SIGTERM)
    with closing(sqlite3.connect(folder / "assay.db")) as connection:
        assert connection.execute("select id from submission").fetchall() == [(saved,)]
    assert server.process.stdout is not None
    server.process.stdout.close()


def _refuses(port: int) -> bool:
    """Whether nobody new gets in."""
    try:
        socket.create_connection(("127.0.0.1", port), 30).close()
    except ConnectionRefusedError:
        return True
    return False


def test_where_everybody_is_known_a_new_one_waits_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(monkeypatch, most_connections=3) as port:
        known = [ask(port, b"X-Known: yes\r\n") for _ in range(3)]
        assert {status(each) for each in known} == {200}
        with closing(socket.create_connection(("127.0.0.1", port), 30)) as new:
            assert is_dropped(new)
        for each in known:
            each.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert status(each) == 200
            each.close()


def test_no_more_connections_are_taken_than_the_system_has_files_for() -> None:
    resource = pytest.importorskip("resource")
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert room_for_connections(10) == 10
    room = room_for_connections(10**9)
    now, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        assert room == now - OPEN_FILES_KEPT == hard - OPEN_FILES_KEPT
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
