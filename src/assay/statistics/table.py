"""The judgments of one dimension as a table: items by annotators, on a declared scale."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from assay.model import Level
from assay.statistics.arrays import Ints, np
from assay.statistics.factors import Array, Factor, as_array, codes_of, factorise, is_missing
from assay.statistics.scale import Scale

MISSING = -1


class BadRows(ValueError):
    """Rows that make no table: what is wrong, and which rows, counted from 0."""

    def __init__(self, what: str, *rows: int) -> None:
        super().__init__(what)
        self.rows = rows


@dataclass(frozen=True, eq=False)
class Ratings:
    """Who gave which item which value. `values[i, a]` is an index into `categories`, or -1 where there is none.

    Example:
        >>> rows = [("i1", "ann", 4), ("i1", "bo", 5), ("i2", "ann", 1)]
        >>> ratings = Ratings.from_long(rows, (1, 2, 3, 4, 5), "ordinal")
        >>> ratings.values.tolist(), ratings.items, ratings.annotators
        ([[3, 4], [0, -1]], ('i1', 'i2'), ('ann', 'bo'))
    """

    values: Ints
    categories: tuple[Hashable, ...]
    level: Level
    items: Sequence[Hashable]
    annotators: tuple[Hashable, ...]
    clusters: Ints | None = None
    """For each item the number of its cluster (items that share a prompt or a document), from 0 without gaps."""

    def __post_init__(self) -> None:
        highest = len(self.scale) - 1  # which also checks the scale
        expected = (len(self.items), len(self.annotators))
        if self.values.shape != expected:
            raise ValueError(f"the values have shape {self.values.shape}, but items and annotators say {expected}")
        if self.values.size and not (self.values.min() >= MISSING and self.values.max() <= highest):
            raise ValueError(f"values must be indices on the scale, 0 to {highest}, or {MISSING} for none")
        if self.clusters is not None:
            if self.clusters.shape != (len(self.items),):
                raise ValueError(f"there are {len(self.items)} items, but clusters for {self.clusters.shape}")
            if self.clusters.size and (self.clusters.min() < 0 or not np.bincount(self.clusters).all()):
                raise ValueError("clusters must be numbered from 0 without gaps")

    @cached_property
    def scale(self) -> Scale:
        """The declared scale."""
        return Scale(self.categories, self.level)

    @classmethod
    def from_long(
        cls,
        rows: Iterable[tuple[Any, Any, Any]],
        categories: Sequence[Hashable],
        level: Level,
        clusters: Mapping[Any, Hashable] | None = None,
    ) -> Self:
        """Build the table from (item, annotator, value) rows. What was not answered has no row.

        Raises:
            ValueError: A value is not on the scale, an annotator judged an item twice, or an item has no cluster.
        """
        rows = rows if isinstance(rows, Sequence) else list(rows)
        scale = Scale(tuple(categories), level)
        item_column, annotator_column, value_column = zip(*rows, strict=True) if rows else ((), (), ())
        items, item_codes = _factorise(item_column)
        annotators, annotator_codes = _factorise(annotator_column)
        codes = _codes(rows, value_column, scale)
        cells = item_codes * len(annotators) + annotator_codes
        values = np.full(len(items) * len(annotators), MISSING, dtype=np.min_scalar_type(-max(2, len(scale))))
        values[cells] = codes
        if np.count_nonzero(values != MISSING) < len(cells):
            _refuse_repeated(rows)
        return cls(
            values=values.reshape(len(items), len(annotators)),
            categories=scale.categories,
            level=level,
            items=items,
            annotators=annotators,
            clusters=None if clusters is None else _cluster_codes(items, clusters),
        )

    @classmethod
    def from_arrays(
        cls,
        items: Array,
        annotators: Array,
        values: Array,
        categories: Sequence[Hashable],
        level: Level,
        clusters: Array | None = None,
    ) -> Self:
        """Build the table from three columns of the same length, without a loop over their rows.

        Rows whose value is missing (None or not a number) do not count. `clusters` is a fourth column, which says for
        each row what its item shares with others.

        Raises:
            BadRows: A value is not on the scale, an annotator judged an item twice, an item lies in two clusters.

        Example:
            >>> ratings = Ratings.from_arrays(["x", "x", "y"], ["ann", "bo", "bo"], [4, 5, 1], range(1, 6), "ordinal")
            >>> ratings.values.tolist(), ratings.items, ratings.annotators
            ([[3, 4], [-1, 0]], ('x', 'y'), ('ann', 'bo'))
        """
        scale, columns = Scale(tuple(categories), level), [as_array(each) for each in (items, annotators, values)]
        if len({len(column) for column in columns}) > 1:
            raise ValueError(f"the columns have {', '.join(str(len(column)) for column in columns)} rows")
        kept = np.flatnonzero(~is_missing(columns[2]))
        for word, column in zip(("item", "annotator"), columns, strict=False):
            if (nameless := kept[is_missing(column[kept])]).size:
                raise BadRows(f"the judgment in row {nameless[0]} has no {word}", int(nameless[0]))
        item, annotator = factorise(columns[0][kept]), factorise(columns[1][kept])
        codes = codes_of(columns[2][kept], scale.categories)
        if (off := np.flatnonzero(codes < 0)).size:
            row = int(kept[off[0]])
            raise BadRows(
                f"{columns[2][row : row + 1].tolist()[0]!r}, given to item {item.name_at(off[0])!r} by annotator "
                f"{annotator.name_at(off[0])!r}, is not on the scale {scale}",
                row,
            )
        in_cluster = None if clusters is None else factorise(as_array(clusters)[kept])
        return cls.from_codes(item, annotator, codes, scale, in_cluster, kept)

    @classmethod
    def from_codes(
        cls,
        item: Factor,
        annotator: Factor,
        codes: Ints,
        scale: Scale,
        cluster: Factor | None = None,
        rows: Ints | None = None,
    ) -> Self:
        """Build the table from columns that are numbers already; `rows` are those that errors speak of.

        Raises:
            BadRows: An annotator judged an item twice, or an item lies in two clusters.
        """
        rows = np.arange(len(codes)) if rows is None else rows
        cells = item.codes.astype(np.int64) * len(annotator.names) + annotator.codes
        shape = len(item.names), len(annotator.names)
        values = np.full(shape[0] * shape[1], MISSING, dtype=np.min_scalar_type(-max(2, len(scale))))
        values[cells] = codes
        if np.count_nonzero(values != MISSING) < len(cells):
            first, again = _find_repeated(cells, rows)
            what = f"annotator {annotator.name_at(again)!r} judged item {item.name_at(again)!r} twice"
            raise BadRows(f"{what}: keep one, or compare the two as passes", int(rows[first]), int(rows[again]))
        of_item: Ints | None = None
        if cluster is not None:
            of_item = np.zeros(len(item.names), dtype=np.int64)
            of_item[item.codes] = cluster.codes
            if (apart := np.flatnonzero(of_item[item.codes] != cluster.codes)).size:
                what = f"item {item.name_at(apart[0])!r} lies in two clusters"
                raise BadRows(what, int(rows[apart[0]]))
            of_item = np.unique(of_item, return_inverse=True)[1].reshape(-1)
        return cls(values.reshape(shape), scale.categories, scale.level, item.names, tuple(annotator.names), of_item)

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[Any]], categories: Sequence[Hashable], level: Level) -> Self:
        """Build the table from one row for each item and one column for each annotator, None where nothing was said."""
        long = [(i, a, value) for i, row in enumerate(rows) for a, value in enumerate(row) if value is not None]
        return cls.from_long(long, categories, level)

    def rows(self) -> Iterator[tuple[Any, Any, Any]]:
        """The judgments one by one, as (item, annotator, value).

        Example:
            >>> list(Ratings.from_rows([("no", None)], ("yes", "no"), "nominal").rows())
            [(0, 0, 'no')]
        """
        for i, a in np.argwhere(self.values != MISSING).tolist():
            yield self.items[i], self.annotators[a], self.categories[self.values[i, a]]

    def pair(self, first: int, second: int) -> "Ratings":
        """The items that two annotators share, with the judgments of these two only."""
        shared = np.flatnonzero((self.values[:, first] != MISSING) & (self.values[:, second] != MISSING))
        clusters = None if self.clusters is None else np.unique(self.clusters[shared], return_inverse=True)[1]
        return Ratings(
            values=self.values[shared][:, [first, second]],
            categories=self.categories,
            level=self.level,
            items=tuple(self.items[i] for i in shared.tolist()),
            annotators=(self.annotators[first], self.annotators[second]),
            clusters=clusters,
        )

    def against_the_rest(self, index: int) -> "Ratings":
        """The judgments on a scale of two: this category, or any other."""
        values = np.where(self.values == MISSING, MISSING, self.values == index)
        return Ratings(values, (False, True), "nominal", self.items, self.annotators, self.clusters)


def _factorise(column: Sequence[Hashable]) -> tuple[tuple[Hashable, ...], Ints]:
    """The distinct names in order of appearance, and for each row of the column the number of its name."""
    names = tuple(dict.fromkeys(column))
    numbers = {name: number for number, name in enumerate(names)}
    return names, np.fromiter(map(numbers.__getitem__, column), dtype=np.int64, count=len(column))


def _codes(rows: Sequence[tuple[Any, Any, Any]], column: Sequence[Any], scale: Scale) -> Ints:
    """The index on the scale of each value."""
    codes = {value: index for index, value in enumerate(scale.categories)}
    try:
        return np.fromiter(map(codes.__getitem__, column), dtype=np.int64, count=len(column))
    except (KeyError, TypeError):
        # Unhashable values (a list of tags) end here too: they are on no scale.
        item, annotator, value = next(row for row in rows if row[2] not in scale.categories)
        raise ValueError(
            f"{value!r}, given to item {item!r} by annotator {annotator!r}, is not on the scale {scale}"
        ) from None


def _find_repeated(cells: Ints, rows: Ints) -> tuple[int, int]:
    """The row of the first judgment that comes again, and the row in which it does."""
    order = np.lexsort((rows, cells))
    again = np.flatnonzero(np.diff(cells[order]) == 0)
    earliest = again[np.argmin(rows[order[again + 1]])]
    return int(order[earliest]), int(order[earliest + 1])


def _refuse_repeated(rows: Sequence[tuple[Any, Any, Any]]) -> None:
    seen: set[tuple[Any, Any]] = set()
    for item, annotator, _ in rows:
        if (item, annotator) in seen:
            raise ValueError(
                f"annotator {annotator!r} judged item {item!r} twice: keep one, or compare the two as passes"
            )
        seen.add((item, annotator))


def _cluster_codes(items: Sequence[Hashable], clusters: Mapping[Any, Hashable]) -> Ints:
    without = [item for item in items if item not in clusters]
    if without:
        raise ValueError(f"item {without[0]!r} has no cluster, nor have {len(without) - 1} others")
    return _factorise([clusters[item] for item in items])[1]
