"""What the rules of an item make of the answers: what follows, what is missing, what is not allowed.

The server decides here; the page says the same beforehand: `web/static/rules.js`.
"""

from collections.abc import Mapping, Sequence

from assay.inputs.one_of import OneOf
from assay.judgments.item_rules import MISSING, ItemRule
from assay.judgments.questions import Question
from assay.model import Slot, Unable, Value
from assay.study.expression import holds
from assay.words import Translatable

Answers = dict[Slot, Value]


def answers_by_key(answers: Mapping[Slot, Value]) -> dict[str, Value]:
    """Answers by the keys of their questions, as rules refer to them."""
    return {slot.key: value for slot, value in answers.items()}


def fill_in(rules: Sequence[ItemRule], answers: Answers) -> Answers:
    """The answers, with those filled in that follow from others by a rule. Of several rules the first one wins."""
    answers = dict(answers)
    for _ in range(len(rules)):
        values = answers_by_key(answers)
        new = next(
            (
                rule
                for rule in rules
                if rule.kind == "value" and rule.refuses and answers.get(rule.slot) is None and holds(rule.when, values)
            ),
            None,
        )
        if new is None:
            break
        answers[new.slot] = new.value
    return answers


def broken_rules(
    rules: Sequence[ItemRule], questions: Sequence[Question], answers: Answers, *, refuses: bool
) -> dict[str, str]:
    """The keys of questions whose answer breaks a rule, with the reason. Of rules that collide the first wins."""
    values = answers_by_key(answers)
    inputs = {question.slot: question.dimension.input for question in questions}
    possible: dict[Slot, list[Value]] = {}
    reasons: dict[str, str] = {}
    for rule in rules:
        given = answers.get(rule.slot)
        if rule.kind == "required" or rule.refuses != refuses or not holds(rule.when, values):
            continue
        kind = inputs[rule.slot]
        before = possible.setdefault(rule.slot, list(kind.values()) if isinstance(kind, OneOf) else [given])
        after = [value for value in before if holds(rule.allow, {**values, rule.slot.key: value})]
        if not after:
            continue
        possible[rule.slot] = after
        if given is not None and not isinstance(given, Unable) and given not in after:
            reasons.setdefault(rule.slot.key, rule.message)
    return reasons


def missing_answers(
    rules: Sequence[ItemRule], questions: Sequence[Question], answers: Answers
) -> dict[str, Translatable | str]:
    """The keys of questions that must be answered and are not, each with the reason by the first such rule."""
    values = answers_by_key(answers)
    found: dict[str, Translatable | str] = {}
    for rule in rules:
        if rule.kind == "required" and rule.refuses and answers.get(rule.slot) is None and holds(rule.when, values):
            found.setdefault(rule.slot.key, rule.message)
    for question in questions:
        if answers.get(question.slot) is None and not question.dimension.optional:
            found.setdefault(question.key, MISSING)
    return found
