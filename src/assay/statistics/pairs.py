"""Coefficients of two annotators, and their mean over pairs when there are more than two."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.base import ColumnBlock, Statistic, Tally, ratio, why_no_agreement
from assay.statistics.patterns import Patterns
from assay.statistics.table import MISSING, Scale

SPARSE = 8
"""To count judgment by judgment takes so many times as long for each as to multiply whole tables."""
ENOUGH = 20
"""A pair of annotators counts in a mean over pairs if it shares so many items, or half of all in a smaller study."""


@dataclass(frozen=True, kw_only=True)
class MeanOverPairs(Statistic):
    """One minus observed over expected disagreement of two annotators; a kind says what it expects by chance.

    Every pair that shares enough items counts the same. Of a pair that shares one item the formula makes 0 or nothing,
    of two or three it makes a number that is chance: among many annotators, of whom each judged a few items, a mean
    over such pairs tells nothing of agreement. So pairs count that share 20 items, or half of the items with two
    judgments where these are fewer than 40. Two annotators by themselves always do, and so do all pairs of a table
    without gaps. Which pairs count is settled by the data, once, and held in all draws. The method says how many they
    are and what they share; where there are none, that is the reason why there is no value.

    With gaps the interval comes from leaving out items (or groups of them), and lies about the value less its bias:
    kappas of a few items each lie too low, and so does their mean. Drawing items would cover the truth in 87 to 93 %.
    """

    power: int = 0
    """The weight of a disagreement is its distance to this power; 0 makes all disagreements equal."""

    def weights(self, scale: Scale) -> Floats:
        """How much each disagreement counts: categories by categories."""
        return scale.distances(self.power)

    def expected_disagreement(self, left: Floats, right: Floats, scale: Scale) -> Floats:
        """The disagreement of pairs of annotators by chance, from how often each gave each category, in items^2."""
        raise NotImplementedError

    def contributions(self, patterns: Patterns) -> list[ColumnBlock]:
        weights, one_of = self.weights(patterns.scale), np.eye(len(patterns.scale))
        blocks = []
        for first, second, where in _pairs_that_count(patterns):
            left, right = patterns.rows[where, first], patterns.rows[where, second]
            blocks.append(ColumnBlock(where, np.column_stack([weights[left, right], one_of[left], one_of[right]])))
        return blocks

    def is_biased(self, patterns: Patterns) -> bool:
        # Each pair has a kappa of its own, of few items, which lies too low; a draw repeats some, and so has fewer.
        shared = items_shared(patterns)[np.triu_indices(patterns.rows.shape[1], 1)]
        return bool(((shared > 0) & (shared < patterns.counts[patterns.is_shared].sum())).any())

    def combine(self, sums: Floats, scale: Scale) -> Floats:
        values = self._of_pairs(sums, scale)
        defined = ~np.isnan(values)
        return ratio(values.sum(axis=1, where=defined), defined.sum(axis=1))

    def _of_pairs(self, sums: Floats, scale: Scale) -> Floats:
        """The coefficient of each pair of annotators that shares items: (B, pairs)."""
        width = 1 + 2 * len(scale)
        by_pair = sums.reshape(len(sums), sums.shape[1] // width, width)
        observed, left, right = by_pair[..., 0], by_pair[..., 1 : 1 + len(scale)], by_pair[..., 1 + len(scale) :]
        return 1.0 - ratio(left.sum(axis=2) * observed, self.expected_disagreement(left, right, scale))

    def note(self, tally: Tally) -> str:
        patterns = tally.patterns
        shared = items_shared(patterns)[np.triu_indices(patterns.rows.shape[1], 1)]
        least, n_pairs = enough(patterns), int(np.count_nonzero(shared))
        counted = shared[shared >= least]
        if n_pairs == 1:
            return ""
        which = f"{n_pairs} pairs of annotators that share items"
        if len(counted) < n_pairs:
            which = f"{len(counted)} of {n_pairs} pairs of annotators, those that share {least} items or more"
        undefined = int(np.isnan(self._of_pairs(tally.sums(tally.observed_weights), patterns.scale)).sum())
        left_out = f", {undefined} of them left out because it is undefined there" if undefined else ""
        return f"mean over {which} ({counted.min()} to {counted.max()} each){left_out}"

    def why_undefined(self, patterns: Patterns) -> str:
        lacking = why_no_agreement(patterns)
        if lacking is not None:
            return lacking
        least, most = enough(patterns), int(np.triu(items_shared(patterns), 1).max(initial=0))
        if most < least:
            return (
                f"no two annotators share {least} items ({most} at most), and a mean over pairs that share fewer is "
                "chance: see Conger's kappa or Krippendorff's alpha, which use all judgments together"
            )
        return "in every pair of annotators that shares enough items, both gave one and the same value throughout"


def items_shared(patterns: Patterns) -> Ints:
    """How many items each two annotators share: (annotators, annotators), each with themselves on the diagonal.

    Example:
        >>> from assay.statistics import Ratings
        >>> items_shared(Patterns.of(Ratings.from_rows([(1, 1, None), (1, 2, 2)], (1, 2), "nominal"))).tolist()
        [[2, 2, 1], [2, 2, 1], [1, 1, 1]]
    """
    if patterns not in _shared_in:
        most = int(patterns.n_judgments.max(initial=0))
        sparse = SPARSE * int(patterns.n_judgments.sum()) * most < patterns.rows.size * patterns.rows.shape[1]
        _shared_in[patterns] = _count_judgment_by_judgment(patterns, most) if sparse else _count_at_once(patterns)
    return _shared_in[patterns]


def _count_at_once(patterns: Patterns) -> Ints:
    given = (patterns.rows != MISSING).astype(np.float64)
    counted: Ints = np.rint((given * patterns.counts[:, None]).T @ given).astype(np.int64)
    return counted


def _count_judgment_by_judgment(patterns: Patterns, most: int) -> Ints:
    """The same for many annotators of whom few judged each item: each judgment with the next ones of its pattern."""
    size = patterns.rows.shape[1]
    pattern, who = np.nonzero(patterns.rows != MISSING)
    times = patterns.counts[pattern].astype(np.float64)
    total = np.zeros(size * size)
    for apart in range(most):
        first = np.flatnonzero(pattern[: len(pattern) - apart] == pattern[apart:])
        total += np.bincount(who[first] * size + who[first + apart], times[first], size * size)
    above = total.reshape(size, size)
    counted: Ints = np.rint(above + above.T - np.diag(above.diagonal())).astype(np.int64)
    return counted


def _pairs_that_count(patterns: Patterns) -> list[tuple[int, int, Ints]]:
    """Each two annotators who share enough items, and the patterns that both judged: found once for all statistics."""
    if patterns not in _pairs_in:
        given = np.ascontiguousarray((patterns.rows != MISSING).T)
        counted = np.argwhere(np.triu(items_shared(patterns) >= enough(patterns), 1)).tolist()
        _pairs_in[patterns] = [(one, other, np.flatnonzero(given[one] & given[other])) for one, other in counted]
    return _pairs_in[patterns]


_pairs_in: WeakKeyDictionary[Patterns, list[tuple[int, int, Ints]]] = WeakKeyDictionary()
_shared_in: WeakKeyDictionary[Patterns, Ints] = WeakKeyDictionary()


def enough(patterns: Patterns) -> int:
    """How many items a pair must share to count: 20, or half of the items with two judgments where that is fewer.

    Example:
        >>> from assay.statistics import Ratings
        >>> [enough(Patterns.of(Ratings.from_rows([(1, 1), (1, 2)] * n, (1, 2), "nominal"))) for n in (1, 7, 100)]
        [1, 7, 20]
    """
    items = int(patterns.counts[patterns.is_shared].sum())
    return max(1, min(ENOUGH, (items + 1) // 2))
