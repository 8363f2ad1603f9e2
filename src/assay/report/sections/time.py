"""How long items took, beside the time that reading and answering should take; sessions, breaks, and who was fast."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import ClassVar

from assay.model import WORDS_A_MINUTE, Judgment
from assay.report.data import TOO_FEW, Data
from assay.report.sections import ReportPart, Section
from assay.report.sources import Sources
from assay.report.wording import many
from assay.study.schema import SECONDS_TO_ANSWER

MINUTE = 60_000
GAP = 30 * MINUTE
"""A session ends after this long without a submission."""
SPEED = ("too_fast", "too_slow")


@dataclass(frozen=True, slots=True)
class Quartiles:
    """The median of some values and their quartiles; None where there are no values."""

    n: int
    low_quarter: float | None
    median: float | None
    high_quarter: float | None


@dataclass(frozen=True, slots=True)
class Minutes:
    """How long some sessions or breaks were."""

    n: int
    median: float | None
    longest: float | None


@dataclass(frozen=True, slots=True)
class AnnotatorsTime:
    """The time of one annotator."""

    annotator: str
    seconds: Quartiles
    of_expected: Quartiles
    """The time of each item over the time it should take."""
    active_minutes: float | None
    session_minutes: list[float]
    break_minutes: list[float]


@dataclass(frozen=True, slots=True)
class SpeedFlag:
    """A flag for having been too fast or too slow."""

    annotator: str
    monitor: str
    reason: str


@dataclass(frozen=True, slots=True)
class TimeNumbers:
    """How long items took, everybody's and each annotator's."""

    words_a_minute: int
    seconds_to_answer: int
    study_expects: tuple[int, ...] | None
    """The least and the most seconds that an item should take, where the study says so."""
    items: Quartiles
    of_expected: Quartiles
    active_hours: float | None
    """None where no time is known."""
    sessions: Minutes
    breaks: Minutes
    annotators: list[AnnotatorsTime]
    flags: list[SpeedFlag]
    sources: Sources
    """Only what was given on the page has times."""


class TimeSection(Section[TimeNumbers]):
    """How long items took, beside the time that reading and answering should take; sessions, breaks, speed flags."""

    kind: ClassVar[str] = "time"
    rank: ClassVar[int] = 35
    title: ClassVar[str] = "How long did it take?"
    part: ClassVar[ReportPart] = "quality"
    stays: ClassVar[bool] = True
    figures: ClassVar[tuple[str, ...]] = ("time", "keys_and_device")

    def numbers(self, data: Data) -> TimeNumbers:
        given: dict[str, dict[str, Judgment]] = defaultdict(dict)
        for each in data.that_count:
            if each.source == "work":
                given[each.annotator].setdefault(each.submission, each)
        everything = [each for of_one in given.values() for each in of_one.values()]
        rows = [_time_of(data, who, list(given[who].values())) for who in sorted(given)]
        return TimeNumbers(
            words_a_minute=WORDS_A_MINUTE,
            seconds_to_answer=SECONDS_TO_ANSWER,
            study_expects=data.study.pace.expect or None,
            items=_quartiles(_seconds(everything)),
            of_expected=_quartiles(_ratios(data, everything)),
            active_hours=sum(_seconds(everything)) / 3600 if _seconds(everything) else None,
            sessions=_minutes([each for row in rows for each in row.session_minutes]),
            breaks=_minutes([each for row in rows for each in row.break_minutes]),
            annotators=rows,
            flags=[
                SpeedFlag(each.annotator, each.monitor, each.reason) for each in data.flags if each.monitor in SPEED
            ],
            sources=data.sources,
        )

    def lines(self, numbers: TimeNumbers) -> list[str]:
        items = numbers.items
        if numbers.sources.is_elsewhere:
            return []
        if not items.n or numbers.active_hours is None:
            return ["No times are known: nothing that counts was submitted on the page with its time."]
        line = f"An item took {_in_words(items, 's')} of active time; {many(items.n, 'submitted item')} of "
        line += f"{many(len(numbers.annotators))}, {_hours(numbers.active_hours)} in all"
        if numbers.study_expects:
            least, most = numbers.study_expects
            line += f"; the study expects {least:g} to {most:g} s"
        lines = [f"{line}{_few(items.n)}."]
        if numbers.of_expected.n:
            lines.append(
                f"That is {numbers.of_expected.median:.2f} times (median) what reading at {WORDS_A_MINUTE} words a "
                f"minute and {SECONDS_TO_ANSWER} s for each question would take."
            )
        lines.append(_line_of_sessions(numbers.sessions, numbers.breaks))
        if without := numbers.sources.sheet + numbers.sources.file:
            lines.append(f"Of {many(without, 'submission')} on sheets or from files no times are known.")
        if flagged := [f"{each.annotator} ({each.monitor.replace('_', ' ')})" for each in numbers.flags]:
            lines.append(f"Flagged for speed: {', '.join(flagged)}; why stands under “Is anything doubtful?”.")
        return lines


def _time_of(data: Data, who: str, given: Sequence[Judgment]) -> AnnotatorsTime:
    breaks = data.fieldwork.breaks.get(who, ()) if data.fieldwork else ()
    return AnnotatorsTime(
        annotator=who,
        seconds=_quartiles(_seconds(given)),
        of_expected=_quartiles(_ratios(data, given)),
        active_minutes=sum(_seconds(given)) / 60 if _seconds(given) else None,
        session_minutes=_sessions(given),
        break_minutes=[(end - start) / MINUTE for start, end in breaks if end is not None],
    )


def _seconds(given: Sequence[Judgment]) -> list[float]:
    return [each.active_ms / 1000 for each in given if each.active_ms is not None]


def _ratios(data: Data, given: Sequence[Judgment]) -> list[float]:
    """The time of each item over the time it should take, where both are known."""
    facts = data.work.items if data.work is not None else {}
    questions = len(data.study.rubric)
    return [
        each.active_ms / 1000 / (facts[each.item].words / WORDS_A_MINUTE * 60 + SECONDS_TO_ANSWER * questions)
        for each in given
        if each.active_ms is not None and each.item in facts
    ]


def _sessions(given: Sequence[Judgment]) -> list[float]:
    """How many minutes each session had, from what was shown first to what was submitted last."""
    found: list[list[int]] = []
    for each in sorted(given, key=lambda each: each.submitted_at):
        if found and each.shown_at - found[-1][1] <= GAP and each.submitted_at - found[-1][1] <= 2 * GAP:
            found[-1][1] = max(found[-1][1], each.submitted_at)
        else:
            found.append([min(each.shown_at, each.submitted_at), each.submitted_at])
    return [(end - start) / MINUTE for start, end in found]


def _quartiles(values: Sequence[float]) -> Quartiles:
    if not values:
        return Quartiles(0, None, None, None)
    low, middle, high = quantiles(values, n=4, method="inclusive") if len(values) > 1 else [*values] * 3
    return Quartiles(len(values), low, middle, high)


def _minutes(minutes: Sequence[float]) -> Minutes:
    return Minutes(len(minutes), median(minutes) if minutes else None, max(minutes, default=None))


def _in_words(found: Quartiles, unit: str) -> str:
    half = f"{found.low_quarter:.0f} to {found.high_quarter:.0f}"
    return f"{found.median:.0f} {unit} (median; the middle half {half} {unit})"


def _hours(hours: float) -> str:
    return f"{hours:.1f} hours" if hours >= 1 else f"{60 * hours:.0f} minutes"


def _few(n: int) -> str:
    return f" (fewer than {TOO_FEW} items: too few to say)" if n < TOO_FEW else ""


def _line_of_sessions(sessions: Minutes, breaks: Minutes) -> str:
    line = f"{many(sessions.n, 'session').capitalize()}, {sessions.median:.0f} minutes long (median)"
    line += f", the longest {sessions.longest:.0f}" if sessions.n > 1 else ""
    if not breaks.n:
        return f"{line}; no break was taken on the page."
    return f"{line}; {many(breaks.n, 'break')} of {breaks.median:.0f} minutes (median)."
