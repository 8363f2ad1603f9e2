"""Less agreement with the others than the others have."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, ClassVar, NamedTuple

from pydantic import Field

from assay.in_words import count, number
from assay.judgments.scales import mirror_preference, scale_of
from assay.model import Flag, Value
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, estimate_evidence, flags_from, interval_words, round_off
from assay.quality.monitor_data import scale_positions
from assay.statistics.arrays import Ints, np
from assay.statistics.estimate import IntervalEstimate
from assay.statistics.groups import Groups
from assay.statistics.rest_kappa import rest_kappas
from assay.statistics.scale import Scale
from assay.study.rubric import Dimension


class LowAgreementMonitor(Monitor):
    """Agreement with the others that is low, and lower than theirs.

    For each dimension, kappa of an annotator against all others on the same items: with quadratic weights where the
    values stand in an order. Of a preference every item counts in both directions where several pairs of systems are
    compared. It is flagged when it is below the limit, and its interval (a jackknife over items) below
    the median of all annotators: where everybody disagrees the question is at fault, and not one person.
    """

    kind: ClassVar[str] = "low_agreement"

    below: float = Field(default=0.3, gt=-1, lt=1, description="Flag below this kappa.")
    at_least: int = Field(default=20, ge=3, description="Say nothing before this many items that others judged too.")

    def flags(self, data: MonitorData) -> list[Flag]:
        found = []
        for dimension in data.study.scored_dimensions:
            kappas = kappas_with_others(data, dimension, self.at_least)
            middle = median([each.value for each in kappas.values()]) if kappas else 0.0
            for annotator, kappa in kappas.items():
                if kappa.value < self.below and kappa.high < middle:
                    words = f"{dimension.heading}: kappa with the others is {number(kappa.value)} "
                    words += f"({interval_words(kappa.low, kappa.high)}, n = {count(kappa.n)}), "
                    words += f"the median of all is {number(middle)}"
                    evidence = {**estimate_evidence(kappa, "kappa"), "median": round_off(middle)}
                    found.append(Finding(annotator, words, (), dimension.dimension, evidence))
        return flags_from(self.kind, found)


def kappas_with_others(data: MonitorData, dimension: Dimension, at_least: int) -> dict[str, IntervalEstimate]:
    """Kappa of each annotator who shares so many items with others, against all others together."""
    name = dimension.dimension
    found = data.once(f"kappas with others: {name}", lambda: _kappas(data, dimension))
    return {annotator: kappa for annotator, (n_items, kappa) in found.items() if n_items >= at_least}


def _kappas(data: MonitorData, dimension: Dimension) -> dict[str, tuple[int, IntervalEstimate]]:
    """The kappa of everybody who has one, with the number of items that they share with others."""
    scale: dict[Any, int] = {value: index for index, value in enumerate(_values(dimension))}
    level = dimension.input.level or "nominal"
    weights = Scale(tuple(scale), level).distances(0 if level == "nominal" else 2)
    is_numbered = level != "nominal" and not dimension.input.compares
    given = _from_scores(data, dimension) if is_numbered else _from_judgments(data, dimension, scale)
    mirror = [scale[mirror_preference(value)] for value in scale] if given.in_both_directions else None
    shared = _find_shared_units(given, len(scale))
    groups = Groups(np.bincount(shared.who, minlength=len(given.people)))
    kappas = rest_kappas(shared.own, shared.every, weights, groups, mirror)
    found = zip(given.people, shared.n_items, kappas, strict=True)
    return {annotator: (n_items, kappa) for annotator, n_items, kappa in found if kappa is not None}


class _RatingsAsColumns(NamedTuple):
    """The values that are on the scale, as columns: of each annotator in the order of the judgments."""

    people: Sequence[str]
    who: Ints
    unit: Ints
    value: Ints
    """Its place on the scale."""
    items: Sequence[str]
    """The item of each unit."""
    in_both_directions: bool = False
    """Whether several comparisons have no first system in common: each item counts in both directions."""


def _from_scores(data: MonitorData, dimension: Dimension) -> _RatingsAsColumns:
    table = data.scores[dimension.dimension]
    _, first = np.unique(table.unit, return_index=True)
    positions, index = np.unique(table.own, return_inverse=True)
    place = {position: at for at, position in enumerate(scale_positions(dimension).values())}
    value = np.array([place[each] for each in positions.tolist()], dtype=np.int64)[index]
    items = [table.judgments[row].item for row in first.tolist()]
    return _RatingsAsColumns(table.people, table.groups.of, table.unit.astype(np.int64), value, items)


def _from_judgments(data: MonitorData, dimension: Dimension, scale: Mapping[Any, int]) -> _RatingsAsColumns:
    given = [each for each in data.by_dimension.get(dimension.dimension, ()) if _is_on(scale, each.choice)]
    people = sorted({each.annotator for each in given})
    place, units, n = {name: at for at, name in enumerate(people)}, dict[tuple[str, str], int](), len(given)
    keys = ((each.item, each.key) for each in given)
    unit: Ints = np.fromiter((units.setdefault(each, len(units)) for each in keys), dtype=np.int64, count=n)
    who: Ints = np.fromiter((place[each.annotator] for each in given), dtype=np.int64, count=n)
    value: Ints = np.fromiter((scale[each.choice] for each in given), dtype=np.int64, count=n)
    both = dimension.input.compares and len({each.systems for each in given}) > 1
    return _RatingsAsColumns(people, who, unit, value, [item for item, _ in units], both)


def _is_on(scale: Mapping[Any, int], value: Value) -> bool:
    return not isinstance(value, list) and value in scale


class _Shared(NamedTuple):
    """The values of units that several judged: a row for each value, annotator by annotator."""

    who: Ints
    own: Ints
    every: Ints
    """How often each value was given to it."""
    n_items: list[int]
    """Of each annotator, how many items their rows are about."""


def _find_shared_units(given: _RatingsAsColumns, size: int) -> _Shared:
    n_units, who, unit, value = len(given.items), given.who, given.unit, given.value
    # Of what somebody gave twice to the same, the last counts.
    cells, last = np.unique((who * n_units + unit)[::-1], return_index=True)
    (who, unit), own = np.divmod(cells, max(1, n_units)), value[::-1][last]
    every = np.bincount(unit * size + own, minlength=n_units * size).reshape(n_units, size)
    is_shared = every.sum(axis=1)[unit] > 1
    who, unit, own = who[is_shared], unit[is_shared], own[is_shared]
    items: dict[str, int] = {}
    item = np.array([items.setdefault(each, len(items)) for each in given.items], dtype=np.int64)
    of_people = np.unique(who * len(items) + item[unit]) // max(1, len(items))
    return _Shared(who, own, every[unit], np.bincount(of_people, minlength=len(given.people)).tolist())


def _values(dimension: Dimension) -> list[Value]:
    """The scale; of a preference, with the candidate instead of the side."""
    if dimension.input.compares:
        return list(scale_of(dimension))
    return list(scale_positions(dimension)) if dimension.input.level != "nominal" else list(dimension.input.values())
