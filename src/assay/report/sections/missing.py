"""What is missing, by its kind: places not filled, declined, half-way, too late, changed, not to be judged, broken."""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from assay.fieldwork import AnnotatorProgress, Fieldwork
from assay.in_words import count, some_of
from assay.judgments.canonical_order import of_submissions
from assay.report.data import Data
from assay.report.lacks_by_system import LacksBySystem, lacks_by_system
from assay.report.sections import ReportPart, Section
from assay.report.wording import many, p_in_words, share_in_words


@dataclass(frozen=True, slots=True)
class AnnotatorsItems:
    """What became of the items that one annotator was given."""

    annotator: str
    given: int
    """By the study: without what came from files."""
    submitted: int
    declined: int
    half_way: int
    """Begun and never submitted."""
    not_begun: int
    left: bool
    state: str
    from_files: int
    """How many items they judged elsewhere."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether all of their judgments came from files."""
        return self.from_files > 0 and not (self.given or self.half_way)


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """How often one dimension was answered."""

    dimension: str
    title: str
    asked: int
    unable: int
    """How often somebody said that it cannot be judged."""
    off_scale: int
    """How many answers are on a scale that is no longer in force."""


@dataclass(frozen=True, slots=True)
class ReportedProblem:
    """What an annotator found wrong with an item."""

    item: str
    annotator: str
    words: str
    closed: bool


@dataclass(frozen=True, slots=True)
class MissingNumbers:
    """What is missing, by its kind."""

    items: int
    items_not_finished: int
    places: int | None
    """How often items are to be judged, all together; None where that is not known."""
    withdrawn: list[str] | None
    surplus_submissions: int
    changed_submissions: int
    second_passes: int
    annotators: list[AnnotatorsItems]
    dimensions: list[AnswerCounts]
    problems: list[ReportedProblem]
    elsewhere: bool
    """Whether everything was given elsewhere, and came from files."""
    by_system: list[LacksBySystem]
    """Where systems are known and something is missing."""


class MissingSection(Section[MissingNumbers]):
    """What is missing, by its kind: places not filled, declined, half-way, too late, changed, not to be judged."""

    kind: ClassVar[str] = "missing"
    rank: ClassVar[int] = 42
    title: ClassVar[str] = "What is missing?"
    part: ClassVar[ReportPart] = "quality"
    stays: ClassVar[bool] = True

    def numbers(self, data: Data) -> MissingNumbers:
        work = data.fieldwork or Fieldwork()
        in_time = of_submissions(data.by_people, lambda each: not each.surplus)
        changed = {each.submission for each in in_time if each.superseded}
        return MissingNumbers(
            items=data.items,
            items_not_finished=max(0, data.items - data.finished),
            places=work.places if data.fieldwork else None,
            withdrawn=list(work.withdrawn) if data.fieldwork else None,
            surplus_submissions=data.surplus,
            changed_submissions=len(changed),
            second_passes=len({each.submission for each in in_time if each.pass_ > 1 and not each.is_practice}),
            annotators=[_items_of(each) for each in work.annotators],
            dimensions=_answers(data),
            problems=[ReportedProblem(each.item, each.annotator, each.words, each.closed) for each in work.problems],
            elsewhere=data.sources.is_elsewhere,
            by_system=lacks_by_system(data),
        )

    def lines(self, numbers: MissingNumbers) -> list[str]:
        lines = []
        if numbers.items_not_finished:
            unfinished = f"{some_of(numbers.items_not_finished, numbers.items)} items"
            lines.append(f"{unfinished} are not judged by as many as the study asks for.")
        people = numbers.annotators
        sums = {
            "declined": sum(each.declined for each in people),
            "begun and never submitted": sum(each.half_way for each in people),
            "given out and not begun": sum(each.not_begun for each in people),
        }
        if any(sums.values()):
            parts = ", ".join(f"{count(n)} {words}" for words, n in sums.items() if n)
            lines.append(f"Of the items that were given to somebody: {parts}.")
        if left := [each.annotator for each in people if each.left]:
            lines.append(f"Left before the end: {', '.join(left)}.")
        if unable := [f"{row.title} {some_of(row.unable, row.asked)}" for row in numbers.dimensions if row.unable]:
            lines.append(f"Said to be impossible to judge, and counted in no number: {', '.join(unable)}.")
        for row in (row for row in numbers.by_system if row.differ):
            shares = ", ".join(f"{each.system} {share_in_words(each.share)}" for each in row.systems)
            lines.append(
                f"Not missing at random, {row.title}: {shares} of {row.of_what} ({p_in_words(row.p_corrected)}). What "
                "is missing may be what would have been judged otherwise."
            )
        if numbers.withdrawn:
            names = ", ".join(numbers.withdrawn[:5]) + (", ..." if len(numbers.withdrawn) > 5 else "")
            taken_out = many(len(numbers.withdrawn), "item")
            lines.append(f"{taken_out} taken out of the study and counted nowhere: {names}.")
        if numbers.problems:
            open_ = sum(not each.closed for each in numbers.problems)
            items = many(len({each.item for each in numbers.problems}), "item")
            reported = many(len(numbers.problems), "problem")
            lines.append(f"{reported} reported with {items}, {count(open_)} of which nobody has dealt with yet.")
        declined = "" if numbers.elsewhere else ", and nobody declined one"
        return lines or [f"Nothing: every item is judged by as many as the study asks for{declined}."]


def _items_of(row: AnnotatorProgress) -> AnnotatorsItems:
    return AnnotatorsItems(
        annotator=row.annotator,
        given=row.given - row.from_files,
        submitted=row.submitted - row.from_files,
        declined=row.declined,
        half_way=row.begun,
        not_begun=max(0, row.given - row.submitted - row.declined - row.begun),
        left=row.left,
        state=row.state,
        from_files=row.from_files,
    )


def _answers(data: Data) -> list[AnswerCounts]:
    """Of each dimension, how often it was answered, said to be impossible, or given on a scale no longer in force."""
    asked, unable = Counter[str](), Counter[str]()
    for each in data.that_count:
        asked[each.dimension] += 1
        unable[each.dimension] += each.value is None
    names = {each.dimension: each.heading for each in data.study.scored_dimensions}
    names |= {name: name for name in data.off_scale if name not in names}
    return [
        AnswerCounts(name, title, asked[name], unable[name], data.off_scale.get(name, 0))
        for name, title in names.items()
    ]
