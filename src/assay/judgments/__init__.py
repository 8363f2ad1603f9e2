"""Stage 4: the form that an annotator sent -> answers that keep the study's rules, or words on what is missing."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from assay.errors import AnswerError, AnswersRefused
from assay.inputs.counts import CountsInput
from assay.judgments.derive import derived_values, told_values
from assay.judgments.item_rules import MISSING, ItemRule, item_rules
from assay.judgments.questionnaire import Questionnaire, questionnaire_of
from assay.judgments.questions import Question, entries_of, questions_of
from assay.judgments.rules import Answers, Settled, are_done, broken_rules, fill_in, missing_answers, settle
from assay.model import UNABLE, Value
from assay.study.schema import Study
from assay.words import Translatable

NOTHING = Translatable("answers.nothing")


def not_asked(question: Question) -> Translatable:
    """Why an answer to a question is refused that is not asked after the other answers."""
    return Translatable("answers.not_asked", {"when": question.dimension.ask_when or ""})


def read_answers(
    study: Study,
    shown: Mapping[str, Any],
    form: Mapping[str, Sequence[str]],
    *,
    refuse_unasked: bool = False,
    optional: Collection[str] = (),
) -> Answers:
    """Read a form into values. Raises AnswersRefused with words for each question that is missing or wrong.

    What is answered and not asked is left out: a page without scripts shows every question. With `refuse_unasked` it
    is a mistake, since whoever fills in a sheet or writes a script has meant something by it. The questions with the
    keys of `optional` may stay without an answer here, unless a rule asks for one.
    """
    here = questionnaire_of(study, shown)
    given, refused = _read(here, form)
    settled = settle(here.rules, here.questions, given)
    asked = {question.key for question in settled.questions}
    missing = missing_answers(settled.rules, settled.questions, settled.answers)
    reasons: dict[str, Translatable | str] = {
        **{key: words for key, words in missing.items() if words is not MISSING or key not in optional},
        **broken_rules(settled.rules, settled.questions, settled.answers, refuses=True),
        **{key: words for key, words in refused.items() if key in asked},
    }
    if not reasons and not any(given.get(question.slot) is not None for question in settled.questions):
        reasons = {question.key: NOTHING for question in settled.questions[:1]}
    if refuse_unasked:
        unasked = [each for each in here.questions if each.key not in asked]
        answered = [each for each in unasked if each.key in refused or given.get(each.slot) is not None]
        reasons |= {each.key: not_asked(each) for each in answered}
    if reasons:
        say = study.words.say
        raise AnswersRefused({each.key: say(reasons[each.key]) for each in here.questions if each.key in reasons})
    return settled.answers


def _read(here: Questionnaire, form: Mapping[str, Sequence[str]]) -> tuple[Answers, dict[str, Translatable | str]]:
    """The answers as their form fields have them, and a message for each that is not valid."""
    given: Answers = {}
    refused: dict[str, Translatable | str] = {}
    for question in here.questions:
        try:
            given[question.slot] = read_answer(question, form.get(question.key, ()))
        except AnswerError as error:
            refused[question.key] = error.words
    return given, refused


def questions_done(study: Study, shown: Mapping[str, Any], form: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """The keys of questions that nobody need wait for: answered, or certain not to be asked."""
    here = questionnaire_of(study, shown)
    given, _ = _read(here, form)
    return are_done(here.rules, here.questions, given)


def overridden_warnings(study: Study, shown: Mapping[str, Any], answers: Answers) -> tuple[str, ...]:
    """The keys of the questions whose answers break a rule that only warns."""
    here = questionnaire_of(study, shown)
    if here.only_refuses:
        return ()
    settled = settle(here.rules, here.questions, answers)
    return tuple(broken_rules(settled.rules, settled.questions, answers, refuses=False))


def read_answer(question: Question, raw: Sequence[str]) -> Value:
    """One answer as its form field has it."""
    if question.unable is not None and [text for text in raw if text.strip()] == [UNABLE]:
        return UNABLE
    kind = question.dimension.input
    value = kind.read(raw)
    if isinstance(kind, CountsInput) and question.places is not None:
        kind.refuse_places(value, question.places)
    return value


def form_strings(question: Question, value: Value) -> list[str]:
    """The form strings of an answer that came as JSON. Whether it is one at all is for `read_answers` to say."""
    kind = question.dimension.input
    legal = [each for each in kind.values() if type(each) is type(value) and each == value]
    return kind.write(value) if legal or isinstance(value, bool | list) else [str(value)]


__all__ = [
    "MISSING",
    "NOTHING",
    "Answers",
    "ItemRule",
    "Question",
    "Questionnaire",
    "Settled",
    "broken_rules",
    "derived_values",
    "entries_of",
    "fill_in",
    "form_strings",
    "item_rules",
    "missing_answers",
    "not_asked",
    "overridden_warnings",
    "questionnaire_of",
    "questions_done",
    "questions_of",
    "read_answer",
    "read_answers",
    "settle",
    "told_values",
]
