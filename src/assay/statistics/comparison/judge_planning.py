"""How many items people must judge for an interval of a wanted width, where a judge judges all of them."""

from bisect import bisect_left
from dataclasses import dataclass

from assay.statistics.arrays import Floats, np
from assay.statistics.estimate import half_width
from assay.statistics.powered_sample import FEWEST, PoweredSample, by_cluster, fitted_weights, folds_of


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

    @property
    def foretold(self) -> float:
        """Which part of the variance the judges foretell: 0 nothing, 1 everything."""
        return 1 - self.left / self.alone if self.alone else 0.0


def judge_pilot(first: PoweredSample, second: PoweredSample | None = None, seed: int = 0) -> JudgePilot:
    """The variance of an item as people judge it, and what judges leave of it: of a mean, or of a difference of two.

    Both are sums over clusters, and weights are fitted across folds as in `mean_with_judge`. Only items that people
    judged count, so that a pilot in which people and judges judged the same items serves as well as any.

    Reference: Angelopoulos, A. N., Duchi, J. C. & Zrnic, T. (2023). PPI++: efficient prediction-powered inference.
    arXiv 2311.01453, section 6.

    Example:
        >>> people = {item: float(item % 5) for item in range(40)}
        >>> judge = {item: item % 5 + 0.5 * (item % 2) for item in range(40)}
        >>> found = judge_pilot(PoweredSample.of(people, [judge]))
        >>> found.n, round(found.alone, 2), round(found.foretold, 2)
        (40, 2.05, 0.97)
    """
    signed = [(1, first)] if second is None else [(1, first), (-1, second)]
    n = min(int(each.judged.sum()) for _, each in signed)
    if not first.judges.shape[1]:
        return JudgePilot(n, 0.0, 0.0, "no judge judged these items")
    names, codes = np.unique(np.concatenate([each.clusters[each.judged] for _, each in signed]), return_inverse=True)
    if len(names) < FEWEST:
        return JudgePilot(n, 0.0, 0.0, f"people judged fewer than {FEWEST} independent items")
    of_people, of_judges = np.zeros(len(names)), np.zeros((len(names), first.judges.shape[1]))
    at = np.split(codes, np.cumsum([int(each.judged.sum()) for _, each in signed])[:-1])
    for (sign, each), clusters in zip(signed, at, strict=True):
        of_people += sign * by_cluster(_centred(each.people[each.judged]), clusters, len(names))
        of_judges += sign * by_cluster(_centred(each.judges[each.judged]), clusters, len(names))
    folds = folds_of(np.ones(len(names), dtype=bool), seed)
    weights = fitted_weights(of_people, -of_judges, folds)
    rest = of_people - (of_judges * weights[folds]).sum(axis=1)
    alone, left = (n * len(names) / (len(names) - 1) * float((each**2).sum()) for each in (of_people, rest))
    return JudgePilot(n, alone, min(alone, left))


def items_for_width(pilot: JudgePilot, width: float, items: int) -> int | None:
    """The least number of items by people for a 95 % interval no wider than this, with judges on so many items.

    Its variance is left / n + (alone - left) / N, with n items by people of N in all. None where no n up to N does.

    Reference: as in `judge_pilot`.

    Example:
        >>> pilot = JudgePilot(50, alone=1.0, left=0.25)
        >>> items_for_width(pilot, 0.3, items=1000), items_for_width(JudgePilot(50, 1.0, 1.0), 0.3, items=1000)
        (52, 174)
    """
    sizes = range(2, items + 1)

    def is_narrow(n: int) -> bool:
        half = half_width(n - 1) * (pilot.left / n + (pilot.alone - pilot.left) / items) ** 0.5
        return bool(2 * half <= width)

    at = bisect_left(sizes, True, key=is_narrow)
    return sizes[at] if at < len(sizes) else None


def _centred(values: Floats) -> Floats:
    """What each row adds to the error of a mean."""
    found: Floats = (values - values.mean(axis=0)) / len(values)
    return found
