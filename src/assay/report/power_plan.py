"""Planning for the test that a study makes: its family, groups and claim; what is seen, and how many items it takes."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.frozen_json import to_json
from assay.judgments.scales import mirror_preference
from assay.report.data import Data
from assay.report.planning import Basis
from assay.report.system_comparison import (
    NumericDimension,
    comparisons_of,
    is_compared_on,
    numeric_dimensions,
    systems_of,
)
from assay.report.system_scores import BOTH
from assay.report.variance import study_of
from assay.statistics.arrays import np
from assay.statistics.comparison.ordinal_power import OrdinalOutcome, components_of_outcome, step_of
from assay.statistics.comparison.planning import Components
from assay.statistics.comparison.power import (
    NON_INFERIORITY,
    PlannedTest,
    alike_in_groups,
    detectable_by_test,
    effective_level,
    interval_of_items,
    items_for_test,
)
from assay.statistics.comparison.preference_power import detectable_net, interval_for_net, items_for_net

if TYPE_CHECKING:
    from assay.statistics.table import Ratings


@dataclass(frozen=True, slots=True)
class PowerSize:
    """What one size of study would show with a probability of 0.8, by the test that is made."""

    n_items: int
    k: int
    difference: float | None
    """In points; None where nothing is known of it, or where no difference on the scale is seen."""
    net: float | None
    """The net win rate; None where no share of ties is known, or where even the largest is not seen."""
    margin: float | None = None
    """The least margin within which systems that are alike are shown to lie; None where nothing is known of it."""


@dataclass(frozen=True, slots=True)
class ItemsNeeded:
    """How many items it takes to see the difference that was asked for."""

    k: int
    n_items: int | None
    """None where no number of items does."""
    interval: tuple[int, int] | None
    """The 95 % interval, from how well the pilot tells the variance, or the share of ties; None without a pilot."""

    def in_words(self) -> str:
        """The number of annotators, and how many items it takes with them."""
        people = f"{self.k} annotator{'' if self.k == 1 else 's'} of each"
        if self.n_items is None:
            return f"{people}: no number of items does"
        sure = "" if self.interval is None else f", {self.interval[0]:,} to {self.interval[1]:,} by the pilot"
        return f"{people}: {self.n_items:,} items{sure}"


@dataclass(frozen=True)
class PowerPlan:
    """The test that is made, what each size would show by it, and how many items a difference takes."""

    test: PlannedTest
    ties: float | None
    see: float | None
    cells: tuple[PowerSize, ...]
    needed: tuple[ItemsNeeded, ...]
    show: str = ""
    """What a margin is for, where one is declared or stated: equivalence or non_inferiority."""
    margin: float | None = None
    needed_for_margin: tuple[ItemsNeeded, ...] = ()

    def in_words(self) -> str:
        """What is tested."""
        test, together = self.test, "one test"
        if test.tests > 1:
            together = f"{test.tests} tests together, corrected by {test.correction}"
            together = f"{test.tests} tests, not corrected" if test.correction == "none" else together
            together += (
                f" ({test.systems} systems, {test.dimensions} {'questions' if test.dimensions > 1 else 'question'})"
            )
        alike = f"alike by {test.alike:.2f}" if self.ties is None else "that count as one"
        groups = f", {test.per_group:.3g} items of a group {alike}" if test.per_group > 1 else ""
        people = "" if test.people is None else f", for annotators like these (variance {test.people:.2f})"
        units = "groups" if test.per_group > 1 else "items"
        ties = "" if self.ties is None else f", {100 * self.ties:.0f} % of {units} tied"
        return f"{together}{groups}{people}{ties}"

    def items_in_words(self) -> list[str]:
        """How many items it takes, a line for each number of annotators."""
        ruled_out = "the first is not worse" if self.show == NON_INFERIORITY else "they do not differ"
        asked = [(f"to see {self.see:g}", each) for each in self.needed]
        asked += [
            (f"to show, of systems that are alike, that {ruled_out} by {self.margin:g}", each)
            for each in self.needed_for_margin
        ]
        return [f"{what} with {each.in_words()}" for what, each in asked]

    def as_json(self) -> dict[str, Any]:
        """Every number."""
        return {
            "test": {**to_json(self.test), "tests": self.test.tests, "says": self.in_words()},
            "ties": self.ties,
            "see": self.see,
            "cells": to_json(self.cells),
            "needed": to_json(self.needed),
            "show": self.show,
            "margin": self.margin,
            "needed_for_margin": to_json(self.needed_for_margin),
        }


@dataclass(frozen=True, slots=True)
class StatedTest:
    """Settings of the test that somebody states; they override the study's. None: as the study says, if it does."""

    systems: int | None = None
    questions: int | None = None
    correction: str | None = None
    per_group: float | None = None
    alike: float | None = None
    people: float | None = None
    ties: float | None = None
    shares: Sequence[float] | None = None
    see: float | None = None
    margin: float | None = None
    show: str | None = None

    def of(self, test: PlannedTest) -> PlannedTest:
        """The test with the stated settings in place of its own."""
        stated: dict[str, Any] = {
            "systems": self.systems,
            "dimensions": self.questions,
            "correction": self.correction,
            "per_group": self.per_group,
            "alike": self.alike,
            "people": self.people,
        }
        return replace(test, **{name: value for name, value in stated.items() if value is not None})


