"""Notices: told once, to whom the server's file names, without anybody's name; and where that fails, told again."""

import json
import socketserver
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from assay import acts
from assay.errors import AssayError
from assay.live.notices import due_notices
from assay.simulate import Character, simulate
from assay.store import Backend
from assay.store.coordinator import studies
from assay.store.coordinator.record import By
from assay.web.notices import Notifier, read_notifier, tell_once
from tests.conftest import T0, Bench, make_bench
from tests.web.annotator import Annotator
from tests.web.test_gates import QUIZ, Visitor, with_gates

DAY = 86_400_000


@pytest.fixture
def hook() -> Iterator[ThreadingHTTPServer]:
    """A real server that keeps what it is told; under /away it leads elsewhere, under /broken it fails."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.server.told.append((self.path, json.loads(body)))  # type: ignore[attr-defined]
            self.send_response({"/away": 307, "/broken": 500}.get(self.path, 200))
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.told = []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def address(server: ThreadingHTTPServer, path: str = "/hook") -> str:
    return f"http://127.0.0.1:{server.server_address[1]}{path}"


@pytest.fixture
def begun(sqlite_bench: Bench) -> Bench:
    """Somebody called Philippa has judged one item."""
    Annotator(sqlite_bench, "philippa").begin().submit()
    return sqlite_bench


def test_that_nobody_works_is_told_once_and_again_after_the_next_work(begun: Bench, hook: ThreadingHTTPServer) -> None:
    to = Notifier(webhook=address(hook))
    assert tell_once(begun.store, to, "https://study.example.org", T0 + DAY) == 0
    assert tell_once(begun.store, to, "https://study.example.org", begun.clock() + 2 * DAY) == 1
    assert tell_once(begun.store, to, "https://study.example.org", begun.clock() + 3 * DAY) == 0
    [(_, told)] = hook.told  # type: ignore[attr-defined]
    assert told == {
        "study": "empathy",
        "kind": "idle",
        "says": "nobody has worked for two days",
        "address": "https://study.example.org/coordinate/empathy",
    }
    assert "philippa" not in json.dumps(told), "nobody is named"
    begun.clock.now += 4 * DAY
    Annotator(begun, "quentin").begin().submit()
    assert tell_once(begun.store, to, "", begun.clock() + 2 * DAY) == 1


def test_a_redirect_is_not_followed_and_what_fails_is_told_the_next_time(
    begun: Bench, hook: ThreadingHTTPServer
) -> None:
    later = begun.clock() + 2 * DAY
    for path in ("/away", "/broken"):
        assert tell_once(begun.store, Notifier(webhook=address(hook, path)), "", later) == 0
    assert [path for path, _ in hook.told] == ["/away", "/broken"], "nothing went to /elsewhere"  # type: ignore[attr-defined]
    assert tell_once(begun.store, Notifier(webhook=address(hook)), "", later) == 1


def test_that_somebody_waits_at_a_gate_is_told_once_and_again_for_the_next_who_waits(
    sqlite_store: Backend, tmp_path: Path, hook: ThreadingHTTPServer
) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", edit=with_gates(QUIZ))
    to = Notifier(webhook=address(hook))

    def fail(name: str) -> None:
        somebody = Visitor(bench, name)
        somebody.enter()
        for _ in range(2):
            somebody.answer(q_0="yea", q_1="nay")

    assert due_notices(bench.store, T0) == []
    fail("philippa")
    assert tell_once(bench.store, to, "https://study.example.org", T0) == 1
    assert tell_once(bench.store, to, "https://study.example.org", T0 + DAY) == 0
    [(_, told)] = hook.told  # type: ignore[attr-defined]
    assert (told["kind"], told["says"]) == ("gate", "somebody waits at a gate")
    assert "philippa" not in json.dumps(told)
    fail("quentin")
    assert tell_once(bench.store, to, "", T0 + DAY) == 1
    for name in ("philippa", "quentin"):
        by = By(bench.study_id, "carla", T0, "we talked")
        bench.store.write(acts.pass_gate_by_hand, by, bench.study, name, "quiz")
    assert due_notices(bench.store, T0 + DAY) == [], "nobody waits any more"


def test_that_every_item_has_all_its_judgments_is_told_once(
    sqlite_store: Backend, tmp_path: Path, hook: ThreadingHTTPServer
) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study")
    to = Notifier(webhook=address(hook))
    simulate(bench.store, "empathy", [Character("philippa")], seed=1, start=T0)
    assert due_notices(bench.store, T0 + DAY) == [], "each item wants two"
    simulate(bench.store, "empathy", [Character("quentin")], seed=2, start=T0)
    assert tell_once(bench.store, to, "https://study.example.org", T0 + DAY) == 1
    assert tell_once(bench.store, to, "https://study.example.org", T0 + 9 * DAY) == 0, "nor that nobody works then"
    [(_, told)] = hook.told  # type: ignore[attr-defined]
    assert (told["kind"], told["says"]) == ("done", "every item has all its judgments")
    assert not {"philippa", "quentin"} & set(json.dumps(told).split('"'))


def test_a_pilot_that_is_ready_is_told(sqlite_store: Backend, tmp_path: Path) -> None:
    def small(folder: Path) -> None:
        file = folder / "study.yaml"
        file.write_text(file.read_text("utf-8").replace("items: 40 ", "items: 4 "), "utf-8")

    bench = make_bench(sqlite_store, tmp_path / "study", whole=True, edit=small)
    simulate(bench.store, "empathy", [Character("ana"), Character("ben")], seed=1, start=T0)
    found = {notice.kind: notice for _, notice in due_notices(bench.store, T0 + DAY)}
    assert set(found) == {"pilot"}
    bench.store.write(studies.set_state, bench.study_id, "paused", T0)
    assert due_notices(bench.store, T0 + DAY) == [], "of a study that takes no answers nothing is told"


def test_mail_is_sent_to_a_real_server(begun: Bench) -> None:
    lines: list[str] = []

    class Smtp(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 here\r\n")
            data = False
            for raw in self.rfile:
                line = raw.decode().rstrip("\r\n")
                lines.append(line)
                if data:
                    if line == ".":
                        data = False
                        self.wfile.write(b"250 kept\r\n")
                elif line.upper() == "DATA":
                    data = True
                    self.wfile.write(b"354 go on\r\n")
                elif line.upper() == "QUIT":
                    self.wfile.write(b"221 bye\r\n")
                    return
                else:
                    self.wfile.write(b"250 fine\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Smtp) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        to = Notifier(host="127.0.0.1", port=port, sender="assay@example.org", to=("cora@example.org",), tls=False)
        assert tell_once(begun.store, to, "", begun.clock() + 2 * DAY) == 1
        server.shutdown()
    assert "Subject: empathy: nobody has worked for two days" in lines
    assert "To: cora@example.org" in lines
    assert not any("philippa" in line for line in lines)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "names neither a webhook nor mail"),
        ("[hook]\naddress = 'x'", "there is no 'hook'"),
        ("[webhook]\nadress = 'x'", "there is no 'webhook.adress'"),
        ("[webhook]\naddress = 'file:///etc/passwd'", "is no address of a webhook"),
        ("[mail]\nhost = 'h'", "mail needs host, from and to"),
        ("[mail", "cannot be read"),
        ("[mail]\nhost='h'\nfrom='a'\nto='b'\npassword_file='none'", "the file of the password cannot be read"),
    ],
)
def test_what_is_wrong_in_the_file_is_said(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "notices.toml"
    file.write_text(content, "utf-8")
    with pytest.raises(AssayError, match=said):
        read_notifier(file)


def test_a_file_says_where_notices_go(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("secret\n", "utf-8")
    file = tmp_path / "notices.toml"
    file.write_text(
        "[webhook]\naddress = 'https://chat.example.org/hook'\n"
        "[mail]\nhost = 'mail.example.org'\nfrom = 'a@example.org'\nto = 'b@example.org'\n"
        "user = 'a'\npassword_file = 'password'\n",
        "utf-8",
    )
    found = read_notifier(file)
    assert (found.webhook, found.to, found.password, found.tls) == (
        "https://chat.example.org/hook",
        ("b@example.org",),
        "secret",
        True,
    )
