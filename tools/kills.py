"""Kill the server again and again while people work: what was acknowledged must be there, once.

At random moments and, every second time, at the moment of an answer. Each server is a process of its own, forked from a
program that is loaded already, so that a thousand kills take a quarter of an hour: `python -m tools.kills`. With
`--seconds` it ends in time and says how many there were. With `--postgres` the data lie in a PostgreSQL whose processes
are all killed every third time instead: the server has to come back to work by itself.
"""

import argparse
import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.servers import Annotator, Server, assay, filled, links, prepared
from tools.processes import Failed, end_loudly
from tools.promises import record, record_option

if TYPE_CHECKING:
    from tools.postgres_pair import Postgres

PEOPLE = 6
PER_ITEM = 3
PATIENCE = 10
"""Seconds to wait for answers before a kill: only a server that is answering is worth killing."""


@dataclass
class Killing:
    """People at work on a server that is killed and started again."""

    folder: Path
    server: Server
    postgres: "Postgres | None" = None
    """Where the data are, unless they are beside the study."""
    database: str | None = None
    """Its address."""
    acknowledged: dict[str, str] = field(default_factory=dict)
    """What people were told is saved: the submission, and its answer to one question."""
    kills: int = 0
    strike: bool = False
    """Whoever gets the next answer kills the server."""
    over: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def work(self, annotator: Annotator, seed: int) -> None:
        """Submit item after item, to whichever server is there."""
        chance = random.Random(seed)
        while not self.over:
            annotator.port = self.server.port
            try:
                address, form = filled(annotator.page(), emotion=str(chance.choice((2, 3, 4))))
                status, body = annotator.submit(address, form)
            except (OSError, HTTPException):
                time.sleep(0.05)
                continue
            except AssertionError as error:
                if "no item" not in str(error) and "no field" not in str(error):
                    raise
                time.sleep(0.05)
                continue
            if status == 200:
                self.told(json.loads(body)["submission"], form["emotion"])
            elif status not in (409, 503):
                raise Failed(f"a save was answered with {status}: {body[:300]}")

    def told(self, submission: str, emotion: str) -> None:
        """An answer has just arrived: the worst moment for a server to go."""
        if self.strike:
            self.strike = False
            with suppress(ProcessLookupError):
                os.kill(self.server.process.pid, signal.SIGKILL)
        with self.lock:
            self.acknowledged[submission] = emotion

    def kill(self, chance: random.Random) -> None:
        """Wait for a few answers, kill the server, start it again."""
        enough, patience = len(self.acknowledged) + 3, time.monotonic() + PATIENCE
        while len(self.acknowledged) < enough and time.monotonic() < patience:
            time.sleep(0.001)
        self.kills += 1
        if self.postgres and self.kills % 3 == 0:
            self.postgres.lose()
            self.postgres.recover()
            return
        if self.kills % 2:
            self.strike = True
            with suppress(subprocess.TimeoutExpired):
                self.server.process.wait(5)
        else:
            time.sleep(chance.uniform(0, 0.03))
        self.server.kill()
        self.server = Server(self.folder, self.database)


@dataclass(frozen=True)
class Outcome:
    """What is left of what people were told."""

    kills: int
    acknowledged: int
    lost: list[str]
    """Acknowledged, and not there, or with another answer."""
    doubled: list[str]
    torn: list[str]
    """Submissions that are there in part."""
    damaged: str

    def __str__(self) -> str:
        return (
            f"{self.kills:,} kills: {self.acknowledged:,} acknowledged, {len(self.lost)} lost, "
            f"{len(self.doubled)} doubled, {len(self.torn)} in part"
        )

    @property
    def wrong(self) -> bool:
        return bool(self.lost or self.doubled or self.torn or self.damaged)


@contextmanager
def new_postgres(folder: Path) -> "Iterator[Postgres]":
    """A PostgreSQL as it is advised, with nothing turned off."""
    from tools.postgres_pair import Postgres, folder_for

    made = Postgres(folder_for(folder, "data"))
    made.make()
    made.start()
    try:
        yield made
    finally:
        made.stop()


def kill_often(folder: Path, kills: int, seconds: float = float("inf"), postgres: "Postgres | None" = None) -> Outcome:
    """So many kills, or as many as there is time for."""
    study = prepared(folder / "study", items=max(2_000, 20 * kills), per_item=PER_ITEM)
    database = _address(postgres) if postgres else None
    assay("import", study, *(["--database", database] if database else []))
    invited = links(study, PEOPLE, database)
    killing = Killing(study, Server(study, database), postgres, database)
    annotators = [Annotator(killing.server.port) for _ in invited]
    for annotator, link in zip(annotators, invited, strict=True):
        annotator.enter(link)
    end, chance = time.monotonic() + seconds, random.Random(7)
    with ThreadPoolExecutor(PEOPLE) as pool:
        working = [pool.submit(killing.work, annotator, seed) for seed, annotator in enumerate(annotators)]
        try:
            while killing.kills < kills and time.monotonic() < end:
                killing.kill(chance)
                if killing.kills % 100 == 0:
                    print(f"{killing.kills:>6} kills, {len(killing.acknowledged):>6} acknowledged", flush=True)
        finally:
            killing.over = True
            killing.server.kill()
    for each in working:
        each.result()
    with closing(_connected(study / "assay.db", postgres)) as found:
        return _found(lambda statement: found.execute(statement).fetchall(), killing)


def _address(postgres: "Postgres") -> str:
    from tools.postgres_pair import address

    return address(postgres)


def _connected(beside: Path, postgres: "Postgres | None") -> Any:
    if postgres is None:
        return sqlite3.connect(beside)
    import psycopg

    return psycopg.connect(host="127.0.0.1", port=postgres.port, user="assay", dbname="postgres")


def _found(rows: Callable[[str], list[Any]], killing: Killing) -> Outcome:
    """Compare what was acknowledged with what is there."""
    damaged = "ok" if killing.postgres else rows("pragma integrity_check")[0][0]
    # Of each place one submission: a second one of the same would be the same answer taken twice.
    places = Counter(row[0] for row in rows("select assignment_id from submission"))
    emotions = dict(rows("select submission_id, value from judgment where dimension = 'emotion'"))
    sizes = Counter(row[0] for row in rows("select submission_id from judgment"))
    return Outcome(
        killing.kills,
        len(killing.acknowledged),
        [name for name, emotion in killing.acknowledged.items() if emotions.get(name) != emotion],
        [str(place) for place, times in places.items() if times != 1],
        [name for name, size in sizes.items() if size != 5],
        "" if damaged == "ok" else str(damaged),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=3_000, help="the longest that it may take")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL, which is killed as well")
    parser.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    record_option(parser)
    asked = parser.parse_args()
    begun = time.monotonic()

    def measure() -> None:
        kills = 3 if asked.smallest else asked.kills
        with tempfile.TemporaryDirectory() as folder, ExitStack() as until_the_end:
            beside = until_the_end.enter_context(new_postgres(Path(folder))) if asked.postgres else None
            outcome = kill_often(Path(folder), kills, asked.seconds, beside)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        print(f"{outcome}; {time.monotonic() - begun:.0f} s, at most {most:.0f} MB here")
        if outcome.wrong:
            raise Failed(f"lost {outcome.lost[:5]}, doubled {outcome.doubled[:5]}, {outcome.damaged}")
        if asked.record and asked.postgres:
            record("kills_postgres", str(outcome))
        elif asked.record:
            record("kills", str(outcome))

    end_loudly(measure, int(asked.seconds) + 120)


if __name__ == "__main__":
    sys.exit(main())
