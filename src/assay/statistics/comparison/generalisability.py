"""Where the variance of judgments lies: items, annotators, systems, what they do together; and what more would buy."""

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from assay.statistics.arrays import Bools, Floats, Ints, np
from assay.statistics.finite import refuse_beyond
from assay.statistics.jackknife import t_quantile

PARTS = 20
"""Items are left out in so many parts to see how sure the components are."""
FACTORS = ("item", "system", "annotator")
Effect = tuple[str, ...]


class Component(NamedTuple):
    """One part of the variance."""

    effect: Effect
    """Which factors it is of: one alone, or what several do together; with all of them it holds the error too."""
    value: float
    """The variance; 0 where the estimate lies below."""
    ci: tuple[float, float] | None
    """Its 95 % interval over items; None where these are too few or nothing varies, and of systems or annotators."""
    below_zero: bool
    """Whether the estimate was below 0, which says that it is small."""


@dataclass(frozen=True)
class VarianceStudy:
    """The components of the variance of one judgment, with what they say of scores made from several."""

    components: tuple[Component, ...]
    n_judgments: int
    levels: Mapping[str, int]
    """How many items, systems and annotators there are."""
    undefined: str | None = None
    """Why there are no components."""
    outputs: int = 0
    """How many items of systems there are: where systems do not share all items, fewer than items times systems."""

    @property
    def items_of_system(self) -> float:
        """How many items a system was judged on, on average."""
        return self.outputs / max(1, self.levels["system"])

    @property
    def annotators_of_item(self) -> float:
        """How many annotators judged a system's item, on average; several values of one of them are one."""
        return self.n_judgments / max(1, self.outputs)

    def of(self, *effect: str) -> float:
        """The variance of an effect; 0 where the design cannot tell it from a larger one, which holds it then."""
        return next((each.value for each in self.components if set(each.effect) == set(effect)), 0.0)

    def share(self, component: Component) -> float:
        """The share of a component in the variance of a single judgment."""
        whole = sum(each.value for each in self.components)
        return component.value / whole if whole > 0 else 0.0

    def item_score(self, k: float) -> tuple[float | None, float | None]:
        """G and Phi of an item's mean over k annotators: how well it orders items, and how well it tells their level.

        tau = var(item) + var(system) + var(item, system); delta = (var(item, annotator) + var(system, annotator) +
        var(item, system, annotator)) / k; G = tau / (tau + delta), and Phi = tau / (tau + delta + var(annotator) / k).

        Reference: Brennan, R. L. (2001). Generalizability theory, chapter 2.
        """
        true = self.of("item") + self.of("system") + self.of("item", "system")
        relative = (
            sum(each.value for each in self.components if "annotator" in each.effect and len(each.effect) > 1) / k
        )
        return _ratio(true, relative), _ratio(true, relative + self.of("annotator") / k)

    def system_score(self, n: float, k: float) -> tuple[float | None, float | None]:
        """G and Phi of a system's mean over n items with the same k annotators: how well it orders systems, and tells.

        tau = var(system); delta = var(item, system) / n + var(system, annotator) / k + var(rest) / (n k); G =
        tau / (tau + delta). Phi adds var(item) / n + var(annotator) / k + var(item, annotator) / (n k) to delta.

        Reference: Brennan, R. L. (2001). Generalizability theory, chapter 4.
        """
        relative = self.variance_of_difference(n, k) / 2
        level = self.of("item") / n + self.of("annotator") / k + self.of("item", "annotator") / (n * k)
        return _ratio(self.of("system"), relative), _ratio(self.of("system"), relative + level)

    def variance_of_difference(self, n: float, k: float, others: bool = True) -> float:
        """The variance of the difference of two systems' means over n items, all judged by the same k annotators.

        2 (var(item, system) / n + var(rest) / (n k)), for these annotators; for others like them (`others`) also
        2 var(system, annotator) / k, which no number of items makes smaller.

        Reference: Shavelson, R. J. & Webb, N. M. (1991). Generalizability theory: a primer, chapter 6.
        """
        people = self.of("system", "annotator") / k if others else 0.0
        return 2 * (self.of("item", "system") / n + people + self._rest / (n * k))

    @property
    def _rest(self) -> float:
        """The component of all factors together, which holds the error."""
        return max(self.components, key=lambda each: len(each.effect)).value if self.components else 0.0


