"""Who gives higher or lower values than the others do on the same items, and on which dimension."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.in_words import count
from assay.quality.findings import most_apart
from assay.quality.monitor_data import width_of
from assay.report.charts import interval, round_up, with_sign
from assay.report.data import TOO_FEW
from assay.report.figures import MOST_PEOPLE, Figure, FigureData, Nothing, Part, Table, not_drawn
from assay.report.wording import many

DRAWN = 12
"""How many annotators are drawn at least, those who stand out most; all of them are in the table."""


@dataclass(frozen=True, slots=True)
class LeniencyRow:
    """How far one annotator lies above or below the others on one dimension."""

    annotator: str
    dimension: str
    title: str
    value: float
    ci: tuple[float, float] | None
    """None where nothing varies."""
    n: int
    few: bool
    """Whether it is from too few items, or from too few groups of items that share something."""
    beyond: bool
    """Whether the interval lies wholly to one side of 0."""
    items: list[str]


@dataclass(frozen=True, slots=True)
class LeniencyFigureNumbers:
    """How far each annotator lies above or below the others."""

    n: int
    annotators: int
    reach: float
    """How far the axis goes to either side."""
    rows: list[LeniencyRow]
    all: list[LeniencyRow]
    more: int

    @property
    def matrix(self) -> tuple[list[str], list[tuple[str, dict[str, LeniencyRow]]]]:
        """The rows as a table: the dimensions, and each annotator with what there is on each."""
        return _matrix(self.rows)


class LeniencyFigure(Figure[LeniencyFigureNumbers]):
    """Who gives higher or lower values than the others do on the same items, and on which dimension."""

    kind: ClassVar[str] = "leniency"
    rank: ClassVar[int] = 10
    part: ClassVar[Part] = "who"
    question: ClassVar[str] = "Who is stricter, and where?"

    def numbers(self, data: FigureData) -> LeniencyFigureNumbers | Nothing:
        rows: list[LeniencyRow] = []
        for dimension in data.work.ordered_dimensions:
            residuals = data.work.residuals[dimension.dimension]
            for annotator, found in data.work.severities[dimension.dimension].items():
                if found is None:
                    continue
                rows.append(
                    LeniencyRow(
                        annotator=annotator,
                        dimension=dimension.dimension,
                        title=dimension.heading,
                        value=found.value,
                        ci=found.interval,
                        n=found.n,
                        few=found.independent < TOO_FEW,
                        beyond=found.has_interval and not found.low <= 0 <= found.high,
                        items=list(most_apart(residuals.by_item(annotator), found.value, data.most)),
                    )
                )
        if not rows:
            return Nothing("No two annotators have judged the same items on a scale with an order yet.")
        ranked = sorted(rows, key=lambda row: (row.few, not row.beyond, -abs(row.value)))
        people = list(dict.fromkeys(row.annotator for row in ranked))[
            : max(DRAWN, MOST_PEOPLE // len({row.dimension for row in rows}))
        ]
        shown = [row for name in people for row in rows if row.annotator == name]
        widest = max(width_of(each) for each in data.work.ordered_dimensions)
        return LeniencyFigureNumbers(
            n=max(row.n for row in rows),
            annotators=len({row.annotator for row in rows}),
            reach=min(widest, round_up(max(map(_reach, shown)))),
            rows=shown,
            all=ranked,
            more=len(rows) - len(shown),
        )

    def finding(self, numbers: LeniencyFigureNumbers) -> str:
        beyond = [row for row in numbers.all if row.beyond and not row.few]
        if not beyond:
            return "" if all(row.few for row in numbers.all) else "Nobody is stricter or more lenient than chance"
        people, top = len({row.annotator for row in beyond}), max(beyond, key=lambda row: abs(row.value))
        verb = "differs" if people == 1 else "differ"
        who = f"{many(people)} {verb} from the others beyond chance"
        return f"{who}, most {top.annotator} on {top.title}: {with_sign(top.value)}"

    def caption(self, numbers: LeniencyFigureNumbers) -> str:
        text = "Each annotator's (value − mean of the others on the same items), with 95 % intervals; "
        text += f"{many(numbers.annotators)}, n up to {many(numbers.n, 'item')} each."
        drawn = {row.annotator for row in numbers.rows}
        others = [row.value for row in numbers.all if row.annotator not in drawn and not row.few]
        between = f", between {with_sign(min(others))} and {with_sign(max(others))}" if others else ""
        return text + not_drawn(numbers.more, between)

    def table(self, numbers: LeniencyFigureNumbers) -> Table:
        columns = ("Annotator", "Dimension", "Above the others", "95 % interval", "Items", "Farthest from the others")
        rows: list[list[Any]] = [
            [
                row.annotator,
                row.title,
                with_sign(row.value),
                interval(row.ci),
                f"{count(row.n)}, too few to say" if row.few else row.n,
                row.items,
            ]
            for row in numbers.all
        ]
        return columns, rows


def _matrix(rows: Sequence[LeniencyRow]) -> tuple[list[str], list[tuple[str, dict[str, LeniencyRow]]]]:
    """The rows as a table: the dimensions, and each annotator with what there is on each."""
    people: dict[str, dict[str, LeniencyRow]] = {}
    for row in rows:
        people.setdefault(row.annotator, {})[row.title] = row
    return list(dict.fromkeys(row.title for row in rows)), list(people.items())


def _reach(row: LeniencyRow) -> float:
    """How far the axis must reach for a row; an interval of few items may be cut off."""
    ends = (row.value,) if row.few or row.ci is None else row.ci
    return max(0.5, *map(abs, ends))
