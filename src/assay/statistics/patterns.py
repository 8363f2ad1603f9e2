"""Items that got the same values from the same annotators are one pattern.

Every statistic here is a function of how often each pattern occurs, so its cost does not grow with the number of items.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from assay.statistics.arrays import Bools, Floats, Ints, np
from assay.statistics.scale import Scale
from assay.statistics.table import MISSING, Ratings

LARGEST_CODE = 2**62
SPARSE = 8
"""Rows with a value in fewer than one of so many places are sorted by these values alone."""


@dataclass(frozen=True, eq=False)
class Patterns:
    """The distinct rows of a table, in sorted order, with how many items have each.

    Columns stand in the order of the annotators' names, so that nothing depends on the order of a table's rows.

    Example:
        >>> ratings = Ratings.from_rows([(1, 2), (1, 1), (1, 2)], (1, 2), "ordinal")
        >>> patterns = Patterns.of(ratings)
        >>> patterns.rows.tolist(), patterns.counts.tolist(), patterns.of_item.tolist()
        ([[0, 0], [0, 1]], [1, 2], [1, 0, 1])
    """

    rows: Ints
    counts: Ints
    of_item: Ints
    scale: Scale
    is_nameless: bool = False
    """Whether nobody knows who gave which value: then rows with the same values are one already."""

    @classmethod
    def of(cls, ratings: Ratings) -> Self:
        """Find the patterns of a table."""
        values, base = _columns_by_name(ratings), len(ratings.scale) + 1
        size = base ** values.shape[1]
        if size > LARGEST_CODE:
            rows, of_item = _distinct_long_rows(values)
            return cls(rows, np.bincount(of_item, minlength=len(rows)), of_item, ratings.scale)
        codes = _encode(values, base, size)
        if size <= 4 * len(codes) + 1024:  # counting beats sorting
            totals = np.bincount(codes, minlength=size)
            found = np.flatnonzero(totals)
            number = np.zeros(size, dtype=np.int32)
            number[found] = np.arange(len(found))
            return cls(_decode(found, base, values.shape[1]), totals[found], number[codes], ratings.scale)
        found, of_item, counts = np.unique(codes, return_inverse=True, return_counts=True)
        return cls(_decode(found, base, values.shape[1]), counts, of_item, ratings.scale)

    @classmethod
    def of_counts(cls, counts: Mapping[tuple[int, ...], int], scale: Scale) -> Self:
        """Nameless patterns from counts: neither who gave which value nor which items they are is known.

        Example:
            >>> Patterns.of_counts({(0, 1): 2, (1,): 5}, Scale((1, 2), "ordinal")).rows.tolist()
            [[-1, 1], [0, 1]]
        """
        longest = max(map(len, counts), default=0)
        padded = sorted(((MISSING,) * (longest - len(each)) + tuple(sorted(each)), n) for each, n in counts.items())
        rows = np.array([row for row, _ in padded], dtype=np.int64).reshape(len(padded), longest)
        return cls(rows, np.array([n for _, n in padded], dtype=np.int64), np.zeros(0, dtype=np.int64), scale)

    @cached_property
    def weights(self) -> Floats:
        """How often each of them occurs, as one row of weights."""
        return self.counts[None, :].astype(np.float64)

    @cached_property
    def nameless(self) -> "Patterns":
        """The patterns without names: which values an item got, whoever gave them."""
        if self._groups is None:
            return self
        order, starts = self._groups
        rows, counts = self._sorted_rows[order[starts]], np.add.reduceat(self.counts[order], starts)
        return Patterns(rows, counts, self.of_item[:0], self.scale)

    def without_names(self, weights: Floats) -> Floats:
        """How often each nameless pattern counts, from how often each pattern does: (B, P) to (B, nameless)."""
        if self._groups is None:
            return weights
        order, starts = self._groups
        return np.add.reduceat(weights[:, order], starts, axis=1)

    @cached_property
    def members(self) -> list[Ints]:
        """For each nameless pattern the patterns that it stands for."""
        return [] if self._groups is None else np.split(self._groups[0], self._groups[1][1:])

    @cached_property
    def nameless_number(self) -> Ints:
        """For each pattern the number of its nameless one."""
        number: Ints = np.zeros(len(self.rows), dtype=np.int64)
        for group, members in enumerate(self.members):
            number[members] = group
        return number

    @cached_property
    def _groups(self) -> tuple[Ints, Ints] | None:
        """The patterns in an order that puts those with the same values together, and where each group starts."""
        if self.is_nameless or not self.rows.size:
            return None
        values, base = self._sorted_rows, len(self.scale) + 1
        found, group = distinct_rows(values, base)
        order = np.argsort(group, kind="stable")
        return order, np.searchsorted(group[order], np.arange(len(found)))

    @cached_property
    def _sorted_rows(self) -> Ints:
        """The values of each pattern in rising order, without the columns that nobody needs then."""
        longest = max(1, int(self.n_judgments.max(initial=0)))
        return np.sort(self.rows, axis=1)[:, -longest:]

    @cached_property
    def frequencies(self) -> Floats:
        """How many annotators gave each category, for each pattern (P x categories)."""
        shape = len(self.rows), len(self.scale)
        pattern, who = np.nonzero(self.rows != MISSING)
        cells = pattern * shape[1] + self.rows[pattern, who]
        return np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)

    @cached_property
    def n_judgments(self) -> Ints:
        """How many judgments an item of each pattern has."""
        judged: Ints = np.count_nonzero(self.rows != MISSING, axis=1)
        return judged

    @cached_property
    def n_annotators(self) -> int:
        """How many annotators judged anything; cached, since every statistic needs it."""
        return int(np.count_nonzero((self.rows != MISSING).any(axis=0)))

    @cached_property
    def n_sharing(self) -> int:
        """How many of them judged an item that has two judgments."""
        return int(np.count_nonzero((self.rows[self.is_shared] != MISSING).any(axis=0)))

    @cached_property
    def is_shared(self) -> Bools:
        """Whether an item of each pattern has the two judgments that agreement needs."""
        return self.n_judgments >= 2


def distinct_rows(values: Ints, base: int) -> tuple[Ints, Ints]:
    """The distinct rows of indices below `base - 1`, in sorted order, and for each row the number of its own."""
    size = base ** values.shape[1]
    if size > LARGEST_CODE:
        return _distinct_long_rows(values)
    codes, number = np.unique(_encode(values, base, size), return_inverse=True)
    return _decode(codes, base, values.shape[1]), number


def _distinct_long_rows(values: Ints) -> tuple[Ints, Ints]:
    """`distinct_rows` for rows with more digits than fit into one number."""
    most = int(np.count_nonzero(values != MISSING, axis=1).max(initial=0))
    if SPARSE * most <= values.shape[1]:
        keys = _keys_of_few(values, most)
        order = np.lexsort(keys[::-1])
        differs = np.diff(keys[:, order], axis=1).any(axis=0)
    else:
        # As texts, which sort as the rows do, and fast: big-endian numbers from 0 sort as their bytes do, and zeros at
        # the end of a text do not count, nor do they matter.
        digits = np.ascontiguousarray((values + 1).astype(f">u{values.itemsize}"))
        texts = digits.view(f"S{digits.itemsize * digits.shape[1]}").reshape(-1)
        order = np.argsort(texts, kind="stable")
        differs = texts[order[1:]] != texts[order[:-1]]
    is_new = np.concatenate([[True], differs])[: len(order)]
    number: Ints = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(is_new) - 1
    return values[order[is_new]], number


def _keys_of_few(values: Ints, most: int) -> Ints:
    """Sort keys (most, rows) for rows in which most is missing: one number for each value, with its column.

    They sort as the rows do: of two rows, the one that first has a value where the other has none is the larger.
    """
    row, column = np.nonzero(values != MISSING)
    judged = np.bincount(row, minlength=len(values))
    place = np.arange(len(row)) - np.repeat(np.cumsum(judged) - judged, judged)
    keys: Ints = np.zeros((max(1, most), len(values)), dtype=np.int64)
    base = int(values.max(initial=0)) + 2
    keys[place, row] = (values.shape[1] - column) * base + values[row, column] + 1
    return keys


def _columns_by_name(ratings: Ratings) -> Ints:
    """The values with a column for each annotator, in the order of their names."""
    names = ratings.annotators
    order = sorted(range(len(names)), key=lambda column: str(names[column]))
    return ratings.values if order == list(range(len(names))) else ratings.values[:, order]


def _encode(values: Ints, base: int, size: int) -> Ints:
    """Each row as one number, its digits to the base of categories and "missing"; sorts as the rows do."""
    codes: Ints = np.zeros(len(values), dtype=np.int32 if size < 2**31 else np.int64)
    for column in values.T:
        codes *= base
        codes += column
        codes += 1
    return codes


def _decode(codes: Ints, base: int, n_annotators: int) -> Ints:
    """Turn numbers back into rows."""
    rows = np.empty((len(codes), n_annotators), dtype=np.int64)
    for column in reversed(range(n_annotators)):
        codes, digit = np.divmod(codes, base)
        rows[:, column] = digit - 1
    return rows
