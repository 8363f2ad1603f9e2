"""A mark on a line between two numbers."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

from pydantic import Field

from assay.errors import AnswerError
from assay.inputs import Answer, Input
from assay.kinds import Shortcut
from assay.model import Level, Value
from assay.words import Translatable


class SliderInput(Input):
    """A mark on a line between two numbers. It has to be moved to be an answer."""

    kind: ClassVar[str] = "slider"
    level: ClassVar[Level | None] = "interval"
    answer: ClassVar[Answer] = "number"
    shortcut: ClassVar[Shortcut | None] = Shortcut(("D",), Translatable("slider.keys"))
    example: ClassVar[Any] = {"low": 0, "high": 10}

    low: int = Field(default=0, description="The lower end.")
    high: int = Field(default=10, description="The upper end.")

    def values(self) -> tuple[Value, ...]:
        return tuple(range(self.low, self.high + 1))

    def read(self, raw: Sequence[str]) -> Value:
        given = [text.strip() for text in raw if text.strip()]
        if not given:
            return None
        if len(given) > 1 or given[0] not in map(str, self.values()):
            raise AnswerError(Translatable("slider.between", {"low": self.low, "high": self.high}))
        return int(given[0])

    def simulate(self, rng: Random, quality: float) -> list[str]:
        return [str(round(self.low + (self.high - self.low) * min(1.0, max(0.0, quality))))]
