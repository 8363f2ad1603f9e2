"""Conger's kappa: Cohen's for any number of annotators, with chance taken over all pairs of them."""

from dataclasses import dataclass

from assay.statistics.arrays import Floats, np
from assay.statistics.base import ALL_LEVELS, ColumnBlock, KnownAnswer, ratio, register
from assay.statistics.chance import ChanceCorrected
from assay.statistics.patterns import Patterns
from assay.statistics.percent_agreement import GWET_2014
from assay.statistics.scale import Scale
from assay.statistics.table import MISSING


@dataclass(frozen=True, kw_only=True)
class CongerKappa(ChanceCorrected):
    """Agreement beyond what annotators would reach by chance who each keep to their own use of the scale.

    With p_a as in percent agreement, and p_gk the share of annotator g's judgments that are of category k,

        p_e = mean over pairs of different annotators g, h of  sum_k p_gk p_hk
        kappa = (p_a - p_e) / (1 - p_e)

    For two annotators who judged the same items it is Cohen's kappa. For more, Cohen's is the mean of the coefficients
    of pairs, and this the coefficient of the means. With gaps, each annotator's shares are those of all items that they
    judged, as Gwet has it.

    References: Conger, A. J. (1980). Integration and generalization of kappas for multiple raters. Psychological
    Bulletin 88. Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed., chapter 2.

    Example:
        >>> from assay.statistics import Ratings, agree
        >>> rows = [("a", "a", "b"), ("b", "b", "b"), ("a", "a", "a"), ("a", "b", "b")]
        >>> round(agree(Ratings.from_rows(rows, ("a", "b"), "nominal"), ["conger_kappa"])[0].value, 3)
        0.385
    """

    def contributions(self, patterns: Patterns) -> list[ColumnBlock]:
        one_of = np.eye(len(patterns.scale))
        blocks = [ColumnBlock(np.arange(len(patterns.rows)), self.observed_disagreement(patterns))]
        for column in np.ascontiguousarray(patterns.rows.T):
            where = np.flatnonzero(column != MISSING)
            blocks.append(ColumnBlock(where, one_of[column[where]]))
        return blocks

    def combine(self, sums: Floats, scale: Scale) -> Floats:
        given = sums[:, 2:].reshape(len(sums), (sums.shape[1] - 2) // max(1, len(scale)), len(scale))
        judged = given @ np.ones((len(scale), 1))  # whole numbers: as exact as a sum, and faster
        # Who is in no item of a draw is in no pair either.
        shares = np.where(judged > 0, given / np.maximum(judged, 1), 0.0)
        annotators = (judged > 0).sum(axis=(1, 2))
        total = shares.sum(axis=1)
        with_oneself = (self.total_weight(shares, scale) * shares).sum(axis=(1, 2))
        apart = (self.total_weight(total, scale) * total).sum(axis=1) - with_oneself
        expected = ratio(apart, (annotators * (annotators - 1)).astype(np.float64))
        return 1.0 - ratio(ratio(sums[:, 0], sums[:, 1]), expected)


register(
    CongerKappa(
        name="conger_kappa",
        title="Conger's kappa",
        doc="Agreement beyond chance of any number of annotators, each with their own use of the scale.",
        levels=ALL_LEVELS,
        rank=84,
        known=(KnownAnswer(GWET_2014, (1, 2, 3, 4, 5), "nominal", 0.76282, "Gwet (2014), R irrCAC 1.4", 1e-5),),
    )
)
