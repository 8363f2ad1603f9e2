"""Values that somebody never gives, although others give them to the same items."""

from collections import defaultdict
from typing import ClassVar

from pydantic import Field

from assay.in_words import count
from assay.kinds import Many
from assay.model import Flag
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, flags_from, round_off
from assay.quality.monitor_data import scale_positions
from assay.study.field_types import MonitoredDimensions
from assay.study.rubric import Dimension


class NeverUsedMonitor(Monitor):
    """Values that an annotator never gives, although others give them to the same items: safety below 3, for example.

    Which values is said by `values`; left out, it is the lower half of each scale.
    """

    kind: ClassVar[str] = "never_used"

    dimensions: MonitoredDimensions = Field(
        default=(), description="The dimensions; left out: all whose values stand in order."
    )
    values: Many[int | float | str] = Field(default=(), description="The values; left out: the lower half of a scale.")
    at_least: int = Field(
        default=8, ge=1, description="Flag from this many items on to which others gave such a value."
    )

    def flags(self, data: MonitorData) -> list[Flag]:
        found = []
        chosen = self.dimensions or tuple(each.dimension for each in data.ordered_dimensions)
        for dimension in (each for each in data.study.scored_dimensions if each.dimension in chosen):
            values = set(map(str, self.values or lower_half(dimension)))
            who: dict[tuple[str, str], dict[str, bool]] = defaultdict(dict)
            for each in data.by_dimension.get(dimension.dimension, ()):
                who[each.item, each.key][each.annotator] = str(each.value) in values
            used = {annotator for given in who.values() for annotator, such in given.items() if such}
            by_others: dict[str, dict[str, None]] = defaultdict(dict)
            for (item, _), given in who.items():
                for annotator in given.keys() - used:
                    if any(given.values()):
                        by_others[annotator][item] = None
            for annotator, items in sorted(by_others.items()):
                if len(items) >= self.at_least:
                    listed = ", ".join(str(value) for value in dimension.input.values() if str(value) in values)
                    words = (
                        f"{dimension.heading}: {listed} was never given; others gave it to {count(len(items))} of the "
                    )
                    own = len({item for (item, _), given in who.items() if annotator in given})
                    words += f"same {count(own)} items"
                    numbers = {"by_others": len(items), "n": own, "share": round_off(len(items) / own)}
                    found.append(Finding(annotator, words, tuple(items), dimension.dimension, {**numbers}))
        return flags_from(self.kind, found)


def lower_half(dimension: Dimension) -> list[object]:
    """The values below the middle of a scale."""
    scale = scale_positions(dimension)
    middle = (min(scale.values()) + max(scale.values())) / 2 if scale else 0.0
    return [value for value, position in scale.items() if position < middle]
