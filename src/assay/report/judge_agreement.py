"""What is computed of an automated judge beside people: on one dimension, and on each batch of it."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from assay.frozen_json import fields_of
from assay.model import Estimate
from assay.report.data import TOO_FEW
from assay.report.judge_calibration import CurveBin, CurvePoint, IsotonicCalibration, calibration_curve_of, isotonic
from assay.report.judge_replacement_tests import (
    AltTestNumbers,
    JudgeRuns,
    NoAltTest,
    SecondRun,
    SystemOrder,
    alternative_annotator_test,
    runs_of,
    second_run,
    swapped_run,
    system_order,
)
from assay.report.judged_dimension import JudgedDimension
from assay.report.wording import Undefined
from assay.statistics.comparison.judge_values import ROUNDING, confusion_with_mean
from assay.statistics.comparison.judges import judge_against_people
from assay.statistics.draws import DRAWS

if TYPE_CHECKING:
    from assay.statistics.comparison.judges import JudgeReport, JudgeStatistic

FOR_NUMBERS = ("spearman", "pearson", "bias", "absolute_bias")
"""The statistics of computed numbers: they have no scale, and being equal to the last digit means nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeBesidePeople:
    """A judge and people on the same items, beside people among themselves."""

    n: int
    """How many items, or what else is judged, both judged."""
    n_items: int
    """Of how many items that is."""
    n_shared: int
    """How many of them two people or more judged."""
    n_people: int
    n_units: int
    """How many independent items or groups they are."""
    unit: str
    too_few: bool
    headline: str
    """The statistic that is reported first."""
    role: str
    """Which value of it: against the rest of the people, or against single people."""
    statistics: "Sequence[JudgeStatistic]"
    categories: Sequence[Hashable]
    confusion: Sequence[Sequence[int]]
    """How often the judge gave one value and a person another: a row for each value of the judge."""
    reliability_of_people: Estimate
    correlation_without_their_error: Estimate
    confusion_with_mean: Sequence[Sequence[int]]
    """The same with the rounded mean of people."""
    rounding: str | None

    def first(self) -> Estimate:
        """The agreement that is reported first, of the judge with people."""
        found: Estimate = getattr(self.statistic(self.headline), self.role)
        return found

    def first_of_people(self) -> Estimate:
        """The agreement that is reported first, of people among themselves."""
        found: Estimate = getattr(self.statistic(self.headline), f"people_{self.role}")
        return found

    def statistic(self, name: str) -> "JudgeStatistic | None":
        """One of the statistics; None where it is not computed."""
        return next((each for each in self.statistics if each.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOnBatch(JudgeBesidePeople):
    """A judge on one batch of items."""

    batch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOnDimension(JudgeBesidePeople):
    """A judge on one dimension."""

    judge: str
    gap_p_corrected: float | None = None
    """The p-value of the gap between judge and people, corrected for the other dimensions of the judge by Holm."""
    batches: list[str]
    curve: list[CurvePoint] | list[CurveBin]
    isotonic: IsotonicCalibration | Undefined
    alt_test: AltTestNumbers | NoAltTest
    system_level: SystemOrder | Undefined
    second_run: SecondRun | Undefined
    """With the same sides, or where there are none."""
    swapped_run: SecondRun | Undefined
    """With sides swapped."""
    by_batch: list[JudgeOnBatch]
    """Where the judge judged several batches."""
    runs: JudgeRuns


def judge_on(dimension: JudgedDimension, judge: str, *, each_batch: bool = True) -> JudgeOnDimension:
    """Everything of one judge on one dimension, and on each batch of it."""
    own = dimension.values_of(judge)
    batches = sorted({each.batch for each in dimension.judged if each.annotator == judge and each.batch})
    return JudgeOnDimension(
        judge=judge,
        batches=batches,
        **fields_of(_beside_people(dimension, own)),
        curve=calibration_curve_of(dimension, own),
        isotonic=isotonic(dimension, own),
        alt_test=alternative_annotator_test(dimension, own),
        system_level=system_order(dimension, own),
        second_run=second_run(dimension, own, judge),
        swapped_run=swapped_run(dimension, own, judge),
        by_batch=_by_batch(dimension, own) if len(batches) > 1 and each_batch else [],
        runs=runs_of(dimension, own, judge),
    )


def _by_batch(dimension: JudgedDimension, own: Mapping[str, Any]) -> list[JudgeOnBatch]:
    """The statistics of `judge_on` on each batch by itself."""
    of_batch: dict[str, dict[str, Any]] = defaultdict(dict)
    for unit, value in own.items():
        of_batch[dimension.judgment_of[unit].batch][unit] = value
    return [
        JudgeOnBatch(batch=batch, **fields_of(_beside_people(dimension, values)))
        for batch, values in sorted(of_batch.items())
    ]


def _beside_people(dimension: JudgedDimension, own: Mapping[str, Any]) -> JudgeBesidePeople:

    report = _report(dimension, own)
    beside = Counter(unit for unit, _, _ in dimension.people)
    n_units = dimension.independent_units([unit for unit in own if unit in dimension.means])
    statistics = [each for each in report.statistics if not dimension.is_number or each.name in FOR_NUMBERS]
    main = next(each for each in statistics if each.name == dimension.headline)
    rounds = dimension.has_mean and not dimension.is_number
    return JudgeBesidePeople(
        n=dimension.count([unit for unit in own if unit in beside]),
        n_items=len({dimension.judgment_of[unit].item for unit in own if unit in beside}),
        n_shared=dimension.count([unit for unit in own if beside[unit] > 1]),
        n_people=report.n_people,
        n_units=n_units,
        unit="groups" if dimension.data.study.items.group is not None else "items",
        too_few=n_units < TOO_FEW,
        headline=dimension.headline,
        # Judge and people are compared on values computed alike: against the rest of the people, or else single ones.
        role="with_rest" if main.people_with_rest.value is not None else "with_each",
        statistics=statistics,
        categories=() if dimension.is_number else report.categories,
        confusion=() if dimension.is_number else report.confusion,
        reliability_of_people=report.reliability,
        correlation_without_their_error=report.disattenuated,
        confusion_with_mean=confusion_with_mean(own, dimension.means, dimension.scale) if rounds else (),
        rounding=ROUNDING if rounds else None,
    )


def _report(dimension: JudgedDimension, own: Mapping[str, Any]) -> "JudgeReport":
    """Every statistic between judge and people, beside the one between people on the same items."""
    more = (dimension.scale, dimension.clusters, None, dimension.data.seed, DRAWS)
    report = judge_against_people(own, dimension.people, *more)
    if dimension.truth == dimension.people:
        return report
    # Agreement of judge and people is about judgments; the judge against the truth is about agreed values.
    with_agreed = judge_against_people(own, dimension.truth, *more)
    by_name = {each.name: each.with_mean for each in with_agreed.statistics}
    statistics = tuple(replace(each, with_mean=by_name[each.name]) for each in report.statistics)
    return replace(report, statistics=statistics)
