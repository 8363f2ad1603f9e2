"""How many items and annotators it takes to see a difference between two systems."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist, fmean, variance
from typing import Any

from assay.model import Estimate
from assay.statistics.arrays import Floats, np
from assay.statistics.draws import DRAWS, SEED
from assay.statistics.finite import refuse_beyond

CELLS = 2**22


@dataclass(frozen=True, slots=True)
class Components:
    """The variance of the difference of two systems on one item with k annotators: between + within / k.

    Example:
        >>> Components(between=1.01, within=0.83).of_difference(3)
        1.2866666666666666
    """

    between: float
    """How much systems differ more on some items than on others: A."""
    within: float
    """How much annotators of one item differ about it: B."""
    n_items: int = 0
    """How many items of a pilot it rests on; 0 where it was stated."""
    method: str = "stated"

    def __post_init__(self) -> None:
        if not (self.between >= 0 and self.within >= 0 and math.isfinite(self.between + self.within)):
            raise ValueError("variances are numbers from 0 up")

    def of_difference(self, k: float) -> float:
        """The variance of one item's difference, when each system is judged by k annotators."""
        if not k > 0:
            raise ValueError(f"an item takes at least one annotator, not {k}")
        return self.between + self.within / k


def detectable_difference(
    components: Components, n_items: int, k: float, power: float = 0.8, alpha: float = 0.05
) -> float:
    """The least difference of means that n items with k annotators each show with this probability, two-sided.

    MDE = (z_(1 - alpha/2) + z_power) sqrt((A + B / k) / n). More annotators lessen B / k only, more items all of it.

    References: Cohen, J. (1988). Statistical power analysis, section 2.3.5. Card, D. et al. (2020). With little power
    comes great responsibility. EMNLP.

    Example:
        >>> coherence = Components(between=1.01, within=0.83)  # SummEval
        >>> [round(detectable_difference(coherence, 100, k), 2) for k in (1, 3, 5)]
        [0.38, 0.32, 0.3]
    """
    if n_items < 1:
        raise ValueError(f"it takes at least one item, not {n_items}")
    return _z(power, alpha) * math.sqrt(components.of_difference(k) / n_items)


def equivalence_margin(
    components: Components, n_items: int, k: float, power: float = 0.8, alpha: float = 0.05
) -> float:
    """The least margin for which n items with k annotators each show that two equal systems are equivalent.

    margin = (z_(1 - alpha) + z_((1 + power) / 2)) sqrt((A + B / k) / n), by two one-sided tests at alpha.

    Reference: Julious, S. A. (2004). Sample sizes for clinical trials with normal data. Statistics in Medicine 23,
    section 4.

    Example:
        >>> coherence = Components(between=1.01, within=0.83)  # SummEval
        >>> [round(equivalence_margin(coherence, 100, k), 2) for k in (1, 3, 5)]
        [0.4, 0.33, 0.32]
    """
    if n_items < 1:
        raise ValueError(f"it takes at least one item, not {n_items}")
    normal = NormalDist()
    z = normal.inv_cdf(1 - alpha) + normal.inv_cdf((1 + power) / 2)
    return z * math.sqrt(components.of_difference(k) / n_items)


def items_needed(
    components: Components, difference: float, k: float, power: float = 0.8, alpha: float = 0.05
) -> int | None:
    """The least number of items that shows a difference: n >= (z_(1 - alpha/2) + z_power)^2 (A + B / k) / difference^2.

    None for a difference of 0, which no number of items shows.

    References: Cohen, J. (1988). Statistical power analysis, section 2.3.5.

    Example:
        >>> items_needed(Components(between=1.01, within=0.83), 0.2, 3)
        253
    """
    needed, size = _z(power, alpha) ** 2 * components.of_difference(k), difference**2
    # A difference so small that its square underflows, or the number of items overflows, counts as none.
    if size == 0 or needed / size == math.inf:
        return None
    return max(2, math.ceil(needed / size - 1e-9))


