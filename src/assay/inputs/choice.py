"""One of several answers that have no order."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from assay.inputs import Answer
from assay.inputs.one_of import Choice, OneOf
from assay.model import UNABLE, Level
from assay.problems import wrong


class SingleChoice(OneOf):
    """One of several answers that have no order. Short: `choice: {german: German, english: English}`."""

    kind: ClassVar[str] = "choice"
    level: ClassVar[Level | None] = "nominal"
    answer: ClassVar[Answer] = "word"
    example: ClassVar[Any] = {"options": {"german": "German", "english": "English", "other": "Another language"}}

    short: ClassVar[dict[str, Any] | None] = {"type": "object", "additionalProperties": {"type": "string"}}

    options: dict[str, str] = Field(min_length=2, description="Each answer's name, in the data, with its label.")

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        if isinstance(data, dict) and not isinstance(data.get("options"), dict):
            return {"options": data}
        return data

    @model_validator(mode="after")
    def _named(self) -> Self:
        for name in self.options:
            if not name.strip() or name == UNABLE:
                raise wrong(f"{name!r} cannot be the name of an answer", "give it another name", name)
        return self

    def choices(self, sides: Sequence[str] = ()) -> list[Choice]:
        return [Choice(name, str(number), label) for number, (name, label) in enumerate(self.options.items(), 1)]

    def simulate(self, rng: Random, quality: float) -> list[str]:
        return [rng.choice(list(self.options))]
