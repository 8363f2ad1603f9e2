"""How far each two systems lie apart on every scale, and by which net share one is preferred to the other."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from heapq import nsmallest
from statistics import fmean
from typing import Any, ClassVar, Literal

from assay.in_words import interval, many, some_of, with_sign
from assay.model import Estimate, Judgment
from assay.report.data import TOO_FEW
from assay.report.families import families_of
from assay.report.figures import Figure, FigureData, Nothing, Part, Table

Measure = Literal["points", "share", "net"]
"""A difference of means on a scale, of shares of yes, or of the shares of wins and losses."""


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """Two systems on one dimension: first − second."""

    dimension: str
    title: str
    first: str
    second: str
    measure: Measure
    value: float | None
    ci: tuple[float, float] | None
    undefined: str | None
    n: int
    """How many items or groups the two are compared on."""
    unit: str
    few: bool
    shown: bool
    """Whether a difference is shown, after the correction for all tests of its family."""
    undecided: str = ""
    """Why nothing can be said of it, though there is enough behind it."""
    items: list[str] = field(default_factory=list)
    """Some of those that the two are compared on: where they lie farthest apart."""

    @property
    def pair(self) -> str:
        """The two systems as they are subtracted."""
        return f"{self.first} − {self.second}"

    def in_words(self) -> str:
        """The difference with its interval."""
        return f"undefined: {self.undefined}" if self.value is None else " ".join(self.cells()).strip()

    def cells(self) -> tuple[str, str]:
        """The difference and its interval, each for a column of its own."""
        if self.value is None:
            return "undefined", ""
        if self.measure == "points":
            return with_sign(self.value), interval(self.ci)
        ends = (100 * self.ci[0], 100 * self.ci[1]) if self.ci else None
        return f"{with_sign(100 * self.value, 0)} %", interval(ends, 0)


@dataclass(frozen=True, slots=True)
class ComparisonPanel:
    """All dimensions on which two systems are compared by the same measure, the largest difference first."""

    first: str
    second: str
    measure: Measure
    rows: list[ComparisonRow]

    @property
    def lines(self) -> int:
        """How many rows it has."""
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class ComparisonsFigureNumbers:
    """Every comparison of two systems that the study asks for."""

    n: int
    looks: bool
    """Whether intervals hold however often somebody looks."""
    primary: str
    """The dimension that is said first."""
    correction: str
    tests: int
    rows: list[ComparisonRow]
    reach: dict[str, float] = field(default_factory=dict)
    """By measure, how far the axis goes to either side."""

    @property
    def panels(self) -> list[ComparisonPanel]:
        """The rows by systems and measure."""
        found: dict[tuple[str, str, Measure], list[ComparisonRow]] = {}
        for row in self.rows:
            found.setdefault((row.first, row.second, row.measure), []).append(row)
        return [ComparisonPanel(*key, rows=sorted(each, key=_largest_first)) for key, each in found.items()]


class ComparisonsFigure(Figure[ComparisonsFigureNumbers]):
    """How far each two systems lie apart on every dimension, with intervals."""

    kind: ClassVar[str] = "comparisons"
    rank: ClassVar[int] = 5
    part: ClassVar[Part] = "says"
    waits: ClassVar[bool] = True
    question: ClassVar[str] = "Which system is better, and by how much?"

    def numbers(self, data: FigureData) -> ComparisonsFigureNumbers | Nothing:
        # The verdict on top of a report asks for them, too.
        name = f"comparisons figure, {data.most}"
        found: ComparisonsFigureNumbers | Nothing = data.report.once(name, lambda: self._numbers(data))
        return found

    def _numbers(self, data: FigureData) -> ComparisonsFigureNumbers | Nothing:
        families = families_of(data.report)
        rows = [row for family in families for row in _rows_of_scores(family) + _rows_of_preferences(family)]
        if not rows:
            return Nothing("Fewer than two systems have been judged on a scale or compared with each other.")
        items = _Items(data.report.with_agreed.judgments)
        rows = [replace(row, items=items.of(row, data.most)) for row in rows]
        asked = families[0].comparison
        reach: dict[str, float] = {}
        for row in rows:
            ends = [abs(end) for end in (row.ci or (row.value or 0.0,))]
            reach[row.measure] = max([reach.get(row.measure, 0.0), *ends])
        return ComparisonsFigureNumbers(
            n=max(row.n for row in rows),
            looks=data.report.study.analysis.looks == "any",
            primary=_primary(asked.on, rows),
            correction=asked.correction,
            tests=sum(each.tests for family in families if (each := family.systems or family.preferences)),
            rows=rows,
            reach=reach,
        )

    def finding(self, numbers: ComparisonsFigureNumbers) -> str:
        shown = [row for row in numbers.rows if row.shown and row.value is not None]
        if not shown:
            return self._without_difference(numbers)
        # What the study names first is said first; measures differ, so the others are counted, not ranked.
        first = max(shown, key=lambda row: (row.dimension == numbers.primary, abs(row.value or 0.0)))
        said = f"{first.pair} on {first.title}: {first.in_words()}"
        return f"{said}; {some_of(len(shown), len(numbers.rows))} differences are shown" if len(shown) > 1 else said

    def _without_difference(self, numbers: ComparisonsFigureNumbers) -> str:
        decided = [row for row in numbers.rows if not row.few and not row.undecided]
        if not decided:
            return f"Nothing is decided yet in {many(len(numbers.rows), 'comparison')}"
        return f"No difference is shown in {many(len(decided), 'comparison')}"

    def caption(self, numbers: ComparisonsFigureNumbers) -> str:
        shown = sum(row.shown for row in numbers.rows)
        how = (
            "that hold however often somebody looks"
            if numbers.looks
            else "that are right for one look, after the study is closed"
        )
        few = f" n < {TOO_FEW}: too few to say." if any(row.few for row in numbers.rows) else ""
        undecided = sum(bool(row.undecided) for row in numbers.rows)
        found = f"{many(shown, 'difference')} {'is' if shown == 1 else 'are'} shown"
        if not shown:
            found = "Nothing is decided" if undecided == len(numbers.rows) else "No difference is shown"
        unsure = f"; {undecided} undecided" if undecided and undecided < len(numbers.rows) else ""
        return (
            f"Differences with 95 % intervals {how}, n up to {many(numbers.n, _one(numbers.rows[0].unit))}. "
            f"{found}, of {many(len(numbers.rows), 'comparison')}{unsure}.{few}"
        )

    def table(self, numbers: ComparisonsFigureNumbers) -> Table:
        columns = ("Systems", "Dimension", "Difference", "95 % interval", "n", "Shown", "Items")
        rows: list[list[Any]] = []
        for panel in numbers.panels:
            for row in panel.rows:
                number, ci = row.cells() if row.value is not None else (row.in_words(), "")
                n = f"{many(row.n, _one(row.unit))}{', too few to say' if row.few else ''}"
                said = "undecided" if row.undecided else "yes" if row.shown else "no"
                rows.append([row.pair, row.title, number, ci, n, said, row.items])
        return columns, rows


class _Items:
    """The items that comparisons rest on, the most extreme values first. All judgments are read in one pass."""

    def __init__(self, judgments: Iterable[Judgment]) -> None:
        self._pairs: dict[str, list[Judgment]] = defaultdict(list)
        """By dimension, what was said of items that compare two systems."""
        self._alone: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        """By dimension and system, the numbers that items with one system got."""
        self._means: dict[tuple[str, str], dict[str, float]] = {}
        for each in judgments:
            if each.systems != (each.system,) or not _is_number(each.value):
                self._pairs[each.dimension].append(each)
            else:
                self._alone[each.dimension, each.system][each.item].append(float(each.value))  # type: ignore[arg-type]

    def of(self, row: ComparisonRow, most: int) -> list[str]:
        """The `most` items of two systems on one dimension whose means are the most extreme, in descending order."""
        means = self._means_of(row)
        middle = fmean(means.values()) if means else 0.0
        return nsmallest(most, means, key=lambda item: (-abs(means[item] - middle), item))

    def _means_of(self, row: ComparisonRow) -> dict[str, float]:
        """The mean of each item of a comparison's two systems."""
        compared = {row.first, row.second}
        first, second = (self._means_alone(row.dimension, system) for system in (row.first, row.second))
        if not self._pairs[row.dimension] and first.keys().isdisjoint(second):
            return first | second
        values: dict[str, list[float]] = defaultdict(list)
        for system in compared:
            for item, given in self._alone.get((row.dimension, system), {}).items():
                values[item] += given
        for each in self._pairs[row.dimension]:
            if each.system in compared or not compared.isdisjoint(each.systems):
                own = _is_number(each.value)
                values[each.item].append(float(each.value) if own else float(each.value == row.second))  # type: ignore[arg-type]
        return {item: fmean(given) for item, given in values.items()}

    def _means_alone(self, dimension: str, system: str) -> dict[str, float]:
        """The mean of each item of one system. Cached, since each system is compared with several others."""
        if (dimension, system) not in self._means:
            given = self._alone.get((dimension, system), {})
            self._means[dimension, system] = {item: fmean(values) for item, values in given.items()}
        return self._means[dimension, system]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _one(unit: str) -> str:
    return unit.removesuffix("s")


