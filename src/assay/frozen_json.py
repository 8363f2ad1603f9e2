"""Frozen types as JSON and back, in one place: a field becomes a key of the same name."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

_PLAIN = frozenset({str, int, float, bool, type(None)})
"""The types of nearly all values, of which there are hundreds of thousands: they are passed through first."""


def to_json(value: Any) -> Any:
    """A frozen type as JSON has it, with everything in it; what is JSON already stays as it is.

    >>> from dataclasses import make_dataclass
    >>> to_json(make_dataclass("Share", ["value", "ci"])(0.5, (0.25, 0.75)))
    {'value': 0.5, 'ci': [0.25, 0.75]}
    """
    if type(value) in _PLAIN or isinstance(value, str | int | float):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        names = _names(value.__class__)
        return {name: each if type(each := getattr(value, name)) in _PLAIN else to_json(each) for name in names}
    if isinstance(value, Mapping):
        return {key: each if type(each) in _PLAIN else to_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [each if type(each) in _PLAIN else to_json(each) for each in value]
    return value


def fields_of(value: Any) -> dict[str, Any]:
    """The fields of a frozen type by name, as they are: what a wider type is made from."""
    return {name: getattr(value, name) for name in _names(value.__class__)}


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def from_json(kind: Any, content: Any) -> Any:
    """A frozen type, or one of a union of them, from its JSON; unknown keys are ignored.

    None where the JSON is of another shape: an older or newer version of the program may have written it.
    """
    try:
        return _reader(kind).validate_python(content)
    except ValidationError:
        return None


@cache
def _reader(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
