"""Brennan and Prediger's kappa: chance is one in as many as there are categories."""

from dataclasses import dataclass

from assay.statistics.arrays import Floats, np
from assay.statistics.base import ALL_LEVELS, KnownAnswer, register
from assay.statistics.chance import ChanceCorrected
from assay.statistics.cohen_kappa import GWET, GWET_ABSTRACTORS
from assay.statistics.percent_agreement import GWET_2014
from assay.statistics.scale import Scale


@dataclass(frozen=True, kw_only=True)
class BrennanPrediger(ChanceCorrected):
    """Agreement beyond what annotators would reach who choose each of the q categories of the scale equally often.

    With p_a as in percent agreement,

        p_e = 1 / q
        kappa = (p_a - p_e) / (1 - p_e)

    It stays high where nearly all judgments are of one category and the annotators agree on it, which Cohen's kappa and
    Krippendorff's alpha do not: show both, rather than choose the higher one. It depends on the number of categories
    declared, and on no judgment for what chance is; a category that is never used raises it.

    References: Brennan, R. L. and Prediger, D. J. (1981). Coefficient kappa: some uses, misuses, and alternatives.
    Educational and Psychological Measurement 41. Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed. (any
    number of annotators, with gaps).

    Example:
        >>> from assay.statistics import Ratings, agree
        >>> rows = [("a", "a")] * 20 + [("a", "b")] * 10 + [("b", "a")] * 20 + [("b", "b")] * 50
        >>> round(agree(Ratings.from_rows(rows, ("a", "b"), "nominal"), ["brennan_prediger"])[0].value, 3)
        0.4
    """

    by_annotator: bool = False

    def expected_disagreement(self, shares: Floats, scale: Scale) -> Floats:
        return np.full(len(shares), self.weights(scale).mean())


register(
    BrennanPrediger(
        name="brennan_prediger",
        title="Brennan-Prediger kappa",
        doc="Agreement beyond chance of any number of annotators, where chance is one in the number of categories.",
        levels=ALL_LEVELS,
        rank=78,
        known=(
            KnownAnswer.of_table(GWET_ABSTRACTORS, "nominal", 0.835, GWET, 1e-6),
            KnownAnswer(GWET_2014, (1, 2, 3, 4, 5), "nominal", 0.77273, "Gwet (2014), R irrCAC 1.4", 1e-5),
        ),
    )
)
