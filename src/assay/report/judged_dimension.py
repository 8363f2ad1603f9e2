"""One dimension, or one computed value, as automated judges and people answered it."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any

from assay.judgments.scales import scale_of
from assay.judgments.topics import Topic, topics_of
from assay.model import Judgment
from assay.report.data import Data
from assay.report.system_comparison import is_number
from assay.statistics.scale import Scale

Rows = list[tuple[str, str, Any]]
"""(unit, who, value)."""


@dataclass(frozen=True, slots=True)
class JudgePass:
    """What a judge gave of one thing in one of its runs."""

    unit: str
    judge: str
    pass_: int
    left: str
    """The system that stood on the left, where there were sides."""
    value: Any


@dataclass(frozen=True)
class JudgedDimension:
    """One dimension, or one computed value, as automated judges and people answered it."""

    data: Data
    name: str
    title: str
    judged: Sequence[Judgment]
    """What judges gave."""
    values: Rows
    """(unit, judge, value) on the scale, for what judges gave."""
    people: Rows
    scale: Scale
    is_number: bool
    """Whether it is a computed number."""
    runs: Sequence[JudgePass]
    """What judges gave in every run, the first and all later ones in their order."""
    truth: Rows
    """What a judge is compared with: as `people`, with agreed values where the study says so."""

    @property
    def judges(self) -> list[str]:
        """Who judged it."""
        return sorted({each.annotator for each in self.judged})

    @property
    def headline(self) -> str:
        """The statistic that is reported first."""
        return "spearman" if self.is_number else "cohen_kappa" if self.scale.level == "nominal" else "quadratic_kappa"

    @property
    def has_mean(self) -> bool:
        """Whether values have a mean: numbers in an order have, and so have yes and no, as 1 and 0."""
        return self.scale.level != "nominal" or (self.scale.numeric and len(self.scale) == 2)

    @cached_property
    def groups(self) -> dict[str, str]:
        """What each unit shares with others: its group, or its item."""
        of_people = [*self.data.that_count, *self.data.derived_judgments]
        return {each.unit: each.group or each.item for each in [*self.judged, *of_people]}

    @cached_property
    def clusters(self) -> dict[str, str] | None:
        """The groups, for clustered intervals; None where every unit is independent."""
        clustered = self.data.study.items.group is not None or any(each.entry or each.role for each in self.judged)
        return self.groups if clustered else None

    @cached_property
    def scale_positions(self) -> dict[Any, float]:
        """The position of each value on the scale."""
        return dict(zip(self.scale.categories, self.scale.positions.tolist(), strict=True))

    @cached_property
    def means(self) -> dict[str, float]:
        """The mean of each unit's people, as positions on the scale."""
        by_unit: dict[str, list[float]] = defaultdict(list)
        for unit, _, value in self.truth:
            by_unit[unit].append(self.scale_positions[value])
        return {unit: fmean(given) for unit, given in by_unit.items()}

    @cached_property
    def judgment_of(self) -> dict[str, Judgment]:
        """One judgment of each unit, to look up its batch and system."""
        return {each.unit: each for each in self.judged}

    def values_of(self, judge: str) -> dict[str, Any]:
        """What one judge gave, by unit."""
        return {unit: value for unit, who, value in self.values if who == judge}

    def over_runs(self, judge: str, position: Mapping[Any, float]) -> dict[str, float]:
        """The mean of all runs of a judge, by unit: each order of sides counts as much as the other.

        So a leaning to one side cancels out where both orders were asked.
        """
        by_order: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for run in self.runs:
            if run.judge == judge:
                by_order[run.unit][run.left].append(position.get(run.value, run.value))
        return {unit: fmean(map(fmean, orders.values())) for unit, orders in by_order.items()}

    def positions(self, own: Mapping[str, Any]) -> dict[str, float]:
        """A judge's values as positions on the scale, of what people judged too."""
        return {unit: self.scale_positions.get(value, value) for unit, value in own.items() if unit in self.means}

    def count(self, units: Collection[str]) -> int:
        """How many different things these units are about."""
        return len(units)

    def independent_units(self, units: Sequence[str]) -> int:
        """How many independent items or groups these units belong to."""
        return len(units) if self.clusters is None else len({self.groups[unit] for unit in units})


def dimensions_with_judges(data: Data) -> list[JudgedDimension]:
    """Every dimension that people were asked and a judge judged; of a preference, each comparison by itself."""
    found: list[JudgedDimension] = []
    for dimension in data.study.scored_dimensions:
        judged = [each for each in data.by_judges if each.dimension == dimension.dimension and each.value is not None]
        pairs = {each.systems for each in judged if each.is_of_pair}
        for topic in topics_of(dimension, sorted(map(data.comparison_of, pairs))):
            if of_topic := [each for each in judged if topic.holds(each)]:
                found.append(_judged_topic(data, topic, of_topic))
    return found


def _judged_topic(data: Data, topic: Topic, judged: Sequence[Judgment]) -> JudgedDimension:
    """A topic as judges and people answered it, on its scale."""
    dimension = data.study.dimension(topic.dimension)
    assert dimension.input.level is not None

    def rows(judgments: Sequence[Judgment]) -> Rows:
        return [
            (each.unit, each.annotator, data.value_on_scale(each, dimension))
            for each in judgments
            if topic.holds(each) and each.value is not None and data.on_this_scale(each)
        ]

    every_run = [
        JudgePass(each.unit, each.annotator, each.pass_, each.left, value)
        for each in sorted([*judged, *data.by_judges_again], key=lambda each: each.pass_)
        for _, _, value in rows([each])
    ]
    return JudgedDimension(
        data=data,
        name=topic.dimension,
        title=topic.title(data.study),
        judged=judged,
        values=rows(judged),
        people=rows(data.that_count),
        scale=Scale(scale_of(dimension), dimension.input.level),
        is_number=False,
        runs=every_run,
        truth=rows(data.with_agreed.judgments),
    )


def derivations_with_judges(data: Data) -> list[JudgedDimension]:
    """Every derived score that a judge has, as judges and people have it."""
    found = []
    for derived in data.study.derive:
        judged, people, truth = (
            [each for each in some if each.dimension == derived.derived]
            for some in (data.by_judges, data.derived_judgments, data.with_agreed.derived)
        )
        if not judged:
            continue
        given = {each.value for each in [*judged, *people, *truth]}
        numeric = all(map(is_number, given))
        in_order: list[Any] = sorted(given, key=float if numeric else str)
        found.append(
            JudgedDimension(
                data=data,
                name=derived.derived,
                title=derived.heading,
                judged=judged,
                values=_rows(judged),
                people=_rows(people),
                scale=Scale(tuple(in_order), "interval" if numeric else "nominal"),
                is_number=numeric,
                runs=[JudgePass(each.unit, each.annotator, each.pass_, each.left, each.value) for each in judged],
                truth=_rows(truth),
            )
        )
    return found


def _rows(judgments: Sequence[Judgment]) -> Rows:
    return [(each.unit, each.annotator, each.value) for each in judgments]