def power_of(components: Components, n_items: int, k: float, difference: float, alpha: float = 0.05) -> float:
    """The probability that n items with k annotators show a difference of this size, two-sided, by the formula.

    Reference: Cohen, J. (1988). Statistical power analysis for the behavioral sciences, section 2.3.5.

    Example:
        >>> round(power_of(Components(between=1.01, within=0.83), 253, 3, 0.2), 2)
        0.8
    """
    normal, error = NormalDist(), math.sqrt(components.of_difference(k) / n_items)
    apart = abs(difference) / error if error else (math.inf if difference else 0.0)
    z = normal.inv_cdf(1 - alpha / 2)
    return normal.cdf(apart - z) + normal.cdf(-apart - z)


def _z(power: float, alpha: float) -> float:
    if not (0 < power < 1 and 0 < alpha < 1):
        raise ValueError("power and alpha lie between 0 and 1")
    return NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)


@dataclass(frozen=True)
class PilotDifferences:
    """The differences of two systems on items of a pilot, with their variance components: the basis of plans."""

    systems: tuple[Any, Any]
    differences: tuple[float, ...]
    """The difference of each item."""
    residuals: tuple[float, ...]
    """By how much single annotators lie off their item, made as large as those of many annotators would be."""
    components: Components | None
    undefined: str | None = None


def pilots(rows: Iterable[tuple[Any, Any, Any, float]]) -> list[PilotDifferences]:
    """The variance components of each pair of systems, from (item, system, annotator, value) of a pilot.

    Where annotators judged both systems of an item, each of them has a difference: B is the mean over items of the
    variance of these, and A the variance of the items' means minus B over the number of annotators. Where different
    people judged the two systems, B is the sum of the two systems' variances between annotators of one item. An A
    below 0 is 0. Without any item that two annotators judged, B cannot be told from A, which is said.

    Reference: Searle, S. R., Casella, G. & McCulloch, C. E. (1992). Variance components, chapter 4.

    Example:
        >>> values = {"A ann": (5, 3, 4, 1), "A bo": (4, 3, 5, 2), "B ann": (2, 3, 1, 1), "B bo": (2, 2, 1, 2)}
        >>> rows = [(item, *who.split(), value) for who in values for item, value in enumerate(values[who])]
        >>> found = pilots(rows)[0]
        >>> found.differences, round(found.components.between, 3), round(found.components.within, 3)
        ((2.5, 0.5, 3.5, 0.0), 2.542, 0.375)
    """
    cells: dict[Any, dict[Any, dict[Any, float]]] = defaultdict(lambda: defaultdict(dict))
    for item, system, annotator, value in rows:
        refuse_beyond([value])
        cells[system][item][annotator] = float(value)
    return [_pilot(one, other, cells[one], cells[other]) for one, other in combinations(cells, 2)]


def _pilot(
    one: Any, other: Any, first: dict[Any, dict[Any, float]], second: dict[Any, dict[Any, float]]
) -> PilotDifferences:
    items = [item for item in first if item in second]
    if len(items) < 2:
        return PilotDifferences((one, other), (), (), None, "the two systems share fewer than two items")
    differences, errors, residuals, within = [], [], [], []
    both = any(len(first[item].keys() & second[item].keys()) > 1 for item in items)
    for item in items:
        a, b = first[item], second[item]
        if both and not a.keys() & b.keys():
            continue
        groups = [[a[who] - b[who] for who in a if who in b]] if both else [list(a.values()), list(b.values())]
        means = [fmean(each) for each in groups]
        differences.append(means[0] if both else means[0] - means[1])
        errors.append([len(each) for each in groups])
        if all(len(each) > 1 for each in groups):
            within.append(sum(variance(each) for each in groups))
            for group, mean in zip(groups, means, strict=True):
                larger = math.sqrt(len(group) / (len(group) - 1) * len(groups))
                residuals += [larger * (value - mean) for value in group]
    if not within:
        return PilotDifferences(
            (one, other), tuple(differences), (), None, "no item has two annotators, so A and B are one"
        )
    if len(differences) < 2:
        return PilotDifferences(
            (one, other), tuple(differences), (), None, "the two systems share fewer than two items"
        )
    b_part = fmean(within)
    # What is left in the items' differences of annotators: B / k, k that of each item.
    left = fmean(b_part * fmean(1 / k for k in each) for each in errors)
    method = "annotators who judged both systems" if both else "different annotators for the two systems"
    components = Components(max(0.0, variance(differences) - left), b_part, len(differences), method)
    return PilotDifferences((one, other), tuple(differences), tuple(residuals), components)


