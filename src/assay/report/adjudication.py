"""Questions to adjudicate: annotators differ so much that they talk them over. Their judgments stay as they are."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from statistics import stdev

from assay.judgments.canonical_order import item_by_item
from assay.judgments.same_scale import same_scale
from assay.judgments.what_counts import by_people_who_count, first_passes
from assay.model import Agreed, Judgment, Target, Value
from assay.report.data import Data
from assay.study import Study
from assay.study.rubric import Dimension

FAR_APART = 1.5
"""The standard deviation above which people are far apart, where the study names no line."""


def far_apart(study: Study) -> float:
    """The standard deviation above which people are far apart: the study's own line, where it has one."""
    line = study.analysis.adjudicate_above
    return FAR_APART if line is None else line


@dataclass(frozen=True, slots=True)
class WidestQuestion:
    """The question of an item on which people are the farthest apart."""

    spread: float
    dimension: str
    title: str


@dataclass(frozen=True, slots=True)
class QuestionSpread:
    """One question on one item, with the values that annotators gave."""

    item: str
    dimension: str
    system: str
    """Of which candidate, where there are two."""
    entry: str
    key: str
    """The question by the name of its form field, with the candidate's role for its side."""
    values: tuple[float, ...]
    """The values from low to high, so that nobody can tell who gave which."""
    spread: float
    """The standard deviation, which divides by n - 1."""

    @property
    def target(self) -> Target:
        """What the question is about, as agreed values name it."""
        return self.item, self.dimension, self.system, self.entry

    @property
    def majority(self) -> float | None:
        """The value that more than half of the people gave; None where no value is."""
        value, given = Counter(self.values).most_common(1)[0]
        return value if 2 * given > len(self.values) else None


def can_be_apart(study: Study) -> tuple[Dimension, ...]:
    """The dimensions whose answers are numbers, so that they can be far apart."""
    return tuple(
        each
        for each in study.scored_dimensions
        if each.input.answer == "number" or any(map(_is_number, each.input.values()))
    )


def widest_spreads(
    judgments: Iterable[Judgment], study: Study, versions: Mapping[str, Study]
) -> dict[str, WidestQuestion]:
    """Of each item the question on which people are the farthest apart, where two have answered one."""
    titles = {each.dimension: each.heading for each in can_be_apart(study)}

    @cache
    def on_scale(hash_: str, dimension: str) -> bool:
        return same_scale(versions.get(hash_, study), study, dimension)

    said: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for each in by_people_who_count(first_passes(judgments), ()):
        if each.dimension in titles and _is_number(each.value) and on_scale(each.study_hash, each.dimension):
            said[each.item, each.dimension, each.key].append(float(each.value))  # type: ignore[arg-type]
    found: dict[str, WidestQuestion] = {}
    for (item, dimension, _), values in said.items():
        if len(values) > 1:
            one = WidestQuestion(stdev(values), dimension, titles[dimension])
            found[item] = max(found.get(item, one), one, key=lambda each: each.spread)
    return found


def adjudication_queue(data: Data) -> list[QuestionSpread]:
    """Questions whose spread exceeds the study's threshold, the widest first; from everybody's judgments, as given."""
    threshold = data.study.analysis.adjudicate_above
    if threshold is None:
        return []
    found = [each for each in spreads(data) if each.spread > threshold]
    return sorted(found, key=lambda each: (-each.spread, *each.target))


@dataclass(frozen=True, slots=True)
class AdjudicatedQuestion:
    """One question on one item where people were too far apart, with what they agreed on."""

    item: str
    dimension: str
    system: str
    entry: str
    values: tuple[float, ...]
    standard_deviation: float
    agreed: Value
    """None where nothing has been agreed yet."""
    reason: str | None


def with_agreed_values(data: Data) -> list[tuple[QuestionSpread, Agreed | None]]:
    """The questions of the queue, each with the value that was agreed on last."""
    known = {each.target: each for each in data.agreed}
    return [(each, known.get(each.target)) for each in adjudication_queue(data)]


def adjudicated_question(question: QuestionSpread, agreed: Agreed | None) -> AdjudicatedQuestion:
    """A question of the queue, with its agreed value if there is one, as report and API show it."""
    value, reason = (agreed.value, agreed.reason) if agreed else (None, None)
    return AdjudicatedQuestion(*question.target, question.values, question.spread, value, reason)


def by_item(questions: Iterable[QuestionSpread]) -> dict[str, list[QuestionSpread]]:
    """The questions grouped by item, in the order of the widest question of each."""
    found: dict[str, list[QuestionSpread]] = defaultdict(list)
    for each in questions:
        found[each.item].append(each)
    return dict(found)


def notes_about(data: Data, item: str) -> list[str]:
    """What people wrote about an item, each text once, in an order that does not tell who wrote it."""
    texts = {each.dimension for each in data.study.rubric if each.input.level is None and each.input.answer == "text"}
    said = (each for each in data.whole.that_count if each.item == item and each.dimension in texts)
    return sorted({str(each.value).strip() for each in said if each.value} - {""})


def open_questions(data: Data) -> list[QuestionSpread]:
    """The questions of the queue that have no agreed value yet."""
    agreed = {each.target for each in data.agreed}
    return [each for each in adjudication_queue(data) if each.target not in agreed]


def spreads(data: Data) -> list[QuestionSpread]:
    """The spread of every question that two annotators or more have answered with a number."""
    scored = {dimension.dimension for dimension in data.study.scored_dimensions}
    found = []
    for of_item in item_by_item(data.whole.that_count):
        said: dict[tuple[str, str], list[Judgment]] = defaultdict(list)
        for each in of_item:
            if each.dimension in scored and data.on_this_scale(each) and _is_number(each.value):
                said[each.unit, each.dimension].append(each)
        for same in said.values():
            if len(same) > 1:
                values = tuple(sorted(float(each.value) for each in same))  # type: ignore[arg-type]
                found.append(QuestionSpread(*same[0].target, same[0].key, *_with_spread(values)))
    return found


@lru_cache(maxsize=10_000)
def _with_spread(values: tuple[float, ...]) -> tuple[tuple[float, ...], float]:
    """The values with their standard deviation. Cached: it is slow, and on a short scale the same values recur."""
    return values, stdev(values)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
