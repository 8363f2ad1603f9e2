"""The table of docs/design/reliability.md: what is promised, what was measured, by which command, and when.

A tool that is run with `--record` writes its figure into docs/design/reliability.json, and the pages are written again
from there; so does `make docs`. Nothing of the table is written by hand but the promises themselves.

`python -m tools.promises kills power_loss` measures these and records them, `--all` each of them, one after the other:
on a machine that does nothing else.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"
KEPT = DOCS / "design" / "reliability.json"
PAGES = (DOCS / "design" / "reliability.md", DOCS / "deploy.md")
EACH_RUN = "each run"
"""The date of what a test promises: it holds whenever the tests pass."""
BESIDE = "; with other work on the machine"


@dataclass(frozen=True)
class Promise:
    """A row of the table."""

    promise: str
    figure: str
    by: str
    """The command, or the file of tests."""
    date: str = EACH_RUN
    table: tuple[str, ...] = ()
    """The lines of a table of its own, for a page that has a place for it."""


def read(kept: Path = KEPT) -> dict[str, Promise]:
    """Every promise by its name."""
    found = json.loads(kept.read_text("utf-8"))
    return {name: Promise(**{**row, "table": tuple(row.get("table", ()))}) for name, row in found.items()}


def record_option(parser: argparse.ArgumentParser) -> None:
    """Let a tool be asked to keep its figure."""
    parser.add_argument("--record", action="store_true", help="write the figure into docs/design/reliability.json")


def today() -> str:
    return datetime.now(UTC).date().isoformat()


def others_at_work(seconds: float = 1.0) -> bool:
    """Whether a quarter of a core or more is taken by somebody else, now that the tool has done its work."""

    def idle() -> int:
        return int(Path("/proc/stat").read_text().split()[4])

    before = idle()
    time.sleep(seconds)
    free = (idle() - before) / os.sysconf("SC_CLK_TCK") / seconds
    return free < (os.cpu_count() or 1) - 0.25


def record(name: str, figure: str, table: tuple[str, ...] = (), *, kept: Path = KEPT) -> None:
    """Keep what was measured today for a promise that is known, and write the pages again."""
    rows = {key: asdict(promise) for key, promise in read(kept).items()}
    rows[name] |= {"figure": figure + BESIDE * others_at_work(), "date": today(), "table": table}
    text = json.dumps({key: {k: v for k, v in row.items() if v} for key, row in rows.items()}, indent=2)
    kept.write_text(text + "\n", "utf-8")
    if kept == KEPT:
        write()


def rendered(page: str, promises: dict[str, Promise]) -> str:
    """A page with what lies between its markers made anew."""
    rows = [f"| {each.promise} | {each.figure} | `{each.by}` | {each.date} |" for each in promises.values()]
    tables = {name: each.table for name, each in promises.items()}
    tables["promises"] = ("| promise | figure | by | date |", "|---|---|---|---|", *rows)

    def made(found: re.Match[str]) -> str:
        return "\n".join([found[1], *tables[found[2]], found[3]])

    return re.sub(r"(<!-- made: (\w+)[^>]*-->)\n.*?(<!-- end -->)", made, page, flags=re.S)


def write() -> None:
    """Write the pages from what is kept."""
    for page in PAGES:
        page.write_text(rendered(page.read_text("utf-8"), read()), "utf-8")


def measure(name: str, promise: Promise) -> bool:
    """Run the tool of a promise, which records what it finds; False where it fails."""
    command = [sys.executable, *shlex.split(promise.by)[1:], "--record"]
    print(f"== {name}: {promise.by} --record", flush=True)
    return subprocess.run(command, cwd=DOCS.parent, check=False).returncode == 0


def main() -> None:
    known = {name: each for name, each in read().items() if each.date != EACH_RUN}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="name", help=f"what to measure: {', '.join(known)}")
    parser.add_argument("--all", action="store_true", help="measure everything")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(known):
        parser.error(f"there is no tool for {', '.join(sorted(unknown))}")
    failed = [name for name in (known if asked.all else asked.names) if not measure(name, known[name])]
    write()
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
