"""Stage 4: the form that an annotator sent -> answers that keep the study's rules, or words on what is missing."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.errors import AnswerError, AnswersRefused
from assay.judgments.derive import derived_values
from assay.judgments.item_rules import MISSING, ItemRule, item_rules
from assay.judgments.questionnaire import Questionnaire, questionnaire_of
from assay.judgments.questions import Question, entries_of, questions_of
from assay.judgments.rules import Answers, broken_rules, fill_in, missing_answers
from assay.model import UNABLE, Value
from assay.study.schema import Study
from assay.words import Translatable

NOTHING = Translatable("answers.nothing")


def read_answers(study: Study, shown: Mapping[str, Any], form: Mapping[str, Sequence[str]]) -> Answers:
    """Read a form into values. Raises AnswersRefused with words for each question that is missing or wrong."""
    here = questionnaire_of(study, shown)
    questions, rules = here.questions, here.rules
    given: Answers = {}
    refused: dict[str, Translatable | str] = {}
    for question in questions:
        try:
            given[question.slot] = read_answer(question, form.get(question.key, ()))
        except AnswerError as error:
            refused[question.key] = error.words
    answers = fill_in(rules, questions, given)
    reasons: dict[str, Translatable | str] = {
        **missing_answers(rules, questions, answers),
        **broken_rules(rules, questions, answers, refuses=True),
        **refused,
    }
    if not reasons and not any(value is not None for value in given.values()):
        reasons = {question.key: NOTHING for question in questions[:1]}
    if reasons:
        say = study.words.say
        raise AnswersRefused({each.key: say(reasons[each.key]) for each in questions if each.key in reasons})
    return answers


def overridden_warnings(study: Study, shown: Mapping[str, Any], answers: Answers) -> tuple[str, ...]:
    """The keys of the questions whose answers break a rule that only warns."""
    here = questionnaire_of(study, shown)
    return tuple(broken_rules(here.rules, here.questions, answers, refuses=False))


def read_answer(question: Question, raw: Sequence[str]) -> Value:
    """One answer as its form field has it."""
    if question.unable is not None and [text for text in raw if text.strip()] == [UNABLE]:
        return UNABLE
    return question.dimension.input.read(raw)


__all__ = [
    "MISSING",
    "NOTHING",
    "Answers",
    "ItemRule",
    "Question",
    "Questionnaire",
    "broken_rules",
    "derived_values",
    "entries_of",
    "fill_in",
    "item_rules",
    "missing_answers",
    "overridden_warnings",
    "questionnaire_of",
    "questions_of",
    "read_answer",
    "read_answers",
]
