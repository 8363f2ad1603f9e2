"""One value for each item from what several annotators gave: mean, median, majority."""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev
from typing import Any, Literal

from assay.statistics.finite import refuse_beyond

TieRule = Literal["undecided", "lowest", "highest"]
TIE_RULES: dict[TieRule, str] = {
    "undecided": "where two values are given equally often, there is no majority",
    "lowest": "of values given equally often, the one first on the scale counts",
    "highest": "of values given equally often, the one last on the scale counts",
}


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One value for an item, or the reason why there is none."""

    item: Hashable
    value: Any
    n: int
    """How many judgments it rests on."""
    se: float | None = None
    """Of a mean: its standard error, s / sqrt(n), where s divides by n - 1; None of a single judgment."""
    counts: tuple[int, ...] = ()
    """Of a majority: how often each value of the scale was given, in its order."""
    undefined: str | None = None


def means(judgments: Mapping[Hashable, Sequence[float]]) -> list[Aggregate]:
    """The mean of the judgments on each item, with its standard error.

    Reference: Student (1908). The probable error of a mean. Biometrika 6.

    Example:
        >>> found = means({"i1": [1, 2, 3], "i2": [4]})
        >>> [(each.item, each.value, each.se and round(each.se, 3)) for each in found]
        [('i1', 2.0, 0.577), ('i2', 4.0, None)]
    """
    for values in judgments.values():
        refuse_beyond(values)
    return [
        Aggregate(
            item,
            fmean(values),
            len(values),
            stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None,
        )
        if values
        else Aggregate(item, None, 0, undefined="there are no judgments")
        for item, values in judgments.items()
    ]


def medians(judgments: Mapping[Hashable, Sequence[float]]) -> list[Aggregate]:
    """The median of the judgments on each item: of an even number, the mean of the middle two.

    Reference: Tukey, J. W. (1977). Exploratory data analysis, chapter 2.

    Example:
        >>> [each.value for each in medians({"i1": [1, 2, 5], "i2": [1, 2]})]
        [2, 1.5]
    """
    for values in judgments.values():
        refuse_beyond(values)
    return [
        Aggregate(item, median(values), len(values))
        if values
        else Aggregate(item, None, 0, undefined="there are no judgments")
        for item, values in judgments.items()
    ]


def majorities(
    judgments: Mapping[Hashable, Sequence[Hashable]], categories: Iterable[Hashable], ties: TieRule = "undecided"
) -> list[Aggregate]:
    """The value given most often to each item. Where several are, `ties` decides, one of `TIE_RULES`.

    It is the plurality: more than any other, not more than half.

    Reference: Snow, R. et al. (2008). Cheap and fast, but is it good? EMNLP (majority of several annotators).

    Raises:
        ValueError: A value is not on the scale.

    Example:
        >>> [each.value for each in majorities({"i1": [1, 1, 2], "i2": [1, 2]}, (1, 2, 3))]
        [1, None]
        >>> majorities({"i2": [1, 2]}, (1, 2, 3), ties="highest")[0].value
        2
    """
    scale = list(categories)
    return [_majority(item, values, scale, ties) for item, values in judgments.items()]


def _majority(item: Hashable, values: Sequence[Hashable], scale: Sequence[Hashable], ties: TieRule) -> Aggregate:
    given = Counter(values)
    unknown = next((value for value in given if value not in scale), None)
    if unknown is not None:
        raise ValueError(f"{unknown!r}, given to item {item!r}, is not on the scale")
    counts = tuple(given[value] for value in scale)
    if not values:
        return Aggregate(item, None, 0, counts=counts, undefined="there are no judgments")
    most = [value for value, count in zip(scale, counts, strict=True) if count == max(counts)]
    if len(most) > 1 and ties == "undecided":
        tied = " and ".join(map(str, most))
        return Aggregate(item, None, len(values), counts=counts, undefined=f"a tie of {tied}, each {max(counts)} times")
    return Aggregate(item, most[-1] if ties == "highest" else most[0], len(values), counts=counts)
