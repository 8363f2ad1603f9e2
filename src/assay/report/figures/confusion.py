"""Where exactly two annotators differ: how often one gave this value and the other that."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from assay.judgments.scales import mirrored, scale_of
from assay.judgments.topics import Topic
from assay.model import ROLES, Judgment
from assay.quality.monitor_data import number_of, scale_positions
from assay.report.data import TOO_FEW
from assay.report.figures import MOST_PEOPLE, Figure, FigureData, Nothing, Part, Table, first_items
from assay.sides_and_candidates import systems_by_role
from assay.statistics.wilson import wilson

MOST_VALUES = 9
MOST_PANELS = 6
WITHOUT_NAMES = ("one system", "the other")
"""What the two systems of a preference are called where they have no names: the one that was chosen first is one."""


@dataclass(frozen=True, slots=True)
class ConfusionCell:
    """How often one annotator gave this value and the other that."""

    row: int
    column: int
    first: str
    second: str
    n: int
    far: bool
    """Whether the two values are two or more points apart."""
    items: list[str]


@dataclass(frozen=True, slots=True)
class ConfusionPanel:
    """The values that two annotators gave on one dimension; of a preference, on one comparison."""

    dimension: str
    title: str
    labels: list[str]
    n: int
    items: int
    same: int
    same_ci: tuple[float, float] | None
    most: int
    """How often the most frequent cell occurs."""
    cells: list[ConfusionCell]


@dataclass(frozen=True, slots=True)
class ConfusionFigureNumbers:
    """The values of the two annotators who share the most items."""

    n: int
    first: str
    second: str
    few: bool
    panels: list[ConfusionPanel]
    drawn: int
    """So many of the panels are drawn."""


class ConfusionFigure(Figure[ConfusionFigureNumbers]):
    """Where exactly two annotators differ: how often one gave this value and the other that.

    The two are those who share the most items; of several such pairs, the one that agrees least.
    """

    kind: ClassVar[str] = "confusion"
    rank: ClassVar[int] = 30
    part: ClassVar[Part] = "good"
    question: ClassVar[str] = "Where exactly do two annotators differ?"

    def numbers(self, data: FigureData) -> ConfusionFigureNumbers | Nothing:
        pair = _pair(data)
        if pair is None:
            return Nothing("No two annotators have judged the same item yet.")
        panels = [
            panel
            for topic in _topics(data)
            if len(data.report.study.dimension(topic.dimension).input.values()) <= MOST_VALUES
            and (panel := _panel(data, topic, *pair)).n
        ]
        if not panels:
            return Nothing("The annotators who share items have no question with few enough answers in common.")
        return ConfusionFigureNumbers(
            n=max(panel.items for panel in panels),
            first=pair[0],
            second=pair[1],
            few=max(panel.items for panel in panels) < TOO_FEW,
            panels=panels,
            drawn=min(MOST_PANELS, len(panels)),
        )

    def caption(self, numbers: ConfusionFigureNumbers) -> str:
        few = f" (fewer than {TOO_FEW}: too few to say)" if numbers.few else ""
        return (
            f"{numbers.first} (rows) and {numbers.second} (columns), the two who share the most items: "
            f"n = {numbers.n}{few}. On the framed diagonal both say the same; above each, how often, with the 95 % "
            "interval."
        )

    def table(self, numbers: ConfusionFigureNumbers) -> Table:
        columns = ("Dimension", numbers.first, numbers.second, "How often", "Items")
        rows: list[list[Any]] = [
            [panel.title, cell.first, cell.second, cell.n, cell.items]
            for panel in numbers.panels
            for cell in panel.cells
        ]
        return columns, rows


def _pair(data: FigureData) -> tuple[str, str] | None:
    """The two who share the most items; of several, those who give the same value least often."""
    by_item: dict[str, set[str]] = defaultdict(set)
    for each in data.work.first_passes:
        by_item[each.item].add(each.annotator)
    busiest = Counter(who for people in by_item.values() for who in people)
    known = {who for who, _ in busiest.most_common(MOST_PEOPLE)}
    shared: Counter[tuple[str, str]] = Counter()
    for people in by_item.values():
        shared.update(combinations(sorted(people & known), 2))
    if not shared:
        return None
    most = max(shared.values())
    best = sorted(pair for pair, count in shared.items() if count == most)
    return min(best, key=lambda pair: _same(data, *pair)) if len(best) > 1 else best[0]


def _both(data: FigureData, first: str, second: str) -> list[tuple[Judgment, Judgment]]:
    given: dict[tuple[str, str], dict[str, Judgment]] = defaultdict(dict)
    for each in data.work.first_passes:
        if each.annotator in (first, second) and each.value is not None:
            given[each.item, each.key][each.annotator] = each
    return [(both[first], both[second]) for both in given.values() if len(both) == 2]


def _same(data: FigureData, first: str, second: str) -> float:
    both = _both(data, first, second)
    return sum(one.value == other.value for one, other in both) / len(both) if both else 1.0


def _topics(data: FigureData) -> list[Topic]:
    """What has a panel of its own; in a blind study no comparison: the panel would say which system is preferred."""
    if not data.report.study.analysis.blind:
        return data.report.topics
    return list(dict.fromkeys(Topic(each.dimension) for each in data.report.topics))


def _panel(data: FigureData, topic: Topic, first: str, second: str) -> ConfusionPanel:
    dimension = data.report.study.dimension(topic.dimension)
    values = list(scale_of(dimension))
    without_names = dimension.input.compares and not topic.system
    systems = systems_by_role(WITHOUT_NAMES if without_names else topic[1:]) if dimension.input.compares else {}
    labels = [systems.get(str(value), str(value)) for value in values]
    ordered: dict[Any, float] = scale_positions(dimension) if dimension.input.level != "nominal" else {}
    if dimension.input.compares:
        ordered = {value: float(place) for place, value in enumerate(values)}
    found: dict[tuple[int, int], list[str]] = defaultdict(list)
    for one, other in _both(data, first, second):
        if topic.holds(one):
            row, column = (data.report.value_on_scale(each, dimension) for each in (one, other))
            if without_names and ROLES[1] in (row, column) and row != ROLES[0]:
                row, column = mirrored(row), mirrored(column)
            if row in values and column in values:
                found[values.index(row), values.index(column)].append(one.item)
    n = sum(map(len, found.values()))
    same = sum(len(items) for (row, column), items in found.items() if row == column)
    return ConfusionPanel(
        dimension=dimension.dimension,
        title=topic.title(data.report.study),
        labels=labels,
        n=n,
        items=len({item for items in found.values() for item in items}),
        same=same,
        same_ci=wilson(same, n) if n else None,
        most=max(map(len, found.values()), default=0),
        cells=[
            ConfusionCell(
                row=row,
                column=column,
                first=labels[row],
                second=labels[column],
                n=len(items),
                far=_far(values[row], values[column], ordered),
                items=first_items(items),
            )
            for (row, column), items in sorted(found.items())
        ],
    )


def _far(one: Any, other: Any, ordered: dict[Any, float]) -> bool:
    """Whether two values are two or more points apart; without an order, whether they differ."""
    low, high = number_of(one, ordered), number_of(other, ordered)
    return one != other if low is None or high is None else abs(low - high) >= 2
