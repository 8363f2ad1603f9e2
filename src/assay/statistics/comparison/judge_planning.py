"""How many items people must judge for an interval of a wanted width, where a judge judges all of them."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assay.statistics.arrays import Floats, np
from assay.statistics.draws import SEED
from assay.statistics.estimate import half_width
from assay.statistics.powered_sample import FEWEST, PoweredSample, by_cluster, fitted_weights, folds_of

Signed = Sequence[tuple[int, PoweredSample]]
"""A mean, or a difference of two."""


@dataclass(frozen=True, slots=True)
class PilotCell:
    """The items that are drawn for people with one and the same probability."""

    share: float
    """Which part of all items they are."""
    drawn: float
    """Which part of people's items they are."""
    alone: float
    """What one item by people adds to the variance: over so many of them, it is this over their number."""
    left: float
    """What the judges leave of that."""


@dataclass(frozen=True, slots=True)
class JudgePilot:
    """What a pilot that people and judges both judged says of one item's variance."""

    n: int
    """How many items people judged; of a difference, of each system."""
    alone: float
    """The variance of one item as people judge it; of a difference, that of two."""
    left: float
    """What the judges leave of it."""
    undefined: str | None = None
    cells: tuple[PilotCell, ...] = ()
    """Where items are drawn with different probabilities: those of each. Empty where all are drawn alike."""
    between: float = 0.0
    """The variance of the means of these: more items by people do not make it smaller, only more items in all."""

    @property
    def foretold(self) -> float:
        """The share of the variance that the judges predict, from 0 to 1."""
        return 1 - self.left / self.alone if self.alone else 0.0

    @property
    def without_judge(self) -> "JudgePilot":
        """The pilot as if there were no judge, its items drawn as before."""
        cells = tuple(replace(each, left=each.alone) for each in self.cells)
        return replace(self, left=self.alone, cells=cells)

    def variance(self, n: int, items: int) -> float:
        """The variance of an estimate from n items by people, drawn as in the pilot from all items."""
        cells = self.cells or (PilotCell(1.0, 1.0, self.alone, self.left),)
        by_people = sum(each.left / count for each, count in zip(cells, _of_each_cell(cells, n, items), strict=True))
        return by_people + (self.between + sum((each.alone - each.left) / each.share for each in cells)) / items


def _of_each_cell(cells: Sequence[PilotCell], n: int, items: int) -> list[float]:
    """How many items of each cell people get: in proportion to its probability, and no more than it has."""
    most = [each.share * items for each in cells]
    full: set[int] = set()
    while True:
        rest = n - sum(most[at] for at in full)
        base = sum(each.drawn for at, each in enumerate(cells) if at not in full)
        counts = [most[at] if at in full else rest * each.drawn / base for at, each in enumerate(cells)]
        over = {at for at, count in enumerate(counts) if count > most[at] * (1 + 1e-9)}
        if not over:
            return counts
        full |= over


