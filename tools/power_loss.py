"""The power goes: of what the server wrote only what it synced is left, and perhaps some of the rest.

`tests/only_synced.c` lies between the server and its disk and copies a file whenever it is synced. The server is
stopped in the middle of work, and the disk is put together as it would be found. Whatever people had an answer to must
be there: `python -m tools.power_loss`. A server that waits less for the disk (`tests/weaker.py`) must be caught.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.servers import ASSAY, Annotator, Server, assay, filled, links, prepared
from tools.processes import Failed, end_loudly
from tools.promises import record, record_option

from assay.store import connect
from assay.store.upkeep.verify import verify

PEOPLE = 4
SECTOR = 512
"""Bytes: what a disk writes whole or not at all."""
FILES = ("assay.db", "assay.db-wal")
SHIM = Path(__file__).parent.parent / "tests" / "only_synced.c"
MUTANTS = ("NORMAL", "OFF")
"""What SQLite's `synchronous` is set to in servers that must be caught."""


class Machine:
    """A server at work on a disk whose synced state is known, and the answers that people got from it."""

    def __init__(self, folder: Path, program: list[str], items: int = 300, **more: str) -> None:
        self.folder, self.synced, library = folder / "study", folder / "synced", folder / "only_synced.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SHIM], check=True)
        prepared(self.folder, items=items, per_item=3)
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
            if status != 200:
                raise Failed(f"a save was answered with {status}: {body[:300]}")
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
def at_work(folder: Path, program: list[str], items: int) -> Iterator[Machine]:
    machine = Machine(folder, program, items)
    with ThreadPoolExecutor(PEOPLE) as pool:
        working = [pool.submit(machine.work, each, seed) for seed, each in enumerate(machine.annotators)]
        try:
            yield machine
        finally:
            machine.stop.set()
            for each in working:
                each.result()
            machine.server.kill()


def _found(image: Path) -> dict[str, str] | None:
    """Every submission in an image with its answer to one question; None where the file is damaged."""
    try:
        with closing(sqlite3.connect(image / "assay.db")) as database:
            if database.execute("pragma integrity_check").fetchone() != ("ok",):
                return None
            return dict(database.execute("select submission_id, value from judgment where dimension = 'emotion'"))
    except sqlite3.DatabaseError:
        return None


def lost(image: Path, acknowledged: dict[str, str]) -> list[str]:
    """Whatever of what was acknowledged is not found whole in an image: all of it where the file is damaged."""
    found = _found(image)
    return [name for name, emotion in acknowledged.items() if found is None or found.get(name) != emotion]


def wrong_in(image: Path) -> list[str]:
    """What `assay verify` says of an image."""
    with closing(connect(image / "assay.db")) as store:
        return [problem for checked in verify(store) for problem in checked.problems]


def images(folder: Path, program: list[str], count: int) -> Iterator[tuple[Path, dict[str, str]]]:
    """Images of a disk at many moments of work; every second one has some of what was not synced."""
    chance = random.Random(3)
    with at_work(folder, program, max(300, 20 * count)) as machine:
        for number in range(count):
            # Now and then so many that the log is emptied into the database meanwhile.
            enough, patience = len(machine.acknowledged) + chance.choice((3, 3, 3, 60)), time.monotonic() + 30
            while len(machine.acknowledged) < enough:
                if time.monotonic() > patience:
                    raise Failed("too little is acknowledged")
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.02))
            image = folder / f"image {number}"
            with machine.stopped():
                machine.disk(image, chance if number % 2 else None)
                yield image, dict(machine.acknowledged)
            shutil.rmtree(image)


@dataclass
class Outcome:
    """What was found in the images of a server's disk."""

    images: int = 0
    with_losses: int = 0
    acknowledged: int = 0
    """When the last image was taken."""
    most_lost: int = 0
    wrong: tuple[str, ...] = ()
    """What `assay verify` says."""


def outcome_of(folder: Path, count: int, setting: str = "") -> Outcome:
    """Look through so many images of the program's disk, or of a mutant's, in which `verify` has nothing to say."""
    folder.mkdir(exist_ok=True)
    found = Outcome()
    program = [sys.executable, "-m", "tests.weaker", setting] if setting else ASSAY
    with closing(images(folder, program, count)) as taken:
        for image, acknowledged in taken:
            gone = lost(image, acknowledged)
            found.images += 1
            found.with_losses += bool(gone)
            found.acknowledged, found.most_lost = len(acknowledged), max(found.most_lost, len(gone))
            if not (setting or gone):
                found.wrong += tuple(wrong_in(image))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=200, help="of the program; of each mutant a tenth as many")
    parser.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    record_option(parser)
    asked = parser.parse_args()
    count = 2 if asked.smallest else asked.images

    def measure() -> None:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as made:
            own = outcome_of(Path(made) / "own", count)
            mutants = {each: outcome_of(Path(made) / each, max(2, count // 10), each) for each in MUTANTS}
        caught = " and ".join(f"{each.with_losses} of {each.images} with {name}" for name, each in mutants.items())
        figure = f"losses in {own.with_losses} of {own.images} images of the disk, up to {own.acknowledged:,}"
        figure += f" acknowledged; in {caught}"
        print(f"{figure}; {time.monotonic() - begun:.0f} s")
        if own.with_losses or own.wrong:
            raise Failed(f"up to {own.most_lost} lost; {'; '.join(own.wrong[:5])}")
        if not all(each.with_losses for each in mutants.values()):
            raise Failed("a server that waits less for the disk was not caught")
        if asked.record:
            record("power_loss", figure)

    end_loudly(measure, 1800)


if __name__ == "__main__":
    main()
