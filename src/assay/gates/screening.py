"""Who can take part, asked before anything else; whoever cannot is thanked and let go."""

from typing import Any, ClassVar

from pydantic import Field

from assay.document import Document
from assay.gates import Gate
from assay.kinds import Many, Settings
from assay.words import Words


class ScreeningQuestion(Settings):
    """One question, with the answers that let a person go on."""

    ask: str = Field(description="The question.")
    options: dict[str, str] = Field(min_length=2, description="Each answer's name with its label.")
    go_on: Many[str] = Field(min_length=1, description="The names of the answers that let a person go on.")


class Screening(Gate):
    """Questions about who can take part. Whoever cannot is thanked, and shown where to turn."""

    kind: ClassVar[str] = "screening"
    example: ClassVar[Any] = {
        "questions": [{"ask": "Are you 18 or older?", "options": {"yes": "Yes", "no": "No"}, "go_on": ["yes"]}],
        "leave": "guide/leave.md",
    }
    acts: ClassVar[bool] = False

    questions: Many[ScreeningQuestion] = Field(min_length=1, description="The questions, in order.")
    leave: Document | None = Field(default=None, description="What is shown to whoever cannot take part.")

    def title(self, words: Words) -> str:
        return words("screening.heading")