def judge_pilot(first: PoweredSample, second: PoweredSample | None = None, seed: int = SEED) -> JudgePilot:
    """The variance of an item as people judge it, and what judges leave of it: of a mean, or of a difference of two.

    Both are sums over clusters, and weights are fitted across folds as in `mean_with_judge`. Only items that people
    judged count, so that a pilot in which people and judges judged the same items serves as well as any. Where items
    were drawn for people with different probabilities, each kind counts by the number of all its items, as in
    `mean_with_judge`, and the plan is for items that are drawn in the same proportions.

    Reference: Angelopoulos, A. N., Duchi, J. C. & Zrnic, T. (2023). PPI++: efficient prediction-powered inference.
    arXiv 2311.01453, section 6. Cochran, W. G. (1977). Sampling techniques, chapter 5 (strata).

    Example:
        >>> people = {item: float(item % 5) for item in range(40)}
        >>> judge = {item: item % 5 + 0.5 * (item % 2) for item in range(40)}
        >>> found = judge_pilot(PoweredSample.of(people, [judge]))
        >>> found.n, round(found.alone, 2), round(found.foretold, 2)
        (40, 2.05, 0.97)
    """
    signed = [(1, first)] if second is None else [(1, first), (-1, second)]
    n = min(int(each.is_judged.sum()) for _, each in signed)
    if not first.judges.shape[1]:
        return JudgePilot(n, 0.0, 0.0, "no judge judged these items")
    names, codes = np.unique(np.concatenate([each.clusters[each.is_judged] for _, each in signed]), return_inverse=True)
    if len(names) < FEWEST:
        return JudgePilot(n, 0.0, 0.0, f"people judged fewer than {FEWEST} independent items")
    of_people, of_judges = np.zeros(len(names)), np.zeros((len(names), first.judges.shape[1]))
    cell_of = np.empty(len(names), dtype=object)
    at = np.split(codes, np.cumsum([int(each.is_judged.sum()) for _, each in signed])[:-1])
    for (sign, each), clusters in zip(signed, at, strict=True):
        of_people += sign * by_cluster(_errors(each, each.people), clusters, len(names))
        of_judges += sign * by_cluster(_errors(each, each.judges), clusters, len(names))
        cell_of[clusters] = each.cells[each.is_judged]
    kinds = sorted({str(cell) for _, each in signed for cell in each.cells})
    if any((cell_of == kind).sum() < 2 for kind in kinds):
        return JudgePilot(n, 0.0, 0.0, "of some of the parts that were drawn from, people have judged fewer than two")
    folds = folds_of(np.ones(len(names), dtype=bool), seed)
    weights = fitted_weights(of_people, -of_judges, folds)
    rest = of_people - (of_judges * weights[folds]).sum(axis=1)
    cells = [_cell(signed, kind, n, of_people[cell_of == kind], rest[cell_of == kind]) for kind in kinds]
    alone, left = (sum(getattr(each, name) / each.drawn for each in cells) for name in ("alone", "left"))
    if left > alone:
        left, cells = alone, [replace(each, left=each.alone) for each in cells]
    if len(cells) == 1:
        return JudgePilot(n, alone, left)
    return JudgePilot(n, alone, left, None, tuple(cells), _between(signed))


def _cell(signed: Signed, kind: str, n: int, of_people: Floats, rest: Floats) -> PilotCell:
    """The items that were drawn with one probability: each cluster's error, by people alone and with the judges."""
    here, asked = (
        sum(int(((each.cells == kind) & (each.is_judged | whole)).sum()) for _, each in signed)
        for whole in (True, False)
    )
    drawn = asked / sum(int(each.is_judged.sum()) for _, each in signed)
    count = len(of_people)
    alone, left = (n * drawn * count / (count - 1) * float((some**2).sum()) for some in (of_people, rest))
    return PilotCell(here / sum(len(each.people) for _, each in signed), drawn, alone, left)


def _between(signed: Signed) -> float:
    """The variance between cells: how far the mean of each is from that of all items."""
    names, codes = np.unique(np.concatenate([each.clusters for _, each in signed]), return_inverse=True)
    off = []
    for sign, each in signed:
        means = np.zeros(len(each.people))
        for kind in np.unique(each.cells):
            here = each.cells == kind
            means[here] = each.people[here & each.is_judged].mean()
        off.append(sign * (means - means.mean()) / len(means))
    sums = by_cluster(np.concatenate(off), codes, len(names))
    return float(min(len(each.people) for _, each in signed) * (sums**2).sum())


def items_for_width(pilot: JudgePilot, width: float, items: int) -> int | None:
    """The least number of items by people for a 95 % interval no wider than this, with judges on so many items.

    Its variance is left / n + (alone - left) / N, with n items by people of N in all. None where no n up to N does.
    Where items are drawn with different probabilities, the first term is a sum over these, and n is shared out to them
    as in the pilot.

    Reference: as in `judge_pilot`.

    Example:
        >>> pilot = JudgePilot(50, alone=1.0, left=0.25)
        >>> items_for_width(pilot, 0.3, items=1000), items_for_width(JudgePilot(50, 1.0, 1.0), 0.3, items=1000)
        (52, 174)
    """
    sizes = range(2, items + 1)

    def is_narrow(n: int) -> bool:
        return bool(2 * half_width(n - 1) * pilot.variance(n, items) ** 0.5 <= width)

    at = bisect_left(sizes, True, key=is_narrow)
    return sizes[at] if at < len(sizes) else None


def _errors(sample: PoweredSample, values: Floats) -> Floats:
    """What each item by people adds to the error of a mean over all items, by its cell."""
    found = np.zeros(values.shape)
    for kind in np.unique(sample.cells):
        here = sample.cells == kind
        asked = here & sample.is_judged
        if asked.any():
            found[asked] = here.mean() * (values[asked] - values[asked].mean(axis=0)) / asked.sum()
    made: Floats = found[sample.is_judged]
    return made
