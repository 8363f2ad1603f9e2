"""Whether an automated judge says what people say, beside what people reach among themselves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, ClassVar

from assay.in_words import count
from assay.judgments.units import Units
from assay.model import Judgment
from assay.report.charts import interval, number, with_sign
from assay.report.data import TOO_FEW
from assay.report.figures import MOST_DRAWN, Figure, FigureData, Nothing, Part, Table, not_drawn
from assay.report.judged_dimension import JudgedDimension, dimensions_with_judges
from assay.report.judges_together import families_of, family_on
from assay.statistics.comparison.judge_values import cells_with_mean, people_at_each_value
from assay.statistics.comparison.judges import judge_against_people
from assay.statistics.draws import DRAWS

MOST_VALUES = 9
MOST_PANELS = 20
FAR = 1.5


@dataclass(frozen=True, slots=True)
class JudgeCell:
    """How often the judge gave one value where the rounded mean of people is another, or the same."""

    judge: int
    """The position of the value on the scale, from 0."""
    people: int
    n: int


@dataclass(frozen=True, slots=True)
class JudgeCurvePoint:
    """What people gave, on average, where the judge gave one value."""

    judge: int
    n: int
    value: float
    ci: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """One judge on one dimension, beside people."""

    judge: str
    dimension: str
    title: str
    n: int
    n_units: int
    few: bool
    value: float | None
    """The agreement of judge and people."""
    ci: tuple[float, float] | None
    people: float | None
    """The agreement of people among themselves, on the same items."""
    people_ci: tuple[float, float] | None
    bias: float | None
    """Mean of the judge − mean of people."""
    labels: list[str]
    cells: list[JudgeCell]
    curve: list[JudgeCurvePoint]
    positions: list[float]
    items: list[str]
    of: str = "item"
    """What n counts: items, or each side or entry of one."""

    def about(self, cell: JudgeCell) -> str:
        """What the items of a cell have in common."""
        return f"{self.title}: {self.judge} {self.labels[cell.judge]}, people {self.labels[cell.people]}"


@dataclass(frozen=True, slots=True)
class JudgeFigureNumbers:
    """Every judge on every dimension, beside people."""

    n: int
    rows: list[JudgeRow]
    panels: list[JudgeRow]
    """Those whose values are drawn against people's."""
    all: list[JudgeRow]
    more: int
    together: list[JudgeRow] = field(default_factory=list)
    """Several judges as one."""


class JudgeFigure(Figure[JudgeFigureNumbers]):
    """Whether an automated judge says what people say: agreement under the ceiling of people, and where it differs."""

    kind: ClassVar[str] = "judge"
    rank: ClassVar[int] = 30
    part: ClassVar[Part] = "says"
    question: ClassVar[str] = "Can the judge stand in for people?"

    def numbers(self, data: FigureData) -> JudgeFigureNumbers | Nothing:
        if not data.report.by_judges:
            return Nothing("No automated judge has judged anything in this study.")
        dimensions = dimensions_with_judges(data.report)
        found = (_judge_on(each, judge, data) for each in dimensions for judge in each.judges)
        rows = [row for row in found if row is not None]
        together = [
            row
            for each in dimensions
            for name, family in _families_on(each)
            if (row := _judge_on(family, name, data)) is not None
        ]
        if not rows:
            return Nothing("No item was judged both by an automated judge and by people.")
        ranked = sorted(rows, key=lambda row: row.few)
        drawn = [*together, *ranked]
        return JudgeFigureNumbers(
            n=max(row.n for row in rows),
            rows=drawn[:MOST_DRAWN],
            panels=sorted((row for row in drawn if row.cells), key=lambda row: -row.n)[:MOST_PANELS],
            all=ranked,
            more=len(drawn[MOST_DRAWN:]),
            together=together,
        )

    def leads(self, data: FigureData, numbers: JudgeFigureNumbers) -> Mapping[str, Sequence[str]]:
        drawn = {(row.judge, row.title): row for row in numbers.panels}
        alone = dimensions_with_judges(data.report)
        found: dict[str, Sequence[str]] = {}
        together = [family for each in alone for family in _families_on(each)]
        for judge, dimension in [*((judge, each) for each in alone for judge in each.judges), *together]:
            if row := drawn.get((judge, dimension.title)):
                cells = cells_with_mean(dimension.values_of(judge), dimension.means, dimension.scale)
                for (at, place), units in cells.items():
                    items = [dimension.judgment_of[unit].item for unit in units]
                    found[row.about(JudgeCell(at, place, len(units)))] = items
        return found

    def finding(self, numbers: JudgeFigureNumbers) -> str:
        known = [row for row in (*numbers.together, *numbers.all) if row.value is not None and not row.few]
        if not known:
            return ""
        least = min(known, key=lambda row: row.value or 0.0)
        kappa = f"{number(least.value)} {interval(least.ci)}".rstrip()
        among = f"; people among themselves {number(least.people)}" if least.people is not None else ""
        return f"Least agreement with people: {least.judge} on {least.title}, {kappa}{among}"

    def caption(self, numbers: JudgeFigureNumbers) -> str:
        most = max(numbers.rows, key=lambda row: row.n)
        return (
            f"Above: kappa of judge and people (dot), and of people among themselves on the same items (diamond, the "
            f"ceiling), with 95 % intervals; n up to {Units(most.of, most.n)}. Below: how often the judge gave a value "
            f"(across) and people, by their rounded mean (up), with people's mean at each value."
            f"{not_drawn(numbers.more)}"
        )

    def table(self, numbers: JudgeFigureNumbers) -> Table:
        columns: tuple[str, ...] = (
            "Judge",
            "Dimension",
            "Items",
            "Agreement with people",
            "95 % interval",
            "People among themselves",
        )
        columns += ("95 % interval of it", "Judge above people", "Farthest from people")
        rows: list[list[Any]] = [
            [
                row.judge,
                row.title,
                f"{count(row.n)}, too few to say" if row.few else row.n,
                number(row.value),
                interval(row.ci),
                number(row.people),
                interval(row.people_ci),
                with_sign(row.bias),
                row.items,
            ]
            for row in (*numbers.together, *numbers.all)
        ]
        return columns, rows


