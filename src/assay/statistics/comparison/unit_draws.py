"""Draws of items with replacement, and of clusters of items, from a seed: how often each distinct row counts."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.draws import DRAWS, SEED

MOST = 200
"""With more units than this, whole parts are left out at a time."""
CELLS = 2**22
"""How many numbers of a draw are held at a time."""

Formula = Callable[[Floats], Floats]
"""From how often each distinct row counts, (b, P), to b values, nan where there is none."""


class UnitDraws:
    """Items, or clusters of them, as the units of a bootstrap: each pass gives the same draws, to every formula.

    `table` has one row of numbers for each item. Items with equal rows are one pattern, so that a draw is a multinomial
    draw over `rows`, exactly, and does not depend on the order of the items.

    Reference: Efron, B. & Tibshirani, R. (1993). An introduction to the bootstrap, chapter 6.

    Example:
        >>> units = UnitDraws(np.array([[1.0], [2.0], [2.0]]), ["a", "b", "b"], seed=7, draws=4)
        >>> units.rows.tolist(), units.counts.tolist(), units.n_units
        ([[1.0], [2.0]], [1.0, 2.0], 2)
    """

    def __init__(
        self, table: Floats, clusters: Sequence[Hashable] | None = None, seed: int = SEED, draws: int = DRAWS
    ) -> None:
        table = np.asarray(table, dtype=np.float64)
        if np.isnan(table).any():
            raise ValueError("a row holds what is not a number: code what is missing, or leave it out")
        if clusters is not None and len(clusters) != len(table):
            raise ValueError(f"there are {len(table)} items, but clusters for {len(clusters)}")
        rows, of_item, counts = np.unique(table, axis=0, return_inverse=True, return_counts=True)
        self.rows: Floats = rows
        self.counts: Floats = counts.astype(np.float64)
        self.n_items = len(table)
        self.seed, self.draws = seed, draws
        # Several formulas look at the same draws: few enough of them are made once.
        self._kept: list[Floats] | None = None
        self._by_cluster = None if clusters is None else _cluster_table(clusters, of_item.reshape(-1), len(rows))

    @property
    def unit(self) -> str:
        """What is drawn: items or clusters."""
        return "items" if self._by_cluster is None else "clusters"

    @property
    def n_units(self) -> int:
        """How many of them there are."""
        return self.n_items if self._by_cluster is None else int(self._by_cluster.shape[0])

    def weights(self) -> Iterator[Floats]:
        """How often each row counts in each draw, (b, P) at a time."""
        if self._kept is None and self.draws * len(self.rows) <= CELLS:
            self._kept = list(self._draw_in_steps())
        yield from self._draw_in_steps() if self._kept is None else self._kept

    def _draw_in_steps(self) -> Iterator[Floats]:
        rng = np.random.default_rng(self.seed)
        n_rows, n_units = len(self.rows), self.n_units
        step = max(1, CELLS // max(1, n_rows, n_units))
        for start in range(0, self.draws, step):
            size = min(step, self.draws - start)
            if self._by_cluster is not None:
                drawn = _draw(rng, size, np.arange(n_units), n_units)
                yield np.asarray(drawn @ self._by_cluster)
            elif 8 * n_rows < self.n_items:
                yield rng.multinomial(self.n_items, self.counts / self.n_items, size=size).astype(np.float64)
            else:
                yield _draw(rng, size, np.repeat(np.arange(n_rows), self.counts.astype(int)), n_rows)

    def replicates(self, formula: Formula) -> Floats:
        """The values of all draws, one row each."""
        parts = [formula(weights) for weights in self.weights()]
        return np.concatenate(parts) if parts else formula(np.empty((0, len(self.rows))))

    def without_one(self) -> tuple[Floats, Ints]:
        """How often each row counts when one unit is left out, (U, P), and for how many units this is so."""
        held, multiplicity = self.sums_of_units(np.eye(len(self.counts)))
        return self.counts - held, multiplicity

    def without_some(self) -> tuple[Floats, Ints]:
        """Like `without_one`; of more than `MOST` units, each of `MOST` parts of them is left out in turn."""
        if self.n_units <= MOST:
            return self.without_one()
        units = np.arange(self.n_units)
        if self._by_cluster is None:
            rows = np.repeat(np.arange(len(self.rows)), self.counts.astype(int))
            held = np.bincount(units % MOST * len(self.rows) + rows, minlength=MOST * len(self.rows))
            return self.counts - held.reshape(MOST, -1), np.ones(MOST, dtype=int)
        held = np.stack([np.asarray(self._by_cluster[part::MOST].sum(axis=0)).reshape(-1) for part in range(MOST)])
        return self.counts - held, np.ones(MOST, dtype=int)

    def sums_of_units(self, of_rows: Floats) -> tuple[Floats, Ints]:
        """The sum of each unit (U, C), from what each row adds (P, C); and how many equal units each stands for."""
        if self._by_cluster is None:
            return of_rows, self.counts.astype(int)
        return np.asarray(self._by_cluster @ of_rows), np.ones(self.n_units, dtype=int)

    def ratio_of_units(self, held: Floats, of: Floats) -> tuple[Floats, Floats, Ints]:
        """The numerator and the denominator of a ratio for each unit, and how many equal units each stands for."""
        held_by, times = self.sums_of_units(np.column_stack([held, of]).astype(float))
        return held_by[:, 0], held_by[:, 1], times

    def value(self, formula: Formula) -> float | None:
        """The value of the data as they are, None where there is none."""
        if not self.n_items:
            return None
        value = float(formula(self.counts[None, :])[0])
        return None if np.isnan(value) else value


def _cluster_table(clusters: Sequence[Hashable], of_item: Ints, n_rows: int) -> Any:
    """How often each row occurs in each cluster, as a sparse table."""
    from scipy.sparse import csr_array

    # In the order of what they hold, so that the draws do not depend on the order of the items.
    members: dict[Hashable, list[int]] = {}
    for cluster, row in zip(clusters, of_item.tolist(), strict=True):
        members.setdefault(cluster, []).append(row)
    ordered = sorted(sorted(rows) for rows in members.values())
    numbers = np.repeat(np.arange(len(ordered)), [len(rows) for rows in ordered])
    columns = np.array([row for rows in ordered for row in rows], dtype=int)
    return csr_array((np.ones(len(columns)), (numbers, columns)), shape=(len(ordered), n_rows))


def _draw(rng: "np.random.Generator", size: int, group: Ints, n_groups: int) -> Floats:
    """Draw all members with replacement, `size` times over, and count how often each group came up: (size, groups)."""
    picked = rng.integers(0, len(group), size=(size, len(group)))
    cells = group[picked] + np.arange(size)[:, None] * n_groups
    return np.bincount(cells.ravel(), minlength=size * n_groups).reshape(size, n_groups).astype(np.float64)
