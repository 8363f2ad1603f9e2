"""One of several answers that have no order."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

from pydantic import Field

from assay.inputs import Answer
from assay.inputs.one_of import Choice, OneOf
from assay.inputs.options import NamedOptions
from assay.model import Level
from assay.words import ENGLISH, Words


class ChoiceInput(NamedOptions, OneOf):
    """One of several answers that have no order. Short: `choice: {german: German, english: English}`."""

    kind: ClassVar[str] = "choice"
    level: ClassVar[Level | None] = "nominal"
    answer: ClassVar[Answer] = "word"
    example: ClassVar[Any] = {"options": {"german": "German", "english": "English", "other": "Another language"}}

    options: dict[str, str] = Field(min_length=2, description="Each answer's name, in the data, with its label.")

    def choices(self, sides: Sequence[str] = (), words: Words = ENGLISH) -> list[Choice]:
        return [Choice(name, str(number), label) for number, (name, label) in enumerate(self.options.items(), 1)]

    def simulate(self, rng: Random, quality: float) -> list[str]:
        return [rng.choice(list(self.options))]
