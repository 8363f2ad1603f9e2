"""What people gave for some items and judges for all of them, and what each item adds to an estimate from both."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from assay.statistics.arrays import Bools, Floats, Ints, np
from assay.statistics.finite import numbers

FOLDS = 10
"""Weights for one tenth of the items come from the other nine."""
FEWEST = 10
"""Below so many items (or clusters) by people there is no weight to fit."""
Names = Any
"""An array of names, or of numbers."""


@dataclass(frozen=True)
class PoweredSample:
    """What people gave for some items and judges for all, one row for each item."""

    people: Floats
    """(N,): the mean of an item's people; nan where nobody was asked."""
    judges: Floats
    """(N, J): one column for each judge."""
    clusters: Names
    """(N,): what an item shares with others, such as its prompt, by name or number."""
    cells: Names
    """(N,): items that were drawn for people with the same probability have the same."""

    @classmethod
    def of(
        cls,
        people: Mapping[Any, float],
        judges: Sequence[Mapping[Any, float]],
        clusters: Mapping[Any, Hashable] | None = None,
        strata: Mapping[Any, Hashable] | None = None,
    ) -> "PoweredSample":
        """A sample from values by item. An item that a judge left out counts with that judge's mean.

        Args:
            people: The mean of what people gave, for the items that they judged.
            judges: For each judge, what it gave.
            clusters: What items share; left out: nothing.
            strata: Which items were drawn with one probability; left out: all of them.

        Example:
            >>> sample = PoweredSample.of({1: 4.0, 2: 3.0}, [{1: 5, 2: 3, 3: 4}])
            >>> sample.people.tolist(), sample.judges[:, 0].tolist()
            ([4.0, 3.0, nan], [5.0, 3.0, 4.0])
        """
        units = sorted({*people, *(unit for judge in judges for unit in judge)}, key=str)
        given = numbers([people.get(unit, 0.0) for unit in units])
        known = np.array([unit in people for unit in units], dtype=bool)
        return cls(
            np.where(known, given, np.nan),
            np.column_stack([_with_means(judge, units) for judge in judges]) if judges else np.empty((len(units), 0)),
            np.array([str(unit if clusters is None else clusters[unit]) for unit in units]),
            np.array(["" if strata is None else str(strata[unit]) for unit in units]),
        )

    @property
    def is_judged(self) -> Bools:
        """Which items people judged."""
        found: Bools = ~np.isnan(self.people)
        return found

    @property
    def n_units(self) -> int:
        """How many independent items or clusters people judged."""
        return len(np.unique(self.clusters[self.is_judged]))

    def why_not(self) -> str | None:
        """What is missing for an estimate with a judge, or None."""
        judged = self.is_judged
        if not self.judges.shape[1]:
            return "no judge judged these items"
        if self.n_units < FEWEST:
            return f"people judged fewer than {FEWEST} independent items"
        if judged.all():
            return "people judged every item, so that there is nothing left that a judge could add"
        if any(judged[self.cells == cell].sum() < 2 for cell in np.unique(self.cells)):
            return "of some of the parts that were drawn from, people have judged fewer than two items so far"
        return None

    def with_one_judge(self) -> "PoweredSample":
        """This sample with the mean of all judges as one judge."""
        return PoweredSample(self.people, self.judges.mean(axis=1, keepdims=True), self.clusters, self.cells)


class Contributions(NamedTuple):
    """What each cluster adds to an estimate, and to the differences that the judges' weights multiply."""

    value: float
    of_people: Floats
    """(G,): to the error of the estimate by people alone."""
    of_judges: Floats
    """(G, P): to the error of (mean of a judge on all items) - (its mean on people's items)."""
    shifts: Floats
    """(G, P): to that difference itself, whose expectation is 0 whatever the judge does."""
    judges_alone: tuple[float, Floats]
    """The mean of all judges on all items, and what each cluster adds to its error."""


def contributions_of(sample: PoweredSample, at: Ints, size: int) -> Contributions:
    """What each cluster adds, stratum by stratum; a stratum counts by the number of its items."""
    n, drawn = len(sample.people), sample.is_judged
    of_people, value = np.zeros(n), 0.0
    of_judges, shifts = np.zeros(sample.judges.shape), np.zeros(sample.judges.shape)
    means = np.zeros(n)
    for cell in np.unique(sample.cells):
        here = sample.cells == cell
        asked, rest, share = here & drawn, here & ~drawn, here.sum() / n
        judges = sample.judges - sample.judges[here].mean(axis=0)
        mean = sample.people[asked].mean()
        value += share * mean
        means[here] = mean
        of_people[asked] = share * (sample.people[asked] - mean) / asked.sum()
        shifts[here] += share * judges[here] / here.sum()
        shifts[asked] -= share * judges[asked] / asked.sum()
        for some in (asked, rest):
            if some.any():
                of_judges[some] += share * (judges[some] - judges[some].mean(axis=0)) / here.sum()
        of_judges[asked] -= share * (judges[asked] - judges[asked].mean(axis=0)) / asked.sum()
    of_people += (means - value) / n
    every = sample.judges.mean(axis=1)
    return Contributions(
        float(value),
        by_cluster(of_people, at, size),
        by_cluster(of_judges, at, size),
        by_cluster(shifts, at, size),
        (float(every.mean()), by_cluster((every - every.mean()) / n, at, size)),
    )


def by_cluster(rows: Floats, at: Ints, size: int) -> Floats:
    """The sum over the rows of each cluster, which are drawn as wholes.

    Reference: Liang, K.-Y. & Zeger, S. L. (1986). Longitudinal data analysis using generalized linear models.
    Biometrika 73.

    Example:
        >>> by_cluster(np.array([1.0, 2.0, 4.0]), np.array([0, 1, 0]), 2).tolist()
        [5.0, 2.0]
    """
    found: Floats = np.zeros((size, *rows.shape[1:]))
    np.add.at(found, at, rows)
    return found


def folds_of(judged: Bools, seed: int) -> Ints:
    """Which fold each cluster is of: those that people judged are shared out evenly, and the others too."""
    folds = np.zeros(len(judged), dtype=int)
    rng = np.random.default_rng(seed)
    for some in (judged, ~judged):
        folds[some] = rng.permutation(int(some.sum())) % FOLDS
    return folds


def fitted_weights(of_people: Floats, of_judges: Floats, folds: Ints) -> Floats:
    """(folds, P): for each fold the weights with the least variance on all others."""
    products = np.einsum("gp,gq->gpq", of_judges, of_judges)
    squares = by_cluster(products, folds, FOLDS)
    across = by_cluster(of_judges * of_people[:, None], folds, FOLDS)
    squares, across = squares.sum(axis=0) - squares, across.sum(axis=0) - across
    # A judge that always says the same has no weight, and two that say the same share one.
    found: Floats = -np.einsum("kpq,kq->kp", np.linalg.pinv(squares, rcond=1e-9, hermitian=True), across)
    return found


def _with_means(judge: Mapping[Any, float], units: Sequence[Any]) -> Floats:
    """A judge's value of each item; its mean where it gave none."""
    there = np.array([unit in judge for unit in units], dtype=bool)
    values = numbers([judge.get(unit, 0.0) for unit in units])
    return np.where(there, values, values[there].mean() if there.any() else 0.0)
