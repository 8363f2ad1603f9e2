"""Fleiss' kappa, in Gwet's form where items differ in their number of judgments."""

from dataclasses import dataclass

from assay.statistics.arrays import Floats
from assay.statistics.base import ALL_LEVELS, KnownAnswer, Tally, register
from assay.statistics.chance import ChanceCorrected
from assay.statistics.percent_agreement import GWET_2014
from assay.statistics.scale import Scale


@dataclass(frozen=True, kw_only=True)
class FleissKappa(ChanceCorrected):
    """Agreement beyond what annotators would reach who all give each category as often as it occurs.

    With r_ik judgments of category k on item i and r_i in all,

        p_a = mean over items with r_i >= 2 of  sum_k r_ik (r_ik - 1) / (r_i (r_i - 1))
        pi_k = mean over all items of  r_ik / r_i
        p_e = sum_k pi_k^2
        kappa = (p_a - p_e) / (1 - p_e)

    With the same number of judgments on every item this is Fleiss' formula. Otherwise that is undefined, and this is
    Gwet's generalisation, which the method then says: items count the same, however many judgments they have.
    (Krippendorff's alpha weights items by their judgments, and takes account of a small number of items.) It does not
    matter who gave a judgment. For kappa category by category, see `by_category`.

    References: Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76.
    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed., chapter 2.

    Example:
        >>> from assay.statistics import Ratings, agree
        >>> rows = [("a", "a", "b"), ("b", "b", "b"), ("a", "a", "a"), ("a", "b", "b")]
        >>> round(agree(Ratings.from_rows(rows, ("a", "b"), "nominal"), ["fleiss_kappa"])[0].value, 3)
        0.333
    """

    by_annotator: bool = False

    def expected_disagreement(self, shares: Floats, scale: Scale) -> Floats:
        chance: Floats = (self.total_weight(shares, scale) * shares).sum(axis=1)
        return chance

    def note(self, tally: Tally) -> str:
        judged = tally.patterns.n_judgments[tally.patterns.n_judgments > 0]
        few, many = judged.min(), judged.max()
        return "" if few == many else f"Gwet's generalisation to unequal numbers of judgments ({few} to {many} an item)"


FLEISS_1971 = (
    *((0, 0, 0, 6, 0), (0, 3, 0, 0, 3), (0, 1, 4, 0, 1), (0, 0, 0, 0, 6), (0, 3, 0, 3, 0), (2, 0, 4, 0, 0)),
    *((0, 0, 4, 0, 2), (2, 0, 3, 1, 0), (2, 0, 0, 4, 0), (0, 0, 0, 0, 6), (1, 0, 0, 5, 0), (1, 1, 0, 4, 0)),
    *((0, 3, 3, 0, 0), (1, 0, 0, 5, 0), (0, 2, 0, 3, 1)),
)
"""How many of six psychiatrists gave each of five diagnoses to each of the first fifteen patients."""
FLEISS_ROWS = tuple(tuple(k for k, times in enumerate(counts) for _ in range(times)) for counts in FLEISS_1971)

register(
    FleissKappa(
        name="fleiss_kappa",
        title="Fleiss' kappa",
        doc="Agreement beyond chance of any number of annotators, who all are taken to use the scale alike.",
        levels=ALL_LEVELS,
        rank=80,
        known=(
            KnownAnswer(FLEISS_ROWS, (0, 1, 2, 3, 4), "nominal", 0.4139265, "R irrCAC 1.4 (distrib.6raters)", 1e-6),
            KnownAnswer(GWET_2014, (1, 2, 3, 4, 5), "nominal", 0.76117, "Gwet (2014), R irrCAC 1.4", 1e-5),
        ),
    )
)
