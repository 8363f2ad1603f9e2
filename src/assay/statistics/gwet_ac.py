"""Gwet's AC1, and AC2 with linear or quadratic weights."""

from dataclasses import dataclass

from assay.statistics.arrays import Floats
from assay.statistics.base import ALL_LEVELS, ORDERED_LEVELS, KnownAnswer, register
from assay.statistics.chance import ChanceCorrected
from assay.statistics.cohen_kappa import GWET, GWET_ABSTRACTORS
from assay.statistics.percent_agreement import GWET_2014
from assay.statistics.scale import Scale


@dataclass(frozen=True, kw_only=True)
class GwetAC(ChanceCorrected):
    """Agreement beyond chance, where only judgments on items that are hard to judge are taken to be made by chance.

    With r_ik judgments of category k on item i, r_i in all, q categories, and w_kl the weight of an agreement of k
    with l (1 for the same category),

        p_a = mean over items with r_i >= 2 of  sum_k r_ik (sum_l w_kl r_il - 1) / (r_i (r_i - 1))
        pi_k = mean over all items of  r_ik / r_i
        p_e = sum_kl w_kl / (q (q - 1)) sum_k pi_k (1 - pi_k)
        AC = (p_a - p_e) / (1 - p_e)

    AC1: w = 0 for different categories. AC2 linear: w = 1 - |k - l| / range; quadratic: w = 1 - (k - l)^2 / range^2,
    with the declared values (or their ranks, where values are words). Number and distance of the categories are
    those of the declared scale: a category that is never used still counts.

    It stays high where nearly all judgments are of one category and the annotators agree on it, which Cohen's kappa and
    Krippendorff's alpha do not: show both, rather than choose the higher one.

    References: Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high
    agreement. British Journal of Mathematical and Statistical Psychology 61; (2014) Handbook of Inter-Rater
    Reliability, 4th ed., chapters 2 and 3.

    Example:
        >>> from assay.statistics import Ratings, agree
        >>> rows = [("yes", "yes")] * 8 + [("yes", "no"), ("no", "no")]
        >>> round(agree(Ratings.from_rows(rows, ("yes", "no"), "nominal"), ["gwet_ac1"])[0].value, 4)
        0.8658
    """

    by_annotator: bool = False

    def expected_disagreement(self, shares: Floats, scale: Scale) -> Floats:
        q = len(scale)
        agreement = (1.0 - self.weights(scale)).sum() / max(1, q * (q - 1))
        chance: Floats = 1.0 - agreement * (shares * (1.0 - shares)).sum(axis=1)
        return chance


RAW = "Gwet (2014), R irrCAC 1.4"
FIVE = (1, 2, 3, 4, 5)

register(
    GwetAC(
        name="gwet_ac1",
        title="Gwet's AC1",
        doc="Agreement beyond chance of any number of annotators, which does not fall when one category prevails.",
        levels=ALL_LEVELS,
        rank=76,
        known=(
            KnownAnswer.of_table(GWET_ABSTRACTORS, "nominal", 0.8493305, GWET, 1e-6),
            KnownAnswer(GWET_2014, FIVE, "nominal", 0.77544, RAW, 1e-5),
        ),
    )
)
register(
    GwetAC(
        name="gwet_ac2_linear",
        title="Gwet's AC2 (linear)",
        doc="Agreement beyond chance, weighted by distance, which does not fall when one category prevails.",
        levels=ORDERED_LEVELS,
        rank=74,
        power=1,
        known=(
            KnownAnswer.of_table(GWET_ABSTRACTORS, "ordinal", 0.9000227221, GWET, 1e-6),
            KnownAnswer(GWET_2014, FIVE, "ordinal", 0.85874, RAW, 1e-5),
        ),
    )
)
register(
    GwetAC(
        name="gwet_ac2_quadratic",
        title="Gwet's AC2 (quadratic)",
        doc="Agreement beyond chance, weighted by squared distance, which does not fall when one category prevails.",
        levels=ORDERED_LEVELS,
        rank=72,
        power=2,
        known=(
            KnownAnswer.of_table(GWET_ABSTRACTORS, "ordinal", 0.9402368793, GWET, 1e-6),
            KnownAnswer(GWET_2014, FIVE, "ordinal", 0.914, RAW, 1e-5),
        ),
    )
)
