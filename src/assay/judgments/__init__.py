"""Stage 4: what an annotator sent -> values that hold by the study's rules, or words on what is missing."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.errors import AnswerError, AnswersRefused
from assay.model import Slot, Value
from assay.study.expression import holds
from assay.study.schema import Study

Answers = dict[Slot, Value]

NOTHING = "Nothing is answered yet."
MISSING = "Please answer this question."


def read_answers(study: Study, shown: Mapping[str, Any], form: Mapping[str, Sequence[str]]) -> Answers:
    """Read a form into values. Raises AnswersRefused with words for each question that is missing or wrong."""
    answers: Answers = {}
    refused: dict[str, str] = {}
    for slot in study.slots:
        try:
            answers[slot] = study.dimension(slot.dimension).input.read(form.get(slot.key, ()))
        except AnswerError as error:
            refused[slot.key] = str(error)
    reasons = {**missing_answers(study, shown, answers), **refused}
    if not reasons and not any(value is not None for value in answers.values()):
        reasons = {study.slots[0].key: NOTHING}
    if reasons:
        raise AnswersRefused({slot.key: reasons[slot.key] for slot in study.slots if slot.key in reasons})
    return answers


def missing_answers(study: Study, shown: Mapping[str, Any], answers: Answers) -> dict[str, str]:
    """The questions that must be answered and are not, each with the reason. Of several rules the first one speaks."""
    missing: dict[str, str] = {}
    values = {**shown, **{slot.dimension: answers.get(slot) for slot in study.slots}}
    for rule in study.rules:
        slot = Slot(rule.required)
        if answers.get(slot) is None and holds(rule.tree, values):
            missing.setdefault(slot.key, rule.message or MISSING)
    for slot in study.slots:
        if answers.get(slot) is None and not study.dimension(slot.dimension).optional:
            missing.setdefault(slot.key, MISSING)
    return missing
