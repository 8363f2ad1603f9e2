"""Krippendorff's alpha, for any number of annotators and any gaps, with the distance that the level allows."""

from collections.abc import Callable
from dataclasses import dataclass

from assay.model import Level
from assay.statistics.arrays import Floats, np
from assay.statistics.base import (
    ALL_LEVELS,
    ORDERED_LEVELS,
    ColumnBlock,
    KnownAnswer,
    Statistic,
    Tally,
    ratio,
    register,
)
from assay.statistics.patterns import Patterns
from assay.statistics.scale import Scale
from assay.statistics.table import MISSING


def nominal(scale: Scale) -> Floats:
    """Two values are the same, or they are not.

    Reference: Krippendorff, K. (2011). Computing Krippendorff's Alpha-Reliability.

    Example:
        >>> nominal(Scale((1, 2), "nominal")).tolist()
        [[0.0, 1.0], [1.0, 0.0]]
    """
    return 1.0 - np.eye(len(scale))


def interval(scale: Scale) -> Floats:
    """The square of the difference.

    Reference: Krippendorff, K. (2011). Computing Krippendorff's Alpha-Reliability.

    Example:
        >>> interval(Scale((0, 1, 3), "interval")).tolist()[0]  # in units of 4
        [0.0, 0.0625, 0.5625]
    """
    return scale.distances(2)


def of_ratio(scale: Scale) -> Floats:
    """The square of the difference as a part of the sum; 0 and 0 are the same.

    Reference: Krippendorff, K. (2011). Computing Krippendorff's Alpha-Reliability.

    Example:
        >>> of_ratio(Scale((0, 1, 3), "ratio")).tolist()[1]
        [1.0, 0.0, 0.25]
    """
    difference = np.subtract.outer(scale.in_units, scale.in_units)
    total = np.add.outer(scale.in_units, scale.in_units)
    return np.divide(difference, total, out=np.zeros_like(total), where=total > 0) ** 2


@dataclass(frozen=True, kw_only=True)
class Alpha(Statistic):
    """One minus observed over expected disagreement, over all pairs of judgments on the same item.

    With n_ic judgments of category c on item i, m_i = sum_c n_ic, only items with m_i >= 2, n_c = sum_i n_ic,
    n = sum_c n_c, and d(c, k) the squared distance of two categories,

        D_o = 1/n        sum_i 1/(m_i - 1) sum_ck n_ic n_ik d(c, k)
        D_e = 1/(n(n-1)) sum_ck n_c n_k d(c, k)
        alpha = 1 - D_o / D_e

    Nominal: d = 1 where c and k differ. Interval: d = (c - k)^2. Ratio: d = ((c - k) / (c + k))^2. The distances are
    those of the declared values. Items count by their number of judgments.

    Reference: Krippendorff, K. (2011). Computing Krippendorff's Alpha-Reliability; (2013) Content Analysis, 3rd ed.,
    chapter 12. Krippendorff's own bootstrap is not used: its intervals are far too narrow.

    Example:
        >>> from assay.statistics import Ratings, agree
        >>> rows = [(0, 1), (1, 1), (0, 1), (0, 0), (0, 0), (0, 1), (0, 0), (0, 0), (1, 0), (0, 0)]
        >>> ratings = Ratings.from_rows(rows, (0, 1), "nominal")
        >>> round(agree(ratings, ["krippendorff_alpha_nominal"])[0].value, 3)
        0.095
    """

    metric: Callable[[Scale], Floats]
    by_annotator: bool = False

    def contributions(self, patterns: Patterns) -> list[ColumnBlock]:
        marginals, weight = _frequencies_of_shared(patterns)
        observed = np.einsum("pc,ck,pk->p", marginals, self.metric(patterns.scale), marginals, optimize=True) * weight
        return [ColumnBlock(np.arange(len(observed)), observed[:, None]), *_by_category(marginals)]

    def combine(self, sums: Floats, scale: Scale) -> Floats:
        observed, marginals = sums[:, 0], sums[:, 1:]
        expected = ((marginals @ self.metric(scale)) * marginals).sum(axis=1)
        return 1.0 - ratio((marginals.sum(axis=1) - 1.0) * observed, expected)


@dataclass(frozen=True, kw_only=True)
class OrdinalAlpha(Statistic):
    """Krippendorff's alpha with his ordinal distance, which counts the judgments that lie between two categories.

    Alpha as for the other levels, with d(c, k) = (sum of n_g for g from c to k, minus (n_c + n_k) / 2)^2: the
    difference of the mean ranks of c and k among all judgments, squared. Gwet's "ordinal weights" are something else
    and give other values.

    Reference: Krippendorff, K. (2011). Computing Krippendorff's Alpha-Reliability.

    Example:
        >>> from assay.statistics import Ratings, agree
        >>> ratings = Ratings.from_rows(KRIPPENDORFF_2011, (1, 2, 3, 4, 5), "ordinal")
        >>> round(agree(ratings, ["krippendorff_alpha_ordinal"])[0].value, 3)
        0.815
    """

    by_annotator: bool = False

    def tally(self, patterns: Patterns) -> Tally:
        # A column for each pair of categories, unless these are more than all judgments of all patterns.
        pairs = len(patterns.scale) * (len(patterns.scale) - 1) // 2
        return MeanRankTally(self, patterns) if 0 < patterns.rows.size < pairs else Tally(self, patterns)

    def contributions(self, patterns: Patterns) -> list[ColumnBlock]:
        marginals, weight = _frequencies_of_shared(patterns)
        blocks = []
        for category in range(len(patterns.scale) - 1):
            where = np.flatnonzero(marginals[:, category])
            of_category = marginals[where, category] * weight[where]
            blocks.append(ColumnBlock(where, of_category[:, None] * marginals[where, category + 1 :]))
        return blocks + _by_category(marginals)

    def combine(self, sums: Floats, scale: Scale) -> Floats:
        observed, marginals = sums[:, : -len(scale)], sums[:, -len(scale) :]
        mean_rank = marginals.cumsum(axis=1) - marginals / 2
        lower, upper = np.triu_indices(len(scale), 1)  # in the order of the blocks
        distance = (mean_rank[:, upper] - mean_rank[:, lower]) ** 2
        expected = (marginals[:, lower] * marginals[:, upper] * distance).sum(axis=1)
        return 1.0 - ratio((marginals.sum(axis=1) - 1.0) * (observed * distance).sum(axis=1), expected)


