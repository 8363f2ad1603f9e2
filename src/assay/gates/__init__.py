"""Gates: the kinds of page that must be passed before work. One file each, with the template beside it."""

import hashlib
from functools import cached_property
from typing import Any, ClassVar

from pydantic import Field, model_validator

from assay.document import Document
from assay.kinds import GATES, Family, KindSettings
from assay.words import Words


class Gate(KindSettings):
    """What must be passed before work. A gate without data is not passed, and a changed text asks again."""

    family: ClassVar[Family[Any]] = GATES
    example: ClassVar[Any]
    """Settings as the study file has them, with every key of the kind: the reference shows them, tests try them."""

    acts: ClassVar[bool] = True
    """Whether it stands in an annotator's way yet. `assay check` names those that do not."""

    @cached_property
    def version(self) -> str:
        """Changes when what the annotator has to agree to or read changes."""
        return hashlib.sha256(self.model_dump_json(exclude_unset=True).encode()).hexdigest()[:16]

    def title(self, words: Words) -> str:
        """The heading of the page, in the language of these words."""
        raise NotImplementedError

    def decide(self, form: dict[str, str]) -> bool | None:
        """True: passed. False: the person leaves. None: no decision in this form, show the page again."""
        raise NotImplementedError

    def simulate(self) -> dict[str, str]:
        """The form a willing annotator sends."""
        raise NotImplementedError


class TextGate(Gate):
    """A gate that is one text and two buttons: go on, or leave."""

    go_on: ClassVar[str]

    short: ClassVar[dict[str, Any] | None] = {"type": "string"}

    text: Document = Field(description="The Markdown file with the text.")

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        return data if isinstance(data, dict) else {"text": data}

    def decide(self, form: dict[str, str]) -> bool | None:
        return {self.go_on: True, "leave": False}.get(form.get("choice", ""))

    def simulate(self) -> dict[str, str]:
        return {"choice": self.go_on}
