"""ICC(1,1) and ICC(1,k): intraclass correlations when it does not matter who judged."""

from dataclasses import dataclass

from assay.statistics.arrays import Floats, np
from assay.statistics.base import ORDERED_LEVELS, KnownAnswer, Tally, ratio, register
from assay.statistics.intraclass import Intraclass, bounds_of_ratio, centred_values, deviations, share_of_variance
from assay.statistics.patterns import Patterns
from assay.statistics.scale import Scale


@dataclass(frozen=True, kw_only=True)
class OneWay(Intraclass):
    """The share of variance that lies between items, when the annotators of an item are any annotators.

    With n items of two or more judgments, k on each, N in all, and the mean squares between items and within them,

        ICC(1,1) = (MSB - MSW) / (MSB + (k - 1) MSW)      of one judgment
        ICC(1,k) = (MSB - MSW) / MSB                      of the mean of an item's k judgments

    What annotators differ by in severity counts as error, as does all else within an item. With unequal numbers k_i of
    judgments, the variance between items is (MSB - MSW) / k_0 with k_0 = (N - sum_i k_i^2 / N) / (n - 1), and the k of
    a mean is the harmonic mean of the k_i, which the method then says. Below 0 where items differ less than by chance.

    The interval is that of Shrout & Fleiss, from F, where all items have the same number of judgments and stand alone
    (normal errors are assumed); otherwise it comes from the draws of items, like all others.

    References: Shrout, P. E. and Fleiss, J. L. (1979). Intraclass correlations: uses in assessing rater reliability.
    Psychological Bulletin 86. Donner, A. (1986). A review of inference procedures for the intraclass correlation
    coefficient in the one-way random effects model. International Statistical Review 54 (unequal numbers).

    Example:
        >>> from assay.statistics import Ratings, agree
        >>> ratings = Ratings.from_rows(SHROUT_FLEISS, range(1, 11), "interval")
        >>> [round(found.value, 2) for found in agree(ratings, ["icc_1_1", "icc_1_k"])]
        [0.17, 0.44]
    """

    by_annotator: bool = False

    def contributions(self, patterns: Patterns) -> Floats:
        given, values = centred_values(patterns)
        judged = given.sum(axis=1).astype(np.float64)
        counted, total = judged > 0, values.sum(axis=1)
        over = np.divide(1.0, judged, out=np.zeros_like(judged), where=counted)
        within = (deviations(given, values) ** 2).sum(axis=1)
        square = (values**2).sum(axis=1)
        return np.column_stack([counted, judged, judged**2, over, within, total, total**2 * over, square])

    def combine(self, sums: Floats, scale: Scale) -> Floats:
        items, within, k, size = self._components(sums)
        return share_of_variance(items, within / k if self.of_mean else within, size)

    def _components(self, sums: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """The variances between and within items, the harmonic mean of k, and the mean square of all values."""
        n, judgments, squares, over, within, total, means, size = sums.T
        variance_within = ratio(within, judgments - n)
        mean_square = ratio(means - ratio(total**2, judgments), n - 1)
        k_0 = ratio(judgments - ratio(squares, judgments), n - 1)
        return ratio(mean_square - variance_within, k_0), variance_within, ratio(n, over), ratio(size, judgments)

    def complete(self, patterns: Patterns) -> bool:
        return bool(np.ptp(patterns.n_judgments[patterns.is_shared]) == 0)

    def bounds(self, tally: Tally, n: int, k: int) -> tuple[float, float] | None:
        items, within, *_ = (float(part[0]) for part in self._components(tally.sums(tally.observed_weights)))
        return bounds_of_ratio(max(0.0, within + k * items), within, k, n - 1, n * (k - 1))

    def how_with_gaps(self, numbers: str) -> str:
        return f"unequal numbers of judgments ({numbers})"


SHROUT_FLEISS = ((9, 2, 5, 8), (6, 1, 3, 2), (8, 4, 6, 8), (7, 1, 2, 6), (10, 5, 6, 9), (6, 2, 4, 7))
"""Six items judged by four annotators, Table 2."""


def shrout_fleiss(value: float) -> tuple[KnownAnswer, ...]:
    """The published example, with two digits."""
    source = "Shrout & Fleiss (1979), Tables 2 and 4"
    return (KnownAnswer(SHROUT_FLEISS, tuple(range(1, 11)), "interval", value, source, 0.005),)


register(
    OneWay(
        name="icc_1_1",
        title="ICC(1,1)",
        doc="Reliability of one judgment by any annotator: the share of variance that lies between items.",
        levels=ORDERED_LEVELS,
        rank=140,
        of_mean=False,
        known=shrout_fleiss(0.17),
    )
)
register(
    OneWay(
        name="icc_1_k",
        title="ICC(1,k)",
        doc="Reliability of the mean of an item's k judgments by any annotators.",
        levels=ORDERED_LEVELS,
        rank=150,
        lowest=float("-inf"),
        of_mean=True,
        known=shrout_fleiss(0.44),
    )
)
