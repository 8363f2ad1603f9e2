"""make bench, a whole report: a million judgments of 500 annotators within 60 s and 1 GB, 100,000 within 5 s.

A store is filled directly, then `assay report` writes the page and its JSON in a process of its own. Beside it stands
DuckDB, which reads the same judgments from Parquet and sorts them. The ratio is that of the two times of the processor.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tools.bench_export import timed
from tools.processes import ASSAY, end_loudly, run_program

SORT = """
import sys, duckdb
duckdb.execute("set threads = 1")
duckdb.sql(f"select * from '{sys.argv[1]}' order by item, annotator, dimension").fetchnumpy()
"""
FILL = """
import sys
from pathlib import Path
from tools.big_store import big_store
big_store(Path(sys.argv[1]), judgments=int(sys.argv[2])).store.close()
"""


def measure(folder: Path, judgments: int, line: str) -> None:
    """One size: fill a store, sort its judgments, write its report."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "assay.db").exists():
        # In a process of its own: what it needs would be counted with the memory of those that follow.
        run_program([sys.executable, "-c", FILL, str(folder), str(judgments)])
    study, database = str(folder / "study"), f"--database={folder / 'assay.db'}"
    table = folder / "judgments.parquet"
    if not table.exists():
        run_program([*ASSAY, "export", study, database, "--format", "parquet", "--out", str(table)])
    seconds, sorting, largest = timed([sys.executable, "-c", SORT, str(table)])
    print(line.format(f"{judgments:,}", "DuckDB sorts", f"{seconds:.1f}", f"{sorting:.1f}", f"{largest:.0f}", ""))
    seconds, cpu, largest = timed([*ASSAY, "report", study, database, "--out", str(folder / "report.html")])
    numbers = f"{seconds:.1f}", f"{cpu:.1f}", f"{largest:.0f}", f"{cpu / sorting:.0f}"
    print(line.format("", "assay report", *numbers), flush=True)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--judgments", type=int, nargs="*", default=[100_000, 1_000_000])
    words.add_argument("--keep", type=Path, help="a folder to make the stores in, and to use them again")
    words.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    asked = words.parse_args()
    line = "{:>10}  {:<14} {:>8} {:>8} {:>8} {:>8}"
    print(line.format("judgments", "", "seconds", "of CPU", "MB", "ratio"))
    with tempfile.TemporaryDirectory() as temporary:
        for judgments in [1_500] if asked.smallest else asked.judgments:
            measure((asked.keep or Path(temporary)) / str(judgments), judgments, line)
    print("To reach: 5 s for 100,000 judgments; 60 s and 1,000 MB for a million.")


if __name__ == "__main__":
    end_loudly(main, 1800)
