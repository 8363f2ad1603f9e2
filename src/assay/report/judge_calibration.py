"""Calibration of a judge: its curve against people's values, and how far it could be corrected."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.model import Estimate
from assay.report.judged_dimension import JudgedDimension
from assay.report.wording import Undefined
from assay.statistics.comparison.calibration import calibrate_out_of_fold, calibration_curve
from assay.statistics.comparison.judge_values import people_at_each_value

BINS = 5
NO_MEAN = Undefined("values of a nominal scale have no mean")


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What people gave, on average, where the judge gave one value."""

    judge: Hashable
    n: int
    people: Estimate


@dataclass(frozen=True, slots=True)
class CurveBin:
    """What people gave, on average, where the judge's values lie in one bin; for derived scores."""

    judge: str
    predicted: float | None
    """The mean of the judge's values."""
    n: int
    people: Estimate


@dataclass(frozen=True, slots=True)
class IsotonicCalibration:
    """The distance of the judge from people's means, as it is and corrected by a curve fitted without the item."""

    bias_before: float
    bias_after: float
    rmse_before: float
    rmse_after: float
    method: str
    n: int
    undefined: None = None


def calibration_curve_of(dimension: JudgedDimension, own: Mapping[str, Any]) -> list[CurvePoint] | list[CurveBin]:
    """The mean of people at each value of the judge; of computed numbers, in bins of equal width."""
    if not dimension.has_mean:
        return []
    if not dimension.is_number:
        curve = people_at_each_value(own, dimension.means, dimension.scale, dimension.clusters)
        return [CurvePoint(each.value, each.n, each.people) for each in curve]
    positions = dimension.positions(own)
    if len(set(positions.values())) < 2:
        return []
    ends = min(positions.values()), max(positions.values())
    means = [dimension.means[unit] for unit in positions]
    over_items, never = "Student's interval over items", "the judge gave no such value"
    return [
        CurveBin(
            judge=f"{each.low:.2f} to {each.high:.2f}",
            predicted=each.predicted,
            n=each.n,
            people=Estimate("people", each.observed, each.ci, each.n, over_items, undefined=None if each.n else never),
        )
        for each in calibration_curve(list(positions.values()), means, BINS, ends)
    ]


def isotonic(dimension: JudgedDimension, own: Mapping[str, Any]) -> IsotonicCalibration | Undefined:
    """The distance of the judge from people's means before and after correction."""
    if not dimension.has_mean:
        return NO_MEAN
    positions = dimension.positions(own)
    groups = None if dimension.clusters is None else [dimension.clusters[unit] for unit in positions]
    means = [dimension.means[unit] for unit in positions]
    found = calibrate_out_of_fold(list(positions.values()), means, groups, seed=dimension.data.seed)
    if found is None:
        return Undefined("fewer items or groups than folds (5)")
    return IsotonicCalibration(
        found.bias_before, found.bias_after, found.rmse_before, found.rmse_after, found.method, len(positions)
    )
