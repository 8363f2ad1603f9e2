"""How often each of several things was found, none needed: what went wrong in this item, and how often."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from assay.count_marks import AT, name_of_mark
from assay.errors import AnswerError
from assay.inputs import Answer
from assay.inputs.options import NONE, NamedOptions, parts_of_cell, plain
from assay.kinds import Shortcut
from assay.mistakes import mistake, quote
from assay.model import Level, Value
from assay.words import Translatable

MOST = 99
"""So often can one thing be counted: more than anybody finds."""
BOXES = 3
"""So many boxes each thing has on a page without scripts; there are always some more than are ticked."""
PLACE = re.compile("[1-9][0-9]{0,2}")
MOST_PLACES = 999
MARKS = re.compile(
    r"(?:(?P<before>\d{1,3})\s*[x×*]?\s+)?(?P<name>.+?)(?:\s*[x×*]\s*(?P<behind>\d{1,3}))?(?:\s*@\s*(?P<at>\d+))?"
)
"""How a cell may say it: `omission`, `omission x2`, `2 omission`, `omission @3`."""


class CountsInput(NamedOptions):
    """How often each of several things was found: a checklist that counts. Rules can turn the count into a score.

    Short: `counts: {omission: Omission}`. The value is a list with one mark for each time, such as
    `[omission, omission, refusal]`; with `where` a mark may say where, as in `omission @3`. With `none` the question
    has to be answered: key 0 says that nothing was found. The digits from 1 count one more each.
    """

    kind: ClassVar[str] = "counts"
    level: ClassVar[Level | None] = None
    answer: ClassVar[Answer] = "list"
    shortcut: ClassVar[Shortcut | None] = Shortcut(("C", "W"), Translatable("counts.keys"))
    example: ClassVar[Any] = {
        "options": {"refusal": "Refused without a reason", "omission": "Passed over a request"},
        "none": "Nothing found",
        "where": "turn",
        "where_in": "turns",
    }

    options: dict[str, str] = Field(min_length=1, description="What is counted: each thing's name with its label.")
    none: str = Field(
        default="", description="The label of the answer that nothing was found; left out: there is none."
    )
    where: str = Field(
        default="",
        description="What a mark may name the number of, such as `turn`: where it was found. Left out: not asked.",
    )

    where_in: str = Field(
        default="",
        description="The field with the list that `where` counts in, such as `turns`: a number beyond its end is "
        "refused. Left out: any number up to 999.",
    )

    @model_validator(mode="after")
    def _refuse_names_that_mean_something(self) -> Self:
        for name in self.options:
            if AT in name or (self.none and name == NONE):
                raise mistake(f"{name!r} cannot be the name of something that is counted", "give it another name", name)
        return self

    def hotkeys(self) -> dict[str, str]:
        digits = {str(number): name for number, name in enumerate(self.options, 1) if number < 10}
        return {"0": NONE, **digits} if self.none else digits

    def read(self, raw: Sequence[str]) -> Value:
        given = [text.strip() for text in raw if text.strip()]
        marks = [self._mark(text) for text in given if text != NONE or not self.none]
        if len(marks) < len(given):
            if marks:
                raise AnswerError(Translatable("counts.none_or_some", {"none": self.none}))
            return []
        for name, often in self.tally(marks).items():
            if often > MOST:
                raise AnswerError(Translatable("counts.too_often", {"name": quote(name), "most": MOST}))
        return self.in_order(marks) or None

    def _mark(self, text: str) -> str:
        name = name_of_mark(text)
        if name not in self.options:
            raise AnswerError(Translatable("counts.no_option", {"name": quote(name)}))
        if name != text and not (self.where and PLACE.fullmatch(text.removeprefix(name + AT))):
            raise _no_place(text.removeprefix(name + AT), MOST_PLACES)
        return text

    def most_places(self, shown: Mapping[str, Any]) -> int:
        """The highest number that a mark may name in an item."""
        found = shown.get(self.where_in) if self.where_in else None
        return len(found) if isinstance(found, list) else MOST_PLACES

    def refuse_places(self, value: Value, most: int) -> None:
        """Raise where a mark names a place that the item does not have."""
        for mark in value if isinstance(value, list) else ():
            place = mark.removeprefix(name_of_mark(mark)).removeprefix(AT)
            if place and int(place) > most:
                raise _no_place(place, most)

    def in_order(self, marks: Sequence[str]) -> list[str]:
        """The marks in the order of the things, and of each thing in that of their places; those without one last."""
        names = list(self.options)

        def place(mark: str) -> tuple[int, int]:
            name = name_of_mark(mark)
            return names.index(name), int(mark.removeprefix(name + AT)) if name != mark else MOST * MOST

        return sorted(marks, key=place)

    def tally(self, value: Value) -> dict[str, int]:
        """How often each thing was found, in the order of the study; nothing where there is no answer."""
        if not isinstance(value, list):
            return {}
        found = Counter(map(name_of_mark, value))
        return {name: found[name] for name in self.options}

    def boxes(self, raw: Sequence[str]) -> dict[str, list[tuple[str, bool]]]:
        """The checkboxes of each thing on the page, and whether each is ticked: one for each mark, and spare ones."""
        found = {name: [mark for mark in raw if name_of_mark(mark) == name] for name in self.options}
        return {
            name: [*((mark, True) for mark in marks), *[(name, False)] * max(1, BOXES - len(marks))]
            for name, marks in found.items()
        }

    def read_cell(self, text: str) -> list[str]:
        """Several marks, by name or label, with how often or with where."""
        names = self.names_in_cells(self.none)
        return [mark for part in parts_of_cell(text, names) for mark in _marks_in(part, names)]

    def answer_schema(self) -> dict[str, Any]:
        # A mark may say where, so that the names alone are not all that it can be.
        return {"type": "array", "items": {"type": "string"}} if self.where else super().answer_schema()

    def write(self, value: Value) -> list[str]:
        return [] if not isinstance(value, list) else value or [NONE] * bool(self.none)

    def show(self, value: Value) -> str:
        if value == []:
            return self.none
        return ", ".join(
            f"{self.options[name]}{f' ×{often}' if often > 1 else ''}{self._places(name, value)}"
            for name, often in self.tally(value).items()
            if often
        )

    def _places(self, name: str, value: Value) -> str:
        marks = value if isinstance(value, list) else []
        places = [mark.removeprefix(name + AT) for mark in marks if mark.startswith(name + AT)]
        return f" ({self.where} {', '.join(places)})" if places else ""

    def simulate(self, rng: Random, quality: float) -> list[str]:
        if self.none and quality > 0.8:
            return [NONE]
        often = min(3, max(1, round((1 - quality) * 3)))
        return self.in_order(rng.choices(list(self.options), k=often))


def _no_place(place: str, most: int) -> AnswerError:
    return AnswerError(Translatable("counts.no_place", {"place": quote(place), "most": most}))


def _marks_in(part: str, names: Mapping[str, str]) -> list[str]:
    if plain(part) in names:
        return [names[plain(part)]]
    said = MARKS.fullmatch(part)
    if said is None or plain(said["name"]) not in names:
        return [part]
    often = min(int(said["before"] or said["behind"] or 1), MOST + 1)
    return [names[plain(said["name"])] + (AT + said["at"] if said["at"] else "")] * often
