"""How long exports of a large study take, and how much memory: a million judgments as CSV or Parquet in 8 s.

A store is filled directly, then each format is written by the real command in a process of its own. Beside it stands
how long the same judgments take to be read and thrown away: what is above that is the format. The ratio is that of the
two times of the processor.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select
from tools.processes import ASSAY, Failed, end_loudly, run_program

from assay.items.reader import ImportedRow
from assay.model import Item
from assay.store import open_store
from assay.store.coordinator import imports, studies
from assay.store.tables import annotator, assignment, item, judgment, submission
from assay.study import Study, load
from assay.study.templates import copy_template

FORMATS = ("csv", "csv-wide", "jsonl", "parquet", "xlsx", "huggingface", "rating-rows", "annotation-sheets", "inspect")
LONGEST_EXPORT = 300
DIMENSIONS = ("emotion", "validation", "helpfulness", "safety", "overall")
ANNOTATORS = 50
T0 = 1_800_000_000_000
READ = """
import sys
from assay.store import open_store
from assay.store.coordinator import long_table, studies
store = open_store(sys.argv[1])
for _ in store.stream(long_table.judgments, store.read(studies.find, "empathy")[0], ()):
    pass
store.close()
"""


def fill(folder: Path, judgments: int) -> None:
    """Make a study with so many judgments: five of each submission, forty annotators' worth of items."""
    copy_template("empathy", folder)
    study = load(folder)
    store = open_store(folder / "assay.db")
    study_id = store.write(studies.publish, study, T0).id
    count = judgments // len(DIMENSIONS)
    per_item = min(ANNOTATORS, 10)
    items = max(1, -(-count // per_item))
    store.write(imports.take_in, study_id, study, made_items(items), folder)
    for start in range(0, count, 20_000):
        store.write(add, study_id, study, start, min(count, start + 20_000), per_item)
    store.close()


def made_items(count: int) -> Iterator[ImportedRow]:
    for number in range(count):
        name = f"item-{number:06}"
        shown = {"user_statement": f"Statement {number}. " * 12, "response": f"Reply {number}. " * 20}
        yield ImportedRow(name, Item(name, shown, {}, (f"model-{number % 3}",), f"s{number // 3}"))


def add(connection: Connection, study_id: int, study: Study, start: int, end: int, per_item: int) -> None:
    if start == 0:
        people = [{"study_id": study_id, "name": f"a{each:03}", "created_at": T0} for each in range(ANNOTATORS)]
        connection.execute(insert(annotator), people)
    of_study = (item.c.study_id == study_id, item.c.series == "work")
    items = connection.execute(select(item.c.id).where(*of_study).order_by(item.c.id)).scalars().all()
    who = connection.execute(select(annotator.c.id).order_by(annotator.c.id)).scalars().all()
    given: list[dict[str, Any]] = []
    sent: list[dict[str, Any]] = []
    said: list[dict[str, Any]] = []
    for number in range(start, end):
        place, turn = divmod(number, per_item)
        person = who[(place + turn) % ANNOTATORS]
        key = {"study_id": study_id, "annotator_id": person, "item_id": items[place], "pass": 1}
        name, at = f"sub-{number:020}", T0 + 1000 * number
        given.append(
            {**key, "id": number + 1, "position": number + 1, "public_id": f"p{number}", "submission_id": name}
            | {"state": "submitted", "created_at": at}
        )
        sent.append(
            {**key, "id": name, "assignment_id": number + 1, "revision": 1, "study_hash": study.hash, "consent": "c"}
            | {"fingerprint": "", "shown_at": at - 60_000, "submitted_at": at, "active_ms": 45_000 + number % 1000}
        )
        said += [
            {"submission_id": name, "dimension": each, "value": str(1 + (number + 3 * rank) % 5)}
            for rank, each in enumerate(DIMENSIONS)
        ]
    connection.execute(insert(assignment), given)
    connection.execute(insert(submission), sent)
    connection.execute(insert(judgment), said)


def timed(command: list[str]) -> tuple[float, float, float]:
    """Seconds on the clock and of the processor, and the most memory in MB, of all its processes together."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    stop = threading.Timer(LONGEST_EXPORT, process.kill)
    stop.start()
    together = Together(process.pid)
    together.start()
    try:
        _, status, used = os.wait4(process.pid, 0)
    except BaseException:
        process.kill()
        raise
    finally:
        stop.cancel()
        together.ended.set()
        together.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise Failed(f"{' '.join(command)}: ended with {process.returncode}")
    largest = used.ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)
    return time.perf_counter() - began, used.ru_utime + used.ru_stime, max(largest, together.most / 1e6)


SHORTEST_PAUSE = 0.05
"""Seconds between two looks at the memory of processes."""
PAUSES = 25
"""So many times as long as a look takes is the pause after it."""


class Together(threading.Thread):
    """Adds up again and again what a process and those that it has begun hold in memory.

    Pages that two of them share are counted once, where the system says so (Linux).
    """

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.process, self.most, self.ended = process, 0, threading.Event()

    def run(self) -> None:
        """Look until the process has ended."""
        pause = SHORTEST_PAUSE
        while not self.ended.wait(pause):
            began = time.perf_counter()
            self.most = max(self.most, sum(map(held, family(self.process))))
            # The system goes through all of their pages: they would wait for it, and take longer for being looked at.
            pause = max(SHORTEST_PAUSE, PAUSES * (time.perf_counter() - began))


def family(process: int) -> list[int]:
    """A process and those that it has begun, as far as they are there."""
    begun: list[int] = []
    for each in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            begun += map(int, each.read_text().split())
    return [process, *(other for each in begun for other in family(each))]


def held(process: int) -> int:
    """The bytes of memory that a process holds, its share of what it has in common with others; 0 if not known."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return 1024 * int(line.split()[1])
    return 0


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--judgments", type=int, default=1_000_000)
    words.add_argument("--formats", nargs="*", default=list(FORMATS))
    words.add_argument("--keep", type=Path, help="a folder to make the study in, and to use it again")
    words.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    asked = words.parse_args()
    if asked.smallest:
        asked.judgments, asked.formats = 1_000, ["csv"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.keep or Path(temporary) / "study"
        if not folder.exists():
            began = time.perf_counter()
            # In a process of its own: what it needs would be counted with the memory of those that follow.
            fill_it = f"from tools.bench_export import Path, fill; fill(Path({str(folder)!r}), {asked.judgments})"
            run_program([sys.executable, "-c", fill_it])
            took = time.perf_counter() - began
            print(f"a store with {asked.judgments:,} judgments, made in {took:.0f} s", flush=True)
        line = "{:<18} {:>8} {:>8} {:>12} {:>8} {:>9} {:>8}"
        print(line.format("format", "seconds", "of CPU", "per 100,000", "MB", "size MB", "ratio"))
        each = 100_000 / asked.judgments
        seconds, read, largest = timed([sys.executable, "-c", READ, str(folder / "assay.db")])
        numbers = (f"{seconds:.1f}", f"{read:.1f}", f"{read * each:.2f}", f"{largest:.0f}")
        print(line.format("(read alone)", *numbers, "", ""), flush=True)
        for name in asked.formats:
            out = Path(temporary) / f"out.{name}"
            seconds, cpu, largest = timed([*ASSAY, "export", str(folder), "--format", name, "--out", str(out)])
            size = sum(each.stat().st_size for each in (out.rglob("*") if out.is_dir() else [out]) if each.is_file())
            numbers = (f"{seconds:.1f}", f"{cpu:.1f}", f"{cpu * each:.2f}", f"{largest:.0f}")
            print(line.format(name, *numbers, f"{size / 1e6:.0f}", f"{cpu / read:.1f}"), flush=True)
    print("To reach with a million judgments: csv and parquet 8 s, xlsx 30 s, others 60 s, each within 300 MB.")


if __name__ == "__main__":
    end_loudly(main, 1800)
