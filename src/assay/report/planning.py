"""Planning the size of a study: how precise agreement would be, and which difference would be detected."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING, Any

from assay.frozen_json import to_json
from assay.judgments.topics import Topic
from assay.render import Renderer
from assay.report import charts, text_width
from assay.report.data import Data
from assay.report.system_comparison import NumericDimension, numeric_dimensions
from assay.report.variance import TradeOff, VarianceRow, rows_of, study_of, trade_offs
from assay.statistics import title_of
from assay.statistics.comparison.planning import (
    Components,
    PilotDifferences,
    detectable_difference,
    equivalence_margin,
    mean_components,
    pilots,
    power_by_simulation,
)
from assay.statistics.comparison.precision import precision_from_alpha, precision_from_pilot, precision_of_icc

if TYPE_CHECKING:
    from assay.statistics.comparison.generalisability import VarianceStudy
    from assay.statistics.comparison.planning import Components, PilotDifferences
    from assay.statistics.table import Ratings

POWER = 0.8
"""The probability that a difference of the size in the table is detected."""
STATED = "Stated values"


@dataclass(frozen=True)
class Basis:
    """What a plan is made from: agreement and variances, from a pilot or stated by hand."""

    title: str
    rho: float | None = None
    """The agreement: Krippendorff's alpha (interval), which is what the formula is about."""
    why_no_rho: str = ""
    components: "Components | None" = None
    why_no_components: str = ""
    ratings: "Ratings | None" = None
    coefficient: str = "krippendorff_alpha_interval"
    pilots: "Sequence[PilotDifferences]" = ()
    ends: tuple[float, float] | None = None
    variance: "VarianceStudy | None" = None
    """Where the variance of the pilot's judgments lies."""

    @property
    def agreement(self) -> str:
        """The agreement by its name: a study's own coefficient may be another, with another value."""
        return "" if self.rho is None else f"{title_of(self.coefficient)} {charts.number(self.rho)}"


@dataclass(frozen=True, slots=True)
class StudySize:
    """One size of study."""

    n_items: int
    k: int
    half_width: float | None
    """Of the 95 % interval of the agreement, by formula."""
    simulated_half_width: float | None = None
    difference: float | None = None
    """The smallest difference of two systems that is detected with a power of 0.8."""
    margin: float | None = None
    """The least margin within which two systems that are alike are shown to be so, with a power of 0.8."""
    simulated_power: float | None = None
    """How often that difference was detected in simulated studies: near 0.8 where the formula is right."""

    @property
    def judgments(self) -> int:
        """How many judgments it takes, for each system."""
        return self.n_items * self.k


@dataclass(frozen=True)
class SizePlan:
    """The sizes of study that were asked about, on one basis."""

    basis: Basis
    cells: tuple[StudySize, ...]
    notes: tuple[str, ...] = field(default=())
    sizes: tuple[TradeOff, ...] = field(default=())
    """What each size would reach by the components of the pilot's variance; empty where there are none."""

    @property
    def components(self) -> list[VarianceRow]:
        """The components, with their shares."""
        study = self.basis.variance
        return rows_of(study) if study is not None and study.undefined is None else []

    def as_json(self) -> dict[str, Any]:
        """Every number."""
        parts = self.basis.components
        return {
            "dimension": self.basis.title,
            "agreement": self.basis.rho,
            "coefficient": self.basis.coefficient,
            "between": parts.between if parts else None,
            "within": parts.within if parts else None,
            "power": POWER,
            "notes": list(self.notes),
            "variance": to_json(self.components),
            "sizes": to_json(self.sizes),
            "cells": [{**to_json(cell), "judgments": cell.judgments} for cell in self.cells],
        }


def basis_from_values(alpha: float | None, between: float | None, within: float | None) -> Basis:
    """A basis from values that somebody expects."""
    known = between is not None and within is not None
    return Basis(
        STATED,
        alpha,
        "" if alpha is not None else "--alpha states the agreement that is expected",
        Components(between, within) if between is not None and within is not None else None,
        "" if known else "--between and --within state the variances that are expected",
    )


def bases_from_study(data: Data) -> list[Basis]:
    """A basis from the study's own judgments, for each dimension: of words, only agreement can be planned."""
    found = {each.name: _basis(data, each) for each in numeric_dimensions(data) if each.judgments}
    words = [
        Basis(
            topic.title(data.study),
            why_no_rho="the formula is for numbers; --simulate draws from the pilot",
            why_no_components="these are no numbers",
            ratings=ratings,
            coefficient="krippendorff_alpha_nominal",
        )
        for topic, ratings in data.ratings.items()
        if topic.dimension not in found and ratings.items
    ]
    return [*found.values(), *words]


