"""Values above or below what others gave the same items, throughout."""

from typing import ClassVar

from pydantic import Field

from assay.model import Flag
from assay.quality import Monitor, MonitorData
from assay.quality.findings import (
    Finding,
    estimate_evidence,
    estimate_words,
    flags_from,
    items_most_apart,
    items_words,
    round_off,
)
from assay.quality.monitor_data import width_of
from assay.statistics.benjamini_hochberg import benjamini_hochberg
from assay.statistics.estimate import IntervalEstimate


class LeniencyMonitor(Monitor):
    """Values above, or below, what others gave the same items: too large a difference to be seen by chance.

    For each dimension, the mean of an annotator's value minus the mean of the others on the same item, with Student's
    interval; items that share a group count as one there. It is flagged when it is large and, after Benjamini and
    Hochberg's correction for all annotators and dimensions, significant. Where two people judge each item, one lenient
    one makes the other look severe.
    """

    kind: ClassVar[str] = "leniency"
    gravity: ClassVar[int] = 3

    points: float | None = Field(
        default=None, gt=0, description="Flag from this many points of the scale on; left out: by `share`."
    )
    share: float = Field(default=0.125, gt=0, le=1, description="Or from this share of the scale's length on.")
    false_discoveries: float = Field(
        default=0.05, gt=0, lt=1, description="Which share of the differences found may be found by chance."
    )
    at_least: int = Field(default=15, ge=3, description="Say nothing before this many items that others judged too.")

    def flags(self, data: MonitorData) -> list[Flag]:
        tested: list[tuple[str, str, IntervalEstimate]] = []
        for dimension, of_people in data.severities.items():
            for annotator, found in of_people.items():
                if found is not None and found.n >= self.at_least:
                    tested.append((dimension, annotator, found))
        adjusted = benjamini_hochberg([1.0 if found.p is None else found.p for _, _, found in tested])
        least = {each.dimension: self.points or self.share * width_of(each) for each in data.ordered_dimensions}
        return flags_from(
            self.kind,
            [
                Finding(
                    annotator,
                    f"{data.title(dimension)} is rated {abs(found.value):.2f} points "
                    f"{'above' if found.value > 0 else 'below'} "
                    f"what others gave the same {items_words(found)} ({estimate_words(found)})",
                    items_most_apart(data.residuals[dimension][annotator], found.value),
                    dimension,
                    {**estimate_evidence(found, "difference"), "adjusted_p": round_off(p)},
                )
                for (dimension, annotator, found), p in zip(tested, adjusted, strict=True)
                if p <= self.false_discoveries and found.beyond(least[dimension])
            ],
        )
