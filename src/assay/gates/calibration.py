"""Items with agreed scores: feedback after each, and a rule for who may begin."""

from typing import Any, ClassVar

from pydantic import Field

from assay.gates.calibration_rule import PassRule
from assay.gates.practice import Practice
from assay.words import Words


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
    attempts: int = Field(default=2, ge=1, description="How many attempts there are before the coordinator is told.")
    again: int | None = Field(
        default=None, ge=1, description="How many items each further attempt has; left out: as many as the first."
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

    @property
    def rule(self) -> PassRule:
        return self.pass_

    @property
    def waits_for_talk(self) -> bool:
        return self.talk
