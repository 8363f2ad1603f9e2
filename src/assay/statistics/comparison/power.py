"""The power of the test that will be made: with its family and correction, groups, and annotators like these."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from statistics import NormalDist

from assay.statistics.arrays import Floats, np
from assay.statistics.comparison.beyond_panel import LEAST_ANNOTATORS
from assay.statistics.comparison.planning import Components

SIMULATIONS = 20_000
MOST_CELLS = 2_000_000
"""So many p-values are drawn at a time at most: of large families fewer studies."""
MOST_ITEMS = 10**7
DIFFERENCE, EQUIVALENCE, NON_INFERIORITY = "difference", "equivalence", "non_inferiority"


@dataclass(frozen=True, slots=True)
class PlannedTest:
    """What will be tested: how many tests together, over which units, and for whom.

    Example:
        >>> PlannedTest(systems=3, dimensions=2).tests
        6
    """

    systems: int = 2
    dimensions: int = 1
    """How many dimensions are tested in the same family."""
    correction: str = "holm"
    """holm, bonferroni or none."""
    per_group: float = 1.0
    """How many items share a source: sources are drawn, not items."""
    alike: float = 0.0
    """The intraclass correlation of the differences of items that share a source."""
    people: float | None = None
    """For annotators like these: the variance over annotators of the difference of two systems; None: for these."""
    show: str = DIFFERENCE
    """difference; or, of systems that are alike: equivalence or non_inferiority, within a margin."""
    margin: float | None = None
    """The margin that the study declares, in points."""
    margin_shows: str = EQUIVALENCE
    """What it is for: equivalence or non_inferiority."""
    step: float = 0.0
    """What values are whole multiples of, such as 1 of points; 0 where there is no such step."""

    @property
    def tests(self) -> int:
        """How many tests are corrected together."""
        return self.dimensions * math.comb(self.systems, 2)


def error_of_difference(components: Components, test: PlannedTest, n_items: float, k: float) -> float:
    """The standard error of the difference of two systems: of n items in groups of m, judged by k annotators.

    sqrt((A + B / k) / n (1 + (m - 1) rho) + P / k): m items of a group tell as much as m / (1 + (m - 1) rho), where rho
    is the correlation of their differences, and P is the variance of the difference over annotators, which counts only
    for a claim about others like them.

    References: Kish, L. (1965). Survey sampling, chapter 5. Brennan, R. L. (2001). Generalizability theory, chapter 4.

    Example:
        >>> round(error_of_difference(Components(1.0, 0.8), PlannedTest(per_group=4, alike=0.5), 100, 2), 4)
        0.1871
    """
    spread = components.of_difference(k) / n_items * (1 + (test.per_group - 1) * test.alike)
    return math.sqrt(spread + (test.people or 0.0) / k)


def detectable_by_test(
    components: Components, test: PlannedTest, n_items: int, k: int, power: float = 0.8, alpha: float = 0.05
) -> float:
    """The least difference that the test shows with this probability, if one system differs from all others by it.

    For these annotators the report enumerates all signs of items' differences (`sign_flip`). Of k judgments of an
    item on a scale of steps s, the sums that this gives lie 2 s / k apart, so that the least that is shown lies beyond
    what Student's test would show by s / k on average: s / (n k) of the mean. It counts where items are few.

    Where equivalence or non-inferiority is to be shown it is the least margin, if all systems are alike on everything.

    All else is taken to be alike: the other systems, and the other dimensions of the family. The tests of a family are
    drawn together, 20,000 times, the pairs that share a system correlated by a half; each is Student's, with as many
    degrees of freedom as the report has (groups - 1; for annotators like these also annotators - 1, with the error of
    drawing both, which is too large by 2 B / (n k)), and corrected as the study corrects them. Of a single test about
    these annotators it is Student's formula.

    References: Cohen, J. (1988). Statistical power analysis. Bretz, F., Hothorn, T. & Westfall, P. (2010). Multiple
    comparisons using R, chapter 2 (power of a family). Owen, A. B. (2007). Annals of Applied Statistics 1.

    Example:
        >>> one, six = PlannedTest(), PlannedTest(systems=4)
        >>> [round(detectable_by_test(Components(1.0, 0.8), each, 100, 2), 2) for each in (one, six)]
        [0.33, 0.41]
    """
    apart = shift_needed(components, test, n_items, k, power, alpha) * error_of_difference(components, test, n_items, k)
    return apart + (test.step / (n_items * k) if test.people is None and test.show == DIFFERENCE else 0.0)


def items_for_test(
    components: Components, test: PlannedTest, difference: float, k: int, power: float = 0.8, alpha: float = 0.05
) -> int | None:
    """The least number of items with which the test shows a difference; None where no number does.

    For annotators like these perhaps none does: more items do not reduce how much annotators differ about systems.

    Reference: as of `detectable_by_test`.

    Example:
        >>> items_for_test(Components(1.0, 0.8), PlannedTest(), 0.3, 2)
        125
    """
    if not difference or detectable_by_test(components, test, MOST_ITEMS, k, power, alpha) > abs(difference):
        return None
    low, high = max(2, math.ceil(2 * test.per_group)), MOST_ITEMS
    if test.people is None:
        # With as many degrees of freedom as there could be it would be a little less.
        least = shift_needed(components, test, MOST_ITEMS, k, power, alpha) / difference
        low = max(low, math.floor(least**2 * error_of_difference(components, test, 1, k) ** 2))
        high = min(high, 2 * low + 50 + math.ceil(2 * test.step / (k * abs(difference))))
    while low < high:
        middle = (low + high) // 2
        if detectable_by_test(components, test, middle, k, power, alpha) <= abs(difference):
            high = middle
        else:
            low = middle + 1
    return low


def interval_of_items(n_items: int, pilot_items: int) -> tuple[int, int]:
    """The 95 % interval of a number of items that was planned from a pilot of m items, from its variance.

    The number needed grows as the variance of the difference, and m items tell that variance to within (m - 1) / q of
    chi square, q its 0.025 and 0.975 quantiles with m - 1 degrees of freedom.

    Reference: Browne, R. H. (1995). On the use of a pilot sample for sample size determination. Statistics in Medicine
    14.

    Example:
        >>> interval_of_items(100, 30)
        (63, 181)
    """
    from scipy.special import chdtri

    degrees = max(1, pilot_items - 1)
    low, high = (n_items * degrees / float(chdtri(degrees, share)) for share in (0.025, 0.975))
    return max(2, math.floor(low)), math.ceil(high)


def alike_in_groups(values: Sequence[float], groups: Sequence[Hashable]) -> float:
    """The intraclass correlation of values that share a group, by the analysis of variance; 0 where it lies below.

    With MSB and MSW the mean squares between and within g groups, and n0 = (N - sum n_i^2 / N) / (g - 1) their mean
    size, it is (MSB - MSW) / (MSB + (n0 - 1) MSW).

    Reference: Donner, A. (1986). A review of inference procedures for the intraclass correlation coefficient in the
    one-way random effects model. International Statistical Review 54.

    Example:
        >>> round(alike_in_groups([1.0, 1.2, 3.0, 3.1, 2.0, 1.7], ["a", "a", "b", "b", "c", "c"]), 2)
        0.98
    """
    numbers: dict[Hashable, int] = {}
    codes = np.array([numbers.setdefault(group, len(numbers)) for group in groups])
    given, sizes = np.asarray(values, dtype=float), np.bincount(codes).astype(float)
    if len(sizes) < 2 or len(given) <= len(sizes):
        return 0.0
    means = np.bincount(codes, weights=given) / sizes
    between = float(sizes @ (means - given.mean()) ** 2) / (len(sizes) - 1)
    within = float(((given - means[codes]) ** 2).sum()) / (len(given) - len(sizes))
    size = (len(given) - float((sizes**2).sum()) / len(given)) / (len(sizes) - 1)
    whole = between + (size - 1) * within
    return min(1.0, max(0.0, (between - within) / whole)) if whole > 0 else 0.0


def effective_level(test: PlannedTest, power: float = 0.8, alpha: float = 0.05) -> float:
    """The level of a single test with the same power as one test of this family, corrected, with many items.

    Reference: Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of
    Statistics 6.

    Example:
        >>> five = PlannedTest(dimensions=5, correction="bonferroni")
        >>> effective_level(PlannedTest()), round(effective_level(five), 3)
        (0.05, 0.01)
    """
    if test.tests == 1 or test.correction == "none":
        return alpha
    shift = _shift(test.systems, test.dimensions, test.correction, (), math.inf, power, alpha)
    return 2 * (1 - NormalDist().cdf(shift - NormalDist().inv_cdf(power)))


def shift_needed(
    components: Components, test: PlannedTest, n_items: float, k: int, power: float = 0.8, alpha: float = 0.05
) -> float:
    """How many standard errors from 0 a difference must lie for this power.

    Infinite with fewer than four annotators, of whom the report makes no claim about others like them.

    Reference: as of `detectable_by_test`.

    Example:
        >>> round(shift_needed(Components(1.0, 0.8), PlannedTest(), 10_000, 2), 2)
        2.8
    """
    units = n_items / test.per_group
    if test.people is None:
        degrees = math.inf if units > 2000 else max(1.0, math.floor(units) - 1.0)
        if 50 < degrees < math.inf and test.tests > 1:
            degrees = 10 * round(degrees / 10)  # rounded, so that nearly equal values share a cache entry
        return _shift(test.systems, test.dimensions, test.correction, (), degrees, power, alpha, test.show)
    if k < LEAST_ANNOTATORS:
        return math.inf
    few = min(k, math.floor(units))
    items = components.between / n_items * (1 + (test.per_group - 1) * test.alike)
    rest, people = components.within / (n_items * k), test.people / k
    parts = tuple(round(each / (items + rest + people), 3) for each in (people, items, rest))
    return _shift(
        test.systems,
        test.dimensions,
        test.correction,
        (*parts, k, math.floor(units)),
        max(1.0, few - 1.0),
        power,
        alpha,
        test.show,
    )


@lru_cache(maxsize=4096)
def _shift(
    systems: int,
    dimensions: int,
    correction: str,
    panel: tuple[float, ...],
    degrees: float,
    power: float,
    alpha: float,
    show: str = DIFFERENCE,
) -> float:
    if not (0 < power < 1 and 0 < alpha < 1):
        raise ValueError("power and alpha lie between 0 and 1")
    alone = not panel and (correction == "none" or systems * dimensions == 2)
    alone = alone and show == DIFFERENCE
    family = (systems, dimensions, correction, panel, degrees, alpha)
    drawn = _SingleTest(degrees, alpha) if alone else _Family(*family, show)
    low, high = 0.0, 2.0
    while drawn.power(high) < power:
        high *= 2
        if high > 1e6:
            return math.inf
    while high - low > 2e-4:
        middle = (low + high) / 2
        low, high = (low, middle) if drawn.power(middle) >= power else (middle, high)
    return high


class _SingleTest:
    """Student's test of one difference."""

    def __init__(self, degrees: float, alpha: float) -> None:
        from scipy.special import stdtrit

        self.degrees = degrees
        normal = NormalDist().inv_cdf(1 - alpha / 2)
        self.threshold = normal if math.isinf(degrees) else float(stdtrit(degrees, 1 - alpha / 2))

    def power(self, shift: float) -> float:
        """How often a difference so many standard errors from 0 is shown, by the noncentral t."""
        from scipy.special import nctdtr

        if math.isinf(self.degrees) or shift > 30:
            normal = NormalDist()
            return normal.cdf(shift - self.threshold) + normal.cdf(-shift - self.threshold)
        ends = (float(nctdtr(self.degrees, shift, end)) for end in (-self.threshold, self.threshold))
        low, high = ends
        return low + 1 - high


