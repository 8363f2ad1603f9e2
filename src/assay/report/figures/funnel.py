"""Where people stop on the way from the invitation to the last item."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.report.charts import count, share, shares
from assay.report.data import TOO_FEW
from assay.report.figures import Figure, FigureData, Nothing, Part, Table
from assay.report.wording import many
from assay.statistics.wilson import wilson

BARS = ("came so far", "still on the way to it", "stopped before it")
"""What the people of each bar have in common."""


@dataclass(frozen=True, slots=True)
class FunnelRow:
    """How many people reached one step."""

    step: str
    people: int
    share: float
    """Of those who were invited."""
    ci: tuple[float, float]
    minutes: float | None
    """The median since the step before."""
    lost: int
    """How many stopped before it."""
    on_the_way: int = 0
    """How many are before it, and still at work."""


@dataclass(frozen=True, slots=True)
class FunnelFigureNumbers:
    """How many people reached each step."""

    n: int
    few: bool
    rows: list[FunnelRow]
    from_files: int = 0
    """How many more are known from files alone: nobody invited them."""


class FunnelFigure(Figure[FunnelFigureNumbers]):
    """Where people stop on the way from the invitation to the last item, with the minutes in between."""

    kind: ClassVar[str] = "funnel"
    rank: ClassVar[int] = 20
    part: ClassVar[Part] = "moving"
    question: ClassVar[str] = "Where do people stop?"

    def numbers(self, data: FigureData) -> FunnelFigureNumbers | Nothing:
        if not data.funnel or not data.funnel[0].people:
            return Nothing("Nobody has been invited yet.")
        first = data.funnel[0].people
        rows: list[FunnelRow] = []
        for step in data.funnel:
            rows.append(
                FunnelRow(
                    step=step.name,
                    people=step.people,
                    share=step.people / first,
                    ci=wilson(min(step.people, first), first),
                    minutes=step.minutes,
                    lost=rows[-1].people - step.people - step.on_the_way if rows else 0,
                    on_the_way=step.on_the_way,
                )
            )
        elsewhere = sum(row.elsewhere for row in data.progress)
        return FunnelFigureNumbers(n=first, few=first < TOO_FEW, rows=rows, from_files=elsewhere)

    def leads(self, data: FigureData, numbers: FunnelFigureNumbers) -> Mapping[str, Sequence[str]]:
        return {
            f"{each.step}: {words}": names
            for each in data.people
            for words, names in zip(BARS, (each.came, each.on_the_way, each.stopped), strict=True)
        }

    def finding(self, numbers: FunnelFigureNumbers) -> str:
        stops = max(numbers.rows, key=lambda row: row.lost)
        last = numbers.rows[-1]
        end = f"{count(last.people)} of {count(numbers.n)} came to the end"
        stopped = f"Most stop before “{stops.step}”: {count(stops.lost)}" if stops.lost > 0 else "Nobody has stopped"
        return f"{stopped}; {end}"

    def caption(self, numbers: FunnelFigureNumbers) -> str:
        few = f" (fewer than {TOO_FEW}: shares are too few to say)" if numbers.few else ""
        still_there = sum(row.on_the_way for row in numbers.rows)
        way = f" {many(still_there)} {'is' if still_there == 1 else 'are'} still on the way." if still_there else ""
        files = (
            f" {many(numbers.from_files)} more {'is' if numbers.from_files == 1 else 'are'} known from files alone."
            if numbers.from_files
            else ""
        )
        return f"n = {many(numbers.n)} invited{few}; minutes are medians since the step before.{way}{files}"

    def table(self, numbers: FunnelFigureNumbers) -> Table:
        columns = (
            "Step",
            "People",
            "Of those invited",
            "95 % interval",
            "Still on the way",
            "Stopped before",
            "Minutes since",
        )
        rows: list[list[Any]] = [
            [
                row.step,
                row.people,
                share(row.share),
                shares(row.ci),
                row.on_the_way,
                max(0, row.lost),
                None if row.minutes is None else f"{row.minutes:.1f}",
            ]
            for row in numbers.rows
        ]
        return columns, rows
