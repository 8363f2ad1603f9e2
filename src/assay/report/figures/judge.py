"""Whether an automated judge says what people say, beside what people reach among themselves."""

from dataclasses import dataclass
from statistics import fmean
from typing import Any, ClassVar

from assay.judgments.scales import scale_of
from assay.report.charts import interval, number, signed
from assay.report.data import TOO_FEW
from assay.report.figures import MOST_PEOPLE, Figure, FigureData, Nothing, Part, Table, left_out, named
from assay.report.judge_agreement import JudgedDimension
from assay.study.rubric import Dimension

DRAWS = 200
"""Fewer than the report takes: the ends of intervals may differ in the second digit."""
MOST_VALUES = 9
MOST_PANELS = 6
FAR = 1.5


@dataclass(frozen=True, slots=True)
class JudgeCell:
    """How often the judge gave this value and people, by their rounded mean, that."""

    judge: int
    """The place of the value on the scale, from 0."""
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
    """By how much the judge lies above people."""
    labels: list[str]
    cells: list[JudgeCell]
    curve: list[JudgeCurvePoint]
    positions: list[float]
    items: list[str]


@dataclass(frozen=True, slots=True)
class JudgeFigureNumbers:
    """Every judge on every dimension, beside people."""

    n: int
    rows: list[JudgeRow]
    panels: list[JudgeRow]
    """Those whose values are drawn against people's."""
    all: list[JudgeRow]
    more: int


class JudgeFigure(Figure[JudgeFigureNumbers]):
    """Whether an automated judge says what people say: agreement under the ceiling of people, and where it differs."""

    kind: ClassVar[str] = "judge"
    rank: ClassVar[int] = 30
    part: ClassVar[Part] = "says"
    question: ClassVar[str] = "Can the judge stand in for people?"

    def numbers(self, data: FigureData) -> JudgeFigureNumbers | Nothing:
        if not data.report.by_judges:
            return Nothing("No automated judge has judged anything in this study.")
        rows = [row for dimension in data.report.study.scored for row in _judges_on(data, dimension.dimension)]
        if not rows:
            return Nothing("No item was judged both by an automated judge and by people.")
        ranked = sorted(rows, key=lambda row: row.few)
        return JudgeFigureNumbers(
            n=max(row.n for row in rows),
            rows=ranked[:MOST_PEOPLE],
            panels=sorted((row for row in ranked if row.cells), key=lambda row: -row.n)[:MOST_PANELS],
            all=ranked,
            more=len(ranked[MOST_PEOPLE:]),
        )

    def caption(self, numbers: JudgeFigureNumbers) -> str:
        return (
            f"Above: kappa of judge and people (dot), and of people among themselves on the same items (diamond, the "
            f"ceiling), with 95 % intervals; n up to {numbers.n} items. Below: how often the judge gave a value "
            f"(across) and people, by their rounded mean (up), with people's mean at each value."
            f"{left_out(numbers.more)}"
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
                f"{row.n}, too few to say" if row.few else row.n,
                number(row.value),
                interval(row.ci),
                number(row.people),
                interval(row.people_ci),
                signed(row.bias),
                row.items,
            ]
            for row in numbers.all
        ]
        return columns, rows


def _judges_on(data: FigureData, name: str) -> list[JudgeRow]:
    from assay.statistics.table import Scale

    report, dimension = data.report, data.report.study.dimension(name)
    judged = [each for each in report.by_judges if each.dimension == name and each.value is not None]
    people = [
        each
        for each in report.that_count
        if each.dimension == name and each.value is not None and report.on_this_scale(each)
    ]
    if not judged or not people:
        return []
    settled = (each for each in report.with_agreed.judgments if each.dimension == name and each.value is not None)
    # A judge is measured by what was agreed on, where the study says so; agreement is about judgments.
    values, said, truth = (
        [
            (each.unit, each.annotator, report.value_on_scale(each, dimension))
            for each in some
            if report.on_this_scale(each)
        ]
        for some in (judged, people, settled)
    )
    scale = Scale(scale_of(dimension), dimension.input.level or "nominal")
    question = JudgedDimension(report, judged, values, said, scale, computed=False, truth=truth)
    items = {each.unit: each.item for each in judged}
    found = []
    for judge in sorted({each.annotator for each in judged}):
        own = {about: value for about, who, value in values if who == judge and about in question.means}
        if own:
            found.append(_judge_on(question, judge, dimension, own, items))
    return found


def _judge_on(
    question: JudgedDimension, judge: str, dimension: Dimension, own: dict[str, Any], items: dict[str, str]
) -> JudgeRow:
    from assay.statistics.comparison.judge_values import confusion_with_mean, people_at_each_value
    from assay.statistics.comparison.judges import judge_against_people

    found = judge_against_people(
        own, question.people, question.scale, question.clusters, None, question.data.seed, DRAWS, [question.headline]
    )
    [main] = found.statistics
    role = "with_rest" if main.people_with_rest.value is not None else "with_each"
    mine, theirs = getattr(main, role), getattr(main, f"people_{role}")
    drawn = question.has_mean and question.scale.numeric and len(question.scale) <= MOST_VALUES
    table = confusion_with_mean(own, question.means, question.scale) if drawn else []
    curve = people_at_each_value(own, question.means, question.scale, question.clusters) if drawn else []
    above = {about: value - question.means[about] for about, value in question.positions(own).items()}
    apart = sorted((-abs(by), about) for about, by in above.items())
    n_units = len({question.shared[about] for about in own}) if question.clusters is not None else len(own)
    return JudgeRow(
        judge=judge,
        dimension=dimension.dimension,
        title=dimension.heading,
        n=len(own),
        n_units=n_units,
        few=n_units < TOO_FEW,
        value=mine.value,
        ci=mine.ci,
        people=theirs.value,
        people_ci=theirs.ci,
        bias=fmean(above.values()) if question.has_mean else None,
        labels=[str(value) for value in question.scale.categories] if drawn else [],
        cells=[
            JudgeCell(judge=at, people=place, n=count)
            for at, row in enumerate(table)
            for place, count in enumerate(row)
            if count
        ],
        curve=[
            JudgeCurvePoint(judge=at, n=each.n, value=each.people.value, ci=each.people.ci)
            for at, each in enumerate(curve)
            if each.people.value is not None
        ],
        positions=question.scale.positions.tolist() if drawn else [],
        items=named([items[about] for far, about in apart if far <= -FAR]) if question.has_mean else [],
    )
