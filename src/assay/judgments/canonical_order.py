"""The order in which judgments are added up, drawn from and listed, however they were read."""

from collections.abc import Iterable
from operator import attrgetter

from assay.model import Judgment

_PLACE = attrgetter(
    *("item", "annotator", "pass_", "revision", "dimension", "system", "entry", "submitted_at", "submission")
)


def in_canonical_order(judgments: Iterable[Judgment]) -> list[Judgment]:
    """The judgments item by item, and within an item annotator by annotator: an order that follows from them alone.

    So nothing that is drawn, added up or listed depends on the order in which they were read. Whoever needs them in
    the order of time sorts them by it.
    """
    return sorted(judgments, key=_PLACE)
