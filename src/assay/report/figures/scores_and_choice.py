"""Whether the candidate with the higher scores is the one that was preferred, by how sure people were."""

from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import Any, ClassVar

from assay.in_words import count, many
from assay.model import Judgment
from assay.quality.monitor_data import number_of, scale_positions
from assay.report.charts import share, shares
from assay.report.data import TOO_FEW
from assay.report.figures import Figure, FigureData, Nothing, Part, Table
from assay.report.preference_sides import preference
from assay.report.system_comparison import groups_by_item, numeric_dimensions
from assay.statistics.comparison.preferences import scores_and_preference
from assay.statistics.draws import DRAWS
from assay.study.rubric import Dimension


@dataclass(frozen=True, slots=True)
class ScoresAndChoiceRow:
    """How often the candidate with the higher scores was preferred, by people who were equally sure."""

    dimension: str
    title: str
    level: str
    """How sure people were; empty: everybody."""
    n: int
    """How many judgments decided for a candidate and gave the two different scores."""
    few: bool
    value: float | None
    ci: tuple[float, float] | None
    equal: int
    tied: int
    items: list[str]
    """Those where the candidate with the lower scores was preferred."""


@dataclass(frozen=True, slots=True)
class ScoresAndChoiceFigureNumbers:
    """How often the candidate with the higher scores was preferred."""

    n: int
    scores: list[str]
    sureness: str
    """The question about how sure people are; empty: the study has none."""
    rows: list[ScoresAndChoiceRow]


class ScoresAndChoiceFigure(Figure[ScoresAndChoiceFigureNumbers]):
    """Whether the candidate with the higher scores is the one that was preferred, by how sure people were."""

    kind: ClassVar[str] = "scores_and_choice"
    rank: ClassVar[int] = 20
    part: ClassVar[Part] = "says"
    question: ClassVar[str] = "Do the scores predict the choice?"

    def numbers(self, data: FigureData) -> ScoresAndChoiceFigureNumbers | Nothing:
        study = data.report.study
        if not study.preference_dimensions or not any(each.scope.of == "side" for each in study.scored_dimensions):
            return Nothing("This study does not ask both for scores of each side and for a choice between them.")
        sides = [each for each in numeric_dimensions(data.report) if each.of_sides and not each.computed]
        means = _means([each for side in sides for each in side.judgments])
        sure = _sureness(data)
        rows: list[ScoresAndChoiceRow] = []
        for name in study.preference_dimensions:
            about = [
                each for each in data.report.that_count if each.dimension == name and data.report.on_this_scale(each)
            ]
            for level, of_level in _levels(about, sure):
                rows += _rows(data, study.dimension(name), level, of_level, means)
        if not rows:
            return Nothing("No pair with scores of both candidates and a choice has been judged yet.")
        return ScoresAndChoiceFigureNumbers(
            n=max(row.n for row in rows),
            scores=[each.title for each in sides],
            sureness=_title(data),
            rows=rows,
        )

    def finding(self, numbers: ScoresAndChoiceFigureNumbers) -> str:
        known = [row for row in numbers.rows if not row.level and not row.few and row.value is not None]
        if not known:
            return ""
        least = min(known, key=lambda row: row.value or 0.0)
        of_several = f" on {least.title}" if len(known) > 1 else ""
        range_ = f", {shares(least.ci)}" if least.ci else ""
        return (
            f"The higher scores were preferred{of_several} in {share(least.value)} of {many(least.n, 'choice')}{range_}"
        )

    def caption(self, numbers: ScoresAndChoiceFigureNumbers) -> str:
        by = f", by “{numbers.sureness}”" if numbers.sureness else ""
        return (
            f"How often the candidate with the higher mean of {', '.join(numbers.scores)} was preferred{by}, with 95 % "
            f"intervals; n = {many(numbers.n, 'decided judgment')} with different scores. The dotted line is chance."
        )

    def table(self, numbers: ScoresAndChoiceFigureNumbers) -> Table:
        columns: tuple[str, ...] = (
            "Choice",
            "How sure",
            "Decided, scores differ",
            "Higher was preferred",
            "95 % interval",
        )
        columns += ("Equal scores", "Tied choice", "Lower was preferred")
        rows: list[list[Any]] = [
            [
                row.title,
                row.level or "all",
                f"{count(row.n)}, too few to say" if row.few else row.n,
                share(row.value),
                shares(row.ci),
                row.equal,
                row.tied,
                row.items,
            ]
            for row in numbers.rows
        ]
        return columns, rows


def _means(given: list[Judgment]) -> dict[tuple[str, str, str], float]:
    """The mean score that somebody gave one candidate of an item."""
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for each in given:
        found[each.annotator, each.item, each.system].append(float(each.value))  # type: ignore[arg-type]
    return {key: fmean(values) for key, values in found.items()}


def _asks_how_sure(data: FigureData) -> Dimension | None:
    """The question how sure somebody is: the first one about the pair whose answers have an order."""
    about = (each for each in data.work.ordered_dimensions if each.scope.of == "pair" and not each.input.compares)
    return next(about, None)


def _title(data: FigureData) -> str:
    asked = _asks_how_sure(data)
    return asked.heading if asked is not None else ""


def _sureness(data: FigureData) -> dict[tuple[str, str], str]:
    asked = _asks_how_sure(data)
    if asked is None:
        return {}
    scale = scale_positions(asked)
    return {
        (each.annotator, each.item): str(each.value)
        for each in data.report.that_count
        if each.dimension == asked.dimension and number_of(each.value, scale) is not None
    }


def _levels(about: list[Judgment], sure: dict[tuple[str, str], str]) -> list[tuple[str, list[Judgment]]]:
    """All judgments, then those of each level of how sure people were."""
    by_level: dict[str, list[Judgment]] = defaultdict(list)
    for each in about:
        if level := sure.get((each.annotator, each.item)):
            by_level[level].append(each)
    return [("", about), *sorted(by_level.items())]


def _rows(
    data: FigureData, dimension: Dimension, level: str, about: list[Judgment], means: dict[tuple[str, str, str], float]
) -> list[ScoresAndChoiceRow]:

    rows, wrong = [], []
    for each in about:
        if len(set(each.systems)) != 2 or each.value is None:
            continue
        one = preference(each)
        left, right = (means.get((each.annotator, each.item, str(system))) for system in (one.left, one.right))
        if left is not None and right is not None:
            rows.append((each.item, left, right, one.outcome))
            if one.outcome != "tie" and left != right and (left > right) != (one.outcome == "left"):
                wrong.append(each.item)
    if not rows:
        return []
    found = scores_and_preference(rows, data.report.seed, DRAWS, groups_by_item(data.report, about))
    n = sum(left != right and outcome != "tie" for _, left, right, outcome in rows)
    return [
        ScoresAndChoiceRow(
            dimension=dimension.dimension,
            title=dimension.heading,
            level=level,
            n=n,
            few=len({item for item, left, right, outcome in rows if left != right and outcome != "tie"}) < TOO_FEW,
            value=found.agreement.value,
            ci=found.agreement.ci,
            equal=found.equal_scores,
            tied=found.tied_preferences,
            items=data.first(wrong),
        )
    ]
