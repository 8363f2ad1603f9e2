"""The items and questions on which people are farthest apart: what to talk about."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import Any, ClassVar

from assay.in_words import count, many
from assay.quality.monitor_data import scale_positions
from assay.report.adjudication import far_apart
from assay.report.charts import number
from assay.report.data import TOO_FEW
from assay.report.figures import Figure, FigureData, Nothing, Part, Table

DRAWN = 20
LISTED = 200
MOST_NOTE = 160


@dataclass(frozen=True, slots=True)
class DisagreementRow:
    """A question on an item, with the values that people gave."""

    item: str
    dimension: str
    title: str
    which: str
    """Of which candidate or entry, where there are several."""
    spread: float
    n: int
    mean: float
    given: list[tuple[float, int]]
    """Each value, and how many people gave it."""
    ends: tuple[float, float]
    """The lowest and the highest point of the scale."""
    notes: list[str]


@dataclass(frozen=True, slots=True)
class DisagreementFigureNumbers:
    """The questions on which people are farthest apart."""

    n: int
    few: bool
    limit: float
    above: int
    rows: list[DisagreementRow]
    all: list[DisagreementRow]
    more: int


class DisagreementFigure(Figure[DisagreementFigureNumbers]):
    """The items and questions on which people are farthest apart: what to talk about."""

    kind: ClassVar[str] = "disagreement"
    rank: ClassVar[int] = 20
    part: ClassVar[Part] = "good"
    question: ClassVar[str] = "What should be talked about?"

    def numbers(self, data: FigureData) -> DisagreementFigureNumbers | Nothing:
        study = data.report.study
        scales = {each.dimension: scale_positions(each) for each in study.scored_dimensions}
        found = [each for each in data.spreads if each.dimension in scales]
        if not found:
            return Nothing("No item has two judgments with numbers yet.")
        limit = far_apart(study)
        ranked = sorted(found, key=lambda each: (-each.spread, each.item, each.dimension, each.key))
        apart = [each for each in ranked if each.spread > 0][:LISTED]
        if not apart:
            return Nothing(
                f"Everybody gave the same values: {many(len(found), 'question')} with two judgments or more."
            )
        notes = _notes(data, {each.item for each in apart})
        rows = [
            DisagreementRow(
                item=each.item,
                dimension=each.dimension,
                title=study.dimension(each.dimension).heading,
                which=each.key.partition(".")[2],
                spread=each.spread,
                n=len(each.values),
                mean=fmean(each.values),
                given=sorted(Counter(each.values).items()),
                ends=(min(scales[each.dimension].values()), max(scales[each.dimension].values())),
                notes=notes.get(each.item, []),
            )
            for each in apart
        ]
        return DisagreementFigureNumbers(
            n=len(found),
            few=len({each.item for each in found}) < TOO_FEW,
            limit=limit,
            above=sum(each.spread > limit for each in found),
            rows=rows[:DRAWN],
            all=rows,
            more=len(rows[DRAWN:]),
        )

    def finding(self, numbers: DisagreementFigureNumbers) -> str:
        above = f"{count(numbers.above)} of {many(numbers.n, 'question')} {'is' if numbers.above == 1 else 'are'}"
        return f"{above} farther apart than {number(numbers.limit, 1)}"

    def caption(self, numbers: DisagreementFigureNumbers) -> str:
        few = " (of few items: too few to say much)" if numbers.few else ""
        return (
            f"The widest spreads of n = {many(numbers.n, 'question')} with two judgments or more{few}; "
            f"{numbers.above} have a standard deviation above {number(numbers.limit, 1)}. A circle is one value, "
            f"with the number of people where several gave it; {len(numbers.all)} are in the table."
        )

    def table(self, numbers: DisagreementFigureNumbers) -> Table:
        columns = ("Item", "Dimension", "Which", "Spread", "Values", "Notes")
        rows: list[list[Any]] = [
            [
                [row.item],
                row.title,
                row.which,
                number(row.spread),
                ", ".join(f"{value:g}" for value, count in row.given for _ in range(count)),
                " / ".join(row.notes),
            ]
            for row in numbers.all
        ]
        return columns, rows


def _notes(data: FigureData, items: set[str]) -> dict[str, list[str]]:
    """The first words of what annotators wrote about some items."""
    free = {each.dimension for each in data.report.study.rubric if each.input.level is None}
    found: dict[str, list[str]] = defaultdict(list)
    for each in data.report.whole.that_count:
        if each.item in items and each.dimension in free and isinstance(each.value, str) and each.value.strip():
            found[each.item].append(each.value.strip()[:MOST_NOTE])
    return {item: written[:5] for item, written in found.items()}
