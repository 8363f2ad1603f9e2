"""Studies of the size that `assay plan` promises a power of 0.80 for: how often the report's own test shows it."""

import math
from functools import cache

import numpy as np
from tools.coverage_scenario import Scenario, holds

from assay.report.system_comparison import correct_p_values
from assay.statistics.comparison.beyond_panel import difference_beyond_panel
from assay.statistics.comparison.equivalence import mean_within_margin
from assay.statistics.comparison.ordinal_power import OrdinalOutcome, components_of_outcome
from assay.statistics.comparison.planning import Components, equivalence_margin, pilots
from assay.statistics.comparison.power import (
    PlannedTest,
    detectable_by_test,
    effective_level,
    interval_of_items,
    items_for_test,
)
from assay.statistics.comparison.preference_power import detectable_net, interval_for_net, items_for_net
from assay.statistics.comparison.preferences import Preference, win_rates
from assay.statistics.comparison.rank_tests import sign_flip

PARTS = Components(between=1.0, within=0.8)
LEVEL = 0.05


def _differences(rng: np.random.Generator, n: int, k: int, apart: float) -> np.ndarray:
    """Differences of two systems on n items with k annotators each, to a tenth of a point."""
    noise = math.sqrt(PARTS.within / k) * rng.normal(size=n)
    return np.round(apart + math.sqrt(PARTS.between) * rng.normal(size=n) + noise, 1)


def _shown(p: list[float | None], correction: str = "holm") -> bool:
    first = correct_p_values(p, correction)[0]
    return first is not None and first <= LEVEL


def one_test(seed: int) -> bool | None:
    """One difference, 60 items with 2 annotators."""
    apart = detectable_by_test(PARTS, PlannedTest(), 60, 2)
    return _shown([sign_flip(_differences(np.random.default_rng(seed), 60, 2, apart), seed=seed).p])


def few_items(seed: int) -> bool | None:
    """The same with 20 items and 3 annotators."""
    apart = detectable_by_test(PARTS, PlannedTest(), 20, 3)
    return _shown([sign_flip(_differences(np.random.default_rng(seed), 20, 3, apart), seed=seed).p])


WHOLE = OrdinalOutcome((1, 2, 3, 4, 5), (0.1, 0.2, 0.4, 0.2, 0.1), agreement=0.6)


def few_whole_points(seed: int) -> bool | None:
    """One difference of a whole point on a scale of 1 to 5, as few items as planned, 1 annotator."""
    return _ordinal(WHOLE, 1.0, 1, seed)


def five_dimensions(seed: int) -> bool | None:
    """Five dimensions of which one differs, corrected by Holm, 60 items."""
    apart = detectable_by_test(PARTS, PlannedTest(dimensions=5), 60, 2)
    rng = np.random.default_rng(seed)
    return _shown([sign_flip(_differences(rng, 60, 2, apart * (at == 0)), seed=seed).p for at in range(5)])


def three_systems(seed: int) -> bool | None:
    """Three systems of which one differs from the others, corrected by Holm, 80 items."""
    apart = detectable_by_test(PARTS, PlannedTest(systems=3), 80, 2)
    rng = np.random.default_rng(seed)
    own = math.sqrt(PARTS.of_difference(2) / 2) * rng.normal(size=(80, 3)) + [apart, 0.0, 0.0]
    pairs = ((0, 1), (0, 2), (1, 2))
    return _shown([sign_flip(np.round(own[:, a] - own[:, b], 1), seed=seed).p for a, b in pairs])


def in_groups(seed: int) -> bool | None:
    """120 items in 30 groups of 4, whose differences have a correlation of 0.4."""
    planned = PlannedTest(per_group=4, alike=0.4)
    apart, whole = detectable_by_test(PARTS, planned, 120, 2), PARTS.of_difference(2)
    rng, groups = np.random.default_rng(seed), np.arange(120) // 4
    shared = math.sqrt(0.4 * whole) * rng.normal(size=30)[groups]
    values = np.round(apart + shared + math.sqrt(0.6 * whole) * rng.normal(size=120), 1)
    return _shown([sign_flip(values, groups.tolist(), seed).p])


