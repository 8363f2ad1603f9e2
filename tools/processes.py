"""What the measuring tools share: commands and servers that end, and a loud end where something fails."""

import asyncio
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

ASSAY = [sys.executable, "-m", "assay"]
LONGEST_COMMAND = 300
LONGEST_START = 60


class Failed(Exception):
    """Something could not be measured, and why."""


def run(*arguments: str | Path) -> str:
    """Run a command of the program and return what it printed."""
    return run_program([*ASSAY, *map(str, arguments)])


def run_program(command: list[str], seconds: float = LONGEST_COMMAND) -> str:
    """Run any program to its end."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise Failed(f"{' '.join(command)}: did not end within {seconds:.0f} s") from None
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)}: ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def run_together(work: Coroutine[Any, Any, T]) -> T:
    """Do what several do at once; the first of several failures is the reason."""
    try:
        return asyncio.run(work)
    except* Failed as failures:
        first: BaseException = failures
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        failed = first
    raise failed


@contextmanager
def server(study: Path, seconds: float = LONGEST_START, database: Path | None = None) -> Iterator[str]:
    """The address of a server on a study. It is ended with the block, however that ends."""
    command = [*ASSAY, "serve", str(study), "--port", "0", *(["--database", str(database)] if database else [])]
    with served(command, seconds) as address:
        yield address


@contextmanager
def served(command: list[str], seconds: float = LONGEST_START) -> Iterator[str]:
    """The same for any program that prints the address of its `/join/`."""
    with served_by(command, seconds) as (address, _):
        yield address


@contextmanager
def served_by(command: list[str], seconds: float = LONGEST_START) -> Iterator[tuple[str, int]]:
    """The same with the number of the process."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield _address(process, seconds), process.pid
    finally:
        process.kill()
        process.wait(10)


def _address(process: subprocess.Popen[str], seconds: float) -> str:
    """Where a server listens, once it says so."""
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        # To the end: a server whose words nobody takes would stop.
        assert process.stdout is not None
        with process.stdout as printed:
            for line in printed:
                lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    said, end = "", time.monotonic() + seconds
    while True:
        try:
            line = lines.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            raise Failed(f"the server did not start within {seconds:.0f} s\n{said}") from None
        if line is None:
            raise Failed(f"the server ended at once\n{said}")
        said += line
        if found := re.search(r"(http://[\d.]+:\d+)(?:/join/|\s*$)", line):
            return found[1]


def started_by(process: int) -> list[int]:
    """The processes that one has started, as the system lists them."""
    return [int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit() and _parent(each) == process]


def _parent(folder: Path) -> int:
    """Of a process; 0 where it is gone."""
    with suppress(OSError):
        return int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    return 0


def core_seconds(process: int) -> float:
    """For how long a process and those that it started have kept a core busy."""
    found = 0
    for each in (process, *started_by(process)):
        with suppress(FileNotFoundError, ProcessLookupError):
            times = Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split()[11:15]
            found += sum(map(int, times))
    return found / os.sysconf("SC_CLK_TCK")


def end_loudly(measure: Callable[[], None], seconds: int) -> None:
    """Measure, or say why not and end with 1. After so many seconds it is given up, whatever is being waited for."""

    def give_up(_: int, at: FrameType | None) -> None:
        where = f"{Path(at.f_code.co_filename).name}:{at.f_lineno}" if at else "?"
        raise Failed(f"not done after {seconds} s (at {where})")

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        measure()
    except Failed as failure:
        sys.exit(f"{Path(sys.argv[0]).name} failed: {failure}")
    finally:
        signal.alarm(0)
