"""Questions about the person: asked before work or after it, and kept apart from judgments and from names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from pydantic import Field, model_validator

from assay.errors import AnswerError
from assay.inputs import Input
from assay.mistakes import mistake
from assay.model import Value
from assay.study.field_types import Name, OneKind, heading_of
from assay.words import Translatable


class PersonQuestion(OneKind):
    """One question about the person, with the input that asks it."""

    question: Name = Field(description="Its name, in the data; no other question about the person may have the same.")
    title: str = Field(default="", description="Its heading on the page; made from the name where left out.")
    ask: str = Field(default="", description="The question in one line.")
    optional: bool = Field(default=False, description="May be left unanswered.")

    @model_validator(mode="after")
    def _is_about_one_person(self) -> Self:
        if self.only_kind is not None and self.only_kind.compares:
            what = f"{self.only_kind.kind} compares two sides, and a person has none"
            raise mistake(what, "ask with another input, such as choice", self.only_kind.kind)
        return self

    @property
    def input(self) -> Input:
        """The input that asks it."""
        kind: Input = self.only_kind
        return kind

    @property
    def heading(self) -> str:
        """What the page calls it."""
        return heading_of(self.title, self.question)

    @property
    def field(self) -> str:
        """The name of its form field: no other field of the page begins like that."""
        return f"about-{self.question}"

    @property
    def can_group(self) -> bool:
        """Whether people can be put into groups by its answer: one of several that can be listed."""
        return self.input.level is not None and bool(self.input.values())

    def read(self, raw: Sequence[str]) -> Value:
        """The answer in a form; raises AnswerError where there is none and one is needed, or it is no valid one."""
        value = self.input.read(raw)
        if value is None and not self.optional:
            raise AnswerError(Translatable("answers.missing"))
        return value


@dataclass(frozen=True, slots=True)
class PersonAnswer:
    """One answer of somebody about themselves."""

    annotator: str
    question: str
    value: Value
    answered_at: int
    simulated: bool


def refuse_repeated_questions(questionnaires: Iterable[tuple[tuple[str | int, ...], Any]]) -> None:
    """Refuse two questions about the person of one name; each questionnaire comes with its place in the file."""
    seen: set[str] = set()
    for at, asked in questionnaires:
        for index, each in enumerate(asked.questions):
            if each.question in seen:
                what = f"the question {each.question!r} stands here a second time"
                raise mistake(what, "give each its own name", *at, "questions", index, "question")
            seen.add(each.question)


def refuse_groups_without_list(groups: Sequence[str], questions: Mapping[str, PersonQuestion]) -> None:
    """Refuse groups by a question whose answers cannot be listed."""
    for index, name in enumerate(groups):
        asked = questions.get(name)
        if asked is not None and not asked.can_group:
            what = f"{name!r} is answered by {asked.input.kind}: its answers make no groups"
            raise mistake(what, "name a question with a choice, a scale or yes and no", "analysis", "groups", index)
