"""Answers compared with their references: how far apart they are, by item and by dimension.

Both are given by form field, with the role of a candidate (a, b) instead of its side.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.count_marks import name_of_mark
from assay.judgments.questionnaire import questionnaire_of
from assay.judgments.questions import Question
from assay.judgments.rules import settle
from assay.model import Value
from assay.sides_and_candidates import sides_by_role, slot_of_candidate
from assay.study.rubric import Dimension
from assay.study.schema import Study

ORDERED = ("ordinal", "interval", "ratio")


@dataclass(frozen=True, slots=True)
class AnswerAndReference:
    """One answer beside its reference, as the annotator's page has them: by side, not by candidate."""

    question: Question
    own: Value
    """None where there is no answer."""
    reference: Value
    asked: bool = True
    """Whether it was asked after this annotator's other answers: what was not asked is not missing."""

    @property
    def dimension(self) -> Dimension:
        """What was asked."""
        return self.question.dimension

    @property
    def difference(self) -> float | None:
        """Answer minus reference; None where the answers have no order, or one is missing."""
        if self.dimension.input.level not in ORDERED or not _is_number(self.own) or not _is_number(self.reference):
            return None
        return float(self.own) - float(self.reference)  # type: ignore[arg-type]

    @property
    def same(self) -> bool:
        """Whether both say the same. Ticks have no order, and of what is counted it does not matter where."""
        if isinstance(self.own, list) and isinstance(self.reference, list):
            return sorted(map(name_of_mark, self.own)) == sorted(map(name_of_mark, self.reference))
        return self.own == self.reference

    def is_far(self, most: int) -> bool:
        """Whether the two are further apart than this. Answers without an order are either the same or far apart."""
        if not self.asked:
            return False
        return not self.same if self.difference is None else abs(self.difference) > most


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def compare_with_reference(
    study: Study,
    shown: Mapping[str, Any],
    swapped: bool | None,
    own: Mapping[str, Value],
    reference: Mapping[str, Value],
) -> list[AnswerAndReference]:
    """Every question of an item that has a reference, in the order of the page. Free text is not compared."""
    sides = sides_by_role(swapped)
    here = questionnaire_of(study, shown)
    keys = {question.slot: slot_of_candidate(question.slot, swapped).key for question in here.questions}

    def on_the_page(question: Question, values: Mapping[str, Value]) -> Value:
        value = values.get(keys[question.slot])
        return sides.get(str(value), value) if question.dimension.input.compares else value

    given = {question.slot: on_the_page(question, own) for question in here.questions}
    asked = {question.slot for question in settle(here.rules, here.questions, given).questions}
    return [
        AnswerAndReference(question, given[question.slot], on_the_page(question, reference), question.slot in asked)
        for question in here.questions
        if reference.get(keys[question.slot]) is not None and question.dimension.input.answer != "text"
    ]


@dataclass(frozen=True, slots=True)
class ReferenceTally:
    """The comparison of one dimension over several items, with all their sides and entries."""

    dimension: str
    pairs: tuple[tuple[Value, Value], ...]
    """Own answer and reference, wherever there are both."""
    same: int
    within_one: int
    mean: float | None
    """The mean of answer minus reference; None where the answers have no order."""
    far: int
    """On how many items something is further apart than allowed."""
    missing: int
    """On how many items an answer is missing."""


def tally_by_dimension(
    study: Study, items: Sequence[Iterable[AnswerAndReference]], most: int = 0
) -> list[ReferenceTally]:
    """The tally of each scored dimension with references; a difference above `most` is far."""
    found = []
    for dimension in study.scored_dimensions:
        name = dimension.dimension
        by_item = [[each for each in item if each.dimension.dimension == name] for item in items]
        every = [each for item in by_item for each in item if each.asked]
        if not every:
            continue
        answered = [each for each in every if each.own is not None]
        differences = [each.difference for each in answered if each.difference is not None]
        found.append(
            ReferenceTally(
                dimension=name,
                pairs=tuple((each.own, each.reference) for each in answered),
                same=sum(each.same for each in answered),
                within_one=sum(not each.is_far(1) for each in answered),
                mean=sum(differences) / len(differences) if differences else None,
                far=sum(_any_far(item, most) for item in by_item),
                missing=sum(any(each.own is None and each.asked for each in item) for item in by_item),
            )
        )
    return found


def _any_far(item: Iterable[AnswerAndReference], most: int) -> bool:
    """Whether some answer to an item is too far away. One that lacks an answer is counted as missing instead."""
    found = [each for each in item if each.asked]
    return all(each.own is not None for each in found) and any(each.is_far(most) for each in found)
