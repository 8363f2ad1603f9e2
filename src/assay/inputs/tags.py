"""Several ticks at once, none needed: what is special about this item."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from assay.errors import AnswerError
from assay.inputs import Answer
from assay.inputs.options import NONE, NamedOptions, parts_of_cell, plain
from assay.kinds import Shortcut
from assay.mistakes import mistake, quote
from assay.model import Level, Value
from assay.words import Translatable


class TagsInput(NamedOptions):
    """Several ticks at once. Ticked tags can trigger rules. Short: `tags: {empty: Empty reply}`.

    With `none` the question has to be answered: key 0 says that no tag applies, the digits from 1 tick and untick.
    """

    kind: ClassVar[str] = "tags"
    level: ClassVar[Level | None] = None
    answer: ClassVar[Answer] = "list"
    shortcut: ClassVar[Shortcut | None] = Shortcut(("T",), Translatable("tags.keys"))
    example: ClassVar[Any] = {
        "options": {"empty": "Empty or incoherent", "language": "Wrong language"},
        "none": "None of these",
    }

    options: dict[str, str] = Field(min_length=1, description="Each tag's name with its label.")
    none: str = Field(default="", description="The label of the answer that no tag applies; left out: there is none.")

    @model_validator(mode="after")
    def _refuse_tag_called_none(self) -> Self:
        if self.none and NONE in self.options:
            raise mistake(f"a tag cannot be called {NONE!r} beside the answer `none`", "give it another name", NONE)
        return self

    def hotkeys(self) -> dict[str, str]:
        digits = {str(number): name for number, name in enumerate(self.options, 1) if number < 10}
        return {"0": NONE, **digits} if self.none else digits

    def read(self, raw: Sequence[str]) -> Value:
        given = [name for name in raw if name.strip()]
        ticked = [name for name in self.options if name in given]
        none = NONE in given and bool(self.none)
        unknown = [name for name in given if name not in self.options and not (name == NONE and none)]
        if unknown:
            raise AnswerError(Translatable("tags.no_tag", {"tag": quote(unknown[0])}))
        if none and ticked:
            raise AnswerError(Translatable("tags.none_or_tags", {"none": self.none}))
        return [] if none else ticked or None

    def read_cell(self, text: str) -> list[str]:
        """Several tags, by name or label."""
        names = self.names_in_cells(self.none)
        return [names.get(plain(part), part) for part in parts_of_cell(text, names)]

    def write(self, value: Value) -> list[str]:
        return [] if not isinstance(value, list) else value or [NONE] * bool(self.none)

    def show(self, value: Value) -> str:
        if value == []:
            return self.none
        return ", ".join(self.options.get(name, name) for name in value) if isinstance(value, list) else ""

    def simulate(self, rng: Random, quality: float) -> list[str]:
        if self.none and rng.random() < 0.8:
            return [NONE]
        return [rng.choice(list(self.options))]
