"""What agreement rests on, in the same words everywhere: items, or sides or entries of items, that two judged."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

PARTS = {"side": ("side", "sides"), "entries": ("entry", "entries")}
"""What of an item is judged, where it is not the whole: one, and several."""
WHOLE = ("item", "items")


@dataclass(frozen=True, slots=True)
class Units:
    """So many units that two people or more judged, and of how many items they are.

    >>> str(Units("side", 160, 80)), str(Units("item", 1, 1)), str(Units("entries", 30)), Units("entries", 30).called
    ('160 sides of 80 items', '1 item', '30 entries', 'entries')
    """

    of: str
    """What is judged: the item, each side or each entry."""
    n: int
    items: int | None = None
    """Of how many items; None where that is not known."""

    @property
    def called(self) -> str:
        """What several of them are called."""
        return PARTS.get(self.of, WHOLE)[1]

    def __str__(self) -> str:
        said = _many(self.n, PARTS.get(self.of, WHOLE))
        return said if self.of not in PARTS or self.items is None else f"{said} of {_many(self.items, WHOLE)}"


def _many(count: int, words: tuple[str, str]) -> str:
    return f"{count:,} {words[0] if count == 1 else words[1]}"


def items_judged_by_two(judged: Iterable[tuple[object, object]]) -> int:
    """How many items have judgments of two people or more, from (item, annotator).

    >>> items_judged_by_two([("x", "ana"), ("x", "ana"), ("y", "ana"), ("y", "ben")])
    1
    """
    who: dict[object, set[object]] = defaultdict(set)
    for item, annotator in judged:
        who[item].add(annotator)
    return sum(len(people) > 1 for people in who.values())
