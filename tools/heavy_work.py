"""Annotators at work while somebody has reports, exports and figures made, and items come in: how long do they wait?

Fifty people with a second of thought between two requests, on a study with 100,000 judgments; first with nothing beside
them, then with each kind of heavy work over and over. Whoever asks for it is a process of its own. Server, people and
heavy work share the machine: `python -m tools.promises heavy_work`, on a machine that does nothing else.
"""

import argparse
import asyncio
import multiprocessing
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, cycle
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx2
from tools.bench import SCORES, Client, Measured, enter, hidden, percentile, text_of
from tools.big_store import fill
from tools.processes import Failed, end_loudly, run_together, server
from tools.promises import record, record_option
from tools.workload import REPLY, STATEMENT, prepare

from assay import acts
from assay.store import open_store
from assay.store.coordinator import tokens
from assay.store.coordinator.record import By
from assay.study import load

TO_REACH = 100
"""Milliseconds at the 99th percentile."""
PEOPLE_OF_AN_ITEM = 4


@dataclass(frozen=True)
class Size:
    """How much is tried."""

    annotators: int
    items: int
    judgments: int
    seconds: float
    """How long each kind of work is done."""
    rows: int
    """How many items come in at a time."""


WHOLE = Size(annotators=50, items=5_000, judgments=100_000, seconds=20, rows=2_000)
SMALLEST = Size(annotators=3, items=50, judgments=4_000, seconds=1, rows=10)


@dataclass(frozen=True)
class Place:
    """A study that is being worked on: where it is served, and how a coordinator and a script come in."""

    address: str
    coordinator: str
    token: str
    rows: int


def report(client: httpx2.Client, place: Place) -> Iterator[httpx2.Response]:
    while True:
        yield client.get("/coordinate/empathy/report")


def exports(client: httpx2.Client, place: Place) -> Iterator[httpx2.Response]:
    for form in cycle(("csv", "parquet", "xlsx")):
        yield client.get("/coordinate/empathy/export", params={"format": form})


def figures(client: httpx2.Client, place: Place) -> Iterator[httpx2.Response]:
    """The dashboard, and each figure that it has as files."""
    while True:
        yield (page := client.get("/coordinate/empathy"))
        for address in sorted(set(re.findall(r'href="([^"]+/figure\?[^"]+)"', page.text))):
            yield client.get(address.replace("&amp;", "&"))


def imports(client: httpx2.Client, place: Place) -> Iterator[httpx2.Response]:
    """Items by the API, so many at a time."""
    numbers, headers = count(), {"Authorization": f"Bearer {place.token}"}
    while True:
        rows = [
            {
                "eval_id": f"new-{(number := next(numbers))}",
                "user_statement": f"{STATEMENT}{number}",
                "response": REPLY,
                "sample_id": f"new-{number}",
                "model_tag": f"m{number % 3}",
            }
            for _ in range(place.rows)
        ]
        yield client.post("/api/v1/studies/empathy/items", json={"items": rows}, headers=headers)


Work = Callable[[httpx2.Client, Place], Iterator[httpx2.Response]]
WORK: dict[str, Work] = {each.__name__: each for each in (report, exports, figures, imports)}


def keep_asking(name: str, place: Place, begun: Event, over: Event, answers: "multiprocessing.Queue[int]") -> None:
    """Have one kind of work done over and over, in a process of its own; puts the status of each answer."""
    with httpx2.Client(base_url=place.address, timeout=120) as client:
        client.post("/join", data={"token": place.coordinator})
        begun.set()
        for answer in WORK[name](client, place):
            answers.put(answer.status_code)
            if over.is_set():
                return


@contextmanager
def beside(name: str, place: Place, done: list[int]) -> Iterator[None]:
    """Heavy work from before the block begins until its last answer; done gets the statuses, one at least."""
    if name not in WORK:
        yield
        return
    spawn = multiprocessing.get_context("spawn")
    begun, over, answers = spawn.Event(), spawn.Event(), spawn.Queue()
    process = spawn.Process(target=keep_asking, args=(name, place, begun, over, answers), daemon=True)
    process.start()
    try:
        # Its start takes as long as some of the measurement: people would meet it with nothing beside them.
        while process.is_alive() and not begun.wait(0.05):
            pass
        yield
        over.set()
        while process.is_alive() or not answers.empty():
            if not answers.empty():
                done.append(answers.get())
            process.join(0.05)
        if process.exitcode or not done:
            raise Failed(f"{name}: who asked for it ended with {process.exitcode}, after {len(done)} answers")
    finally:
        process.kill()
        process.join()


async def answer_of(client: Client, *request: Any) -> tuple[int, dict[str, str], bytes]:
    """Ask, on a new connection where the server has closed the idle one, as a browser does.

    It may close it in the very moment in which something is asked: that is asked again, and stored once.
    """
    for last in (False, True):
        if is_closed(client):
            await client.close()
            await client.open()
        try:
            return await client.ask(*request)
        except Failed:
            if last or not is_closed(client):
                raise
    raise AssertionError


