"""Two systems, or all of them: how far apart their scores lie, how sure that is, and how much it matters."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

from assay.model import Estimate
from assay.statistics.arrays import Floats, np
from assay.statistics.comparison.any_time import skewness
from assay.statistics.comparison.binary_tests import paired_shares
from assay.statistics.comparison.effect_sizes import cliffs_delta, cohens_d_av, superiority
from assay.statistics.comparison.multiple import bonferroni, holm
from assay.statistics.comparison.rank_tests import mann_whitney, sign_flip, wilcoxon
from assay.statistics.comparison.resample import Resamples, clusters_of, quotient, sums_by_value
from assay.statistics.comparison.unit_draws import MOST, Formula
from assay.statistics.draws import DRAWS, SEED
from assay.statistics.estimate import difference_of_means, welch_error
from assay.statistics.finite import numbers, refuse_beyond

Scores = Mapping[Any, float]
"""The score of each item: the mean of what its annotators gave."""
FEW_VALUES = 7
PAIRS_AT_ONCE = 3000
"""Cliff's delta of more distinct pairs of scores than this has no interval: each draw would compare all with all."""


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """Two systems. Every number favours the first where it is above 0 (a probability: above 0.5)."""

    first: Hashable
    second: Hashable
    paired: bool
    """Whether both were judged on the same items, and compared item by item."""
    n_items: int
    """How many items both share; in a comparison that is not paired, how many there are in all."""
    means: tuple[float | None, float | None]
    difference: Estimate
    tests: tuple[Estimate, ...]
    """Paired: `sign_flip` and `wilcoxon`. Not paired: `mann_whitney`."""
    effects: tuple[Estimate, ...]
    """Paired: `d_z`, `d_av`, `rank_biserial`, `cliffs_delta`, `superiority`. Not paired: the last two and `d_av`."""
    p: float | None
    """Of the test that was chosen beforehand, as if it were the only one."""
    error: float | None = None
    """The standard error of the difference, over items or clusters; None where it has none."""
    degrees: float = 0.0
    """Its degrees of freedom."""
    skew: float = 0.0
    """The skewness of the differences of items, or of clusters."""
    p_holm: float | None = None
    """The same, with all pairs of systems looked at together; likewise the next."""
    p_bonferroni: float | None = None


def item_means(rows: Iterable[tuple[Any, Any, float]]) -> dict[Any, dict[Any, float]]:
    """From (item, system, value) of single judgments to the mean score of each item, for each system.

    Example:
        >>> item_means([("i1", "A", 4), ("i1", "A", 5), ("i1", "B", 2)])
        {'A': {'i1': 4.5}, 'B': {'i1': 2.0}}
    """
    values: dict[Any, dict[Any, list[float]]] = defaultdict(lambda: defaultdict(list))
    for item, system, value in rows:
        values[system][item].append(value)
    return {
        system: {item: _mean_of_few(each) for item, each in of_items.items()} for system, of_items in values.items()
    }


def compare(
    first: Scores,
    second: Scores,
    names: tuple[Hashable, Hashable] = ("first", "second"),
    clusters: Mapping[Any, Hashable] | None = None,
    test: Literal["sign_flip", "wilcoxon"] = "sign_flip",
    seed: int = SEED,
    draws: int = DRAWS,
) -> SystemComparison:
    """Two systems on the items that both were judged on: the mean of the differences, tests of it, effect sizes.

    How hard an item is cancels out of the difference of two systems on it, so pairs tell more than groups.
    Intervals are a bootstrap over items, or over clusters of items that share a prompt or document; below 30 of them a
    jackknife, which for a mean is Student's interval. Wilcoxon's test takes items as independent, and is not made where
    they share a source; turning signs turns those of a cluster together.

    References: Efron, B. & Tibshirani, R. (1993). An introduction to the bootstrap. van der Lee, C. et al. (2019). Best
    practices for the human evaluation of automatically generated text. INLG.

    Example:
        >>> a = {"i1": 4, "i2": 5, "i3": 3, "i4": 4, "i5": 5}
        >>> b = {"i1": 2, "i2": 4, "i3": 3, "i4": 2, "i6": 1}
        >>> found = compare(a, b)
        >>> found.n_items, found.difference.value, [round(bound, 2) for bound in found.difference.ci]
        (4, 1.25, [-0.27, 2.77])
    """
    shared = [item for item in first if item in second]
    table = numbers([(first[item], second[item]) for item in shared]).reshape(-1, 2)
    groups = clusters_of(shared, clusters)
    source = Resamples(table, groups, seed, draws)
    a, b = source.rows[:, 0], source.rows[:, 1]
    d = np.round(a - b, 10)
    nothing = "the two systems share no item"
    difference = source.measure("difference", lambda w: quotient(w @ d, w.sum(axis=1)), nothing)
    differences = np.round(table[:, 0] - table[:, 1], 10)
    signed_ranks = wilcoxon(differences)
    if groups is not None and len(set(groups)) < len(groups):
        signed_ranks = replace(signed_ranks, p=None, method="no test: items share a source, and ranks take them alone")
    made = (sign_flip(differences, groups, seed), signed_ranks)
    return SystemComparison(
        *names,
        paired=True,
        n_items=len(shared),
        means=(_mean(table[:, 0]), _mean(table[:, 1])),
        difference=difference,
        tests=made,
        effects=_effects_of_pairs(source, a, b, d, nothing),
        p=next(each.p for each in made if each.name == test),
        error=source.error_of(lambda w: quotient(w @ d, w.sum(axis=1))),
        degrees=min(source.n_units, MOST) - 1,
        skew=skewness(*source.ratio_of_units(d, np.ones(len(d)))),
    )


