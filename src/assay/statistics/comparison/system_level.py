"""Whether a judge ranks systems as people do, and whether judges can be compared at all."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from assay.model import Estimate
from assay.statistics.arrays import Floats, np
from assay.statistics.comparison.resample import percentiles, quotient
from assay.statistics.draws import DRAWS, SEED
from assay.statistics.finite import refuse_beyond

ENOUGH_SHARED = 0.5
"""Judges that share less than this share of their items are treated as if they had judged different items."""


@dataclass(frozen=True, slots=True)
class SystemLevel:
    """Means of systems by judge and by people."""

    means: tuple[tuple[Hashable, float, float], ...]
    """(system, mean of the judge, mean of people), on items that both judged; the best by people first."""
    tau_b: Estimate
    pairwise_accuracy: Estimate
    """The share of pairs of systems that the judge puts in the order of the people."""
    items_only: tuple[Estimate, Estimate]
    """The same two with intervals for these very systems: drawing items, not systems."""


def system_level(rows: Iterable[tuple[Any, Any, float, float]], seed: int = SEED, draws: int = DRAWS) -> SystemLevel:
    """From (item, system, value of the judge, mean of people): do the systems' means have the same order?

    Kendall's tau-b of the two lists of means, and the share of pairs that both put in the same order; a pair that
    is tied by people is left out, one that is tied by the judge alone counts half. Intervals draw items and systems,
    both with replacement: other items and other systems might have been at hand. A system drawn twice is not compared
    with itself. With few systems they are wide, and so is what can be said.

    Reference: Deutsch, D., Dror, R. & Roth, D. (2021). A statistical analysis of summarization evaluation metrics using
    resampling methods. TACL 9. Kocmi, T. et al. (2021). To ship or not to ship. WMT (pairwise accuracy).

    Example:
        >>> rows = [(i, system, at + i % 3, at * 2 + i % 2) for i in range(40) for at, system in enumerate("ABCD")]
        >>> found = system_level(rows)
        >>> found.tau_b.value, found.pairwise_accuracy.value, found.means[0][0]
        (1.0, 1.0, 'D')
    """
    data = list(rows)
    items, systems = ({name: at for at, name in enumerate(dict.fromkeys(row[c] for row in data))} for c in (0, 1))
    sums = np.zeros((3, len(items), len(systems)))
    refuse_beyond(value for row in data for value in row[2:])
    for item, system, judge, people in data:
        sums[:, items[item], systems[system]] += (judge, people, 1.0)
    everything = np.ones((1, len(items))), np.ones((1, len(systems)))
    values = _orders(sums, *everything)
    if len(systems) < 2:
        none = [Estimate(name, None, n=len(systems), undefined="there are no two systems") for name in NAMES]
        return SystemLevel(_means(sums, list(systems)), none[0], none[1], (none[0], none[1]))
    rng = np.random.default_rng(seed)
    by_item = rng.multinomial(len(items), np.full(len(items), 1 / len(items)), size=draws).astype(float)
    by_system = rng.multinomial(len(systems), np.full(len(systems), 1 / len(systems)), size=draws).astype(float)
    told = f"{draws} draws, seed {seed}"
    both = _measures(values, _orders(sums, by_item, by_system), f"items and systems, {told}", len(systems))
    alone = _measures(values, _orders(sums, by_item, np.ones_like(by_system)), f"items, {told}", len(systems))
    return SystemLevel(_means(sums, list(systems)), *both, items_only=alone)


NAMES = ("tau_b", "pairwise_accuracy")


def _orders(sums: Floats, by_item: Floats, by_system: Floats) -> tuple[Floats, Floats]:
    """Tau-b and pairwise accuracy for each row of weights of items (b, n) and of systems (b, S)."""
    judge, people, n = (by_item @ each for each in sums)
    judge, people = (np.round(quotient(each, n), 10) for each in (judge, people))
    one, other = np.triu_indices(sums.shape[2], 1)
    weight = by_system[:, one] * by_system[:, other]
    signs = [np.nan_to_num(np.sign(each[:, one] - each[:, other])) for each in (judge, people)]
    # A system of which a draw holds no item cannot be compared there.
    weight = weight * ~np.isnan(judge[:, one] - judge[:, other])
    agree = signs[0] * signs[1]
    differ = [(weight * (each != 0)).sum(axis=1) for each in signs]
    tau = quotient((weight * agree).sum(axis=1), np.sqrt(differ[0] * differ[1]))
    accuracy = quotient((weight * (agree + 1) / 2 * (signs[1] != 0)).sum(axis=1), differ[1])
    return tau, accuracy


def _measures(
    values: tuple[Floats, Floats], drawn: tuple[Floats, Floats], told: str, n: int
) -> tuple[Estimate, Estimate]:
    found = []
    for name, value, replicates in zip(NAMES, values, drawn, strict=True):
        if np.isnan(value[0]):
            found.append(Estimate(name, None, n=n, undefined="all systems have the same mean, by judge or by people"))
            continue
        ci, method = percentiles(replicates, told)
        found.append(Estimate(name, float(value[0]), ci, n, method))
    return found[0], found[1]


def _means(sums: Floats, systems: list[Any]) -> tuple[tuple[Hashable, float, float], ...]:
    judge, people, n = sums.sum(axis=1)
    found = [(name, float(judge[at] / n[at]), float(people[at] / n[at])) for at, name in enumerate(systems)]
    return tuple(sorted(found, key=lambda each: -each[2]))


def why_not_comparable(judged: Iterable[tuple[Any, Any]]) -> tuple[str, ...]:
    """What keeps judges from being compared, from (judge, item): each pair that saw different items, in words.

    Where each judge saw other items, a judge that agrees better may only have had the easier ones. Nothing that is
    computed afterwards can tell the two apart.

    Example:
        >>> why_not_comparable([("gpt", 1), ("gpt", 2), ("claude", 3), ("claude", 4)])
        ('gpt and claude judged no item in common: what differs between them may be their items',)
    """
    items: Mapping[Any, set[Any]] = defaultdict(set)
    for judge, item in judged:
        items[judge].add(item)
    found = []
    for one, other in combinations(items, 2):
        shared, smaller = len(items[one] & items[other]), min(len(items[one]), len(items[other]))
        if not shared:
            found.append(f"{one} and {other} judged no item in common: what differs between them may be their items")
        elif shared == smaller < max(len(items[one]), len(items[other])):
            few, more = sorted((one, other), key=lambda judge: len(items[judge]))
            found.append(
                f"{few} judged {smaller} of the {len(items[more])} items of {more}: compare them on these only"
            )
        elif shared < ENOUGH_SHARED * smaller:
            found.append(
                f"{one} and {other} have {shared} items in common, of {len(items[one])} and {len(items[other])}: "
                "compare them on these only"
            )
    return tuple(found)


confounded = why_not_comparable  # its name in 0.1.0
