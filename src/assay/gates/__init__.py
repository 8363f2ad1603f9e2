"""Gates: the kinds of page that must be passed before work. One file each, with the template beside it."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from assay.gates.calibration_rule import PassRule
from assay.kinds import GATES, Family, KindSettings, Settings
from assay.markdown_file import MarkdownFile
from assay.model import Value
from assay.words import Translatable, Words


@dataclass(frozen=True, slots=True)
class PersonForm:
    """What somebody has answered about themselves."""

    answers: dict[str, Value]
    """By question; None where one that may be left out was."""
    refused: dict[str, Translatable | str]
    """By form field, why its answer is none."""


class Gate(KindSettings):
    """What must be passed before work. A gate without data is not passed; a changed one must be passed again."""

    family: ClassVar[Family[Any]] = GATES
    example: ClassVar[Any]
    """Settings as the study file has them, with every key of the kind, for the reference and for tests."""

    after_no: ClassVar[Literal["leave", "out", "again"]] = "leave"
    """What happens to somebody who does not pass: `leave` (they may come back), `out` (for good), or `again`."""

    by_hand: ClassVar[bool] = False
    """Whether a coordinator can let somebody pass. True where one can fail, never where a person reads and agrees."""

    has_items: ClassVar[bool] = False
    """Whether it is passed by judging items, instead of by sending a form."""

    asks_person: ClassVar[bool] = False
    """Whether it asks about the person: what `read_person` reads is kept apart from everything else."""

    @cached_property
    def version(self) -> str:
        """A hash of the settings and texts. Where it changes, the gate has to be passed again."""
        return hashlib.sha256(self.model_dump_json(exclude_unset=True).encode()).hexdigest()[:16]

    def title(self, words: Words) -> str:
        """The heading of the page, in the language of these words."""
        raise NotImplementedError

    def decide(self, form: Mapping[str, str]) -> bool | None:
        """True: passed. False: not passed, and `after_no` follows. None: nothing is decided, show the page again."""
        raise NotImplementedError

    def missing(self, form: Mapping[str, str]) -> list[str]:
        """The form fields that have no answer yet, as far as the gate can tell."""
        return []

    def headings(self) -> dict[str, str]:
        """What the fields of its form ask, by their names."""
        return {}

    def answers_to_store(self, form: Mapping[str, str]) -> dict[str, str]:
        """The answers of an attempt that are stored with its outcome."""
        return {}

    def kept_meanwhile(self, form: Mapping[str, str]) -> dict[str, str]:
        """The part of an incomplete form that is kept for the next one, on whichever device that is filled in."""
        return {}

    def read_person(self, form: Mapping[str, Sequence[str]]) -> PersonForm:
        """The answers about the person in a form."""
        raise NotImplementedError

    @property
    def most_attempts(self) -> int | None:
        """How many attempts there are; None: as many as needed."""
        return None

    def about(self, heading: str) -> str:
        """What its text says under a heading, as Markdown; nothing where it says nothing of it."""
        return ""

    # A gate that is passed by judging items also says which, how many, and by which rule.

    @property
    def item_file(self) -> str:
        """The file with its items, beside the study file; nothing where it has none."""
        return ""

    @property
    def reason_field(self) -> str:
        """The field of its items that says why the reference is what it is."""
        return ""

    def items_in_attempt(self, attempt: int) -> int:
        """How many items an attempt has, by its number from 1."""
        return 0

    @property
    def minutes_to_read(self) -> int:
        """About how many minutes there is to read before it is passed."""
        return 0

    @property
    def rule(self) -> PassRule | None:
        """When it is passed; None: by having judged its items."""
        return None

    @property
    def waits_for_talk(self) -> bool:
        """Whether somebody who has passed goes on only when the coordinator says so."""
        return False

    def item_heading(self, words: Words, number: int, total: int) -> str:
        """The heading of one of its items: which one of how many."""
        raise NotImplementedError

    def introduction(self, words: Words, total: int) -> str:
        """What is said before the first item."""
        raise NotImplementedError

    def simulate(self) -> Mapping[str, str | list[str]]:
        """The form that an annotator sends who passes."""
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


class ChoiceQuestion(Settings):
    """A question with its answers, one of which is chosen."""

    ask: str = Field(description="The question.")
    options: dict[str, str] = Field(min_length=2, description="Each answer's name with its label.")


class QuestionGate(Gate):
    """A gate that asks some questions, all on one page."""

    def questions_by_field(self) -> Mapping[str, ChoiceQuestion]:
        """The questions, each by the name of its form field."""
        raise NotImplementedError

    def headings(self) -> dict[str, str]:
        return {name: question.ask for name, question in self.questions_by_field().items()}

    def choices_in(self, form: Mapping[str, str]) -> dict[str, str]:
        """The valid answers in a form, by form field."""
        return {
            name: form[name]
            for name, question in self.questions_by_field().items()
            if form.get(name) in question.options
        }

    def missing(self, form: Mapping[str, str]) -> list[str]:
        given = self.choices_in(form)
        return [name for name in self.questions_by_field() if name not in given]
