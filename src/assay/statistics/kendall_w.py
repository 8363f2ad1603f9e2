"""Kendall's W: how far annotators put the items in the same order."""

from dataclasses import dataclass

from assay.statistics.arrays import Bools, Floats, Ints, np
from assay.statistics.base import ORDERED_LEVELS, KnownAnswer, Statistic, Tally, ratio, register, why_no_agreement
from assay.statistics.patterns import Patterns
from assay.statistics.table import MISSING


@dataclass(frozen=True, kw_only=True)
class KendallW(Statistic):
    """How much the sums of ranks differ between items, as a share of what it would be if all annotators ranked alike.

    Each of k annotators ranks the n items by the value given, ties at their mean rank. With R_i the sum of the ranks of
    item i, and T_g = sum of t^3 - t over the groups of t items that annotator g left tied,

        W = 12 sum_i (R_i - mean R)^2 / (k^2 (n^3 - n) - k sum_g T_g)

    From 0 (the annotators' orders cancel out) to 1 (all the same order); without ties, the mean of Spearman's rank
    correlation over pairs of annotators is (k W - 1) / (k - 1). It sees the order only: annotators who differ in how
    high they judge agree perfectly. It needs ranks over the same items, so where there are gaps it rests on the items
    that all annotators judged, which the method then says.

    Reference: Kendall, M. G. (1948). Rank Correlation Methods, chapter 6 (with the correction for ties).

    Example:
        >>> from assay.statistics import Ratings, agree
        >>> rows = [(1, 1, 2), (6, 5, 3), (3, 6, 6), (2, 2, 5), (5, 4, 4), (4, 3, 1)]
        >>> round(agree(Ratings.from_rows(rows, range(1, 7), "ordinal"), ["kendall_w"])[0].value, 3)
        0.568
    """

    def tally(self, patterns: Patterns) -> Tally:
        return RankTally(self, patterns)

    def lacks(self, patterns: Patterns) -> str | None:
        annotators, complete = find_complete(patterns)
        ranked = int(patterns.counts[complete].sum())
        if ranked >= 2:
            return None
        return f"{ranked or 'no'} item was judged by all {annotators.sum()} annotators, and an order takes two"

    def note(self, tally: Tally) -> str:
        annotators, complete = find_complete(tally.patterns)
        counts = tally.patterns.counts
        ranked, shared = counts[complete].sum(), counts[tally.patterns.is_shared].sum()
        return (
            ""
            if ranked == shared
            else f"on the {ranked} of {shared} items that all {annotators.sum()} annotators judged"
        )

    def why_undefined(self, patterns: Patterns) -> str:
        return (
            why_no_agreement(patterns)
            or self.lacks(patterns)
            or "no annotator told any two of the items apart that all of them judged"
        )


def find_complete(patterns: Patterns) -> tuple[Bools, Bools]:
    """Which annotators judged an item that has two judgments, and which patterns have a judgment of each of them."""
    given = patterns.rows != MISSING
    annotators: Bools = given[patterns.is_shared].any(axis=0)
    return annotators, given[:, annotators].all(axis=1) & patterns.is_shared


class RankTally(Tally):
    """W for each draw: ranks change with every draw of items, so W is no formula on sums."""

    def __init__(self, statistic: Statistic, patterns: Patterns) -> None:
        self.statistic = statistic
        self.patterns = patterns
        annotators, complete = find_complete(patterns)
        self._complete = np.flatnonzero(complete)
        self._annotators: list[tuple[Ints, Ints, Ints]] = []
        for column in patterns.rows[complete][:, annotators].T:
            _, code, times = np.unique(column, return_inverse=True, return_counts=True)
            starts = np.cumsum(times) - times
            self._annotators.append((np.argsort(code, kind="stable"), starts, code))

    def values(self, weights: Floats) -> Floats:
        if not len(self._complete):
            return np.full(len(weights), np.nan)
        step = max(1, self.CELLS // len(self._complete))
        parts = [self._values_by_rank(weights[start : start + step]) for start in range(0, len(weights), step)]
        return np.concatenate([np.empty(0), *parts])

    def _values_by_rank(self, weights: Floats) -> Floats:
        times = weights[:, self._complete]
        n_items = times.sum(axis=1, keepdims=True)
        total, spread = np.zeros_like(times), np.zeros(len(times))
        for order, starts, code in self._annotators:
            of_value = np.add.reduceat(times[:, order], starts, axis=1)
            rank = of_value.cumsum(axis=1) - (of_value + n_items) / 2  # minus the mean rank
            spread += (of_value * rank**2).sum(axis=1)
            total += rank[:, code]
        return np.minimum(1.0, ratio((times * total**2).sum(axis=1), len(self._annotators) * spread))


TEXTBOOK = ((1, 1, 2), (6, 5, 3), (3, 6, 6), (2, 2, 5), (5, 4, 4), (4, 3, 1))
ROUNDING_TIMES = (
    *((540, 550, 555), (585, 570, 575), (520, 560, 550), (555, 550, 540), (590, 585, 570), (545, 555, 560)),
    *((540, 540, 535), (545, 550, 535), (525, 515, 500), (585, 580, 570), (525, 520, 510), (565, 555, 545)),
    *((560, 535, 545), (505, 500, 495), (550, 550, 540), (545, 555, 550), (555, 555, 535), (545, 550, 555)),
    *((550, 545, 525), (565, 560, 540), (570, 565, 555), (630, 630, 625)),
)
"""Hundredths of a second that 22 baseball players took to round first base in three ways; some tied."""

register(
    KendallW(
        name="kendall_w",
        title="Kendall's W",
        doc="How far annotators put the items in the same order, whatever the level of their judgments.",
        levels=ORDERED_LEVELS,
        rank=90,
        lowest=0.0,
        known=(
            KnownAnswer(TEXTBOOK, tuple(range(1, 7)), "ordinal", 0.568, "R irr 0.84, kendall()"),
            # The players are the annotators. W is Friedman's statistic over k (n - 1), 22 times 2.
            KnownAnswer(
                tuple(zip(*ROUNDING_TIMES, strict=True)),
                tuple(range(495, 635, 5)),
                "ratio",
                11.143 / 44,
                "Hollander & Wolfe (1973), p. 140; R friedman.test",
                0.00002,
            ),
        ),
    )
)
