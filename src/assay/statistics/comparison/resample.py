"""Bootstrap and jackknife intervals for anything that can be computed from weighted items."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from assay.model import Estimate
from assay.statistics.arrays import Floats, np
from assay.statistics.comparison.unit_draws import Formula, UnitDraws
from assay.statistics.jackknife import (
    NO_SPREAD,
    atanh_interval,
    skewed_interval,
    standard_error,
    t_quantile,
    values_differ,
)
from assay.statistics.wilson import wilson_of_units

FEW = 30
"""Below so many items (or clusters) the jackknife covers better than the bootstrap."""


class Resamples(UnitDraws):
    """Draws of items with replacement, made from a seed: every pass gives the same ones, to every formula.

    `table` has one row of numbers for each item. Items with equal rows are one pattern, so that a draw is a multinomial
    draw over `rows`, exactly, and does not depend on the order of the items. Where items share a prompt or document,
    `clusters` names it for each, and clusters are drawn instead, each with all of its items.

    With fewer than 30 units the interval comes from leaving out one at a time: Student's t, on the scale of atanh for
    what lies between -1 and 1 (or between `lowest` and 1).

    References: Efron, B. & Tibshirani, R. (1993). An introduction to the bootstrap, chapters 11 and 13. Miller, E.
    (2024). Adding error bars to evals (clusters). arXiv 2411.00640.

    Example:
        >>> differences = Resamples(np.array([[1.0], [2.0], [0.0]] * 20), seed=7)
        >>> found = differences.measure("mean", lambda w: w @ differences.rows[:, 0] / w.sum(axis=1), "no items")
        >>> found.value, [round(bound, 2) for bound in found.ci], found.method
        (1.0, [0.8, 1.2], 'percentile bootstrap over items, 1000 draws, seed 7')
    """

    def error_of(self, formula: Formula) -> float | None:
        """The standard error of a value, from leaving out one unit at a time; None where nothing varies."""
        if self.n_units < 2:
            return None
        weights, multiplicity = self.without_some()
        values = formula(weights)
        return standard_error(values, multiplicity) if values_differ(values[~np.isnan(values)]) else None

    def difference(self, name: str, formula: Formula, why_undefined: str) -> Estimate:
        """A difference of two coefficients, with the interval and p-value that allow for its skewness."""
        value = self.value(formula)
        if value is None:
            return Estimate(name, None, n=self.n_items, undefined=why_undefined)
        if self.draws == 0 or self.n_units < 2:
            return Estimate(name, value, *self.interval(formula, value, None)[:1], self.n_items)
        weights, multiplicity = self.without_some()
        values = formula(weights)
        method = f"jackknife over {self.unit}, with Hall's correction for skewness"
        if np.isnan(values).any() or not values_differ(values):
            return Estimate(name, value, None, self.n_items, f"no interval: leaving out any one {NO_SPREAD} ({method})")
        found = skewed_interval(value, values, multiplicity)
        return Estimate(name, value, found.ci, self.n_items, method, found.p)

    def measure(
        self,
        name: str,
        formula: Formula,
        why_undefined: str,
        lowest: float | None = None,
        p: float | None = None,
        note: str = "",
    ) -> Estimate:
        """The value with its interval; `lowest` is the lower end of a value up to 1, None for an unbounded one."""
        value = self.value(formula)
        if value is None:
            return Estimate(name, None, n=self.n_items, undefined=why_undefined)
        ci, method = self.interval(formula, value, lowest)
        if lowest is None and p is None and NO_SPREAD in method and value:
            # All units are equal, so only their signs tell anything: all n have the same sign by chance in 2 of 2^n
            # cases.
            p = 2.0 ** (1 - min(self.n_units, 1000))
        return Estimate(name, value, ci, self.n_items, "; ".join(filter(None, [note, method])), p)

    def share(
        self,
        name: str,
        held: Floats,
        of: Floats,
        why_undefined: str,
        most: float,
        p: float | None = None,
        note: str = "",
        lowest: int = 0,
    ) -> Estimate:
        """The ratio of two columns, sum of `held` / sum of `of`: a share, or with `lowest` = -1 one mapped to -1..1.

        The interval is Wilson's for the number of independent cases that the units are worth (`wilson_of_units`), which
        has a width also where all units are alike. `most` is the number of cases, which they cannot be worth more than.
        """
        held_by, times = self.sums_of_units(np.column_stack([held, of]).astype(float))
        if not (held_by[:, 1] @ times) > 0:
            return Estimate(name, None, n=self.n_items, undefined=why_undefined)
        told = held_by[:, 1] > 0
        found = wilson_of_units(held_by[told, 0], held_by[told, 1], times[told], most)
        value, low, high = (lowest + (1 - lowest) * each for each in (found.value, *found.ci))
        method = f"Wilson's interval, {int(times[told].sum())} {self.unit} that count as {found.effective:.1f} cases"
        ci = (low, high) if self.draws else None
        return Estimate(name, value, ci, self.n_items, "; ".join(filter(None, [note, method])), p)

    def cases(self, held: Floats, of: Floats, most: float) -> float:
        """How many independent cases the units of a share are worth."""
        held_by, times = self.sums_of_units(np.column_stack([held, of]).astype(float))
        told = held_by[:, 1] > 0
        return wilson_of_units(held_by[told, 0], held_by[told, 1], times[told], most).effective

    def interval(self, formula: Formula, value: float, lowest: float | None) -> tuple[tuple[float, float] | None, str]:
        """The 95 % interval of a value, or None, and how it was made or why it was not."""
        if self.draws == 0:
            return None, "no interval: no draws were asked for"
        if self.n_units < 2:
            return None, f"no interval: fewer than two {self.unit}"
        if self.n_units < FEW:
            return self._jackknife(formula, value, lowest)
        drawn = self.replicates(formula)
        ci, method = percentiles(drawn, f"{self.unit}, {self.draws} draws, seed {self.seed}")
        if ci and not values_differ(drawn[~np.isnan(drawn)]):
            return None, f"no interval: every draw {NO_SPREAD} ({method.partition(';')[0]})"
        if ci and not ci[0] - 1e-9 <= value <= ci[1] + 1e-9:
            # The size of what is nearly 0: drawing items again can only make it larger.
            return None, f"no interval: the draws lie to one side of the value ({method})"
        return ci, method

    def _jackknife(
        self, formula: Formula, value: float, lowest: float | None
    ) -> tuple[tuple[float, float] | None, str]:
        weights, multiplicity = self.without_one()
        values = formula(weights)
        defined = ~np.isnan(values)
        method = f"jackknife over {self.unit}{'' if lowest is None else ' on atanh scale'}"
        if not defined.all():
            method += f"; undefined without any of {int(multiplicity[~defined].sum())} {self.unit}, which are left out"
        if multiplicity[defined].sum() < 2:
            return None, f"no interval: {method}"
        if not values_differ(values[defined]):
            return None, f"no interval: leaving out any one {NO_SPREAD} ({method})"
        error = standard_error(values[defined], multiplicity[defined])
        if lowest is not None:
            return atanh_interval(value, error, self.n_units - 1, lowest), method
        half = t_quantile(self.n_units - 1) * error
        return (value - half, value + half), method


def clusters_of(items: Iterable[Hashable], clusters: Mapping[Any, Hashable] | None) -> list[Hashable] | None:
    """The cluster of each item, None where items stand alone.

    Raises:
        ValueError: An item has no cluster.

    Example:
        >>> clusters_of([2, 1], {1: "a", 2: "b"}), clusters_of([1, 2], None)
        (['b', 'a'], None)
    """
    if clusters is None:
        return None
    items = list(items)
    without = [item for item in items if item not in clusters]
    if without:
        raise ValueError(f"item {without[0]!r} has no cluster, nor have {len(without) - 1} others")
    return [clusters[item] for item in items]


def percentiles(values: Floats, drawn: str) -> tuple[tuple[float, float] | None, str]:
    """The middle 95 % of the draws' values, and how it was made; draws without a value are left out and counted.

    Where every draw gives the same it has no width: right of what has few possible values, such as a median of ratings
    or an order of systems; of a mean it would claim too much, see `Resamples.interval`.

    Reference: Efron, B. & Tibshirani, R. (1993). An introduction to the bootstrap, chapter 13.

    Example:
        >>> percentiles(np.arange(101.0), "items, 101 draws, seed 0")[0]
        (2.5, 97.5)
    """
    method = f"percentile bootstrap over {drawn}"
    defined = values[~np.isnan(values)]
    if len(defined) < len(values):
        method += f"; undefined in {len(values) - len(defined)} draws, which are left out"
    if not len(defined):
        return None, f"no interval: {method}"
    low, high = np.quantile(defined, [0.025, 0.975]).tolist()
    if not values_differ(defined):
        method += "; every draw gave the same value, so the interval has no width"
    return (low, high), method


def quotient(top: Floats, bottom: Floats) -> Floats:
    """The one over the other, nan where there is nothing to divide by.

    Example:
        >>> quotient(np.array([1.0, 1.0]), np.array([2.0, 0.0])).tolist()
        [0.5, nan]
    """
    top, bottom = np.broadcast_arrays(top, bottom)
    found: Floats = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 1e-12)
    return found


def sums_by_value(values: Floats) -> Formula:
    """From weights (b, P) to how much each distinct value has of them, in rising order: (b, values).

    Example:
        >>> sums_by_value(np.array([2, 1, 2]))(np.array([[1.0, 1.0, 3.0]])).tolist()
        [[1.0, 4.0]]
    """
    order = np.argsort(values, kind="stable")
    starts = np.flatnonzero(np.diff(values[order], prepend=np.nan) != 0)

    def formula(weights: Floats) -> Floats:
        found: Floats = np.add.reduceat(weights[:, order], starts, axis=1) if len(starts) else weights[:, :0]
        return found

    return formula
