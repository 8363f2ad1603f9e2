"""What is computed of an automated judge beside people: on one dimension, and on each batch of it."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean
from typing import TYPE_CHECKING, Any

from assay.report.data import TOO_FEW, Data
from assay.report.system_comparison import DRAWS, as_json
from assay.statistics.table import Scale

if TYPE_CHECKING:
    from assay.model import Judgment
    from assay.statistics.comparison.judges import JudgeReport, JudgeStatistic

OF_COMPUTED = ("spearman", "pearson", "bias", "absolute_bias")
"""What is asked of computed numbers: they have no scale, and being equal to the last digit means nothing."""
PARTS = ("with_mean", "with_rest", "people_with_rest", "gap", "with_each", "people_with_each")
BINS = 5
ENOUGH_SYSTEMS = 3
NO_MEAN = "values of a nominal scale have no mean"

Found = dict[str, Any]
Rows = list[tuple[str, str, Any]]


@dataclass(frozen=True)
class JudgedDimension:
    """One dimension, or one computed value, as judges and people answered it."""

    data: Data
    judged: Sequence["Judgment"]
    values: Rows
    """(unit, judge, value)."""
    people: Rows
    """(unit, annotator, value)."""
    scale: Scale
    computed: bool
    """Whether it is a computed number."""
    again: Sequence[tuple[str, str, Any]] = ()
    """(unit, judge, value) of second runs."""
    truth: Rows | None = None
    """What a judge is measured by: as `people`, with agreed values where the study says so; left out: the same."""

    @property
    def measured_by(self) -> Rows:
        """What stands for the truth, where a judge is set against a mean and not against people one by one."""
        return self.people if self.truth is None else self.truth

    @property
    def headline(self) -> str:
        """The statistic that is said first."""
        return "spearman" if self.computed else "cohen_kappa" if self.scale.level == "nominal" else "quadratic_kappa"

    @property
    def has_mean(self) -> bool:
        """Whether values have a mean: numbers in an order have, and so have yes and no, as 1 and 0."""
        return self.scale.level != "nominal" or (self.scale.numeric and len(self.scale) == 2)

    @cached_property
    def shared(self) -> dict[str, str]:
        """What each unit shares with others."""
        of_people = [*self.data.that_count, *self.data.derived]
        return {each.unit: each.group or each.item for each in [*self.judged, *of_people]}

    @cached_property
    def clusters(self) -> dict[str, str] | None:
        """The same, where it matters: where items share a source, or have sides or entries."""
        clustered = self.data.study.items.group is not None or any(each.entry or each.role for each in self.judged)
        return self.shared if clustered else None

    @cached_property
    def means(self) -> dict[str, float]:
        """The mean of each unit's people, as places on the scale."""
        places = dict(zip(self.scale.categories, self.scale.positions.tolist(), strict=True))
        by_unit: dict[str, list[float]] = defaultdict(list)
        for about, _, value in self.measured_by:
            by_unit[about].append(places[value])
        return {about: fmean(given) for about, given in by_unit.items()}

    @cached_property
    def where(self) -> dict[str, "Judgment"]:
        """A judgment of each unit: what batch it is of, and which system."""
        return {each.unit: each for each in self.judged}

    def positions(self, own: Mapping[str, Any]) -> dict[str, float]:
        """A judge's values as places on the scale, of what people judged too."""
        places = dict(zip(self.scale.categories, self.scale.positions.tolist(), strict=True))
        return {about: places.get(value, value) for about, value in own.items() if about in self.means}


def judge_on(question: JudgedDimension, judge: str) -> Found:
    """Everything of one judge."""
    own = {about: value for about, who, value in question.values if who == judge}
    batches = sorted({each.batch for each in question.judged if each.annotator == judge and each.batch})
    found = _beside_people(question, own)
    return {
        "judge": judge,
        "batches": batches,
        **found,
        **_confusions(question, own),
        "curve": _curve(question, own),
        "isotonic": _isotonic(question, own),
        "alt_test": _alt_test(question, own),
        "system_level": _system_level(question, own),
        "second_run": _second_run(question, own, judge),
        "by_batch": _by_batch(question, own) if len(batches) > 1 else [],
    }


