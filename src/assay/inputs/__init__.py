"""Inputs: the kinds of control that ask a question. One file each, with the template beside it."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Literal

from assay.kinds import INPUTS, Family, KindSettings, Shortcut
from assay.model import Level, Value

Answer = Literal["number", "word", "list", "text"]


class Input(KindSettings):
    """How one dimension is asked. Fields of a subclass are its study-file keys; its docstring is its documentation."""

    family: ClassVar[Family[Any]] = INPUTS
    level: ClassVar[Level | None] = None
    """The level of measurement of the values, which decides the statistics; None where there is nothing to compute."""

    answer: ClassVar[Answer] = "text"
    """The type of an answer. The page needs it, since its rules see the same answers as those of the server."""

    compares: ClassVar[bool] = False
    """Whether an answer names a side of a pair. Which system is meant depends on the sides that were drawn."""

    brief: ClassVar[bool] = False
    """Whether its answers have names so short that all of them can be read on one line."""

    in_columns: ClassVar[bool] = False
    """Whether, asked of many entries, its answers stand in columns with their names once above."""

    shortcut: ClassVar[Shortcut | None] = None
    """The key that leads to the first question of this kind on the page, where there is one."""

    example: ClassVar[Any]
    """Settings as the study file has them, with every key of the kind, for the reference and for tests."""

    def values(self) -> tuple[Value, ...]:
        """Every legal value, in order, where they can be listed. Statistics take the scale from here."""
        return ()

    def option_names(self) -> tuple[str, ...]:
        """The names of its answers, where they have names: rules ask for a tag by its name."""
        return ()

    def hotkeys(self) -> dict[str, str]:
        """Which key on the keyboard gives which form value; the page and the bots use the same."""
        return {}

    def shortcuts(self) -> tuple[Shortcut, ...]:
        """Every key that it brings besides digits, for the list of keys."""
        return (self.shortcut,) if self.shortcut is not None else ()

    def read(self, raw: Sequence[str]) -> Value:
        """Turn form strings into a value, None where there is no answer. Raises AnswerError for an invalid one."""
        raise NotImplementedError

    def read_cell(self, text: str) -> list[str]:
        """The form strings of an answer that stands in one cell of a file."""
        return [text]

    def answer_schema(self) -> dict[str, Any]:
        """The JSON Schema of an answer as a value, for those that answer in JSON. `read` decides all the same."""
        if listed := self.values():
            return {"enum": list(listed)}
        named = {"enum": list(self.option_names())} if self.option_names() else {}
        types: dict[Answer, dict[str, Any]] = {
            "number": {"type": "number"},
            "list": {"type": "array", "items": {"type": "string", **named}},
        }
        return types.get(self.answer, {"type": "string"})

    def write(self, value: Value) -> list[str]:
        """The form strings of a value: what `read` turns back into it."""
        return [] if value is None else [str(value)]

    def show(self, value: Value) -> str:
        """A value in words, for the report and messages."""
        return "" if value is None else str(value)

    def simulate(self, rng: Random, quality: float) -> list[str]:
        """The form strings of somebody who finds the quality this good, from 0 (worst) to 1 (best)."""
        raise NotImplementedError
