"""What the sections on systems and judges share: which comparisons a study asks for, and how they are said."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from assay.model import Judgment
from assay.report.charts import interval, number
from assay.report.data import TOO_FEW, Data
from assay.study.analysis import ComparisonSettings

if TYPE_CHECKING:
    from assay.model import Estimate

DRAWS = 1000
CORRECTIONS = {"holm": "Holm", "bonferroni": "Bonferroni", "none": ""}


@dataclass(frozen=True)
class Scored:
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
    """Of a computed word: which one; its judgments hold 1 where it is this one, else 0."""


def scored(data: Data) -> list[Scored]:
    """Every dimension whose values are numbers, then what is computed from them. Yes counts 1, and no 0."""
    found = []
    for dimension in data.study.scored:
        values = dimension.input.values()
        if values and all(map(is_number, values)) and not dimension.input.compares:
            name, numbers = dimension.dimension, [float(value) for value in values]  # type: ignore[arg-type]
            given = [each for each in data.with_agreed.judgments if each.dimension == name and data.on_this_scale(each)]
            ends = min(numbers), max(numbers)
            yes = dimension.input.show(values[numbers.index(1.0)]) if sorted(numbers) == [0, 1] else None
            found.append(Scored(name, dimension.heading, _numbers(given), ends, dimension.scope.of == "side", yes=yes))
    for derived in data.study.derive:
        about = [each for each in data.with_agreed.derived if each.dimension == derived.derived]
        if about and all(is_number(each.value) for each in about):
            sides = any(each.role for each in about)
            found.append(Scored(derived.derived, derived.heading, about, None, sides, computed=True))
    return found


def shares(data: Data) -> list[Scored]:
    """Of what is computed as words, such as pass and fail: how often it is each of them."""
    found = []
    for derived in data.study.derive:
        given = (each for each in data.with_agreed.derived if each.dimension == derived.derived)
        about = [each for each in given if isinstance(each.value, str)]
        for value in sorted({str(each.value) for each in about}):
            of_it = [replace(each, value=int(each.value == value)) for each in about]
            found.append(Scored(derived.derived, derived.heading, of_it, (0, 1), False, True, None, value))
    return found


def _numbers(judgments: Iterable[Judgment]) -> list[Judgment]:
    return [each for each in judgments if is_number(each.value)]


def is_number(value: object) -> bool:
    """Whether it is one; a truth value is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def asked(data: Data) -> Sequence[ComparisonSettings]:
    """The comparisons that the study asks for, each a family of tests; without any there is one of everything."""
    return data.study.analysis.compare or (ComparisonSettings(),)


def compared(comparison: ComparisonSettings, name: str) -> bool:
    """Whether a comparison is about this dimension."""
    return not comparison.on or name in comparison.on


def systems_of(comparison: ComparisonSettings, named: Iterable[str]) -> list[str]:
    """The systems that it is about, in the order of the study file, else by name."""
    there = {name for name in named if name}
    return [name for name in comparison.systems if name in there] if comparison.systems else sorted(there)


def corrected(p: Sequence[float | None], how: str) -> list[float | None]:
    """P-values of one family looked at together; what has none gets none."""
    from assay.statistics.comparison.multiple import bonferroni, holm

    adjust = {"holm": holm, "bonferroni": bonferroni, "none": list}[how]
    left = iter(adjust([each for each in p if each is not None]))  # type: ignore[operator]
    return [None if each is None else next(left) for each in p]


def clusters(data: Data, judgments: Sequence[Judgment]) -> dict[str, str] | None:
    """What items share, by item, where the study says that they share something."""
    if data.study.items.group is None:
        return None
    return {each.item: each.group or each.item for each in judgments}


def units(data: Data, judgments: Sequence[Judgment]) -> tuple[int, str]:
    """How many things that are independent of each other these are about, and what they are: groups or items."""
    shared = clusters(data, judgments)
    if shared is None:
        return len({each.item for each in judgments}), "items"
    return len(set(shared.values())), "groups"


def as_json(measure: "Estimate") -> dict[str, Any]:
    """A measure, ready for JSON."""
    return {
        "name": measure.name,
        "value": measure.value,
        "ci": None if measure.ci is None else list(measure.ci),
        "n": measure.n,
        "method": measure.method,
        "p": measure.p,
        "undefined": measure.undefined,
    }


def value_of(measure: dict[str, Any], digits: int = 2) -> str:
    """A measure as it stands in a sentence: with its interval, or with the reason why there is none."""
    if measure["value"] is None:
        return f"undefined ({measure['undefined']})"
    return f"{number(measure['value'], digits)} {interval(measure['ci'], digits)}".strip()


def percent(measure: dict[str, Any]) -> str:
    """A share as it stands in a sentence."""
    if measure["value"] is None:
        return f"undefined ({measure['undefined']})"
    between = f" [{100 * measure['ci'][0]:.0f}, {100 * measure['ci'][1]:.0f}]" if measure["ci"] else ""
    return f"{100 * measure['value']:.0f} %{between}"


def probability(p: float | None) -> str:
    """A p-value as it stands in a sentence.

    >>> probability(0.0312), probability(0.00001), probability(None)
    ('p = 0.031', 'p < 0.001', 'no p-value')
    """
    if p is None:
        return "no p-value"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def tested(p: float | None, p_corrected: float | None, correction: str, tests: int) -> str:
    """A p-value by itself, and among the others of its family."""
    how = CORRECTIONS[correction]
    if not how or p is None or p_corrected is None or tests < 2:
        return probability(p)
    return f"{probability(p)}, corrected {probability(p_corrected)} ({how}, {tests} tests)"


def too_few(n: int, things: str) -> str:
    """The warning behind a number that rests on little."""
    return f" (fewer than {TOO_FEW} {things}: too few to say)" if n < TOO_FEW else ""
