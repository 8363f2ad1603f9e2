"""make bench: speed of the whole program beside a ceiling measured in the same run, as ratios.

Closed loop, no think time: each simulated annotator asks for a page, sends its submission, and asks again. Login and
CSRF are on, every submission is a durable commit. The ceiling is a bare SQLite writer with group commit and the same
rows: no web, no login, no rules. Server and load generator share the machine.
"""

import argparse
import asyncio
import json
import queue
import re
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

ASSAY = str(Path(sys.executable).with_name("assay"))
SCORES = {"emotion": "3", "validation": "4", "helpfulness": "2", "safety": "3", "overall": "4"}


class Client:
    """An HTTP client as small as possible, so that the load generator does not become what is measured."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port, self.cookie = host, port, ""

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)

    async def ask(
        self, method: str, path: str, body: bytes = b"", accept: str = "text/html"
    ) -> tuple[int, dict, bytes]:
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nAccept: {accept}\r\n"
        if self.cookie:
            head += f"Cookie: {self.cookie}\r\n"
        if method == "POST":
            head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        self.writer.write(head.encode() + b"\r\n" + body)
        raw = await self.reader.readuntil(b"\r\n\r\n")
        lines = raw.decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)
        }
        content = await self.reader.readexactly(int(headers.get("content-length", 0)))
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].split(";")[0]
        return int(lines[0].split()[1]), headers, content


def hidden(page: bytes, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"'.encode(), page)
    assert found, f"no field {name} in the page"
    return found[1].decode()


async def enter(client: Client, token: str) -> None:
    """Open the link and pass the gates, as a person would."""
    await client.open()
    await client.ask("POST", "/join", urlencode({"token": token}).encode())
    for _ in range(10):
        _, _, page = await client.ask("GET", "/judge/empathy")
        if b"/judge/empathy/gate" not in page:
            return
        form = {"csrf": hidden(page, "csrf"), "version": hidden(page, "version")}
        choice = re.search(rb'name="choice" value="(agree|continue)"', page)
        form |= {"choice": choice[1].decode()} if choice else {f"read-{n}": "yes" for n in range(page.count(b'"read-'))}
        await client.ask("POST", "/judge/empathy/gate", urlencode(form).encode())
    raise AssertionError("the gates do not open")


async def work(client: Client, until: float, pages: list[float], saves: list[float]) -> None:
    """Judge item after item until the time is up."""
    while time.perf_counter() < until:
        start = time.perf_counter()
        status, _, page = await client.ask("GET", "/judge/empathy")
        pages.append(time.perf_counter() - start)
        assert status == 200, status
        action = re.search(rb'action="(/judge/empathy/submit/[^"]+)"', page)
        assert action, "nothing left to judge: more items are needed"
        form = {"csrf": hidden(page, "csrf"), "study": hidden(page, "study"), "active_ms": "60000", **SCORES}
        start = time.perf_counter()
        status, _, answer = await client.ask("POST", action[1].decode(), urlencode(form).encode(), "application/json")
        saves.append(time.perf_counter() - start)
        assert status == 200, answer


async def measure(host: str, port: int, tokens: list[str], seconds: float) -> tuple[float, list[float], list[float]]:
    clients = [Client(host, port) for _ in tokens]
    await asyncio.gather(*(enter(client, token) for client, token in zip(clients, tokens, strict=True)))
    pages: list[float] = []
    saves: list[float] = []
    start = time.perf_counter()
    await asyncio.gather(*(work(client, start + seconds, pages, saves) for client in clients))
    return len(saves) / (time.perf_counter() - start), pages, saves


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
    done = 0
    stop = time.perf_counter() + seconds

    def produce(who: int) -> None:
        number = 0
        answered = threading.Event()
        while time.perf_counter() < stop:
            number += 1
            answered.clear()
            jobs.put((f"{who}-{number}", who, number, answered))
            answered.wait()

    threads = [threading.Thread(target=produce, args=(who,), daemon=True) for who in range(producers)]
    for thread in threads:
        thread.start()
    while time.perf_counter() < stop:
        group = [jobs.get()]
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
    connection.close()
    return done / seconds


def run(*arguments: str) -> str:
    return subprocess.run([ASSAY, *arguments], check=True, capture_output=True, text=True).stdout


def prepare(folder: Path, items: int, annotators: int) -> list[str]:
    """The empathy study with as many items as the load will use up, and a link for each annotator."""
    study = folder / "study"
    run("init", "empathy", str(study))
    statement = "I have not slept well since the move and nobody here knows me. " * 10
    reply = "That sounds lonely, and tiring too. Could you call one old friend this week? " * 7
    with (study / "items.csv").open("w") as file:
        file.write("eval_id,user_statement,response,sample_id,model_tag\n")
        file.writelines(f'i{n},"{statement}{n}","{reply}",s{n},m{n % 3}\n' for n in range(items))
    run("import", str(study))
    links = json.loads(run("invite", str(study), "--count", str(annotators), "--json"))
    return [link["link"].rsplit("/", 1)[1] for link in links]


def percentile(values: list[float], share: float) -> float:
    return 1000 * sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--items", type=int, default=20_000)
    arguments = parser.parse_args()
    levels = (1, 10, 50)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        print("Preparing ...", flush=True)
        tokens = prepare(folder, arguments.items, sum(levels))
        bare = {count: ceiling_run(folder, count, arguments.seconds / 2) for count in levels}
        command = [ASSAY, "serve", str(folder / "study"), "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            line = next(line for line in server.stdout if "coordinator:" in line)
            host, port = re.search(r"//([\d.]+):(\d+)/", line).groups()
            print("annotators   pairs/s  page p50      p99  save p50      p99  ceiling/s  ratio")
            start = 0
            for count in levels:
                mine = tokens[start : start + count]
                start += count
                rate, pages, saves = asyncio.run(measure(host, int(port), mine, arguments.seconds))
                print(
                    f"{count:>10} {rate:>9.0f} {percentile(pages, 0.5):>6.1f} ms {percentile(pages, 0.99):>5.1f} ms"
                    f" {percentile(saves, 0.5):>6.1f} ms {percentile(saves, 0.99):>5.1f} ms"
                    f" {bare[count]:>10.0f} {rate / bare[count]:>6.2f}",
                    flush=True,
                )
            server.send_signal(signal.SIGINT)
    print("\nTo reach at 50 annotators: 600 pairs/s, p99 under 150 ms.")
    help_ms, bare_ms = start_time([ASSAY, "--help"]), start_time([sys.executable, "-c", "pass"])
    print(f"assay --help: {help_ms:.0f} ms ({help_ms / bare_ms:.1f} times a bare Python). To reach: under 300 ms.")


def start_time(command: list[str]) -> float:
    """Milliseconds from start to end, the median of nine runs."""
    times = []
    for _ in range(9):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def ceiling_run(folder: Path, count: int, seconds: float) -> float:
    (folder / "ceiling.db").unlink(missing_ok=True)
    return statistics.median(_fresh(folder, count, seconds / 3) for _ in range(3))


def _fresh(folder: Path, count: int, seconds: float) -> float:
    for end in ("", "-wal", "-shm"):
        (folder / f"ceiling.db{end}").unlink(missing_ok=True)
    return ceiling(folder, count, seconds)


if __name__ == "__main__":
    main()
