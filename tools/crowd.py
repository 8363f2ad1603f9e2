"""Five hundred annotators at once, with think time, for ten minutes: no error, no long wait, memory that stays flat.

Each thinks for about four seconds before each request, a page or a save. Server and people share the machine:
`python -m tools.promises crowd`, on a machine that does nothing else.
"""

import argparse
import statistics
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from tools.bench import Measured, percentile
from tools.bench_export import family, held
from tools.heavy_work import everybody
from tools.processes import ASSAY, Failed, end_loudly, run_together, served_by
from tools.promises import record, record_option
from tools.workload import prepare

TO_REACH = 200
"""Milliseconds at the 99th percentile."""
MORE_MEMORY = 0.05
"""By which share memory may be larger in the last fifth of the time than in the second."""


@dataclass(frozen=True)
class Size:
    """How much is tried."""

    annotators: int
    items: int
    seconds: float
    thought: float
    """Seconds before each request, on average."""
    more_memory: float = MORE_MEMORY


WHOLE = Size(annotators=500, items=20_000, seconds=600, thought=4)
SMALLEST = Size(annotators=5, items=100, seconds=2, thought=0.1, more_memory=1.0)


class Memory(threading.Thread):
    """What a server holds in memory with all that it has begun, ten times in each fifth of the time."""

    def __init__(self, server: int, seconds: float) -> None:
        super().__init__(daemon=True)
        self.server, self.each = server, seconds / 50
        self.looks: list[float] = []
        self.ended = threading.Event()

    def run(self) -> None:
        """Look until it is over."""
        while not self.ended.wait(self.each):
            self.looks.append(sum(map(held, family(self.server))) / 1e6)

    def of_fifth(self, number: int) -> float:
        """In MB, the middle of a fifth of the time."""
        looks = self.looks[len(self.looks) * number // 5 : len(self.looks) * (number + 1) // 5]
        if not looks:
            raise Failed("the memory of the server was not seen")
        return statistics.median(looks)


def measure(folder: Path, size: Size) -> tuple[Measured, Memory]:
    """Everybody comes in, then all work for so long; an answer that is none ends it."""
    links = prepare(folder, size.items, size.annotators, round(1000 * time.time()), per_item=size.annotators)
    with served_by([*ASSAY, "serve", str(folder), "--port", "0"]) as (address, process):
        found, memory = run_together(_at_work(address, links, size, process))
    return found, memory


async def _at_work(address: str, links: list[str], size: Size, process: int) -> tuple[Measured, Memory]:
    memory = Memory(process, size.seconds)
    try:
        return await everybody(address, links, size.seconds, size.thought, memory.start), memory
    finally:
        memory.ended.set()


def faults(found: Measured, memory: Memory, size: Size) -> list[str]:
    """What is not as it was promised."""
    slow = [f"{what} takes {took:.0f} ms" for what, took in times(found).items() if took > TO_REACH]
    before, after = memory.of_fifth(1), memory.of_fifth(4)
    grown = [f"memory grew from {before:.0f} to {after:.0f} MB"] if after > before * (1 + size.more_memory) else []
    return slow + grown


def times(found: Measured) -> dict[str, float]:
    """The 99th percentile in milliseconds."""
    return {"a page": percentile(found.pages, 0.99), "a save": percentile(found.saves, 0.99)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    record_option(parser)
    asked = parser.parse_args()
    size = SMALLEST if asked.smallest else WHOLE
    with tempfile.TemporaryDirectory() as folder:
        found, memory = measure(Path(folder) / "study", size)
    page, save = times(found).values()
    fifths = ", ".join(f"{memory.of_fifth(number):.0f}" for number in range(5))
    figure = (
        f"{len(found.saves):,} saves, no error; page and save {page:.0f} and {save:.0f} ms at the 99th percentile, "
        f"{1000 * max(found.pages):.0f} and {1000 * max(found.saves):.0f} ms the slowest; memory in fifths of the time "
        f"{fifths} MB"
    )
    print(f"{size.annotators} annotators for {size.seconds:.0f} s: {figure}")
    if asked.record:
        record("crowd", figure)
    if not asked.smallest and (wrong := faults(found, memory, size)):
        raise Failed("; ".join(wrong))


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    end_loudly(main, 1200)
