"""How each annotator uses each scale: whether ends are avoided, or one number is given to all."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.in_words import some_of
from assay.judgments.canonical_order import item_by_item
from assay.judgments.units import Units
from assay.model import Judgment
from assay.quality.monitor_data import number_of, scale_positions
from assay.report.charts import share, shares
from assay.report.data import TOO_FEW
from assay.report.figures import MOST_PEOPLE, Figure, FigureData, Nothing, Part, Table, not_drawn
from assay.report.wording import many
from assay.statistics.wilson import wilson
from assay.study.rubric import Dimension

MOST_MARKS = 1800
MOST_DIMENSIONS = 6
MOST_POINTS = 11


@dataclass(frozen=True, slots=True)
class ScaleInUse:
    """A dimension with its points, from low to high."""

    dimension: str
    title: str
    points: list[float]


@dataclass(frozen=True, slots=True)
class ScaleUseRow:
    """How one annotator uses the scales."""

    annotator: str
    n: int
    few: bool
    counts: Mapping[str, list[int]]
    """By dimension, how often each point was given."""
    one_value: float
    """The largest share of one point on one dimension."""
    alike: int
    """How many items got the same value on every dimension."""
    alike_of: int
    alike_share: float | None
    alike_ci: tuple[float, float] | None
    items: list[str]


@dataclass(frozen=True, slots=True)
class ScaleUseFigureNumbers:
    """How each annotator uses the scales."""

    n: int
    annotators: int
    dimensions: list[ScaleInUse]
    drawn: int
    """How many of the dimensions are drawn."""
    rows: list[ScaleUseRow]
    all: list[ScaleUseRow]
    more: int
    of: str = "item"
    """What n counts: items, or each side or entry of one."""


class ScaleUseFigure(Figure[ScaleUseFigureNumbers]):
    """How each annotator uses each scale: whether ends are avoided, or all dimensions of an item get one number."""

    kind: ClassVar[str] = "scale_use"
    rank: ClassVar[int] = 50
    part: ClassVar[Part] = "who"
    question: ClassVar[str] = "Does anybody avoid the ends, or give one number to all?"

    def numbers(self, data: FigureData) -> ScaleUseFigureNumbers | Nothing:
        dimensions = [each for each in data.work.ordered_dimensions if 1 < len(scale_positions(each)) <= MOST_POINTS]
        if not dimensions or not data.work.first_passes:
            return Nothing("Nothing has been judged yet on a scale with an order.")
        scales = {each.dimension: scale_positions(each) for each in dimensions}
        counts: dict[str, dict[str, Counter[float]]] = defaultdict(lambda: defaultdict(Counter))
        for each in data.work.first_passes:
            value = number_of(each.value, scales.get(each.dimension, {}))
            if value is not None:
                counts[each.annotator][each.dimension][value] += 1
        points = {name: sorted(scale.values()) for name, scale in scales.items()}
        alike = _alike(data, set(scales))
        rows = [_row_of(who, counts[who], points, alike.get(who, []), data) for who in sorted(counts)]
        if not rows:
            return Nothing("Nothing has been judged yet on a scale with an order.")
        ranked = sorted(rows, key=lambda row: (row.few, -(row.alike_share or 0) - row.one_value))
        bars = sum(map(len, list(points.values())[:MOST_DIMENSIONS]))
        drawn = min(MOST_PEOPLE, MOST_MARKS // bars)
        return ScaleUseFigureNumbers(
            n=max(row.n for row in rows),
            of=_most_judged(rows, dimensions),
            annotators=len(rows),
            dimensions=[
                ScaleInUse(dimension=each.dimension, title=each.heading, points=points[each.dimension])
                for each in dimensions
            ],
            drawn=min(MOST_DIMENSIONS, len(dimensions)),
            rows=ranked[:drawn],
            all=ranked,
            more=len(ranked[drawn:]),
        )

    def finding(self, numbers: ScaleUseFigureNumbers) -> str:
        known = [row for row in numbers.all if not row.few]
        if not known:
            return ""
        without = sum(_leaves_an_end_out(row) for row in known)
        ends = "Everybody gives both ends of every scale"
        if without:
            ends = f"{some_of(without, len(known))} annotators never gave an end of a scale"
        top = max(known, key=lambda row: row.alike_share or 0.0)
        if len(numbers.dimensions) < 2 or not top.alike:
            return ends
        return f"{ends}; {top.annotator} gave all dimensions one number in {some_of(top.alike, top.alike_of)} items"

    def caption(self, numbers: ScaleUseFigureNumbers) -> str:
        text = f"How often each point was given, from low to high, by {many(numbers.annotators)}; n up to "
        text += f"{Units(numbers.of, numbers.n)} each."
        if len(numbers.dimensions) > 1:
            text += " On the right: items with the same value on every dimension."
        others = [row.alike_share for row in numbers.all[len(numbers.rows) :] if row.alike_share is not None]
        return text + not_drawn(numbers.more, f", with at most {share(max(others))} of them alike" if others else "")

    def table(self, numbers: ScaleUseFigureNumbers) -> Table:
        columns: tuple[str, ...] = ("Annotator", "Dimension", "Judgments", "Points from low to high", "Never given")
        columns += ("Items all alike", "95 % interval", "Items")
        rows: list[list[Any]] = [
            [
                row.annotator,
                dimension.title,
                sum(row.counts[dimension.dimension]),
                " · ".join(map(str, row.counts[dimension.dimension])),
                ", ".join(
                    f"{point:g}"
                    for point, count in zip(dimension.points, row.counts[dimension.dimension], strict=True)
                    if not count
                ),
                share(row.alike_share) + (", too few to say" if row.few else ""),
                shares(row.alike_ci),
                row.items,
            ]
            for row in numbers.all
            for dimension in numbers.dimensions
        ]
        return columns, rows


def _leaves_an_end_out(row: ScaleUseRow) -> bool:
    """Whether somebody never gave the lowest or the highest point of a scale that they used often enough to say so."""
    used = (counts for counts in row.counts.values() if sum(counts) >= TOO_FEW)
    return any(not counts[0] or not counts[-1] for counts in used)


def _alike(data: FigureData, names: set[str]) -> dict[str, list[tuple[str, bool]]]:
    """For each annotator, whether all values of an item are the same, item by item."""
    found: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for of_item in item_by_item(data.work.first_passes):
        given: dict[tuple[str, str], list[Judgment]] = defaultdict(list)
        for each in of_item:
            given[each.annotator, each.submission].append(each)
        for (annotator, _), together in given.items():
            alike = found[annotator]
            values = [each.value for each in together if each.dimension in names and each.value is not None]
            if len(values) > 1:
                alike.append((together[0].item, len({str(value) for value in values}) == 1))
    return dict(found)


def _most_judged(rows: Sequence[ScaleUseRow], dimensions: Sequence[Dimension]) -> str:
    """What is asked about (items, sides or entries) by the dimension on which one person gave the most judgments."""
    most = max(dimensions, key=lambda each: max(sum(row.counts[each.dimension]) for row in rows))
    return most.scope.of


def _row_of(
    annotator: str,
    counts: dict[str, Counter[float]],
    points: dict[str, list[float]],
    alike: list[tuple[str, bool]],
    data: FigureData,
) -> ScaleUseRow:
    by_dimension = {name: [counts[name][point] for point in scale] for name, scale in points.items()}
    totals = [sum(each) for each in by_dimension.values()]
    same = [item for item, is_same in alike if is_same]
    return ScaleUseRow(
        annotator=annotator,
        n=max(totals, default=0),
        few=max(totals, default=0) < TOO_FEW,
        counts=by_dimension,
        one_value=max((max(each) / sum(each) for each in by_dimension.values() if sum(each)), default=0.0),
        alike=len(same),
        alike_of=len(alike),
        alike_share=len(same) / len(alike) if alike else None,
        alike_ci=wilson(len(same), len(alike)) if alike else None,
        items=data.first(same),
    )
