"""The base of inputs whose answers have names and labels."""

from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from assay.inputs import Input
from assay.mistakes import mistake
from assay.model import UNABLE


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

    @model_validator(mode="after")
    def _refuse_bad_names(self) -> Self:
        for name in self.options:
            if not name.strip():
                raise mistake("an answer has no name", "write name: label", name)
            if name in self.reserved:
                raise mistake(f"{name!r} cannot be the name of an answer", "give it another name", name)
        return self
