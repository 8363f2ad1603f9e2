"""The order in which judgments are added up, drawn from and listed, however they were read."""

from collections.abc import Callable, Iterable
from operator import attrgetter

from assay.model import Judgment

_PLACE = attrgetter(
    *("item", "annotator", "pass_", "revision", "dimension", "system", "entry", "submitted_at", "submission")
)


class InOrder(list[Judgment]):
    """Judgments that stand in that order already, and are not sorted again: there may be a million of them."""

    def part(self, keep: Callable[[Judgment], bool]) -> "InOrder":
        """Some of them, which stand in order, too."""
        return InOrder(filter(keep, self))


def in_canonical_order(judgments: Iterable[Judgment]) -> InOrder:
    """The judgments item by item, and within an item annotator by annotator: an order that follows from them alone.

    So nothing that is drawn, added up or listed depends on the order in which they were read. Whoever needs them in
    the order of time sorts them by it.
    """
    return judgments if isinstance(judgments, InOrder) else InOrder(sorted(judgments, key=_PLACE))
