"""Studies of agreement: how often its intervals hold."""

from collections.abc import Callable, Iterator
from statistics import NormalDist

import numpy as np
from tools.coverage_scenario import Scenario, holds

from assay.statistics import Ratings, agree

SCALE = (1, 2, 3, 4, 5)
TRUE_KAPPA = 0.3890
"""Of one million items with two judgments each, drawn like those of `_incomplete`."""


def exact_agreement(seed: int) -> bool | None:
    """Two annotators agree on 97 % of items, 40 items."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 2, size=40)
    values = np.column_stack([first, np.where(rng.random(40) < 0.97, first, 1 - first)])
    table = Ratings(values, (0, 1), "nominal", tuple(range(40)), ("a", "b"))
    return holds(agree(table, ["percent_agreement"], seed, 300)[0].ci, 0.97)


def exact_agreement_in_groups(seed: int) -> bool | None:
    """Two annotators agree on 90 % of items, in 40 groups of 5 that are easy (98 %) or hard (82 %)."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(40), 5)
    share = rng.choice([0.98, 0.82], size=40)[groups]
    first = rng.integers(0, 2, size=200)
    values = np.column_stack([first, np.where(rng.random(200) < share, first, 1 - first)])
    table = Ratings(values, (0, 1), "nominal", tuple(range(200)), ("a", "b"), groups)
    return holds(agree(table, ["percent_agreement"], seed, 300)[0].ci, 0.9)


def _incomplete(rng: np.random.Generator, n: int, people: int, on_each: int = 3) -> np.ndarray:
    """Items with some of so many people on each."""
    values = np.full((n, people), -1)
    quality = rng.normal(size=n)
    for item in range(n):
        who = rng.choice(people, on_each, replace=False)
        values[item, who] = np.clip(np.round(quality[item] + 0.8 * rng.normal(size=on_each) + 2), 0, 4)
    return values


def mean_of_kappas(seed: int) -> bool | None:
    """60 items, 3 of 5 people on each: the mean of linear kappas over pairs."""
    values = _incomplete(np.random.default_rng(seed), 60, 5)
    table = Ratings(values, SCALE, "ordinal", tuple(range(60)), tuple(range(5)))
    return holds(agree(table, ["cohen_kappa_linear"], seed, 300)[0].ci, TRUE_KAPPA)


def mean_of_kappas_few_shared(seed: int) -> bool | None:
    """150 items, 3 of 7 people on each: pairs share about 21 items, and those count that share 20."""
    values = _incomplete(np.random.default_rng(seed), 150, 7)
    table = Ratings(values, SCALE, "ordinal", tuple(range(150)), tuple(range(7)))
    return holds(agree(table, ["cohen_kappa_linear"], seed, 300)[0].ci, TRUE_KAPPA)


def mean_of_kappas_of_a_crowd(seed: int) -> bool | None:
    """40 items, all of 150 people on each: 11,175 pairs, too many to draw for, so items are left out."""
    return _of_a_crowd(seed, 40, 150)


def mean_of_kappas_of_a_crowd_with_gaps(seed: int) -> bool | None:
    """60 items, 100 of 150 people on each: as many pairs, which share about 27 items."""
    return _of_a_crowd(seed, 60, 100)


def _of_a_crowd(seed: int, n: int, on_each: int) -> bool | None:
    values = _incomplete(np.random.default_rng(seed), n, 150, on_each)
    table = Ratings(values, SCALE, "ordinal", tuple(range(n)), tuple(range(150)))
    return holds(agree(table, ["cohen_kappa_linear"], seed, 300)[0].ci, TRUE_KAPPA)


TRUE_VALUES = {
    "krippendorff_alpha_ordinal": 0.5587,
    "fleiss_kappa": 0.1898,
    "krippendorff_alpha_nominal": 0.2094,
}
"""Of one million items with three judgments each: of points of 1 to 5 (alpha by their order, kappa by equality) drawn
like those of `_incomplete`, and (alpha of names) of a yes that 15 % of judgments are."""
POINTS, RARE = "krippendorff_alpha_ordinal", "krippendorff_alpha_nominal"


def _judgments(name: str, rng: np.random.Generator, n: int, people: int) -> np.ndarray:
    """Judgments of n items by everybody: points, or a yes that is rare."""
    if name == RARE:
        return (np.sqrt(0.4) * rng.normal(size=(n, 1)) + np.sqrt(0.6) * rng.normal(size=(n, people)) > RARE_FROM) * 1
    heard = rng.normal(size=(n, 1)) + 0.8 * rng.normal(size=(n, people))
    return np.clip(np.round(heard + 2), 0, 4).astype(int)


RARE_FROM = NormalDist().inv_cdf(0.85)


def coefficient(name: str, n: int, people: int, on_each: int) -> Callable[[int], bool | None]:
    """Studies of n items, some of so many people on each: the interval of a coefficient holds its true value."""

    def one(seed: int) -> bool | None:
        rng = np.random.default_rng(seed)
        values = _judgments(name, rng, n, people)
        values[rng.random((n, people)).argsort(axis=1).argsort(axis=1) >= on_each] = -1
        scale, level = ((0, 1), "nominal") if name == RARE else (SCALE, "ordinal")
        table = Ratings(values.astype(np.int8), scale, level, tuple(range(n)), tuple(range(people)))
        return holds(agree(table, [name], seed, 300)[0].ci, TRUE_VALUES[name])

    return one


DESIGNS = ((20, 3, 3), (40, 2, 2), (40, 5, 5), (60, 3, 3), (60, 7, 3), (150, 3, 3))


def _of_coefficient(name: str, called: str, least: float, words: str) -> Iterator[Scenario]:
    for n, people, on_each in DESIGNS:
        who = f"{people} people" if people == on_each else f"{on_each} of {people} people on each"
        one = coefficient(name, n, people, on_each)
        yield Scenario(f"{called}, {n} items, {who}", f"{words}, {n} items, {who}.", one, least)


SCENARIOS = (
    Scenario("exact agreement", exact_agreement.__doc__ or "", exact_agreement, 0.93),
    Scenario("exact agreement, groups", exact_agreement_in_groups.__doc__ or "", exact_agreement_in_groups, 0.93),
    Scenario("mean of kappas", mean_of_kappas.__doc__ or "", mean_of_kappas, 0.93),
    Scenario("mean of kappas, few shared", mean_of_kappas_few_shared.__doc__ or "", mean_of_kappas_few_shared, 0.93),
    Scenario("mean of kappas, 11,175 pairs", mean_of_kappas_of_a_crowd.__doc__ or "", mean_of_kappas_of_a_crowd, 0.93),
    Scenario(
        "mean of kappas, 11,175 pairs, gaps",
        mean_of_kappas_of_a_crowd_with_gaps.__doc__ or "",
        mean_of_kappas_of_a_crowd_with_gaps,
        0.93,
    ),
    *_of_coefficient(POINTS, "alpha", 0.93, "Krippendorff's alpha (ordinal) of 0.56"),
    *_of_coefficient("fleiss_kappa", "Fleiss' kappa", 0.88, "Fleiss' kappa of 0.19 over five points"),
    *_of_coefficient(RARE, "alpha of a rare yes", 0.8, "Krippendorff's alpha (nominal) of 0.21, 15 % yes"),
)
