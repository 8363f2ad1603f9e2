"""Yes or no, neither of them chosen beforehand."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import Field

from assay.inputs import Answer
from assay.inputs.one_of import Choice, OneOf
from assay.model import Level
from assay.words import ENGLISH, Words


class YesNoInput(OneOf):
    """Yes or no, as 1 and 0 on the keyboard and in the data. Neither is chosen beforehand: silence is not a no."""

    kind: ClassVar[str] = "yes_no"
    level: ClassVar[Level | None] = "nominal"
    answer: ClassVar[Answer] = "number"
    brief: ClassVar[bool] = True
    in_columns: ClassVar[bool] = True
    example: ClassVar[Any] = {"yes": "Done", "no": "Not done"}

    yes: str | None = Field(
        default=None, min_length=1, description="The label of the answer 1; left out: yes, in the study's language."
    )
    no: str | None = Field(
        default=None, min_length=1, description="The label of the answer 0; left out: no, in the study's language."
    )

    def choices(self, sides: Sequence[str] = (), words: Words = ENGLISH) -> list[Choice]:
        return [Choice(0, "0", self.no or words("yes_no.no")), Choice(1, "1", self.yes or words("yes_no.yes"))]
