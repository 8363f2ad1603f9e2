"""What people gave where a judge gave a value: point by point of the scale."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from assay.model import Estimate
from assay.statistics.estimate import mean_of
from assay.statistics.scale import Scale

ROUNDING = "the mean of an item's people goes to the nearest point of the scale; halfway between two, to the higher one"


@dataclass(frozen=True, slots=True)
class AtValue:
    """What people gave, on average, to the items to which the judge gave one value."""

    value: Hashable
    n: int
    """How many items."""
    people: Estimate
    """The mean of their item means."""


def people_at_each_value(
    judge: Mapping[Any, Any], people: Mapping[Any, float], scale: Scale, clusters: Mapping[Any, Hashable] | None = None
) -> list[AtValue]:
    """A calibration curve without bins: for each value of the scale, the mean of people where the judge gave it.

    A judge that means what it says has people's mean at the value itself. The interval is Student's over items, or over
    the means of clusters where items share a source; a value that the judge never gave has none.

    Reference: DeGroot, M. H. & Fienberg, S. E. (1983). The comparison and evaluation of forecasters. The Statistician
    32.

    Example:
        >>> curve = people_at_each_value({1: 0, 2: 0, 3: 2}, {1: 0.0, 2: 1.0, 3: 2.0}, Scale((0, 1, 2), "ordinal"))
        >>> [(each.value, each.n, each.people.value) for each in curve]
        [(0, 2, 0.5), (1, 0, None), (2, 1, 2.0)]
    """
    shared = [item for item in judge if item in people]
    curve = []
    for value in scale.categories:
        items = [item for item in shared if judge[item] == value]
        by_unit: dict[Hashable, list[float]] = defaultdict(list)
        for item in items:
            by_unit[clusters[item] if clusters is not None else item].append(people[item])
        means = [fmean(each) for each in by_unit.values()]
        curve.append(AtValue(value, len(items), _mean(means, len(items), "items" if clusters is None else "clusters")))
    return curve


def _mean(means: Sequence[float], n: int, unit: str) -> Estimate:
    if not means:
        return Estimate("people", None, undefined="the judge never gave this value")
    found = mean_of(means)
    if found is None:
        return Estimate("people", fmean(means), n=n, method=f"no interval: fewer than two {unit}")
    return Estimate("people", found.value, (found.low, found.high), n, f"Student's interval over {unit}")


def confusion_with_mean(judge: Mapping[Any, Any], people: Mapping[Any, float], scale: Scale) -> list[list[int]]:
    """How often the judge gave one value (row) and people, by their rounded mean, the other (column).

    `people` holds positions on the scale (`Scale.positions`). The rule of rounding is `ROUNDING`.

    Example:
        >>> confusion_with_mean({1: 0, 2: 1, 3: 1}, {1: 0.0, 2: 0.5, 3: 1.6}, Scale((0, 1, 2), "ordinal"))
        [[1, 0, 0], [0, 1, 1], [0, 0, 0]]
    """
    table = [[0] * len(scale) for _ in range(len(scale))]
    for (row, column), items in cells_with_mean(judge, people, scale).items():
        table[row][column] = len(items)
    return table


def cells_with_mean(
    judge: Mapping[Any, Any], people: Mapping[Any, float], scale: Scale
) -> dict[tuple[int, int], list[Any]]:
    """The items of each cell of `confusion_with_mean`, without empty cells.

    Reference: as of `confusion_with_mean`, by the same rounding.

    Example:
        >>> cells_with_mean({1: 0, 2: 1, 3: 1}, {1: 0.0, 2: 0.5, 3: 1.6}, Scale((0, 1, 2), "ordinal"))
        {(0, 0): [1], (1, 1): [2], (1, 2): [3]}
    """
    positions = scale.positions.tolist()
    # Of two points that are equally near, the higher one.
    order = sorted(range(len(positions)), key=lambda at: -positions[at])
    rows = {value: at for at, value in enumerate(scale.categories)}
    found: dict[tuple[int, int], list[Any]] = {}
    for item, value in judge.items():
        if item in people and value in rows:
            nearest = min(order, key=lambda at: round(abs(positions[at] - people[item]), 9))
            found.setdefault((rows[value], nearest), []).append(item)
    return found
