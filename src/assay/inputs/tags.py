"""Several ticks at once, none needed: what is special about this item."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from assay.errors import AnswerError
from assay.inputs import Input
from assay.model import Level, Value
from assay.problems import quoted, wrong


class Tags(Input):
    """Several ticks at once, none needed. Ticked tags can trigger rules. Short: `tags: {empty: Empty reply}`."""

    kind: ClassVar[str] = "tags"
    level: ClassVar[Level | None] = None
    example: ClassVar[Any] = {"options": {"empty": "Empty or incoherent", "language": "Wrong language"}}

    options: dict[str, str] = Field(min_length=1, description="Each tag's name with its label.")

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        # `tags: {empty: Empty}` is the short form of `tags: {options: {empty: Empty}}`.
        if isinstance(data, dict) and not isinstance(data.get("options"), dict):
            return {"options": data}
        return data

    @model_validator(mode="after")
    def _named(self) -> Self:
        for name in self.options:
            if not name.strip():
                raise wrong("a tag has no name", "write name: label", name)
        return self

    def read(self, raw: Sequence[str]) -> Value:
        ticked = [name for name in self.options if name in raw]
        unknown = [name for name in raw if name.strip() and name not in self.options]
        if unknown:
            raise AnswerError(f"There is no tag {quoted(unknown[0])} here.")
        return ticked or None

    def show(self, value: Value) -> str:
        return ", ".join(self.options.get(name, name) for name in value) if isinstance(value, list) else ""

    def simulate(self, rng: Random, quality: float) -> list[str]:
        return [rng.choice(list(self.options))]
