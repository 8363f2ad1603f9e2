"""What the intraclass correlations have in common: a share of variance, and intervals from F."""

from dataclasses import dataclass

from assay.statistics.arrays import Bools, Floats, np
from assay.statistics.base import Interval, Statistic, Tally, ratio, why_no_agreement
from assay.statistics.f_distribution import f_quantile
from assay.statistics.patterns import Patterns
from assay.statistics.spearman_brown import reliability_of_mean
from assay.statistics.table import MISSING

TAIL = 0.975
"""The upper quantile of a 95 % interval: half of the 5 % lies above."""


@dataclass(frozen=True, kw_only=True)
class Intraclass(Statistic):
    """The share of the variance of judgments (or of their means) that is variance between items."""

    of_mean: bool
    """Whether it is that of the mean of an item's k judgments, and not that of one of them."""

    def bounds(self, tally: Tally, n: int, k: int) -> tuple[float, float] | None:
        """The interval for one judgment from F, n items with k judgments each."""
        raise NotImplementedError

    def complete(self, patterns: Patterns) -> bool:
        """Whether the items with two judgments make a table without gaps, of the kind that the theory of F takes."""
        raise NotImplementedError

    def theory(self, tally: Tally) -> Interval | None:
        patterns = tally.patterns
        if not self.complete(patterns):
            return None
        n, k = int(patterns.counts[patterns.is_shared].sum()), int(patterns.n_judgments[patterns.is_shared][0])
        found = self.bounds(tally, n, k)
        if found is None:
            return None
        low, high = (reliability_of_mean(bound, k) for bound in found) if self.of_mean else found
        if low is None or high is None:
            return None
        method = "interval from F (Shrout & Fleiss 1979)"
        if not low < high:
            return Interval(None, f"no interval: without any error F tells no lower end ({method})")
        return Interval((low, high), method)

    def note(self, tally: Tally) -> str:
        patterns = tally.patterns
        judged, counts = patterns.n_judgments[patterns.is_shared], patterns.counts[patterns.is_shared]
        gaps = "" if self.complete(patterns) else self.how_with_gaps(f"{judged.min()} to {judged.max()} an item")
        harmonic = counts.sum() / (counts / judged).sum()
        return ", ".join(filter(None, [gaps, f"k = {harmonic:.3g}" if self.of_mean else ""]))

    def how_with_gaps(self, numbers: str) -> str:
        """A note on how the value of a table with gaps was computed."""
        raise NotImplementedError

    def lacks(self, patterns: Patterns) -> str | None:
        if not patterns.scale.numeric:
            return f"{self.title} needs numbers, and the scale is {patterns.scale}"
        one = patterns.counts[patterns.is_shared].sum() == 1
        return why_no_agreement(patterns) or ("only one item has two judgments" if one else None)

    def why_undefined(self, patterns: Patterns) -> str:
        return (
            why_no_agreement(patterns)
            or self.lacks(patterns)
            or "the items differ so little that the estimated variances add up to nothing"
        )


def share_of_variance(items: Floats, noise: Floats, size: Floats) -> Floats:
    """Variance between items over that and the noise; undefined where both, to the size of the data, make nothing.

    Example:
        >>> share_of_variance(np.array([3.0]), np.array([1.0]), np.array([4.0])).tolist()
        [0.75]
    """
    whole = items + noise
    return ratio(items, np.where(whole > 1e-12 * size, whole, 0.0))


def centred_values(patterns: Patterns) -> tuple[Bools, Floats]:
    """Who judged each pattern of two judgments or more, and the values minus `middle_value`, 0 where there is none."""
    given = (patterns.rows != MISSING) & patterns.is_shared[:, None]
    return given, np.where(given, (patterns.scale.in_units - middle_value(patterns))[patterns.rows], 0.0)


def middle_value(patterns: Patterns) -> float:
    """The median of all judgments, in the scale's units: subtracted to keep rounding errors small."""
    times = patterns.counts @ (patterns.frequencies * patterns.is_shared[:, None])
    return float(patterns.scale.in_units[np.searchsorted(times.cumsum(), times.sum() / 2)])


def deviations(given: Bools, values: Floats) -> Floats:
    """The values minus the mean of their item: exactly 0 where all values of an item are the same."""
    first = np.take_along_axis(values, given.argmax(axis=1)[:, None], axis=1)
    shifted = np.where(given, values - first, 0.0)
    mean = shifted.sum(axis=1, keepdims=True) / np.maximum(given.sum(axis=1, keepdims=True), 1)
    return np.where(given, shifted - mean, 0.0)


def bounds_of_ratio(items: float, noise: float, k: int, top: float, bottom: float) -> tuple[float, float] | None:
    """The interval of (items - noise) / (items + (k - 1) noise), two mean squares whose ratio has an F distribution.

    None where the items' means are all the same: the theory would be sure of that.

    Reference: Shrout, P. E. and Fleiss, J. L. (1979). Psychological Bulletin 86.

    Example:
        >>> [round(bound, 3) for bound in bounds_of_ratio(11.24, 6.26, 4, 5, 18)]  # ICC(1,1) of their Table 2
        [-0.133, 0.723]
    """
    if items <= 1e-12 * noise:
        return None
    low, high = noise * f_quantile(TAIL, top, bottom), items * f_quantile(TAIL, bottom, top)
    return (items - low) / (items + (k - 1) * low), (high - noise) / (high + (k - 1) * noise)
