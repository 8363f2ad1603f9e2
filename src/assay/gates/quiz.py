"""Questions about the guidelines, each answer explained."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from assay.gates import ChoiceQuestion, QuestionGate
from assay.kinds import Many
from assay.mistakes import mistake
from assay.words import Words


class QuizQuestion(ChoiceQuestion):
    """One question with its right answer."""

    answer: str = Field(description="The name of the right one.")
    why: str = Field(default="", description="What is said after an answer.")

    @model_validator(mode="after")
    def _answer_is_there(self) -> Self:
        if self.answer not in self.options:
            raise mistake(
                f"{self.answer!r} is none of the options", f"write one of: {', '.join(self.options)}", "answer"
            )
        return self


class Quiz(QuestionGate):
    """Questions about the guidelines, all on one page; each answer is explained. All attempts are stored."""

    kind: ClassVar[str] = "quiz"
    by_hand: ClassVar[bool] = True
    example: ClassVar[Any] = {
        "questions": [
            {"ask": "Is a long reply better?", "options": {"yes": "Yes", "no": "No"}, "answer": "no", "why": "Never."}
        ],
        "tries": 3,
    }
    after_no: ClassVar[Literal["leave", "out", "again"]] = "again"

    questions: Many[QuizQuestion] = Field(min_length=1, description="The questions, in order.")
    tries: int | None = Field(
        default=None, ge=1, description="How many attempts there are; left out: as many as needed."
    )

    def title(self, words: Words) -> str:
        return words("quiz.heading")

    def questions_by_field(self) -> Mapping[str, QuizQuestion]:
        return {f"q-{number}": question for number, question in enumerate(self.questions)}

    def decide(self, form: Mapping[str, str]) -> bool | None:
        if self.missing(form):
            return None
        return all(form[name] == question.answer for name, question in self.questions_by_field().items())

    def answers_to_store(self, form: Mapping[str, str]) -> dict[str, str]:
        return self.choices_in(form)

    @property
    def most_attempts(self) -> int | None:
        return self.tries

    def simulate(self) -> dict[str, str]:
        return {name: question.answer for name, question in self.questions_by_field().items()}
