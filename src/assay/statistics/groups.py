"""Columns that hold the values of many groups, one behind the other, for vectorised sums, ranks and correlations."""

from collections.abc import Iterator, Sequence
from math import fsum

from assay.statistics.arrays import Floats, Ints, np


class Groups:
    """Which rows of a column belong together: so many of the first group, then so many of the second.

    Example:
        >>> groups = Groups([2, 3])
        >>> groups.means(np.array([1.0, 3.0, 1.0, 2.0, 6.0])).tolist()
        [2.0, 3.0]
    """

    def __init__(self, sizes: Sequence[int] | Ints) -> None:
        self.sizes: Ints = np.asarray(sizes, dtype=np.int64)
        self.of: Ints = np.repeat(np.arange(len(self.sizes), dtype=np.int32), self.sizes)

    def __len__(self) -> int:
        return len(self.sizes)

    def sums(self, values: Floats) -> Floats:
        """The sum of each group; of a table, that of each of its columns."""
        if values.ndim == 1:
            return np.bincount(self.of, weights=values, minlength=len(self)).astype(np.float64)
        return np.stack([self.sums(column) for column in values.T], axis=1)

    def means(self, values: Floats) -> Floats:
        """The mean of each group; 0 where it is empty."""
        return self.sums(values) / np.maximum(self.sizes, 1)

    def centre(self, values: Floats) -> Floats:
        """The values less the mean of their group."""
        found: Floats = values - self.means(values)[self.of]
        return found

    def apart(self, values: Floats) -> Floats:
        """Like `centre`, with exact means: slower, and right to the last digit."""
        ends = np.cumsum(self.sizes).tolist()
        listed, starts = values.tolist(), [0, *ends]
        means = [fsum(listed[start:end]) / max(1, end - start) for start, end in zip(starts, ends, strict=False)]
        found: Floats = values - np.array(means, dtype=np.float64)[self.of]
        return found

    def ranges(self, values: Floats) -> Floats:
        """How far the largest value of each group lies above the smallest; 0 where it is empty."""
        found = np.zeros(len(self))
        there = np.flatnonzero(self.sizes)
        if len(there):
            starts = (np.cumsum(self.sizes) - self.sizes)[there]
            found[there] = np.maximum.reduceat(values, starts) - np.minimum.reduceat(values, starts)
        return found

    def ranks(self, values: Floats) -> Floats:
        """The ranks of values within their group, from 1; equal ones share the mean of theirs.

        Example:
            >>> Groups([2, 3]).ranks(np.array([5.0, 1.0, 2.0, 2.0, 9.0])).tolist()
            [2.0, 1.0, 1.5, 1.5, 3.0]
        """
        order = np.lexsort((values, self.of))
        ordered, group = values[order], self.of[order]
        is_new = np.ones(len(order), dtype=bool)
        is_new[1:] = (ordered[1:] != ordered[:-1]) | (group[1:] != group[:-1])
        run = np.cumsum(is_new) - 1
        last = np.cumsum(np.bincount(run))
        middle = last - (np.bincount(run) - 1) / 2
        found = np.empty(len(order))
        found[order] = middle[run] - (np.cumsum(self.sizes) - self.sizes)[group]
        return found

    def correlations(self, x: Floats, y: Floats) -> Floats:
        """Pearson's correlation in each group; nan where one of the two does not change."""
        a, b = self.centre(x), self.centre(y)
        varies = (self.ranges(x) >= 1e-12) & (self.ranges(y) >= 1e-12)
        below = np.sqrt(self.sums(a * a) * self.sums(b * b))
        found: Floats = np.divide(self.sums(a * b), below, out=np.full(len(self), np.nan), where=varies)
        found.clip(-1.0, 1.0, out=found)
        return found

    def jackknife_errors(self, without: Floats) -> Floats:
        """The standard error of each group, from its value without each of its rows (see `jackknife`)."""
        n = np.maximum(self.sizes, 1)
        found: Floats = np.sqrt((n - 1) / n * self.sums(self.centre(without) ** 2))
        return found

    def parts(self, most: int) -> Iterator[tuple[slice, slice]]:
        """The groups in parts of about so many rows at most: which groups, and which rows."""
        ends = np.cumsum(self.sizes)
        first = row = 0
        while first < len(self):
            last = max(first + 1, int(np.searchsorted(ends, row + most, side="right")))
            yield slice(first, last), slice(row, int(ends[last - 1]))
            first, row = last, int(ends[last - 1])