def _choices(rng: np.random.Generator, n: int, net: float, ties: float) -> float | None:
    shares = [(1 - ties + net) / 2, ties, (1 - ties - net) / 2]
    said = rng.choice(["left", "tie", "right"], size=n, p=shares)
    judged = [Preference(item, "A", "B", str(outcome)) for item, outcome in enumerate(said)]  # type: ignore[arg-type]
    return win_rates(judged, "A", "B", draws=0).sign_test.p


@cache
def _planned_net(n: int, ties: float, questions: int = 1) -> float:
    net = detectable_net(n, ties, alpha=effective_level(PlannedTest(dimensions=questions)))
    assert net is not None
    return net


def preferences(seed: int) -> bool | None:
    """Preferences on 150 items of which 30 % are tied: the sign test."""
    net = _planned_net(150, 0.3)
    return _shown([_choices(np.random.default_rng(seed), 150, net, 0.3)])


def preferences_in_a_family(seed: int) -> bool | None:
    """The same of three questions tested together, of which one differs, 200 items."""
    net = _planned_net(200, 0.3, 3)
    rng = np.random.default_rng(seed)
    return _shown([_choices(rng, 200, net * (at == 0), 0.3) for at in range(3)])


CEILING = OrdinalOutcome((1, 2, 3, 4, 5), (0.02, 0.03, 0.10, 0.25, 0.60), agreement=0.5)
FLOOR = OrdinalOutcome((0, 1), (0.85, 0.15), agreement=0.4)


@cache
def _planned_items(outcome: OrdinalOutcome, apart: float, k: int) -> int:
    parts = components_of_outcome(outcome, apart)
    assert parts is not None
    n = items_for_test(parts, PlannedTest(step=outcome.step), apart, k)
    assert n is not None
    return n


def _ordinal(outcome: OrdinalOutcome, apart: float, k: int, seed: int) -> bool | None:
    n = _planned_items(outcome, apart, k)
    first, second = outcome.draw_judgments(np.random.default_rng(seed), n, k, apart)
    return _shown([sign_flip(first.mean(axis=1) - second.mean(axis=1), seed=seed).p])


def ceiling(seed: int) -> bool | None:
    """A scale of 1 to 5 on which 60 % of values are a 5: 0.3 points, as many items as planned, 2 annotators."""
    return _ordinal(CEILING, 0.3, 2, seed)


def floor(seed: int) -> bool | None:
    """Yes or no, where 15 % are yes: 10 points of a hundred more, as many items as planned, 3 annotators."""
    return _ordinal(FLOOR, 0.1, 3, seed)


def _panel(seed: int, people: int, items: int) -> bool | None:
    between, within, lean = 0.5, 1.0, 0.2
    apart = detectable_by_test(Components(between, within), PlannedTest(people=lean), items, people)
    rng = np.random.default_rng(seed)
    of_people, of_items = math.sqrt(lean) * rng.normal(size=(people, 1)), rng.normal(size=(1, items))
    values = apart + of_people + math.sqrt(between) * of_items + math.sqrt(within) * rng.normal(size=(people, items))
    cells = ((item, who) for item in range(items) for who in range(people))
    rows = [row for item, who in cells for row in ((item, who, "A", float(values[who, item])), (item, who, "B", 0.0))]
    p = difference_beyond_panel(rows, "A", "B", seed=seed, draws=200).estimate.p
    return None if p is None else p <= LEVEL


def annotators_too(seed: int) -> bool | None:
    """For annotators like these: 8 of them, 60 items, both drawn."""
    return _panel(seed, 8, 60)


def many_annotators_too(seed: int) -> bool | None:
    """The same with 16 annotators and 40 items."""
    return _panel(seed, 16, 40)


