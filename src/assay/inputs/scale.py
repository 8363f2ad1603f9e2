"""Whole numbers from one end to the other, each with its anchor. The digit on the keyboard is the value."""

from collections.abc import Sequence
from random import Random
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, Field, model_validator

from assay.inputs import Answer
from assay.inputs.one_of import Choice, OneOf
from assay.mistakes import mistake
from assay.model import Level, Value
from assay.words import ENGLISH, Translatable, Words

MOST_POINTS = 101


def _sort_by_point(anchors: dict[int, str]) -> dict[int, str]:
    """Sort the anchors: their order in the file has no meaning, and must not change the version of the study."""
    return dict(sorted(anchors.items()))


class ScaleInput(OneOf):
    """Whole numbers `from` one end `to` the other, each with its anchor. The digit on the keyboard is the value."""

    kind: ClassVar[str] = "scale"
    level: ClassVar[Level | None] = "ordinal"
    answer: ClassVar[Answer] = "number"
    example: ClassVar[Any] = {"from": 1, "to": 3, "anchors": {"1": "not at all", "2": "in part", "3": "fully"}}

    from_: int = Field(alias="from", description="The lowest point.")
    to: int = Field(description="The highest point.")
    anchors: Annotated[dict[int, str], AfterValidator(_sort_by_point)] = Field(
        default={}, description="The words at each point; they are the answer's label."
    )

    @model_validator(mode="after")
    def _refuse_bad_ends_and_anchors(self) -> Self:
        if self.to <= self.from_:
            raise mistake(
                f"the scale ends at {self.to}, which is not above its start, {self.from_}",
                "write the lowest point in from and the highest in to",
                "to",
            )
        if self.to - self.from_ >= MOST_POINTS:
            raise mistake(
                f"the scale has {self.to - self.from_ + 1:,} points",
                f"a scale that people can use has at most {MOST_POINTS}",
                "to",
            )
        outside = [point for point in self.anchors if not self.from_ <= point <= self.to]
        if outside:
            listed = ", ".join(map(str, outside))
            raise mistake(
                f"anchor {listed} lies outside the scale from {self.from_} to {self.to}",
                f"widen the scale, or remove anchor {listed}",
                "anchors",
                str(outside[0]),
            )
        return self

    def choices(self, sides: Sequence[str] = (), words: Words = ENGLISH) -> list[Choice]:
        return [Choice(point, str(point), self.anchors.get(point, "")) for point in range(self.from_, self.to + 1)]

    def advice(self) -> Translatable:
        return Translatable("scale.whole_number", {"low": self.from_, "high": self.to})

    def show(self, value: Value) -> str:
        return f"{'' if value is None else value} {super().show(value) if value in self.anchors else ''}".strip()

    def simulate(self, rng: Random, quality: float) -> list[str]:
        width = self.to - self.from_
        point = round(self.from_ + width * min(1.0, max(0.0, quality)))
        return [str(point)]
