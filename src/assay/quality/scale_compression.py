"""Values that use less of the scale than others do on the same items."""

from functools import partial
from typing import ClassVar

from pydantic import Field

from assay.model import Flag
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, estimate_evidence, estimate_words, flags_from, items_words
from assay.quality.score_columns import score_columns
from assay.quality.score_tables import Score
from assay.statistics.estimate import IntervalEstimate
from assay.statistics.spread_ratio import spread_ratios, spread_ratios_over_groups


class ScaleCompressionMonitor(Monitor):
    """Values that use less of the scale than others do on the same items.

    For each dimension, the standard deviation of an annotator's values over that of the others' values of the same
    items. It is flagged when the ratio is small and its interval (a jackknife over items, or over their
    groups where they share something) lies below 1.
    """

    kind: ClassVar[str] = "scale_compression"

    below: float = Field(default=0.6, gt=0, lt=1, description="Flag below this ratio.")
    at_least: int = Field(default=15, ge=3, description="Say nothing before this many items that others judged too.")

    def flags(self, data: MonitorData) -> list[Flag]:
        found = []
        for dimension, of_people in data.scores.items():
            for annotator in of_people:
                ratio = ratio_to_others(data, dimension, annotator)
                if ratio is None or ratio.value >= self.below or ratio.high >= 1:
                    continue
                shared = [score for score in of_people[annotator] if score.others is not None]
                items = {score.judgment.item for score in shared}
                if len(items) >= self.at_least:
                    words = (
                        f"{data.title(dimension)} is spread {ratio.value:.2f} times as widely as others' values of the "
                    )
                    words += "same "
                    words += f"{items_words(ratio, len(items))} ({estimate_words(ratio)}), {_range(shared)}"
                    found.append(Finding(annotator, words, (), dimension, estimate_evidence(ratio, "ratio")))
        return flags_from(self.kind, found)


def ratio_to_others(data: MonitorData, dimension: str, annotator: str) -> IntervalEstimate | None:
    """How widely somebody's values are spread, against those of the others on the same items; computed once."""
    return data.once(f"spreads: {dimension}", lambda: _ratios(data, dimension))[annotator]


def _ratios(data: MonitorData, dimension: str) -> dict[str, IntervalEstimate | None]:
    given = score_columns(data, dimension)
    columns = given.own, given.others, given.squares
    over_items = partial(spread_ratios, *columns, given.groups)
    if given.clusters is None:
        found = over_items()
    else:
        n_items = data.residuals[dimension].groups.sizes
        found = given.clusters.where_shared(spread_ratios_over_groups(*columns, given.clusters), over_items, n_items)
    return dict(zip(given.annotators, found, strict=True))


def _range(scores: list[Score]) -> str:
    low, high = min(each.value for each in scores), max(each.value for each in scores)
    return f"from {low:g} to {high:g}"
