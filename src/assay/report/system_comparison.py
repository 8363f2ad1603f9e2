"""How systems are compared: on which dimensions, in which families of tests, over which independent units."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from assay.model import Estimate, Judgment
from assay.report.data import TOO_FEW, Data
from assay.statistics.comparison.multiple import bonferroni, holm
from assay.statistics.comparison.systems import item_means
from assay.study.analysis import ComparisonSettings

NUMBERS = frozenset({int, float})
"""The types of nearly all values, for a fast check."""


@dataclass(frozen=True)
class NumericDimension:
    """A dimension, or a computed value, whose values are numbers: what has a mean."""

    name: str
    title: str
    judgments: Sequence[Judgment]
    """Those of people that count, on the scale that is in force."""
    ends: tuple[float, float] | None
    """Of the scale; a computed value has none."""
    of_sides: bool = False
    """Whether it is asked of each side of a pair."""
    computed: bool = False
    yes: str | None = None
    """What the higher value is called, where there are two and they are 0 and 1: its mean is a share."""
    value: str | None = None
    """Which word of a derived score this is; its judgments are 1 where the score is this word, else 0."""

    @cached_property
    def by_system(self) -> dict[str, list[Judgment]]:
        """The judgments on each system."""
        found: dict[str, list[Judgment]] = defaultdict(list)
        for each in self.judgments:
            found[each.system].append(each)
        return dict(found)

    @cached_property
    def item_means(self) -> dict[str, dict[str, float]]:
        """The mean of each item, by system: scores, intervals and comparisons are computed from these."""
        return item_means((each.item, each.system, each.value) for each in self.judgments)  # type: ignore[misc]

    @cached_property
    def means(self) -> dict[str, Estimate]:
        """A cache of each system's mean with its interval, so that no bootstrap is run twice."""
        return {}


def numeric_dimensions(data: Data) -> list[NumericDimension]:
    """Every dimension whose values are numbers, then the derived scores. Yes counts as 1, no as 0."""
    with_agreed = data.with_agreed
    found: list[NumericDimension] = data.once(
        "numeric dimensions", lambda: _numeric_dimensions(data, with_agreed.judgments, with_agreed.derived)
    )
    return found


def numeric_dimensions_as_judged(data: Data) -> list[NumericDimension]:
    """The numeric dimensions without agreed values: for results about people and their own judgments."""
    if not data.agreed:
        return numeric_dimensions(data)
    return _numeric_dimensions(data, data.that_count, data.derived_judgments)


def _numeric_dimensions(
    data: Data, judgments: Sequence[Judgment], computed: Sequence[Judgment]
) -> list[NumericDimension]:
    by_name: dict[str, list[Judgment]] = defaultdict(list)
    if judgments is not data.that_count:
        for each in judgments:
            if data.on_this_scale(each):
                by_name[each.dimension].append(each)
    found = []
    for dimension in data.study.scored_dimensions:
        values = dimension.input.values()
        if values and all(map(is_number, values)) and not dimension.input.compares:
            name, numbers = dimension.dimension, [float(value) for value in values]  # type: ignore[arg-type]
            given = data.on_scale_of(name) if judgments is data.that_count else by_name[name]
            of_sides = dimension.scope.of == "side"
            ends = min(numbers), max(numbers)
            yes = dimension.input.show(values[numbers.index(1.0)]) if sorted(numbers) == [0, 1] else None
            found.append(NumericDimension(name, dimension.heading, with_numbers(given), ends, of_sides, yes=yes))
    for derived in data.study.derive:
        about = [each for each in computed if each.dimension == derived.derived]
        if about and all(is_number(each.value) for each in about):
            sides = any(each.role for each in about)
            found.append(NumericDimension(derived.derived, derived.heading, about, None, sides, computed=True))
    return found


def shares_of_words(data: Data) -> list[NumericDimension]:
    """The share of each word of a derived score that has words, such as pass and fail."""
    found = []
    for derived in data.study.derive:
        given = (each for each in data.with_agreed.derived if each.dimension == derived.derived)
        about = [each for each in given if isinstance(each.value, str)]
        for value in sorted({str(each.value) for each in about}):
            of_it = [replace(each, value=int(each.value == value)) for each in about]
            found.append(NumericDimension(derived.derived, derived.heading, of_it, (0, 1), False, True, None, value))
    return found


def with_numbers(judgments: Iterable[Judgment]) -> list[Judgment]:
    """The judgments whose values are numbers."""
    return [each for each in judgments if type(each.value) in NUMBERS or is_number(each.value)]


def is_number(value: object) -> bool:
    """Whether a value is a number; booleans are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def comparisons_of(data: Data) -> Sequence[ComparisonSettings]:
    """The comparisons that the study asks for, each a family of tests; without any there is one of everything."""
    return data.study.analysis.compare or (ComparisonSettings(),)


def is_compared_on(comparison: ComparisonSettings, name: str) -> bool:
    """Whether a comparison is about this dimension."""
    return not comparison.on or name in comparison.on


def systems_of(comparison: ComparisonSettings, named: Iterable[str]) -> list[str]:
    """The systems that a comparison is about, in the order of the study file, else by name."""
    there = {name for name in named if name}
    return [name for name in comparison.systems if name in there] if comparison.systems else sorted(there)


def correct_p_values(p: Sequence[float | None], how: str) -> list[float | None]:
    """The p-values of one family, corrected for each other; None stays None."""
    adjust = {"holm": holm, "bonferroni": bonferroni, "none": list}[how]
    left = iter(adjust([each for each in p if each is not None]))  # type: ignore[operator]
    return [None if each is None else next(left) for each in p]


def with_test(estimate: Estimate, n_units: int, unit: str) -> Estimate:
    """An estimate with its p-value, or without one where there are too few items for a test."""
    if n_units >= TOO_FEW or estimate.p is None:
        return estimate
    why = f"no test: fewer than {TOO_FEW} {unit}"
    return replace(estimate, p=None, method="; ".join(filter(None, [estimate.method, why])))


def groups_by_item(data: Data, judgments: Sequence[Judgment]) -> dict[str, str] | None:
    """The group of each item, where the study groups items; else None."""
    if data.study.items.group is None:
        return None
    return {each.item: each.group or each.item for each in judgments}


def independent_units(data: Data, judgments: Sequence[Judgment]) -> tuple[int, str]:
    """How many independent groups or items the judgments are about, and which of the two."""
    shared = groups_by_item(data, judgments)
    if shared is None:
        return len({each.item for each in judgments}), "items"
    return len(set(shared.values())), "groups"
