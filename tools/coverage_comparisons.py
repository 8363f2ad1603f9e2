"""Studies that compare systems, and judges with people: how often intervals hold, what is found that is not there."""

import math
from collections.abc import Callable

import numpy as np
from tools.coverage_scenario import Scenario, holds

from assay.report.sections.judges import GAP_SHOWN
from assay.statistics import Scale
from assay.statistics.comparison.beyond_panel import difference_beyond_panel
from assay.statistics.comparison.equivalence import mean_within_margin, net_within_margin
from assay.statistics.comparison.judges import judge_against_people
from assay.statistics.comparison.preferences import Preference, win_rates
from assay.statistics.comparison.systems import compare, item_means
from assay.statistics.f_distribution import f_exceeded

SCALE = (1, 2, 3, 4, 5)


def _preferences(
    rng: np.random.Generator, n: int, k: int, spread: float, each: int = 1
) -> tuple[list[Preference], dict[int, int]]:
    """Judgments of n items by k annotators; groups of `each` items share how much one system is better."""
    groups = np.arange(n) // each
    lean = spread * rng.normal(size=groups.max() + 1)[groups]
    heard = lean[:, None] + rng.normal(size=(n, k))
    outcome = np.where(np.abs(heard) < 0.3, "tie", np.where(heard > 0, "left", "right"))
    judged = [
        Preference(item, "A", "B", str(outcome[item, who]), who)  # type: ignore[arg-type]
        for item in range(n)
        for who in range(k)
    ]
    return judged, dict(enumerate(groups.tolist()))


def _tie_share(spread: float) -> float:
    return math.erf(0.3 / math.sqrt(1 + spread**2) / math.sqrt(2))


def share_of_wins(seed: int) -> bool | None:
    """40 items, 5 judgments of each, items that lean to one system: the true share of wins."""
    judged, _ = _preferences(np.random.default_rng(seed), 40, 5, 1.5)
    found = win_rates(judged, "A", "B", seed=seed, draws=300)
    return holds(found.wins.ci, (1 - _tie_share(1.5)) / 2)


def share_of_wins_in_groups(seed: int) -> bool | None:
    """The same of 90 items in 30 groups, one judgment of each."""
    judged, groups = _preferences(np.random.default_rng(seed), 90, 1, 1.5, 3)
    found = win_rates(judged, "A", "B", groups, seed=seed, draws=300)
    return holds(found.wins.ci, (1 - _tie_share(1.5)) / 2)


def net_win_rate_in_groups(seed: int) -> bool | None:
    """90 items in 30 groups: the true net win rate, 0."""
    judged, groups = _preferences(np.random.default_rng(seed), 90, 2, 1.5, 3)
    return holds(win_rates(judged, "A", "B", groups, seed=seed, draws=300).net.ci, 0.0)


def sign_test_in_groups(seed: int) -> bool | None:
    """60 items in 20 groups, no difference in truth: the sign test finds one."""
    judged, groups = _preferences(np.random.default_rng(seed), 60, 1, 1.0, 3)
    p = win_rates(judged, "A", "B", groups, seed=seed, draws=300).sign_test.p
    return None if p is None else p <= 0.05


def _rounded(heard: np.ndarray) -> np.ndarray:
    return np.clip(np.round(heard + 3), 1, 5).astype(int)


def judge_like_people(
    items: int, people: int, noise: float, middle: float, above: bool = True
) -> Callable[[int], bool | None]:
    """Studies with a judge that is one more person like the others: it is found above them, or below."""

    def one(seed: int) -> bool | None:
        rng = np.random.default_rng(seed)
        values = _rounded(middle + rng.normal(size=(items, 1)) + noise * rng.normal(size=(items, people + 1)))
        judge = dict(enumerate(values[:, 0].tolist()))
        given = [(item, who, int(values[item, who])) for item in range(items) for who in range(1, people + 1)]
        only = ["quadratic_kappa"]
        found = judge_against_people(judge, given, Scale(SCALE, "ordinal"), seed=seed, draws=300, only=only)
        gap = found.statistics[0].gap
        if gap.p is None or gap.value is None:
            return None
        return (gap.value > 0 if above else gap.value < 0) and gap.p <= GAP_SHOWN[not above]

    return one


def _panel(seed: int, people: int, items: int = 60) -> list[tuple[int, int, str, float]]:
    """Two systems that are alike to annotators in general, though each of these leans to one, and so does each item."""
    rng = np.random.default_rng(seed)
    lean = 0.4 * rng.normal(size=(people, 1)) + 0.5 * rng.normal(size=(1, items))
    severity = 0.5 * rng.normal(size=(people, 1)) + rng.normal(size=(1, items))
    values = [_rounded(severity + sign * lean / 2 + 0.7 * rng.normal(size=(people, items))) for sign in (1, -1)]
    return [
        (item, who, system, float(values[at][who, item]))
        for at, system in enumerate("AB")
        for who in range(people)
        for item in range(items)
    ]


def beyond_panel(people: int, items: int = 60) -> Callable[[int], bool | None]:
    """Studies of a panel: a difference is found for annotators like these."""

    def one(seed: int) -> bool | None:
        p = difference_beyond_panel(_panel(seed, people, items), "A", "B", seed=seed, draws=200).estimate.p
        return None if p is None else p <= 0.05

    return one


