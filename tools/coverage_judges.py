"""Studies with people on some items and judges on all: how often intervals from both hold, and how wide they are."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from tools.coverage_scenario import Scenario, holds

from assay.statistics.comparison.prediction_powered import PoweredEstimate, difference_with_judge, mean_with_judge
from assay.statistics.powered_sample import PoweredSample

JUDGES = {"good": (1.0, 0.5), "poor": (0.1, 1.0), "hostile": (-0.8, 0.7)}
"""How much a judge hears of what people hear, and how much of nothing: a hostile one says the opposite."""
LEAST, MOST, WIDEST = 0.935, 0.965, 1.05


@dataclass(frozen=True)
class Truth:
    """What one simulated study gave, and what it should have given."""

    found: PoweredEstimate
    truth: float


Study = Callable[[int], Truth]


def _heard(rng: np.random.Generator, quality: np.ndarray, judge: str) -> np.ndarray:
    """What a judge says of items of this quality, on a scale of its own that is a point too high."""
    hears, noise = JUDGES[judge]
    return np.clip(np.round(4 + hears * quality + noise * rng.normal(size=quality.shape)), 1, 5)


def _drawn(rng: np.random.Generator, n: int, asked: int) -> np.ndarray:
    return np.isin(np.arange(n), rng.permutation(n)[:asked])


def _sample(
    values: np.ndarray,
    judges: np.ndarray,
    drawn: np.ndarray,
    clusters: np.ndarray | None = None,
    cells: np.ndarray | None = None,
) -> PoweredSample:
    n = len(values)
    return PoweredSample(
        np.where(drawn, values, np.nan),
        judges.reshape(n, -1),
        np.arange(n) if clusters is None else clusters,
        np.zeros(n, dtype=int) if cells is None else cells,
    )


def mean_of_scores(judge: str, items: int = 150, asked: int = 50) -> Study:
    """Scores of 1 to 5; two people judge each of the items that are drawn."""

    def one(seed: int) -> Truth:
        rng = np.random.default_rng(seed)
        quality = rng.normal(size=items)
        values = np.clip(np.round(3 + quality[:, None] + 0.7 * rng.normal(size=(items, 2))), 1, 5).mean(axis=1)
        return Truth(
            mean_with_judge(_sample(values, _heard(rng, quality, judge), _drawn(rng, items, asked)), seed=seed), 3.0
        )

    return one


def share_of_yes(judge: str, items: int = 200, asked: int = 60) -> Study:
    """Yes or no, where 85 % are yes."""

    def one(seed: int) -> Truth:
        rng = np.random.default_rng(seed)
        quality = rng.normal(size=items)
        values = (quality > -1.0364).astype(float)
        sample = _sample(values, _heard(rng, quality, judge), _drawn(rng, items, asked))
        return Truth(mean_with_judge(sample, (0.0, 1.0), seed), 0.85)

    return one


def net_win_rate(judge: str, items: int = 200, asked: int = 70) -> Study:
    """Win, tie or loss."""

    def one(seed: int) -> Truth:
        rng = np.random.default_rng(seed)
        lean = rng.normal(size=items)
        values = np.where(np.abs(lean) < 0.3, 0.0, np.sign(lean))
        sample = _sample(values, _heard(rng, lean, judge), _drawn(rng, items, asked))
        return Truth(mean_with_judge(sample, (-1.0, 1.0), seed), 0.0)

    return one


def difference_on_prompts(judge: str, prompts: int = 120, asked: int = 40) -> Study:
    """Two systems on the same prompts, which are hard or easy for both; prompts are drawn."""

    def one(seed: int) -> Truth:
        rng = np.random.default_rng(seed)
        hard = rng.normal(size=prompts)
        drawn = _drawn(rng, prompts, asked)
        samples = []
        for ahead in (0.4, 0.0):
            quality = hard + 0.5 * rng.normal(size=prompts)
            values = ahead + quality + 0.5 * rng.normal(size=prompts)
            # The poor judge knows how hard a prompt is, and nothing of the answers: what it says cancels out.
            judged = hard + rng.normal(size=prompts) if judge == "poor" else _heard(rng, quality, judge)
            samples.append(_sample(values, judged, drawn, np.arange(prompts)))
        return Truth(difference_with_judge(*samples, seed=seed), 0.4)

    return one


def groups_drawn_whole(judge: str, groups: int = 120, each: int = 3, asked: int = 45) -> Study:
    """Items of one group are alike, and groups are drawn with all of their items."""

    def one(seed: int) -> Truth:
        rng = np.random.default_rng(seed)
        of = np.repeat(np.arange(groups), each)
        quality = 0.8 * rng.normal(size=groups)[of] + 0.6 * rng.normal(size=len(of))
        values = 3 + quality + 0.5 * rng.normal(size=len(of))
        drawn = _drawn(rng, groups, asked)[of]
        return Truth(mean_with_judge(_sample(values, _heard(rng, quality, judge), drawn, of), seed=seed), 3.0)

    return one


def drawn_by_doubt(judge: str, items: int = 240, shares: tuple[float, ...] = (0.1, 0.3, 0.5)) -> Study:
    """Three judges; the third of items on which they differ most is asked five times as often as the third least."""

    def one(seed: int) -> Truth:
        rng = np.random.default_rng(seed)
        quality = rng.normal(size=items)
        # Items that are hard to judge are worse, so that without weights the mean would be too low.
        noise = np.exp(-0.4 * quality)[:, None] * rng.normal(size=(items, 3))
        hears = JUDGES[judge][0]
        judges = np.clip(np.round(3 + hears * quality[:, None] + 0.7 * noise), 1, 5)
        rank = np.argsort(np.argsort(judges.std(axis=1) + 1e-6 * rng.random(items)))
        cells = rank * 3 // items
        drawn = np.zeros(items, dtype=bool)
        for cell, share in enumerate(shares):
            here = np.flatnonzero(cells == cell)
            drawn[rng.permutation(here)[: round(share * len(here))]] = True
        values = 3 + quality + 0.5 * rng.normal(size=items)
        return Truth(mean_with_judge(_sample(values, judges, drawn, None, cells), seed=seed), 3.0)

    return one


KINDS = {
    "mean": (mean_of_scores, "150 items, 50 by people: the mean of scores of 1 to 5."),
    "share": (share_of_yes, "200 items, 60 by people: a share of 85 %."),
    "net win rate": (net_win_rate, "200 items, 70 by people: win, tie or loss."),
    "difference": (difference_on_prompts, "Two systems on 120 prompts, 40 by people."),
    "groups": (groups_drawn_whole, "360 items in 120 groups, of which 45 are drawn whole."),
    "doubt": (drawn_by_doubt, "Three judges, 240 items, drawn with probabilities of 0.1, 0.3 and 0.5 by their doubt."),
}


def holds_truth(study: Study) -> Callable[[int], bool | None]:
    """Whether the interval from both holds the truth."""

    def one(seed: int) -> bool | None:
        found = study(seed)
        return holds(found.found.both.ci, found.truth)

    return one


def relative_width(study: Study) -> Callable[[int], float | None]:
    """How wide the interval from both is, beside that by people alone."""

    def one(seed: int) -> float | None:
        found = study(seed).found
        if found.both.ci is None or found.people.ci is None:
            return None
        return (found.both.ci[1] - found.both.ci[0]) / (found.people.ci[1] - found.people.ci[0])

    return one


SCENARIOS = tuple(
    scenario
    for kind, (study_of, words) in KINDS.items()
    for judge in JUDGES
    for scenario in (
        Scenario(f"{kind}, {judge} judge", words, holds_truth(study_of(judge)), LEAST, MOST),
        Scenario(
            f"{kind}, {judge} judge: width",
            "The same: the width beside that by people alone.",
            relative_width(study_of(judge)),
            most=WIDEST,
            is_mean=True,
        ),
    )
)
