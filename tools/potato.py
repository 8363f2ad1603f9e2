"""Potato with a project of its own, served on this machine, and annotators who judge in it as its pages do.

Potato (`potato-annotation`, github.com/davidjurgens/potato) is under the GNU GPL, version 3 or later, and gunicorn,
which its image serves it with, under the MIT licence. Neither is a dependency: they are installed into an environment
of their own below build/, run as processes of their own and are spoken to over HTTP. Nothing of them is imported,
copied or shipped.
"""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from tools.bench import FORM, SCORES, Client, Measured, text_of
from tools.processes import LONGEST_START, Failed, run_program
from tools.workload import REPLY, STATEMENT

VERSIONS = {"potato-annotation": "2.12.1", "gunicorn": "27.0.1"}
"""What is measured. Another version is another peer: what it asks for may differ, too."""
ENVIRONMENT = Path(__file__).parent.parent / "build" / "potato"
THREADS = 8
"""Of gunicorn, as Potato's image starts it. It has one worker: with several Potato loses answers, as it says itself."""
SERVED_BY = ("potato start", f"gunicorn, {THREADS} threads")
ANSWERS = "answers"
"""The folder that the project is told to keep them in."""
JSON = "application/json"
LONGEST_INSTALLATION = 600


def missing(environment: Path = ENVIRONMENT) -> str:
    """Why Potato cannot be measured here; empty where it can."""
    folders = [f"{name.replace('-', '_')}-{version}.dist-info" for name, version in VERSIONS.items()]
    if all([*environment.glob(f"lib/*/site-packages/{folder}")] for folder in folders):
        return ""
    wanted = " and ".join(f"{name} {version}" for name, version in VERSIONS.items())
    return f"{wanted} are not installed in {environment}"


def install(environment: Path = ENVIRONMENT) -> None:
    """Into an environment of its own, with what it brings along: half a gigabyte."""
    wanted = [f"{name}=={version}" for name, version in VERSIONS.items()]
    print(f"Installing {' and '.join(wanted)} into {environment} (a minute or two) ...", flush=True)
    run_program([sys.executable, "-m", "venv", str(environment)], LONGEST_INSTALLATION)
    pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run_program([*pip, *wanted], LONGEST_INSTALLATION)


def write_project(folder: Path, items: int, annotators: int) -> None:
    """A project on the texts of the study beside it, with scales for the same questions.

    As its pages on large projects advise, each annotator has no more to do than their share: without that whoever
    registers is given all 20,000 items, and 50 of them have not registered after four minutes. No answer is exported.
    """
    scale = {"annotation_type": "likert", "size": 5, "min_label": "not at all", "max_label": "very much"}
    project = {
        "annotation_task_name": "Replies",
        "task_dir": ".",
        "site_dir": "default",
        "output_annotation_dir": f"{ANSWERS}/",
        "export_annotation_format": [],
        "data_files": ["items.jsonl"],
        "item_properties": {"id_key": "id", "text_key": "text"},
        "user_config": {"allow_all_users": True, "users": []},
        "max_annotations_per_user": items // annotators,
        "annotation_schemes": [{**scale, "name": name, "description": name} for name in SCORES],
    }
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_text(json.dumps(project), "utf-8")
    rows = (json.dumps({"id": f"i{number}", "text": f"{STATEMENT}{number} {REPLY}"}) for number in range(items))
    (folder / "items.jsonl").write_text("\n".join(rows), "utf-8")


def command(served_by: str, port: int, environment: Path) -> list[str]:
    """How its documents start it: its own server, or what its image runs."""
    programs = environment / "bin"
    if served_by == SERVED_BY[0]:
        return [str(programs / "potato"), "start", "config.yaml", "--host", "127.0.0.1", "-p", str(port)]
    return [
        *(str(programs / "gunicorn"), "--bind", f"127.0.0.1:{port}", "--workers", "1", "--threads", str(THREADS)),
        *("--timeout", "120", "--no-control-socket", "potato.flask_server:create_app('config.yaml')"),
    ]


@dataclass(frozen=True)
class Served:
    """A server that was started."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes]

    def wait_until_ready(self, seconds: float = 2 * LONGEST_START) -> None:
        """Until it says that it has read its items."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=seconds) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.1)
        said = (self.folder / "server.log").read_text("utf-8", "replace")[-3000:]
        what = f"did not start within {seconds:.0f} s" if self.process.poll() is None else "ended at once"
        raise Failed(f"Potato {what}\n{said}")


