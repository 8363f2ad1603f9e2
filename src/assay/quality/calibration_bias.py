"""Practice values above or below the ones agreed beforehand."""

from collections import defaultdict
from statistics import fmean
from typing import ClassVar

from pydantic import Field

from assay.in_words import count
from assay.model import Flag
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, estimate_evidence, flags_from, interval_words
from assay.quality.monitor_data import number_of, scale_positions, width_of
from assay.statistics.estimate import mean_of
from assay.study.rubric import Dimension


class CalibrationBiasMonitor(Monitor):
    """Values in practice that lie above, or below, those agreed beforehand.

    For each dimension, the mean of value minus known value, with Student's interval over items: it is flagged when it
    is large and its interval does not hold zero.
    """

    kind: ClassVar[str] = "calibration_bias"
    gravity: ClassVar[int] = 3
    of_page: ClassVar[bool] = True

    points: float | None = Field(
        default=None, gt=0, description="Flag from this many points of the scale on; left out: by `share`."
    )
    share: float = Field(default=0.125, gt=0, le=1, description="Or from this share of the scale's length on.")
    at_least: int = Field(default=5, ge=2, description="Say nothing before this many items for practice.")

    def flags(self, data: MonitorData) -> list[Flag]:
        found = []
        for dimension in data.ordered_dimensions:
            least = self.points or self.share * width_of(dimension)
            for annotator, by_item in distance_from_known(data, dimension).items():
                mean = mean_of([fmean(each) for each in by_item.values()])
                if mean is not None and mean.n >= self.at_least and mean.beyond(least):
                    side = "above" if mean.value > 0 else "below"
                    words = f"{dimension.heading} was rated {abs(mean.value):.2f} points {side} the known values of "
                    words += f"{count(mean.n)} items for practice ({interval_words(mean.low, mean.high)})"
                    items = tuple(item for item, each in by_item.items() if fmean(each) * mean.value > 0)
                    found.append(
                        Finding(annotator, words, items, dimension.dimension, estimate_evidence(mean, "difference"))
                    )
        return flags_from(self.kind, found)


def distance_from_known(data: MonitorData, dimension: Dimension) -> dict[str, dict[str, list[float]]]:
    """By how much each annotator lay above the known values in practice: item by item, of each side and entry."""
    scale = scale_positions(dimension)
    apart: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for each in data.practice:
        fact = data.items.get(each.item)
        known = number_of(fact.expected.get(each.key), scale) if fact is not None else None
        given = number_of(each.value, scale)
        if each.dimension == dimension.dimension and known is not None and given is not None:
            apart[each.annotator][each.item].append(given - known)
    return apart
