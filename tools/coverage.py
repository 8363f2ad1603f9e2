"""How often intervals hold the truth, and how often tests find what is not there: studies drawn from known ones.

`python -m tools.coverage [--studies 1000] [--only NAME] [--write]` draws so many studies for each scenario, each from
its own seed, and prints the share in which the interval held the truth (wanted: 0.95), or in which something was found
that is not there (wanted: 0.05 at most). `--write` puts the table into `docs/design/coverage.md`. A share of n studies
is itself uncertain, by 1.4 points for 0.95 of 1,000: a scenario is marked, and the exit code is 1, where its share is
beyond what that explains.
"""

import argparse
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assay.report.sections.judges import GAP_SHOWN
from assay.statistics import Ratings, Scale, agree
from assay.statistics.comparison.any_time import LEAST_UNITS, any_time
from assay.statistics.comparison.beyond_panel import difference_beyond_panel
from assay.statistics.comparison.equivalence import mean_within_margin, net_within_margin
from assay.statistics.comparison.judges import judge_against_people
from assay.statistics.comparison.preferences import Preference, win_rates
from assay.statistics.comparison.systems import compare, item_means

PAGE = Path(__file__).parent.parent / "docs" / "design" / "coverage.md"
SCALE = (1, 2, 3, 4, 5)


@dataclass(frozen=True)
class Scenario:
    """Studies of one kind, and what may happen in them."""

    name: str
    words: str
    one: Callable[[int], bool | None]
    """One study from a seed: whether it happened; None where the program declines to answer."""
    least: float = 0.0
    most: float = 1.0

    @property
    def wanted(self) -> str:
        """What the share may be, in words."""
        return f"{self.least:.2f} to {self.most:.2f}" if self.least else f"at most {self.most:.2f}"


@dataclass(frozen=True)
class Share:
    """In what share of studies something happened."""

    scenario: Scenario
    studies: int
    happened: int
    declined: int

    @property
    def value(self) -> float:
        """Of those studies that gave an answer; what is declined has found nothing."""
        answered = self.studies - (self.declined if self.scenario.least else 0)
        return self.happened / max(1, answered)

    @property
    def good(self) -> bool:
        """Whether it is what is wanted, as far as so many studies can tell: within 2.6 standard errors (99 %)."""
        ends = [(self.scenario.least, -1), (self.scenario.most, 1)]
        slack = [sign * 2.6 * math.sqrt(end * (1 - end) / max(1, self.studies)) for end, sign in ends]
        return self.scenario.least + slack[0] <= self.value <= self.scenario.most + slack[1]


def share_of(scenario: Scenario, studies: int, first: int = 0) -> Share:
    """Draw so many studies."""
    found = [scenario.one(first + seed) for seed in range(studies)]
    return Share(scenario, studies, sum(each is True for each in found), sum(each is None for each in found))


def _holds(ci: tuple[float, float] | None, truth: float) -> bool | None:
    return None if ci is None else bool(ci[0] - 1e-12 <= truth <= ci[1] + 1e-12)


def exact_agreement(seed: int) -> bool | None:
    """Two annotators agree on 97 % of items, 40 items."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 2, size=40)
    values = np.column_stack([first, np.where(rng.random(40) < 0.97, first, 1 - first)])
    table = Ratings(values, (0, 1), "nominal", tuple(range(40)), ("a", "b"))
    return _holds(agree(table, ["percent_agreement"], seed, 300)[0].ci, 0.97)


def exact_agreement_in_groups(seed: int) -> bool | None:
    """Two annotators agree on 90 % of items, in 40 groups of 5 that are easy (98 %) or hard (82 %)."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(40), 5)
    share = rng.choice([0.98, 0.82], size=40)[groups]
    first = rng.integers(0, 2, size=200)
    values = np.column_stack([first, np.where(rng.random(200) < share, first, 1 - first)])
    table = Ratings(values, (0, 1), "nominal", tuple(range(200)), ("a", "b"), groups)
    return _holds(agree(table, ["percent_agreement"], seed, 300)[0].ci, 0.9)


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
    return _holds(found.wins.ci, (1 - _tie_share(1.5)) / 2)


