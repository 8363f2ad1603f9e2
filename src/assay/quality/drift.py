"""Values that rise or fall in the course of the work, against what others give the same items."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from pydantic import Field

from assay.model import Flag
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, estimate_evidence, estimate_words, flags_from, items_words
from assay.quality.monitor_data import width_of
from assay.quality.score_tables import Residual, ResidualTable
from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.benjamini_hochberg import benjamini_hochberg
from assay.statistics.clusters import Clusters
from assay.statistics.estimate import (
    IntervalEstimate,
    difference_of_means,
    difference_over_groups,
    slopes_of,
    slopes_over_groups,
)
from assay.statistics.finite import numbers
from assay.statistics.groups import Groups

HUNDRED = 100


class DriftMonitor(Monitor):
    """Values that rise or fall in the course of the work, against what others give the same items.

    For each dimension, the slope of (value minus the mean of the others) over the annotator's items, in points for 100
    items; and, where breaks were taken, the mean just before them minus the mean just after, which shows tiredness that
    a break ends. Either is flagged when it is large and, after Benjamini and Hochberg's correction, significant; items
    that share a group count as one there.
    """

    kind: ClassVar[str] = "drift"
    of_page: ClassVar[bool] = True

    points: float | None = Field(
        default=None, gt=0, description="Flag from this many points in 100 items on; left out: by `share`."
    )
    share: float = Field(default=0.2, gt=0, le=1, description="Or from this share of the scale's length on.")
    around_break: int = Field(default=5, ge=2, description="How many items before and after a break are compared.")
    false_discoveries: float = Field(
        default=0.05, gt=0, lt=1, description="Which share of the changes found may be found by chance."
    )
    at_least: int = Field(default=30, ge=5, description="Say nothing before this many items that others judged too.")

    def flags(self, data: MonitorData) -> list[Flag]:
        tested: list[tuple[str, str, str, IntervalEstimate]] = []
        least = {each.dimension: self.points or self.share * width_of(each) for each in data.ordered_dimensions}
        for dimension in least:
            for annotator, residuals in data.residuals[dimension].items():
                given = in_turn(residuals)
                if len(given) >= self.at_least:
                    breaks = data.breaks.get(annotator, ())
                    change = slopes(data, dimension)[annotator]
                    at_ends = at_breaks(given, breaks, self.around_break, data.group_of_item)
                    both = {"slope": change, "at_breaks": at_ends}
                    tested += [(dimension, annotator, what, found) for what, found in both.items() if found is not None]
        adjusted = benjamini_hochberg([1.0 if found.p is None else found.p for *_, found in tested])
        return flags_from(
            self.kind,
            [
                Finding(
                    annotator,
                    f"{data.title(dimension)} {WORDS[what](found)} ({estimate_words(found)}, n = {items_words(found)})",
                    (),
                    dimension if what == "slope" else f"{dimension}.breaks",
                    estimate_evidence(found, "points_in_100_items" if what == "slope" else "before_minus_after"),
                )
                for (dimension, annotator, what, found), p in zip(tested, adjusted, strict=True)
                if p <= self.false_discoveries and found.beyond(least[dimension])
            ],
        )


WORDS = {
    "slope": lambda found: (
        f"{'rises' if found.value > 0 else 'falls'} by {abs(found.value):.2f} points in 100 items against the others"
    ),
    "at_breaks": lambda found: (
        f"lies {abs(found.value):.2f} points {'higher' if found.value > 0 else 'lower'} before breaks than after them"
    ),
}


def in_turn(residuals: Sequence[Residual]) -> list[Residual]:
    """Those whose turn is known: of what came from a file only the order of its rows is."""
    return [each for each in residuals if not each.from_file]


def slopes(data: MonitorData, dimension: str) -> dict[str, IntervalEstimate | None]:
    """The change of each annotator on a dimension, of what was judged in an order that is known; computed once."""
    return data.once(f"slopes: {dimension}", lambda: _slopes(data.residuals[dimension]))


def _slopes(residuals: ResidualTable) -> dict[str, IntervalEstimate | None]:
    positions, values, groups, clusters = residuals.in_turn()
    return dict(zip(residuals, changes(positions, values, groups, clusters), strict=True))


def slope(residuals: Sequence[Residual], group_of_item: Mapping[str, int]) -> IntervalEstimate | None:
    """The slope of the residuals over the order of the items, in points for 100 items."""
    positions = np.array([each.position for each in residuals], dtype=np.int64)
    groups = Groups([len(residuals)])
    clusters = Clusters(groups, _groups_of_items(residuals, group_of_item)) if group_of_item else None
    return changes(positions, numbers([each.value for each in residuals]), groups, clusters)[0]


def _groups_of_items(residuals: Sequence[Residual], group_of_item: Mapping[str, int]) -> Ints:
    return np.array([group_of_item[each.item] for each in residuals], dtype=np.int64)


def changes(
    positions: Ints, values: Floats, groups: Groups, clusters: Clusters | None = None
) -> list[IntervalEstimate | None]:
    """The slopes of many annotators; their values are given as one array, annotator by annotator."""
    # Where no positions are known, the order of the items stands for them.
    unknown = groups.sums((positions == 0).astype(np.float64)) > 0
    number = np.arange(1, len(positions) + 1) - (np.cumsum(groups.sizes) - groups.sizes)[groups.of]
    turns = np.where(unknown[groups.of], number, positions) / HUNDRED
    over_items = partial(slopes_of, turns, values, groups)
    if clusters is None:
        return over_items()
    return clusters.where_shared(slopes_over_groups(turns, values, clusters), over_items)


def at_breaks(
    residuals: Sequence[Residual], ends: Sequence[int], around: int, group_of_item: Mapping[str, int]
) -> IntervalEstimate | None:
    """The mean just before breaks minus the mean just after them, together over all breaks."""
    in_time = sorted(residuals, key=lambda each: each.at)
    before: list[Residual] = []
    after: list[Residual] = []
    for end in ends:
        back = sum(each.at <= end for each in in_time)
        before += in_time[max(0, back - around) : back]
        after += in_time[back : back + around]
    values = [each.value for each in before], [each.value for each in after]
    shared = _groups_of_items([*before, *after], group_of_item).tolist() if group_of_item else []
    if len(set(shared)) < len({each.item for each in (*before, *after)}) and shared:
        return difference_over_groups(*values, shared)
    return difference_of_means(*values)
