"""Observed against expected disagreement as Gwet writes it, for any number of annotators and any gaps."""

from dataclasses import dataclass

from assay.statistics.arrays import Floats, np
from assay.statistics.base import ColumnBlock, Statistic, ratio, why_no_agreement
from assay.statistics.patterns import Patterns
from assay.statistics.scale import LONG, Scale


@dataclass(frozen=True, kw_only=True)
class ChanceCorrected(Statistic):
    """One minus observed over expected disagreement; a kind says what it expects by chance.

    The observed disagreement is a mean over the items with two or more judgments, each of which counts the same; the
    shares of the categories are means over all items with a judgment. Kinds differ in how these shares make chance.
    """

    power: int = 0
    """The weight of a disagreement is its distance to this power; 0 makes all disagreements equal."""

    def weights(self, scale: Scale) -> Floats:
        """How much each disagreement counts, from 0 to 1 for the ends of the declared scale."""
        distances = scale.distances(self.power)
        farthest = float(distances.max(initial=0.0))
        return distances / farthest if farthest > 0 else distances

    def total_weight(self, shares: Floats, scale: Scale) -> Floats:
        """How much the disagreements of each category with all others count: `shares @ weights`."""
        if len(scale) <= LONG:
            total: Floats = shares @ self.weights(scale)
            return total
        farthest = float(np.ptp(scale.in_units) ** self.power) if self.power else 1.0
        return scale.total_distance(shares, self.power) / farthest

    def expected_disagreement(self, shares: Floats, scale: Scale) -> Floats:
        """The disagreement by chance (B), from the share of each category (B, categories)."""
        raise NotImplementedError

    def contributions(self, patterns: Patterns) -> Floats | list[ColumnBlock]:
        shares = patterns.frequencies / np.maximum(patterns.n_judgments, 1)[:, None]
        return np.column_stack([self.observed_disagreement(patterns), patterns.n_judgments > 0, shares])

    def observed_disagreement(self, patterns: Patterns) -> Floats:
        """Two columns: the disagreement on an item of each pattern, and whether it has the two judgments for that."""
        frequencies, judged = patterns.frequencies, patterns.n_judgments
        apart = (self.total_weight(frequencies, patterns.scale) * frequencies).sum(axis=1)
        return np.column_stack([apart * patterns.is_shared / np.maximum(judged * (judged - 1), 1), patterns.is_shared])

    def combine(self, sums: Floats, scale: Scale) -> Floats:
        shares = ratio(sums[:, 3:], sums[:, 2:3])
        return 1.0 - ratio(ratio(sums[:, 0], sums[:, 1]), self.expected_disagreement(shares, scale))

    def lacks(self, patterns: Patterns) -> str | None:
        # Some of the formulas give 1 where nobody ever told two items apart. That is no finding.
        return why_no_agreement(patterns)