def _ratio(true: float, error: float) -> float | None:
    return true / (true + error) if true + error > 0 else None


def variance_study(rows: Iterable[tuple[Hashable, Hashable, Hashable, float]]) -> VarianceStudy:
    """The variance components of (item, system, annotator, value), each an effect drawn by lot; designs may have gaps.

    Items are what systems share: the item, or the group of items that answer the same request. Several values of one
    annotator on one of them and one system are averaged first. For every set A of factors, with sums S_a and numbers
    n_a of judgments in its cells a, T_A = sum S_a^2 / n_a. Its expectation is linear in the components,

        E T_A = N mu^2 + sum over effects B of var(B) sum over cells u of A and B together n_u^2 / n_a(u)

    and as many T as there are effects, with that of no factor, are solved for them (Henderson's first method). With a
    complete design this is the analysis of variance. An effect whose cells are those of a larger one (items that each
    have one system; one annotator per item) cannot be told from it, and the larger one holds both. Intervals leave out
    items in 20 parts (jackknife); components of systems or annotators alone have none.

    References: Henderson, C. R. (1953). Estimation of variance and covariance components. Biometrics 9. Brennan, R. L.
    (2001). Generalizability theory, chapter 7. Searle, S. R., Casella, G. & McCulloch, C. E. (1992). Variance
    components, chapter 5.

    Example:
        >>> ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
        >>> rows = [(item, "", who, value) for item, given in enumerate(ratings) for who, value in enumerate(given)]
        >>> found = variance_study(rows)  # Shrout & Fleiss (1979), table 2
        >>> [(each.effect, round(each.value, 2)) for each in found.components]
        [(('item',), 2.56), (('annotator',), 5.24), (('item', 'annotator'), 1.02)]
        >>> [round(each, 2) for each in found.item_score(4)]
        [0.91, 0.62]
    """
    sums: dict[tuple[Hashable, Hashable, Hashable], list[float]] = {}
    for item, system, annotator, value in rows:
        sums.setdefault((item, system, annotator), []).append(float(value))
    values = np.array([each[0] if len(each) == 1 else math.fsum(each) / len(each) for each in sums.values()])
    refuse_beyond(values.tolist())
    codes = {name: _codes([key[place] for key in sums]) for place, name in enumerate(FACTORS)}
    levels = {name: int(each.max()) + 1 if len(each) else 0 for name, each in codes.items()}
    factors = [name for name in FACTORS if levels[name] > 1 or name == "item"]
    outputs = len({key[:2] for key in sums})
    if why := _why_not(codes, levels):
        return VarianceStudy((), len(values), levels, why, outputs)
    cells = _Cells(codes, factors)
    effects = cells.effects()
    found = cells.solve(values, effects, np.ones(len(values), dtype=bool))
    if found is None:
        return VarianceStudy((), len(values), levels, "the design has too many gaps to tell the effects apart", outputs)
    intervals = _intervals(cells, values, effects, found, codes["item"])
    least = 1e-12 * float(np.abs(found).sum())
    components = tuple(
        # An interval whose width is rounding error is none.
        Component(effect, value if value > least else 0.0, ci if ci and ci[1] > least else None, value < -least)
        for effect, value, ci in zip(effects, found.tolist(), intervals, strict=True)
    )
    return VarianceStudy(components, len(values), levels, outputs=outputs)


def _why_not(codes: Mapping[str, Ints], levels: Mapping[str, int]) -> str | None:
    if levels["item"] < 2:
        return "fewer than two items were judged"
    if levels["annotator"] < 2:
        return "fewer than two annotators judged"
    judged = codes["item"] * levels["system"] + codes["system"]
    if np.bincount(judged).max() < 2:
        return "no item has two annotators, so what they differ about cannot be told from items"
    return None