def share_of_wins_in_groups(seed: int) -> bool | None:
    """The same of 90 items in 30 groups, one judgment of each."""
    judged, groups = _preferences(np.random.default_rng(seed), 90, 1, 1.5, 3)
    found = win_rates(judged, "A", "B", groups, seed=seed, draws=300)
    return _holds(found.wins.ci, (1 - _tie_share(1.5)) / 2)


def net_win_rate_in_groups(seed: int) -> bool | None:
    """90 items in 30 groups: the true net win rate, 0."""
    judged, groups = _preferences(np.random.default_rng(seed), 90, 2, 1.5, 3)
    return _holds(win_rates(judged, "A", "B", groups, seed=seed, draws=300).net.ci, 0.0)


def sign_test_in_groups(seed: int) -> bool | None:
    """60 items in 20 groups, no difference in truth: the sign test finds one."""
    judged, groups = _preferences(np.random.default_rng(seed), 60, 1, 1.0, 3)
    p = win_rates(judged, "A", "B", groups, seed=seed, draws=300).sign_test.p
    return None if p is None else p <= 0.05


def _rounded(heard: np.ndarray) -> np.ndarray:
    return np.clip(np.round(heard + 3), 1, 5).astype(int)


def judge_above_people(seed: int) -> bool | None:
    """A judge that is one more person like the others, 40 items: it is found above people."""
    rng = np.random.default_rng(seed)
    values = _rounded(rng.normal(size=(40, 1)) + 0.8 * rng.normal(size=(40, 4)))
    judge = dict(enumerate(values[:, 0].tolist()))
    people = [(item, who, int(values[item, who])) for item in range(40) for who in (1, 2, 3)]
    only = ["quadratic_kappa"]
    found = judge_against_people(judge, people, Scale(SCALE, "ordinal"), seed=seed, draws=300, only=only)
    gap = found.statistics[0].gap
    if gap.p is None or gap.value is None:
        return None
    return gap.value > 0 and gap.p <= GAP_SHOWN[False]


def _incomplete(rng: np.random.Generator, n: int, people: int) -> np.ndarray:
    """Items with 3 of so many people on each."""
    values = np.full((n, people), -1)
    quality = rng.normal(size=n)
    for item in range(n):
        who = rng.choice(people, 3, replace=False)
        values[item, who] = np.clip(np.round(quality[item] + 0.8 * rng.normal(size=3) + 2), 0, 4)
    return values


def mean_of_kappas(seed: int) -> bool | None:
    """60 items, 3 of 5 people on each: the mean of linear kappas over pairs."""
    values = _incomplete(np.random.default_rng(seed), 60, 5)
    table = Ratings(values, SCALE, "ordinal", tuple(range(60)), tuple(range(5)))
    return _holds(agree(table, ["cohen_kappa_linear"], seed, 300)[0].ci, TRUE_KAPPA)


def mean_of_kappas_few_shared(seed: int) -> bool | None:
    """150 items, 3 of 7 people on each: pairs share about 21 items, and those count that share 20."""
    values = _incomplete(np.random.default_rng(seed), 150, 7)
    table = Ratings(values, SCALE, "ordinal", tuple(range(150)), tuple(range(7)))
    return _holds(agree(table, ["cohen_kappa_linear"], seed, 300)[0].ci, TRUE_KAPPA)


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


def looking(draw: Callable[[np.random.Generator], np.ndarray]) -> Callable[[int], bool | None]:
    """A look after every item of 300: a difference is found at one of them, where there is none."""

    def one(seed: int) -> bool | None:
        values = draw(np.random.default_rng(seed)).astype(float)
        n = np.arange(1, len(values) + 1)
        means, squares = np.cumsum(values) / n, np.cumsum(values**2)
        left = np.cumsum(values**3) - 3 * means * squares + 2 * n * means**3
        spread = squares - n * means**2
        for at in range(LEAST_UNITS - 1, len(values)):
            if spread[at] > 0:
                error = math.sqrt(spread[at] / at / n[at])
                skew = left[at] / n[at] / (spread[at] / n[at]) ** 1.5
                p = any_time("difference", means[at], error, int(n[at]), skew).p
                if p is not None and p <= 0.05:
                    return True
        return False

    return one


