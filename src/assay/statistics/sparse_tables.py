"""Tables most of whose cells are empty, kept in a sparse form: a dense one of 500 annotators would take 33 MB."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TypeVar

from assay.statistics.arrays import Ints, np
from assay.statistics.table import MISSING, Ratings

K = TypeVar("K")

CELLS = 1_000_000
"""A table of fewer cells is kept as it is."""
FULL = 0.1
"""So is one of which a larger share is filled."""


class SparseTables(Mapping[K, Ratings]):
    """Tables by a key. A large one is rebuilt at each access and not kept.

    >>> ratings = Ratings.from_rows([(1, None), (2, 1)], (1, 2), "ordinal")
    >>> SparseTables([("warmth", ratings)])["warmth"].values.tolist()
    [[0, -1], [1, 0]]
    """

    def __init__(self, tables: Iterable[tuple[K, Ratings]]) -> None:
        self._kept = {key: _as_given(table) for key, table in tables}

    def __getitem__(self, key: K) -> Ratings:
        return self._kept[key]()

    def __iter__(self) -> Iterator[K]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)


def _as_given(table: Ratings) -> Callable[[], Ratings]:
    """A function that rebuilds a table from its judgments."""
    cells = np.flatnonzero(table.values != MISSING)
    if table.values.size < CELLS or cells.size > FULL * table.values.size:
        return lambda: table
    without_values = partial(Ratings, categories=table.categories, level=table.level, items=table.items)
    without_values = partial(without_values, annotators=table.annotators, clusters=table.clusters)
    return partial(_fill_table, without_values, table.values.shape, cells, table.values.reshape(-1)[cells])


def _fill_table(without_values: Callable[[Ints], Ratings], shape: tuple[int, ...], cells: Ints, codes: Ints) -> Ratings:
    values = np.full(shape, MISSING, dtype=codes.dtype)
    values.reshape(-1)[cells] = codes
    return without_values(values)