def _largest_first(row: ComparisonRow) -> tuple[bool, float]:
    return row.value is None, -(row.value or 0.0)


def _primary(asked: tuple[str, ...] | list[str], rows: list[ComparisonRow]) -> str:
    """The primary dimension: the first that the study names, else its preference, else the last of its scales.

    It does not depend on the results. Rubrics end with the question about the whole.
    """
    there = [row.dimension for row in rows]
    named = next((name for name in asked if name in there), None)
    preferred = next((row.dimension for row in rows if row.measure == "net"), None)
    return named or preferred or there[-1]


def _rows_of_scores(family: Any) -> list[ComparisonRow]:
    found = []
    for about in family.systems.dimensions if family.systems else []:
        for pair in about.pairs:
            measure: Measure = "points" if about.yes is None else "share"
            row = _comparison_row(
                about, pair.first, pair.second, measure, pair.claim, pair.n_units, pair.drawn, pair.differ
            )
            found.append(replace(row, undecided=pair.undecided))
    return found


def _rows_of_preferences(family: Any) -> list[ComparisonRow]:
    found = []
    for about in family.preferences.dimensions if family.preferences else []:
        for pair in about.pairs:
            row = _comparison_row(
                about, pair.system, pair.against, "net", pair.claim, pair.n_units, pair.unit, pair.differ
            )
            found.append(replace(row, undecided=pair.undecided))
    return found


def _comparison_row(
    about: Any, first: str, second: str, measure: Measure, found: Estimate, n: int, unit: str, shown: bool
) -> ComparisonRow:
    return ComparisonRow(
        dimension=about.dimension,
        title=about.title,
        first=first,
        second=second,
        measure=measure,
        value=found.value,
        ci=found.ci,
        undefined=found.undefined,
        n=n,
        unit=unit,
        few=n < TOO_FEW,
        shown=shown,
    )