@contextmanager
def potato(folder: Path, served_by: str, environment: Path = ENVIRONMENT) -> Iterator[Served]:
    """A server on a project, which may not be ready yet. With the block all its processes are killed."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            command(served_by, port, environment),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield Served(folder, port, process)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)


class Annotator(Client):
    """Somebody in Potato: the client of tools/bench.py, for servers that close a connection when they like."""

    def __init__(self, port: int, name: str) -> None:
        super().__init__("127.0.0.1", port)
        self.name = name
        self.judged: set[str] = set()
        """The items whose answers were acknowledged."""

    async def ask(
        self, method: str, path: str, body: bytes = b"", accept: str = "text/html", kind: str = FORM, more: str = ""
    ) -> tuple[int, dict, bytes]:
        if self.writer is None or self.reader.at_eof():
            await self.leave()
            await self.open()
        answer = await super().ask(method, path, body, accept, kind, more)
        if answer[1].get("connection", "").lower() == "close":
            await self.leave()
        return answer

    async def leave(self) -> None:
        """End the connection: the next question opens another one, whoever runs it."""
        await self.close()
        self.writer = None

    async def register(self) -> None:
        """As its first page does, and go to the first item."""
        form = urlencode({"email": self.name, "pass": "as long as it has to be"})
        await self.ask("POST", "/register", form.encode())

    async def judge(self, pages: list[float], saves: list[float]) -> None:
        """Read an item, save its answers, and go on as the page's own button does, with the seconds that they take."""
        start = time.perf_counter()
        status, _, page = await self.ask("GET", "/annotate")
        pages.append(time.perf_counter() - start)
        item = re.search(rb'id="instance_id"[^>]* value="([^"]+)"', page)
        if status != 200 or not item or item[1].decode() in self.judged:
            raise Failed(f"Potato shows no new item ({status}): {text_of(page)}")
        name = item[1].decode()
        start = time.perf_counter()
        await self.save(name)
        # What its button asks for with this header is answered shortly: without it the page would be made twice.
        await self.send("/annotate", {"action": "next_instance", "instance_id": name}, "X-Potato-Navigation: 1\r\n")
        saves.append(time.perf_counter() - start)

    async def save(self, item: str) -> None:
        parcel = {
            "instance_id": item,
            "annotations": {f"{scale}:{score}": score for scale, score in SCORES.items()},
            "cleared_schemas": [],
            "span_annotations": [],
            "client_timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
            "response_time_seconds": 60,
        }
        await self.send("/updateinstance", parcel)
        self.judged.add(item)

    async def send(self, path: str, parcel: dict[str, object], more: str = "") -> None:
        status, _, answer = await self.ask("POST", path, json.dumps(parcel).encode(), JSON, kind=JSON, more=more)
        if status != 200 or json.loads(answer)["status"] not in ("success", "ok"):
            raise Failed(f"Potato answered {path} with {status}: {answer.decode('utf-8', 'replace')[:300]}")


async def enter(annotators: list[Annotator]) -> None:
    """All register and judge one item: what a server loads with its first pages and saves is not measured."""
    async with asyncio.TaskGroup() as group:
        for each in annotators:
            group.create_task(_enter(each))


async def _enter(annotator: Annotator) -> None:
    await annotator.register()
    await annotator.judge([], [])
    await annotator.leave()


async def work(annotators: list[Annotator], seconds: float) -> Measured:
    """What they get done in so many seconds. Everybody ends the item that they have begun."""
    pages: list[float] = []
    saves: list[float] = []
    start = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for each in annotators:
            group.create_task(_work(each, start + seconds, pages, saves))
    return Measured(len(saves) / (time.perf_counter() - start), pages, saves)


async def _work(annotator: Annotator, until: float, pages: list[float], saves: list[float]) -> None:
    while time.perf_counter() < until:
        await annotator.judge(pages, saves)
    await annotator.leave()


def not_on_disk(folder: Path, annotators: list[Annotator]) -> list[str]:
    """What was acknowledged and stands in no file, with every answer: the annotator and the item."""
    return [
        f"{each.name} {item}"
        for each in annotators
        for item in sorted(each.judged - stored(folder / ANSWERS / each.name / "user_state.json"))
    ]


def stored(file: Path) -> set[str]:
    """The items of which every answer stands in an annotator's file, as it was sent."""
    if not file.exists():
        return set()
    answers = json.loads(file.read_text("utf-8"))["instance_id_to_label_to_value"]
    return {
        item
        for item, found in answers.items()
        if {label["schema"]: (label["name"], value) for label, value in found}
        == {scale: (score, score) for scale, score in SCORES.items()}
    }
