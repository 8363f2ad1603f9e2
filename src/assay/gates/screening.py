"""Who can take part, asked before anything else; whoever cannot is thanked and let go."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from assay.gates import ChoiceQuestion, QuestionGate
from assay.kinds import Many
from assay.markdown_file import MarkdownFile
from assay.mistakes import mistake
from assay.words import Words


class ScreeningQuestion(ChoiceQuestion):
    """One question, with the answers that let a person go on."""

    go_on: Many[str] = Field(min_length=1, description="The names of the answers that let a person go on.")

    @model_validator(mode="after")
    def _answers_are_there(self) -> Self:
        unknown = [name for name in self.go_on if name not in self.options]
        if unknown:
            hint = f"write some of: {', '.join(self.options)}"
            raise mistake(f"{unknown[0]!r} is none of the options", hint, "go_on", self.go_on.index(unknown[0]))
        return self


class Screening(QuestionGate):
    """Questions about who can take part. Whoever cannot is thanked, and shown where to turn.

    Only the outcome is stored: what somebody answered about themselves is not.
    """

    kind: ClassVar[str] = "screening"
    by_hand: ClassVar[bool] = True
    example: ClassVar[Any] = {
        "questions": [{"ask": "Are you 18 or older?", "options": {"yes": "Yes", "no": "No"}, "go_on": ["yes"]}],
        "leave": "guide/leave.md",
    }
    after_no: ClassVar[Literal["leave", "out", "again"]] = "out"

    questions: Many[ScreeningQuestion] = Field(min_length=1, description="The questions, in order.")
    leave: MarkdownFile | None = Field(default=None, description="What is shown to whoever cannot take part.")

    def title(self, words: Words) -> str:
        return words("screening.heading")

    def questions_by_field(self) -> Mapping[str, ScreeningQuestion]:
        return {f"q-{number}": question for number, question in enumerate(self.questions)}

    def decide(self, form: Mapping[str, str]) -> bool | None:
        if self.missing(form):
            return None
        return all(form[name] in question.go_on for name, question in self.questions_by_field().items())

    @property
    def most_attempts(self) -> int | None:
        return 1

    def simulate(self) -> dict[str, str]:
        return {name: question.go_on[0] for name, question in self.questions_by_field().items()}
