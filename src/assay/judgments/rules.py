"""What the rules of an item make of the answers: what follows, what is missing, what is not allowed.

The server decides here; the page says the same beforehand: `web/static/rules.js`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.inputs import Input
from assay.inputs.one_of import OneOf
from assay.judgments.item_rules import MISSING, ItemRule
from assay.judgments.questions import Question
from assay.model import Slot, Unable, Value
from assay.study.expression import names
from assay.words import Translatable

Answers = dict[Slot, Value]


def answers_by_key(answers: Mapping[Slot, Value]) -> dict[str, Value]:
    """Answers by the keys of their questions, as rules refer to them."""
    return {slot.key: value for slot, value in answers.items()}


@dataclass(frozen=True, slots=True)
class Settled:
    """Answers as the rules leave them: without those to questions that are not asked, with those that follow."""

    answers: Answers
    questions: tuple[Question, ...]
    """The questions that are asked."""
    rules: tuple[ItemRule, ...]
    """The rules about them."""


def settle(rules: Sequence[ItemRule], questions: Sequence[Question], given: Answers) -> Settled:
    """Which questions are asked, and the answers to them with what follows from others.

    Whether a question is asked depends on earlier answers, and these may follow from others by a rule: so both are
    looked at in turn until nothing changes.
    """
    unasked: frozenset[Slot] = frozenset()
    for _ in range(len(questions) + 1):
        asked = tuple(question for question in questions if question.slot not in unasked)
        about = tuple(rule for rule in rules if rule.kind != "asked" and rule.slot not in unasked)
        answers = fill_in(about, asked, {question.slot: given.get(question.slot) for question in asked})
        before, unasked = unasked, frozenset(_slots_not_asked(rules, answers))
        if unasked == before:
            break
    return Settled(answers, asked, about)


def _slots_not_asked(rules: Sequence[ItemRule], answers: Answers) -> Iterator[Slot]:
    conditions = [rule for rule in rules if rule.kind == "asked"]
    values = answers_by_key(answers) if conditions else {}
    for rule in conditions:
        if not rule.applies(values):
            values[rule.slot.key] = None
            yield rule.slot


def are_done(rules: Sequence[ItemRule], questions: Sequence[Question], given: Answers) -> frozenset[str]:
    """The keys of questions that nobody need wait for: answered, or certain not to be asked.

    A question that is not asked so far is not certain while a question that decides about it is open.
    """
    settled = settle(rules, questions, given)
    asked = {question.slot for question in settled.questions}
    done = {slot.key for slot in asked if given.get(slot) is not None}
    for rule in rules:
        if rule.kind == "asked" and rule.slot not in asked and done.issuperset(names(rule.when)):
            done.add(rule.slot.key)
    return frozenset(done)


def fill_in(rules: Sequence[ItemRule], questions: Sequence[Question], answers: Answers) -> Answers:
    """The answers, with those filled in that follow from others by a rule. Of several rules the first one wins."""
    answers = dict(answers)
    filling = [rule.slot for rule in rules if rule.kind == "value"]
    for _ in rules:
        if all(answers.get(slot) is not None for slot in filling):
            break
        in_force = _rules_in_force([rule for rule in rules if rule.refuses], questions, answers)
        new = next((rule for rule in in_force if rule.kind == "value" and answers.get(rule.slot) is None), None)
        if new is None:
            break
        answers[new.slot] = new.value
    return answers


def broken_rules(
    rules: Sequence[ItemRule], questions: Sequence[Question], answers: Answers, *, refuses: bool
) -> dict[str, str]:
    """The keys of questions whose answer breaks a rule, with the reason. Of rules that collide the first wins.

    That an answer is missing where a rule requires it is said here only of rules that warn; of the others it is a
    matter of `missing_answers`.
    """
    values = answers_by_key(answers)

    def is_broken(rule: ItemRule) -> bool:
        given = answers.get(rule.slot)
        if rule.kind == "required":
            return given is None and not refuses
        return given is not None and not isinstance(given, Unable) and not rule.allows(values)

    about = [rule for rule in rules if rule.kind != "asked" and rule.refuses == refuses]
    # Mostly nothing is broken, and then it does not matter which rules collide.
    if not any(rule.applies(values) and is_broken(rule) for rule in about):
        return {}
    reasons: dict[str, str] = {}
    for rule in _rules_in_force(about, questions, answers):
        if is_broken(rule):
            reasons.setdefault(rule.slot.key, rule.message)
    return reasons


def _rules_in_force(rules: Sequence[ItemRule], questions: Sequence[Question], answers: Answers) -> Iterator[ItemRule]:
    """The rules whose condition holds, without those that an earlier one about the same question rules out."""
    values = answers_by_key(answers)
    inputs = {question.slot: question.dimension.input for question in questions}
    limits: dict[Slot, _Limits] = {}
    for rule in rules:
        if rule.kind == "asked" or not rule.applies(values):
            continue
        if rule.slot not in limits:
            limits[rule.slot] = _Limits(inputs[rule.slot], rule.slot.key, values)
        if rule.kind == "required" or limits[rule.slot].take(rule):
            yield rule


class _Limits:
    """What rules leave of the answers to one question, taken one after the other."""

    def __init__(self, kind: Input, key: str, values: Mapping[str, Value]) -> None:
        self.key, self.values = key, values
        self.left = list(kind.values()) if isinstance(kind, OneOf) else None
        """The answers that are left, where they can be listed. Of ticks and texts a rule may only fix one."""
        self.taken: list[ItemRule] = []

    def take(self, rule: ItemRule) -> bool:
        """Take one more rule, unless together with the earlier ones it leaves nothing."""
        taken = [*self.taken, rule]
        if self.left is not None:
            left = [value for value in self.left if self._allows(rule, value)]
            fits = bool(left)
            self.left = left or self.left
        else:
            follows = [each.value for each in taken if each.kind == "value"]
            fits = all(self._allows(each, value) for each in taken for value in follows)
        self.taken = taken if fits else self.taken
        return fits

    def _allows(self, rule: ItemRule, value: Value) -> bool:
        return rule.allows({**self.values, self.key: value})


def missing_answers(
    rules: Sequence[ItemRule], questions: Sequence[Question], answers: Answers
) -> dict[str, Translatable | str]:
    """The keys of questions that must be answered and are not, each with the reason by the first such rule."""
    values = answers_by_key(answers)
    found: dict[str, Translatable | str] = {}
    for rule in rules:
        if rule.kind == "required" and rule.refuses and answers.get(rule.slot) is None and rule.applies(values):
            found.setdefault(rule.slot.key, rule.message)
    for question in questions:
        if answers.get(question.slot) is None and not question.dimension.optional:
            found.setdefault(question.key, MISSING)
    return found
