"""What people on some items and judges on all say together, and whether the items allow that to be said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from assay.kinds import ORDERS
from assay.model import ROLES, Judgment
from assay.report.data import Data
from assay.report.judged_dimension import JudgedDimension, derivations_with_judges, dimensions_with_judges
from assay.statistics.comparison.prediction_powered import PoweredEstimate, difference_with_judge, mean_with_judge
from assay.statistics.powered_sample import PoweredSample

COVERED = 0.9
"""A judge takes part where it judged this share of people's items, and of the others."""


@dataclass(frozen=True, slots=True)
class PoweredSystem:
    """One system, by people, by judges and by both."""

    system: str
    estimate: PoweredEstimate


@dataclass(frozen=True, slots=True)
class PoweredPair:
    """Two systems: first − second; of a preference, the net win rate of the first."""

    first: str
    second: str
    estimate: PoweredEstimate


@dataclass(frozen=True, slots=True)
class PoweredDimension:
    """One dimension by people, by judges and by both."""

    dimension: str
    title: str
    yes: bool
    """Whether values are 0 and 1, so that means are shares."""
    preference: bool
    judges: list[str]
    """The judges that take part, in the order of the weights."""
    left_out: list[str]
    """Those that judged too few of the items, people's or the others."""
    systems: list[PoweredSystem]
    pairs: list[PoweredPair]


@dataclass(frozen=True, slots=True)
class Lot:
    """How it came that people judged these items and not the others."""

    declined: str | None
    """Why nothing can be said: people's items were not drawn by lot; None where something can."""
    assumed: str | None
    """What is taken for granted; None where all items that were drawn are judged."""
    by_probability: bool = False
    """Whether items were drawn with different probabilities, so that plain means of people's items are off."""


def lot_of(data: Data, beyond: bool) -> Lot:
    """Whether people's items were drawn by lot; `beyond`: whether judges judged items that people did not."""
    if not beyond:
        return Lot("people judged every item that a judge did: there is nothing that it could add", None)
    judged = {each.item for each in data.that_count}
    if data.drawn:
        drawn = {item for item, each in data.drawn.items() if each.drawn}
        if strangers := judged - drawn:
            return Lot(f"people also judged {len(strangers)} items that were not drawn for them", None)
        left = drawn - judged
        done = len(drawn) - len(left)
        assumed = f"of {len(drawn)} items drawn by lot people have judged {done} so far, which are taken as drawn, too"
        several = len({each.probability for each in data.drawn.values()}) > 1
        return Lot(None, assumed if left else None, several)
    work = data.study.assignment
    for wrong, why in (
        (any(each.is_from_file for each in data.that_count), "came from files, and nothing says how it was chosen"),
        (not ORDERS[work.order].balanced, f"was given out in a {work.order} order"),
        (work.batches == "in_order", "was given out batch after batch"),
        (work.exposure is not None, "was given out with a limit to hard content"),
    ):
        if wrong:
            return Lot(f"what people judged {why}: it was not drawn by lot (`assignment.people` does that)", None)
    return Lot(
        None,
        "people were meant for all items and have judged some, which are taken as drawn by lot: items are given out in "
        "a random order. It is wrong if some are left out more often than others, such as hard ones",
    )


def has_items_beyond_people(data: Data) -> bool:
    """Whether judges judged items that people did not."""
    return bool({each.item for each in data.by_judges} - {each.item for each in data.that_count})


def powered_dimensions(data: Data) -> list[PoweredDimension]:
    """Every dimension whose values are numbers, and every preference, that judges judged on more than people did."""
    found = [*dimensions_with_judges(data), *derivations_with_judges(data)]
    return [made for each in found if (made := _powered(data, each)) is not None]


def _powered(data: Data, dimension: JudgedDimension) -> PoweredDimension | None:
    position = _positions(dimension)
    if position is None or all(unit in dimension.means for unit, _, _ in dimension.values):
        return None
    of_unit = {each.unit: each for each in [*_people(data, dimension), *dimension.judged]}
    people = _means(dimension.truth, position)
    judges = {name: _means([row for row in dimension.values if row[1] == name], position) for name in dimension.judges}
    others = of_unit.keys() - people.keys()
    taking = [name for name, own in judges.items() if _covers(own, people.keys()) and _covers(own, others)]
    probabilities = {unit: data.drawn[each.item].probability for unit, each in of_unit.items() if data.drawn}

    def sample(system: str | None) -> PoweredSample:
        units = {unit for unit, each in of_unit.items() if system is None or each.system == system}
        return PoweredSample.of(
            {unit: value for unit, value in people.items() if unit in units},
            [{unit: value for unit, value in judges[name].items() if unit in units} for name in taking],
            {unit: each.group or each.item for unit, each in of_unit.items()},
            probabilities or None,
        )

    is_preference = dimension.name in data.study.preference_dimensions
    ends = (-1.0, 1.0) if is_preference else (0.0, 1.0) if _is_share(dimension) else None
    systems, pairs = [], []
    if is_preference:
        comparison = data.comparison_of(next(iter(of_unit.values())).systems)
        pairs = [PoweredPair(*comparison, mean_with_judge(sample(None), ends, data.seed))]
    else:
        names = sorted({each.system for each in of_unit.values()})
        samples = {name: sample(name) for name in names}
        systems = [PoweredSystem(name, mean_with_judge(samples[name], ends, data.seed)) for name in names]
        pairs = [
            PoweredPair(one, other, difference_with_judge(samples[one], samples[other], data.seed))
            for one, other in combinations(names, 2)
        ]
    return PoweredDimension(
        dimension=dimension.name,
        title=dimension.title,
        yes=ends == (0.0, 1.0),
        preference=is_preference,
        judges=taking,
        left_out=[name for name in judges if name not in taking],
        systems=systems,
        pairs=pairs,
    )


def _people(data: Data, dimension: JudgedDimension) -> list[Judgment]:
    about = {unit for unit, _, _ in dimension.truth}
    every = [*data.with_agreed.judgments, *data.with_agreed.derived]
    return [each for each in every if each.dimension == dimension.name and each.unit in about]


def _positions(dimension: JudgedDimension) -> Mapping[Any, float] | None:
    """What each value counts: a preference for the first system 1, for the second -1; None where there is no mean."""
    if dimension.name in dimension.data.study.preference_dimensions:
        points = {ROLES[0]: 1.0, ROLES[1]: -1.0}
        return {value: points.get(str(value), 0.0) for value in dimension.scale.categories}
    return dimension.scale_positions if dimension.has_mean else None


def _means(rows: Sequence[tuple[str, str, Any]], position: Mapping[Any, float]) -> dict[str, float]:
    by_unit: dict[str, list[float]] = {}
    for unit, _, value in rows:
        by_unit.setdefault(unit, []).append(position.get(value, value))
    return {unit: fmean(given) for unit, given in by_unit.items()}


def _covers(own: Mapping[str, float], units: Any) -> bool:
    return len(own.keys() & units) >= COVERED * len(units)


def _is_share(dimension: JudgedDimension) -> bool:
    return sorted(dimension.scale_positions.values()) == [0.0, 1.0]
