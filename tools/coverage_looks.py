"""Studies that are looked at after every item, and stopped by what is seen: what is found that is not there."""

import math
from collections.abc import Callable

import numpy as np
from tools.coverage_scenario import Scenario

from assay.report.margins import at_any_look
from assay.report.system_comparison import correct_p_values
from assay.statistics.comparison.any_time import LEAST_UNITS, any_time

LOOKS = 300
Draw = Callable[[np.random.Generator], np.ndarray]


def at_every_look(values: np.ndarray) -> list[tuple[float, float, int, float]]:
    """Mean, standard error, number and skewness of what has come in, after every item from the 30th on."""
    n = np.arange(1, len(values) + 1)
    means, squares = np.cumsum(values) / n, np.cumsum(values**2)
    left = np.cumsum(values**3) - 3 * means * squares + 2 * n * means**3
    spread = squares - n * means**2
    found = []
    for at in range(LEAST_UNITS - 1, len(values)):
        some = spread[at] > 1e-9
        error = math.sqrt(spread[at] / at / n[at]) if some else 0.0
        skew = left[at] / n[at] / (spread[at] / n[at]) ** 1.5 if some else 0.0
        found.append((float(means[at]), error, int(n[at]), float(skew)))
    return found


def looking(draw: Draw) -> Callable[[int], bool | None]:
    """A look after every item of 300: a difference is found at one of them, where there is none."""

    def one(seed: int) -> bool | None:
        for look in at_every_look(draw(np.random.default_rng(seed)).astype(float)):
            p = any_time("difference", *look).p
            if p is not None and p <= 0.05:
                return True
        return False

    return one


def missing(draw: Draw, truth: float) -> Callable[[int], bool | None]:
    """A look after every item: the interval of a mean or a share lacks the truth at one of them."""

    def one(seed: int) -> bool | None:
        for look in at_every_look(draw(np.random.default_rng(seed)).astype(float)):
            ci = any_time("mean", *look).ci
            if ci is not None and not ci[0] <= truth <= ci[1]:
                return True
        return False

    return one


def stopped_by_difference(seed: int) -> bool | None:
    """`stop_when: {difference_shown: true}`, three systems alike: one of three pairs is shown to differ (Holm)."""
    rng = np.random.default_rng(seed)
    scores = np.clip(np.round(3 + rng.normal(size=(LOOKS, 1)) + rng.normal(size=(LOOKS, 3))), 1, 5)
    pairs = [at_every_look(scores[:, a] - scores[:, b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    for looks in zip(*pairs, strict=True):
        corrected = correct_p_values([any_time("difference", *look).p for look in looks], "holm")
        if any(p is not None and p <= 0.05 for p in corrected):
            return True
    return False


def stopped_by_judgments(seed: int) -> bool | None:
    """The same of two systems with a look after every judgment: three people per item, who come at any time."""
    rng = np.random.default_rng(seed)
    items, people = 100, 3
    lean = rng.normal(size=items)
    said = np.sign(np.round(lean[:, None] + rng.normal(size=(items, people)), 0))
    order = rng.permutation(items * people)
    sums, counts = np.zeros(items), np.zeros(items)
    for look, place in enumerate(order.tolist()):
        sums[place // people] += said[place // people, place % people]
        counts[place // people] += 1
        if look < LEAST_UNITS:
            continue
        means = sums[counts > 0] / counts[counts > 0]
        error = float(means.std(ddof=1) / math.sqrt(len(means)))
        centred = means - means.mean()
        skew = float((centred**3).mean() / (centred**2).mean() ** 1.5) if error else 0.0
        p = any_time("difference", float(means.mean()), error, len(means), skew).p
        if p is not None and p <= 0.05:
            return True
    return False


def stopped_by_equivalence(seed: int) -> bool | None:
    """`stop_when: {equivalence_shown: true}`, systems exactly the margin of 0.5 apart: equivalence is shown."""
    rng = np.random.default_rng(seed)
    differences = 0.5 + rng.choice([-1, 0, 1], size=LOOKS, p=[0.3, 0.4, 0.3])
    return any(at_any_look(mean, error, n, 0.5).p <= 0.05 for mean, error, n, _ in at_every_look(differences) if error)


def _differences(shares: tuple[float, float, float]) -> Draw:
    return lambda rng: rng.choice([-1, 0, 1], size=LOOKS, p=shares)


SCENARIOS = (
    Scenario(
        "looks at any time", "300 looks, differences of -1, 0, 1.", looking(_differences((0.3, 0.4, 0.3))), most=0.05
    ),
    Scenario(
        "looks at any time, rare differences",
        "300 looks, nine of ten items without a difference.",
        looking(_differences((0.05, 0.9, 0.05))),
        most=0.05,
    ),
    Scenario(
        "looks at any time, skewed",
        "300 looks, a loss of 3 in a quarter of items and a gain of 1 in the others.",
        looking(lambda rng: rng.choice([-3, 1], size=LOOKS, p=[0.25, 0.75])),
        most=0.05,
    ),
    Scenario(
        "looks at any time, mean",
        "300 looks, a scale of 1 to 5 with most values at its upper end: an interval lacks the true mean, 4.2.",
        missing(lambda rng: rng.choice([1, 2, 3, 4, 5], size=LOOKS, p=[0.05, 0.05, 0.05, 0.35, 0.5]), 4.2),
        most=0.05,
    ),
    Scenario(
        "looks at any time, share",
        "300 looks, an interval lacks the true share of 0.3.",
        missing(lambda rng: (rng.random(LOOKS) < 0.3).astype(float), 0.3),
        most=0.05,
    ),
    Scenario("a rule that stops, three systems", stopped_by_difference.__doc__ or "", stopped_by_difference, most=0.05),
    Scenario("a rule that stops, every judgment", stopped_by_judgments.__doc__ or "", stopped_by_judgments, most=0.05),
    Scenario("a rule that stops, equivalence", stopped_by_equivalence.__doc__ or "", stopped_by_equivalence, most=0.05),
)