def compare_unpaired(
    first: Sequence[float], second: Sequence[float], names: tuple[Hashable, Hashable] = ("first", "second")
) -> SystemComparison:
    """Two systems judged on different items, one score for each: Welch's difference, Mann-Whitney, effect sizes.

    A difference between the two may be one between their items. Where both were judged on the same ones, use `compare`.

    Reference: Welch, B. L. (1947). The generalization of "Student's" problem. Biometrika 34.

    Example:
        >>> found = compare_unpaired([3, 4, 5, 4], [1, 2, 3])
        >>> found.difference.value, round(found.p, 3), [effect.name for effect in found.effects]
        (2.0, 0.072, ['d_av', 'cliffs_delta', 'superiority'])
    """
    n, empty = len(first) + len(second), "one of the two has no items"
    welch = difference_of_means(first, second)
    means = _mean(numbers(first)), _mean(numbers(second))
    if means[0] is None or means[1] is None:
        difference = Estimate("difference", None, n=n, undefined=empty)
    elif welch is None:
        difference = Estimate("difference", means[0] - means[1], n=n, method="no interval: fewer than two items in one")
    else:
        difference = Estimate("difference", welch.value, (welch.low, welch.high), n, "Welch's interval", welch.p)
    test = mann_whitney(first, second)
    flat = "neither system's scores vary"
    effects = (
        _plain("d_av", cohens_d_av(first, second), n, flat if min(len(first), len(second)) > 1 else "too few items"),
        _plain("cliffs_delta", cliffs_delta(first, second), n, empty),
        _plain("superiority", superiority(first, second), n, empty),
    )
    error, degrees = welch_error(first, second) or (None, 0.0)
    return SystemComparison(*names, False, n, means, difference, (test,), effects, test.p, error, degrees)


def compare_all(
    scores: Mapping[Any, Scores],
    clusters: Mapping[Any, Hashable] | None = None,
    test: Literal["sign_flip", "wilcoxon"] = "sign_flip",
    seed: int = SEED,
    draws: int = DRAWS,
) -> list[SystemComparison]:
    """Each pair of systems, from the score of each item for each system; p-values also for all pairs together.

    Pairs that share two items or more are compared on these, item by item; others as groups; `paired` says which.
    Holm's p-values count every pair that has one.

    Reference: Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of
    Statistics 6.

    Example:
        >>> scores = {"A": {1: 4, 2: 5, 3: 4}, "B": {1: 3, 2: 3, 3: 4}, "C": {1: 1, 2: 2, 3: 1}}
        >>> for pair in compare_all(scores):
        ...     print(pair.first, pair.second, pair.difference.value, pair.p, pair.p_holm)
        A B 1.0 0.5 0.75
        A C 3.0 0.25 0.75
        B C 2.0 0.25 0.75
    """
    found = []
    for one, other in combinations(scores, 2):
        if len(scores[one].keys() & scores[other].keys()) >= 2:
            found.append(compare(scores[one], scores[other], (one, other), clusters, test, seed, draws))
        else:
            values = list(scores[one].values()), list(scores[other].values())
            found.append(compare_unpaired(*values, names=(one, other)))
    tested = [at for at, each in enumerate(found) if each.p is not None]
    p = [each.p for each in found if each.p is not None]
    for at, by_holm, by_bonferroni in zip(tested, holm(p), bonferroni(p), strict=True):
        found[at] = replace(found[at], p_holm=by_holm, p_bonferroni=by_bonferroni)
    return found


