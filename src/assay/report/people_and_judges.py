"""What people on some items and judges on all say together, and whether the items allow that to be said."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from assay.in_words import count
from assay.judgments.scales import points_of_choice
from assay.kinds import ORDERS
from assay.model import Comparison, Judgment
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
    """What follows from how the items that people judged were chosen: by lot, or otherwise."""

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
    judged = {each.item for each in data.that_count}.difference(data.tuning)
    if data.drawn:
        drawn = {item for item, each in data.drawn.items() if each.drawn}.difference(data.tuning)
        if strangers := judged - drawn:
            return Lot(f"people also judged {count(len(strangers))} items that were not drawn for them", None)
        left = drawn - judged
        done = len(drawn) - len(left)
        so_far = f"of {count(len(drawn))} items drawn by lot people have judged {count(done)} so far"
        assumed = f"{so_far}, which are taken as drawn, too"
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


@dataclass(frozen=True)
class Samples:
    """One dimension as estimates need it: what people and judges gave, for each system or for each pair."""

    dimension: JudgedDimension
    ends: tuple[float, float] | None
    """Of shares and of net win rates; None for scores."""
    judges: list[str]
    left_out: list[str]
    of_system: Mapping[str, PoweredSample]
    """Of a preference there is one, by the name of its comparison."""
    comparison: Comparison | None
    """Of a preference."""


def samples_of(data: Data) -> list[Samples]:
    """Every dimension whose values are numbers, and every preference, that a judge judged."""
    found = [*dimensions_with_judges(data), *derivations_with_judges(data)]
    return [made for each in found if (made := _samples(data, each)) is not None]


def _samples(data: Data, dimension: JudgedDimension) -> Samples | None:
    position = _positions(dimension)
    if position is None:
        return None
    of_unit = {
        each.unit: each
        for each in [*_people(data, dimension), *dimension.judged]
        # Items that were not part of the draw are not among those that an estimate is about, nor is the tuning part.
        if (not data.drawn or each.item in data.drawn) and each.item not in data.tuning
    }
    people = _means([row for row in dimension.truth if row[0] in of_unit], position)
    # A judge is only a predictor: the estimate is right with any, and runs were paid for to have a better one.
    every = {name: dimension.over_runs(name, position) for name in dimension.judges}
    judges = {name: {unit: own[unit] for unit in own if unit in of_unit} for name, own in every.items()}
    others = of_unit.keys() - people.keys()
    taking = [name for name, own in judges.items() if _covers(own, people.keys()) and _covers(own, others)]
    probabilities = {unit: data.drawn[each.item].probability for unit, each in of_unit.items() if data.drawn}

    def sample(units: Collection[str]) -> PoweredSample:
        return PoweredSample.of(
            {unit: value for unit, value in people.items() if unit in units},
            [{unit: value for unit, value in judges[name].items() if unit in units} for name in taking],
            {unit: each.group or each.item for unit, each in of_unit.items()},
            probabilities or None,
        )

    is_preference = dimension.name in data.study.preference_dimensions
    comparison = data.comparison_of(next(iter(of_unit.values())).systems) if is_preference else None
    systems = sorted({each.system for each in of_unit.values()})
    by_system = {name: {unit for unit, each in of_unit.items() if each.system == name} for name in systems}
    return Samples(
        dimension=dimension,
        ends=(-1.0, 1.0) if is_preference else (0.0, 1.0) if _is_share(dimension) else None,
        judges=taking,
        left_out=[name for name in judges if name not in taking],
        of_system={comparison.title: sample(of_unit)}
        if comparison
        else {name: sample(units) for name, units in by_system.items()},
        comparison=comparison,
    )


def powered_dimensions(data: Data) -> list[PoweredDimension]:
    """Those that judges judged on more items than people did."""
    every = [each for each in samples_of(data) if any(not one.is_judged.all() for one in each.of_system.values())]
    return [_make_powered_dimension(each, data.seed) for each in every]


def _make_powered_dimension(found: Samples, seed: int) -> PoweredDimension:
    means = {name: mean_with_judge(each, found.ends, seed) for name, each in found.of_system.items()}
    if found.comparison:
        systems, pairs = [], [PoweredPair(*found.comparison, means[found.comparison.title])]
    else:
        systems = [PoweredSystem(name, each) for name, each in means.items()]
        pairs = [
            PoweredPair(one, other, difference_with_judge(found.of_system[one], found.of_system[other], seed))
            for one, other in combinations(means, 2)
        ]
    return PoweredDimension(
        dimension=found.dimension.name,
        title=found.dimension.title,
        yes=found.ends == (0.0, 1.0),
        preference=found.comparison is not None,
        judges=found.judges,
        left_out=found.left_out,
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
        return {value: points_of_choice(value) for value in dimension.scale.categories}
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