def is_closed(client: Client) -> bool:
    """Whether the server has closed the connection."""
    return client.reader.at_eof() or client.reader.exception() is not None


async def work(client: Client, until: float, found: Measured, chance: random.Random, thought: float) -> None:
    """Judge item after item, with so many seconds of thought before each request, half or half as much again."""
    while time.perf_counter() < until:
        await asyncio.sleep(thought * (0.5 + chance.random()))
        start = time.perf_counter()
        status, _, page = await answer_of(client, "GET", "/judge/empathy")
        found.pages.append(time.perf_counter() - start)
        action = re.search(rb'action="(/judge/empathy/submit/[^"]+)"', page)
        if status != 200 or not action:
            raise Failed(f"no item on the page ({status}): {text_of(page)}")
        form = {"csrf": hidden(page, "csrf"), "study": hidden(page, "study"), "active_ms": "500", **SCORES}
        await asyncio.sleep(thought * (0.5 + chance.random()))
        start = time.perf_counter()
        body = urlencode(form).encode()
        status, _, answer = await answer_of(client, "POST", action[1].decode(), body, "application/json")
        found.saves.append(time.perf_counter() - start)
        if status != 200:
            raise Failed(f"a save was answered with {status}: {answer.decode('utf-8', 'replace')[:300]}")


async def everybody(
    where: str, tokens: list[str], seconds: float, thought: float = 1.0, begun: Callable[[], object] = lambda: None
) -> Measured:
    """What annotators meet in so many seconds; `begun` is called when the last of them has come in."""
    found, chance = Measured(0, [], []), random.Random(1)
    clients = [Client(str(urlsplit(where).hostname), int(urlsplit(where).port or 0)) for _ in tokens]
    try:
        async with asyncio.TaskGroup() as entering:
            for client, token in zip(clients, tokens, strict=True):
                entering.create_task(enter(client, token))
        begun()
        until = time.perf_counter() + seconds
        async with asyncio.TaskGroup() as working:
            for client in clients:
                working.create_task(work(client, until, found, chance, thought))
    finally:
        for client in clients:
            await client.close()
    return found


def made(folder: Path, size: Size) -> tuple[list[str], str, str]:
    """A study with many judgments: the tokens of people who have begun with none, a coordinator's and a script's."""
    now = round(1000 * time.time())
    links = prepare(folder, size.items, size.annotators, now)
    study = load(folder)
    dimensions = [each.dimension for each in study.scored_dimensions]
    judged = size.judgments // (PEOPLE_OF_AN_ITEM * len(dimensions))
    content = {"user_statement": STATEMENT, "response": REPLY}
    fill(folder / "assay.db", 1, study, dimensions, judged, PEOPLE_OF_AN_ITEM, 2 * size.annotators, content)
    store = open_store(folder / "assay.db")
    try:
        coordinator = store.write(acts.invite_other, By(1, "heavy work", now), study, "coordinator")
        return links, coordinator, store.write(tokens.make, 1, "heavy work", ["manage"], now, days=1, only="")
    finally:
        store.close()


def measure(folder: Path, size: Size) -> dict[str, tuple[float, float]]:
    """The 99th percentile of page and save in milliseconds, by what is done beside them."""
    links, coordinator, token = made(folder / "study", size)
    found = {}
    print(f"{size.annotators} annotators with a second of thought, {size.judgments:,} judgments")
    print("beside them   answers   page p50      p99   save p50      p99")
    with server(folder / "study") as address:
        place = Place(address, coordinator, token, size.rows)
        for name in ("nothing", *WORK):
            done: list[int] = []
            with beside(name, place, done):
                times = run_together(everybody(address, links, size.seconds))
            if wrong := [each for each in done if each not in (200, 201)]:
                raise Failed(f"{name}: answered with {wrong[0]}")
            found[name] = percentile(times.pages, 0.99), percentile(times.saves, 0.99)
            half = [percentile(each, 0.5) for each in (times.pages, times.saves)]
            print(
                f"{name:<12} {len(done):>8} {half[0]:>7.1f} ms {found[name][0]:>5.1f} ms {half[1]:>7.1f} ms"
                f" {found[name][1]:>5.1f} ms",
                flush=True,
            )
    print(f"To reach: under {TO_REACH} ms at the 99th percentile.")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    record_option(parser)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), SMALLEST if asked.smallest else WHOLE)
    if asked.record:
        each = [f"{name} {page:.0f} and {save:.0f} ms" for name, (page, save) in found.items()]
        missed = max(map(max, found.values())) > TO_REACH
        record("heavy_work", f"page and save with {', '.join(each)}" + "; **not reached**" * missed)


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    end_loudly(main, 600)
