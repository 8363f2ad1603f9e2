"""Several servers on one PostgreSQL behind a real proxy, while people work: what they get done, and what goes wrong.

First the speed with 1, 2 and 4 servers. Then all of them while a server is killed, one is stopped as for an update, the
database is restarted, and its machine is lost and a standby takes over. Annotators do as the page does: what fails is
sent again. In the end everything that was acknowledged must be there once, and every item judged exactly so often.
`python -m tools.promises several_servers speeds` runs it before a release and records what it finds.
"""

import argparse
import asyncio
import random
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from sqlalchemy import text
from tools.behind_proxy import behind_proxy, started
from tools.bench import SCORES, Client, enter, hidden, measured, percentile, text_of
from tools.faults import Outcome, one_after_another
from tools.postgres_pair import Postgres, address, folder_for
from tools.processes import ASSAY, Failed, core_seconds, end_loudly, run, run_together, served_by
from tools.promises import record, record_option
from tools.workload import prepare

from assay.store import open_store

PER_ITEM = 2
AGAIN = (502, 503, 504)
"""A server is gone, says the proxy; the database is, says a server. The page keeps what it has and tries again."""
WAIT = 0.3


async def ask(client: Client, outcome: Outcome, method: str, path: str, form: dict[str, str] | None = None) -> bytes:
    """Ask until there is an answer, as a page does with what it keeps."""
    begun, failed = time.perf_counter(), False
    accept = "text/html" if form is None else "application/json"
    while True:
        try:
            if client.writer is None:
                await client.open()
            status, headers, body = await client.ask(method, path, urlencode(form or {}).encode(), accept)
            if headers.get("connection") == "close":
                await client.close()
                client.writer = None
            if status == 200:
                break
            if status not in AGAIN:
                raise RuntimeError(f"{method} {path}: {status} {text_of(body)}")
        except (Failed, OSError):
            await client.close()
            client.writer = None
        failed = True
        outcome.failures += 1
        await asyncio.sleep(WAIT)
    if failed:
        outcome.pauses.append(time.perf_counter() - begun)
    return body


async def annotate(client: Client, outcome: Outcome, size: "Size", chance: random.Random) -> None:
    """Judge until nothing is left."""
    while True:
        await asyncio.sleep(size.think * (0.5 + chance.random()))
        if outcome.share < 1 and len(outcome.acknowledged) > outcome.share * PER_ITEM * size.items:
            continue
        page = await ask(client, outcome, "GET", "/judge/empathy")
        action = re.search(rb'action="(/judge/empathy/submit/([^"]+))"', page)
        if not action:
            return
        form = {"csrf": hidden(page, "csrf"), "study": hidden(page, "study"), "active_ms": "60000", **SCORES}
        await ask(client, outcome, "POST", action[1].decode(), form)
        outcome.acknowledged.append(action[2].decode())


async def _all(address_: str, tokens: list[str], outcome: Outcome, size: "Size") -> None:
    host, port = address_.removeprefix("http://").split(":")
    chance = random.Random(1)
    clients = [Client(host, int(port)) for _ in tokens]
    async with asyncio.TaskGroup() as group:
        for client, token in zip(clients, tokens, strict=True):
            group.create_task(enter(client, token))
    outcome.all_in.set()
    async with asyncio.TaskGroup() as group:
        for client in clients:
            group.create_task(annotate(client, outcome, size, chance))


@dataclass(frozen=True)
class Size:
    """How much is tried."""

    servers: int
    annotators: int
    items: int
    think: float
    """How long somebody thinks between two items, in seconds."""
    seconds: float
    """How long each speed is measured."""
    between: float
    """Seconds between two faults."""


WHOLE = Size(servers=4, annotators=200, items=2000, think=1.5, seconds=8, between=6)
SMALLEST = Size(servers=2, annotators=6, items=40, think=0.2, seconds=0.3, between=0.5)


@dataclass(frozen=True)
class Speed:
    """What annotators get done with so many servers, and what it takes."""

    servers: str
    pairs: float
    page: float
    save: float
    """The 99th percentile of each, in milliseconds."""
    servers_busy: float
    database_busy: float
    """How long a pair keeps a core busy, in milliseconds."""


TABLE = (
    "| servers | pairs a second | page p99 | save p99 | a pair keeps a core of the servers busy | of the database |",
    "|---|---:|---:|---:|---:|---:|",
)


def table_of(found: list[Speed]) -> tuple[str, ...]:
    """For a page."""
    return TABLE + tuple(
        f"| {each.servers} | {each.pairs:.0f} | {each.page:.0f} ms | {each.save:.0f} ms | {each.servers_busy:.1f} ms "
        f"| {each.database_busy:.1f} ms |"
        for each in found
    )


