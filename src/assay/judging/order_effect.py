"""Whether a judge says the same of a pair when its sides are swapped."""

from collections.abc import Iterable
from dataclasses import dataclass

from assay.judging.ask_item import ItemVerdict
from assay.judging.passes import PlannedPass
from assay.model import SIDES
from assay.sides_and_candidates import by_candidate
from assay.study.schema import Study


@dataclass(frozen=True, slots=True)
class OrderEffect:
    """What became of preferences that were asked in both orders."""

    both: int
    """How many preferences were answered in both orders."""
    same: int
    """How many of them chose the same candidate, or none, both times."""
    decided: int
    """How many answers chose a side, in either order."""
    left: int
    """How many of them chose the left one: half of them, where the side does not matter."""


def order_effect(study: Study, judged: Iterable[tuple[PlannedPass, ItemVerdict]]) -> OrderEffect:
    """The effect of the order, over all pairs that a judge was asked in both orders."""
    by_item: dict[tuple[str, int], list[tuple[PlannedPass, ItemVerdict]]] = {}
    for planned, verdict in judged:
        if not verdict.refused:
            by_item.setdefault((planned.item, planned.repeat), []).append((planned, verdict))
    comparing = study.preference_dimensions
    both = same = decided = left = 0
    for orders in by_item.values():
        if len({planned.swapped for planned, _ in orders}) < 2:
            continue
        for name in comparing:
            sides = [
                value for _, verdict in orders for slot, value in verdict.answers.items() if slot.dimension == name
            ]
            chosen = [
                value
                for planned, verdict in orders
                for slot, value in by_candidate(verdict.answers, comparing, planned.swapped).items()
                if slot.dimension == name
            ]
            both += len(chosen) == 2
            same += len(chosen) == 2 and chosen[0] == chosen[1]
            decided += sum(side in SIDES for side in sides)
            left += sides.count(SIDES[0])
    return OrderEffect(both, same, decided, left)