def _differences(shares: tuple[float, float, float]) -> Callable[[np.random.Generator], np.ndarray]:
    return lambda rng: rng.choice([-1, 0, 1], size=300, p=shares)


TRUE_KAPPA = 0.3890
"""Of one million items with two judgments each, drawn like those of `_incomplete`."""

SCENARIOS = (
    Scenario("exact agreement", exact_agreement.__doc__ or "", exact_agreement, 0.93),
    Scenario("exact agreement, groups", exact_agreement_in_groups.__doc__ or "", exact_agreement_in_groups, 0.93),
    Scenario("share of wins", share_of_wins.__doc__ or "", share_of_wins, 0.93),
    Scenario("share of wins, groups", share_of_wins_in_groups.__doc__ or "", share_of_wins_in_groups, 0.93),
    Scenario("net win rate, groups", net_win_rate_in_groups.__doc__ or "", net_win_rate_in_groups, 0.93),
    Scenario("sign test, groups", sign_test_in_groups.__doc__ or "", sign_test_in_groups, most=0.05),
    Scenario("judge above people", judge_above_people.__doc__ or "", judge_above_people, most=0.025),
    Scenario("mean of kappas", mean_of_kappas.__doc__ or "", mean_of_kappas, 0.93),
    Scenario("mean of kappas, few shared", mean_of_kappas_few_shared.__doc__ or "", mean_of_kappas_few_shared, 0.93),
    Scenario("equivalence at the margin", equivalence.__doc__ or "", equivalence, most=0.05),
    Scenario(
        "equivalence, preferences", equivalence_of_preferences.__doc__ or "", equivalence_of_preferences, most=0.05
    ),
    Scenario("beyond a panel of 3", "No difference in truth, 3 annotators, 60 items.", beyond_panel(3), most=0.07),
    Scenario("beyond a panel of 4", "No difference in truth, 4 annotators, 60 items.", beyond_panel(4), most=0.07),
    Scenario("beyond a panel of 8", "No difference in truth, 8 annotators, 60 items.", beyond_panel(8), most=0.07),
    Scenario("beyond a panel of 20", "No difference in truth, 20 annotators, 60 items.", beyond_panel(20), most=0.07),
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
        looking(lambda rng: rng.choice([-3, 1], size=300, p=[0.25, 0.75])),
        most=0.05,
    ),
    Scenario("beyond a panel, few items", "8 annotators, 20 items.", beyond_panel(8, 20), most=0.07),
)


def page_of(found: list[Share]) -> str:
    """The page with the table."""
    lines = [
        "# How often intervals hold, and how often tests find what is not there",
        "<!-- Made by `python -m tools.coverage --write`. -->",
        "",
        "Each row: so many studies drawn from a known one, each from its own seed; the share of them in which a 95 %",
        "interval held the truth, or in which something was found that is not there. A share of 1,000 studies is",
        "uncertain by 0.014. Studies in which the program declines to answer are counted.",
        "",
        "| studies of | share | wanted | studies | declined |",
        "|---|---|---|---|---|",
    ]
    for each in found:
        words = f"**{each.scenario.name}**: {each.scenario.words}"
        lines.append(f"| {words} | {each.value:.3f} | {each.scenario.wanted} | {each.studies:,} | {each.declined} |")
    return "\n".join(lines) + "\n"


def main(argv: list[str] | None = None) -> int:
    """Draw the studies and print the table; 1 where a share is not what is wanted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--studies", type=int, default=1000)
    parser.add_argument("--only", default="", help="scenarios whose name holds this")
    parser.add_argument("--write", action="store_true", help="write docs/design/coverage.md")
    asked = parser.parse_args(argv)
    found = []
    for scenario in SCENARIOS:
        if asked.only in scenario.name:
            found.append(share_of(scenario, asked.studies))
            mark = "" if found[-1].good else "   <- not as wanted"
            print(
                f"{scenario.name:<34} {found[-1].value:.3f}  {scenario.wanted}, {found[-1].declined} declined{mark}",
                flush=True,
            )
    if asked.write:
        PAGE.write_text(page_of(found))
    return 0 if all(each.good for each in found) else 1


if __name__ == "__main__":
    sys.exit(main())
