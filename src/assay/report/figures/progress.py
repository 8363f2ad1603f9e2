"""How many judgments have come in, day by day, and when the last is expected."""

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from statistics import quantiles
from typing import Any, ClassVar, Literal

from assay.in_words import count, share, some_of
from assay.model import Judgment
from assay.report.charts import DAY, HOUR, clock, date, day
from assay.report.end_forecast import ENOUGH_TO_FORECAST, EndForecast, forecast_end, is_stalled
from assay.report.figures import Figure, FigureData, Nothing, Part, Table
from assay.report.wording import many

CLOSED = "the study is closed"
"""Why there is no forecast where nothing more is to come."""
MOST_POINTS = 180
MOST_LINES = 12
"""The most annotators with a line of their own: all, or those who have done most and least."""
MOST_POINTS_OF_ONE = 40


@dataclass(frozen=True, slots=True)
class AnnotatorLine:
    """The submissions of one annotator over time."""

    annotator: str
    n: int
    points: list[tuple[int, int]]
    """The running total at the end of each day or hour in which something came in."""
    at_work: bool
    """Whether the annotator may go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressFigureNumbers(EndForecast):
    """What has come in, and when the rest is expected. Times are milliseconds since 1970."""

    n: int
    target: int | None
    unit: Literal["day", "hour"]
    first: int
    now: int
    until: int | None
    """By when all of it is wanted."""
    points: list[tuple[int, int]]
    """The running total at the end of each day or hour."""
    people: int
    paused: list[str]
    from_files: int = 0
    """How many more were judged elsewhere, and came from files; they are not among the others, nor in the target."""
    lines: list[AnnotatorLine] = field(default_factory=list)
    """Each annotator, who has done most first."""
    middle: list[tuple[int, float, float]] = field(default_factory=list)
    """Where not all have a line: the quartiles of all annotators at each time."""

    @property
    def lines_to_draw(self) -> list[AnnotatorLine]:
        """The annotators who get a line: all, or of too many those who have done most and those who have done least."""
        half = MOST_LINES // 2
        return self.lines if len(self.lines) <= MOST_LINES else [*self.lines[:half], *self.lines[-half:]]


class ProgressFigure(Figure[ProgressFigureNumbers]):
    """How many judgments have come in, day by day, and when the rest is expected at the present pace."""

    kind: ClassVar[str] = "progress"
    rank: ClassVar[int] = 10
    part: ClassVar[Part] = "moving"
    question: ClassVar[str] = "Will we finish in time?"

    def numbers(self, data: FigureData) -> ProgressFigureNumbers | Nothing:
        given = {each.submission: each for each in data.work.first_passes}
        # What came from files came at once: it is there, and it says nothing of the pace.
        at = sorted(each.submitted_at for each in given.values() if not each.is_from_file)
        from_files = len(given) - len(at)
        if not at:
            return Nothing(_nothing(from_files))
        now = max(data.now or 0, at[-1])
        unit = DAY if now - at[0] >= ENOUGH_TO_FORECAST * DAY else HOUR
        target = None if data.planned is None else max(0, data.planned - from_files)
        forecast = forecast_end(at, now, unit, target)
        return ProgressFigureNumbers(
            n=len(at),
            target=target,
            unit="day" if unit == DAY else "hour",
            first=at[0],
            now=now,
            until=data.until,
            points=_points(at, unit),
            people=sum(row.submitted > row.from_files for row in data.progress),
            paused=sorted(row.annotator for row in data.progress if row.state != "active"),
            pace=forecast.pace,
            pace_ci=forecast.pace_ci,
            end=forecast.end,
            end_range=forecast.end_range,
            why=forecast.why,
            from_files=from_files,
            **_lines(data, given.values(), unit),
        )

    def in_state(self, numbers: ProgressFigureNumbers, state: str) -> ProgressFigureNumbers:
        if state != "closed" or (numbers.target and numbers.n >= numbers.target):
            return numbers
        return replace(numbers, pace=None, pace_ci=None, end=None, end_range=None, why=CLOSED)

    def finding(self, numbers: ProgressFigureNumbers) -> str:
        done = f"{some_of(numbers.n, numbers.target)} submissions are in. " if numbers.target else ""
        return f"{done}{_forecast_in_words(numbers)}"

    def caption(self, numbers: ProgressFigureNumbers) -> str:
        done, target = numbers.n, numbers.target
        text = f"n = {many(done, 'submission')}"
        if target:
            text += f" of {count(target)} planned ({share(min(1.0, done / target))})"
        if numbers.people:
            text += f" by {many(numbers.people)}"
        paused = numbers.paused
        text += f", {len(paused)} of whom no longer at work" if paused else ""
        text += f"; {count(numbers.from_files)} more came from files" if numbers.from_files else ""
        most = f" Below, {MOST_LINES // 2} who have done most and as many who have done least."
        return f"{text}.{most if len(numbers.lines) > MOST_LINES else ''}"

    def table(self, numbers: ProgressFigureNumbers) -> Table:
        rows: list[list[Any]] = []
        before = 0
        for at, so_far in numbers.points:
            name = date(at) if numbers.unit == "day" else f"{date(at)} {clock(at)}"
            rows.append([name, so_far - before, so_far])
            before = so_far
        rows += [[f"By {line.annotator}", line.n, None] for line in numbers.lines]
        return (numbers.unit.capitalize() + " (UTC)", "Submitted", "In all"), rows


def _nothing(from_files: int) -> str:
    if from_files:
        return f"All {many(from_files, 'submitted item')} came from files: nothing is under way."
    return "Nothing has been submitted yet."


def _lines(data: FigureData, given: Iterable[Judgment], unit: int) -> dict[str, Any]:
    """A line for each annotator; with too many of them also the quartiles of all at each time."""
    times: dict[str, list[int]] = defaultdict(list)
    for each in given:
        if not each.is_from_file:
            times[each.annotator].append(each.submitted_at)
    stopped = {row.annotator for row in data.progress if row.state != "active" or row.left}
    people = sorted(times, key=lambda name: (-len(times[name]), name))
    lines = [
        AnnotatorLine(
            name, len(times[name]), _points(sorted(times[name]), unit, MOST_POINTS_OF_ONE), name not in stopped
        )
        for name in people
    ]
    if len(people) <= MOST_LINES:
        return {"lines": lines}
    at = sorted(time for each in times.values() for time in each)
    ends = [min(place + unit, at[-1]) for place, _ in _points(at, unit, MOST_POINTS_OF_ONE)]
    sorted_times = [sorted(each) for each in times.values()]
    middle = []
    for end in ends:
        low, _, high = quantiles((bisect_right(each, end) for each in sorted_times), n=4, method="inclusive")
        middle.append((end, low, high))
    # Of those who are not drawn the number is enough: their course would make the page long.
    kept = {id(each) for each in (*lines[: MOST_LINES // 2], *lines[-(MOST_LINES // 2) :])}
    return {"lines": [each if id(each) in kept else replace(each, points=[]) for each in lines], "middle": middle}


def _points(at: list[int], unit: int, most: int = MOST_POINTS) -> list[tuple[int, int]]:
    """The running total at the end of each day or hour in which something came in; at most `most` points."""
    by_unit = Counter(time // unit for time in at)
    points, total = [], 0
    for place, came in sorted(by_unit.items()):
        total += came
        points.append((place * unit, total))
    step = math.ceil(len(points) / most)
    return points[::-1][::step][::-1]


def _forecast_in_words(numbers: ProgressFigureNumbers) -> str:
    if numbers.target and numbers.n >= numbers.target:
        return "All of it is done."
    if numbers.end is None or numbers.end_range is None:
        why = numbers.why or ""
        if why == CLOSED:
            return f"{CLOSED[:1].upper()}{CLOSED[1:]}."
        return f"Stalled: {why.removeprefix('stalled, ')}." if is_stalled(numbers) else f"No forecast: {why}."

    def time_in_words(at: int) -> str:
        return day(at) if numbers.unit == "day" else f"{day(at)} {clock(at)}"

    early, late = numbers.end_range
    range_ = f"{time_in_words(early)} to {time_in_words(late)}" if late else f"not before {time_in_words(early)}"
    return (
        f"At {numbers.pace:.1f} a{'n' if numbers.unit == 'hour' else ''} {numbers.unit} it ends about "
        f"{time_in_words(numbers.end)} (95 %: {range_})."
    )
