"""Real servers in processes of their own, for tests of what survives them."""

import http.client
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TextIO
from urllib.parse import urlencode

from tests.conftest import plain
from tests.forked import run
from tests.pages import SCORES, Forms

ASSAY = [sys.executable, "-m", "assay"]


FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.warm", "tests.forked"])
"""Commands and servers are processes like any other, of a program that is loaded already: they start at once."""


class Forked:
    """A command in a process of its own, with what it prints."""

    def __init__(self, arguments: list[str], cwd: Path | None = None, *, together: bool = False) -> None:
        out, out_end = FORKS.Pipe(duplex=False)
        err, err_end = (out, out_end) if together else FORKS.Pipe(duplex=False)
        where = None if cwd is None else str(cwd)
        self._process = FORKS.Process(target=run, args=(arguments, where, out_end, err_end), daemon=True)
        self._process.start()
        self.stdout = _text(out)
        self.stderr = self.stdout if together else _text(err)
        out_end.close()
        err_end.close()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def kill(self) -> None:
        self._process.kill()

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("assay", timeout or 0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)


def _text(end: Connection) -> TextIO:
    with end:
        return os.fdopen(os.dup(end.fileno()), encoding="utf-8")


def command(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    run = Forked([*map(str, arguments)], cwd)
    with ThreadPoolExecutor(1) as pool, run.stdout, run.stderr:
        errors = pool.submit(run.stderr.read)
        printed = run.stdout.read()
        return subprocess.CompletedProcess(arguments, run.wait(120), printed, errors.result())


def assay(*arguments: str | Path, expect: int = 0) -> str:
    """Run a command and return what it printed."""
    done = command(*arguments)
    assert done.returncode == expect, f"exit {done.returncode}: {done.stdout}\n{done.stderr}"
    return done.stdout if expect == 0 else done.stderr


def _started(command: list[str], env: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **env},
    )


class Server:
    """`assay serve` on a port of its own; where a program is given, that one is started anew, with more environment."""

    def __init__(
        self,
        folder: Path,
        database: str | None = None,
        port: int = 0,
        *more: str,
        program: list[str] | None = None,
        env: dict[str, str] | None = None,
    ) -> None:
        options = [*(["--database", database] if database else []), *more]
        self.coordinator = ""
        """The link that the first start prints."""
        arguments = ["serve", str(folder), "--port", str(port), *options]
        self.process = _started([*program, *arguments], env or {}) if program else Forked(arguments, together=True)
        assert self.process.stdout is not None
        printed = ""
        for line in self.process.stdout:
            printed += line
            if found := re.search(r"listens:\s+https?://[^/]+:(\d+)\s", line):
                self.port = int(found[1])
            if found := re.search(r"coordinator:\s+\S+(/join/\S+)", line):
                self.coordinator = found[1]
            if "Stop with Ctrl-C" in line:
                return
        raise AssertionError(f"the server did not start: {printed}")

    def kill(self) -> None:
        """End it without any chance to tidy up."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()

    def stop(self) -> int:
        """End it as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(20)
        if self.process.stdout:
            self.process.stdout.close()
        return code


@contextmanager
def running(folder: Path, database: str | None = None, *more: str) -> Iterator[Server]:
    """A server for as long as the block lasts."""
    server = Server(folder, database, 0, *more)
    try:
        yield server
    finally:
        server.kill()


class Annotator:
    """Somebody with a session, over plain HTTP, whose server may go away and come back on another port."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self.port = port
        self.cookie = cookie

    def ask(
        self, method: str, path: str, form: dict[str, str] | None = None, accept: str = "text/html"
    ) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Accept": accept, "Cookie": self.cookie}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, urlencode(form) if form is not None else None, headers)
            answer = connection.getresponse()
            body = answer.read().decode()
        finally:
            connection.close()
        if given := answer.getheader("set-cookie"):
            self.cookie = given.split(";")[0]
        return answer.status, body

    def enter(self, link: str) -> None:
        """Open a personal link and pass the gates."""
        self.ask("POST", "/join", {"token": link.rsplit("/", 1)[1]})
        for _ in range(10):
            _, page = self.ask("GET", "/judge/empathy")
            if "/judge/empathy/gate" not in page:
                return
            found = Forms(page).to("/gate")
            assert found is not None
            form = {**found[1], **{f"read-{number}": "yes" for number in range(20)}}
            if choice := re.search(r'name="choice" value="(agree|continue)"', page):
                form["choice"] = choice[1]
            self.ask("POST", "/judge/empathy/gate", form)
        raise AssertionError("the gates do not open")

    def page(self) -> str:
        return self.ask("GET", "/judge/empathy")[1]

    def submit(self, address: str, form: dict[str, str]) -> tuple[int, str]:
        return self.ask("POST", address, form, "application/json")


def hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, f"no field {name} in the page"
    return found[1]


def filled(page: str, **scores: str) -> tuple[str, dict[str, str]]:
    """The item's form with answers: its address and its fields."""
    address = re.search(r'action="(/judge/empathy/submit/[^"]+)"', page)
    assert address, "no item on this page"
    return address[1], {"csrf": hidden(page, "csrf"), "study": hidden(page, "study"), **SCORES, **scores}


def prepared(folder: Path, items: int | None = None, per_item: int | None = None, *, whole: bool = False) -> Path:
    """The empathy study in a folder, with as many items as wanted. It is plain unless wanted whole."""
    assay("init", "empathy", folder)
    if not whole:
        plain(folder)
    if items is not None:
        rows = [f'i{n},"statement {n}","reply {n}",s{n},m{n % 3}\n' for n in range(items)]
        (folder / "items.csv").write_text("eval_id,user_statement,response,sample_id,model_tag\n" + "".join(rows))
    if per_item is not None:
        study = folder / "study.yaml"
        study.write_text(study.read_text().replace("per_item: 2", f"per_item: {per_item}"))
    return folder


def links(folder: Path, count: int, database: str | None = None) -> list[str]:
    options = ["--database", database] if database else []
    found = json.loads(assay("invite", folder, "--count", str(count), "--json", *options))
    return [each["link"] for each in found]
