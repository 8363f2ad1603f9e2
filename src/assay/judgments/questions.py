"""Every question of an item, in the order of the page: a dimension is asked once, of each side, or of each entry."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from assay.inputs.counts import CountsInput
from assay.inputs.one_of import Choice
from assay.model import UNABLE, Slot
from assay.sides_and_candidates import on_sides
from assay.study.rubric import Dimension, Scope
from assay.study.schema import Study


@dataclass(frozen=True, slots=True)
class Question:
    """One question on the page."""

    slot: Slot
    dimension: Dimension
    title: str
    part: str
    """What it is asked of, where that is a side or a list of entries: questions of one part stand together."""
    unable: Choice | None
    turn: int | None = None
    """The turn that it belongs to, as the page counts them: from 1."""
    places: int | None = None
    """Where marks may name a place: the highest number that one can have in this item."""

    @property
    def key(self) -> str:
        """The name of its form field."""
        return self.slot.key

    @property
    def hotkeys(self) -> dict[str, str]:
        """Which key on the keyboard gives which form value."""
        keys = self.dimension.input.hotkeys()
        if self.unable is not None and self.unable.cap:
            keys[self.unable.cap] = UNABLE
        return keys


def questions_of(study: Study, shown: Mapping[str, Any]) -> tuple[Question, ...]:
    """Every question of an item, in order. Without entries they are the same for all items."""
    return tuple(question for block in _blocks(study) for question in _questions_of_block(study, list(block), shown))


def entries_of(shown: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The entries of one of an item's lists, each with its id and text."""
    found: list[dict[str, Any]] = shown.get(name) or []
    return found


def _blocks(study: Study) -> Iterator[Iterator[Dimension]]:
    """Runs of dimensions that are asked of the same thing, before or after the same reveal."""
    place = {dimension.dimension: index for index, dimension in enumerate(study.rubric)}
    ends = [max(place.get(name, -1) for name in block.after) for block in study.items.show if block.after]

    def belongs(dimension: Dimension) -> tuple[Any, int]:
        return dimension.scope, sum(place[dimension.dimension] > end for end in ends)

    for _, block in groupby(study.rubric, belongs):
        yield block


def _questions_of_block(study: Study, block: Sequence[Dimension], shown: Mapping[str, Any]) -> Iterator[Question]:
    scope = block[0].scope
    if scope.of == "side":
        for side, label in on_sides(study.sides).items():
            for dimension in block:
                slot = Slot(dimension.dimension, side=side)
                yield _make_question(study, dimension, slot, dimension.heading, label, shown)
    elif scope.of == "entries":
        for entry in entries_of(shown, scope.entries):
            for dimension in block:
                # One question for each entry: its text is the title. Several: the text stands above them.
                alone = len(block) == 1
                title = entry["text"] if alone else dimension.heading
                part = dimension.heading if alone else entry["text"]
                slot = Slot(dimension.dimension, entry=entry["id"])
                yield replace(
                    _make_question(study, dimension, slot, title, part, shown), turn=_turn_of(study, scope, entry)
                )
    else:
        for dimension in block:
            yield _make_question(study, dimension, Slot(dimension.dimension), dimension.heading, "", shown)


def _turn_of(study: Study, scope: Scope, entry: Mapping[str, Any]) -> int | None:
    at = entry.get(study.items.entries[scope.entries].turn)
    return at + 1 if isinstance(at, int) and not isinstance(at, bool) and at >= 0 else None


def _make_question(
    study: Study, dimension: Dimension, slot: Slot, title: str, part: str, shown: Mapping[str, Any]
) -> Question:
    label = study.unable(dimension)
    unable = Choice(UNABLE, _next_digit(dimension), label) if label else None
    kind = dimension.input
    places = kind.most_places(shown) if isinstance(kind, CountsInput) and kind.where else None
    return Question(slot, dimension, title, part, unable, places=places)


def _next_digit(dimension: Dimension) -> str:
    """The digit after the last one that the input uses, if there is one left."""
    digits = [int(key) for key in dimension.input.hotkeys() if key.isdigit()]
    return str(max(digits) + 1) if digits and max(digits) < 9 else ""
