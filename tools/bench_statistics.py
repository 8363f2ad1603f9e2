"""make bench, statistics: agreement beside library loops and beside DuckDB, as ratios measured in one run.

The libraries (krippendorff is GPL, and never a dependency) are installed into a folder that is thrown away. A loop
resamples items and calls the library, 1,000 times; a few rounds are timed and taken times over. The large table is read
from a file to every coefficient with intervals, beside DuckDB reading and grouping the same file. Both sides take
turns, and the best of five counts: what others do on the machine only adds.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from tools.processes import Failed, end_loudly, run, run_program

from assay.ratings.agreement import agreement_of
from assay.ratings.columns import TableOptions
from assay.ratings.from_table import dimensions_of
from assay.ratings.read import read_table
from assay.ratings.scale_declarations import read_declared
from assay.statistics import Ratings, agree

ORACLES = ["krippendorff", "scikit-learn", "scipy", "joblib", "cloudpickle", "threadpoolctl", "narwhals"]
DRAWS = 1000
GROUPED = "create or replace temp table grouped as select item, annotator, value, count(*) n from '{}' group by all"


def seconds(function: Callable[[], Any]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def judged(n_items: int, n_annotators: int, seed: int = 0) -> np.ndarray:
    """Places on a scale of 1 to 5: a quality for each item, and a deviation for each judgment."""
    rng = np.random.default_rng(seed)
    heard = rng.normal(size=(n_items, 1)) + 0.8 * rng.normal(size=(n_items, n_annotators))
    return np.clip(np.round(heard + 2), 0, 4).astype(np.int8)


def side_by_side(
    name: str, to_reach: float, ours: Callable[[], Any], loop: Callable[[Any], Any], rounds: int, turns: int
) -> None:
    """The library's loop and ours, by turns."""
    rng = np.random.default_rng(1)
    ours()
    mine, theirs = [], []
    for _ in range(turns):
        mine.append(seconds(ours))
        theirs.append(seconds(lambda: [loop(rng) for _ in range(rounds)]) / rounds * DRAWS)
    ours_s, theirs_s = min(mine), min(theirs)
    ratio = f"{theirs_s / ours_s:>6.0f} times  (to reach {to_reach})"
    print(f"{name:<44} {1000 * ours_s:>7.0f} ms {theirs_s:>9.1f} s  {ratio}", flush=True)


def alpha_loop(scored: np.ndarray) -> Callable[[Any], float] | None:
    """One draw of ordinal alpha by the library, where it is here."""
    try:
        import krippendorff
    except ImportError:
        return None

    def alpha(rng: Any) -> float:
        drawn = scored[rng.integers(0, len(scored), len(scored))]
        return krippendorff.alpha(drawn.T, level_of_measurement="ordinal", value_domain=[1, 2, 3, 4, 5])

    return alpha


def loops(values: np.ndarray, turns: int) -> None:
    from sklearn.metrics import cohen_kappa_score

    n_items, n_annotators = values.shape
    ratings = Ratings(values, (1, 2, 3, 4, 5), "ordinal", range(n_items), tuple(range(n_annotators)))
    scored = values + 1

    def kappa(rng: Any) -> float:
        drawn = scored[rng.integers(0, n_items, n_items)]
        pairs = combinations(range(n_annotators), 2)
        return np.mean(
            [cohen_kappa_score(drawn[:, a], drawn[:, b], labels=[1, 2, 3, 4, 5], weights="quadratic") for a, b in pairs]
        )

    size = f"{n_items:,} x {n_annotators}, {DRAWS:,} draws"
    print(f"{size:<44} {'assay':>10} {'loop':>11}  ratio")
    if (alpha := alpha_loop(scored)) is None:
        print("ordinal alpha: not compared, krippendorff is not here", flush=True)
    else:
        ours = partial(agree, ratings, ["krippendorff_alpha_ordinal"])
        side_by_side("ordinal alpha / krippendorff", 200, ours, alpha, 10, turns)
    ours = partial(agree, ratings, ["cohen_kappa_quadratic"])
    side_by_side("quadratic kappa, all pairs / scikit-learn", 300, ours, kappa, 3, turns)


def write(folder: Path, n_items: int) -> list[Path]:
    """A long table in an order that helps nobody, as Parquet and as CSV."""
    values = judged(n_items, 3)
    order = np.random.default_rng(2).permutation(values.size)
    columns = {
        "i": np.repeat(np.arange(n_items), 3)[order],
        "a": np.tile(np.arange(3), n_items)[order],
        "v": (values.reshape(-1)[order] + 1).astype(np.int64),
    }
    database = duckdb.connect()
    made = "select 'item-' || i as item, 'ann-' || a as annotator, v as value"
    parts = "select unnest($i) as i, unnest($a) as a, unnest($v) as v"
    database.execute(f"create table judged as {made} from ({parts})", columns)
    paths = [folder / "long.parquet", folder / "long.csv"]
    for path in paths:
        database.execute(f"copy judged to '{path}'")
    return paths


def whole_table(path: Path) -> None:
    wanted = TableOptions(declared=read_declared(["1-5"], ["ordinal"]))
    for dimension in dimensions_of(read_table(path), wanted).dimensions:
        agreement_of(dimension, every=False, seed=0)


def large(folder: Path, n_items: int, turns: int) -> None:
    size = f"\n{n_items:,} x 3, long, to the whole table"
    print(f"{size:<45} {'assay':>10} {'DuckDB':>11}  ratio")
    for path in write(folder, n_items):
        mine, theirs, whole = [], [], []
        for _ in range(turns):
            theirs.append(seconds(lambda: duckdb.connect().execute(GROUPED.format(path))))  # noqa: B023
            mine.append(seconds(lambda: whole_table(path)))  # noqa: B023
            whole.append(seconds(lambda: run("agree", path, "--scale", "1-5", "--json")))  # noqa: B023
        base = min(theirs)
        for name, times in ((path.suffix, mine), (f"{path.suffix}, assay agree with its start", whole)):
            taken = min(times)
            print(f"{name:<44} {taken:>8.2f} s {base:>9.2f} s  {taken / base:>6.2f} times  (at most 3)", flush=True)


def install(folder: Path) -> None:
    """Have the libraries to compare with, for this run alone; without a network the run goes on with what is here."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--retries=1"]
    try:
        run_program([*pip, "--target", str(folder), *ORACLES], 120)
    except Failed as failure:
        print(f"The libraries to compare with cannot be installed here: {str(failure).splitlines()[-1]}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--libraries", type=Path, help="a folder that holds them already")
    parser.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        libraries = asked.libraries or Path(made) / "libraries"
        if asked.libraries is None and not asked.smallest:
            install(libraries)
        sys.path.append(str(libraries))
        if asked.smallest:
            loops(judged(60, 3), turns=1)
            large(Path(made), 1_000, turns=1)
        else:
            loops(judged(10_000, 5), turns=5)
            large(Path(made), asked.items, turns=5)


if __name__ == "__main__":
    end_loudly(main, 900)