def _families_on(dimension: JudgedDimension) -> Iterator[tuple[str, JudgedDimension]]:
    """The families of judges that the study declares, and all judges together, each with its numbers on a dimension."""
    families = families_of(dimension.data.study, sorted({each.annotator for each in dimension.data.by_judges}))
    for name, judges in families.items():
        own = [judge for judge in judges if judge in dimension.judges]
        if len(own) > 1:
            yield name, family_on(dimension, name, own)


def _judge_on(dimension: JudgedDimension, judge: str, data: FigureData) -> JudgeRow | None:
    """One judge on one dimension; None where people judged nothing of what it judged."""
    own = {unit: value for unit, value in dimension.values_of(judge).items() if unit in dimension.means}
    if not own:
        return None
    [main] = judge_against_people(
        own,
        dimension.people,
        dimension.scale,
        dimension.clusters,
        seed=dimension.data.seed,
        draws=DRAWS,
        only=[dimension.headline],
    ).statistics
    with_rest = main.people_with_rest.value is not None
    mine, theirs = (main.with_rest, main.people_with_rest) if with_rest else (main.with_each, main.people_with_each)
    drawn = dimension.has_mean and dimension.scale.numeric and len(dimension.scale) <= MOST_VALUES
    above = {unit: value - dimension.means[unit] for unit, value in dimension.positions(own).items()}
    apart = sorted((-abs(by), unit) for unit, by in above.items())
    far = [dimension.judgment_of[unit].item for by, unit in apart if by <= -FAR]
    n_units = dimension.independent_units(list(own))
    return JudgeRow(
        judge=judge,
        dimension=dimension.name,
        title=dimension.title,
        n=dimension.count(own),
        n_units=n_units,
        few=n_units < TOO_FEW,
        value=mine.value,
        ci=mine.ci,
        people=theirs.value,
        people_ci=theirs.ci,
        bias=fmean(above.values()) if dimension.has_mean else None,
        labels=[str(value) for value in dimension.scale.categories] if drawn else [],
        cells=_cells(dimension, own) if drawn else [],
        curve=_curve(dimension, own) if drawn else [],
        positions=dimension.scale.positions.tolist() if drawn else [],
        items=data.first(far) if dimension.has_mean else [],
        of=_unit_of(dimension.judgment_of[next(iter(own))]),
    )


def _unit_of(judgment: Judgment) -> str:
    """What of an item a judgment is about: an entry, a side or the item itself."""
    return "entries" if judgment.entry else "side" if judgment.role else "item"


def _cells(dimension: JudgedDimension, own: Mapping[str, Any]) -> list[JudgeCell]:

    found = sorted(cells_with_mean(own, dimension.means, dimension.scale).items())
    return [JudgeCell(judge=at, people=place, n=len(units)) for (at, place), units in found]


def _curve(dimension: JudgedDimension, own: Mapping[str, Any]) -> list[JudgeCurvePoint]:

    curve = people_at_each_value(own, dimension.means, dimension.scale, dimension.clusters)
    return [
        JudgeCurvePoint(judge=at, n=each.n, value=each.people.value, ci=each.people.ci)
        for at, each in enumerate(curve)
        if each.people.value is not None
    ]
