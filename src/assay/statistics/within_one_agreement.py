"""Agreement within one step: how often two annotators are at most one step of the scale apart."""

from dataclasses import dataclass

from assay.statistics.arrays import Floats, np
from assay.statistics.base import ORDERED_LEVELS, KnownAnswer, register
from assay.statistics.patterns import Patterns
from assay.statistics.percent_agreement import GWET_2014, PercentAgreement
from assay.statistics.scale import Scale


@dataclass(frozen=True, kw_only=True)
class WithinOneAgreement(PercentAgreement):
    """The share of pairs of judgments on the same item that lie at most one step of the declared scale apart.

    The mean over items of the share of pairs with |index - index'| <= 1, as in percent agreement. A step goes from one
    declared category to the next, whether or not anybody used it. On a scale of two points every pair would count, so
    it is undefined there.

    Reference: the "adjacent agreement" of Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed.

    Example:
        >>> from assay.statistics import Ratings, agree
        >>> ratings = Ratings.from_rows([(1, 2), (3, 5), (4, 4), (2, 5)], (1, 2, 3, 4, 5), "ordinal")
        >>> agree(ratings, ["within_one_agreement"])[0].value
        0.5
    """

    steps: int = 1

    def combine(self, sums: Floats, scale: Scale) -> Floats:
        if len(scale) <= 2:
            return np.full(len(sums), np.nan)
        return super().combine(sums, scale)

    def why_undefined(self, patterns: Patterns) -> str:
        if len(patterns.scale) <= 2:
            return f"the scale has {len(patterns.scale)} points, so that no two values are more than one step apart"
        return super().why_undefined(patterns)


register(
    WithinOneAgreement(
        name="within_one_agreement",
        title="agreement within one point",
        doc="How often two annotators are at most one step of the scale apart; chance is not taken into account.",
        levels=ORDERED_LEVELS,
        rank=70,
        lowest=0.0,
        # Only the item judged 1, 2, 3, 4 has pairs further apart, three of its six: (10 + 1/2) / 11.
        known=(
            KnownAnswer(
                GWET_2014, (1, 2, 3, 4, 5), "ordinal", 21 / 22, "by hand, on the ratings of Gwet (2014)", 1e-12
            ),
        ),
    )
)
