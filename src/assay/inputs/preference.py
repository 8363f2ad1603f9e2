"""Which of two sides is better. The answer is kept by system: the sides are drawn."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

from pydantic import Field

from assay.inputs import Answer
from assay.inputs.one_of import Choice, OneOf
from assay.model import SIDES, Level
from assay.words import ENGLISH, Words


class PreferenceInput(OneOf):
    """Which side of a pair is better: 1 left, 2 tie, 3 right, in the order in which they stand on the page.

    What is kept is the system that was chosen, not the side: where each one stands is drawn for each annotator.
    """

    kind: ClassVar[str] = "preference"
    level: ClassVar[Level | None] = "nominal"
    answer: ClassVar[Answer] = "word"
    compares: ClassVar[bool] = True
    brief: ClassVar[bool] = True
    example: ClassVar[Any] = {"tie": "About equal", "neither": "Both are bad"}

    tie: str | None = Field(
        default="",
        description="The label of the tie; left out: a word of the study's language; `null`: one side must be chosen.",
    )
    neither: str | None = Field(
        default=None, description="The label of an answer that says both are bad; left out: none."
    )

    def choices(self, sides: Sequence[str] = (), words: Words = ENGLISH) -> list[Choice]:
        sides = sides or (words("content.left"), words("content.right"))
        middle = [] if self.tie is None else [("tie", self.tie or words("preference.tie"))]
        last = [("neither", self.neither)] if self.neither else []
        named = [(SIDES[0], sides[0]), *middle, (SIDES[1], sides[1]), *last]
        return [Choice(value, str(number), label) for number, (value, label) in enumerate(named, 1)]

    def simulate(self, rng: Random, quality: float) -> list[str]:
        if quality < 0.4:
            return [SIDES[0]]
        return [SIDES[1] if quality > 0.6 or self.tie is None else "tie"]
