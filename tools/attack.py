"""Attack the program: campaigns against a server that is started for it, on this machine alone.

Every page and API route as every kind of visitor; forms from elsewhere; scripts in whatever is shown, through every
view; spoiled files; and what is hidden, looked for in every byte that an annotator gets. It ends with 1 if it finds
something.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tools.attack_content import canaries, xss
from tools.attack_files import files
from tools.attack_requests import access, csrf
from tools.attack_scene import Scene, scene
from tools.processes import end_loudly
from tools.promises import record, record_option

Campaign = Callable[[Scene, int], Iterator[tuple[int, list[str]]]]
CAMPAIGNS: dict[str, Campaign] = {each.__name__: each for each in (access, csrf, xss, canaries, files)}
SIZES = {"smallest": 1, "usual": 20, "large": 1000}


@dataclass
class Result:
    """What came of a campaign."""

    tried: int = 0
    wrong: list[str] = field(default_factory=list)
    stopped: str = ""
    """That its time was up before its end: then what it had still to try was not tried."""

    def __str__(self) -> str:
        return f"{self.tried:,}{self.stopped}"


def carry_out(found: Scene, names: list[str], size: int, seconds: float) -> dict[str, Result]:
    """Run campaigns, each for so many seconds at the longest."""
    results = {}
    for name in names:
        result, end = Result(), time.monotonic() + seconds
        for number, problems in CAMPAIGNS[name](found, size):
            result.tried, result.wrong = result.tried + number, result.wrong + problems
            if time.monotonic() > end:
                result.stopped = f" (stopped after {seconds:.0f} s)"
                break
        results[name] = result
        print(f"{name:<10}{result.tried:>8,} tried  {len(result.wrong):>4} found{result.stopped}", flush=True)
        for each in result.wrong[:50]:
            print(f"    {each}")
    return results


def main() -> None:
    """Read the command line and attack."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=SIZES, default="usual", help="how much to try")
    parser.add_argument("--smallest", action="store_const", dest="size", const="smallest", help="--size smallest")
    parser.add_argument("--only", action="append", choices=CAMPAIGNS, help="one campaign; once each")
    parser.add_argument("--seconds", type=float, default=600, help="the longest that one campaign may take")
    record_option(parser)
    given = parser.parse_args()

    def attack() -> None:
        with tempfile.TemporaryDirectory(prefix="assay-attack-") as folder, scene(Path(folder)) as found:
            results = carry_out(found, given.only or list(CAMPAIGNS), SIZES[given.size], given.seconds)
        if any(each.wrong for each in results.values()):
            sys.exit(1)
        if given.record:
            record("attack", f"nothing found; tried: {', '.join(f'{name} {each}' for name, each in results.items())}")

    end_loudly(attack, int(given.seconds * len(CAMPAIGNS)) + 120)


if __name__ == "__main__":
    main()
