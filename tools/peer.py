"""make bench, a peer: items judged in a second in Potato beside Assay, by turns, and how many times as many.

Both have the same texts, as many items, five scales and annotators without think time, and the same small client asks.
A pair is an item judged: its page and the save of its answers, in Potato also the call by which its page goes on to the
next item, and not what else its page loads. Both of the ways to serve it that its documents name are measured, and the
faster one is compared. What was acknowledged must be on the disk in the end, of both.

Potato is under the GNU GPL, version 3 or later (`tools/potato.py` says more): a tool to measure with, no dependency.
`--install` puts it below build/, from PyPI. Where it is not installed nothing is measured, which is said.
"""

import argparse
import asyncio
import sqlite3
import statistics
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

from tools import potato
from tools.bench import Measured, measured, percentile
from tools.processes import Failed, end_loudly, run_together, server
from tools.workload import prepare

TARGET = 50
"""Times as many pairs a second as the faster Potato."""
OWN = "assay serve"


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    items: int
    annotators: int
    seconds: float
    turns: int


SMALLEST = Size(items=100, annotators=2, seconds=0.3, turns=1)


@dataclass
class Side:
    """What has been measured of one of those that are compared."""

    rates: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    saves: list[float] = field(default_factory=list)

    def add(self, found: Measured) -> None:
        self.rates.append(found.rate)
        self.pages += found.pages
        self.saves += found.saves

    @property
    def rate(self) -> float:
        return statistics.median(self.rates)


@dataclass(frozen=True)
class Peer:
    """A Potato, how it is served, and its annotators."""

    served: potato.Served
    annotators: list[potato.Annotator]


def start(stack: ExitStack, folder: Path, size: Size, environment: Path) -> dict[str, Peer]:
    """A Potato for each way to serve it, at once, each with annotators who have registered."""
    peers = {}
    for number, served_by in enumerate(potato.SERVED_BY):
        potato.write_project(project := folder / f"potato-{number}", size.items, size.annotators)
        served = stack.enter_context(potato.potato(project, served_by, environment))
        names = [f"annotator{each}" for each in range(size.annotators)]
        peers[served_by] = Peer(served, [potato.Annotator(served.port, name) for name in names])
    for each in peers.values():
        each.served.wait_until_ready()
    run_together(_enter(peers))
    return peers


async def _enter(peers: dict[str, Peer]) -> None:
    async with asyncio.TaskGroup() as group:
        for each in peers.values():
            group.create_task(potato.enter(each.annotators))


def compare(folder: Path, size: Size, environment: Path) -> dict[str, Side]:
    """Every side by turns: what else happens on the machine hits all of them."""
    tokens = prepare(folder / "assay", size.items, size.annotators, round(1000 * time.time()))
    sides = {name: Side() for name in (OWN, *potato.SERVED_BY)}
    with ExitStack() as stack:
        address = stack.enter_context(server(folder / "assay"))
        peers = start(stack, folder, size, environment)
        for _ in range(size.turns):
            sides[OWN].add(measured(address, tokens, size.seconds / 2))
            for served_by, peer in peers.items():
                sides[served_by].add(run_together(potato.work(peer.annotators, size.seconds)))
    # All servers were killed by now: what is not on the disk is lost.
    see_own_disk(folder / "assay" / "assay.db", len(sides[OWN].saves))
    for served_by, peer in peers.items():
        see_disk(served_by, peer)
    return sides


def see_own_disk(file: Path, acknowledged: int) -> None:
    with closing(sqlite3.connect(file)) as connection:
        [found] = connection.execute("SELECT count(*) FROM submission").fetchone()
    if found != acknowledged:
        raise Failed(f"Assay acknowledged {acknowledged} submissions, and {found} are on its disk")


def see_disk(served_by: str, peer: Peer) -> None:
    if lost := potato.not_on_disk(peer.served.folder, peer.annotators):
        raise Failed(f"Potato ({served_by}) acknowledged what is not on its disk: {', '.join(lost[:5])} ({len(lost)})")


def show(sides: dict[str, Side], size: Size) -> None:
    version = potato.VERSIONS["potato-annotation"]
    print(f"{size.annotators} annotators, {size.items:,} items, beside Potato {version} by turns")
    print(f"{'':22} pairs/s  page p50      p99  save p50      p99  on disk")
    for name, side in sides.items():
        times = [percentile(found, share) for found in (side.pages, side.saves) for share in (0.5, 0.99)]
        print(f"{name:22} {side.rate:>7.1f} " + " ".join(f"{each:>6.0f} ms" for each in times), end="")
        print(f" {len(side.saves):>8,}")
    faster = max(potato.SERVED_BY, key=lambda name: sides[name].rate)
    own, other = sides[OWN].rate, sides[faster].rate
    print(f"{own / other:.0f} times the pairs/s of Potato by {faster}. To reach: {TARGET} times, p99 under 100 ms.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", action="store_true", help="install Potato first, where it is not there already")
    parser.add_argument("--environment", type=Path, default=potato.ENVIRONMENT, help="where it is (to be) installed")
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--annotators", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=4, help="of each turn of Potato; Assay has half of that")
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    asked = parser.parse_args()
    environment = asked.environment.absolute()
    if asked.install and potato.missing(environment):
        potato.install(environment)
    if reason := potato.missing(environment):
        print(f"No peer is measured: {reason}. To have it there: python -m tools.peer --install")
        return
    size = SMALLEST if asked.smallest else Size(asked.items, asked.annotators, asked.seconds, asked.turns)
    with tempfile.TemporaryDirectory() as made:
        show(compare(Path(made), size, environment), size)


if __name__ == "__main__":
    end_loudly(main, 1200)
