"""What ppi-python gives for known data: the numbers of `tests/statistics/ppi.json`, which tests are held against.

`python -m tools.ppi_oracle --write` needs ppi-python, which brings 667 MB with it, numba among them: so it is run in an
environment of its own (`python -m venv oracle && oracle/bin/pip install ppi-python==0.2.3`, then `oracle/bin/python -m
tools.ppi_oracle --write`) and is no dependency of anything. Without `--write` it says where its numbers are not those
in the file, and ends with 1 then. Nothing of Assay is imported here.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

PAGE = Path(__file__).parent.parent / "tests" / "statistics" / "ppi.json"
LAMBDAS = (0.0, 0.25, 0.6, 1.0)
ALPHA = 0.05
Case = dict[str, Any]


def win_rate() -> Case:
    """Win, tie or loss on 140 items, 45 of them by people, and a judge that sees the half of it."""
    rng = Random(20231101)
    people = [float(rng.choice([-1, 0, 1, 1])) for _ in range(140)]
    judge = [value if rng.random() < 0.7 else float(rng.choice([-1, 0, 1])) for value in people]
    return {"name": "net win rate", "people": people[:45], "judge": judge}


def difference(paired: bool) -> Case:
    """Two systems on 110 items, 40 by people: on the same prompts, which are easy or hard for both, or on others."""
    rng = Random(20231102 + paired)
    people: list[list[float]] = [[], []]
    judge: list[list[float]] = [[], []]
    for _ in range(110):
        hard = rng.choice([-1, 0, 1])
        for system in (0, 1):
            value = min(5, max(1, 3 + system * rng.choice([0, 1]) + (hard if paired else 0) + rng.choice([-1, 0, 1])))
            people[system].append(float(value))
            judge[system].append(float(min(5, max(1, value + rng.choice([-1, 0, 0, 1, 1])))))
    name = "two systems on the same prompts" if paired else "two systems on other items"
    return {"name": name, "paired": paired, "people": [each[:40] for each in people], "judge": judge}


def drawn() -> dict[str, list[Case]]:
    """The data that this tool draws; older cases stand in the file alone, and are kept as they are."""
    return {"cases": [win_rate()], "differences": [difference(True), difference(False)]}


def with_numbers(known: dict[str, Any]) -> dict[str, Any]:
    """Every case of the file, and those that are drawn here, with what ppi-python gives for them."""
    import ppi_py  # type: ignore[import-not-found]

    found: dict[str, Any] = {"source": known["source"]}
    for kind, new in drawn().items():
        names = {each["name"] for each in new}
        data = [*(each for each in known.get(kind, []) if each["name"] not in names), *new]
        found[kind] = [{**each, **_numbers(ppi_py, each)} for each in data]
    return found


def _numbers(ppi: Any, case: Case) -> Case:
    return {
        "known": [{"lam": lam, **_estimate(ppi, case, lam)} for lam in LAMBDAS],
        "tuned": _estimate(ppi, case, None),
    }


def _estimate(ppi: Any, case: Case, lam: float | None) -> Case:
    """A mean; of two systems on the same prompts the mean of differences, and else the difference of two means."""
    if "paired" not in case:
        return _mean(ppi, case["people"], case["judge"], lam)
    if case["paired"]:
        first, second = (list(zip(*case[who], strict=True)) for who in ("people", "judge"))
        return _mean(ppi, [one - two for one, two in first], [one - two for one, two in second], lam)
    one, two = (_mean(ppi, case["people"][at], case["judge"][at], lam) for at in (0, 1))
    half = sum(((each["ci"][1] - each["ci"][0]) / 2) ** 2 for each in (one, two)) ** 0.5
    value = one["value"] - two["value"]
    return {"value": value, "ci": [value - half, value + half]}


def _mean(ppi: Any, people: list[float], judge: list[float], lam: float | None) -> Case:
    import numpy as np

    n = len(people)
    data = (np.array(people), np.array(judge[:n]), np.array(judge[n:]))
    value = float(np.ravel(ppi.ppi_mean_pointestimate(*data, lam=lam))[0])
    low, high = (float(np.ravel(each)[0]) for each in ppi.ppi_mean_ci(*data, alpha=ALPHA, lam=lam))
    return {"value": value, "ci": [low, high]}


def differences(one: Any, other: Any, at: str = "") -> Iterator[str]:
    """Where two files differ, numbers by more than what rounding explains."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted({*one, *other}):
            yield from differences(one.get(name), other.get(name), f"{at}/{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            yield from differences(mine, theirs, f"{at}/{number}")
    elif isinstance(one, float) and isinstance(other, float):
        if abs(one - other) > 1e-9:
            yield f"{at}: {one} and {other}"
    elif one != other:
        yield f"{at}: not the same"


def main(argv: list[str] | None = None) -> int:
    """Compute, and compare or write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--write", action="store_true", help="write what was computed into tests/statistics/ppi.json")
    asked = parser.parse_args(argv)
    known = json.loads(PAGE.read_text("utf-8"))
    try:
        found = with_numbers(known)
    except ModuleNotFoundError as error:
        print(f"{error.name} is not installed here: the first lines of this file say how to run it", file=sys.stderr)
        return 2
    apart = list(differences(found, known))
    print("\n".join(apart) or "every number is the same")
    if asked.write:
        PAGE.write_text(json.dumps(found) + "\n", "utf-8")
        return 0
    return 1 if apart else 0


if __name__ == "__main__":
    sys.exit(main())
