"""Where exactly two annotators differ: how often one gave this value and the other that."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, ClassVar

from assay.frozen_json import fields_of
from assay.in_words import count
from assay.judgments.canonical_order import item_by_item
from assay.judgments.scales import mirror_preference, scale_of
from assay.judgments.topics import Topic
from assay.model import ROLES, Judgment
from assay.quality.monitor_data import number_of, scale_positions
from assay.report.charts import share
from assay.report.data import TOO_FEW
from assay.report.figures import Figure, FigureData, Nothing, Part, Table
from assay.sides_and_candidates import systems_by_role
from assay.statistics.wilson import wilson

MOST_VALUES = 9
MOST_PANELS = 6
BUSIEST = 40
"""How many annotators pairs are made of: those who have judged the most items."""
MOST_PAIRS = 6
"""The most pairs of annotators to choose from, those who differ most first."""
LEAST_SHARED = 2
"""Two who share fewer items say nothing of how they differ."""
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
class ConfusionPair:
    """The values of two annotators."""

    n: int
    first: str
    second: str
    few: bool
    panels: list[ConfusionPanel]
    drawn: int
    """How many of the panels are drawn."""
    same: int = 0
    """How often both gave the same value, on all questions together."""
    of: int = 0

    @property
    def title(self) -> str:
        """The two, and how often they say the same."""
        return f"{self.first} and {self.second}: {share(self.same / self.of if self.of else None)} the same"


@dataclass(frozen=True, slots=True)
class ConfusionFigureNumbers(ConfusionPair):
    """The values of the two annotators who differ most, and of others to choose from."""

    others: list[ConfusionPair] = field(default_factory=list)


class ConfusionFigure(Figure[ConfusionFigureNumbers]):
    """Where exactly two annotators differ: how often one gave this value and the other that.

    The two are those who give the same value least often, of all who share enough items; others can be chosen.
    """

    kind: ClassVar[str] = "confusion"
    rank: ClassVar[int] = 30
    part: ClassVar[Part] = "good"
    question: ClassVar[str] = "Where exactly do two annotators differ?"

    def numbers(self, data: FigureData) -> ConfusionFigureNumbers | Nothing:
        pairs = _pairs(data)
        if not pairs:
            some = any(len(people) > 1 for people in _people_by_item(data).values())
            few = f"{LEAST_SHARED} of the same items" if some else "the same item"
            return Nothing(f"No two annotators have judged {few} yet.")
        topics = [
            topic
            for topic in _topics(data)
            if len(data.report.study.dimension(topic.dimension).input.values()) <= MOST_VALUES
        ]
        found = [pair for names in pairs if (pair := _pair(data, topics, *names)) is not None]
        if not found:
            return Nothing("The annotators who share items have no question with few enough answers in common.")
        return ConfusionFigureNumbers(**fields_of(found[0]), others=found[1:])

    def views(self, numbers: ConfusionFigureNumbers) -> list[tuple[str, Any]]:
        return [(pair.title, pair) for pair in (numbers, *numbers.others)]

    def finding(self, numbers: ConfusionFigureNumbers) -> str:
        alike = share(numbers.same / numbers.of if numbers.of else None)
        return "" if numbers.few else f"{numbers.first} and {numbers.second} gave the same answer in {alike}"

    def caption(self, numbers: ConfusionFigureNumbers) -> str:
        few = f" (fewer than {TOO_FEW}: too few to say)" if numbers.few else ""
        which = (
            ", the two who share the most items"
            if numbers.few
            else ", the two who differ most of those who share enough"
        )
        which = which if numbers.others else ""
        return (
            f"{numbers.first} (rows) and {numbers.second} (columns){which}: "
            f"n = {count(numbers.n)}{few}. On the framed diagonal both say the same; above each, how often, with the "
            "95 % interval."
        )

    def table(self, numbers: ConfusionFigureNumbers) -> Table:
        columns = ("Annotators", "Dimension", "The first", "The second", "How often", "Items")
        rows: list[list[Any]] = [
            [f"{pair.first}, {pair.second}", panel.title, cell.first, cell.second, cell.n, cell.items]
            for pair in (numbers, *numbers.others)
            for panel in pair.panels
            for cell in panel.cells
        ]
        return columns, rows


def _pair(data: FigureData, topics: Sequence[Topic], first: str, second: str) -> ConfusionPair | None:
    both = _both(data, first, second)
    panels = [panel for topic in topics if (panel := _panel(data, topic, both)).n]
    if not panels:
        return None
    n = max(panel.items for panel in panels)
    return ConfusionPair(
        n=n,
        first=first,
        second=second,
        few=n < TOO_FEW,
        panels=panels,
        drawn=min(MOST_PANELS, len(panels)),
        same=sum(panel.same for panel in panels),
        of=sum(panel.n for panel in panels),
    )


def _pairs(data: FigureData) -> list[tuple[str, str]]:
    """Those who give the same value least often first, of all who share enough items: as many as say something.

    Where nobody shares so many, those who share the most come first, and half of that is enough to be chosen.
    """
    by_item = _people_by_item(data)
    busiest = Counter(who for people in by_item.values() for who in people)
    known = {who for who, _ in busiest.most_common(BUSIEST)}
    shared: Counter[tuple[str, str]] = Counter()
    for people in by_item.values():
        shared.update(combinations(sorted(people & known), 2))
    most = max(shared.values(), default=0)
    enough = TOO_FEW if most >= TOO_FEW else max(LEAST_SHARED, most / 2)
    same: Counter[tuple[str, str]] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for of_item in item_by_item(data.work.first_passes):
        values: dict[str, dict[str, Any]] = defaultdict(dict)
        for each in of_item:
            if each.value is not None:
                values[each.key][each.annotator] = each.value
        for given in values.values():
            for pair in combinations(sorted(given.keys() & known), 2):
                both[pair] += 1
                same[pair] += given[pair[0]] == given[pair[1]]
    compared = [pair for pair, n in shared.items() if n >= enough and both[pair]]
    few = most < TOO_FEW
    return sorted(compared, key=lambda pair: (few and -shared[pair], same[pair] / both[pair], -shared[pair], pair))[
        :MOST_PAIRS
    ]


def _people_by_item(data: FigureData) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for each in data.work.first_passes:
        found[each.item].add(each.annotator)
    return found


def _both(data: FigureData, first: str, second: str) -> list[tuple[Judgment, Judgment]]:
    given: dict[tuple[str, str], dict[str, Judgment]] = defaultdict(dict)
    for each in data.work.first_passes:
        if each.annotator in (first, second) and each.value is not None:
            given[each.item, each.key][each.annotator] = each
    return [(both[first], both[second]) for both in given.values() if len(both) == 2]


def _topics(data: FigureData) -> list[Topic]:
    """The topics with a panel each. In a blind study no comparison: its panel would say which system is preferred."""
    if not data.report.study.analysis.blind:
        return data.report.topics
    return list(dict.fromkeys(Topic(each.dimension) for each in data.report.topics))


def _panel(data: FigureData, topic: Topic, both: Sequence[tuple[Judgment, Judgment]]) -> ConfusionPanel:
    dimension = data.report.study.dimension(topic.dimension)
    values = list(scale_of(dimension))
    without_names = dimension.input.compares and not topic.system
    systems = systems_by_role(WITHOUT_NAMES if without_names else topic[1:]) if dimension.input.compares else {}
    labels = [systems.get(str(value), str(value)) for value in values]
    ordered: dict[Any, float] = scale_positions(dimension) if dimension.input.level != "nominal" else {}
    if dimension.input.compares:
        ordered = {value: float(place) for place, value in enumerate(values)}
    found: dict[tuple[int, int], list[str]] = defaultdict(list)
    for one, other in both:
        if topic.holds(one):
            row, column = (data.report.value_on_scale(each, dimension) for each in (one, other))
            if without_names and ROLES[1] in (row, column) and row != ROLES[0]:
                row, column = mirror_preference(row), mirror_preference(column)
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
                items=data.first(items),
            )
            for (row, column), items in sorted(found.items())
        ],
    )


def _far(one: Any, other: Any, ordered: dict[Any, float]) -> bool:
    """Whether two values are two or more points apart; without an order, whether they differ."""
    low, high = number_of(one, ordered), number_of(other, ordered)
    return one != other if low is None or high is None else abs(low - high) >= 2