def _beside_people(question: JudgedDimension, own: Mapping[str, Any]) -> Found:
    """Every statistic of judge and people, beside that of people among themselves on the same items."""
    from assay.statistics.comparison.judges import judge_against_people

    data = question.data
    report: JudgeReport = judge_against_people(
        own, question.people, question.scale, question.clusters, None, data.seed, DRAWS
    )
    both = [about for about in own if about in question.means]
    n_units = len({question.shared[about] for about in both}) if question.clusters is not None else len(both)
    found = report.statistics
    if question.measured_by != question.people:
        # Agreement of judge and people is about judgments; the judge against the truth is about what was agreed.
        settled = judge_against_people(
            own, question.measured_by, question.scale, question.clusters, None, data.seed, DRAWS
        )
        by_name = {each.name: each.with_mean for each in settled.statistics}
        found = tuple(replace(each, with_mean=by_name[each.name]) for each in found)
    statistics = [_as_json(each) for each in found if not question.computed or each.name in OF_COMPUTED]
    main = next(each for each in statistics if each["name"] == question.headline)
    return {
        "n": report.n_items,
        "n_shared": report.n_shared,
        "n_people": report.n_people,
        "n_units": n_units,
        "unit": "groups" if data.study.items.group is not None else "items",
        "too_few": n_units < TOO_FEW,
        "headline": question.headline,
        # Beside each other only what was computed alike: against the rest of the people, or else single ones.
        "role": "with_rest" if main["people_with_rest"]["value"] is not None else "with_each",
        "statistics": statistics,
        "categories": [] if question.computed else list(report.categories),
        "confusion": [] if question.computed else [list(row) for row in report.confusion],
        "reliability_of_people": as_json(report.reliability),
        "correlation_without_their_error": as_json(report.disattenuated),
    }


def _as_json(statistic: "JudgeStatistic") -> Found:
    return {"name": statistic.name, **{name: as_json(getattr(statistic, name)) for name in PARTS}}


def _confusions(question: JudgedDimension, own: Mapping[str, Any]) -> Found:
    """The judge against the rounded mean of people; against each of them it stands with the statistics."""
    from assay.statistics.comparison.judge_values import ROUNDING, confusion_with_mean

    if question.computed or not question.has_mean:
        return {"confusion_with_mean": [], "rounding": None}
    return {"confusion_with_mean": confusion_with_mean(own, question.means, question.scale), "rounding": ROUNDING}


def _curve(question: JudgedDimension, own: Mapping[str, Any]) -> list[Found]:
    """What people gave where the judge gave so much: point by point, of computed numbers in bins of equal width."""
    from assay.statistics.comparison.calibration import calibration_curve
    from assay.statistics.comparison.judge_values import people_at_each_value

    if not question.has_mean:
        return []
    if not question.computed:
        curve = people_at_each_value(own, question.means, question.scale, question.clusters)
        return [{"judge": each.value, "n": each.n, "people": as_json(each.people)} for each in curve]
    placed = question.positions(own)
    if len(set(placed.values())) < 2:
        return []
    ends = min(placed.values()), max(placed.values())
    bins = calibration_curve(list(placed.values()), [question.means[about] for about in placed], BINS, ends)
    return [
        {
            "judge": f"{each.low:.2f} to {each.high:.2f}",
            "predicted": each.predicted,
            "n": each.n,
            "people": {
                "name": "people",
                "value": each.observed,
                "ci": None if each.ci is None else list(each.ci),
                "n": each.n,
                "method": "Student's interval over items",
                "p": None,
                "undefined": None if each.n else "the judge gave no such value",
            },
        }
        for each in bins
    ]


def _isotonic(question: JudgedDimension, own: Mapping[str, Any]) -> Found:
    """How far the judge lies from people's means, as it is and put right by a curve that did not see the item."""
    from assay.statistics.comparison.calibration import calibrate_out_of_fold

    if not question.has_mean:
        return {"undefined": NO_MEAN}
    placed = question.positions(own)
    groups = None if question.clusters is None else [question.clusters[about] for about in placed]
    found = calibrate_out_of_fold(
        list(placed.values()), [question.means[about] for about in placed], groups, seed=question.data.seed
    )
    if found is None:
        return {"undefined": "fewer items or groups than folds (5)"}
    names = ("bias_before", "bias_after", "rmse_before", "rmse_after", "method")
    return {**{name: getattr(found, name) for name in names}, "n": len(placed), "undefined": None}


