"""Which judgments count: what the report, comparisons and agreement are made from. The others stay in the data.

A judgment says for itself whether it is of the study and in time (`Judgment.counts`). Here the choice among those is
made. Live agreement makes the same choice in SQL, without reading every judgment:
`store/coordinator/pattern_counts.py: _that_count`; a test compares the two on every template.
"""

from collections.abc import Collection, Iterable
from operator import attrgetter

from assay.model import Judgment

_PLACE = attrgetter(
    *("item", "annotator", "pass_", "revision", "dimension", "system", "entry", "submitted_at", "submission")
)


def in_canonical_order(judgments: Iterable[Judgment]) -> list[Judgment]:
    """The judgments item by item, and of an item annotator by annotator: in an order that is theirs alone.

    Nothing that is drawn, added up or listed then hangs on how they were read. Whoever needs them in the order of time
    sorts them by it.
    """
    return sorted(judgments, key=_PLACE)


def first_passes(judgments: Iterable[Judgment]) -> list[Judgment]:
    """What counts of the first pass of each item."""
    return [each for each in judgments if each.pass_ == 1 and each.counts]


def by_people_who_count(judgments: Iterable[Judgment], excluded: Collection[str]) -> list[Judgment]:
    """Those of people who are not left out of the report."""
    return [each for each in judgments if not each.judge and each.annotator not in excluded]
