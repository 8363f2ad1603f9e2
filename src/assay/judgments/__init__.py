"""Stage 4: what an annotator sent -> values that hold by the study's rules, or words on what is missing."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.errors import AnswerError, AnswersRefused
from assay.judgments.asked import Asked, asked
from assay.judgments.derive import derived_values
from assay.judgments.questions import Question, entries_of, questions_of
from assay.judgments.rules import MISSING, Answers, Concrete, broken, concrete_rules, filled, missing
from assay.model import UNABLE, Value
from assay.study.schema import Study
from assay.words import Translatable

NOTHING = Translatable("answers.nothing")


def read_answers(study: Study, shown: Mapping[str, Any], form: Mapping[str, Sequence[str]]) -> Answers:
    """Read a form into values. Raises AnswersRefused with words for each question that is missing or wrong."""
    here = asked(study, shown)
    questions, rules = here.questions, here.rules
    given: Answers = {}
    refused: dict[str, Translatable | str] = {}
    for question in questions:
        try:
            given[question.slot] = read_answer(question, form.get(question.key, ()))
        except AnswerError as error:
            refused[question.key] = error.words
    answers = filled(rules, given)
    reasons: dict[str, Translatable | str] = {
        **missing(rules, questions, answers),
        **broken(rules, questions, answers, refuses=True),
        **refused,
    }
    if not reasons and not any(value is not None for value in given.values()):
        reasons = {question.key: NOTHING for question in questions[:1]}
    if reasons:
        say = study.words.say
        raise AnswersRefused({each.key: say(reasons[each.key]) for each in questions if each.key in reasons})
    return answers


def unheeded(study: Study, shown: Mapping[str, Any], answers: Answers) -> tuple[str, ...]:
    """The questions whose answers go against a rule of the study that only warns."""
    here = asked(study, shown)
    return tuple(broken(here.rules, here.questions, answers, refuses=False))


def read_answer(question: Question, raw: Sequence[str]) -> Value:
    """One answer as its form field has it."""
    if question.unable is not None and [text for text in raw if text.strip()] == [UNABLE]:
        return UNABLE
    return question.dimension.input.read(raw)


__all__ = [
    "MISSING",
    "NOTHING",
    "Answers",
    "Asked",
    "Concrete",
    "Question",
    "asked",
    "broken",
    "concrete_rules",
    "derived_values",
    "entries_of",
    "filled",
    "missing",
    "questions_of",
    "read_answer",
    "read_answers",
    "unheeded",
]
