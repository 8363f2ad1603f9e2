"""Differences on a scale that ends: what variance they have where values gather at its lower or upper end."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.statistics.arrays import Floats, np
from assay.statistics.comparison.planning import Components
from assay.statistics.draws import SEED

ITEMS = 40_000


@dataclass(frozen=True)
class OrdinalOutcome:
    """How one system's values spread over a scale, and how far annotators, and systems, agree about items.

    Example:
        >>> good = OrdinalOutcome((1, 2, 3, 4, 5), (0.02, 0.03, 0.1, 0.25, 0.6), agreement=0.5)
        >>> round(good.mean, 2), round(good.room, 2)
        (4.38, 0.62)
    """

    values: Sequence[float]
    shares: Sequence[float]
    """The share of each value in the judgments of the system that others are compared with."""
    agreement: float = 0.5
    """The share of the variance (of what lies behind the values) that annotators of an item have in common."""
    common: float = 0.5
    """How much of that two systems have in common on the same item: some items are hard for both."""

    def __post_init__(self) -> None:
        if len(self.values) != len(self.shares) or len(self.values) < 2:
            raise ValueError("each of two values or more has its share")
        if min(self.shares) < 0 or abs(sum(self.shares) - 1) > 1e-6:
            raise ValueError("shares are 0 or more, and add up to 1")
        if list(self.values) != sorted(set(self.values)):
            raise ValueError("values rise")
        if not (0 <= self.agreement < 1 and 0 <= self.common <= 1):
            raise ValueError("agreement and what systems have in common lie between 0 and 1")

    @property
    def mean(self) -> float:
        """The mean of the system that others are compared with."""
        return sum(value * share for value, share in zip(self.values, self.shares, strict=True))

    @property
    def room(self) -> float:
        """How far another system can lie above it: to the upper end of the scale."""
        return max(self.values) - self.mean

    @property
    def step(self) -> float:
        """The step that all values are whole multiples of; 0 where there is none."""
        return step_of(self.values)

    def draw_judgments(self, rng: "np.random.Generator", n: int, k: int, difference: float) -> tuple[Floats, Floats]:
        """Judgments of two systems, (n, k) each: the first lies above the second by `difference` on average."""
        from scipy.special import ndtri

        cuts = ndtri(np.clip(np.cumsum(self.shares)[:-1], 1e-12, 1 - 1e-12))
        item = math.sqrt(self.agreement * self.common) * rng.normal(size=(n, 1))
        values, found = np.asarray(self.values, dtype=float), []
        for shift in (self._shift(difference), 0.0):
            own = math.sqrt(self.agreement * (1 - self.common)) * rng.normal(size=(n, 1))
            heard = item + own + shift + math.sqrt(1 - self.agreement) * rng.normal(size=(n, k))
            found.append(values[np.searchsorted(cuts, heard)])
        return found[0], found[1]

    def _shift(self, difference: float) -> float:
        """How far the latent quality must shift to raise the mean of the values by `difference`."""
        from scipy.special import ndtr, ndtri

        cuts = ndtri(np.clip(np.cumsum(self.shares)[:-1], 1e-12, 1 - 1e-12))
        steps = np.diff(np.asarray(self.values, dtype=float))
        low, high = -12.0, 12.0
        for _ in range(60):
            middle = (low + high) / 2
            mean = self.values[0] + float(steps @ ndtr(middle - cuts))
            low, high = (middle, high) if mean < self.mean + difference else (low, middle)
        return high


def step_of(values: Iterable[float]) -> float:
    """The least step between values, where all of them lie on steps of its size; else 0.

    Example:
        >>> step_of([1, 3, 2, 5]), step_of([0.0, 0.3, 1.0]), step_of([4])
        (1.0, 0.0, 0.0)
    """
    gaps = np.diff(np.unique(np.asarray(list(values), dtype=float)))
    if not len(gaps):
        return 0.0
    steps = gaps / gaps.min()
    return float(gaps.min()) if np.allclose(steps, np.round(steps), atol=1e-6) else 0.0


def components_of_outcome(outcome: OrdinalOutcome, difference: float, seed: int = SEED) -> Components | None:
    """A and B of the difference of two systems on a scale that ends; None where the scale has no room for it.

    Values are a latent normal quality, cut where the declared shares say; that of the better system is shifted until
    the means lie `difference` apart. Of 40,000 items with two annotators each, A is the covariance of their differences
    and B the rest of the variance. Near an end of the scale a difference has less variance than in the middle, and
    one that is larger than the room above cannot be.

    References: McCullagh, P. (1980). Regression models for ordinal data. Journal of the Royal Statistical Society B 42.
    Whitehead, J. (1993). Sample size calculations for ordered categorical data. Statistics in Medicine 12.

    Example:
        >>> middle = OrdinalOutcome((1, 2, 3, 4, 5), (0.1, 0.2, 0.4, 0.2, 0.1), agreement=0.5)
        >>> top = OrdinalOutcome((1, 2, 3, 4, 5), (0.0, 0.02, 0.08, 0.2, 0.7), agreement=0.5)
        >>> [round(components_of_outcome(each, 0.2).of_difference(2), 1) for each in (middle, top)]
        [1.2, 0.4]
        >>> components_of_outcome(top, 0.5) is None
        True
    """
    lowest, highest = outcome.values[0] - outcome.mean, outcome.room
    if not lowest < difference < highest:
        return None
    first, second = outcome.draw_judgments(np.random.default_rng(seed), ITEMS, 2, difference)
    apart = first - second
    covariance = float(np.cov(apart[:, 0], apart[:, 1])[0, 1])
    whole = float(apart.var(ddof=1))
    between = min(max(0.0, covariance), whole)
    return Components(between, whole - between, 0, "stated shares of each value")
