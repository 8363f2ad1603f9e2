"""The power goes: of what the server wrote only what it synced is left, and perhaps some of the rest."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from assay.store import connect
from assay.store.upkeep.verify import verify
from tests.examples import THOROUGH
from tests.servers import ASSAY, Annotator, Server, assay, filled, links, prepared

IMAGES, IMAGES_OF_MUTANT, ITEMS = (200, 20, 2_000) if THOROUGH else (8, 2, 300)
PEOPLE = 4
SECTOR = 512
"""Bytes: what a disk writes whole or not at all."""
FILES = ("assay.db", "assay.db-wal")
SHIM = Path(__file__).parent / "only_synced.c"

pytestmark = pytest.mark.skipif(
    not (sys.platform == "linux" and shutil.which("cc")), reason="needs Linux and a C compiler"
)


class Machine:
    """A server at work on a disk whose synced state is known, and the answers that people got from it."""

    def __init__(self, folder: Path, program: list[str], **more: str) -> None:
        self.folder, self.synced, library = folder / "study", folder / "synced", folder / "only_synced.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SHIM], check=True)
        prepared(self.folder, items=ITEMS, per_item=3)
        assay("import", self.folder)
        invited = links(self.folder, PEOPLE)
        self.synced.mkdir()
        shutil.copyfile(self.folder / "assay.db", self.synced / "assay.db")
        preload = {"LD_PRELOAD": str(library), "SYNCED_FROM": str(self.folder), "SYNCED_TO": str(self.synced)}
        self.server = Server(self.folder, program=program, env={**preload, **more})
        self.annotators = [Annotator(self.server.port) for _ in invited]
        for annotator, link in zip(self.annotators, invited, strict=True):
            annotator.enter(link)
        self.acknowledged: dict[str, str] = {}
        self.stop = threading.Event()

    def work(self, annotator: Annotator, seed: int) -> None:
        """Submit item after item, and note what was acknowledged."""
        chance = random.Random(seed)
        while not self.stop.is_set():
            address, form = filled(annotator.page(), emotion=str(chance.choice((2, 3, 4))))
            status, body = annotator.submit(address, form)
            assert status == 200, body
            self.acknowledged[json.loads(body)["submission"]] = form["emotion"]

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Nothing of it runs for as long as the block lasts."""
        os.kill(self.server.process.pid, signal.SIGSTOP)
        try:
            _wait_until_stopped(self.server.process.pid)
            yield
        finally:
            os.kill(self.server.process.pid, signal.SIGCONT)

    def disk(self, image: Path, chance: random.Random | None) -> None:
        """The disk as it would be found if the power went now.

        With chance some of the sectors that were not synced have reached it, too.
        """
        image.mkdir()
        for name in FILES:
            synced, live = (_content(folder / name) for folder in (self.synced, self.folder))
            if synced is not None:
                (image / name).write_bytes(_some_of(synced, live or b"", chance) if chance else synced)


def _content(file: Path) -> bytes | None:
    return file.read_bytes() if file.exists() else None


def _wait_until_stopped(pid: int) -> None:
    """Until no thread of a process runs any more."""
    threads = Path(f"/proc/{pid}/task")
    while any((each / "stat").read_text().rsplit(")", 1)[1].split()[0] != "T" for each in threads.iterdir()):
        time.sleep(0.001)


def _some_of(synced: bytes, live: bytes, chance: random.Random) -> bytes:
    """What was synced, with some of the sectors that were written since."""
    found = bytearray(synced)
    for at in range(0, len(live), SECTOR):
        new = live[at : at + SECTOR]
        if new != synced[at : at + SECTOR] and chance.random() < 0.5:
            found.extend(bytes(max(0, at + len(new) - len(found))))
            found[at : at + len(new)] = new
    return bytes(found)


@contextmanager
def at_work(folder: Path, program: list[str]) -> Iterator[Machine]:
    machine = Machine(folder, program)
    with ThreadPoolExecutor(PEOPLE) as pool:
        working = [pool.submit(machine.work, each, seed) for seed, each in enumerate(machine.annotators)]
        try:
            yield machine
        finally:
            machine.stop.set()
            for each in working:
                each.result()
            machine.server.kill()


def test_a_disk_that_cannot_sync_is_said_and_logged_and_over_when_it_can(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    machine = Machine(tmp_path, ASSAY, SYNC_FAILS=str(broken))
    someone = machine.annotators[0]
    form = filled(someone.page())
    broken.touch()
    assert someone.submit(*form)[0] == 503
    assert someone.ask("GET", "/health")[0] == 503
    assert someone.ask("GET", "/health/live")[0] == 200
    broken.unlink()
    status, body = someone.submit(*form)
    assert status == 200
    assert someone.ask("GET", "/health")[0] == 200
    machine.server.process.kill()
    assert machine.server.process.stdout is not None
    assert "a write failed: OperationalError: disk I/O error" in machine.server.process.stdout.read()
    machine.server.kill()
    assert lost(machine.folder, {json.loads(body)["submission"]: form[1]["emotion"]}) == []


def lost(image: Path, acknowledged: dict[str, str]) -> list[str]:
    """Whatever of what was acknowledged is not found whole in an image."""
    database = sqlite3.connect(image / "assay.db")
    try:
        assert database.execute("pragma integrity_check").fetchone() == ("ok",)
        found = dict(database.execute("select submission_id, value from judgment where dimension = 'emotion'"))
    finally:
        database.close()
    return [name for name, emotion in acknowledged.items() if found.get(name) != emotion]


def images(folder: Path, program: list[str], count: int) -> Iterator[tuple[Path, dict[str, str]]]:
    """Images of a disk at many moments of work; every second one has some of what was not synced."""
    chance = random.Random(3)
    with at_work(folder, program) as machine:
        for number in range(count):
            # Now and then so many that the log is emptied into the database meanwhile.
            enough, patience = len(machine.acknowledged) + chance.choice((3, 3, 3, 60)), time.monotonic() + 30
            while len(machine.acknowledged) < enough:
                assert time.monotonic() < patience, "too little is acknowledged"
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.02))
            image = folder / f"image {number}"
            with machine.stopped():
                machine.disk(image, chance if number % 2 else None)
                yield image, dict(machine.acknowledged)
            shutil.rmtree(image)


def test_nothing_acknowledged_is_lost_with_the_power(tmp_path: Path) -> None:
    with closing(images(tmp_path, ASSAY, IMAGES)) as taken:
        for image, acknowledged in taken:
            assert lost(image, acknowledged) == []
            store = connect(image / "assay.db")
            try:
                assert [problem for checked in verify(store) for problem in checked.problems] == []
            finally:
                store.close()


@pytest.mark.parametrize("setting", ["NORMAL", pytest.param("OFF", marks=pytest.mark.thorough("a second mutant"))])
def test_a_server_that_waits_less_for_the_disk_is_caught(tmp_path: Path, setting: str) -> None:
    program = [sys.executable, "-m", "tests.weaker", setting]
    with closing(images(tmp_path, program, IMAGES_OF_MUTANT)) as taken:
        assert any(lost(image, acknowledged) for image, acknowledged in taken)
