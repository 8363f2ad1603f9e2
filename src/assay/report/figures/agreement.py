"""How far annotators agree on each dimension, with intervals and the study's own threshold."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.in_words import count, many
from assay.judgments.topics import Topic
from assay.model import Coefficient
from assay.report.agreement_line import decision_on, decisions_in_words, least_agreement
from assay.report.charts import interval, number, share
from assay.report.data import TOO_FEW
from assay.report.figures import Figure, FigureData, Nothing, Part, Table
from assay.report.headline import headline_of, why_another, why_undecided
from assay.statistics import pairwise, title_of

MOST_PEOPLE_IN_PAIRS = 10


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """The agreement on one dimension; of a preference, on one comparison."""

    dimension: str
    title: str
    coefficient: str
    value: float | None
    ci: tuple[float, float] | None
    undefined: str | None
    instead: bool
    """Whether another coefficient stands in the place of the study's."""
    why: str | None
    """Why the study's coefficient is undefined, where another stands in its place."""
    n: int
    annotators: int
    few: bool
    near: float | None
    """The share of pairs of judgments that are close."""
    near_means: str
    items: list[str]
    """Those on which people are farthest apart."""
    rests_on: str = ""
    """What n counts, in words: items, or sides or entries of so many items."""
    undecided: str = ""
    """Why the study's line is not held against it."""


@dataclass(frozen=True, slots=True)
class PairOfAnnotators:
    """The agreement of two annotators."""

    first: str
    second: str
    value: float | None
    n: int
    few: bool

    def about(self, title: str) -> str:
        """What the items have in common that the two disagree on; where there are none, those that both judged."""
        return f"{self.first} and {self.second} on {title}"


@dataclass(frozen=True, slots=True)
class PairsOfAnnotators:
    """The agreement of each two annotators on one dimension."""

    dimension: str
    title: str
    coefficient: str
    annotators: list[str]
    cells: list[PairOfAnnotators]


@dataclass(frozen=True, slots=True)
class AgreementFigureNumbers:
    """The agreement on every dimension, and between pairs of annotators on the one with the least."""

    n: int
    annotators: int
    wanted: str
    """The study's coefficient."""
    coefficient: str
    """The one that the figure is about."""
    at_least: float | None
    rows: list[AgreementRow]
    pairs: PairsOfAnnotators | None
    rests_on: str = ""
    """What n counts, in words."""

    @property
    def weakest_first(self) -> list[AgreementRow]:
        """The rows as they are drawn."""
        return sorted(self.rows, key=lambda row: (row.value is None, row.value or 0.0))


class AgreementFigure(Figure[AgreementFigureNumbers]):
    """How far annotators agree on each dimension, with intervals and the study's own threshold."""

    kind: ClassVar[str] = "agreement"
    rank: ClassVar[int] = 10
    part: ClassVar[Part] = "good"
    question: ClassVar[str] = "Which dimension is not understood?"

    def numbers(self, data: FigureData) -> AgreementFigureNumbers | Nothing:
        wanted = data.report.study.analysis.agreement
        agreement = data.agreement
        if not any(found and found[0].n_items for found in agreement.values()):
            return Nothing("No item has been judged by two annotators yet.")
        apart = _items_by_spread(data)
        found = {topic: _row_on(data, topic, each, apart.get(topic.dimension, [])) for topic, each in agreement.items()}
        rows = {topic: row for topic, row in found.items() if row is not None}
        return AgreementFigureNumbers(
            n=max(row.n for row in rows.values()),
            annotators=max(row.annotators for row in rows.values()),
            wanted=title_of(wanted.coefficient),
            coefficient=_usual(list(rows.values()), title_of(wanted.coefficient)),
            at_least=wanted.at_least,
            rows=list(rows.values()),
            pairs=_pairs(data, rows),
            rests_on=max(rows.values(), key=lambda row: row.n).rests_on,
        )

    def leads(self, data: FigureData, numbers: AgreementFigureNumbers) -> Mapping[str, Sequence[str]]:
        if numbers.pairs is None:
            return {}
        pairs = numbers.pairs
        topic = next(each for each in data.agreement if each.title(data.report.study) == pairs.title)
        given: dict[tuple[str, str], dict[str, object]] = defaultdict(dict)
        for each in data.work.first_passes:
            if topic.holds(each) and each.value is not None:
                given[each.item, each.key][each.annotator] = each.value
        found: dict[str, Sequence[str]] = {}
        for cell in pairs.cells:
            both = [
                (item, said[cell.first] == said[cell.second])
                for (item, _), said in given.items()
                if cell.first in said and cell.second in said
            ]
            apart = [item for item, same in both if not same]
            found[cell.about(pairs.title)] = apart or [item for item, _ in both]
        return found

    def finding(self, numbers: AgreementFigureNumbers) -> str:
        weakest, asked = least_agreement(numbers.rows), numbers.at_least
        if weakest is None or weakest.few:
            return ""
        said = f"Least agreement on {weakest.title}: {number(weakest.value)} {interval(weakest.ci)}".rstrip()
        if asked is None:
            return said
        if len(numbers.rows) == 1:
            return f"{said}; asked for {number(asked)}: {decision_on(weakest, asked)}"
        each = f"{decisions_in_words(numbers.rows, asked)}, of {count(len(numbers.rows))}"
        return f"{said}; asked for {number(asked)}: {each}"

    def caption(self, numbers: AgreementFigureNumbers) -> str:
        equals = "up to" if len({row.n for row in numbers.rows}) > 1 else "="
        text = f"{numbers.coefficient.capitalize()} with 95 % intervals, n {equals} {numbers.rests_on or numbers.n} "
        text += "with two judgments"
        text += f", {many(numbers.annotators)}"
        asked = numbers.at_least
        if numbers.coefficient != numbers.wanted:
            return f"{text}. The study's {numbers.wanted} is undefined here; the table says why."
        return text + (f"; the study asks for {number(asked)}." if asked is not None else ".")

    def table(self, numbers: AgreementFigureNumbers) -> Table:
        columns = ("Dimension", "Coefficient", "Value", "95 % interval", "n", "Close", "Farthest apart", "Remarks")
        rows: list[list[Any]] = [
            [
                row.title,
                row.coefficient,
                number(row.value) if row.value is not None else f"undefined: {row.undefined}",
                interval(row.ci),
                f"{row.rests_on or row.n}{', too few to say' if row.few else ''}",
                f"{share(row.near)} {row.near_means}",
                row.items,
                f"{numbers.wanted}: {row.why}" if row.why else "",
            ]
            for row in numbers.weakest_first
        ]
        if numbers.pairs is None:
            return columns, rows
        pairs = numbers.pairs
        rows += [
            [
                pairs.title,
                f"{pairs.coefficient} of {each.first} and {each.second}",
                number(each.value),
                "",
                f"{count(each.n)}, too few to say" if each.few else each.n,
                "",
                [],
                "",
            ]
            for each in pairs.cells
        ]
        return columns, rows


