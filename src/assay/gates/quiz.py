"""Questions about the guidelines, each answer explained."""

from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from assay.gates import Gate
from assay.kinds import Many, Settings
from assay.problems import wrong
from assay.words import Words


class QuizQuestion(Settings):
    """One question with its right answer."""

    ask: str = Field(description="The question.")
    options: dict[str, str] = Field(min_length=2, description="Each answer's name with its label.")
    answer: str = Field(description="The name of the right one.")
    why: str = Field(default="", description="What is said after an answer.")

    @model_validator(mode="after")
    def _answer_is_there(self) -> Self:
        if self.answer not in self.options:
            raise wrong(f"{self.answer!r} is none of the options", f"write one of: {', '.join(self.options)}", "answer")
        return self


class Quiz(Gate):
    """Questions about the guidelines; each answer is explained, and the first try is kept."""

    kind: ClassVar[str] = "quiz"
    example: ClassVar[Any] = {
        "questions": [
            {"ask": "Is a long reply better?", "options": {"yes": "Yes", "no": "No"}, "answer": "no", "why": "Never."}
        ],
        "tries": 3,
    }
    acts: ClassVar[bool] = False

    questions: Many[QuizQuestion] = Field(min_length=1, description="The questions, in order.")
    tries: int | None = Field(default=None, ge=1, description="How many tries there are; left out: as many as needed.")

    def title(self, words: Words) -> str:
        return words("quiz.heading")
