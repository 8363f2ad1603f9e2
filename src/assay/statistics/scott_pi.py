"""Scott's pi; the mean over pairs when there are more than two annotators."""

from dataclasses import dataclass

from assay.statistics.arrays import Floats
from assay.statistics.base import ALL_LEVELS, KnownAnswer, register
from assay.statistics.cohen_kappa import GWET, GWET_ABSTRACTORS
from assay.statistics.pairs import MeanOverPairs
from assay.statistics.scale import Scale


@dataclass(frozen=True, kw_only=True)
class ScottPi(MeanOverPairs):
    """One minus observed over expected disagreement of two annotators who are taken to use the scale alike.

    With n_jk the number of shared items that got category j from one annotator and k from the other, and
    m_j = (n_j. + n_.j) / 2 the mean number of times that the two gave category j,

        pi = 1 - n sum_(j != k) n_jk / sum_(j != k) m_j m_k

    Cohen's kappa lets each annotator have their own use of the scale and so forgives a difference in it; pi does not.
    For many items it is Krippendorff's alpha (nominal) of the two.

    For more than two annotators it is the mean over pairs that share 20 items or more; in a study of fewer than 40
    items with two judgments, over pairs that share half of them. A pi of fewer items is mostly chance, as is a mean of
    many such; where no two annotators share so many, it is undefined. Pairs in which both gave one and the same value
    throughout have no pi and are left out. The method says which pairs counted. (Fleiss' kappa is the other way to more
    annotators: it pools all of them first.)

    Reference: Scott, W. A. (1955). Reliability of content analysis: the case of nominal scale coding. Public Opinion
    Quarterly 19.

    Example:
        >>> from assay.statistics import Ratings, agree
        >>> rows = [("a", "a")] * 20 + [("a", "b")] * 10 + [("b", "a")] * 20 + [("b", "b")] * 50
        >>> round(agree(Ratings.from_rows(rows, ("a", "b"), "nominal"), ["scott_pi"])[0].value, 3)
        0.341
    """

    def expected_disagreement(self, left: Floats, right: Floats, scale: Scale) -> Floats:
        mean = (left + right) / 2
        chance: Floats = (scale.total_distance(mean, self.power) * mean).sum(axis=2)
        return chance


register(
    ScottPi(
        name="scott_pi",
        title="Scott's pi",
        doc="Agreement beyond chance of two annotators (mean over pairs) who are taken to use the scale alike.",
        levels=ALL_LEVELS,
        rank=82,
        known=(
            KnownAnswer.of_table(GWET_ABSTRACTORS, "nominal", 0.7962397, GWET, 1e-6),
            KnownAnswer.of_table(
                ((20, 10), (20, 50)), "nominal", 0.341, "Artstein & Poesio (2008), section 2.4", 0.0006
            ),
        ),
    )
)