class _Family:
    """Simulated studies without any difference; one is added, to count how often the first pair is shown to differ."""

    def __init__(
        self,
        systems: int,
        dimensions: int,
        correction: str,
        panel: tuple[float, ...],
        degrees: float,
        alpha: float,
        show: str,
    ) -> None:
        self.show = show
        pairs = list(combinations(range(systems), 2))
        self.correction, self.degrees, self.alpha = correction, degrees, alpha
        self.alone = dimensions * len(pairs) == 1 or correction == "none"
        pairs = pairs[:1] if self.alone else pairs
        dimensions = 1 if self.alone else dimensions
        draws = max(1000, min(SIMULATIONS, MOST_CELLS // (dimensions * len(pairs))))
        rng = np.random.default_rng(0)
        scores = rng.normal(size=(draws, dimensions, systems))
        first, second = np.array(pairs).T
        self.z = ((scores[:, :, first] - scores[:, :, second]) / math.sqrt(2)).reshape(draws, -1)
        self.error = np.sqrt(self._squared_errors(rng, panel))
        # On the first dimension the first system lies apart from all others.
        self.moved = np.zeros(self.z.shape[1])
        self.moved[: len(pairs)] = [float(one == 0) for one, _ in pairs]
        self.alike = _two_sided(self.z / self.error, degrees)

    def _squared_errors(self, rng: "np.random.Generator", panel: tuple[float, ...]) -> Floats:
        """The squared standard errors that studies would find, over the true one."""
        shape = self.z.shape
        if not panel:
            drawn = rng.chisquare(self.degrees, size=shape) / self.degrees if math.isfinite(self.degrees) else 1.0
            found: Floats = np.broadcast_to(np.asarray(drawn, dtype=np.float64), shape)
            return found
        people, items, rest, k, units = panel
        few = min(k, units)
        of_people = people * rng.chisquare(k - 1, size=shape) / k
        of_items = items * rng.chisquare(units - 1, size=shape) / units
        drawn_both: Floats = (of_people + of_items + 3 * rest) * few / (few - 1)
        return drawn_both

    def power(self, shift: float) -> float:
        """How often the first pair is shown to differ; or, with all alike, to lie within so many standard errors."""
        if self.show != DIFFERENCE:
            apart = -self.z if self.show == NON_INFERIORITY else np.abs(self.z)
            p = _above((shift - apart) / self.error, self.degrees)
            return float((_correct_first_p(p, self.correction, self.alone) <= self.alpha).mean())
        p, moved = self.alike, self.moved > 0
        p[:, moved] = _two_sided((self.z[:, moved] + shift) / self.error[:, moved], self.degrees)
        return float((_correct_first_p(p, self.correction, self.alone) <= self.alpha).mean())


def _two_sided(t: Floats, degrees: float) -> Floats:
    return 2 * _above(np.abs(t), degrees)


def _above(t: Floats, degrees: float) -> Floats:
    """The probability of a larger value than each."""
    from scipy.special import ndtr, stdtr

    return np.asarray(ndtr(-t) if math.isinf(degrees) else stdtr(degrees, -t), dtype=np.float64)


def _correct_first_p(p: Floats, correction: str, alone: bool) -> Floats:
    """The corrected p-value of the first test of each row."""
    if alone:
        return p[:, 0]
    if correction == "bonferroni":
        return np.asarray(np.minimum(1.0, p[:, 0] * p.shape[1]))
    order = np.sort(p, axis=1)
    adjusted = np.maximum.accumulate(order * np.arange(p.shape[1], 0, -1), axis=1)
    place = (order < p[:, :1]).sum(axis=1)
    return np.asarray(np.minimum(1.0, adjusted[np.arange(len(p)), place]))
