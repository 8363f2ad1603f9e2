"""Items on which people were so far apart that they are talked over again. The judgments stay as they are."""

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from statistics import stdev

from assay.model import Judgment, Target
from assay.report.data import Data


@dataclass(frozen=True, slots=True)
class QuestionSpread:
    """One question on one item where people are too far apart."""

    item: str
    dimension: str
    system: str
    """Of which candidate, where there are two."""
    entry: str
    key: str
    """The question by the name of its form field, with the candidate's role for its side."""
    values: tuple[float, ...]
    """What was said, from low to high: nobody can tell who said what."""
    spread: float
    """The standard deviation, which divides by n - 1."""

    @property
    def target(self) -> Target:
        """What people are apart on, as agreed values are known by."""
        return self.item, self.dimension, self.system, self.entry


def adjudication_queue(data: Data) -> list[QuestionSpread]:
    """What exceeds the study's threshold, the widest first. Computed on raw judgments, everybody's."""
    threshold = data.study.analysis.adjudicate_above
    if threshold is None:
        return []
    found = [each for each in spreads(data) if each.spread > threshold]
    return sorted(found, key=lambda each: (-each.spread, *each.target))


def open_questions(data: Data) -> list[QuestionSpread]:
    """What of it nobody has agreed on yet."""
    agreed = {each.target for each in data.agreed}
    return [each for each in adjudication_queue(data) if each.target not in agreed]


def spreads(data: Data) -> list[QuestionSpread]:
    """How far apart people are on every question of every item that two or more have answered with a number."""
    said: dict[tuple[str, str], list[Judgment]] = defaultdict(list)
    scored = {dimension.dimension for dimension in data.study.scored_dimensions}
    for each in data.whole.that_count:
        if each.dimension in scored and data.on_this_scale(each) and _is_number(each.value):
            said[each.unit, each.dimension].append(each)
    found = []
    for same in said.values():
        if len(same) > 1:
            one = same[0]
            values = tuple(sorted(float(each.value) for each in same))  # type: ignore[arg-type]
            found.append(QuestionSpread(*one.target, one.key, values, _spread(values)))
    return found


@lru_cache(maxsize=10_000)
def _spread(values: tuple[float, ...]) -> float:
    """Exact, which takes its time; on a scale of few points the same values come again and again."""
    return stdev(values)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
