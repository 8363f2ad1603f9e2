"""The base of inputs whose answers have names and labels."""

import json
import re
from collections.abc import Collection
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from assay.inputs import Input
from assay.mistakes import mistake
from assay.model import UNABLE

NONE = "none"
"""The form value of the answer that nothing of a list applies."""


class NamedOptions(Input):
    """Answers by name, each with its label. The short form in the study file is the mapping alone."""

    short: ClassVar[dict[str, Any] | None] = {"type": "object", "additionalProperties": {"type": "string"}}
    reserved: ClassVar[frozenset[str]] = frozenset({UNABLE})
    """Names that cannot be used, since they have a meaning of their own."""

    options: dict[str, str] = Field(min_length=1, description="Each answer's name, in the data, with its label.")

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        # `tags: {empty: Empty}` is the short form of `tags: {options: {empty: Empty}}`.
        if isinstance(data, dict) and not isinstance(data.get("options"), dict):
            return {"options": data}
        return data

    def option_names(self) -> tuple[str, ...]:
        return tuple(self.options)

    def names_in_cells(self, none: str) -> dict[str, str]:
        """What a cell may call each option, after `plain`: its name or its label; and what stands for none of them."""
        names = {plain(name): name for name in self.options}
        names |= {plain(label): name for name, label in self.options.items() if plain(label) not in names}
        return names | ({plain(none): NONE, NONE: NONE, "0": NONE} if none else {})

    @model_validator(mode="after")
    def _refuse_bad_names(self) -> Self:
        for name in self.options:
            if not name.strip():
                raise mistake("an answer has no name", "write name: label", name)
            if name in self.reserved:
                raise mistake(f"{name!r} cannot be the name of an answer", "give it another name", name)
        return self


def plain(text: str) -> str:
    """A text normalised for comparison: without capitals, and with single spaces."""
    return " ".join(text.split()).casefold()


def parts_of_cell(text: str, names: Collection[str]) -> list[str]:
    """What stands in one cell: a list in JSON, or a semicolon, a bar, a line break or a comma between the parts."""
    listed = _json_list(text)
    if listed is not None:
        return listed or [NONE] * (NONE in names)
    found: list[str] = []
    for part in filter(str.strip, re.split(r"[;|\n]", text)):
        # A label may have a comma in it: only what is no label is taken apart there.
        found += [part] if plain(part) in names else filter(str.strip, part.split(","))
    return [part.strip() for part in found]


def _json_list(text: str) -> list[str] | None:
    if not text.lstrip().startswith("["):
        return None
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, list) and all(isinstance(each, str) for each in found) else None
