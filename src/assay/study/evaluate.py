"""Whether an expression of the small language of rules is true: the twin of `expression.js` in the page."""

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from assay.count_marks import AT
from assay.study.expression import COMPARISONS, QUANTIFIERS, Tree

SPACE = " \t\r\n\f\v\u00a0"
"""White space: a text of these characters alone is empty. Python and JavaScript differ on others."""
Predicate = Callable[[Mapping[str, Any]], bool]
"""A condition on answers and fields."""


def holds(tree: Tree, values: Mapping[str, Any]) -> bool:
    """Whether an expression is true of these answers and fields. For many evaluations use `compile_tree`.

    >>> from assay.study.expression import parse
    >>> holds(parse("any(a, b) in [1, 5]"), {"a": 3, "b": 5})
    True
    """
    return compile_tree(tree)(values)


def compile_tree(tree: Tree) -> Predicate:
    """An expression compiled to a function, to be evaluated for many answers."""
    op = tree[0]
    if op in COMPARISONS:
        return _comparison(op, tree[1], tree[2])
    if op in ("or", "and"):
        one, other = compile_tree(tree[1]), compile_tree(tree[2])
        if op == "or":
            return lambda values: one(values) or other(values)
        return lambda values: one(values) and other(values)
    if op == "not":
        opposite = compile_tree(tree[1])
        return lambda values: not opposite(values)
    if op == "answered":
        asked = [part[1] for part in tree[1:]]
        return lambda values: all(values.get(name) is not None for name in asked)
    if op == "empty":
        fields = [part[1] for part in tree[1:]]
        return lambda values: all(_is_empty(values.get(name)) for name in fields)
    if op == "implied":
        # Only an item has entries: `judgments.item_rules` replaces `implied` by conditions on their answers.
        return lambda values: False
    found = _value(tree)
    return lambda values: _counts_as_true(found(values))


def _comparison(op: str, left: Tree, right: Tree) -> Predicate:
    if left[0] in QUANTIFIERS:
        quantify: Callable[[Iterator[bool]], bool] = any if left[0] == "any" else all
        parts = [_comparison(op, part, right) for part in left[1:]]
        return lambda values: quantify(part(values) for part in parts)
    one, other, compare = _value(left), _value(right), COMPARE[op]

    def compare_values(values: Mapping[str, Any]) -> bool:
        first, second = one(values), other(values)
        return first is not None and second is not None and compare(first, second)

    return compare_values


def _value(tree: Tree) -> Callable[[Mapping[str, Any]], Any]:
    op = tree[0]
    if op == "value":
        return lambda values: tree[1]
    if op == "list":
        listed = tree[1:]
        return lambda values: listed
    if op == "name":
        name = tree[1]
        return lambda values: values.get(name)
    if op == "count":
        counts = [_count(part) for part in tree[1:]]
        return lambda values: sum(count(values) for count in counts)
    return compile_tree(tree)


# The functions below decide as their twins in JavaScript do, and use only what both languages have in common.


def _is_empty(value: Any) -> bool:
    return value is None or value == [] or (isinstance(value, str) and not value.strip(SPACE))


def _count(part: Tree) -> Callable[[Mapping[str, Any]], int]:
    if part[0] == "of":
        listed, name = _value(part[1]), part[2]
        return lambda values: _count_called(listed(values), name)
    found = _value(part)
    return lambda values: _count_of(found(values))


def _count_of(value: Any) -> int:
    return len(value) if isinstance(value, list) else int(_counts_as_true(value))


def _count_called(value: Any, name: Any) -> int:
    return sum(_is_called(each, name) for each in value) if isinstance(value, list) else 0


def _is_called(each: Any, name: Any) -> bool:
    """Whether a tick or mark has this name, wherever it was found."""
    at = isinstance(each, str) and isinstance(name, str) and each.startswith(name + AT)
    return at or _equal(each, name)


def _counts_as_true(value: Any) -> bool:
    return not (value is None or value is False or value in ("", []) or (_is_number(value) and value == 0))


NUMBERS = frozenset({int, float})
"""The types of numbers; true and false are none."""


def _is_number(value: Any) -> bool:
    return type(value) in NUMBERS


def _equal(one: Any, other: Any) -> bool:
    kind = type(one)
    if kind in NUMBERS and type(other) in NUMBERS:
        return bool(one == other)
    if kind is list and type(other) is list:
        return len(one) == len(other) and all(map(_equal, one, other))
    # An object, which only a field of an item can hold, is equal to itself alone.
    return one is other if kind is dict else kind is type(other) and bool(one == other)


def _numbers(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """A comparison that is false unless both values are numbers."""
    return lambda one, other: _is_number(one) and _is_number(other) and compare(one, other)


COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "in": lambda one, other: isinstance(other, list) and any(_equal(one, each) for each in other),
    "has": lambda one, other: isinstance(one, list) and any(_is_called(each, other) for each in one),
    "==": _equal,
    "!=": lambda one, other: not _equal(one, other),
    "<": _numbers(operator.lt),
    "<=": _numbers(operator.le),
    ">": _numbers(operator.gt),
    ">=": _numbers(operator.ge),
}
"""The comparison of each operator."""
