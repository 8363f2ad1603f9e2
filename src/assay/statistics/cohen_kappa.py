"""Cohen's kappa, unweighted and with linear or quadratic weights; the mean over pairs when there are more than two."""

from dataclasses import dataclass

from assay.statistics.arrays import Floats
from assay.statistics.base import ALL_LEVELS, ORDERED_LEVELS, KnownAnswer, register
from assay.statistics.pairs import MeanOverPairs
from assay.statistics.scale import Scale


@dataclass(frozen=True, kw_only=True)
class CohenKappa(MeanOverPairs):
    """One minus observed over expected disagreement of two annotators, each with their own use of the scale.

    With n_jk the number of shared items that got category j from one annotator and k from the other, and v(j, k) the
    weight of such a disagreement,

        kappa = 1 - n sum_jk v(j, k) n_jk / sum_jk v(j, k) n_j. n_.k

    Unweighted: v = 1 where j and k differ. Linear: v = |j - k|. Quadratic: v = (j - k)^2. The distances are those of
    the declared values (or their ranks, where values are words), not of the values that happened to occur: with
    a scale of 1 to 5, ratings of 2 and 5 are three steps apart even if nobody gave a 3 or a 4.

    For more than two annotators it is the mean over pairs that share 20 items or more; in a study of fewer than 40
    items with two judgments, over pairs that share half of them. A kappa of fewer items is mostly chance, as is a mean
    of many such; where no two annotators share so many, it is undefined. Pairs in which both gave one and the same
    value throughout have no kappa and are left out. The method says which pairs counted. Where each gave one value
    throughout, but not the same one, kappa is 0 by its formula, with any weights and however near the two values are:
    they disagree as much as chance would have them. That is a value and not undefined; so for a judge beside people.

    References: Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological
    Measurement 20. Cohen, J. (1968). Weighted kappa. Psychological Bulletin 70. Light, R. J. (1971). Measures of
    response agreement for qualitative data. Psychological Bulletin 76 (the mean over pairs).

    Example:
        >>> from assay.statistics import Ratings, agree
        >>> ratings = Ratings.from_rows([(1, 1), (2, 2), (5, 2), (5, 5)], (1, 2, 3, 4, 5), "ordinal")
        >>> round(agree(ratings, ["cohen_kappa_quadratic"])[0].value, 3)
        0.625
    """

    def expected_disagreement(self, left: Floats, right: Floats, scale: Scale) -> Floats:
        chance: Floats = (scale.total_distance(left, self.power) * right).sum(axis=2)
        return chance


GWET_ABSTRACTORS = ((13, 0, 0), (0, 20, 7), (0, 4, 56))
GWET = "Gwet (2014), R irrCAC 1.4 (cont3x3abstractors)"

register(
    CohenKappa(
        name="cohen_kappa",
        title="Cohen's kappa",
        doc="Agreement beyond chance of two annotators (mean over pairs), when values are the same or not.",
        levels=ALL_LEVELS,
        rank=56,
        power=0,
        known=(
            KnownAnswer.of_table(
                ((88, 14, 18), (10, 40, 10), (2, 6, 12)), "nominal", 0.492, "Cohen (1960), p. 45", 0.0006
            ),
            KnownAnswer.of_table(GWET_ABSTRACTORS, "nominal", 0.7964094, GWET, 1e-6),
        ),
    )
)
register(
    CohenKappa(
        name="cohen_kappa_linear",
        title="weighted kappa (linear)",
        doc="Agreement beyond chance of two annotators (mean over pairs), weighted by distance.",
        levels=ORDERED_LEVELS,
        rank=54,
        power=1,
        known=(KnownAnswer.of_table(GWET_ABSTRACTORS, "ordinal", 0.842902028, GWET, 1e-6),),
    )
)
register(
    CohenKappa(
        name="cohen_kappa_quadratic",
        title="weighted kappa (quadratic)",
        doc="Agreement beyond chance of two annotators (mean over pairs), weighted by squared distance.",
        levels=ORDERED_LEVELS,
        rank=52,
        power=2,
        known=(KnownAnswer.of_table(GWET_ABSTRACTORS, "ordinal", 0.8921568627, GWET, 1e-6),),
    )
)
