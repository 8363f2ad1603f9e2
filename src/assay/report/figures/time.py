"""How long items take each annotator, beside the time that reading and answering them should take."""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

from assay.in_words import count
from assay.model import WORDS_A_MINUTE, Judgment
from assay.report.charts import share, shares
from assay.report.data import TOO_FEW
from assay.report.figures import MOST_PEOPLE, Figure, FigureData, Nothing, Part, Table, not_drawn
from assay.report.wording import many
from assay.statistics.wilson import wilson
from assay.study.schema import SECONDS_TO_ANSWER

FAST = 0.35
"""Below this share of the expected time an item counts as rushed."""
LOW, HIGH, BINS = 0.125, 8.0, 36
BLUR = (0.06, 0.24, 0.4, 0.24, 0.06)


@dataclass(frozen=True, slots=True)
class TimeRow:
    """The times of one annotator, as ratios of the expected times."""

    annotator: str
    n: int
    few: bool
    median: float
    fast: int
    """How many items took less than `fast_below` of the expected time."""
    fast_ci: tuple[float, float]
    """Of their share."""
    density: list[float]
    items: list[str]
    dots: list[float] = field(default_factory=list)
    """Each item's time over the time it should take, where they are too few for a curve."""


@dataclass(frozen=True, slots=True)
class TimeFigureNumbers:
    """The times of every annotator."""

    n: int
    annotators: int
    fast_below: float
    low: float
    high: float
    """The ends of the axis."""
    rows: list[TimeRow]
    all: list[TimeRow]
    more: int


class TimeFigure(Figure[TimeFigureNumbers]):
    """How long items take each annotator, beside the time that reading and answering them should take."""

    kind: ClassVar[str] = "time"
    rank: ClassVar[int] = 20
    part: ClassVar[Part] = "who"
    question: ClassVar[str] = "Who rushes or stalls?"

    def numbers(self, data: FigureData) -> TimeFigureNumbers | Nothing:
        rows: list[TimeRow] = []
        questions = len(data.report.study.rubric)
        for annotator, submissions in data.work.submissions.items():
            ratios = [
                (ratio, given[0].item)
                for given in submissions.values()
                if (ratio := _ratio(data, given[0], questions)) is not None
            ]
            if ratios:
                rows.append(_time_of(data, annotator, ratios))
        if not rows:
            if data.report.sources.is_elsewhere:
                return Nothing("Everything came from files, which do not say how long it took.")
            return Nothing("No times are known yet: nothing was submitted on the page.")
        ranked = sorted(rows, key=lambda row: (row.few, -row.fast_ci[0], -row.fast / row.n, row.annotator))
        return TimeFigureNumbers(
            n=sum(row.n for row in rows),
            annotators=len(rows),
            fast_below=FAST,
            low=LOW,
            high=HIGH,
            rows=ranked[:MOST_PEOPLE],
            all=ranked,
            more=len(ranked[MOST_PEOPLE:]),
        )

    def finding(self, numbers: TimeFigureNumbers) -> str:
        known = [row for row in numbers.all if not row.few]
        top = max(known, key=lambda row: row.fast / row.n, default=None)
        if top is None:
            return ""
        if not top.fast:
            return f"Nobody is faster than {FAST:g} of the expected time"
        return f"{top.annotator} is fastest: {top.fast} of {many(top.n, 'item')} below {FAST:g} of the expected time"

    def caption(self, numbers: TimeFigureNumbers) -> str:
        others = [row.median for row in numbers.all[len(numbers.rows) :]]
        between = f", with medians from {min(others):.2f} to {max(others):.2f}" if others else ""
        return (
            f"Active seconds over expected seconds ({WORDS_A_MINUTE} words a minute and {SECONDS_TO_ANSWER} s for each "
            f"question) on a log scale, n = {many(numbers.n, 'item')} of {many(numbers.annotators)}; "
            f"the dotted line is "
            f"at {FAST:g}, the bar is the median.{not_drawn(numbers.more, between)}"
        )

    def table(self, numbers: TimeFigureNumbers) -> Table:
        columns = ("Annotator", "Items", "Median of expected", f"Below {FAST:g}", "95 % interval", "Fastest")
        rows: list[list[Any]] = [
            [
                row.annotator,
                f"{count(row.n)}, too few to say" if row.few else row.n,
                f"{row.median:.2f}",
                f"{row.fast} ({share(row.fast / row.n)})",
                shares(row.fast_ci),
                row.items,
            ]
            for row in numbers.all
        ]
        return columns, rows


def _ratio(data: FigureData, judgment: Judgment, questions: int) -> float | None:
    """The time an item took over the time it should take; None where either is not known."""
    fact = data.work.items.get(judgment.item)
    if judgment.active_ms is None or fact is None:
        return None
    return judgment.active_ms / 1000 / (fact.words / WORDS_A_MINUTE * 60 + SECONDS_TO_ANSWER * questions)


def _time_of(data: FigureData, annotator: str, ratios: list[tuple[float, str]]) -> TimeRow:
    ratios = sorted(ratios)
    n, fast = len(ratios), sum(ratio < FAST for ratio, _ in ratios)
    return TimeRow(
        annotator=annotator,
        n=n,
        few=n < TOO_FEW,
        median=(ratios[(n - 1) // 2][0] + ratios[n // 2][0]) / 2,
        fast=fast,
        fast_ci=wilson(fast, n),
        density=_density([ratio for ratio, _ in ratios]),
        items=data.first(item for ratio, item in ratios if ratio < FAST),
        dots=[round(ratio, 4) for ratio, _ in ratios] if n < TOO_FEW else [],
    )


def _density(ratios: list[float]) -> list[float]:
    """A smoothed histogram on a log scale, as shares of the items; values beyond the ends are in the end bins."""
    counts = [0.0] * BINS
    for ratio in ratios:
        place = math.log(max(ratio, 1e-9) / LOW) / math.log(HIGH / LOW) * BINS
        counts[min(BINS - 1, max(0, math.floor(place)))] += 1 / len(ratios)
    around = len(BLUR) // 2
    return [
        round(sum(BLUR[k + around] * counts[min(BINS - 1, max(0, at + k))] for k in range(-around, around + 1)), 5)
        for at in range(BINS)
    ]
