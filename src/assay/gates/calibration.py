"""Items with agreed scores: feedback after each, and a rule for who may begin."""

from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from assay.gates.practice import Practice
from assay.kinds import Settings
from assay.problems import wrong
from assay.words import Words


class PassRule(Settings):
    """When a calibration is passed: by differences from the reference, or by agreement with it."""

    max_difference: int | None = Field(default=None, ge=0, description="A larger difference counts as far apart.")
    except_: int = Field(default=0, ge=0, alias="except", description="On so many items of a dimension it may happen.")
    at_least: float | None = Field(default=None, ge=-1, le=1, description="Or: agreement with the reference.")
    coefficient: str = Field(default="cohen_kappa_linear", description="By which coefficient.")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.max_difference is None) == (self.at_least is None):
            raise wrong("it is not clear when this is passed", "write either max_difference or at_least")
        return self


class Calibration(Practice):
    """Items with agreed scores, judged with feedback after each. Who is too far from them reads again and repeats."""

    kind: ClassVar[str] = "calibration"
    example: ClassVar[Any] = {
        "items": "calibration.csv",
        "count": 10,
        "reason": "reason",
        "pass": {"max_difference": 1, "except": 2},
        "attempts": 2,
    }

    pass_: PassRule = Field(alias="pass", description="When it is passed.")
    attempts: int = Field(default=2, ge=1, description="How often it may be tried before the coordinator is told.")

    def title(self, words: Words) -> str:
        return words("calibration.heading")