def speeds(folder: Path, size: Size) -> list[Speed]:
    """Pairs of a page and a save in a second, with one server and with more."""
    database = Postgres(folder_for(folder, "speed"))
    database.make()
    database.start()
    people = min(50, size.annotators)
    try:
        now = round(1000 * time.time())
        print(f"{people} annotators, no think time; how long a pair keeps a core busy, of the servers and the database")
        print("            servers  pairs/s  page p99  save p99   servers  database")
        tokens = prepare(folder / "alone", 10 * size.items, people, now)
        with served_by([*ASSAY, "serve", str(folder / "alone"), "--port", "0"]) as (alone, process):
            found = [_speed("1, SQLite, no proxy", alone, tokens, size.seconds, [process], [])]
        tokens = prepare(folder / "study", 10 * size.items, 3 * people, now, database=address(database))
        known(address(database))
        for turn, count in enumerate((1, 2, 4)):
            with ExitStack() as stack:
                servers = started(stack, folder / "study", address(database), count)
                proxy = stack.enter_context(behind_proxy(folder / f"proxy-{count}", servers))
                mine, own = tokens[turn * people :][:people], [each.process.pid for each in servers]
                found.append(_speed(str(count), proxy, mine, size.seconds, own, [database.process]))
    finally:
        database.stop()
    return found


def known(database: str) -> None:
    """Have the database know how large its tables are, as it does by itself a minute after an import."""
    store = open_store(database)
    store.write(lambda connection: connection.exec_driver_sql("analyze"))
    store.close()


def _speed(name: str, where: str, tokens: list[str], seconds: float, own: list[int], other: list[int]) -> Speed:
    """Measure one line: what people get done, and what it takes of the processor."""
    before = [sum(map(core_seconds, each)) for each in (own, other)]
    found = measured(where, tokens, seconds)
    busy = [sum(map(core_seconds, each)) - was for each, was in zip((own, other), before, strict=True)]
    pages, saves = (percentile(each, 0.99) for each in (found.pages, found.saves))
    speed = Speed(name, found.rate, pages, saves, *(1000 * each / len(found.saves) for each in busy))
    print(
        f"{name:>19} {speed.pairs:>8.0f} {pages:>6.0f} ms {saves:>6.0f} ms {speed.servers_busy:>6.1f} ms"
        f" {speed.database_busy:>6.1f} ms",
        flush=True,
    )
    return speed


def faults(folder: Path, size: Size) -> str:
    """Everybody works while one thing after another fails."""
    primary, standby = (Postgres(folder_for(folder, name)) for name in ("primary", "standby"))
    primary.make()
    primary.start()
    try:
        standby.copy_of(primary)
        database = address(primary, standby)
        now = round(1000 * time.time())
        tokens = prepare(folder / "small", size.items, size.annotators, now, per_item=PER_ITEM, database=database)
        outcome = Outcome()
        with ExitStack() as stack:
            servers = started(stack, folder / "small", database, size.servers)
            proxy = stack.enter_context(behind_proxy(folder / "proxy", servers))
            acts: dict[str, Callable[[], None]] = {
                "a server is killed": servers[0].kill,
                "it is started again": servers[0].start,
                "a server leaves for an update": servers[1].leave,
                "it comes back": servers[1].start,
                "the database is restarted": primary.restart,
                "the database's machine is lost": primary.lose,
                "the standby takes over": standby.promote,
            }
            fault = threading.Thread(target=one_after_another, args=(acts, size.between, outcome), daemon=True)
            fault.start()
            begun = time.perf_counter()
            run_together(_all(proxy, tokens, outcome, size))
            took = time.perf_counter() - begun
            fault.join()
        return _check(database, size, outcome, took)
    finally:
        for each in (primary, standby):
            with suppress(Failed):
                each.stop()


STORED = text("select public_id, count(*) from assignment a join submission s on s.assignment_id = a.id group by 1")
TIMES = text("select item_id, count(*) from submission where pass = 1 group by 1")


def _check(database: str, size: Size, outcome: Outcome, took: float) -> str:
    store = open_store(database)
    try:
        found = {row[0]: row[1] for row in store.read(lambda connection: connection.execute(STORED).all())}
        times = [row[1] for row in store.read(lambda connection: connection.execute(TIMES).all())]
    finally:
        store.close()
    lost = [each for each in outcome.acknowledged if each not in found]
    doubled = [each for each, count in found.items() if count != 1]
    wrong = [each for each in times if each != PER_ITEM]
    figure = (
        f"{len(outcome.acknowledged):,} acknowledged, {len(lost)} lost, {len(doubled)} doubled, "
        f"{len(times) - len(wrong):,} of {size.items:,} items exactly {PER_ITEM} times; "
        f"the longest pause that somebody met {max(outcome.pauses, default=0.0):.0f} s"
    )
    print(f"{size.annotators} annotators, {size.servers} servers, {took:.0f} s: {figure}")
    if outcome.broken:
        raise Failed(outcome.broken)
    if lost or doubled or wrong or len(times) != size.items:
        raise Failed("not everything that was acknowledged is there once")
    print(run("verify", "--database", database).strip().splitlines()[-1])
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    parser.add_argument("--faults-only", action="store_true", help="do not measure speeds")
    parser.add_argument("--speeds-only", action="store_true", help="measure speeds, and let nothing fail")
    record_option(parser)
    asked = parser.parse_args()
    size = SMALLEST if asked.smallest else WHOLE
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o755)
        if not asked.faults_only:
            found = speeds(folder, size)
            if asked.record:
                rates = [f"{each.pairs:.0f} with {each.servers}" for each in found[1:]]
                record("speeds", f"{', '.join(rates)}; one server with SQLite {found[0].pairs:.0f}", table_of(found))
        if not asked.speeds_only:
            figure = faults(folder, size)
            if asked.record:
                record("several_servers", figure)


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    end_loudly(main, 600)
