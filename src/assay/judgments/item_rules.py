"""The rules of a study, applied to one item: dimensions are replaced by questions, and fields by their values.

The result depends on answers alone: the server decides by it (`judgments/rules.py`), and the page gets the same rules.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from assay.errors import AnswerError
from assay.inputs import Input
from assay.judgments.questions import Question, entries_of
from assay.model import SIDES, Slot, Value
from assay.study.evaluate import Predicate, compile_tree, holds
from assay.study.expression import COMPARISONS, QUANTIFIERS, Tree, names
from assay.study.rubric import Dimension
from assay.study.rules import FollowingValue, Rule
from assay.study.schema import Study
from assay.words import Translatable

MISSING = Translatable("answers.missing")
FOLLOWS = Translatable("answers.follows")
NOT_ALLOWED = Translatable("answers.not_allowed")


@dataclass(frozen=True)
class ItemRule:
    """One rule about one question of one item."""

    kind: Literal["asked", "required", "allowed", "value"]
    slot: Slot
    when: Tree
    allow: Tree
    value: Value
    message: str
    refuses: bool

    @cached_property
    def applies(self) -> Predicate:
        """Whether it applies to these answers."""
        return compile_tree(self.when)

    @cached_property
    def allows(self) -> Predicate:
        """Whether it allows these answers, where it applies."""
        return compile_tree(self.allow)

    def as_json(self) -> dict[str, Any]:
        """The rule as the page gets it."""
        return {
            "kind": self.kind,
            "key": self.slot.key,
            "when": self.when,
            "allow": self.allow,
            "value": self.value,
            "message": self.message,
            "refuses": self.refuses,
        }


def item_rules(study: Study, questions: Sequence[Question], shown: Mapping[str, Any]) -> tuple[ItemRule, ...]:
    """Every rule of a study for the questions of one item, in the order of the file; first which of them are asked."""
    item = _ItemContext(study, questions, shown)
    asked = (found for dimension in study.rubric for found in _when_asked(study, dimension, item))
    return (*asked, *(found for rule in study.rules for found in _rules_of_rule(study, rule, item)))


def target_dimensions(rule: Rule, dimensions: Iterable[str]) -> tuple[str, ...]:
    """The dimensions that a rule is about."""
    if rule.required is not None:
        return rule.required
    if rule.value is not None:
        return tuple(rule.value)
    return tuple(dict.fromkeys(name for name in names(rule.limits) if name in dimensions))[:1]


def answer_in_rule(kind: Input, written: FollowingValue) -> Value:
    """The answer that the value of a rule stands for; None where it is no answer to such a question."""
    if known := kind.values():
        is_text = isinstance(written, str)
        return next((value for value in known if value == written and isinstance(value, str) == is_text), None)
    listed = [*written] if isinstance(written, tuple) and kind.answer == "list" else [written]
    try:
        return kind.read([each for each in listed if isinstance(each, str)])
    except AnswerError:
        return None


class _ItemContext:
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
    """What a rule is applied to: the item as a whole, one side, or one entry."""

    item: _ItemContext
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


def _when_asked(study: Study, dimension: Dimension, item: _ItemContext) -> Iterator[ItemRule]:
    if dimension.ask_when is None:
        return
    for frame in _frames(study, [dimension.dimension], item):
        when = _in_terms_of_item(dimension.asked_tree, frame)
        if when != ["value", True]:
            for slot in frame.slots(dimension.dimension):
                yield ItemRule("asked", slot, when, [], None, "", True)


def _rules_of_rule(study: Study, rule: Rule, item: _ItemContext) -> Iterator[ItemRule]:
    about = target_dimensions(rule, item.slots)
    for frame in _frames(study, about, item):
        when = _in_terms_of_item(rule.tree, frame)
        if when == ["value", False]:
            continue
        for name in about:
            for slot in frame.slots(name):
                yield from _rule_for_slot(rule, name, slot, when, frame)


def _rule_for_slot(rule: Rule, name: str, slot: Slot, when: Tree, frame: _Frame) -> Iterator[ItemRule]:
    refuses = rule.mode == "refuse"
    say = frame.item.study.words.say
    if rule.required is not None:
        yield ItemRule("required", slot, when, [], None, rule.message or say(MISSING), refuses)
    elif rule.value is not None:
        value = answer_in_rule(frame.item.study.dimension(name).input, rule.value[name])
        if value is None:  # only in a version that was published before such rules were refused
            return
        allow = ["==", ["name", slot.key], _literal(value)]
        yield ItemRule("value", slot, when, allow, value, rule.message or say(FOLLOWS), refuses)
    else:
        message = rule.message or say(NOT_ALLOWED)
        yield ItemRule("allowed", slot, when, _in_terms_of_item(rule.limits, frame), None, message, refuses)


def _frames(study: Study, about: Sequence[str], item: _ItemContext) -> list[_Frame]:
    scopes = [study.dimension(name).scope for name in about]
    if any(scope.of == "side" for scope in scopes):
        return [_Frame(item, side=side) for side in SIDES]
    for scope in scopes:
        if scope.of == "entries":
            return [_Frame(item, entry=entry, entries=scope.entries) for entry in item.entries[scope.entries]]
    return [_Frame(item)]


def _in_terms_of_item(tree: Tree, frame: _Frame) -> Tree:
    """An expression over this item's questions. Parts without a question are replaced by true or false."""
    op = tree[0]
    if op == "implied":
        return _decide_implied(tree, frame)
    if op in ("and", "or"):
        one, other = (_in_terms_of_item(part, frame) for part in tree[1:])
        return _join(op, one, other)
    if op == "not":
        inner = _in_terms_of_item(tree[1], frame)
        return ["value", not inner[1]] if inner[0] == "value" else ["not", inner]
    if op in ("answered", "empty"):
        return _decide_answered(tree, frame)
    if op == "count":
        return ["count", *_names_in_call(tree, frame)]
    if op in COMPARISONS:
        left, right = _term_of_comparison(tree[1], frame), _term_of_comparison(tree[2], frame)
        # On the right a name that stands for several questions is one comparison with each.
        each = right[1:] if right[0] in QUANTIFIERS else [right]
        return _any_of([_decide([op, left, one]) for one in each])
    term = _term_of_comparison(tree, frame)
    return _any_of([_decide(one) for one in (term[1:] if term[0] in QUANTIFIERS else [term])])


