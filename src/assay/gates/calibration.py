"""Items with agreed scores: feedback after each, and a rule for who may begin."""

from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from assay.gates.practice import Practice
from assay.kinds import STATISTICS, Settings
from assay.mistakes import mistake
from assay.words import Words

EXACT = 1e-9
"""Tolerance for rounding where a coefficient is compared with its threshold."""


class PassRule(Settings):
    """When a calibration is passed: by differences from the reference, or by agreement with it."""

    max_difference: int | None = Field(default=None, ge=0, description="A larger difference counts as far apart.")
    except_: int = Field(default=0, ge=0, alias="except", description="On so many items of a dimension it may happen.")
    at_least: float | None = Field(default=None, ge=-1, le=1, description="Or: agreement with the reference.")
    coefficient: str = Field(default="cohen_kappa_linear", description="By which coefficient.")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.max_difference is None) == (self.at_least is None):
            raise mistake("it is not clear when this is passed", "write either max_difference or at_least")
        if self.coefficient not in STATISTICS:
            known = ", ".join(STATISTICS)
            raise mistake(f"there is no coefficient {self.coefficient!r}", f"write one of: {known}", "coefficient")
        return self

    def holds(self, compared: int, far: int, missing: int, agreement: float | None) -> bool:
        """Whether one dimension is passed. Without data it is not, and what was not answered counts as far apart.

        Args:
            compared: How many answers stand beside a reference.
            far: On how many items one of them is further away than `max_difference`.
            missing: How many items have no answer beside the reference.
            agreement: The coefficient, or None where it is undefined.
        """
        if compared == 0:
            return False
        if self.max_difference is not None:
            return far + missing <= self.except_
        enough = agreement is not None and self.at_least is not None and agreement >= self.at_least - EXACT
        return enough and missing <= self.except_


class Calibration(Practice):
    """Items with agreed scores, judged with feedback after each. Who is too far from them reads again and repeats."""

    kind: ClassVar[str] = "calibration"
    example: ClassVar[Any] = {
        "items": "calibration.csv",
        "count": 10,
        "reason": "reason",
        "pass": {"max_difference": 1, "except": 2},
        "attempts": 2,
        "again": 6,
        "talk": True,
    }

    pass_: PassRule = Field(alias="pass", description="When it is passed.")
    attempts: int = Field(default=2, ge=1, description="How often it may be tried before the coordinator is told.")
    again: int | None = Field(
        default=None, ge=1, description="How many items each further try has; left out: as many as the first."
    )
    talk: bool = Field(
        default=False,
        description="Whether work begins only when the coordinator lets the person go on: after talking over the "
        "differences, with `assay gate NAME calibration`.",
    )

    def title(self, words: Words) -> str:
        return words("calibration.heading")

    def item_heading(self, words: Words, number: int, total: int) -> str:
        return words("calibration.place", number=number, total=total)

    def introduction(self, words: Words, total: int) -> str:
        return words("calibration.what", n=total)

    def items_in_attempt(self, attempt: int) -> int:
        return self.count if attempt == 1 else self.again or self.count

    @property
    def most_attempts(self) -> int | None:
        return self.attempts
