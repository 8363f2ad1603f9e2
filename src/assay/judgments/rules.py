"""The study's rules, said of one item: names of dimensions become questions, names of fields become what they hold.

What comes out speaks of answers alone. The server decides by it, and the page is handed the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.inputs.one_of import OneOf
from assay.judgments.questions import Question, entries_of
from assay.model import SIDES, Slot, Unable, Value
from assay.study.expression import COMPARISONS, QUANTIFIERS, Tree, holds, names
from assay.study.rules import Rule
from assay.study.schema import Study
from assay.words import Translatable

Answers = dict[Slot, Value]

MISSING = Translatable("answers.missing")
FOLLOWS = Translatable("answers.follows")
NOT_ALLOWED = Translatable("answers.not_allowed")


@dataclass(frozen=True, slots=True)
class Concrete:
    """One rule about one question of one item."""

    kind: Literal["required", "allowed", "value"]
    slot: Slot
    when: Tree
    allow: Tree
    value: Value
    message: str
    refuses: bool

    def as_json(self) -> dict[str, Any]:
        """What the page needs to know of it."""
        return {
            "kind": self.kind,
            "key": self.slot.key,
            "when": self.when,
            "allow": self.allow,
            "value": self.value,
            "message": self.message,
            "refuses": self.refuses,
        }


def concrete_rules(study: Study, questions: Sequence[Question], shown: Mapping[str, Any]) -> tuple[Concrete, ...]:
    """Every rule of a study, for the questions of one item, in the order of the study file."""
    return tuple(found for rule in study.rules for found in _concrete(study, rule, _Item(study, questions, shown)))


def targets(rule: Rule, dimensions: Iterable[str]) -> tuple[str, ...]:
    """The dimensions that a rule is about."""
    if rule.required is not None:
        return rule.required
    if rule.value is not None:
        return tuple(rule.value)
    return tuple(dict.fromkeys(name for name in names(rule.limits) if name in dimensions))[:1]


class _Item:
    """One item's questions, fields and entries, as rules see them."""

    def __init__(self, study: Study, questions: Sequence[Question], shown: Mapping[str, Any]) -> None:
        self.study = study
        self.fields = {name: shown.get(name) for name in study.items.shown_fields}
        self.slots: dict[str, list[Slot]] = {dimension.dimension: [] for dimension in study.rubric}
        for question in questions:
            self.slots[question.slot.dimension].append(question.slot)
        self.entries = {name: entries_of(shown, name) for name in study.entries}


@dataclass(frozen=True)
class _Frame:
    """Where a rule is looked at: the item as a whole, one side, or one entry."""

    item: _Item
    side: str = ""
    entry: Mapping[str, Any] | None = None
    entries: str = ""

    def slots(self, name: str) -> list[Slot]:
        """The questions that a dimension's name stands for here."""
        found = self.item.slots[name]
        scope = self.item.study.dimension(name).scope
        if scope.of == "side" and self.side:
            return [slot for slot in found if slot.side == self.side]
        if scope.of == "entries" and self.entry is not None and scope.entries == self.entries:
            return [slot for slot in found if slot.entry == self.entry["id"]]
        return found

    def value(self, name: str) -> Any:
        """What a field holds: the entry's own, else the item's."""
        if self.entry is not None and name in self.entry:
            return self.entry[name]
        return self.item.fields.get(name)


def _concrete(study: Study, rule: Rule, item: _Item) -> Iterator[Concrete]:
    about = targets(rule, item.slots)
    for frame in _frames(study, about, item):
        when = _said(rule.tree, frame)
        if when == ["value", False]:
            continue
        for name in about:
            for slot in frame.slots(name):
                yield from _about(rule, name, slot, when, frame)


def _about(rule: Rule, name: str, slot: Slot, when: Tree, frame: _Frame) -> Iterator[Concrete]:
    refuses = rule.mode == "refuse"
    say = frame.item.study.words.say
    if rule.required is not None:
        yield Concrete("required", slot, when, [], None, rule.message or say(MISSING), refuses)
    elif rule.value is not None:
        value: Value = rule.value[name]
        allow = ["==", ["name", slot.key], ["value", value]]
        yield Concrete("value", slot, when, allow, value, rule.message or say(FOLLOWS), refuses)
    else:
        message = rule.message or say(NOT_ALLOWED)
        yield Concrete("allowed", slot, when, _said(rule.limits, frame), None, message, refuses)


def _frames(study: Study, about: Sequence[str], item: _Item) -> list[_Frame]:
    scopes = [study.dimension(name).scope for name in about]
    if any(scope.of == "side" for scope in scopes):
        return [_Frame(item, side=side) for side in SIDES]
    for scope in scopes:
        if scope.of == "entries":
            return [_Frame(item, entry=entry, entries=scope.entries) for entry in item.entries[scope.entries]]
    return [_Frame(item)]


