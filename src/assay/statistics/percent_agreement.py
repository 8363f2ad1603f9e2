"""Percent agreement: how often two annotators give an item the same value."""

from dataclasses import dataclass

from assay.statistics.arrays import Floats, np
from assay.statistics.base import ALL_LEVELS, KnownAnswer, Statistic, ratio, register
from assay.statistics.patterns import Patterns
from assay.statistics.scale import Scale

GWET_2014 = (
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
    (None, None, 3, None),
)
"""Twelve items, four annotators, with gaps."""


@dataclass(frozen=True, kw_only=True)
class PercentAgreement(Statistic):
    """The share of pairs of judgments on the same item that are the same value, as a mean over items.

    For item i with r_ik judgments of category k and r_i in all,

        p = mean over items with r_i >= 2 of  sum_k r_ik (r_ik - 1) / (r_i (r_i - 1))

    Every item with two or more judgments counts the same, however many it has; the others do not count. Chance is not
    taken into account: two annotators who say "good" nine times out of ten agree in 82 % of items by chance alone. So
    it stands beside a coefficient that is corrected for chance, never instead of it.

    The interval is Wilson's, for as many independent cases as the items (or groups of items) are worth: 40 of 40 items
    give 0.91 to 1, where draws of items would all be 1.

    References: Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed., chapter 2. Wilson, E. B. (1927),
    and the others of `wilson_of_units`.

    Example:
        >>> from assay.statistics import Ratings, agree
        >>> ratings = Ratings.from_rows([(1, 1), (2, 2), (1, 2), (2, 2)], (1, 2), "nominal")
        >>> agree(ratings, ["percent_agreement"])[0].value
        0.75
    """

    by_annotator: bool = False
    is_share: bool = True
    steps: int = 0
    """How many steps of the scale two values may lie apart and still agree."""

    def contributions(self, patterns: Patterns) -> Floats:
        frequencies, judged = patterns.frequencies, patterns.n_judgments
        agreeing = (frequencies * (frequencies - 1)).sum(axis=1)
        for step in range(1, self.steps + 1):
            agreeing += 2 * (frequencies[:, step:] * frequencies[:, :-step]).sum(axis=1)
        share = np.where(patterns.is_shared, agreeing / np.maximum(judged * (judged - 1), 1), 0.0)
        return np.column_stack([share, patterns.is_shared.astype(np.float64)])

    def combine(self, sums: Floats, scale: Scale) -> Floats:
        return ratio(sums[:, 0], sums[:, 1])


register(
    PercentAgreement(
        name="percent_agreement",
        title="exact agreement",
        doc="How often two annotators give an item the same value; chance is not taken into account.",
        levels=ALL_LEVELS,
        rank=60,
        lowest=0.0,
        known=(KnownAnswer(GWET_2014, (1, 2, 3, 4, 5), "nominal", 0.81818, "Gwet (2014), R irrCAC 1.4", 1e-5),),
    )
)
