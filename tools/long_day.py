"""Eight hours of 50 annotators' work, compressed in time: does the server's memory grow, or its files beyond the work?

The server is `assay serve` with a clock that runs 60 times as fast (`tools/fast_clock.py`), so that breaks, limits of a
session and items that go back to others happen as on a real day. People judge, rest, decline, go away in the middle and
come back (`tools/day_people.py`); a coordinator looks at the study every ten minutes. In the end every row must be
explained by what they did; the files may not have grown by more for each submission than in the first hour, and memory
by a twentieth at most once it has settled. `python -m tools.promises long_day` runs it before a release; `--postgres`
tries the other database.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from sqlalchemy import Connection, func, select, text
from tools.bench import Client, text_of
from tools.day_growth import (
    LOOKS,
    Look,
    Size,
    growth_not_explained,
    hours_of,
    in_short,
    print_table,
    rows_not_explained,
)
from tools.day_people import Done, Person
from tools.postgres_pair import Postgres, address, folder_for
from tools.processes import Failed, end_loudly, run_together, served_by
from tools.promises import record, record_option
from tools.workload import prepare

from assay import acts
from assay.store import Backend, open_store
from assay.store.coordinator.record import By
from assay.store.tables import metadata
from assay.store.upkeep.verify import verify
from assay.study import load

PER_ITEM = 2
WHOLE = Size(annotators=50, items=12_000, hours=8, speed=60, more_memory=0.05, most_memory=400, more_a_submission=1.25)
SMALLEST = Size(annotators=4, items=1_000, hours=2, speed=3600, more_memory=1.0, most_memory=400, more_a_submission=inf)


def edit(content: Any) -> None:
    """Breaks, limits and short leases: everything that goes by the clock."""
    content["pace"]["breaks"] = [{"after_items": 30, "minutes": 5}]
    content["pace"]["session_minutes"], content["pace"]["day_minutes"] = 100, 420
    content["assignment"]["expires_after_hours"] = 1


@dataclass(frozen=True)
class Database:
    """Where the study lies, and how large it is there."""

    address: str
    folder: Path
    postgres: bool

    def sizes(self) -> tuple[float, float]:
        """MB of data and of the log."""
        if self.postgres:
            return _size(self.folder / "base"), _size(self.folder / "pg_wal")
        return _size(self.folder / "assay.db"), _size(self.folder / "assay.db-wal")

    @contextmanager
    def opened(self) -> Iterator[Backend]:
        store = open_store(self.address)
        try:
            yield store
        finally:
            store.close()


def _size(path: Path) -> float:
    found = 0
    for each in path.rglob("*") if path.is_dir() else [path]:
        # PostgreSQL takes files away while they are counted.
        with suppress(FileNotFoundError):
            found += each.stat().st_size
    return found / 1e6


def rows_of(connection: Connection) -> dict[str, int]:
    """How many rows each table has."""
    return {
        name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for name, table in metadata.tables.items()
    }


def most_of_an_item(connection: Connection) -> int:
    """The most often that an item was judged by different people."""
    times = text("select count(*) from submission where pass = 1 group by item_id order by 1 desc limit 1")
    return int(connection.execute(times).scalar_one())


@contextmanager
def database_in(folder: Path, postgres: bool) -> Iterator[Database]:
    if not postgres:
        yield Database(str(folder / "study" / "assay.db"), folder / "study", postgres)
        return
    server = Postgres(folder_for(folder, "data"))
    server.make()
    server.start()
    try:
        yield Database(address(server), server.folder, postgres)
    finally:
        server.stop()


def look(process: int, database: Database, hour: float, submitted: int) -> Look:
    """Ask the system about the server and its files."""
    about = Path(f"/proc/{process}")
    status = dict(line.split(":", 1) for line in (about / "status").read_text().splitlines())
    memory, threads = int(status["VmRSS"].split()[0]) / 1000, int(status["Threads"])
    return Look(hour, submitted, memory, len(list((about / "fd").iterdir())), threads, *database.sizes())


async def coordinate(client: Client, token: str, every: float, until: float) -> None:
    """Look at the study again and again."""
    while time.monotonic() < until:
        await client.open()
        if not client.cookie:
            await client.ask("POST", "/join", urlencode({"token": token}).encode())
        status, _, page = await client.ask("GET", "/coordinate/empathy")
        if status != 200:
            raise Failed(f"the coordinator's page: {status} {text_of(page)}")
        await client.close()
        await asyncio.sleep(every)


async def a_day(where: tuple[str, int], tokens: list[str], database: Database, size: Size, done: Done) -> list[Look]:
    """Everybody works; the first token is the coordinator's, if there is one."""
    url, process = where
    host, port = str(urlsplit(url).hostname), int(urlsplit(url).port or 0)
    hour = 3600 / size.speed
    begun = time.monotonic()
    until = begun + size.hours * hour
    looks = []
    async with asyncio.TaskGroup() as group:
        if tokens[0]:
            group.create_task(coordinate(Client(host, port), tokens[0], hour / 6, until))
        for number, token in enumerate(tokens[1:]):
            person = Person(Client(host, port), token, size.speed, random.Random(number), done)
            group.create_task(person.work(until))
        for number in range(1, LOOKS * size.hours + 1):
            await asyncio.sleep(begun + number * hour / LOOKS - time.monotonic())
            looks.append(look(process, database, number / LOOKS, done.submitted))
    return looks


def measure(folder: Path, size: Size, *, postgres: bool, coordinator: bool) -> str:
    """Let a day go by; says in short what it left behind."""
    study, now = folder / "study", round(1000 * time.time())
    with database_in(folder, postgres) as database:
        at = {"database": database.address} if postgres else {}
        tokens = prepare(study, size.items, size.annotators, now, per_item=PER_ITEM, edit=edit, **at)
        with database.opened() as store:
            link = store.write(acts.first_coordinators_link, By(1, "long day", now), load(study)) if coordinator else ""
            before = store.read(rows_of)
        data, _ = database.sizes()
        done = Done()
        serve = ["serve", str(study), "--port", "0", "--database", database.address]
        with served_by([sys.executable, "-m", "tools.fast_clock", str(size.speed), *serve]) as where:
            hours = hours_of(run_together(a_day(where, [str(link), *tokens], database, size, done)))
        print(f"{size.annotators} annotators, {size.hours} hours at {size.speed:.0f} times the speed")
        print_table(hours, data)
        print(done)
        wrong = growth_not_explained(hours, data, size)
        with database.opened() as store:
            wrong += rows_not_explained(before, store.read(rows_of), done, size)
            if (most := store.read(most_of_an_item)) > PER_ITEM:
                wrong.append(f"an item was judged {most} times, and {PER_ITEM} was wanted")
            wrong += [problem for checked in verify(store) for problem in checked.problems]
    if wrong:
        raise Failed("; ".join(wrong))
    return in_short(hours, data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL of its own, and not on SQLite")
    parser.add_argument("--nobody-looks", action="store_true", help="no coordinator, only annotators")
    record_option(parser)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        size = SMALLEST if asked.smallest else WHOLE
        figure = measure(Path(made), size, postgres=asked.postgres, coordinator=not asked.nobody_looks)
    if asked.record:
        record("long_day", figure)


if __name__ == "__main__":
    end_loudly(main, 900)
