"""Coefficients of two annotators, and their mean over pairs when there are more than two."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.base import BlockSums, ColumnBlock, Statistic, Tally, ratio, why_no_agreement
from assay.statistics.patterns import Patterns
from assay.statistics.scale import Scale
from assay.statistics.table import MISSING

SPARSE = 8
"""How many times as long a judgment takes in a loop as a cell in a product of whole tables."""
MANY = 500
"""From this many pairs on they are processed in parts, without a list of what each adds to each sum."""
MOST_DRAWN = 10_000
"""Of more pairs the interval comes from leaving out items: a thousand draws would take minutes."""
ENOUGH = 20
"""A pair of annotators counts in a mean over pairs if it shares so many items, or half of all in a smaller study."""


@dataclass(frozen=True, kw_only=True)
class MeanOverPairs(Statistic):
    """One minus observed over expected disagreement of two annotators; a kind says what it expects by chance.

    Every pair that shares enough items counts the same. For a pair that shares one item the formula gives 0 or nothing,
    for two or three a number that is chance: among many annotators, of whom each judged a few items, a mean
    over such pairs tells nothing of agreement. So pairs count that share 20 items, or half of the items with two
    judgments where these are fewer than 40. Two annotators by themselves always do, and so do all pairs of a table
    without gaps. Which pairs count is settled by the data, once, and held in all draws. The method says how many they
    are and what they share; where there are none, that is the reason why there is no value.

    With gaps the interval comes from leaving out items (or groups of them), and lies about the value less its bias:
    kappas of a few items each lie too low, and so does their mean. Drawing items would cover the truth in 87 to 93 %.
    So does that of more than 10,000 pairs (142 annotators), for whom a thousand draws would take minutes.
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
        return _contributions(patterns, [self.weights(patterns.scale)])

    def is_biased(self, patterns: Patterns) -> bool:
        # Each pair has a kappa of its own, of few items, which lies too low; a draw repeats some, and so has fewer.
        shared = items_shared(patterns)[np.triu_indices(patterns.rows.shape[1], 1)]
        if np.count_nonzero(shared >= enough(patterns)) > MOST_DRAWN:
            return True
        return bool(((shared > 0) & (shared < patterns.counts[patterns.is_shared].sum())).any())

    def tally(self, patterns: Patterns) -> Tally:
        pairs = np.argwhere(np.triu(items_shared(patterns) >= enough(patterns), 1))
        share = items_shared(patterns)[tuple(pairs.T)].mean() / patterns.counts.sum() if len(pairs) else 0.0
        if len(pairs) > MANY and share > 1 / SPARSE:
            return TallyOfManyPairs(self, patterns, pairs)
        is_usual = type(self).weights is MeanOverPairs.weights and self.power in _powers_at(patterns.scale)
        return (TallyOfPairs if is_usual else Tally)(self, patterns)

    def combine(self, sums: Floats, scale: Scale) -> Floats:
        values = self._of_pairs(sums, scale)
        defined = ~np.isnan(values)
        return ratio(values.sum(axis=1, where=defined), defined.sum(axis=1))

    def _of_pairs(self, sums: Floats, scale: Scale) -> Floats:
        """The coefficient of each pair of annotators that shares items: (B, pairs)."""
        width = 1 + 2 * len(scale)
        by_pair = sums.reshape(len(sums), sums.shape[1] // width, width)
        observed, left, right = by_pair[..., 0], by_pair[..., 1 : 1 + len(scale)], by_pair[..., 1 + len(scale) :]
        items = left @ np.ones(len(scale))  # whole numbers: as exact as a sum, and faster
        return 1.0 - ratio(items * observed, self.expected_disagreement(left, right, scale))

    def note(self, tally: Tally) -> str:
        patterns = tally.patterns
        shared = items_shared(patterns)[np.triu_indices(patterns.rows.shape[1], 1)]
        least, n_pairs = enough(patterns), int(np.count_nonzero(shared))
        counted = shared[shared >= least]
        if n_pairs == 1:
            return ""
        which = f"{n_pairs:,} pairs of annotators that share items"
        if len(counted) < n_pairs:
            which = f"{len(counted):,} of {n_pairs:,} pairs of annotators, those that share {least} items or more"
        if isinstance(tally, TallyOfManyPairs):
            undefined = tally.n_undefined
        else:
            undefined = int(np.isnan(self._of_pairs(tally.sums(tally.observed_weights), patterns.scale)).sum())
        left_out = f", {undefined:,} of them left out because it is undefined there" if undefined else ""
        return f"mean over {which} ({counted.min():,} to {counted.max():,} each){left_out}"

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


def _contributions(patterns: Patterns, weights: Sequence[Floats]) -> list[ColumnBlock]:
    """The columns of each pair: disagreement by each of `weights`, then how often each of the two gave each value."""
    pairs, size, first = _pairs_that_count(patterns), len(patterns.scale), len(weights)
    one_of = np.eye(size)
    table = np.empty((len(pairs.left), first + 2 * size))
    for column, each in enumerate(weights):
        table[:, column] = each[pairs.left, pairs.right]
    table[:, first : first + size], table[:, first + size :] = one_of[pairs.left], one_of[pairs.right]
    ends = np.cumsum([len(where) for where in pairs.shared]).tolist()
    return [ColumnBlock(where, table[end - len(where) : end]) for where, end in zip(pairs.shared, ends, strict=True)]


class TallyOfPairs(Tally):
    """The mean over pairs. Kappas differ only in the weights of disagreements, so their sums are computed together."""

    # So many cells are kept for the next kind (16 MB).
    KEPT = 2**21

    def __init__(self, statistic: MeanOverPairs, patterns: Patterns) -> None:
        self.statistic, self.patterns = statistic, patterns
        powers = _powers_at(patterns.scale)
        if patterns not in _sums_in:
            blocks = _contributions(patterns, [patterns.scale.distances(power) for power in powers])
            _sums_in[patterns] = BlockSums(blocks, len(patterns.rows))
        self._together = _sums_in[patterns]
        self.width = self._together.width
        ends = range(len(powers), len(powers) + 2 * len(patterns.scale))
        self._columns = [powers.index(statistic.power), *ends]

    def values(self, weights: Floats) -> Floats:
        if len(weights) * self.width > self.KEPT:
            return super().values(weights)
        return self.statistic.combine(self.sums(weights), self.patterns.scale)

    def sums(self, weights: Floats) -> Floats:
        known = _summed_in.get(self.patterns)
        if known is None or known[0] is not weights:
            known = weights, self._together.of(weights)
            if known[1].size <= self.KEPT:
                _summed_in[self.patterns] = known
        every = known[1].reshape(len(weights), -1, self._columns[-1] + 1)
        return every[:, :, self._columns].reshape(len(weights), -1)


def _powers_at(scale: Scale) -> tuple[int, ...]:
    """The powers of distances by which disagreements count at the level of a scale."""
    return (0,) if scale.level == "nominal" else (0, 1, 2)


class TallyOfManyPairs(Tally):
    """The mean over a great many pairs, who share most of the items: the same values, some pairs at a time."""

    # So many cells are held at a time (32 MB).
    CELLS = 2**22

    def __init__(self, statistic: MeanOverPairs, patterns: Patterns, pairs: Ints) -> None:
        self.statistic, self.kappa, self.patterns, self.pairs = statistic, statistic, patterns, pairs

    def values(self, weights: Floats) -> Floats:
        total, defined = np.zeros(len(weights)), np.zeros(len(weights))
        for values in self._of_some_pairs(weights):
            is_defined = ~np.isnan(values)
            total += values.sum(axis=1, where=is_defined)
            defined += is_defined.sum(axis=1)
        return ratio(total, defined)

    def value(self) -> float | None:
        return self._of_all[0]

    @property
    def n_undefined(self) -> int:
        """How many pairs have no value."""
        return self._of_all[1]

    @cached_property
    def _of_all(self) -> tuple[float | None, int]:
        """The value of the data and how many pairs have none, cached."""
        found = np.concatenate([values[0] for values in self._of_some_pairs(self.observed_weights)])
        undefined = int(np.isnan(found).sum())
        return (float(np.nanmean(found)) if undefined < len(found) else None), undefined

    def _of_some_pairs(self, weights: Floats) -> Iterator[Floats]:
        """The coefficient of each pair (B, pairs), some pairs after others."""
        shared, scale = self.patterns.is_shared, self.patterns.scale
        rows, weights, size = self.patterns.rows[shared], weights[:, shared], len(scale)
        given, one_of, apart = rows != MISSING, np.eye(size), self.kappa.weights(scale)
        # Without gaps it does not depend on the other of the two how often somebody gave a category.
        often = self._marginals(weights, one_of[rows]) if given.all() else None
        step = max(1, self.CELLS // ((2 * size + 1) * max(len(weights), len(rows))))
        for start in range(0, len(self.pairs), step):
            first, second = self.pairs[start : start + step].T
            left, right, both = rows[:, first], rows[:, second], given[:, first] & given[:, second]
            observed = weights @ (apart[left, right] * both)
            if often is not None:
                mine, theirs, items = often[:, first], often[:, second], weights.sum(axis=1)[:, None]
            else:
                mine, theirs = (self._marginals(weights, one_of[each] * both[..., None]) for each in (left, right))
                items = weights @ both
            yield 1.0 - ratio(items * observed, self.kappa.expected_disagreement(mine, theirs, scale))

    @staticmethod
    def _marginals(weights: Floats, one_of: Floats) -> Floats:
        """How often each gave each category: (B, annotators or pairs, categories)."""
        patterns, who, size = one_of.shape
        return (weights @ one_of.reshape(patterns, who * size)).reshape(len(weights), who, size)


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
    """`items_shared` for many annotators of whom few judged each item: counted judgment by judgment."""
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


class _Pairs(NamedTuple):
    """Each two annotators who share enough items, pair after pair."""

    shared: Sequence[Ints]
    """The patterns that both of a pair judged."""
    left: Ints
    """What the first of each pair gave to these."""
    right: Ints


def _pairs_that_count(patterns: Patterns) -> _Pairs:
    """The pairs that share enough items, cached for all statistics."""
    if patterns not in _pairs_in:
        given = np.ascontiguousarray((patterns.rows != MISSING).T)
        counted = np.argwhere(np.triu(items_shared(patterns) >= enough(patterns), 1))
        shared = [np.flatnonzero(given[one] & given[other]) for one, other in counted.tolist()]
        first, second = np.repeat(counted, [len(where) for where in shared], axis=0).T
        where = np.concatenate([np.zeros(0, np.int64), *shared])
        _pairs_in[patterns] = _Pairs(shared, patterns.rows[where, first], patterns.rows[where, second])
    return _pairs_in[patterns]


_pairs_in: WeakKeyDictionary[Patterns, _Pairs] = WeakKeyDictionary()
_shared_in: WeakKeyDictionary[Patterns, Ints] = WeakKeyDictionary()
_sums_in: WeakKeyDictionary[Patterns, BlockSums] = WeakKeyDictionary()
_summed_in: WeakKeyDictionary[Patterns, tuple[Floats, Floats]] = WeakKeyDictionary()
"""A cache: the sums for the weights of the last call."""


def enough(patterns: Patterns) -> int:
    """How many items a pair must share to count: 20, or half of the items with two judgments where that is fewer.

    Example:
        >>> from assay.statistics import Ratings
        >>> [enough(Patterns.of(Ratings.from_rows([(1, 1), (1, 2)] * n, (1, 2), "nominal"))) for n in (1, 7, 100)]
        [1, 7, 20]
    """
    items = int(patterns.counts[patterns.is_shared].sum())
    return max(1, min(ENOUGH, (items + 1) // 2))
