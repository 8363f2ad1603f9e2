"""The order in which judgments are added up, drawn from and listed, however they were read."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any

from assay.model import Judgment

_TURN = attrgetter("item", "annotator", "pass_", "revision")
_WITHIN = attrgetter("dimension", "system", "entry", "submitted_at", "submission")


def of_submissions(judgments: Iterable[Judgment], keep: Callable[[Judgment], bool]) -> list[Judgment]:
    """The judgments of the submissions that `keep` accepts; it is asked once for each submission's judgments in a row.

    Where all are kept, the same list is returned, which is never changed: a copy of a million judgments takes 8 MB.
    """
    found, last, kept = list[Judgment](), None, False
    for each in judgments:
        if each.together is not last:
            last, kept = each.together, keep(each)
        if kept:
            found.append(each)
    return judgments if isinstance(judgments, list) and len(found) == len(judgments) else found


def one_of_each_submission(judgments: Iterable[Judgment]) -> Iterator[Judgment]:
    """The first of each submission's judgments in a row: for what all of them have in common."""
    last = None
    for each in judgments:
        if each.together is not last:
            last = each.together
            yield each


class InOrder(list[Judgment]):
    """Judgments in canonical order already: they are not sorted again, since there may be a million of them."""

    def part(self, keep: Callable[[Judgment], bool]) -> "InOrder":
        """The judgments of the submissions that `keep` accepts, in order; it may look at what they share alone."""
        found = of_submissions(self, keep)
        return found if isinstance(found, InOrder) else InOrder(found)


def item_by_item(judgments: Iterable[Judgment]) -> Iterator[Iterator[Judgment]]:
    """The judgments of one item after the other, given in order: what is made of one need not be kept for the next."""
    return (of_item for _, of_item in groupby(judgments, attrgetter("item")))


def in_canonical_order(judgments: Iterable[Judgment]) -> InOrder:
    """The judgments item by item, and within an item annotator by annotator: an order that follows from them alone.

    So nothing that is drawn, added up or listed depends on the order in which they were read. Whoever needs them in
    the order of time sorts them by it.
    """
    if isinstance(judgments, InOrder):
        return judgments
    by_turn: dict[tuple[Any, ...], list[Judgment]] = defaultdict(list)
    for each in judgments:
        by_turn[_TURN(each)].append(each)
    found = InOrder()
    for turn in sorted(by_turn):
        found += sorted(by_turn.pop(turn), key=_WITHIN)
    return found
