"""What people ticked, as a share of each system with its interval, and what they wrote, item by item."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from assay.count_marks import name_of_mark
from assay.in_words import count
from assay.model import Judgment
from assay.report.data import Data
from assay.report.sections import ReportPart, Section
from assay.report.system_comparison import NumericDimension
from assay.report.system_scores import SystemScore, dimension_scores
from assay.report.wording import many, share_in_words, too_few_to_say
from assay.study.rubric import Dimension

MOST_SAID = 4
"""How many ticks of a question have a sentence, the most frequent first; the table has all."""
MOST_NOTES = 500


@dataclass(frozen=True, slots=True)
class TickedOption:
    """In which share of each system's items something was ticked: for each item the share of people, then the mean."""

    option: str
    title: str
    submissions: int
    """How often it was ticked, all together."""
    systems: list[SystemScore]


@dataclass(frozen=True, slots=True)
class TickedQuestion:
    """A question with ticks."""

    dimension: str
    title: str
    options: list[TickedOption]


@dataclass(frozen=True, slots=True)
class WrittenNote:
    """What somebody wrote about an item."""

    item: str
    system: str
    annotator: str
    dimension: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class NotesNumbers:
    """Ticks and notes."""

    ticked: list[TickedQuestion]
    written: int
    """How many notes there are."""
    items_with_notes: int
    notes: list[WrittenNote]
    """By item; the first ones, where there are very many."""


class NotesSection(Section[NotesNumbers]):
    """What people ticked, as a share of each system with its interval, and what they wrote, item by item."""

    kind: ClassVar[str] = "notes"
    rank: ClassVar[int] = 27
    title: ClassVar[str] = "What did people tick and write?"
    part: ClassVar[ReportPart] = "findings"

    def numbers(self, data: Data) -> NotesNumbers:
        asked = [each for each in data.study.rubric if each.input.answer == "list" and each.input.option_names()]
        found = [_ticked_question(data, each) for each in asked]
        written = sorted(
            _written_notes(data), key=lambda each: (each.item, each.system, each.annotator, each.dimension)
        )
        return NotesNumbers(
            ticked=[each for each in found if each.options],
            written=len(written),
            items_with_notes=len({each.item for each in written}),
            notes=written[:MOST_NOTES],
        )

    def lines(self, numbers: NotesNumbers) -> list[str]:
        lines = [_line(question) for question in numbers.ticked]
        if numbers.written:
            lines.append(
                f"Notes: {many(numbers.written, 'note')} about {many(numbers.items_with_notes, 'item')}; the appendix "
                "has them."
            )
        return lines


def _ticked_question(data: Data, dimension: Dimension) -> TickedQuestion:
    labels = getattr(dimension.input, "options", {})
    given = [each for each in data.that_count if each.dimension == dimension.dimension and data.on_this_scale(each)]
    options = []
    for name in dimension.input.option_names():
        ticked = {(each.submission, each.system) for each in given if name in _marks(each)}
        if ticked:
            title = str(labels.get(name, name)) if isinstance(labels, dict) else name
            rows = list(_ones_and_zeros(data, dimension, ticked))
            about = NumericDimension(f"{dimension.dimension}.{name}", title, rows, (0.0, 1.0))
            options.append(TickedOption(name, title, len(ticked), dimension_scores(data, about).systems))
    return TickedQuestion(
        dimension.dimension, dimension.heading, sorted(options, key=lambda each: (-each.submissions, each.option))
    )


def _marks(judgment: Judgment) -> set[str]:
    return {name_of_mark(each) for each in judgment.value} if isinstance(judgment.value, list) else set()


def _ones_and_zeros(data: Data, dimension: Dimension, ticked: set[tuple[str, str]]) -> Iterator[Judgment]:
    """For every submission 1 where the option was ticked, else 0; a submission without any tick counts as 0."""
    first = {each.submission: each for each in reversed(data.that_count)}
    for each in data.that_count:
        if first[each.submission] is each:
            for system in _systems_of_question(each, dimension):
                value = float((each.submission, system) in ticked)
                yield replace(each, dimension=dimension.dimension, system=system, side="", entry="", value=value)


def _systems_of_question(judgment: Judgment, dimension: Dimension) -> Sequence[str]:
    """The systems that a question is asked of in one submission; empty: of both together, or none is known."""
    together = dimension.scope.of != "side" and len(judgment.systems) > 1
    return ("",) if together or not judgment.systems else judgment.systems


def _written_notes(data: Data) -> Iterator[WrittenNote]:
    texts = {each.dimension: each.heading for each in data.study.rubric if each.input.answer == "text"}
    for each in data.that_count:
        if each.dimension in texts and isinstance(each.value, str) and each.value.strip():
            title = texts[each.dimension]
            yield WrittenNote(each.item, each.system, each.annotator, each.dimension, title, each.value.strip())


def _line(question: TickedQuestion) -> str:
    said = []
    for option in question.options[:MOST_SAID]:
        shares = ", ".join(f"{each.system} {share_in_words(each.mean)}".strip() for each in option.systems)
        said.append(f"“{option.title}” {shares}")
    more = len(question.options) - MOST_SAID
    scores = question.options[0].systems
    n = " and ".join(dict.fromkeys(count(each.mean.n) for each in scores))
    few = too_few_to_say(min(each.n_units for each in scores), scores[0].unit)
    rest = f"; {more} more in the table" if more > 0 else ""
    return f"{question.title}, share of items: {'; '.join(said)}{rest}; n = {n} item{'s' * (n != '1')}{few}."
