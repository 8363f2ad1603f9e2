"""The comparisons of a preference as one table: every item stands in it in both directions.

Several comparisons have no first system in common. With both directions in the table, agreement does not depend on
which system is named first.
"""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from assay.judgments.scales import mirror_preference, scale_of
from assay.statistics import Ratings
from assay.study.rubric import Dimension


def in_both_directions(
    dimension: Dimension, rows: Iterable[tuple[Any, str, Any]], clusters: Mapping[Any, Hashable] | None = None
) -> Ratings:
    """The table of all comparisons of a preference, from (unit, annotator, value)."""
    level = dimension.input.level
    assert level is not None
    given = list(rows)
    both = [((unit, False), who, value) for unit, who, value in given]
    both += [((unit, True), who, mirror_preference(value)) for unit, who, value in given]
    known = clusters and {(unit, turned): each for unit, each in clusters.items() for turned in (False, True)}
    return Ratings.from_long(both, scale_of(dimension), level, known)