def crossed_model(people: int, items: int = 60) -> Callable[[int], bool | None]:
    """The same studies by a crossed mixed model instead: variances of a complete table, Satterthwaite's degrees."""

    def one(seed: int) -> bool | None:
        apart = np.zeros((people, items))
        for item, who, system, value in _panel(seed, people, items):
            apart[who, item] += value if system == "A" else -value
        by_people, by_items, mean = apart.mean(axis=1), apart.mean(axis=0), float(apart.mean())
        rest = apart - by_people[:, None] - by_items[None, :] + mean
        degrees = (people - 1, items - 1, (people - 1) * (items - 1))
        squares = (
            items * float(((by_people - mean) ** 2).sum()) / degrees[0],
            people * float(((by_items - mean) ** 2).sum()) / degrees[1],
            float((rest**2).sum()) / degrees[2],
        )
        variance = max(squares[0] + squares[1] - squares[2], *squares[:2])
        freedom = variance**2 / sum(each**2 / of for each, of in zip(squares, degrees, strict=True))
        return f_exceeded(mean**2 / (variance / (people * items)), 1, freedom) <= 0.05

    return one


def these_annotators(seed: int) -> bool | None:
    """The same where only items are drawn, though the claim is about annotators like these."""
    scores = item_means((item, system, value) for item, _, system, value in _panel(seed, 4))
    p = compare(scores["A"], scores["B"], seed=seed, draws=50).p
    return None if p is None else p <= 0.05


def equivalence(seed: int) -> bool | None:
    """60 items, systems 0.3 points apart, a margin of 0.3: equivalence is shown."""
    rng = np.random.default_rng(seed)
    differences = 0.3 + rng.choice([-1, 0, 1], size=60, p=[0.3, 0.4, 0.3])
    found = compare(dict(enumerate(differences.tolist())), dict.fromkeys(range(60), 0.0), seed=seed, draws=50)
    if found.error is None or found.difference.value is None:
        return None
    return mean_within_margin(found.difference.value, found.error, found.degrees, 0.3).p <= 0.05


def equivalence_of_preferences(seed: int) -> bool | None:
    """80 items, 3 judgments of each, a true net win rate of 0.2 and a margin of 0.2: equivalence is shown."""
    rng = np.random.default_rng(seed)
    ahead = np.clip(0.6 + 0.15 * rng.normal(size=80), 0.0, 1.0)
    won = rng.random((80, 3)) < ahead[:, None]
    judged = [
        Preference(item, "A", "B", "left" if won[item, who] else "right", who) for item in range(80) for who in range(3)
    ]
    found = win_rates(judged, "A", "B", seed=seed, draws=50)
    return None if found.net.value is None else net_within_margin(found.net.value, found.cases, 0.2).p <= 0.05


SCENARIOS = (
    Scenario("share of wins", share_of_wins.__doc__ or "", share_of_wins, 0.93),
    Scenario("share of wins, groups", share_of_wins_in_groups.__doc__ or "", share_of_wins_in_groups, 0.93),
    Scenario("net win rate, groups", net_win_rate_in_groups.__doc__ or "", net_win_rate_in_groups, 0.93),
    Scenario("sign test, groups", sign_test_in_groups.__doc__ or "", sign_test_in_groups, most=0.05),
    Scenario(
        "judge above people",
        "A judge that is one more person like 3 others, 40 items: it is found above people.",
        judge_like_people(40, 3, 0.8, 0.0),
        most=0.025,
    ),
    Scenario(
        "judge above people, many items", "The same of 120 items.", judge_like_people(120, 3, 0.8, 0.0), most=0.025
    ),
    Scenario("judge above people, two people", "Two people, 60 items.", judge_like_people(60, 2, 0.8, 0.0), most=0.025),
    Scenario("judge above people, six people", "Six people, 40 items.", judge_like_people(40, 6, 0.8, 0.0), most=0.025),
    Scenario(
        "judge above people, noise", "40 items, people far apart.", judge_like_people(40, 3, 1.6, 0.0), most=0.025
    ),
    Scenario(
        "judge above people, ceiling",
        "40 items, most values at the upper end of the scale.",
        judge_like_people(40, 3, 0.8, 1.5),
        most=0.025,
    ),
    Scenario(
        "judge above people, far up",
        "40 items, two of three values at the upper end of the scale.",
        judge_like_people(40, 3, 0.8, 2.0),
        most=0.025,
    ),
    Scenario(
        "judge below people",
        "The same judge, 40 items: it is found below people.",
        judge_like_people(40, 3, 0.8, 0.0, above=False),
        most=0.05,
    ),
    Scenario("equivalence at the margin", equivalence.__doc__ or "", equivalence, most=0.05),
    Scenario(
        "equivalence, preferences", equivalence_of_preferences.__doc__ or "", equivalence_of_preferences, most=0.05
    ),
    Scenario("beyond a panel of 3", "No difference in truth, 3 annotators, 60 items.", beyond_panel(3), most=0.07),
    Scenario("beyond a panel of 4", "No difference in truth, 4 annotators, 60 items.", beyond_panel(4), most=0.07),
    Scenario("beyond a panel of 8", "No difference in truth, 8 annotators, 60 items.", beyond_panel(8), most=0.07),
    Scenario("beyond a panel of 20", "No difference in truth, 20 annotators, 60 items.", beyond_panel(20), most=0.07),
    Scenario("a crossed model instead, 4", "The model that is not used, 4 annotators.", crossed_model(4), most=0.07),
    Scenario("a crossed model instead, 8", "The model that is not used, 8 annotators.", crossed_model(8), most=0.07),
    Scenario("a crossed model instead, 20", "The model that is not used, 20 annotators.", crossed_model(20), most=0.07),
    Scenario("beyond a panel, few items", "8 annotators, 20 items.", beyond_panel(8, 20), most=0.07),
)
