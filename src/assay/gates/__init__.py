"""Gates: the kinds of page that must be passed before work. One file each, with the template beside it."""

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from assay.kinds import GATES, Family, KindSettings, Settings
from assay.markdown_file import MarkdownFile
from assay.words import Words


class Gate(KindSettings):
    """What must be passed before work. A gate without data is not passed, and a changed text asks again."""

    family: ClassVar[Family[Any]] = GATES
    example: ClassVar[Any]
    """Settings as the study file has them, with every key of the kind: the reference shows them, tests try them."""

    after_no: ClassVar[Literal["leave", "out", "again"]] = "leave"
    """What follows a no: the person leaves and may come back, is out for good, or tries again."""

    by_hand: ClassVar[bool] = False
    """Whether a coordinator can let somebody pass: where one can fail, and never where a person reads and agrees."""

    judges: ClassVar[bool] = False
    """Whether it is passed by judging items, and not by a form."""

    @cached_property
    def version(self) -> str:
        """Changes when what the annotator has to agree to or read changes."""
        return hashlib.sha256(self.model_dump_json(exclude_unset=True).encode()).hexdigest()[:16]

    def title(self, words: Words) -> str:
        """The heading of the page, in the language of these words."""
        raise NotImplementedError

    def decide(self, form: Mapping[str, str]) -> bool | None:
        """True: passed. False: not passed, and `after_no` follows. None: nothing is decided, show the page again."""
        raise NotImplementedError

    def missing(self, form: Mapping[str, str]) -> list[str]:
        """The fields of the form that wait for an answer, where they can be told."""
        return []

    def kept(self, form: Mapping[str, str]) -> dict[str, str]:
        """What of a try is stored beside its outcome."""
        return {}

    @property
    def most_tries(self) -> int | None:
        """How often it can be tried; None: as often as needed."""
        return None

    def simulate(self) -> dict[str, str]:
        """The form a willing annotator sends."""
        raise NotImplementedError


class TextGate(Gate):
    """A gate that is one text and two buttons: go on, or leave."""

    go_on: ClassVar[str]

    short: ClassVar[dict[str, Any] | None] = {"type": "string"}

    text: MarkdownFile = Field(description="The Markdown file with the text.")

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        return data if isinstance(data, dict) else {"text": data}

    def decide(self, form: Mapping[str, str]) -> bool | None:
        return {self.go_on: True, "leave": False}.get(form.get("choice", ""))

    def simulate(self) -> dict[str, str]:
        return {"choice": self.go_on}


class Choosing(Settings):
    """A question with its answers, one of which is chosen."""

    ask: str = Field(description="The question.")
    options: dict[str, str] = Field(min_length=2, description="Each answer's name with its label.")


class QuestionGate(Gate):
    """A gate that asks some questions, all on one page."""

    def asked(self) -> Mapping[str, Choosing]:
        """The questions by their form fields."""
        raise NotImplementedError

    def chosen(self, form: Mapping[str, str]) -> dict[str, str]:
        """What was chosen, as far as it is an answer."""
        return {name: form[name] for name, question in self.asked().items() if form.get(name) in question.options}

    def missing(self, form: Mapping[str, str]) -> list[str]:
        given = self.chosen(form)
        return [name for name in self.asked() if name not in given]
