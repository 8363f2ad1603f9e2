"""Free text, with phrases that one click puts in."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from assay.errors import AnswerError
from assay.inputs import Input
from assay.kinds import Many, Shortcut
from assay.mistakes import mistake, quote
from assay.model import Value
from assay.words import Translatable

TO_PHRASES = Shortcut(("P",), Translatable("text.phrase_keys"))


class TextInput(Input):
    """Free text, with `phrases` that one click puts in."""

    kind: ClassVar[str] = "text"
    shortcut: ClassVar[Shortcut | None] = Shortcut(("N", Translatable("keyboard.esc")), Translatable("text.keys"))
    example: ClassVar[Any] = {"phrases": ["truncated", "template-like"], "longest": 500}

    phrases: Many[str] = Field(default=(), description="Phrases offered as buttons.")
    longest: int = Field(default=4000, ge=1, le=100_000, description="The most characters that are taken.")

    @model_validator(mode="after")
    def _phrases_fit(self) -> Self:
        for index, phrase in enumerate(self.phrases):
            if not 0 < len(phrase.strip()) <= self.longest:
                hint = f"a phrase has between 1 and {self.longest} characters"
                raise mistake(f"the phrase {quote(phrase)} cannot be an answer", hint, "phrases", index)
        return self

    def hotkeys(self) -> dict[str, str]:
        # As they stand on the page: blanks around a phrase are no part of it.
        return {str(number): phrase.strip() for number, phrase in enumerate(self.phrases[:9], 1)}

    def shortcuts(self) -> tuple[Shortcut, ...]:
        return (*super().shortcuts(), *([TO_PHRASES] if self.phrases else []))

    def read(self, raw: Sequence[str]) -> Value:
        # A browser sends CRLF for a line break; white space alone is not an answer.
        text = "\n".join(raw).replace("\r\n", "\n").strip()
        if len(text) > self.longest:
            raise AnswerError(Translatable("text.too_long", {"length": len(text), "longest": self.longest}))
        if any(character == "\x00" or "\ud800" <= character <= "\udfff" for character in text):
            raise AnswerError(Translatable("text.odd_character"))
        return text or None

    def simulate(self, rng: Random, quality: float) -> list[str]:
        phrases = self.phrases or ("clear case", "the wording decides it", "see the first sentence")
        return [rng.choice(phrases)[: self.longest]]
