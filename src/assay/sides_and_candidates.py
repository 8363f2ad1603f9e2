"""Converts between sides and candidates, in both directions; nothing else in the program does.

An item that compares two systems has two candidates, whose roles are `a` and `b` in the order of `Item.systems`. On the
page one stands left and the other right; `swapped` says whether `b` stands left. The page and what it sends is about
sides. What is stored, computed and exported is about candidates, by their role or by their system.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from assay.model import CANDIDATES, ROLES, SIDES, Judgment, Slot, Value

T = TypeVar("T")

OTHER_ROLE = dict(zip(ROLES, ROLES[::-1], strict=True))


def roles_by_side(swapped: bool | None = False) -> dict[str, str]:
    """Which candidate stands on each side.

    >>> roles_by_side(), roles_by_side(swapped=True)
    ({'left': 'a', 'right': 'b'}, {'left': 'b', 'right': 'a'})
    """
    return dict(zip(SIDES, ROLES[::-1] if swapped else ROLES, strict=True))


def sides_by_role(swapped: bool | None = False) -> dict[str, str]:
    """On which side each candidate stands."""
    return {role: side for side, role in roles_by_side(swapped).items()}


def systems_by_role(systems: Sequence[str]) -> dict[str, str]:
    """The system of each candidate of an item; nothing where the item compares no two.

    >>> systems_by_role(["x", "y"]), systems_by_role(["x"])
    ({'a': 'x', 'b': 'y'}, {})
    """
    return dict(zip(ROLES, systems, strict=True)) if len(systems) == len(ROLES) else {}


def in_page_order(two: Sequence[T], swapped: bool | None) -> Sequence[T]:
    """Two things in the order of the item's systems, put in the order of the page (left first); or back again."""
    return two[::-1] if swapped else two


def on_sides(left_and_right: Sequence[T]) -> dict[str, T]:
    """Two things in the order of the page, by side; empty where there are not two."""
    return dict(zip(SIDES, left_and_right, strict=True)) if len(left_and_right) == len(SIDES) else {}


def sides_of(left_and_right: Sequence[str]) -> dict[str, str]:
    """The side of each of two things that come in the order of the page."""
    return {name: side for side, name in on_sides(left_and_right).items()}


def on_screen(shown: Mapping[str, Any], swapped: bool | None) -> dict[str, Any]:
    """What an item shows, with its two candidates in the order in which this annotator sees them."""
    if not swapped or CANDIDATES not in shown:
        return dict(shown)
    return {**shown, CANDIDATES: list(in_page_order(shown[CANDIDATES], swapped))}


def shows_the_same_twice(shown: Mapping[str, Any]) -> bool:
    """Whether both candidates of an item show the same content."""
    candidates = shown.get(CANDIDATES) or []
    return len(candidates) == len(ROLES) and candidates[0] == candidates[1]


def slot_of_candidate(slot: Slot, swapped: bool | None = False) -> Slot:
    """A question's slot with the candidate's role in place of its side."""
    return Slot(slot.dimension, roles_by_side(swapped).get(slot.side, ""), slot.entry)


def by_candidate(answers: Mapping[Slot, Value], comparing: Collection[str], swapped: bool | None) -> dict[Slot, Value]:
    """Answers about sides, converted to answers about candidates, for which it does not matter who stood where.

    `comparing` names the dimensions whose value points at a side. Where nothing was drawn, there is nothing to undo.
    """
    return dict(answers) if swapped is None else _rename_sides(answers, comparing, roles_by_side(swapped))


def by_side(answers: Mapping[Slot, Value], comparing: Collection[str], swapped: bool | None) -> dict[Slot, Value]:
    """Answers about candidates, converted back to answers about sides, as the page sent them."""
    return dict(answers) if swapped is None else _rename_sides(answers, comparing, sides_by_role(swapped))


def _rename_sides(
    answers: Mapping[Slot, Value], comparing: Collection[str], names: Mapping[str, str]
) -> dict[Slot, Value]:
    return {
        Slot(slot.dimension, names.get(slot.side, ""), slot.entry): names.get(str(value), value)
        if slot.dimension in comparing
        else value
        for slot, value in answers.items()
    }


def value_on_page(judgment: Judgment) -> str:
    """A value as the annotator gave it: of a preference, the side."""
    if judgment.left and judgment.value in judgment.systems:
        return SIDES[judgment.value != judgment.left]
    return str(judgment.value)
