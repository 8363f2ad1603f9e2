"""The base of inputs that take one answer out of several."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from assay.errors import AnswerError
from assay.inputs import Input
from assay.model import Value
from assay.words import ENGLISH, Translatable, Words

WHOLE = re.compile(r"([+-]?\d{1,15})[.,]0*")
"""A whole number that was written with decimals."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer that can be chosen."""

    value: Value
    cap: str
    """The label of its key on the keyboard."""
    label: str


class OneOf(Input):
    """One answer out of several, none of them chosen beforehand."""

    def choices(self, sides: Sequence[str] = (), words: Words = ENGLISH) -> list[Choice]:
        """The answers in the order of the page; `sides` is what the page calls the two sides of a pair.

        Labels that the study leaves out come from `words`. No value depends on either.
        """
        raise NotImplementedError

    def values(self) -> tuple[Value, ...]:
        return tuple(choice.value for choice in self.choices())

    @cached_property
    def _by_text(self) -> dict[str, Value]:
        """Every answer by what a form has for it: made once, since each submission asks for it."""
        return {str(choice.value): choice.value for choice in self.choices()}

    def hotkeys(self) -> dict[str, str]:
        # A key has one sign: what needs two is reached by mouse, touch or arrows.
        return {choice.cap: str(choice.value) for choice in self.choices() if len(choice.cap) == 1}

    def read_cell(self, text: str) -> list[str]:
        """The answer in a cell. A spreadsheet or a data frame may have made 3.0 of a 3."""
        known = {str(value) for value in self.values()}
        found = None if text.strip() in known else WHOLE.fullmatch(text.strip())
        whole = str(int(found[1])) if found else ""
        return [whole if whole in known else text]

    def read(self, raw: Sequence[str]) -> Value:
        given = [text.strip() for text in raw if text.strip()]
        if not given:
            return None
        if len(given) > 1:
            raise AnswerError(Translatable("answers.only_one"))
        if given[0] not in self._by_text:
            raise AnswerError(self.advice())
        return self._by_text[given[0]]

    def advice(self) -> Translatable | str:
        """What to do, for somebody whose answer is invalid."""
        return Translatable("answers.choose_one")

    def show(self, value: Value) -> str:
        return next((choice.label for choice in self.choices() if choice.value == value), super().show(value))

    def simulate(self, rng: Random, quality: float) -> list[str]:
        known = self.values()
        return [str(known[min(len(known) - 1, max(0, int(quality * len(known))))])]
