"""Two systems for annotators like these, not only for these: intervals that draw items and annotators."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from assay.model import Estimate
from assay.statistics.arrays import Floats, np
from assay.statistics.comparison.resample import quotient
from assay.statistics.draws import DRAWS, SEED
from assay.statistics.f_distribution import f_exceeded
from assay.statistics.jackknife import NO_SPREAD, t_quantile, values_differ


@dataclass(frozen=True, slots=True)
class BeyondPanel:
    """A value for annotators like these, with its standard error."""

    estimate: Estimate
    error: float | None = None
    degrees: float = 0.0


LEAST_ANNOTATORS = 4
"""Below so many annotators nothing can be said of others like them that holds often enough."""
CELLS = 2**22
"""How many numbers of a draw are held at a time."""


def difference_beyond_panel(
    rows: Iterable[tuple[Any, Any, Hashable, float]],
    first: Hashable,
    second: Hashable,
    clusters: Mapping[Any, Hashable] | None = None,
    seed: int = SEED,
    draws: int = DRAWS,
) -> BeyondPanel:
    """The difference of two systems' item means, from (item, annotator, system, value), for annotators like these.

    Items and annotators are both drawn with replacement, each by itself; a judgment counts as often as its item times
    its annotator (the pigeonhole bootstrap, whose variance is never too small on average). With s the standard
    deviation of the draws and g the smaller of the numbers of annotators and of items (or clusters of items),

        difference +- t_(g - 1) s sqrt(g / (g - 1))

    with Student's t, because the variance between annotators is known from g of them only. An interval over items alone
    answers for exactly these annotators: where some of them prefer one system, with four of them a claim about others
    would be wrong in 16 to 43 % of studies without any difference. Below four annotators of either system it is
    undefined.

    References: Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1. Owen, A. B. & Eckles, D.
    (2012). Bootstrapping data arrays of arbitrary order. Annals of Applied Statistics 6. Cameron, A. C. & Miller, D. L.
    (2015). A practitioner's guide to cluster-robust inference. Journal of Human Resources 50 (t with few clusters).

    Example:
        >>> cells = [(i, a, s) for i in range(40) for a in range(6) for s in "AB"]
        >>> rows = [(i, a, s, (i + a) % 3 + (s == "A") * (1 + a % 2)) for i, a, s in cells]
        >>> found = difference_beyond_panel(rows, "A", "B")
        >>> found.estimate.value, [round(bound, 1) for bound in found.estimate.ci], found.estimate.p < 0.01
        (1.5, [0.9, 2.1], True)
    """
    cells = [row for row in rows if row[2] in (first, second)]
    items, people = _numbers(row[0] for row in cells), _numbers(row[1] for row in cells)
    shape = len(people), len(items)
    sums, counts = ({name: np.zeros(shape) for name in (first, second)} for _ in range(2))
    for item, who, system, value in cells:
        sums[system][people[who], items[item]] += value
        counts[system][people[who], items[item]] += 1
    both = counts[first].any(axis=0) & counts[second].any(axis=0) if cells else np.zeros(0, dtype=bool)

    def difference(of_people: Floats, of_items: Floats) -> Floats:
        means = [quotient(of_people @ sums[name], of_people @ counts[name]) for name in (first, second)]
        apart = means[0] - means[1]
        told = ~np.isnan(apart) & both
        weights = of_items * told
        return quotient((np.where(told, apart, 0.0) * weights).sum(axis=1), weights.sum(axis=1))

    fewest = min((int(np.count_nonzero(each[:, both].any(axis=1))) for each in counts.values()), default=0)
    groups = _numbers((clusters or {}).get(item, item) for item in items)
    of_group = np.array([groups[(clusters or {}).get(item, item)] for item in items], dtype=int)
    return _two_way("difference", difference, shape[0], of_group, fewest, int(both.sum()), seed, draws)


def net_beyond_panel(
    rows: Iterable[tuple[Any, Any, float]],
    clusters: Mapping[Any, Hashable] | None = None,
    seed: int = SEED,
    draws: int = DRAWS,
) -> BeyondPanel:
    """A net win rate for annotators like these, from (item, annotator, 1 for a win, 0 for a tie or -1 for a loss).

    References: as in `difference_beyond_panel`.

    Example:
        >>> rows = [(i, a, 1 if (i * 7 + a * 3) % 10 < 8 else -1) for i in range(40) for a in range(6)]
        >>> found = net_beyond_panel(rows).estimate
        >>> round(found.value, 1), found.ci[0] > 0, found.ci[1] <= 1
        (0.6, True, True)
    """
    cells = list(rows)
    items, people = _numbers(row[0] for row in cells), _numbers(row[1] for row in cells)
    sums, counts = np.zeros((len(people), len(items))), np.zeros((len(people), len(items)))
    for item, who, points in cells:
        sums[people[who], items[item]] += points
        counts[people[who], items[item]] += 1

    def net(of_people: Floats, of_items: Floats) -> Floats:
        return quotient(
            ((of_people @ sums) * of_items).sum(axis=1),
            ((of_people @ counts) * of_items).sum(axis=1),
        )

    groups = _numbers((clusters or {}).get(item, item) for item in items)
    of_group = np.array([groups[(clusters or {}).get(item, item)] for item in items], dtype=int)
    found = _two_way("net", net, len(people), of_group, len(people), len(items), seed, draws)
    ci = found.estimate.ci
    if ci is None:
        return found
    return replace(found, estimate=replace(found.estimate, ci=(max(-1.0, ci[0]), min(1.0, ci[1]))))


def _two_way(
    name: str, formula: Any, n_people: int, of_group: Any, fewest: int, n_items: int, seed: int, draws: int
) -> BeyondPanel:
    """The value with its interval from a bootstrap over annotators and items, or why there is none."""
    n_groups = int(of_group.max(initial=-1)) + 1
    if not n_items:
        return BeyondPanel(Estimate(name, None, undefined="there is nothing that both were judged on"))
    if fewest < LEAST_ANNOTATORS:
        why = f"{fewest} annotators judged, and fewer than {LEAST_ANNOTATORS} say nothing of others like them"
        return BeyondPanel(Estimate(name, None, n=n_items, undefined=why))
    if n_groups < 2:
        return BeyondPanel(Estimate(name, None, n=n_items, undefined="there is only one item, or one source"))
    value = float(formula(np.ones((1, n_people)), np.ones((1, len(of_group))))[0])
    rng, parts = np.random.default_rng(seed), []
    step = max(1, CELLS // max(1, len(of_group)))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        of_people = rng.multinomial(n_people, np.full(n_people, 1 / n_people), size=size).astype(float)
        of_groups = rng.multinomial(n_groups, np.full(n_groups, 1 / n_groups), size=size).astype(float)
        parts.append(formula(of_people, of_groups[:, of_group]))
    drawn = np.concatenate(parts)
    drawn = drawn[~np.isnan(drawn)]
    few = min(fewest, n_groups)
    method = f"items and annotators drawn, {draws} draws, seed {seed}; t of {few - 1} degrees of freedom"
    if not len(drawn) or not values_differ(drawn):
        return BeyondPanel(Estimate(name, value, None, n_items, f"no interval: every draw {NO_SPREAD} ({method})"))
    error = float(drawn.std()) * (few / (few - 1)) ** 0.5
    half = t_quantile(few - 1) * error
    p = f_exceeded((value / error) ** 2, 1, few - 1)
    return BeyondPanel(Estimate(name, value, (value - half, value + half), n_items, method, p), error, few - 1)


def _numbers(names: Iterable[Any]) -> dict[Any, int]:
    return {name: at for at, name in enumerate(dict.fromkeys(names))}