def shares_from_text(text: str) -> tuple[float, ...]:
    """The share of each value of a scale, as somebody wrote them.

    Raises:
        AssayError: They are no numbers, or do not add up to 1.
    """
    try:
        found = [float(each) for each in text.split(",")]
    except ValueError:
        raise AssayError(f"--shares takes numbers, not {text!r}", "write them as 0.1,0.2,0.7") from None
    if len(found) < 2 or not all(0 <= each <= 1 for each in found) or abs(sum(found) - 1) > 0.001:
        raise AssayError(f"the shares {text} do not add up to 1", "give each value of the scale its share")
    return tuple(each / sum(found) for each in found)


def power_plans(
    found: Sequence[Basis],
    tests: Mapping[str, PlannedTest],
    stated: StatedTest,
    items: Sequence[int],
    annotators: Sequence[int],
    *,
    from_study: bool,
) -> list[PowerPlan | None]:
    """The plan for the test that is made, of each basis; from stated values only where something is stated of it."""
    made: list[PowerPlan | None] = []
    for basis in found:
        known = basis.components is not None or stated.shares or stated.ties is not None
        from_pilot = from_study and (known or tied_units(basis.ratings) is not None)
        if from_pilot or (known and stated != StatedTest()):
            made.append(power_plan(basis, tests.get(basis.title, PlannedTest()), stated, items, annotators))
        else:
            made.append(None)
    return made


def power_plan(
    basis: Basis, test: PlannedTest, stated: StatedTest, items: Sequence[int], annotators: Sequence[int]
) -> PowerPlan:
    """What each size of study would show by the test that is made."""
    test = stated.of(test)
    tied = None if stated.ties is not None else tied_units(basis.ratings)
    ties = stated.ties if tied is None else tied.share
    level = effective_level(test)
    outcome = _outcome(basis, stated.shares)
    test = test if outcome is None else replace(test, step=outcome.step)
    parts = components_for(basis, test)
    cells = [
        PowerSize(
            n,
            k,
            _least_difference(parts, outcome, test, n, k),
            None if ties is None else detectable_net(max(2, int(n / test.per_group)), ties, alpha=level),
        )
        for n in items
        for k in annotators
    ]
    margin = stated.margin if stated.margin is not None else test.margin
    within = replace(test, show=stated.show or test.margin_shows)
    if margin is not None:
        cells = [replace(each, margin=_least_difference(parts, None, within, each.n_items, each.k)) for each in cells]
    ruled_out = [] if margin is None else [_items_needed_to_see(parts, None, within, margin, k) for k in annotators]
    see = stated.see
    needed = [] if see is None else [_items_needed_to_see(parts, outcome, test, see, k) for k in annotators]
    if see is not None and ties is not None and parts is None and outcome is None:
        needed = _items_needed_to_see_net(test, ties, tied, see, annotators)
    show = within.show if margin is not None else ""
    return PowerPlan(test, ties, see, tuple(cells), tuple(needed), show, margin, tuple(ruled_out))


def components_for(basis: Basis, test: PlannedTest) -> Components | None:
    """The variances for the test's claim: for annotators like these, without the variance between annotators."""
    study = basis.variance
    if test.people is None or study is None or study.undefined or basis.components is None:
        return basis.components
    rest = max(study.components, key=lambda each: len(each.effect)).value
    return Components(2 * study.of("item", "system"), 2 * rest, basis.components.n_items, basis.components.method)


def _outcome(basis: Basis, shares: Sequence[float] | None) -> OrdinalOutcome | None:
    if shares is None:
        return None
    first = basis.ends[0] if basis.ends else 1
    return OrdinalOutcome(
        [first + place for place in range(len(shares))], shares, min(0.99, max(0.0, basis.rho or 0.5))
    )


def _least_difference(
    parts: Components | None, outcome: OrdinalOutcome | None, test: PlannedTest, n: int, k: int
) -> float | None:
    """The least difference that is detected; None where it is unknown, or does not fit on the scale."""
    if outcome is None:
        apart = math.inf if parts is None else detectable_by_test(parts, test, n, k)
        return apart if math.isfinite(apart) else None
    low, high = 0.0, outcome.room * 0.999
    for _ in range(12):
        middle = (low + high) / 2
        found = components_of_outcome(outcome, middle)
        enough = found is not None and detectable_by_test(found, test, n, k) <= middle
        low, high = (low, middle) if enough else (middle, high)
    return None if high >= outcome.room * 0.998 else high