class MeanRankTally(Tally):
    """Ordinal alpha for long scales: from the ranks of judgments in each draw, instead of pairs of categories."""

    def __init__(self, statistic: Statistic, patterns: Patterns) -> None:
        self.statistic = statistic
        self.patterns = patterns

    def values(self, weights: Floats) -> Floats:
        step = max(1, self.CELLS // max(1, self.patterns.rows.size, len(self.patterns.scale)))
        parts = [self._values_by_rank(weights[start : start + step]) for start in range(0, len(weights), step)]
        return np.concatenate([np.empty(0), *parts])

    def _values_by_rank(self, weights: Floats) -> Floats:
        frequencies, over = _frequencies_of_shared(self.patterns)
        marginals = weights @ frequencies
        mean_rank = marginals.cumsum(axis=1) - marginals / 2
        given = self.patterns.rows != MISSING
        ranks = np.where(given, mean_rank[:, self.patterns.rows], 0.0)
        # Minus the first value of each item, so that equal values are at a distance of exactly 0.
        first = np.take_along_axis(ranks, given.argmax(axis=1)[None, :, None], axis=2)
        ranks = np.where(given, ranks - first, 0.0)
        apart = self.patterns.n_judgments * (ranks**2).sum(axis=2) - ranks.sum(axis=2) ** 2  # over pairs of judgments
        observed = (weights * over * apart).sum(axis=1)
        total, centred = marginals.sum(axis=1), mean_rank - mean_rank[:, :1]
        expected = total * (marginals * centred**2).sum(axis=1) - (marginals * centred).sum(axis=1) ** 2
        return 1.0 - ratio((total - 1.0) * observed, np.where(expected > 1e-12 * total**4, expected, 0.0))


def _frequencies_of_shared(patterns: Patterns) -> tuple[Floats, Floats]:
    """How often each category was given, and 1/(m - 1): both nothing for items with fewer than two judgments."""
    weight = np.where(patterns.is_shared, 1.0 / np.maximum(patterns.n_judgments - 1, 1), 0.0)
    return patterns.frequencies * patterns.is_shared[:, None], weight


def _by_category(marginals: Floats) -> list[ColumnBlock]:
    """A sparse column for each category: the patterns that have it."""
    columns = [(np.flatnonzero(column), column) for column in marginals.T]
    return [ColumnBlock(where, column[where, None]) for where, column in columns]


KRIPPENDORFF_2011 = (
    (1, 1, None, 1),
    (2, 2, 3, 2),
    (3, 3, 3, 3),
    (3, 3, 3, 3),
    (2, 2, 2, 2),
    (1, 2, 3, 4),
    (4, 4, 4, 4),
    (1, 1, 2, 1),
    (2, 2, 2, 2),
    (None, 5, 5, 5),
    (None, None, 1, 1),
    (None, 3, None, None),
)


def _krippendorff_answers(level: Level, value: float) -> tuple[KnownAnswer, ...]:
    return (KnownAnswer(KRIPPENDORFF_2011, (1, 2, 3, 4, 5), level, value, "Krippendorff (2011), section C"),)


register(
    Alpha(
        name="krippendorff_alpha_nominal",
        title="Krippendorff's alpha (nominal)",
        doc="Agreement beyond chance of any number of annotators, when values are the same or not.",
        levels=ALL_LEVELS,
        headline=frozenset({"nominal"}),
        rank=40,
        known=_krippendorff_answers("nominal", 0.743),
        metric=nominal,
    )
)
register(
    OrdinalAlpha(
        name="krippendorff_alpha_ordinal",
        title="Krippendorff's alpha (ordinal)",
        doc="Agreement beyond chance of any number of annotators, with distance by rank.",
        levels=ORDERED_LEVELS,
        headline=frozenset({"ordinal"}),
        rank=30,
        known=_krippendorff_answers("ordinal", 0.815),
    )
)
register(
    Alpha(
        name="krippendorff_alpha_interval",
        title="Krippendorff's alpha (interval)",
        doc="Agreement beyond chance of any number of annotators, with distance by value.",
        levels=ORDERED_LEVELS,
        rank=20,
        known=_krippendorff_answers("interval", 0.849),
        metric=interval,
    )
)
register(
    Alpha(
        name="krippendorff_alpha_ratio",
        title="Krippendorff's alpha (ratio)",
        doc="Agreement beyond chance of any number of annotators, with distance in proportion to the values.",
        levels=frozenset({"ratio"}),
        rank=10,
        known=_krippendorff_answers("ratio", 0.797),
        metric=of_ratio,
    )
)
