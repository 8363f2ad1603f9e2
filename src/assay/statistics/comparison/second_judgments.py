"""Whether somebody who judges the same thing again says the same again."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from statistics import fmean, variance
from typing import Any

from assay.model import Estimate
from assay.statistics.arrays import np
from assay.statistics.comparison import weighted_formulas
from assay.statistics.comparison.resample import Resamples
from assay.statistics.comparison.shares import share_of
from assay.statistics.draws import DRAWS, SEED
from assay.statistics.estimate import mean_of
from assay.statistics.scale import Scale


@dataclass(frozen=True, slots=True)
class SecondJudgments:
    """How far second judgments are like first ones."""

    exact: Estimate
    within_one: Estimate
    """No more than 1 apart on the scale."""
    kappa: Estimate
    """First against second: with quadratic weights where values stand in an order, else Cohen's."""
    change: Estimate
    """The mean of second minus first: the effect of practice, or of fatigue."""


def second_judgments(
    rows: Iterable[tuple[Hashable, Any, Any]], scale: Scale, seed: int = SEED, draws: int = DRAWS
) -> SecondJudgments:
    """First and second judgments of the same things by the same people, from (item, first, second).

    Nobody can be expected to agree with others better than with themselves: what is found here is the most that
    agreement between people could reach. Distances are those of the declared scale, or of ranks where its values are
    words. Intervals of shares are Wilson's (see `share_of`), of the change Student's over items, of kappa a
    bootstrap over items, below 30 of them a jackknife.

    References: Wilson, E. B. (1927). Journal of the American Statistical Association 22. Graham, Y. et al. (2013).
    Continuous measurement scales in human evaluation of machine translation. LAW (repeats as a check of annotators).

    Raises:
        ValueError: A value is not on the scale.

    Example:
        >>> rows = [(i, 1 + i % 5, 1 + i % 5 + (i % 10 == 0)) for i in range(40)]
        >>> found = second_judgments(rows, Scale((1, 2, 3, 4, 5), "ordinal"))
        >>> found.exact.value, found.within_one.value, found.change.value
        (0.9, 1.0, 0.1)
    """
    positions = dict(zip(scale.categories, scale.positions.tolist(), strict=True))
    found = []
    for item, first, second in rows:
        for value in (first, second):
            if value not in positions:
                raise ValueError(f"{value!r}, given to item {item!r}, is not on the scale {scale}")
        found.append((item, positions[first], positions[second]))
    same = share_of("exact", [(item, first == second) for item, first, second in found], "second judgments")
    if scale.level == "nominal":
        why = "values of a nominal scale lie no distance apart"
        near, change = (Estimate(name, None, n=len(found), undefined=why) for name in ("within_one", "change"))
        return SecondJudgments(same, near, _kappa(found, weighted_formulas.cohen_kappa, seed, draws), change)
    close = [(item, abs(first - second) <= 1 + 1e-9) for item, first, second in found]
    return SecondJudgments(
        same,
        share_of("within_one", close, "second judgments"),
        _kappa(found, weighted_formulas.quadratic_kappa, seed, draws),
        _change(found),
    )


def _kappa(found: list[tuple[Hashable, float, float]], between: Any, seed: int, draws: int) -> Estimate:
    if not found:
        return Estimate("kappa", None, undefined="there are no second judgments")
    items = [item for item, *_ in found]
    repeated = len(set(items)) < len(items)
    table = np.array([each[1:] for each in found], dtype=float)
    source = Resamples(table, items if repeated else None, seed, draws)
    formula = between(source.rows[:, 0], source.rows[:, 1])
    return source.measure("kappa", formula, "every value is the same", -1.0)


def _change(found: list[tuple[Hashable, float, float]]) -> Estimate:
    by_item: dict[Hashable, list[float]] = defaultdict(list)
    for item, first, second in found:
        by_item[item].append(second - first)
    mean = mean_of([fmean(each) for each in by_item.values()])
    if mean is None:
        return Estimate("change", None, n=len(by_item), undefined="fewer than two items came twice")
    return Estimate("change", mean.value, (mean.low, mean.high), mean.n, "Student's interval over items", mean.p)


def variance_of_runs(rows: Iterable[tuple[Hashable, Hashable, Any]], scale: Scale) -> Estimate:
    """How far several judgments of the same thing by the same judge lie apart: the mean of their variances.

    From (group, thing, value), a row for each judgment; distances are those of the declared scale. Things of one group
    count as one in the interval, which is Student's over groups.

    References: Bland, J. M. & Altman, D. G. (1996). Measurement error. BMJ 312 (the variance within subjects).

    Raises:
        ValueError: A value is not on the scale.

    Example:
        >>> rows = [("a", "a", 1), ("a", "a", 3), ("b", "b", 2), ("b", "b", 2)]
        >>> variance_of_runs(rows, Scale((1, 2, 3), "ordinal")).value
        1.0
    """
    if scale.level == "nominal":
        return Estimate("variance", None, undefined="values of a nominal scale lie no distance apart")
    positions = dict(zip(scale.categories, scale.positions.tolist(), strict=True))
    runs: dict[tuple[Hashable, Hashable], list[float]] = defaultdict(list)
    for group, thing, value in rows:
        if value not in positions:
            raise ValueError(f"{value!r}, given to item {thing!r}, is not on the scale {scale}")
        runs[group, thing].append(positions[value])
    by_group: dict[Hashable, list[float]] = defaultdict(list)
    for (group, _), values in runs.items():
        if len(values) > 1:
            by_group[group].append(variance(values))
    mean = mean_of([fmean(each) for each in by_group.values()])
    if mean is None:
        return Estimate("variance", None, n=len(by_group), undefined="fewer than two items came twice")
    return Estimate("variance", mean.value, (max(0.0, mean.low), mean.high), mean.n, "Student's interval over items")


judged_twice = second_judgments  # its name in 0.1.0