def equivalent(seed: int) -> bool | None:
    """Two systems that are alike, 100 items with 2 annotators: equivalence is shown within the planned margin."""
    values = _differences(np.random.default_rng(seed), 100, 2, 0.0)
    margin, error = equivalence_margin(PARTS, 100, 2), float(values.std(ddof=1)) / 10
    return mean_within_margin(float(values.mean()), error, 99, margin).p <= LEVEL


def equivalent_three_systems(seed: int) -> bool | None:
    """Three systems that are alike, 80 items with 2 annotators: the first pair is shown to lie within the margin."""
    test = PlannedTest(systems=3, show="equivalence")
    margin, rng = detectable_by_test(PARTS, test, 80, 2), np.random.default_rng(seed)
    scores = math.sqrt(PARTS.of_difference(2) / 2) * rng.normal(size=(3, 80))
    p: list[float | None] = []
    for one, other in ((0, 1), (0, 2), (1, 2)):
        apart = np.round(scores[one] - scores[other], 1)
        error = float(apart.std(ddof=1)) / math.sqrt(80)
        p.append(mean_within_margin(float(apart.mean()), error, 79, margin).p)
    return _shown(p)


def not_inferior_in_groups(seed: int) -> bool | None:
    """Two systems that are alike, 120 items in 30 groups: that the first is worse by the margin is ruled out."""
    test = PlannedTest(per_group=4, alike=0.5, show="non_inferiority")
    margin, rng = detectable_by_test(PARTS, test, 120, 2), np.random.default_rng(seed)
    spread = math.sqrt(PARTS.of_difference(2))
    shared = math.sqrt(0.5) * rng.normal(size=(30, 1)) + math.sqrt(0.5) * rng.normal(size=(30, 4))
    means = (spread * shared).mean(axis=1)
    error = float(means.std(ddof=1)) / math.sqrt(30)
    return mean_within_margin(float(means.mean()), error, 29, margin).p_not_below <= LEVEL


def interval_from_pilot(seed: int) -> bool | None:
    """A pilot of 40 items with 2 annotators: the interval of the number of items holds the true number."""
    rng = np.random.default_rng(seed)
    apart = math.sqrt(PARTS.between) * rng.normal(size=(40, 1)) + math.sqrt(PARTS.within) * rng.normal(size=(40, 2))
    rows = [(item, "A", who, float(apart[item, who])) for item in range(40) for who in range(2)]
    (found,) = pilots([*rows, *((item, "B", who, 0.0) for item in range(40) for who in range(2))])
    assert found.components is not None
    n, truth = (items_for_test(parts, PlannedTest(), 0.3, 2) for parts in (found.components, PARTS))
    assert n is not None
    assert truth is not None
    return holds(interval_of_items(n, 40), truth)


@cache
def _interval_for_preferences(tied: int) -> tuple[int, int] | None:
    return interval_for_net(0.25, tied, 40)


def interval_for_preferences(seed: int) -> bool | None:
    """A pilot of 40 preferences, 30 % tied in truth: the interval of the number for a net win rate of 0.25 holds it."""
    tied = int((np.random.default_rng(seed).random(40) < 0.3).sum())
    truth = items_for_net(0.25, 0.3) if _interval_for_preferences(tied) else None
    return None if truth is None else holds(_interval_for_preferences(tied), truth)


_PROMISED = (
    *(
        one_test,
        few_items,
        few_whole_points,
        five_dimensions,
        three_systems,
        in_groups,
        preferences,
        preferences_in_a_family,
        ceiling,
    ),
    *(floor, annotators_too, many_annotators_too, equivalent, equivalent_three_systems, not_inferior_in_groups),
)
SCENARIOS = (
    *(
        Scenario(f"promised 0.80, {each.__name__.replace('_', ' ')}", each.__doc__ or "", each, 0.77, 0.83)
        for each in _PROMISED
    ),
    Scenario("interval of n, from a pilot", interval_from_pilot.__doc__ or "", interval_from_pilot, 0.93),
    Scenario("interval of n, preferences", interval_for_preferences.__doc__ or "", interval_for_preferences, 0.93),
)
