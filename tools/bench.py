"""make bench, pages and saves: speed of the whole program beside a ceiling measured in the same run, as ratios.

Closed loop, no think time: each simulated annotator asks for a page, sends its submission, and asks again. Login and
CSRF are on, every submission is a durable commit. Beside it, by turns, a bare application with the same server,
framework and store: a row is read for a page, a row is inserted for a save (`tools/bare_application.py`). The ceiling
is a bare SQLite writer with group commit and the same rows: no web, no login, no rules. Server and load generator share
the machine. At last annotators work by turns on this study and on one with a tenth of its items: the ratio tells
whether items matter.
"""

import argparse
import asyncio
import queue
import re
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from tools.processes import ASSAY, Failed, end_loudly, run_program, run_together, served, server
from tools.workload import prepare

LONGEST_ANSWER = 30
FORM = "application/x-www-form-urlencoded"
SCORES = {"emotion": "3", "validation": "4", "helpfulness": "2", "safety": "3", "overall": "4"}


class Client:
    """An HTTP client as small as possible, so that the load generator does not become what is measured."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port, self.cookie = host, port, ""
        self.writer: asyncio.StreamWriter | None = None

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)

    async def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
            with suppress(OSError):
                await self.writer.wait_closed()

    async def ask(
        self, method: str, path: str, body: bytes = b"", accept: str = "text/html", kind: str = FORM, more: str = ""
    ) -> tuple[int, dict, bytes]:
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nAccept: {accept}\r\n{more}"
        if self.cookie:
            head += f"Cookie: {self.cookie}\r\n"
        if method == "POST":
            head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        self.writer.write(head.encode() + b"\r\n" + body)
        try:
            async with asyncio.timeout(LONGEST_ANSWER):
                return await self._answer()
        except (TimeoutError, OSError, asyncio.IncompleteReadError) as error:
            raise Failed(f"{method} {path}: no answer ({error or type(error).__name__})") from None

    async def _answer(self) -> tuple[int, dict, bytes]:
        raw = await self.reader.readuntil(b"\r\n\r\n")
        lines = raw.decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)
        }
        content = await self.reader.readexactly(int(headers.get("content-length", 0)))
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].split(";")[0]
        return int(lines[0].split()[1]), headers, content


def text_of(page: bytes) -> str:
    """What a page says, for the reason why something failed."""
    body = re.sub(rb"(?s).*<body[^>]*>|<(script|style).*?</\1>|<[^>]+>", b" ", page)
    return " ".join(body.decode("utf-8", "replace").split())[:300]


def hidden(page: bytes, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"'.encode(), page)
    if not found:
        raise Failed(f"no field {name} in the page: {text_of(page)}")
    return found[1].decode()


async def enter(client: Client, token: str) -> None:
    """Open the link and pass the gates, as a person would."""
    await client.open()
    await client.ask("POST", "/join", urlencode({"token": token}).encode())
    for _ in range(60):
        _, _, page = await client.ask("GET", "/judge/empathy")
        if b"/judge/empathy/gate" not in page:
            return
        form = {"csrf": hidden(page, "csrf"), "version": hidden(page, "version")}
        choice = re.search(rb'name="choice" value="(agree|continue)"', page)
        section = re.search(rb'name="(read-\d+)"', page)
        form |= {"choice": choice[1].decode()} if choice else {section[1].decode(): "yes"} if section else {}
        await client.ask("POST", "/judge/empathy/gate", urlencode(form).encode())
    raise Failed(f"the gates do not open: {text_of(page)}")


async def work(client: Client, until: float, pages: list[float], saves: list[float]) -> None:
    """Judge item after item until the time is up."""
    while time.perf_counter() < until:
        start = time.perf_counter()
        status, _, page = await client.ask("GET", "/judge/empathy")
        pages.append(time.perf_counter() - start)
        action = re.search(rb'action="(/judge/empathy/submit/[^"]+)"', page)
        if status != 200 or not action:
            raise Failed(f"no item on the page ({status}): {text_of(page)}")
        form = {"csrf": hidden(page, "csrf"), "study": hidden(page, "study"), "active_ms": "60000", **SCORES}
        start = time.perf_counter()
        status, _, answer = await client.ask("POST", action[1].decode(), urlencode(form).encode(), "application/json")
        saves.append(time.perf_counter() - start)
        if status != 200:
            raise Failed(f"a save was answered with {status}: {answer.decode('utf-8', 'replace')[:300]}")


@dataclass(frozen=True)
class Measured:
    """What some annotators got done."""

    rate: float
    """Pairs of a page and a save in a second."""
    pages: list[float]
    saves: list[float]


async def measure(address: str, tokens: list[str], seconds: float) -> Measured:
    where = urlsplit(address)
    clients = [Client(str(where.hostname), int(where.port or 0)) for _ in tokens]
    try:
        return await _measure(clients, tokens, seconds)
    finally:
        for client in clients:
            await client.close()


async def _measure(clients: list[Client], tokens: list[str], seconds: float) -> Measured:
    async with asyncio.TaskGroup() as entering:
        for client, token in zip(clients, tokens, strict=True):
            entering.create_task(enter(client, token))
    pages: list[float] = []
    saves: list[float] = []
    start = time.perf_counter()
    async with asyncio.TaskGroup() as working:
        for client in clients:
            working.create_task(work(client, start + seconds, pages, saves))
    return Measured(len(saves) / (time.perf_counter() - start), pages, saves)


def measured(address: str, tokens: list[str], seconds: float) -> Measured:
    """What annotators get done in so many seconds."""
    return run_together(measure(address, tokens, seconds))


def ceiling(folder: Path, producers: int, seconds: float) -> float:
    """Submissions a second of a bare writer: one connection, WAL, synchronous=FULL, whatever waits is one commit."""
    connection = sqlite3.connect(folder / "ceiling.db", isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE submission (id TEXT PRIMARY KEY, who INT, item INT, at INT)")
    connection.execute(
        "CREATE TABLE judgment (submission TEXT, dimension TEXT, value TEXT, PRIMARY KEY (submission, dimension))"
    )
    jobs: queue.SimpleQueue = queue.SimpleQueue()
    stopped = threading.Event()

    def produce(who: int) -> None:
        number = 0
        answered = threading.Event()
        while not stopped.is_set():
            number += 1
            answered.clear()
            jobs.put((f"{who}-{number}", who, number, answered))
            answered.wait(LONGEST_ANSWER)

    threads = [threading.Thread(target=produce, args=(who,), daemon=True) for who in range(producers)]
    for thread in threads:
        thread.start()
    done, stop = 0, time.perf_counter() + seconds
    while time.perf_counter() < stop:
        group = [jobs.get(timeout=LONGEST_ANSWER)]
        while len(group) < 128 and not jobs.empty():
            group.append(jobs.get())
        connection.execute("BEGIN IMMEDIATE")
        for name, who, number, _ in group:
            connection.execute("INSERT INTO submission VALUES (?, ?, ?, ?)", (name, who, number, 0))
            connection.executemany(
                "INSERT INTO judgment VALUES (?, ?, ?)", [(name, key, val) for key, val in SCORES.items()]
            )
        connection.execute("COMMIT")
        done += len(group)
        for *_, answered in group:
            answered.set()
    # Whoever has asked once more is let go: nobody takes it.
    stopped.set()
    for thread in threads:
        while thread.is_alive():
            while not jobs.empty():
                jobs.get()[-1].set()
            thread.join(0.01)
    connection.close()
    return done / seconds


def ceiling_run(folder: Path, count: int, seconds: float) -> float:
    """The median of three runs, each on a file of its own."""
    found = []
    for _ in range(3):
        for end in ("", "-wal", "-shm"):
            (folder / f"ceiling.db{end}").unlink(missing_ok=True)
        found.append(ceiling(folder, count, seconds / 3))
    return statistics.median(found)


def percentile(values: list[float], share: float) -> float:
    return 1000 * sorted(values)[min(len(values) - 1, int(share * len(values)))]


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    items: int
    seconds: float
    levels: tuple[int, ...]
    """How many annotators at once."""
    turns: int
    """How often the same is measured with few and with many items."""
    starts: int
    """How often the start of the program is timed."""


SMALLEST = Size(items=400, seconds=0.3, levels=(1, 2), turns=1, starts=1)


def pages_and_saves(folder: Path, size: Size) -> None:
    print("Preparing ...", flush=True)
    tokens = prepare(folder / "many", size.items, sum(size.levels), round(1000 * time.time()))
    bare = {count: ceiling_run(folder, count, size.seconds / 2) for count in size.levels}
    print("annotators   pairs/s  page p50      p99  save p50      p99  ceiling/s  ratio")
    with server(folder / "many") as address:
        for count in size.levels:
            mine, tokens = tokens[:count], tokens[count:]
            found = measured(address, mine, size.seconds)
            print(
                f"{count:>10} {found.rate:>9.0f} {percentile(found.pages, 0.5):>6.1f} ms"
                f" {percentile(found.pages, 0.99):>5.1f} ms {percentile(found.saves, 0.5):>6.1f} ms"
                f" {percentile(found.saves, 0.99):>5.1f} ms {bare[count]:>10.0f} {found.rate / bare[count]:>6.2f}",
                flush=True,
            )


def beside_a_bare_application(folder: Path, size: Size) -> None:
    """The same annotators on the program and on the bare application, by turns."""
    count = size.levels[-1]
    tokens = prepare(folder / "beside", size.items, count, round(1000 * time.time()))
    command = [sys.executable, "-m", "tools.bare_application", str(folder / "bare.db"), str(size.items)]
    rates: dict[str, list[float]] = {"program": [], "bare": []}
    with server(folder / "beside") as program, served(command) as bare:
        for _ in range(size.turns):
            for name, address in (("program", program), ("bare", bare)):
                rates[name].append(measured(address, tokens, size.seconds / 3).rate)
    own, other = statistics.median(rates["program"]), statistics.median(rates["bare"])
    print(f"\n{count} annotators: {own:.0f} pairs/s; on a bare application {other:.0f}, {own / other:.2f} of that.")
    print("To reach at 50 annotators: 0.4 of the bare application, or 1,100 pairs/s; p99 under 100 ms.")


def with_few_and_many(folder: Path, size: Size) -> None:
    """The same annotators on a tenth of the items and on all, by turns: what else happens on the machine hits both."""
    count, few = size.levels[-1], size.items // 10
    now = round(1000 * time.time())
    tokens = {items: prepare(folder / f"{items} items", items, count, now) for items in (few, size.items)}
    rates: dict[int, list[float]] = {few: [], size.items: []}
    with server(folder / f"{few} items") as one, server(folder / f"{size.items} items") as other:
        for _ in range(size.turns):
            for items, address in ((few, one), (size.items, other)):
                rates[items].append(measured(address, tokens[items], size.seconds / 3).rate)
    small, large = statistics.median(rates[few]), statistics.median(rates[size.items])
    print(f"\n{count} annotators on {few:,} items: {small:.0f} pairs/s; on {size.items:,}: {large:.0f}", end="")
    print(f", {large / small:.2f} of that.")
    print("To reach: 0.8 with ten times the items.")


def start_time(command: list[str], times: int) -> float:
    """Milliseconds from start to end, the median of some runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run_program(command)
        found.append(1000 * (time.perf_counter() - start))
    return statistics.median(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    asked = parser.parse_args()
    size = SMALLEST if asked.smallest else Size(asked.items, asked.seconds, (1, 10, 50), turns=5, starts=9)
    with tempfile.TemporaryDirectory() as made:
        pages_and_saves(Path(made), size)
        beside_a_bare_application(Path(made), size)
        with_few_and_many(Path(made), size)
    help_ms = start_time([*ASSAY, "--help"], size.starts)
    bare_ms = start_time([sys.executable, "-c", "pass"], size.starts)
    print(f"assay --help: {help_ms:.0f} ms ({help_ms / bare_ms:.1f} times a bare Python). To reach: under 300 ms.")


if __name__ == "__main__":
    end_loudly(main, 600)
