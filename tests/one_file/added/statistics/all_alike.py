"""The share of items on which all annotators agree."""

from dataclasses import dataclass

from assay.statistics.arrays import Floats, np
from assay.statistics.base import ALL_LEVELS, KnownAnswer, Statistic, ratio, register
from assay.statistics.patterns import Patterns
from assay.statistics.scale import Scale


@dataclass(frozen=True, kw_only=True)
class AllAlike(Statistic):
    """The share of items on which all annotators give the same value."""

    def contributions(self, patterns: Patterns) -> Floats:
        alike = (patterns.frequencies > 0).sum(axis=1) == 1
        shared = patterns.is_shared
        return np.column_stack([(alike & shared).astype(np.float64), shared.astype(np.float64)])

    def combine(self, sums: Floats, scale: Scale) -> Floats:
        return ratio(sums[:, 0], sums[:, 1])


register(
    AllAlike(
        name="all_alike",
        title="all alike",
        doc="The share of items on which all annotators give the same value.",
        levels=ALL_LEVELS,
        rank=99,
        lowest=0.0,
        by_annotator=False,
        known=(KnownAnswer(((1, 1), (1, 2), (2, 2), (2, 2)), (1, 2), "nominal", 0.75, "counted by hand"),),
    )
)
