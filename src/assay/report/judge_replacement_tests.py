"""Tests that the verdict on a judge rests on: alternative annotator test, order of systems, second run."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.model import Estimate
from assay.report.judge_calibration import NO_MEAN
from assay.report.judged_dimension import JudgedDimension, JudgePass
from assay.report.wording import Undefined
from assay.statistics.comparison.alt_test import ENOUGH_ITEMS, ENOUGH_PEOPLE, EPSILON, alt_test
from assay.statistics.comparison.second_judgments import second_judgments, variance_of_runs
from assay.statistics.comparison.system_level import system_level
from assay.statistics.draws import DRAWS

ENOUGH_SYSTEMS = 3


@dataclass(frozen=True, slots=True)
class AltTestPerson:
    """The judge in the place of one person, against the others."""

    person: str
    n: int
    judge: float
    """In what share of items the judge is at least as near to the others as the person."""
    people: float
    """In what share the person is at least as near as the judge."""


@dataclass(frozen=True, slots=True)
class AltTestMargin:
    """The result of the test for one of the margins that its authors give."""

    people_are: str
    epsilon: float
    winning_rate: float | None
    passes: bool | None
    won_against: list[str]


@dataclass(frozen=True, slots=True)
class AltTestNumbers:
    """The alternative annotator test."""

    undefined: None
    distance: Literal["squared", "equal"]
    advantage: float | None
    persons: list[AltTestPerson]
    by_margin: list[AltTestMargin]
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class NoAltTest(Undefined):
    """Why there is no such test."""

    by_margin: tuple[()] = ()


@dataclass(frozen=True, slots=True)
class SystemMeans:
    """The mean of one system, by the judge and by people."""

    system: str
    judge: float
    people: float


@dataclass(frozen=True, slots=True)
class SystemOrder:
    """Whether the judge puts systems in the order of the people."""

    undefined: None
    means: list[SystemMeans]
    tau_b: Estimate
    pairwise_accuracy: Estimate
    of_these_systems: tuple[Estimate, Estimate]
    """The same two, with intervals for exactly these systems."""


@dataclass(frozen=True, slots=True)
class JudgeRuns:
    """How often the judge was run, and which of its runs count."""

    most: int
    """How often it judged the same, at most."""
    later_judgments: int
    """How many judgments of later runs there are beside a first: they say whether the judge repeats itself."""
    counted: str = "the first"
    """Which run every other number is made from."""


@dataclass(frozen=True, slots=True)
class SecondRun:
    """Whether the judge says the same in another run: later runs beside the first one."""

    undefined: None
    n: int
    exact: Estimate
    within_one: Estimate
    kappa: Estimate
    change: Estimate
    """Later − first."""
    variance: Estimate
    """The mean variance of all runs on one item, in points of the scale, squared."""


def alternative_annotator_test(dimension: JudgedDimension, own: Mapping[str, Any]) -> AltTestNumbers | NoAltTest:
    """Whether the judge may take the place of people, for each of the margins that the test's authors give."""
    ordered, positions = dimension.scale.level != "nominal", dimension.scale_positions
    distance: Literal["squared", "equal"] = "squared" if ordered else "equal"
    judged: dict[str, Any] = {unit: positions.get(value, value) if ordered else value for unit, value in own.items()}
    people = [(unit, who, positions[value] if ordered else value) for unit, who, value in dimension.people]
    found = {who: alt_test(judged, people, epsilon, distance) for who, epsilon in EPSILON.items()}
    first = next(iter(found.values()))
    if len(first.persons) < ENOUGH_PEOPLE:
        why = f"it needs {ENOUGH_PEOPLE} people with {ENOUGH_ITEMS} items each that others judged too, and "
        return NoAltTest(f"{why}{len(first.persons)} have so many")
    clustered = ["items share a source, which its t-test does not know"] if dimension.clusters is not None else []
    return AltTestNumbers(
        undefined=None,
        distance=distance,
        advantage=first.advantage,
        persons=[AltTestPerson(str(each.person), each.n, each.judge, each.people) for each in first.persons],
        by_margin=[
            AltTestMargin(
                people_are=who,
                epsilon=each.epsilon,
                winning_rate=each.winning_rate,
                passes=each.passes,
                won_against=[str(person.person) for person in each.persons if person.won],
            )
            for who, each in found.items()
        ],
        warnings=[*first.warnings, *clustered],
    )


