"""What there is: items, systems, annotators, submissions, judgments, and what is missing."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from assay.in_words import some_of
from assay.report.data import Data
from assay.report.sections import ReportPart, Section
from assay.report.sources import Sources
from assay.report.wording import many, some_names

MOST_SYSTEMS = 8


@dataclass(frozen=True, slots=True)
class OverviewNumbers:
    """How much there is of everything."""

    items: int
    items_wanted_per_item: int | Literal["all"]
    """By how many annotators each item is to be judged; `all`: by everybody who takes part."""
    items_finished: int
    left_out: list[str]
    """The annotators who are left out of the report."""
    systems: Mapping[str, int]
    """How many items each system has."""
    annotators: Mapping[str, int]
    """How many items each annotator submitted."""
    simulated: list[str]
    submissions: int
    judgments: int
    judgments_stored: int
    annotators_per_item: Mapping[str, int]
    """How many items were judged by so many annotators."""
    minutes: Mapping[str, float | None]
    """The active time of each annotator; None where something was submitted and no time is known."""
    sources: Sources


class OverviewSection(Section[OverviewNumbers]):
    """What there is: items, systems, annotators, submissions, judgments, and what is missing."""

    kind: ClassVar[str] = "overview"
    rank: ClassVar[int] = 10
    title: ClassVar[str] = "What was judged"
    part: ClassVar[ReportPart] = "findings"

    def numbers(self, data: Data) -> OverviewNumbers:
        submissions = {judgment.submission: judgment for judgment in data.that_count}
        by_annotator = Counter(judgment.annotator for judgment in submissions.values())
        per_item = Counter(judgment.item for judgment in submissions.values())
        active_ms: dict[str, int] = {}
        for judgment in submissions.values():
            if judgment.active_ms is not None:
                active_ms[judgment.annotator] = active_ms.get(judgment.annotator, 0) + judgment.active_ms
        return OverviewNumbers(
            items=data.items,
            items_wanted_per_item=data.study.assignment.per_item,
            items_finished=data.finished,
            left_out=sorted(data.excluded),
            systems=dict(data.systems),
            annotators={name: by_annotator[name] for name in data.annotators},
            simulated=sorted({judgment.annotator for judgment in data.that_count if judgment.simulated}),
            submissions=len(submissions),
            judgments=len(data.that_count),
            judgments_stored=len(data.judgments),
            annotators_per_item={str(by): items for by, items in sorted(Counter(per_item.values()).items())},
            minutes={
                name: round(active_ms.get(name, 0) / 60_000, 1) if name in active_ms or not by_annotator[name] else None
                for name in data.annotators
            },
            sources=data.sources,
        )

    def lines(self, numbers: OverviewNumbers) -> list[str]:
        lines = []
        if bots := numbers.simulated:
            are = "are" if len(bots) > 1 else "is"
            lines.append(f"These numbers are no finding: {some_names(bots)} {are} simulated, and counted.")
        people = sum(judged > 0 for judged in numbers.annotators.values())
        k = numbers.items_wanted_per_item
        wanted = "everybody who takes part" if k == "all" else many(k) + (" each" if k > 1 else "")
        by_more = 0 if k == "all" else sum(n for by, n in numbers.annotators_per_item.items() if int(by) > k)
        wanted += f" ({many(by_more, 'item')} by more)" if by_more else ""
        gone = numbers.left_out
        left_out = f"without {', '.join(gone)}, who {'is' if len(gone) == 1 else 'are'} left out: " if gone else ""
        lines.append(
            f"{some_of(numbers.items_finished, numbers.items)} items are judged by {wanted}; {left_out}"
            f"{many(people)}, {many(numbers.submissions, 'submission')}, {many(numbers.judgments, 'judgment')} "
            "(notes and tags included)."
        )
        if came := numbers.sources.in_words():
            lines.append(f"Where they come from: {came}.")
        systems = {name: items for name, items in numbers.systems.items() if name}
        if 1 < len(systems) <= MOST_SYSTEMS:
            by_system = ", ".join(f"{name} ({many(items, 'item')})" for name, items in systems.items())
            lines.append(f"Systems: {by_system}.")
        return lines
