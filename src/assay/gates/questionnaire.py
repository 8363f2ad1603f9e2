"""Questions about the person, of any kind of input. The answers are kept apart from judgments and from names."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from pydantic import Field

from assay.errors import AnswerError
from assay.gates import Gate, PersonForm
from assay.kinds import Many
from assay.markdown_file import MarkdownFile
from assay.model import Value
from assay.words import Translatable, Words


class PersonQuestionnaire(Gate):
    """Questions about the person, all on one page, each asked by any kind of input that compares nothing.

    The answers are kept apart from judgments and from names, stand in no export unless it is asked for, and go when
    the person is erased.
    """

    kind: ClassVar[str] = "questionnaire"
    asks_person: ClassVar[bool] = True
    example: ClassVar[Any] = {
        "questions": [
            {
                "question": "experience",
                "title": "Experience",
                "ask": "How often do you use such systems?",
                "choice": {"never": "Never", "sometimes": "Sometimes", "daily": "Daily"},
            },
            {"question": "languages", "ask": "Which languages do you speak?", "text": {}, "optional": True},
        ],
        "title": "About you",
        "text": "guide/about-you.md",
    }

    questions: Many[Any] = Field(min_length=1, description="The questions, in order.")
    title_: str = Field(
        default="", alias="title", description="The heading of the page; left out: a word of the study's language."
    )
    text: MarkdownFile | None = Field(default=None, description="A Markdown file with what is said before them.")

    def title(self, words: Words) -> str:
        return self.title_ or words("questionnaire.heading")

    def headings(self) -> dict[str, str]:
        return {each.field: each.heading for each in self.questions}

    def read_person(self, form: Mapping[str, Sequence[str]]) -> PersonForm:
        answers: dict[str, Value] = {}
        refused: dict[str, Translatable | str] = {}
        for each in self.questions:
            try:
                answers[each.question] = each.read(form.get(each.field, ()))
            except AnswerError as error:
                refused[each.field] = error.words
        return PersonForm(answers, refused)

    def decide(self, form: Mapping[str, str]) -> bool | None:
        return None if self.missing(form) else True

    def missing(self, form: Mapping[str, str]) -> list[str]:
        return list(self.read_person({name: _as_list(given) for name, given in form.items()}).refused)

    def simulate(self) -> dict[str, str | list[str]]:
        needed = {each.field for each in self.questions if not each.optional}
        form = self.answers_by_chance(Random(0))
        return {name: given[0] if len(given) == 1 else given for name, given in form.items() if name in needed}

    def answers_by_chance(self, chance: Random) -> dict[str, list[str]]:
        """The form of a simulated person."""
        return {each.field: each.input.simulate(chance, chance.random()) for each in self.questions}


class QuestionsAtEnd(PersonQuestionnaire):
    """Questions after the work, such as free feedback: asked of whoever has judged something and has nothing left.

    The same keys as a questionnaire before work.
    """

    def title(self, words: Words) -> str:
        return self.title_ or words("questionnaire.heading_at_end")


def _as_list(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)
