"""Coefficients of two annotators, and their mean over pairs when there are more than two."""

from dataclasses import dataclass
from itertools import combinations

from assay.statistics.arrays import Floats, np
from assay.statistics.base import Block, Statistic, Tally, ratio, why_no_agreement
from assay.statistics.patterns import Patterns
from assay.statistics.table import MISSING, Scale


@dataclass(frozen=True, kw_only=True)
class MeanOverPairs(Statistic):
    """One minus observed over expected disagreement of two annotators; a kind says what it expects by chance.

    Every pair that shares items counts the same, however few these are: a rule that dropped pairs below some number
    would make the value jump with that number. The method says how many pairs there are and what they share, and where
    pairs share a handful of items no interval is given that would not hold the value (see `bootstrap`).
    """

    power: int = 0
    """The weight of a disagreement is its distance to this power; 0 makes all disagreements equal."""

    def weights(self, scale: Scale) -> Floats:
        """How much each disagreement counts: categories by categories."""
        return scale.distances(self.power)

    def expected(self, left: Floats, right: Floats, weights: Floats) -> Floats:
        """The disagreement of pairs of annotators by chance, from how often each gave each category, in items^2."""
        raise NotImplementedError

    def contributions(self, patterns: Patterns) -> list[Block]:
        weights, one_of = self.weights(patterns.scale), np.eye(len(patterns.scale))
        given = patterns.rows != MISSING
        blocks = []
        for first, second in combinations(range(patterns.rows.shape[1]), 2):
            where = np.flatnonzero(given[:, first] & given[:, second])
            if len(where):
                left, right = patterns.rows[where, first], patterns.rows[where, second]
                blocks.append(Block(where, np.column_stack([weights[left, right], one_of[left], one_of[right]])))
        return blocks

    def combine(self, sums: Floats, scale: Scale) -> Floats:
        values = self._of_pairs(sums, scale)
        defined = ~np.isnan(values)
        return ratio(values.sum(axis=1, where=defined), defined.sum(axis=1))

    def _of_pairs(self, sums: Floats, scale: Scale) -> Floats:
        """The coefficient of each pair of annotators that shares items: (B, pairs)."""
        width = 1 + 2 * len(scale)
        by_pair = sums.reshape(len(sums), sums.shape[1] // width, width)
        observed, left, right = by_pair[..., 0], by_pair[..., 1 : 1 + len(scale)], by_pair[..., 1 + len(scale) :]
        return 1.0 - ratio(left.sum(axis=2) * observed, self.expected(left, right, self.weights(scale)))

    def note(self, tally: Tally) -> str:
        sums, scale = tally.sums(tally.observed), tally.patterns.scale
        values = self._of_pairs(sums, scale)
        if values.size == 1:
            return ""
        width = 1 + 2 * len(scale)
        shared = sums.reshape(values.size, width)[:, 1 : 1 + len(scale)].sum(axis=1)
        undefined = int(np.isnan(values).sum())
        left_out = f", {undefined} of them left out because it is undefined there" if undefined else ""
        each = f"{shared.min():.0f} to {shared.max():.0f} each"
        return f"mean over {values.size} pairs of annotators that share items ({each}){left_out}"

    def why_undefined(self, patterns: Patterns) -> str:
        return (
            why_no_agreement(patterns)
            or "in every pair of annotators that shares items, both gave one and the same value throughout"
        )