def _items_needed_to_see(
    parts: Components | None, outcome: OrdinalOutcome | None, test: PlannedTest, see: float, k: int
) -> ItemsNeeded:
    found = components_of_outcome(outcome, see) if outcome is not None else parts
    n = None if found is None else items_for_test(found, test, see, k)
    pilot = found.n_items if found is not None else 0
    return ItemsNeeded(k, n, interval_of_items(n, pilot) if n is not None and pilot > 2 else None)


@dataclass(frozen=True, slots=True)
class TiedUnits:
    """How many items of a pilot (or groups that share a source) end in a tie: neither system has the majority."""

    tied: int
    units: int
    per_group: float
    """How many items a unit has."""

    @property
    def share(self) -> float:
        """The share of ties."""
        return self.tied / self.units


def _items_needed_to_see_net(
    test: PlannedTest, ties: float, tied: TiedUnits | None, see: float, annotators: Sequence[int]
) -> list[ItemsNeeded]:
    """For a net win rate: as many items as make the units that the sign test needs, whoever judges them."""
    level = effective_level(test)
    units = items_for_net(see, ties, alpha=level)
    if units is None:
        return [ItemsNeeded(k, None, None) for k in annotators]
    ends = None if tied is None else interval_for_net(see, tied.tied, tied.units, alpha=level)
    interval = None if ends is None else (math.floor(ends[0] * test.per_group), math.ceil(ends[1] * test.per_group))
    return [ItemsNeeded(k, math.ceil(units * test.per_group), interval) for k in annotators]


def tied_units(ratings: "Ratings | None") -> TiedUnits | None:
    """The ties of a preference, by the units that its sign test counts; None where it is no preference."""
    decided = (
        [place for place, each in enumerate(ratings.categories) if mirror_preference(each) != each] if ratings else []
    )
    if ratings is None or len(decided) != 2:
        return None
    one, other = decided
    judged = (ratings.values >= 0).any(axis=1)
    ahead = np.sign((ratings.values == one).sum(axis=1) - (ratings.values == other).sum(axis=1))[judged]
    items = len(ahead)
    if ratings.clusters is not None:
        _, places = np.unique(ratings.clusters[judged], return_inverse=True)
        ahead = np.bincount(places, weights=ahead)
    return TiedUnits(int((ahead == 0).sum()), len(ahead), items / len(ahead)) if items else None


def planned_tests(data: Data) -> Mapping[str, PlannedTest]:
    """The test that the study makes on each dimension that it compares, by the heading of the dimension or topic."""
    numeric = {each.name: each for each in numeric_dimensions(data) if each.judgments}
    found: dict[str, PlannedTest] = {}
    for comparison in comparisons_of(data):
        scores = [each for name, each in numeric.items() if is_compared_on(comparison, name)]
        asked = [name for name in data.study.preference_dimensions if is_compared_on(comparison, name)]
        named = {each.system for about in scores for each in about.judgments}
        named |= {system for each in data.that_count for system in each.systems}
        systems = max(2, len(systems_of(comparison, named)))
        test = PlannedTest(systems, max(1, len(scores) + len(asked)), comparison.correction)
        if comparison.margin is not None:
            test = replace(test, margin=comparison.margin, margin_shows=comparison.shows_by_margin)
        for about in scores:
            stepped = replace(test, step=step_of(float(each.value) for each in about.judgments))  # type: ignore[arg-type]
            found.setdefault(about.title, _of_groups(data, about, stepped))
        for topic, ratings in data.ratings.items():
            tied = tied_units(ratings) if topic.dimension in asked else None
            if topic.dimension in asked:
                of_groups = test if tied is None else replace(test, per_group=tied.per_group)
                found.setdefault(topic.title(data.study), of_groups)
    return {title: _of_claim(data, title, test, numeric.values()) for title, test in found.items()}


def _of_groups(data: Data, about: NumericDimension, test: PlannedTest) -> PlannedTest:
    """Where items that compare two systems share a source: how many do, and how alike their differences are."""
    if data.study.items.group is None or not any(each.is_of_pair for each in about.judgments):
        return test
    values: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for each in about.judgments:
        values[each.item, each.group or each.item][each.system].append(float(each.value))  # type: ignore[arg-type]
    apart = [
        (group, sum(one) / len(one) - sum(other) / len(other))
        for (_, group), of_item in values.items()
        if len(of_item) == 2
        for one, other in [[of_item[name] for name in sorted(of_item)]]
    ]
    groups = {group for group, _ in apart}
    if len(apart) <= len(groups) or len(groups) < 2:
        return test
    alike = alike_in_groups([value for _, value in apart], [group for group, _ in apart])
    return replace(test, per_group=len(apart) / len(groups), alike=alike)


def _of_claim(data: Data, title: str, test: PlannedTest, numeric: Iterable[NumericDimension]) -> PlannedTest:
    """The planned test; for a claim about annotators like these, with how much they differ about systems."""
    if data.study.analysis.generalise != BOTH:
        return test
    study = next((study_of(each) for each in numeric if each.title == title), None)
    return test if study is None else replace(test, people=2 * study.of("system", "annotator"))