def _row_on(
    data: FigureData, topic: Topic, coefficients: Sequence[Coefficient], apart: Sequence[str]
) -> AgreementRow | None:
    """The agreement on one topic; None where no coefficient applies."""
    study = data.report.study
    wanted = study.analysis.agreement.coefficient
    found = {each.name: each for each in coefficients}
    main = headline_of(coefficients, wanted)
    if main is None:
        return None
    close = found.get("within_one_agreement") or found.get("percent_agreement")
    return AgreementRow(
        dimension=topic.dimension,
        title=topic.title(study),
        coefficient=title_of(main.name),
        value=main.value,
        ci=main.ci,
        undefined=main.undefined,
        instead=main.name != wanted,
        why=why_another(coefficients, wanted),
        n=main.n_items,
        annotators=main.n_annotators,
        few=main.n_items < TOO_FEW,
        near=None if close is None else close.value,
        near_means="within one point" if close and close.name.startswith("within") else "the same",
        items=data.first(apart),
        rests_on=str(data.report.units(topic, main.n_items)),
        undecided=why_undecided(coefficients, wanted) or "",
    )


def _items_by_spread(data: FigureData) -> dict[str, list[str]]:
    """By dimension, the items on which annotators differ, the widest spread first."""
    found: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for each in data.spreads:
        if each.spread > 0:
            found[each.dimension].append((-each.spread, each.item))
    return {name: [item for _, item in sorted(apart)] for name, apart in found.items()}


def _pairs(data: FigureData, rows: Mapping[Topic, AgreementRow]) -> PairsOfAnnotators | None:
    """Kappa of each two annotators on the dimension with the least agreement, where they are few enough to be drawn."""
    worst = least_agreement(list(rows.values()))
    if worst is None:
        return None
    topic = next(topic for topic, row in rows.items() if row is worst)
    if worst.annotators > MOST_PEOPLE_IN_PAIRS:
        return None
    ratings = data.report.ratings[topic]
    if not 3 <= len(ratings.annotators) <= MOST_PEOPLE_IN_PAIRS:
        return None
    name = "cohen_kappa" if ratings.level == "nominal" else "cohen_kappa_quadratic"
    found = [each for each in pairwise(ratings, name, draws=0) if each.coefficient.n_items]
    return PairsOfAnnotators(
        dimension=worst.dimension,
        title=worst.title,
        coefficient=title_of(name),
        annotators=sorted(str(each) for each in ratings.annotators),
        cells=[
            PairOfAnnotators(
                first=str(each.first),
                second=str(each.second),
                value=each.coefficient.value,
                n=each.coefficient.n_items,
                few=each.coefficient.n_items < TOO_FEW,
            )
            for each in found
        ],
    )


def _usual(rows: Sequence[AgreementRow], wanted: str) -> str:
    """The coefficient that the figure is about: the study's, or where no dimension has it, the most frequent."""
    titles = [row.coefficient for row in rows if row.value is not None] or [row.coefficient for row in rows]
    return wanted if wanted in titles else Counter(titles).most_common(1)[0][0]
