"""How long an import of many items takes, and how much memory: 100,000 items in 4 s.

A study of `route-planning` gets a file of made items, and the real command takes it in, in a process of its own. Beside
it stands a bare program: the same file read by Python's own reader, and its rows put into a table of the same kind of
database, in one transaction. The ratio is that of the two times of the processor. While the command runs, another
process writes once in a while, as a server does that keeps somebody's answers: the longest that it waited is said too.
"""

import argparse
import csv
import sys
import tempfile
import threading
import time
from pathlib import Path

from tools.bench_export import timed
from tools.processes import ASSAY, end_loudly, run_program

from assay.store import open_store
from assay.study.templates import copy_template

BARE = """
import csv, sqlite3, sys
db = sqlite3.connect(sys.argv[2])
db.execute("pragma journal_mode=wal")
db.execute("create table item (id integer primary key, name text unique, prompt text, response text, system text, "
           "scenario text)")
with open(sys.argv[1], encoding="utf-8", newline="") as file, db:
    rows = csv.reader(file)
    next(rows)
    db.executemany("insert into item (name, prompt, response, system, scenario) values (?, ?, ?, ?, ?)", rows)
"""
FIELDS = ("item_id", "prompt", "response", "system", "scenario")
BETWEEN_WRITES = 0.02
"""Seconds between two writes beside the import."""


def make_study(folder: Path, items: int) -> Path:
    """A study that is in force, with a file of so many items; four systems answer each prompt."""
    copy_template("route-planning", folder)
    file = folder / "items.csv"
    with open(file, "w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(FIELDS)
        for number in range(items):
            prompt = f"Way {number // 4}. " + "Plan a way from the station to the harbour past a chemist. " * 3
            response = f"Answer {number}. " + "Turn left behind the church, then right at the second light. " * 4
            rows.writerow((f"i{number:07}", prompt, response, f"system-{number % 4}", f"s{number // 4}"))
    run_program([*ASSAY, "publish", str(folder)])
    return file


class Beside:
    """Writes once in a while into the same data, and knows how long it had to wait at most."""

    def __init__(self, folder: Path) -> None:
        self.store = open_store(folder / "assay.db")
        self.longest = 0.0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._write)
        self.thread.start()

    def _write(self) -> None:
        while not self.over.wait(BETWEEN_WRITES):
            began = time.perf_counter()
            self.store.write(self.store.change_nothing)
            self.longest = max(self.longest, time.perf_counter() - began)

    def end(self) -> float:
        """The longest wait, in seconds."""
        self.over.set()
        self.thread.join()
        self.store.close()
        return self.longest


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--items", type=int, default=100_000)
    words.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    asked = words.parse_args()
    items = 200 if asked.smallest else asked.items
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "study"
        file = make_study(folder, items)
        line = "{:<18} {:>8} {:>8} {:>12} {:>8} {:>8}"
        print(line.format(f"{items:,} items", "seconds", "of CPU", "per 100,000", "MB", "ratio"))
        seconds, bare, largest = timed([sys.executable, "-c", BARE, str(file), str(Path(temporary) / "bare.db")])
        each = 100_000 / items
        print(line.format("(bare)", f"{seconds:.1f}", f"{bare:.2f}", f"{bare * each:.1f}", f"{largest:.0f}", ""))
        beside = Beside(folder)
        try:
            seconds, cpu, largest = timed([*ASSAY, "import", str(folder)])
        finally:
            waited = beside.end()
        numbers = (f"{seconds:.1f}", f"{cpu:.2f}", f"{cpu * each:.1f}", f"{largest:.0f}", f"{cpu / bare:.1f}")
        print(line.format("assay import", *numbers))
        print(f"A write beside it waited {waited * 1000:,.0f} ms at most.")
    print("To reach: 4 s of the processor for 100,000 items, and no write that waits for more than 200 ms.")


if __name__ == "__main__":
    end_loudly(main, 600)
