"""How values of rules compare. Each function decides as its twin in JavaScript, by what both languages have."""

import operator
from collections.abc import Callable
from typing import Any

from assay.model import AT

SPACE = " \t\r\n\f\v\u00a0"
"""White space: a text of these characters alone is empty. Python and JavaScript differ on others."""


def is_empty(value: Any) -> bool:
    """Whether there is nothing: no answer, no entry, no character."""
    return value is None or value == [] or (isinstance(value, str) and not value.strip(SPACE))


def count_of(value: Any) -> int:
    """How many there are of what is listed; of anything else, whether it is there."""
    return len(value) if isinstance(value, list) else int(counts_as_true(value))


def count_called(value: Any, name: Any) -> int:
    """How many ticks or marks have a name."""
    return sum(is_called(each, name) for each in value) if isinstance(value, list) else 0


def is_called(each: Any, name: Any) -> bool:
    """Whether a tick or mark has this name, wherever it was found."""
    if isinstance(each, str) and isinstance(name, str):
        return each == name or each.startswith(name + AT)
    return equal(each, name)


def counts_as_true(value: Any) -> bool:
    """Whether a value by itself is a condition that holds."""
    return not (value is None or value is False or value in ("", []) or (is_number(value) and value == 0))


NUMBERS = frozenset({int, float})
"""The types of numbers; true and false are none."""


def is_number(value: Any) -> bool:
    """Whether it is a number, and neither true nor false."""
    return type(value) in NUMBERS


def equal(one: Any, other: Any) -> bool:
    """Whether two values are the same, as JSON has them."""
    kind = type(one)
    if kind in NUMBERS and type(other) in NUMBERS:
        return bool(one == other)
    if kind is list and type(other) is list:
        return len(one) == len(other) and all(map(equal, one, other))
    # An object, which only a field of an item can hold, is equal to itself alone.
    return one is other if kind is dict else kind is type(other) and bool(one == other)


def _numbers(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """A comparison of numbers: of anything else it is false."""
    return lambda one, other: is_number(one) and is_number(other) and compare(one, other)


COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "in": lambda one, other: isinstance(other, list) and any(equal(one, each) for each in other),
    "has": lambda one, other: isinstance(one, list) and any(is_called(each, other) for each in one),
    "==": equal,
    "!=": lambda one, other: not equal(one, other),
    "<": _numbers(operator.lt),
    "<=": _numbers(operator.le),
    ">": _numbers(operator.gt),
    ">=": _numbers(operator.ge),
}
"""How two answers compare."""