def _any_of(parts: list[Tree]) -> Tree:
    result: Tree = ["value", False]
    for part in parts:
        result = _join("or", result, part)
    return result


def _decide(tree: Tree) -> Tree:
    return tree if any(True for _ in names(tree)) else ["value", holds(tree, {})]


def _join(op: str, one: Tree, other: Tree) -> Tree:
    for part, rest in ((one, other), (other, one)):
        if part[0] == "value":
            # `false or x` is x, `true or x` is true; of `and` the other way round.
            return rest if bool(part[1]) == (op == "and") else ["value", op == "or"]
    return [op, one, other]


def _decide_answered(tree: Tree, frame: _Frame) -> Tree:
    op = tree[0]
    remaining: Tree = [op]
    for _, name in tree[1:]:
        if name in frame.item.slots:
            remaining += [["name", slot.key] for slot in frame.slots(name)]
        elif not holds([op, ["name", name]], {name: frame.value(name)}):
            return ["value", False]
    return remaining if len(remaining) > 1 else ["value", True]


def _term_of_comparison(tree: Tree, frame: _Frame) -> Tree:
    op = tree[0]
    if op in QUANTIFIERS:
        return [op, *_names_in_call(tree, frame)]
    if op == "name":
        if tree[1] not in frame.item.slots:
            return _literal(frame.value(tree[1]))
        found: list[Tree] = [["name", slot.key] for slot in frame.slots(tree[1])]
        return found[0] if len(found) == 1 else ["any", *found]
    if op in ("value", "list", "count"):
        return tree if op != "count" else _in_terms_of_item(tree, frame)
    # A condition that is compared is true or false. Where a single name is left of it, a double `not` makes it so.
    result = _in_terms_of_item(tree, frame)
    return ["not", ["not", result]] if result[0] in ("name", "count") else result


def _names_in_call(tree: Tree, frame: _Frame) -> list[Tree]:
    """The questions and values that the names in a call stand for."""
    found: list[Tree] = []
    for part in tree[1:]:
        if part[0] == "of":
            found += [["of", each, part[2]] for each in _names_in_call(part[:2], frame)]
        elif part[1] in frame.item.slots:
            found += [["name", slot.key] for slot in frame.slots(part[1])]
        else:
            found.append(_literal(frame.value(part[1])))
    return found


def _literal(value: Any) -> Tree:
    return ["list", *value] if isinstance(value, list) else ["value", value]


def _decide_implied(tree: Tree, frame: _Frame) -> Tree:
    """Whether the condition holds for another entry that names this one, alone or among others."""
    _, link, condition = tree
    result: Tree = ["value", False]
    if frame.entry is None:
        return result
    for other in frame.item.entries[frame.entries]:
        named = other.get(link[1])
        if other is not frame.entry and frame.entry["text"] in (named if isinstance(named, list) else [named]):
            there = _Frame(frame.item, entry=other, entries=frame.entries)
            result = _join("or", result, _in_terms_of_item(condition, there))
    return result
