"""What may be said while the study runs: means, shares, differences and net win rates that hold at every look."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from assay.in_words import count, many, some_of
from assay.report.charts import interval, number
from assay.report.figures import Figure, FigureData, Nothing, Part, Table
from assay.report.looks import ALL_ITEMS, LookPanel, looks_of
from assay.report.wording import difference_in_words

MOST_PANELS = 12
"""The most panels that are drawn; all numbers are in the table."""


@dataclass(frozen=True, slots=True)
class LooksFigureNumbers:
    """Every number that holds at every look; panels are drawn as far as there is room."""

    panels: list[LookPanel]
    all: list[LookPanel]
    more: int
    n: int
    """The largest number of items behind one of the numbers."""


class LooksFigure(Figure[LooksFigureNumbers]):
    """What may be said while the study runs: means, shares, differences and net win rates that hold at every look."""

    kind: ClassVar[str] = "looks"
    rank: ClassVar[int] = 5
    part: ClassVar[Part] = "says"
    question: ClassVar[str] = "What may be said at this look?"

    def numbers(self, data: FigureData) -> LooksFigureNumbers | Nothing:
        if data.report.study.analysis.looks != "any":
            return Nothing("Comparisons are for one look, after the study is closed (`analysis.looks`).")
        found = looks_of(data.report)
        if not found:
            return Nothing("Nothing that has a mean, and no preference, was judged yet.")
        n = max(row.estimate.n for panel in found for row in panel.rows)
        return LooksFigureNumbers(found[:MOST_PANELS], found, max(0, len(found) - MOST_PANELS), n)

    def leads(self, data: FigureData, numbers: LooksFigureNumbers) -> Mapping[str, Sequence[str]]:
        given: dict[str, dict[str, tuple[str, ...]]] = {}
        for each in data.report.with_agreed.judgments:
            given.setdefault(each.dimension, {})[each.item] = each.systems
        found: dict[str, Sequence[str]] = {}
        for panel in numbers.panels:
            items = given.get(panel.dimension, {})
            for row in panel.rows:
                found[panel.about(row)] = [
                    item for item, systems in items.items() if row.about == ALL_ITEMS or row.is_of(systems)
                ]
        return found

    def finding(self, numbers: LooksFigureNumbers) -> str:
        compared = [
            (panel, row)
            for panel in numbers.all
            if panel.is_signed
            for row in panel.rows
            if row.estimate.value is not None and row.estimate.ci is not None
        ]
        if not compared:
            return ""
        away = [(panel, row) for panel, row in compared if not row.estimate.ci[0] <= 0 <= row.estimate.ci[1]]  # type: ignore[index]
        if not away:
            return f"None of {many(len(compared), 'difference')} is away from 0 at this look"
        panel, row = away[0]
        said = f"{panel.title}, {row.about}: {difference_in_words(row.estimate, panel.is_net)}"
        return f"{said}; {some_of(len(away), len(compared))} away from 0 at this look"

    def caption(self, numbers: LooksFigureNumbers) -> str:
        more = f" {numbers.more} more panels are in the table." if numbers.more else ""
        return (
            "Each value with the interval that holds however often somebody looks (a confidence sequence, 95 %); up to "
            f"n = {count(numbers.n)} items or groups. Below 30 of them there is none.{more}"
        )

    def table(self, numbers: LooksFigureNumbers) -> Table:
        columns = ("Dimension", "What", "Of", "Value", "Interval at any look", "n", "Why there is none")
        rows = [
            [
                panel.title,
                panel.of,
                row.about,
                number(row.estimate.value),
                interval(row.estimate.ci),
                row.estimate.n,
                row.estimate.undefined or ("" if row.estimate.ci else row.estimate.method),
            ]
            for panel in numbers.all
            for row in panel.rows
        ]
        return columns, rows
