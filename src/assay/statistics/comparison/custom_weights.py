"""Agreement with weights of one's own: how much each two different values count as agreement."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.model import Coefficient
from assay.statistics import Draws, Ratings, Scale, agree_with
from assay.statistics.arrays import Floats, np
from assay.statistics.base import ALL_LEVELS, Statistic
from assay.statistics.brennan_prediger import BrennanPrediger
from assay.statistics.cohen_kappa import CohenKappa
from assay.statistics.draws import DRAWS, SEED
from assay.statistics.gwet_ac import GwetAC
from assay.statistics.krippendorff_alpha import Alpha

TITLES = {
    "krippendorff_alpha_weighted": "Krippendorff's alpha (own weights)",
    "cohen_kappa_weighted": "weighted kappa (own weights)",
    "gwet_ac2_weighted": "Gwet's AC2 (own weights)",
    "brennan_prediger_weighted": "Brennan-Prediger kappa (own weights)",
}
"""What the coefficients are called in a sentence."""


def agree_weighted(
    ratings: Ratings, weights: Sequence[Sequence[float]] | Floats, seed: int = SEED, draws: int = DRAWS
) -> list[Coefficient]:
    """Alpha, kappa (the mean over pairs), Gwet's AC2 and Brennan-Prediger's kappa with given weights of agreement.

    `weights[k][l]` says how far values k and l of the scale agree: 1 on the diagonal, at most 1 and at least 0 beside
    it, the same both ways. A disagreement counts 1 - w. With 1 and 0 alone these are the coefficients without weights;
    with 1 - (k - l)^2 / range^2 those with quadratic ones.

    References: Cohen, J. (1968). Weighted kappa. Psychological Bulletin 70. Gwet, K. L. (2014). Handbook of Inter-Rater
    Reliability, 4th ed., chapters 3 and 4.

    Raises:
        ValueError: The weights are not such a table.

    Example:
        >>> rows = [("no", "no"), ("no", "rather"), ("rather", "rather"), ("yes", "yes"), ("yes", "no"), ("no", "no")]
        >>> ratings = Ratings.from_rows(rows, ("no", "rather", "yes"), "nominal")
        >>> found = agree_weighted(ratings, [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]])
        >>> {each.name: round(each.value, 3) for each in found}["cohen_kappa_weighted"]
        0.438
    """
    table = check_weights(weights, ratings.scale)
    common: dict[str, Any] = {"doc": "", "levels": ALL_LEVELS, "known": (), "rank": 0}
    apart = tuple(map(tuple, (1.0 - table).tolist()))
    chosen: list[Statistic] = [
        Alpha(name="krippendorff_alpha_weighted", title="", metric=lambda _: 1.0 - table, **common),
        _OwnKappa(name="cohen_kappa_weighted", title="", apart=apart, **common),
        _OwnGwet(name="gwet_ac2_weighted", title="", apart=apart, **common),
        _OwnBrennanPrediger(name="brennan_prediger_weighted", title="", apart=apart, **common),
    ]
    return agree_with(Draws.of(ratings, seed, draws), chosen)


def check_weights(weights: Sequence[Sequence[float]] | Floats, scale: Scale) -> Floats:
    """The weights as an array.

    Reference: Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed., chapter 3.

    Raises:
        ValueError: They are not a table of this scale, or not between 0 and 1, or not 1 on the diagonal, or not
            the same both ways.

    Example:
        >>> check_weights([[1, 0.5], [0, 1]], Scale((1, 2), "nominal"))
        Traceback (most recent call last):
        ValueError: the weight of 1 with 2 is 0.5, and of 2 with 1 it is 0
    """
    size = len(scale)
    try:
        table = np.asarray(weights, dtype=np.float64)
    except ValueError:
        table = np.zeros(0)
    if table.shape != (size, size):
        raise ValueError(f"the scale has {size} values ({scale}), so weights are {size} rows of {size} numbers")
    for one in range(size):
        for other in range(size):
            value, names = table[one, other], (scale.categories[one], scale.categories[other])
            if not 0 <= value <= 1:
                raise ValueError(f"the weight of {names[0]} with {names[1]} is {value:g}: weights lie from 0 to 1")
            if one == other and value != 1:
                raise ValueError(f"the weight of {names[0]} with itself is {value:g}, and must be 1")
            if abs(value - table[other, one]) > 1e-12:
                both = f"{value:g}, and of {names[1]} with {names[0]} it is {table[other, one]:g}"
                raise ValueError(f"the weight of {names[0]} with {names[1]} is {both}")
    return table


@dataclass(frozen=True, kw_only=True)
class _OwnKappa(CohenKappa):
    apart: tuple[tuple[float, ...], ...]

    def weights(self, scale: Scale) -> Floats:
        return np.array(self.apart)

    def expected_disagreement(self, left: Floats, right: Floats, scale: Scale) -> Floats:
        chance: Floats = ((left @ np.array(self.apart)) * right).sum(axis=2)
        return chance


@dataclass(frozen=True, kw_only=True)
class _OwnGwet(GwetAC):
    apart: tuple[tuple[float, ...], ...]

    def weights(self, scale: Scale) -> Floats:
        return np.array(self.apart)

    def total_weight(self, shares: Floats, scale: Scale) -> Floats:
        found: Floats = shares @ np.array(self.apart)
        return found


@dataclass(frozen=True, kw_only=True)
class _OwnBrennanPrediger(BrennanPrediger):
    apart: tuple[tuple[float, ...], ...]

    def weights(self, scale: Scale) -> Floats:
        return np.array(self.apart)

    def total_weight(self, shares: Floats, scale: Scale) -> Floats:
        found: Floats = shares @ np.array(self.apart)
        return found
