"""Less agreement with the others than the others have."""

from collections import defaultdict
from statistics import median
from typing import Any, ClassVar

from pydantic import Field

from assay.in_words import count, number
from assay.judgments.scales import mirrored, scale_of
from assay.model import Flag, Value
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, estimate_evidence, flags_from, interval_words, round_off
from assay.quality.monitor_data import scale_positions
from assay.statistics.arrays import np
from assay.statistics.estimate import IntervalEstimate
from assay.statistics.groups import Groups
from assay.statistics.rest_kappa import rest_kappas
from assay.statistics.table import Scale
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
    given: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    scale: dict[Any, int] = {value: index for index, value in enumerate(_values(dimension))}
    pairs = set()
    for each in data.by_dimension.get(dimension.dimension, ()):
        value = each.choice
        if not isinstance(value, list) and value in scale:
            given[each.item, each.key][each.annotator] = scale[value]
            pairs.add(each.systems)
    by_annotator: dict[str, list[tuple[str, int, list[int]]]] = defaultdict(list)
    for (item, _), values in given.items():
        if len(values) > 1:
            counts = [0] * len(scale)
            for value in values.values():
                counts[value] += 1
            for annotator, value in values.items():
                by_annotator[annotator].append((item, value, counts))
    level = dimension.input.level or "nominal"
    weights = Scale(tuple(scale), level).distances(0 if level == "nominal" else 2)
    # Several comparisons have no first system in common: each item counts in both directions.
    both = dimension.input.compares and len(pairs) > 1
    mirror = [scale[mirrored(value)] for value in scale] if both else None
    people = sorted(by_annotator)
    rows = [row for annotator in people for row in by_annotator[annotator]]
    own = np.fromiter((value for _, value, _ in rows), dtype=np.int64, count=len(rows))
    every = np.array([counts for *_, counts in rows], dtype=np.float64).reshape(len(rows), len(scale))
    groups = Groups([len(by_annotator[annotator]) for annotator in people])
    return {
        annotator: (len({item for item, *_ in by_annotator[annotator]}), kappa)
        for annotator, kappa in zip(people, rest_kappas(own, every, weights, groups, mirror), strict=True)
        if kappa is not None
    }


def _values(dimension: Dimension) -> list[Value]:
    """The scale; of a preference, with the candidate instead of the side."""
    if dimension.input.compares:
        return list(scale_of(dimension))
    return list(scale_positions(dimension)) if dimension.input.level != "nominal" else list(dimension.input.values())