def compare_shares(first: Mapping[Any, bool], second: Mapping[Any, bool]) -> Estimate:
    """Yes and no for each item of two systems: the difference of shares on the items that both were judged on.

    With Newcombe's interval and McNemar's exact p-value, as in `binary_tests.paired_shares`.

    Reference: Newcombe, R. G. (1998). Statistics in Medicine 17 (method 10); McNemar, Q. (1947). Psychometrika 12.

    Example:
        >>> compare_shares({1: True, 2: True, 3: False}, {1: True, 2: False, 3: False, 4: True}).value
        0.3333333333333333
    """
    pairs = Counter((bool(first[item]), bool(second[item])) for item in first if item in second)
    return paired_shares(pairs[True, True], pairs[True, False], pairs[False, True], pairs[False, False])


def _effects_of_pairs(source: Resamples, a: Floats, b: Floats, d: Floats, nothing: str) -> tuple[Estimate, ...]:
    n = source.n_items
    few = "fewer than two items" if n else nothing
    alike = "all differences are equal, so their spread is 0" if n > 1 else few
    flat = "neither system's scores vary" if n > 1 else few
    superior = ((d > 0) + (d == 0) / 2).astype(float)
    return (
        source.measure("d_z", lambda w: quotient(_mean_of(w, d), np.sqrt(_variance(w, d))), alike),
        source.measure(
            "d_av",
            lambda w: quotient(_mean_of(w, d), np.sqrt((_variance(w, a) + _variance(w, b)) / 2)),
            flat,
        ),
        source.measure(
            "rank_biserial", _rank_biserial(d), "no difference is other than zero" if n else nothing, lowest=-1
        ),
        _cliffs_delta(source, a, b, nothing),
        source.share("superiority", superior, np.ones(len(superior)), nothing, most=n),
    )


def _mean_of_few(values: Sequence[float]) -> float:
    """The mean of a few numbers in plain Python: an array for each of many items would be slow."""
    if len(values) > FEW_VALUES:
        return float(numbers(values).mean())
    refuse_beyond(values)
    total = 0.0
    for value in values:  # added in the order in which numpy adds so few numbers
        total += value
    return total / len(values)


def _mean_of(weights: Floats, values: Floats) -> Floats:
    return quotient(weights @ values, weights.sum(axis=1))


def _variance(weights: Floats, values: Floats) -> Floats:
    """The variance, divided by n - 1; 0 below 1e-12, which rounding can leave of equal values."""
    n = weights.sum(axis=1)
    centred = values - values.mean() if len(values) else values
    squares = weights @ centred**2 - quotient((weights @ centred) ** 2, n)
    found: Floats = quotient(np.where(squares > 1e-10, squares, 0.0), n - 1)
    return found


def _rank_biserial(d: Floats) -> Formula:
    """The formula of `effect_sizes.rank_biserial` for weighted differences."""
    moving = np.flatnonzero(d)
    signs, sums = np.sign(d[moving]), sums_by_value(np.abs(d[moving]))

    def formula(weights: Floats) -> Floats:
        counts = sums(weights[:, moving])
        n = counts.sum(axis=1)
        rank = np.cumsum(counts, axis=1) - (counts - 1) / 2
        return quotient((sums(weights[:, moving] * signs) * rank).sum(axis=1), n * (n + 1) / 2)

    return formula


def _cliffs_delta(source: Resamples, a: Floats, b: Floats, nothing: str) -> Estimate:
    if len(a) > PAIRS_AT_ONCE:
        value = cliffs_delta(np.repeat(a, source.counts.astype(int)), np.repeat(b, source.counts.astype(int)))
        method = f"no interval: more than {PAIRS_AT_ONCE} distinct pairs of scores"
        return Estimate("cliffs_delta", value, n=source.n_items, method=method)
    above = np.sign(np.subtract.outer(a, b))
    return source.measure(
        "cliffs_delta", lambda w: quotient(((w @ above) * w).sum(axis=1), w.sum(axis=1) ** 2), nothing, lowest=-1
    )


def _plain(name: str, value: float | None, n: int, why: str) -> Estimate:
    return Estimate(name, value, n=n, undefined=why if value is None else None)


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None
