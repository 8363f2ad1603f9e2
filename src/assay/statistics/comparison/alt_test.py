"""The alternative annotator test: may an automated judge take the place of people?"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

from assay.statistics.arrays import np
from assay.statistics.comparison.multiple import benjamini_yekutieli
from assay.statistics.finite import refuse_beyond

EPSILON = {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}
"""How much worse than people a judge may be for what it saves, by who these people are."""
ENOUGH_ITEMS = 30
ENOUGH_PEOPLE = 3


@dataclass(frozen=True, slots=True)
class AgainstPerson:
    """The judge in the place of one person, against the others."""

    person: Hashable
    n: int
    judge: float
    """In what share of items the judge is at least as near to the others as the person: the advantage probability."""
    people: float
    """In what share the person is at least as near as the judge."""
    p: float
    """Of the hypothesis that the judge is worse by epsilon or more."""
    p_adjusted: float
    won: bool


@dataclass(frozen=True, slots=True)
class AltTest:
    """Whether the judge may take the place of people: it passes where it wins against half of them or more."""

    winning_rate: float | None
    """Omega: against what share of people it wins."""
    advantage: float | None
    """Rho: the mean of the advantage probabilities."""
    passes: bool | None
    epsilon: float
    persons: tuple[AgainstPerson, ...]
    warnings: tuple[str, ...]
    undefined: str | None = None


def alt_test(
    judge: Mapping[Any, Any],
    people: Iterable[tuple[Any, Any, Any]],
    epsilon: float = EPSILON["experts"],
    distance: Literal["equal", "squared"] = "equal",
    q: float = 0.05,
    least: int = ENOUGH_ITEMS,
) -> AltTest:
    """The test of Calderon, Reichart and Dror, from the judge's values and (item, annotator, value) of people.

    Each person in turn is set aside, and judge and person compared in how near they are to the others of each item: in
    the share of them who gave the same value (`equal`), or in the root of the mean squared difference (`squared`).
    W_judge is 1 where the judge is at least as near, W_person where the person is. Then

        rho_judge = mean of W_judge,  rho_person = mean of W_person
        H0: rho_judge <= rho_person - epsilon

    is tested by a one-sided t-test of W_person - W_judge against epsilon. The judge wins against those whose null
    hypothesis is rejected at the false discovery rate q, by Benjamini and Yekutieli's procedure. Omega is the
    share of them, and 0.5 passes. Persons with fewer than `least` items with another person are left out and named.

    Reference: Calderon, N., Reichart, R. & Dror, R. (2025). The alternative annotator test for LLM-as-a-judge: how to
    statistically justify replacing human annotators with LLMs. ACL.

    Example:
        >>> people = [(i, who, (i + who * (i % 4 == who)) % 3) for i in range(60) for who in range(3)]
        >>> found = alt_test({i: i % 3 for i in range(60)}, people)
        >>> found.winning_rate, round(found.advantage, 3), found.passes
        (1.0, 1.0, True)
    """
    by_item: dict[Any, dict[Any, Any]] = defaultdict(dict)
    for item, person, value in people:
        if item in judge:
            by_item[item][person] = value
    near = _equal if distance == "equal" else _squared_distance
    wins: dict[Any, list[tuple[bool, bool]]] = defaultdict(list)
    for item, given in by_item.items():
        for person, value in given.items():
            others = [other for name, other in given.items() if name != person]
            if others:
                judged, own = near(judge[item], others), near(value, others)
                wins[person].append((judged >= own, own >= judged))
    tested = {person: each for person, each in wins.items() if len(each) >= least}
    warnings = _warnings(wins, tested, least)
    if not tested:
        why = f"no person has {least} items that another person judged too"
        return AltTest(None, None, None, epsilon, (), warnings, why)
    p = [_p_of([person - machine for machine, person in each], epsilon) for each in tested.values()]
    adjusted = benjamini_yekutieli(p)
    persons = tuple(
        AgainstPerson(
            person,
            len(each),
            fmean(machine for machine, _ in each),
            fmean(own for _, own in each),
            p[at],
            adjusted[at],
            adjusted[at] <= q,
        )
        for at, (person, each) in enumerate(tested.items())
    )
    rate = fmean(each.won for each in persons)
    return AltTest(rate, fmean(each.judge for each in persons), rate >= 0.5, epsilon, persons, warnings)


Near = Callable[[Any, Sequence[Any]], float]


def _equal(value: Any, others: Sequence[Any]) -> float:
    return fmean(value == other for other in others)


def _squared_distance(value: Any, others: Sequence[Any]) -> float:
    refuse_beyond([value, *others])
    # The root does not change which is nearer; rounding would break ties.
    return -round(fmean((value - other) ** 2 for other in others), 10)


def _p_of(differences: Sequence[int], epsilon: float) -> float:
    """The one-sided t-test that the mean is below epsilon.

    Where all differences are equal there is no t. If the mean were epsilon, at least that share of them would be 1, and
    not to see any has a probability of (1 - epsilon)^n at most.
    """
    d = np.asarray(differences, dtype=float)
    if len(d) < 2 or np.ptp(d) == 0:
        return float((1 - epsilon) ** len(d)) if len(d) > 1 and d[0] <= 0 else 1.0
    from scipy.special import stdtr

    t = (d.mean() - epsilon) / (d.std(ddof=1) / np.sqrt(len(d)))
    return float(stdtr(len(d) - 1, t))


def _warnings(wins: Mapping[Any, Sequence[Any]], tested: Mapping[Any, Sequence[Any]], least: int) -> tuple[str, ...]:
    found = []
    out = [str(person) for person in wins if person not in tested]
    if out:
        found.append(f"left out, with fewer than {least} items that another person judged too: {', '.join(out)}")
    if least < ENOUGH_ITEMS and any(len(each) < ENOUGH_ITEMS for each in tested.values()):
        found.append(f"persons with fewer than {ENOUGH_ITEMS} items: the t-test is not to be relied on")
    if 0 < len(tested) < ENOUGH_PEOPLE:
        found.append(f"{len(tested)} persons, and the test is made for {ENOUGH_PEOPLE} or more")
    return tuple(found)