def mean_components(found: Sequence[PilotDifferences]) -> Components | None:
    """The mean of A and of B over pairs of systems; None where no pair has them.

    Example:
        >>> one, other = (PilotDifferences(("A", "B"), (), (), Components(between, 1.0, 40)) for between in (1.0, 2.0))
        >>> mean_components([one, other]).between
        1.5
    """
    known = [each.components for each in found if each.components]
    if not known:
        return None
    return Components(
        fmean(each.between for each in known),
        fmean(each.within for each in known),
        min(each.n_items for each in known),
        f"mean over {len(known)} pairs of systems",
    )


def power_by_simulation(
    pilot: PilotDifferences,
    n_items: int,
    k: int,
    difference: float,
    alpha: float = 0.05,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate:
    """How often n items with k annotators would show this difference, if items and annotators are those of a pilot.

    Each draw takes n of the pilot's items with replacement, and k residuals of its annotators for each; the items'
    differences are centred on the difference asked for, and shrunk to variance A, so that annotators are not counted
    twice. A draw shows the difference if Student's test of its items gives p below alpha. Unlike the formula, this
    knows the steps of the scale and outliers.

    Reference: Card, D. et al. (2020). With little power comes great responsibility. EMNLP.

    Example:
        >>> normal = np.random.default_rng(3).normal(size=(200, 2))
        >>> rows = [(i, "A", a, normal[i, 0] + normal[(7 * i + a) % 200, 1]) for i in range(200) for a in range(3)]
        >>> rows += [(i, "B", a, 0.0) for i in range(200) for a in range(3)]
        >>> found = power_by_simulation(pilots(rows)[0], n_items=100, k=3, difference=0.3)
        >>> 0.6 < found.value < 0.95
        True
    """
    from scipy.special import stdtrit

    name = "power"
    if pilot.components is None:
        return Estimate(name, None, undefined=pilot.undefined or "the pilot has no variance components")
    if n_items < 2:
        return Estimate(name, None, undefined="a test takes two items or more")
    centred = np.asarray(pilot.differences) - fmean(pilot.differences)
    spread = float(centred.std(ddof=1))
    centred = centred * (math.sqrt(pilot.components.between) / spread if spread > 1e-12 else 0.0)
    residuals = np.asarray(pilot.residuals) - fmean(pilot.residuals)
    threshold = float(stdtrit(n_items - 1, 1 - alpha / 2))
    rng, shown = np.random.default_rng(seed), 0
    step = max(1, CELLS // (n_items * k))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        items = rng.choice(centred, size=(size, n_items))
        noise = rng.choice(residuals, size=(size, n_items, k)).mean(axis=2)
        shown += int((np.abs(_t(items + noise + difference)) > threshold).sum())
    method = f"simulated from {len(pilot.differences)} items of a pilot, {draws} draws, seed {seed}"
    error = 1.96 * math.sqrt(shown / draws * (1 - shown / draws) / draws)
    ci = (max(0.0, shown / draws - error), min(1.0, shown / draws + error))
    return Estimate(name, shown / draws, ci, draws, method)


def _t(values: Floats) -> Floats:
    """Student's t of each row; of a row without spread it is infinite, or 0."""
    n = values.shape[1]
    mean, error = values.mean(axis=1), values.std(axis=1, ddof=1) / math.sqrt(n)
    far: Floats = np.where(np.abs(mean) > 1e-12, np.inf, 0.0)
    np.divide(mean, error, out=far, where=error > 1e-12)
    return far


Pilot = PilotDifferences  # its name in 0.1.0
