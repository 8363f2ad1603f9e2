"""Whether an annotator's values rise or fall in the course of the work, with breaks."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, pstdev
from typing import Any, ClassVar

from assay.in_words import count
from assay.quality.drift import in_turn, slope
from assay.quality.findings import items_most_apart
from assay.quality.monitor_data import width_of
from assay.quality.score_tables import Residual
from assay.report.charts import interval, round_up, with_sign
from assay.report.data import TOO_FEW
from assay.report.figures import Figure, FigureData, Nothing, Part, Table, not_drawn
from assay.report.wording import many

WINDOW = 10
"""The number of items in the rolling mean."""
MOST_PANELS = 12
MOST_POINTS = 100
PAUSE_MS = 30 * 60 * 1000
"""After so long without a submission another session begins."""


@dataclass(frozen=True, slots=True)
class DriftRow:
    """How the values of one annotator change in the course of the work."""

    annotator: str
    n: int
    few: bool
    value: float | None
    """The change in 100 items."""
    ci: tuple[float, float] | None
    beyond: bool
    """Whether the interval lies wholly to one side of 0."""
    band: tuple[float, float]
    """Where the rolling mean stays 95 % of the time if nothing changes."""
    points: list[tuple[int, float]]
    """The number of an item, and the rolling mean up to it."""
    breaks: list[int]
    """After how many items there was a break."""
    sessions: list[int]
    """After how many items another session began."""
    items: list[str]

    def in_words(self) -> str:
        """The change in 100 items, with its interval."""
        return "no change to be told" if self.value is None else f"{self.change()} in 100 items"

    def change(self) -> str:
        """The change with its interval, without the unit, which the caption says."""
        return f"{with_sign(self.value)} {interval(self.ci)}".strip()


@dataclass(frozen=True, slots=True)
class DriftFigureNumbers:
    """How the values of each annotator change in the course of the work."""

    n: int
    annotators: int
    window: int
    """The number of items in the rolling mean."""
    unit: str
    reach: float
    """How far the axis goes to either side."""
    rows: list[DriftRow]
    all: list[DriftRow]
    more: int


class DriftFigure(Figure[DriftFigureNumbers]):
    """Whether an annotator's values rise or fall in the course of the work, with breaks."""

    kind: ClassVar[str] = "drift"
    rank: ClassVar[int] = 30
    part: ClassVar[Part] = "who"
    question: ClassVar[str] = "Do scores change over a session?"

    def numbers(self, data: FigureData) -> DriftFigureNumbers | Nothing:
        rows = [
            row
            for annotator, residuals in residuals_of_annotators(data)
            if (row := _drift_of(data, annotator, residuals)) is not None
        ]
        if not rows and data.report.sources.is_elsewhere:
            return Nothing("Everything came from files, and in which order it was judged is not known.")
        if not rows:
            return Nothing(
                f"Nobody has judged {WINDOW + 2} items yet that others judged too, on a scale with an order."
            )
        ranked = sorted(rows, key=lambda row: (row.few, not row.beyond, -abs(row.value or 0)))
        shown = ranked[:MOST_PANELS]
        return DriftFigureNumbers(
            n=max(row.n for row in rows),
            annotators=len(rows),
            window=WINDOW,
            unit="points" if len({width_of(each) for each in data.work.ordered_dimensions}) == 1 else "of the scale",
            reach=round_up(max(max(abs(value) for _, value in row.points) for row in shown)),
            rows=shown,
            all=ranked,
            more=len(ranked) - len(shown),
        )

    def finding(self, numbers: DriftFigureNumbers) -> str:
        known = [row for row in numbers.all if not row.few]
        beyond = [row for row in known if row.beyond and row.value is not None]
        if not beyond:
            return "Nobody's scores change beyond chance" if known else ""
        top = max(beyond, key=lambda row: abs(row.value or 0))
        return (
            f"The scores of {many(len(beyond))} change beyond chance, most those of {top.annotator}: {top.in_words()}"
        )

    def caption(self, numbers: DriftFigureNumbers) -> str:
        others = [row.value for row in numbers.all[len(numbers.rows) :] if row.value is not None and not row.few]
        between = f", between {with_sign(min(others))} and {with_sign(max(others))} in 100 items" if others else ""
        return (
            f"Rolling mean over {numbers.window} items of (value − mean of the others), all dimensions with "
            f"an order together; {many(numbers.annotators)}, n up to {many(numbers.n, 'item')}. The band is where it "
            f"stays 95 % of the time without a change; above each, the change in 100 items "
            f"{'in points' if numbers.unit == 'points' else 'as a share of the scale'}, with its 95 % interval."
            f"{not_drawn(numbers.more, between)}"
        )

    def table(self, numbers: DriftFigureNumbers) -> Table:
        unit = numbers.unit
        columns = ("Annotator", "Items", f"Change in 100 items ({unit})", "95 % interval", "Breaks", "Farthest apart")
        rows: list[list[Any]] = [
            [
                row.annotator,
                f"{count(row.n)}, too few to say" if row.few else row.n,
                with_sign(row.value),
                interval(row.ci),
                len(row.breaks),
                row.items,
            ]
            for row in numbers.all
        ]
        return columns, rows


def residuals_of_annotators(data: FigureData) -> Iterator[tuple[str, list[Residual]]]:
    """Of each annotator, (value − mean of the others) by item, over all ordered dimensions, in the order of time.

    Judgments from files have no order in time and are left out. This yields one annotator after the other: all of them
    at once would take more memory than their judgments.
    """
    widths = {each.dimension: width_of(each) for each in data.work.ordered_dimensions}
    alike = len(set(widths.values())) == 1
    for annotator in sorted({name for table in data.work.residuals.values() for name in table}):
        found: dict[str, list[tuple[float, Residual]]] = defaultdict(list)
        for dimension, table in data.work.residuals.items():
            for each in in_turn(table.get(annotator, ())):
                value = each.value if alike else each.value / (widths[dimension] or 1)
                found[each.item].append((value, each))
        together = [
            Residual(item, fmean(value for value, _ in same), same[0][1].position, same[0][1].at)
            for item, same in found.items()
        ]
        if together:
            yield annotator, sorted(together, key=lambda one: (one.position, one.at))


def _drift_of(data: FigureData, annotator: str, residuals: list[Residual]) -> DriftRow | None:
    breaks = data.work.breaks.get(annotator, ())
    values = [each.value for each in residuals]
    if len(values) < WINDOW + 2:
        return None
    rolling = [(place, fmean(values[place - WINDOW : place])) for place in range(WINDOW, len(values) + 1)]
    step = -(-len(rolling) // MOST_POINTS)
    found = slope(residuals, data.work.group_of_item)
    mean = fmean(values)
    half = 1.96 * pstdev(values) / WINDOW**0.5
    return DriftRow(
        annotator=annotator,
        n=len(values),
        few=(len(values) if found is None else found.independent) < TOO_FEW,
        value=None if found is None else found.value,
        ci=None if found is None else found.interval,
        beyond=found is not None and found.has_interval and not found.low <= 0 <= found.high,
        band=(mean - half, mean + half),
        points=[(place, round(value, 4)) for place, value in rolling[::step]],
        breaks=sorted({sum(each.at <= end for each in residuals) for end in breaks} - {0, len(residuals)}),
        sessions=[place for place, (one, other) in enumerate(pairwise(residuals), 1) if other.at - one.at > PAUSE_MS],
        items=list(items_most_apart(residuals, found.value if found and found.value else 1.0, data.most)),
    )
