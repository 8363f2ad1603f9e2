"""make bench, agreement of a study with 1,000,000 judgments as it stands, beside reading all of them.

Counts of patterns are kept current as judgments arrive. Measured: the first count of everything, every coefficient that
follows from the counts, the same after one more submission, and what needs every judgment and is therefore kept.
"""

import argparse
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.big_store import T0, big_store
from tools.processes import end_loudly

from assay.live.agreement import compute, live_agreement
from assay.live.counting import count_new_submissions


def seconds(function: Callable[[], Any]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def one_more(path: Path, number: int) -> None:
    """Somebody changes their mind: one more submission, with its row in the queue."""
    with sqlite3.connect(path) as db:
        columns = [row[1] for row in db.execute("pragma table_info(submission)")]
        values = dict(
            zip(columns, db.execute("select * from submission limit 1 offset ?", (number,)).fetchone(), strict=True)
        )
        values |= {"id": values["id"] + ".2", "revision": 2}
        marks = ", ".join("?" for _ in columns)
        names = ", ".join(columns)
        db.execute(f"insert into submission ({names}) values ({marks})", [values[name] for name in columns])
        db.execute("insert into judgment (submission_id, dimension, value) values (?, 'clarity', '5')", (values["id"],))
        db.execute("insert into uncounted values (?, ?, ?)", (values["id"], values["study_id"], values["item_id"]))
    db.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judgments", type=int, default=1_000_000)
    parser.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    asked = parser.parse_args()
    judgments = 3_000 if asked.smallest else asked.judgments
    with tempfile.TemporaryDirectory() as folder:
        big = big_store(Path(folder), judgments=judgments)
        at = big.store, big.study_id, big.study
        print(f"{judgments:,} judgments, 500 annotators, 3 to an item, {len(big.study.scored_dimensions)} dimensions")
        print(f"{'the first count of everything':<52} {seconds(lambda: count_new_submissions(*at)):>8.1f} s")
        kept = seconds(lambda: compute(*at, T0))
        print(f"{'what needs every judgment, computed and kept':<52} {kept:>8.1f} s")
        live_agreement(*at)
        now = min(seconds(lambda: live_agreement(*at)) for _ in range(5))
        print(f"{'every coefficient with its interval, as it stands':<52} {1000 * now:>8.1f} ms  (to stay under 50)")
        after = []
        for number in range(5):
            one_more(big.path, number)
            after.append(seconds(lambda: live_agreement(*at)))
        print(f"{'the same after one more submission':<52} {1000 * min(after):>8.1f} ms")
        print(f"{'ratio to computing from every judgment':<52} {kept / now:>8.0f} times")
        big.store.close()


if __name__ == "__main__":
    end_loudly(main, 900)
