"""Groups of items that share something, as they lie in the columns of many annotators: they are drawn, not items."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.groups import Groups

T = TypeVar("T")


class Clusters:
    """Which rows of each annotator share something, so that a bootstrap draws them together.

    Example:
        >>> clusters = Clusters(Groups([3, 2]), np.array([7, 4, 7, 4, 4]))
        >>> clusters.drawn.sizes.tolist(), clusters.sums(np.array([1.0, 2.0, 4.0, 8.0, 16.0])).tolist()
        ([2, 1], [2.0, 5.0, 24.0])
    """

    def __init__(self, rows: Groups, shared: Ints) -> None:
        """`rows`: which annotator each row is by; `shared`: for each row the number of what it shares with others."""
        self.rows = rows
        span = int(shared.max(initial=0)) + 1
        found, of = np.unique(rows.of * np.int64(span) + shared, return_inverse=True)
        self._of: Ints = of.reshape(-1)
        self.drawn = Groups(np.bincount(found // span, minlength=len(rows)))
        """The clusters of each annotator, one's behind another's."""

    def sums(self, values: Floats) -> Floats:
        """The sum over each cluster."""
        return np.bincount(self._of, weights=values, minlength=len(self.drawn.of)).astype(np.float64)

    def without_each(self, values: Floats) -> Floats:
        """For each cluster, the sum over all other rows of the annotator."""
        found: Floats = self.rows.sums(values)[self.drawn.of] - self.sums(values)
        return found

    def where_shared(
        self, over_groups: Sequence[T], over_items: Callable[[], Sequence[T]], items: Ints | None = None
    ) -> list[T]:
        """For each annotator the result over groups, where their items share groups, else the result over items.

        `items`: how many items each has, where a row is a part of one.
        """
        shares = (self.drawn.sizes < (self.rows.sizes if items is None else items)).tolist()
        if all(shares):
            return list(over_groups)
        return [one if each else other for each, one, other in zip(shares, over_groups, over_items(), strict=True)]
