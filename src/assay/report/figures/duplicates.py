"""Whether annotators say the same again when an item comes back."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.in_words import count
from assay.model import Judgment
from assay.quality.duplicates import pairs_of_passes
from assay.quality.monitor_data import number_of, scale_positions
from assay.report.charts import share, shares
from assay.report.data import TOO_FEW
from assay.report.figures import MOST_PEOPLE, Figure, FigureData, Nothing, Part, Table, not_drawn
from assay.report.wording import many
from assay.statistics.wilson import wilson

AIM = 1
"""Values at most this many points apart count as consistent."""


SIZES = ("the same again", "one apart", "two or more apart")
"""What the items of each bar have in common."""


@dataclass(frozen=True, slots=True)
class DuplicatesRow:
    """What one annotator said when items came back."""

    annotator: str
    n: int
    """How many second judgments there are."""
    twice: int
    """Of how many items."""
    few: bool
    same: int
    one: int
    """How many are one point apart."""
    more: int
    """How many are farther apart, or something else."""
    more_ci: tuple[float, float]
    items: list[str]


@dataclass(frozen=True, slots=True)
class DuplicatesFigureNumbers:
    """What each annotator said when items came back."""

    n: int
    annotators: int
    aim: int
    rows: list[DuplicatesRow]
    all: list[DuplicatesRow]
    more: int


class DuplicatesFigure(Figure[DuplicatesFigureNumbers]):
    """Whether annotators say the same again when an item comes back: the same, one point apart, or more."""

    kind: ClassVar[str] = "duplicates"
    rank: ClassVar[int] = 40
    part: ClassVar[Part] = "who"
    question: ClassVar[str] = "Is each annotator consistent with themselves?"

    def numbers(self, data: FigureData) -> DuplicatesFigureNumbers | Nothing:
        twice = _twice(data)
        if not twice:
            asked = data.report.study.assignment.duplicates is not None
            why = "No item has come back to anybody yet." if asked else "This study shows no item twice."
            return Nothing(why)
        rows = [_row_of(data, who, given) for who, given in sorted(twice.items())]
        ranked = sorted(rows, key=lambda row: (-row.more_ci[0], -row.more / row.n, row.annotator))
        return DuplicatesFigureNumbers(
            n=sum(row.n for row in rows),
            annotators=len(rows),
            aim=AIM,
            rows=ranked[:MOST_PEOPLE],
            all=ranked,
            more=len(ranked[MOST_PEOPLE:]),
        )

    def leads(self, data: FigureData, numbers: DuplicatesFigureNumbers) -> Mapping[str, Sequence[str]]:
        twice = _twice(data)
        return {
            f"{row.annotator}: {words}": [item for item, apart in twice[row.annotator] if apart == size]
            for row in numbers.rows
            for size, words in enumerate(SIZES)
        }

    def finding(self, numbers: DuplicatesFigureNumbers) -> str:
        near = sum(row.same + row.one for row in numbers.all)
        return f"{share(near / numbers.n)} of second answers are the same or one apart"

    def caption(self, numbers: DuplicatesFigureNumbers) -> str:
        return (
            f"Second judgments beside the first, n = {count(numbers.n)} of {many(numbers.annotators)}; what is in no "
            f"order is the same or not. The aim is to be {numbers.aim} point apart at most."
            f"{not_drawn(numbers.more)}"
        )

    def table(self, numbers: DuplicatesFigureNumbers) -> Table:
        columns = ("Annotator", "Items twice", "Same", "One apart", "Two or more, or another", "95 % interval", "Items")
        rows: list[list[Any]] = [
            [
                row.annotator,
                f"{row.twice}, too few to say" if row.few else row.twice,
                row.same,
                row.one,
                f"{row.more} ({share(row.more / row.n)})",
                shares(row.more_ci),
                row.items,
            ]
            for row in numbers.all
        ]
        return columns, rows


def _twice(data: FigureData) -> dict[str, list[tuple[str, int]]]:
    """Of each annotator, the items that came back, and how far apart the two answers are, question by question."""
    scales = {each.dimension: scale_positions(each) for each in data.work.ordered_dimensions}
    twice: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for first, second in pairs_of_passes(data.work):
        twice[first.annotator].append((first.item, _apart(first, second, scales.get(first.dimension, {}))))
    return twice


def _apart(first: Judgment, second: Judgment, scale: dict[Any, float]) -> int:
    """How far two answers are apart: 0 the same, 1 at most one point, 2 more, or different where there is no order."""
    one, other = first.choice, second.choice
    low, high = number_of(one, scale), number_of(other, scale)
    if low is None or high is None:
        return 0 if one == other else 2
    return 0 if low == high else 1 if abs(low - high) <= AIM + 1e-9 else 2


def _row_of(data: FigureData, annotator: str, given: list[tuple[str, int]]) -> DuplicatesRow:
    counts = [sum(apart == size for _, apart in given) for size in range(3)]
    twice = len({item for item, _ in given})
    return DuplicatesRow(
        annotator=annotator,
        n=len(given),
        twice=twice,
        few=twice < TOO_FEW,
        same=counts[0],
        one=counts[1],
        more=counts[2],
        more_ci=wilson(counts[2], len(given)),
        items=data.first(item for item, apart in given if apart == 2),
    )
