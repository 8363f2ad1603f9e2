"""Types for keys of the study file: names, references, expressions, and a mapping with one kind."""

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema, model_validator

from assay.kinds import Many, Reference, Settings
from assay.mistakes import mistake
from assay.study.expression import ExpressionError, names, parse


def _is_name(text: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,62}", text):
        raise mistake(
            f"{text!r} is not a name",
            "a name has small letters, digits, - and _, begins with a letter, at most 63 long",
        )
    return text


def _is_expression(text: str) -> str:
    try:
        parse(text)
    except ExpressionError as error:
        raise mistake(f"cannot read this rule: {error.what}", f"at character {error.at + 1} of {text!r}") from None
    return text


def _as_list(data: Any) -> Any:
    return [data] if isinstance(data, str | dict) else data


Name = Annotated[str, AfterValidator(_is_name)]
Expression = Annotated[str, AfterValidator(_is_expression)]
_ONE_OR_MANY = WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})

DimensionName = Annotated[Name, Reference(("dimension",), "there is no dimension {name!r}")]
"""The name of a dimension of the rubric."""


def _names_in(expression: str) -> list[str]:
    try:
        return list(dict.fromkeys(names(parse(expression))))
    except ExpressionError:
        return []


RuleExpression = Annotated[
    Expression,
    Reference(("dimension", "field"), "there is neither a dimension nor a shown field {name!r}", names=_names_in),
]
"""An expression over answers and shown fields."""

EarlierExpression = Annotated[
    Expression,
    Reference(
        ("dimension", "field"), "there is neither an earlier dimension nor a shown field {name!r}", names=_names_in
    ),
]
"""An expression over answers to earlier questions and shown fields."""

OneOrMany = Annotated[Many[str], BeforeValidator(_as_list), _ONE_OR_MANY]
"""One text, or a list of them."""
DimensionNames = Annotated[Many[DimensionName], BeforeValidator(_as_list), _ONE_OR_MANY]
"""One dimension, or a list of them."""

_LISTED = Reference(("dimension",), "there is no dimension {name!r}", listed_in="rubric")
AnalysedDimensions = Many[Annotated[str, _LISTED]]
"""The dimensions that a part of the analysis looks at."""
MonitoredDimensions = Annotated[Many[Annotated[Name, _LISTED]], BeforeValidator(_as_list), _ONE_OR_MANY]
"""The dimensions that a monitor looks at: one name, or a list of them."""


def refuse_nothing(settings: Settings, keys: Iterable[str]) -> None:
    """Refuse keys without a value: they are probably forgotten, not meant as defaults."""
    for key in keys:
        if key in settings.model_fields_set and getattr(settings, key) is None:
            raise mistake(f"{key!r} has no value", f"write {key}: {{}} for its defaults", key)


def heading_of(title: str, name: str) -> str:
    """The heading of something: its title, or its name as words."""
    return title or name.replace("_", " ").replace("-", " ").capitalize()


class OneKind(Settings):
    """A mapping with exactly one key that names a kind, such as `text: {...}`; `only_kind` is that kind."""

    @cached_property
    def only_kind(self) -> Any:
        """The one kind that is set."""
        found = [kind for name in self._kind_keys() if (kind := getattr(self, name, None)) is not None]
        return found[0] if len(found) == 1 else None

    @classmethod
    def _kind_keys(cls) -> tuple[str, ...]:
        return ()

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        keys = self._kind_keys()
        refuse_nothing(self, keys)
        if keys and self.only_kind is None:
            given = [name for name in keys if getattr(self, name) is not None]
            listed = ", ".join(keys)
            what = f"{' and '.join(given)} stand together" if given else "no kind is given"
            hint = f"write one of: {listed}"
            raise mistake(f"{what}; exactly one of {listed} is needed", hint, needs=() if given else keys)
        return self