def _codes(names: list[Hashable]) -> Ints:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=int)


class _Cells:
    """The cells of every set of factors, and the equations that tell the components."""

    def __init__(self, codes: Mapping[str, Ints], factors: list[str]) -> None:
        self.sets: list[Effect] = [effect for size in range(len(factors) + 1) for effect in combinations(factors, size)]
        self.of: dict[Effect, Ints] = {}
        self._first: dict[Effect, Ints] = {}
        """One judgment of each cell: it says in which cell of a smaller set that cell lies."""
        for effect in self.sets:
            code = np.zeros(len(codes["item"]), dtype=int)
            for name in effect:
                code = code * (int(codes[name].max()) + 1) + codes[name]
            _, first, cells = np.unique(code, return_index=True, return_inverse=True)
            self.of[effect], self._first[effect] = cells.reshape(-1), first
        self._within: dict[tuple[Effect, Effect], Ints] = {}
        """For each cell of a set the cell of a smaller one that it lies in, as far as it was asked for."""

    def _cells_within(self, effect: Effect, both: Effect) -> Ints:
        if (effect, both) not in self._within:
            self._within[effect, both] = self.of[effect][self._first[both]]
        return self._within[effect, both]

    def effects(self) -> list[Effect]:
        """The effects that can be told apart: none whose cells are those of a larger one."""
        sizes = {effect: int(cells.max()) + 1 for effect, cells in self.of.items()}
        return [
            effect
            for effect in self.sets
            if effect and not any(set(effect) < set(other) and sizes[effect] == sizes[other] for other in self.sets)
        ]

    def solve(self, values: Floats, effects: list[Effect], some: Bools) -> Floats | None:
        """The components, from some of the judgments; None where the equations do not tell them."""
        values = np.where(some, values - values[some].mean(), 0.0)
        told: list[Effect] = [(), *effects]
        often = some.astype(np.float64)
        counts = {effect: np.bincount(code, weights=often) for effect, code in self.of.items()}
        squares = {effect: each**2 for effect, each in counts.items()}
        left = np.empty((len(told), len(told)))
        right = np.empty(len(told))
        for at, effect in enumerate(told):
            n = np.maximum(counts[effect], 1.0)  # a cell that is left out adds nothing
            right[at] = (np.bincount(self.of[effect], weights=values) ** 2 / n).sum()
            left[at, 0] = some.sum()
            for place, other in enumerate(effects, 1):
                both = tuple(name for name in FACTORS if name in effect or name in other)
                left[at, place] = (squares[both] / n[self._cells_within(effect, both)]).sum()
        if np.linalg.matrix_rank(left / np.abs(left).max(axis=0), tol=1e-10) < len(told):
            return None
        found: Floats = np.asarray(np.linalg.solve(left, right)[1:], dtype=np.float64)
        return found


def _intervals(
    cells: _Cells, values: Floats, effects: list[Effect], found: Floats, items: Ints
) -> list[tuple[float, float] | None]:
    """The interval of every component, by a jackknife over parts of the items."""
    parts = min(PARTS, int(items.max()) + 1)
    nothing: list[tuple[float, float] | None] = [None] * len(effects)
    if parts < 5:
        return nothing
    left_out = [cells.solve(values, effects, items % parts != part) for part in range(parts)]
    known = [each for each in left_out if each is not None]
    if len(known) < parts:
        return nothing
    table = np.stack(known)
    errors = np.sqrt((parts - 1) / parts * ((table - table.mean(axis=0)) ** 2).sum(axis=0))
    half = t_quantile(parts - 1) * errors
    # Of few systems and annotators, leaving out items does not tell how others would be.
    return [
        (max(0.0, float(value - wide)), max(0.0, float(value + wide))) if "item" in effect else None
        for effect, value, wide in zip(effects, found, half, strict=True)
    ]
