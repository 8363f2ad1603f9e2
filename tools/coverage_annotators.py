"""Studies of annotators who are alike: how often one is said to be severe, narrow or drifting, or to differ at all."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from tools.coverage_scenario import Scenario

from assay.model import Judgment
from assay.report.annotators import about_annotators
from assay.report.data import Data
from assay.study import load
from assay.study.templates import HERE
from assay.submission_rows import Own, SubmissionRows

STUDY = load(HERE / "route-planning")
DIMENSION = "coherence"


@lru_cache(maxsize=4)
def _work(seed: int, sizes: tuple[int, ...], taste: float, people: int, together: bool) -> dict[str, object]:
    """Items in groups of these sizes, each person with a taste for each group: the numbers of annotators."""
    rng, n = np.random.default_rng(seed), sum(sizes)
    group = np.repeat(np.arange(len(sizes)), sizes)
    quality = rng.normal(size=len(sizes))[group] + 0.5 * rng.normal(size=n)
    tastes = taste * rng.normal(size=(len(sizes), people))[group]
    values = np.clip(np.round(3 + quality[:, None] + tastes + 0.5 * rng.normal(size=(n, people))), 1, 5).astype(int)
    given = []
    for person in range(people):
        drawn = rng.permutation(len(sizes))[group] * n + rng.random(n) if together else rng.random(n)
        turn = np.argsort(np.argsort(drawn)) + 1
        for item in range(n):
            given += _judgment(item, int(group[item]), person, int(values[item, person]), int(turn[item]))
    data = Data(STUDY, given, n, n, {}, [f"p{each}" for each in range(people)], {}, {}, "", seed)
    found = about_annotators(data)
    cells = next(each for each in found.dimensions if each.dimension == DIMENSION).annotators[0]
    return {"severity": cells.severity.p, "spread": cells.spread.p, "drift": cells.drift.p, "said": bool(found.differ)}


def _judgment(item: int, group: int, person: int, value: int, turn: int) -> list[Judgment]:
    shared = {
        **{"submission": f"{item}/{person}", "item": f"i{item}", "systems": ("m",), "group": f"g{group}"},
        **{"annotator": f"p{person}", "pass_": 1, "revision": 1, "shown_at": turn, "submitted_at": turn},
        **{"active_ms": None, "study_hash": "", "consent": "", "position": turn},
    }
    return list(SubmissionRows(shared, [Own("m", DIMENSION, "", "", value)]).judgments)


EQUAL, UNEQUAL, ALONE = (4,) * 20, (1, 2, 4, 9) * 5, (1,) * 80
KINDS = {"severity": "above or below the others", "spread": "wider or narrower", "drift": "rising or falling"}
TASTES = "3 people alike whose tastes differ by group (SD 0.6)"


def _found(kind: str, sizes: tuple[int, ...], taste: float) -> Callable[[int], bool | None]:
    def one(seed: int) -> bool | None:
        p = _work(seed, sizes, taste, 3, True)[kind]
        return None if p is None else p < 0.05  # type: ignore[operator]

    return one


def _said(sizes: tuple[int, ...], taste: float) -> Callable[[int], bool]:
    return lambda seed: bool(_work(seed, sizes, taste, 4, False)["said"])


def _scenarios(name: str, words: str, sizes: tuple[int, ...], taste: float, most: float) -> list[Scenario]:
    return [
        Scenario(
            f"an annotator's {kind}, {name}", f"{words}: one is found {found}.", _found(kind, sizes, taste), 0, most
        )
        for kind, found in KINDS.items()
    ]


SCENARIOS = (
    *_scenarios("groups", f"{TASTES}, 20 groups of 4 items that come one after another", EQUAL, 0.6, 0.05),
    *_scenarios("unequal groups", f"{TASTES}, 20 groups of 1, 2, 4 or 9 items", UNEQUAL, 0.6, 0.06),
    *_scenarios("items alone", "3 people alike, 80 items that share nothing", ALONE, 0, 0.05),
    Scenario(
        "an annotator differs", "4 people alike, 80 items: somebody differs in any of it.", _said(ALONE, 0), 0, 0.05
    ),
    Scenario(
        "an annotator differs, groups",
        "4 people alike with tastes by group, 20 groups of 4 items: somebody differs in any of it.",
        _said(EQUAL, 0.6),
        0,
        0.05,
    ),
)