def _said(tree: Tree, frame: _Frame) -> Tree:
    """An expression in terms of this item's questions; parts that hold no question are decided at once."""
    op = tree[0]
    if op == "implied":
        return _implied(tree, frame)
    if op in ("and", "or"):
        one, other = (_said(part, frame) for part in tree[1:])
        return _joined(op, one, other)
    if op == "not":
        inner = _said(tree[1], frame)
        return ["value", not inner[1]] if inner[0] == "value" else ["not", inner]
    if op in ("answered", "empty"):
        return _each_part(tree, frame)
    if op == "count":
        return ["count", *_parts(tree, frame)]
    if op in COMPARISONS:
        left, right = _term(tree[1], frame), _term(tree[2], frame)
        # On the right a name that stands for several questions is one comparison with each.
        each = right[1:] if right[0] in QUANTIFIERS else [right]
        return _any_of([_decided([op, left, one]) for one in each])
    term = _term(tree, frame)
    return _any_of([_decided(one) for one in (term[1:] if term[0] in QUANTIFIERS else [term])])


def _any_of(parts: list[Tree]) -> Tree:
    said: Tree = ["value", False]
    for part in parts:
        said = _joined("or", said, part)
    return said


def _decided(tree: Tree) -> Tree:
    return tree if any(True for _ in names(tree)) else ["value", holds(tree, {})]


def _joined(op: str, one: Tree, other: Tree) -> Tree:
    for part, rest in ((one, other), (other, one)):
        if part[0] == "value":
            # `false or x` is x, `true or x` is true; of `and` the other way round.
            return rest if bool(part[1]) == (op == "and") else ["value", op == "or"]
    return [op, one, other]


def _each_part(tree: Tree, frame: _Frame) -> Tree:
    op = tree[0]
    asked: Tree = [op]
    for _, name in tree[1:]:
        if name in frame.item.slots:
            asked += [["name", slot.key] for slot in frame.slots(name)]
        elif not holds([op, ["name", name]], {name: frame.value(name)}):
            return ["value", False]
    return asked if len(asked) > 1 else ["value", True]


def _term(tree: Tree, frame: _Frame) -> Tree:
    op = tree[0]
    if op in QUANTIFIERS:
        return [op, *_parts(tree, frame)]
    if op == "name":
        if tree[1] not in frame.item.slots:
            return _literal(frame.value(tree[1]))
        found: list[Tree] = [["name", slot.key] for slot in frame.slots(tree[1])]
        return found[0] if len(found) == 1 else ["any", *found]
    if op in ("value", "list", "count"):
        return tree if op != "count" else _said(tree, frame)
    # A condition that is compared is true or false; one that came down to a single name is made so again.
    said = _said(tree, frame)
    return ["not", ["not", said]] if said[0] in ("name", "count") else said


def _parts(tree: Tree, frame: _Frame) -> list[Tree]:
    """The names in a call, each for every question it stands for."""
    found: list[Tree] = []
    for part in tree[1:]:
        if part[1] in frame.item.slots:
            found += [["name", slot.key] for slot in frame.slots(part[1])]
        else:
            found.append(_literal(frame.value(part[1])))
    return found


def _literal(value: Any) -> Tree:
    return ["list", *value] if isinstance(value, list) else ["value", value]


def _implied(tree: Tree, frame: _Frame) -> Tree:
    """Whether the condition holds for another entry that names this one."""
    _, link, condition = tree
    said: Tree = ["value", False]
    if frame.entry is None:
        return said
    for other in frame.item.entries[frame.entries]:
        if other is not frame.entry and frame.entry["text"] == other.get(link[1]):
            there = _Frame(frame.item, entry=other, entries=frame.entries)
            said = _joined("or", said, _said(condition, there))
    return said


def answers_by_key(answers: Mapping[Slot, Value]) -> dict[str, Value]:
    """Answers under the names that concrete rules call them by."""
    return {slot.key: value for slot, value in answers.items()}


def filled(rules: Sequence[Concrete], answers: Answers) -> Answers:
    """The answers with those that follow from others, where nothing was said. An earlier rule comes first."""
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


def broken(
    rules: Sequence[Concrete], questions: Sequence[Question], answers: Answers, *, refuses: bool
) -> dict[str, str]:
    """The questions whose answer another does not allow, with the reason. Of rules that collide the earlier wins."""
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


def missing(
    rules: Sequence[Concrete], questions: Sequence[Question], answers: Answers
) -> dict[str, Translatable | str]:
    """The questions that must be answered and are not, each with the reason. Of several rules the first one speaks."""
    values = answers_by_key(answers)
    found: dict[str, Translatable | str] = {}
    for rule in rules:
        if rule.kind == "required" and rule.refuses and answers.get(rule.slot) is None and holds(rule.when, values):
            found.setdefault(rule.slot.key, rule.message)
    for question in questions:
        if answers.get(question.slot) is None and not question.dimension.optional:
            found.setdefault(question.key, MISSING)
    return found
