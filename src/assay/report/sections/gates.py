"""What annotators passed before they judged: each gate, at which attempt, and who was let pass or turned away."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from assay.fieldwork import Fieldwork, GateAttempts
from assay.in_words import count
from assay.model import Passed
from assay.report.data import Data
from assay.report.sections import ReportPart, Section
from assay.report.wording import many
from assay.study.schema import GateEntry

MOST_NAMES = 8
NTH = {1: "first", 2: "second", 3: "third"}


@dataclass(frozen=True, slots=True)
class GateNumbers:
    """How many annotators passed one gate as it is now, and at which attempt."""

    gate: str
    title: str
    version: str
    passed: int
    passed_at_try: Mapping[str, int]
    by_hand: int
    """How many a coordinator let pass."""
    turned_away: int
    not_passed: int
    under_way: int
    of_those_who_judged: int
    """How many of those who passed have judged."""
    in_older_versions: list[str]
    """Who passed only an older text of it."""


@dataclass(frozen=True, slots=True)
class DecidedPilot:
    """What a pilot has shown, and what was decided on it."""

    round: int
    verdict: str
    opened: bool
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class GatesNumbers:
    """Every gate, who was let pass, and what pilots showed."""

    known: bool
    """Whether it is known who passed which gate."""
    judged: list[str]
    gates: list[GateNumbers]
    passed_by_hand: list[Passed]
    pilots: list[DecidedPilot]
    from_files: list[str]
    """Who judged elsewhere alone: what they had to pass is not known here."""
    elsewhere: bool
    """Whether everything was given elsewhere, and came from files."""


class GatesSection(Section[GatesNumbers]):
    """What annotators passed before they judged: each gate, at which attempt, and who was let pass or turned away."""

    kind: ClassVar[str] = "gates"
    rank: ClassVar[int] = 50
    title: ClassVar[str] = "What did annotators have to pass?"
    part: ClassVar[ReportPart] = "methods"
    figures: ClassVar[tuple[str, ...]] = ("funnel",)

    def numbers(self, data: Data) -> GatesNumbers:
        work = data.fieldwork or Fieldwork()
        judged = sorted({each.annotator for each in data.that_count if each.source in ("work", "sheet")})
        return GatesNumbers(
            known=data.fieldwork is not None,
            judged=judged,
            gates=[_gate(data, entry, work.gates, judged) for entry in data.study.gates],
            passed_by_hand=list(data.by_hand),
            pilots=[DecidedPilot(each.round, each.verdict, each.opened, each.by, each.reason) for each in work.pilots],
            from_files=sorted({each.annotator for each in data.that_count if each.is_from_file} - set(judged)),
            elsewhere=data.sources.is_elsewhere and not work.gates,
        )

    def lines(self, numbers: GatesNumbers) -> list[str]:
        lines = []
        if numbers.elsewhere:
            return _lines_of_pilots(numbers.pilots)
        if not numbers.gates:
            lines.append("Nothing: this study has no gates.")
        elif numbers.known and numbers.judged:
            lines += _lines_of_those_who_judged(numbers.gates, len(numbers.judged))
        lines += [line for row in numbers.gates if (line := _line_of_tries(row))]
        lines += [
            f"{each.annotator} was let pass {each.gate} by {each.by}: {each.reason}." for each in numbers.passed_by_hand
        ]
        if numbers.gates and numbers.from_files:
            who, are = _list_names(numbers.from_files), "is" if len(numbers.from_files) == 1 else "are"
            lines.append(f"{who} {are} known from files alone: what they had to pass is for their source to say.")
        return lines + _lines_of_pilots(numbers.pilots)


def _list_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def _lines_of_pilots(pilots: Sequence[DecidedPilot]) -> list[str]:
    lines = []
    for each in pilots:
        opened = "the main part was opened" if each.opened else "the main part was not opened"
        why = f": {each.reason}" if each.reason else ""
        lines.append(f"Pilot {each.round} showed {each.verdict!r}; {opened} by {each.by}{why}.")
    return lines


def _gate(data: Data, entry: GateEntry, everything: Sequence[GateAttempts], judged: Sequence[str]) -> GateNumbers:
    gate = entry.gate
    of_gate = [each for each in everything if each.gate == gate.kind]
    now = [each for each in of_gate if each.version == gate.version]
    in_person = [each for each in now if each.passed and not each.by]
    failed, turns_away = sum(each.failed for each in now), gate.after_no == "out"
    older = {each.annotator for each in of_gate if each.passed} - {each.annotator for each in now if each.passed}
    return GateNumbers(
        gate=gate.kind,
        title=gate.title(data.study.words),
        version=gate.version,
        passed=sum(each.passed for each in now),
        passed_at_try={str(n): people for n, people in sorted(Counter(max(1, e.attempts) for e in in_person).items())},
        by_hand=sum(each.passed and bool(each.by) for each in now),
        turned_away=failed if turns_away else 0,
        not_passed=0 if turns_away else failed,
        under_way=sum(not each.passed and not each.failed for each in now),
        of_those_who_judged=sum(each.passed for each in now if each.annotator in judged),
        in_older_versions=sorted(older),
    )


def _lines_of_those_who_judged(rows: Sequence[GateNumbers], judged: int) -> list[str]:
    whole = [row for row in rows if row.of_those_who_judged == judged]
    names = ", ".join(row.gate for row in whole)
    lines = []
    if whole:
        everybody = {1: "The one annotator", 2: "Both annotators"}.get(judged, f"All {count(judged)} annotators")
        which = "every gate as it is now" if len(whole) == len(rows) else "these gates as they are now"
        lines.append(f"{everybody} who judged on the page passed {which}: {names}.")
    lines += [
        f"{row.title} ({row.gate}): {count(row.of_those_who_judged)} of the {many(judged)} who judged passed it as "
        "it is now"
        + (f", {count(len(row.in_older_versions))} an older text of it" if row.in_older_versions else "")
        + "."
        for row in rows
        if row not in whole
    ]
    return lines


def _line_of_tries(row: GateNumbers) -> str:
    """Who needed more than one attempt, or did not pass; empty where everybody passed at once."""
    by_try = {int(place): people for place, people in row.passed_at_try.items()}
    others = {
        "let pass by hand": row.by_hand,
        "turned away": row.turned_away,
        "not passed": row.not_passed,
        "under way": row.under_way,
    }
    if not any(others.values()) and set(by_try) <= {1}:
        return ""
    parts = [
        f"{count(people)} passed at the {NTH.get(place, f'{place}th')} attempt" for place, people in by_try.items()
    ]
    parts += [f"{count(people)} {words}" for words, people in others.items() if people]
    return f"{row.title} ({row.gate}): {', '.join(parts)}."