def _alt_test(question: JudgedDimension, own: Mapping[str, Any]) -> Found:
    """Whether the judge may take the place of people, for each of the margins that its authors give."""
    from assay.statistics.comparison.alt_test import ENOUGH_ITEMS, ENOUGH_PEOPLE, EPSILON, alt_test

    ordered = question.scale.level != "nominal"
    places = dict(zip(question.scale.categories, question.scale.positions.tolist(), strict=True))
    judged: dict[str, Any] = {about: places.get(value, value) if ordered else value for about, value in own.items()}
    people = [(about, who, places[value] if ordered else value) for about, who, value in question.people]
    found = {
        who: alt_test(judged, people, epsilon, "squared" if ordered else "equal") for who, epsilon in EPSILON.items()
    }
    first = next(iter(found.values()))
    if len(first.persons) < ENOUGH_PEOPLE:
        why = f"it needs {ENOUGH_PEOPLE} people with {ENOUGH_ITEMS} items each that others judged too, and "
        return {"undefined": f"{why}{len(first.persons)} have so many", "by_margin": []}
    warnings = list(first.warnings)
    if question.clusters is not None:
        warnings.append("items share a source, which its t-test does not know")
    return {
        "undefined": None,
        "distance": "squared" if ordered else "equal",
        "advantage": first.advantage,
        "persons": [
            {"person": str(each.person), "n": each.n, "judge": each.judge, "people": each.people}
            for each in first.persons
        ],
        "by_margin": [
            {
                "people_are": who,
                "epsilon": each.epsilon,
                "winning_rate": each.winning_rate,
                "passes": each.passes,
                "won_against": [str(person.person) for person in each.persons if person.won],
            }
            for who, each in found.items()
        ],
        "warnings": warnings,
    }


def _system_level(question: JudgedDimension, own: Mapping[str, Any]) -> Found:
    """Whether the judge puts systems in the order of the people."""
    from assay.statistics.comparison.system_level import system_level

    if not question.has_mean:
        return {"undefined": NO_MEAN}
    placed = question.positions(own)
    where = question.where
    rows: list[tuple[Hashable, Hashable, float, float]] = [
        (where[about].group or where[about].item, where[about].system, value, question.means[about])
        for about, value in placed.items()
        if where[about].system
    ]
    systems = len({system for _, system, _, _ in rows})
    if systems < ENOUGH_SYSTEMS:
        return {"undefined": f"it needs {ENOUGH_SYSTEMS} systems, and there are {systems}"}
    found = system_level(rows, question.data.seed, DRAWS)
    return {
        "undefined": None,
        "means": [{"system": str(name), "judge": judge, "people": people} for name, judge, people in found.means],
        "tau_b": as_json(found.tau_b),
        "pairwise_accuracy": as_json(found.pairwise_accuracy),
        "of_these_systems": [as_json(each) for each in found.items_only],
    }


def _second_run(question: JudgedDimension, own: Mapping[str, Any], judge: str) -> Found:
    """Whether the judge says the same again when it is run again."""
    from assay.statistics.comparison.second_judgments import second_judgments

    rows = [
        (question.shared.get(about, about) if question.clusters is not None else about, own[about], value)
        for about, who, value in question.again
        if who == judge and about in own
    ]
    if not rows:
        return {"undefined": "it ran once"}
    found = second_judgments(rows, question.scale, question.data.seed, DRAWS)
    names = ("exact", "within_one", "kappa", "change")
    return {"undefined": None, "n": len(rows), **{name: as_json(getattr(found, name)) for name in names}}


def _by_batch(question: JudgedDimension, own: Mapping[str, Any]) -> list[Found]:
    """The same statistics on each batch by itself."""
    of_batch: dict[str, dict[str, Any]] = defaultdict(dict)
    for about, value in own.items():
        of_batch[question.where[about].batch][about] = value
    return [
        {"batch": batch, **_beside_people(question, values), **_confusions(question, values)}
        for batch, values in sorted(of_batch.items())
    ]
