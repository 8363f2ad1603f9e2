"""Explains pydantic's validation errors in words for the study's author: what is wrong, and what to do."""

import types
import typing
from typing import Any, NamedTuple

from pydantic import BaseModel

from assay.mistakes import quote
from assay.study.schema import study_type
from assay.study.yaml import Path
from assay.suggest import suggest_name


class MistakeAt(NamedTuple):
    """A mistake at a key of the study file: the path to the key, what is wrong, and what to do."""

    at: Path
    what: str
    hint: str


LIST = ("a list is expected here, not {value}", "write each entry on a line of its own, after a dash")
KEYS = ("keys with values are expected here, not {value}", "write key: value")
WORDS = {
    "missing": ("the key {key!r} is missing", "add {key}: ..."),
    "string_type": ("{value} is not a text", "put it in quotes"),
    "int_type": ("{value} is not a whole number", "write a whole number without quotes"),
    "int_from_float": ("{value} is not a whole number", "write a whole number"),
    "float_type": ("{value} is not a number", "write a number without quotes"),
    "bool_type": ("{value} is neither true nor false", "write true or false"),
    "tuple_type": LIST,
    "dict_type": KEYS,
    "model_type": KEYS,
    "int_parsing": ("the key {key!r} is not a whole number", "write the scale point as a number"),
    "too_short": ("this must not be empty", "add at least one entry"),
    "literal_error": ("{value} is not known here", "write {expected}"),
    "greater_than_equal": ("{value} is too small", "write {ge} or more"),
    "greater_than": ("{value} is too small", "write more than {gt}"),
    "less_than_equal": ("{value} is too large", "write {le} or less"),
    "string_too_short": ("this must not be empty", "write at least {min_length} characters"),
}
NOTHING = ("{key!r} has no value", "fill it in, or remove the key")


def explain(error: Any, at: Path, model: Any = None) -> MistakeAt:
    """One of pydantic's errors, in words for the author of the file; `model` is its type where it is no study file."""
    kind, value = error["type"], error.get("input")
    context = error.get("ctx") or {}
    if kind == "study":
        return MistakeAt((*at, *context["at"]), context["what"], context["hint"])
    key = next((part for part in reversed(at) if part != "[key]"), "")
    if kind == "extra_forbidden":
        return MistakeAt(at, f"unknown key {key!r}", suggest_name(str(key), keys_at(at[:-1], model)))
    if kind not in WORDS:
        return MistakeAt(at, error["msg"], "compare this place with a template: assay init empathy DIR")
    what, hint = NOTHING if value is None and kind != "missing" else WORDS[kind]
    words = {**context, "key": key, "value": quote(value)}
    return MistakeAt(at, what.format(**words), hint.format(**words))


def keys_at(at: Path, model: Any = None) -> list[str]:
    """The keys that are known at a path of the study file, or of a file of another type."""
    model = model or study_type()
    for part in at:
        fields = _fields(model)
        if isinstance(part, str) and fields:
            if part not in fields:
                return []
            model = fields[part].annotation
        model = _inner(model)
    return list(_fields(model))


def _fields(model: Any) -> dict[str, Any]:
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        return {}
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _inner(model: Any) -> Any:
    """The type inside an optional type or a list."""
    while typing.get_origin(model) in (typing.Union, types.UnionType, tuple):
        model = typing.get_args(model)[0]
    return model
