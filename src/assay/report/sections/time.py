"""How long items took, beside the time that reading and answering should take; sessions, breaks, and who was fast."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import median, quantiles
from typing import Any, ClassVar

from assay.assignment.forecast import SECONDS_TO_ANSWER
from assay.model import WORDS_A_MINUTE, Judgment
from assay.report.data import TOO_FEW, Data
from assay.report.figures import many
from assay.report.section import Section

MINUTE = 60_000
GAP = 30 * MINUTE
"""After so long without anything done, a session is over."""
SPEED = ("too_fast", "too_slow")


class Time(Section[dict[str, Any]]):
    """How long items took, beside the time that reading and answering should take; sessions, breaks, speed flags."""

    kind: ClassVar[str] = "time"
    rank: ClassVar[int] = 35
    title: ClassVar[str] = "How long did it take?"
    figures: ClassVar[tuple[str, ...]] = ("time", "keys_and_device")

    def numbers(self, data: Data) -> dict[str, Any]:
        given: dict[str, dict[str, Judgment]] = defaultdict(dict)
        for each in data.that_count:
            if each.source == "work":
                given[each.annotator].setdefault(each.submission, each)
        everything = [each for of_one in given.values() for each in of_one.values()]
        rows = [_row(data, who, list(given[who].values())) for who in sorted(given)]
        return {
            "words_a_minute": WORDS_A_MINUTE,
            "seconds_to_answer": SECONDS_TO_ANSWER,
            "study_expects": list(data.study.pace.expect) if data.study.pace.expect else None,
            "items": _quartiles(_seconds(everything)),
            "of_expected": _quartiles(_ratios(data, everything)),
            "active_hours": sum(_seconds(everything)) / 3600,
            "sessions": _summed([each for row in rows for each in row["session_minutes"]]),
            "breaks": _summed([each for row in rows for each in row["break_minutes"]]),
            "annotators": rows,
            "flags": [
                {"annotator": flag.annotator, "monitor": flag.monitor, "reason": flag.reason}
                for flag in data.flags
                if flag.monitor in SPEED
            ],
        }

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        items, people = numbers["items"], len(numbers["annotators"])
        if not items["n"]:
            return ["No times are known: nothing that counts was submitted on the page with its time."]
        expects = numbers["study_expects"]
        line = f"An item took {_middle(items, 's')} of active time; {many(items['n'], 'submitted item')} of "
        line += f"{many(people)}, {_hours(numbers['active_hours'])} in all"
        line += f"; the study expects {expects[0]:g} to {expects[1]:g} s" if expects else ""
        lines = [f"{line}{_few(items['n'])}."]
        ratio = numbers["of_expected"]
        if ratio["n"]:
            lines.append(
                f"That is {ratio['median']:.2f} times (median) what reading at {WORDS_A_MINUTE} words a minute and "
                f"{SECONDS_TO_ANSWER} s for each question would take."
            )
        lines.append(_course(numbers["sessions"], numbers["breaks"]))
        flagged = [f"{each['annotator']} ({each['monitor'].replace('_', ' ')})" for each in numbers["flags"]]
        if flagged:
            lines.append(f"Flagged for speed: {', '.join(flagged)}; why stands under “Is anything doubtful?”.")
        return lines


def _row(data: Data, who: str, given: Sequence[Judgment]) -> dict[str, Any]:
    rests = data.course.rests.get(who, ()) if data.course else ()
    return {
        "annotator": who,
        "seconds": _quartiles(_seconds(given)),
        "of_expected": _quartiles(_ratios(data, given)),
        "active_minutes": sum(_seconds(given)) / 60,
        "session_minutes": _sessions(given),
        "break_minutes": [(end - start) / MINUTE for start, end in rests if end is not None],
    }


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


def _quartiles(values: Sequence[float]) -> dict[str, Any]:
    parts = quantiles(values, n=4, method="inclusive") if len(values) > 1 else [*values] * 3
    low, middle, high = parts or (None, None, None)
    return {"n": len(values), "low_quarter": low, "median": middle, "high_quarter": high}


def _summed(minutes: Sequence[float]) -> dict[str, Any]:
    return {"n": len(minutes), "median": median(minutes) if minutes else None, "longest": max(minutes, default=None)}


def _middle(found: dict[str, Any], unit: str) -> str:
    return (
        f"{found['median']:.0f} {unit} (median; the middle half {found['low_quarter']:.0f} to "
        f"{found['high_quarter']:.0f} {unit})"
    )


def _hours(hours: float) -> str:
    return f"{hours:.1f} hours" if hours >= 1 else f"{60 * hours:.0f} minutes"


def _few(n: int) -> str:
    return f" (fewer than {TOO_FEW} items: too few to say)" if n < TOO_FEW else ""


def _course(sessions: dict[str, Any], breaks: dict[str, Any]) -> str:
    line = f"{many(sessions['n'], 'session').capitalize()}, {sessions['median']:.0f} minutes long (median)"
    line += f", the longest {sessions['longest']:.0f}" if sessions["n"] > 1 else ""
    if not breaks["n"]:
        return f"{line}; no break was taken on the page."
    return f"{line}; {many(breaks['n'], 'break')} of {breaks['median']:.0f} minutes (median)."