def _basis(data: Data, dimension: NumericDimension) -> Basis:

    alpha = next(
        (each for each in data.agreement.get(Topic(dimension.name), ()) if each.name == "krippendorff_alpha_interval"),
        None,
    )
    rho = alpha.value if alpha else None
    nothing = "it is computed, and agreement is that of the answers" if alpha is None else alpha.undefined or ""
    found = _pilots(dimension)
    known = [each.components for each in found if each.components]
    components = known[0] if len(known) == 1 else mean_components(found)
    reasons = [each.undefined for each in found if each.undefined]
    why = reasons[0] if reasons else "fewer than two systems were judged"
    return Basis(
        dimension.title,
        rho,
        nothing if rho is None else "",
        components,
        "" if components else why,
        data.ratings.get(Topic(dimension.name)),
        "krippendorff_alpha_interval",
        found,
        dimension.ends,
        study_of(dimension),
    )


def _pilots(dimension: NumericDimension) -> "list[PilotDifferences]":
    """Differences of systems on what both were judged on: an item with two sides, else the group that items share."""
    values: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for each in dimension.judgments:
        if each.system:
            key = each.item if each.is_of_pair or not each.group else f"group {each.group}"
            values[key, each.system, each.annotator].append(float(each.value))  # type: ignore[arg-type]
    return pilots((*key, fmean(given)) for key, given in values.items())


def plan(
    basis: Basis, items: Sequence[int], annotators: Sequence[int], simulate: bool = False, seed: int = 0
) -> SizePlan:
    """What each size of study would show."""
    notes = []
    if basis.rho is None and not (simulate and basis.ratings is not None):
        notes.append(f"the precision of agreement is not computed: {basis.why_no_rho}")
    if basis.components is None:
        notes.append(f"the detectable difference is not computed: {basis.why_no_components}")
    cells = tuple(_cell(basis, n, k, simulate, seed) for n in items for k in annotators)
    if simulate and basis.ratings is not None and any(k > len(basis.ratings.annotators) for k in annotators):
        notes.append(f"agreement is drawn from {len(basis.ratings.annotators)} annotators; more cannot be drawn")
    sizes = [(n, k) for n in items for k in annotators]
    study = basis.variance
    if study is not None and study.undefined is not None:
        notes.append(f"where the variance lies is not known: {study.undefined}")
    more = trade_offs(study, sizes) if study is not None and study.undefined is None else []
    return SizePlan(basis, cells, tuple(notes), tuple(more))


def _cell(basis: Basis, n: int, k: int, simulate: bool, seed: int) -> StudySize:

    agreed = basis.rho is not None and n > 1 and k > 1
    half = precision_of_icc(basis.rho, n, k).half_width if agreed and basis.rho is not None else None
    difference = detectable_difference(basis.components, n, k, POWER) if basis.components else None
    margin = equivalence_margin(basis.components, n, k, POWER) if basis.components else None
    if not simulate:
        return StudySize(n, k, half, difference=difference, margin=margin)
    drawn = agreed or basis.ratings is not None
    return StudySize(
        n,
        k,
        half,
        simulated_half_width=_half_width_by_simulation(basis, n, k, seed) if drawn else None,
        difference=difference,
        margin=margin,
        simulated_power=_power_by_simulation(basis, n, k, difference, seed) if difference is not None else None,
    )


def _half_width_by_simulation(basis: Basis, n: int, k: int, seed: int) -> float | None:
    """The half width of the interval, simulated from the pilot if there is one, else from normal values."""
    if basis.ratings is not None:
        return precision_from_pilot(basis.ratings, basis.coefficient, n, k, seed).half_width
    return None if basis.rho is None else precision_from_alpha(max(0.0, basis.rho), n, k, seed).half_width


def _power_by_simulation(basis: Basis, n: int, k: int, difference: float, seed: int) -> float | None:
    """The simulated power, as a mean over pairs of systems; with stated variances values are drawn as normal."""
    known = [each for each in basis.pilots if each.components] or [_normal(basis)]
    found = [power_by_simulation(each, n, k, difference, seed=seed).value for each in known]
    defined = [value for value in found if value is not None]
    return fmean(defined) if defined else None


def _normal(basis: Basis) -> "PilotDifferences":
    """A pilot of a thousand items with normally distributed differences and residuals."""
    assert basis.components is not None
    points = [NormalDist().inv_cdf((place + 0.5) / 1000) for place in range(1000)]
    residuals = tuple(basis.components.within**0.5 * point for point in points)
    return PilotDifferences(("first", "second"), tuple(points), residuals, basis.components)


def page(plans: Sequence[SizePlan], title: str) -> str:
    """A self-contained page with a chart of each plan."""
    cells = [cell for each in plans for cell in each.cells]
    simulated = any(cell.simulated_half_width is not None or cell.simulated_power is not None for cell in cells)
    renderer = Renderer(Path(__file__).parent, charts=charts, text=text_width)
    return renderer.html("plan.html", plans=plans, title=title, power=POWER, simulated=simulated)