def system_order(dimension: JudgedDimension, own: Mapping[str, Any]) -> SystemOrder | Undefined:
    """Whether the judge puts systems in the order of the people."""
    if not dimension.has_mean:
        return NO_MEAN
    rows: list[tuple[Hashable, Hashable, float, float]] = []
    for unit, value in dimension.positions(own).items():
        judgment = dimension.judgment_of[unit]
        if judgment.system:
            rows.append((judgment.group or judgment.item, judgment.system, value, dimension.means[unit]))
    systems = len({system for _, system, _, _ in rows})
    if systems < ENOUGH_SYSTEMS:
        return Undefined(f"it needs {ENOUGH_SYSTEMS} systems, and there are {systems}")
    found = system_level(rows, dimension.data.seed, DRAWS)
    means = [SystemMeans(str(name), judge, people) for name, judge, people in found.means]
    return SystemOrder(None, means, found.tau_b, found.pairwise_accuracy, found.items_only)


def runs_of(dimension: JudgedDimension, own: Mapping[str, Any], judge: str) -> JudgeRuns:
    """How often a judge was run on one dimension."""
    runs = Counter(each.unit for each in dimension.runs if each.judge == judge and each.unit in own)
    return JudgeRuns(max(runs.values(), default=0), runs.total() - len(runs))


def second_run(dimension: JudgedDimension, own: Mapping[str, Any], judge: str) -> SecondRun | Undefined:
    """Whether the judge says the same when it is run again with the same sides, or where there are none."""
    first: dict[tuple[str, str], JudgePass] = {}
    later: list[tuple[JudgePass, JudgePass]] = []
    for each in _runs(dimension, own, judge):
        before = first.setdefault((each.unit, each.left), each)
        if before is not each:
            later.append((before, each))
    several = len(first) > len(own)
    return _compare_runs(dimension, later) or Undefined("it ran once in each order" if several else "it ran once")


def swapped_run(dimension: JudgedDimension, own: Mapping[str, Any], judge: str) -> SecondRun | Undefined:
    """Whether the judge says the same with sides swapped: every run in the other order beside the first run."""
    first: dict[str, JudgePass] = {}
    later: list[tuple[JudgePass, JudgePass]] = []
    for each in _runs(dimension, own, judge):
        before = first.setdefault(each.unit, each)
        if before.left != each.left:
            later.append((before, each))
    return _compare_runs(dimension, later) or Undefined("sides were never swapped")


def _runs(dimension: JudgedDimension, own: Mapping[str, Any], judge: str) -> list[JudgePass]:
    return [each for each in dimension.runs if each.judge == judge and each.unit in own]


def _compare_runs(dimension: JudgedDimension, later: Sequence[tuple[JudgePass, JudgePass]]) -> SecondRun | None:
    """Later runs beside earlier ones; None where there are none."""
    if not later:
        return None

    def group(run: JudgePass) -> str:
        return dimension.groups.get(run.unit, run.unit) if dimension.clusters is not None else run.unit

    rows = [(group(before), before.value, after.value) for before, after in later]
    found = second_judgments(rows, dimension.scale, dimension.data.seed, DRAWS)
    every = dict.fromkeys((before, run) for before, after in later for run in (before, after))
    spread = variance_of_runs(((group(run), before, run.value) for before, run in every), dimension.scale)
    return SecondRun(None, len(rows), found.exact, found.within_one, found.kappa, found.change, spread)
