"""How far annotators put items in the same order: Spearman's correlation of each pair, and agreement as a matrix."""

from collections.abc import Hashable, Sequence

from assay.model import Coefficient
from assay.statistics import PairAgreement, Ratings
from assay.statistics.correlation import fisher_interval, spearman


def pairwise_spearman(ratings: Ratings) -> list[PairAgreement]:
    """Spearman's rank correlation of each pair of annotators, on the items that the two share.

    Pearson's correlation of ranks; equal values share the mean of theirs. The interval is Fisher's. Somebody who gives
    everything one point more has a correlation of 1 and a kappa far below: see both.

    Reference: Spearman, C. (1904). The proof and measurement of association between two things. American Journal of
    Psychology 15.

    Example:
        >>> ratings = Ratings.from_rows([(1, 2), (2, 3), (3, 4), (4, 5), (1, 3)], range(1, 6), "ordinal")
        >>> [(pair.first, pair.second, round(pair.coefficient.value, 3)) for pair in pairwise_spearman(ratings)]
        [(0, 1, 0.921)]
    """
    found = []
    for one in range(len(ratings.annotators)):
        for other in range(one + 1, len(ratings.annotators)):
            pair = ratings.pair(one, other)
            found.append(PairAgreement(ratings.annotators[one], ratings.annotators[other], _coefficient(pair)))
    return found


def _coefficient(pair: Ratings) -> Coefficient:
    n = len(pair.items)
    positions = pair.scale.positions[pair.values] if n else pair.values.astype(float)
    counts = n, 2 * n, 2 if n else 0
    if pair.level == "nominal" and len(pair.scale) > 2:
        return Coefficient("spearman", None, None, "", *counts, "values of a nominal scale stand in no order")
    if n < 3:
        return Coefficient("spearman", None, None, "", *counts, "the two share fewer than three items")
    value = spearman(positions[:, 0], positions[:, 1])
    if value is None:
        return Coefficient("spearman", None, None, "", *counts, "one of the two gave the same value throughout")
    if n < 4 or abs(value) >= 1:
        return Coefficient("spearman", value, None, "no interval: too few items, or all in one order", *counts)
    return Coefficient("spearman", value, fisher_interval(value, n), "Fisher's interval", *counts)


def matrix_of(pairs: Sequence[PairAgreement]) -> tuple[tuple[Hashable, ...], list[list[float | None]]]:
    """The values of pairs as a matrix, both ways, with the names of its rows; None where there is no value.

    Reference: Artstein, R. & Poesio, M. (2008). Inter-coder agreement for computational linguistics. Computational
    Linguistics 34.

    Example:
        >>> from assay.statistics import pairwise
        >>> ratings = Ratings.from_rows([(1, 1, 2), (2, 2, 2), (1, 2, 1)], (1, 2), "nominal")
        >>> names, matrix = matrix_of(pairwise(ratings, "percent_agreement"))
        >>> names, [[None if value is None else round(value, 2) for value in row] for row in matrix]
        ((0, 1, 2), [[None, 0.67, 0.67], [0.67, None, 0.33], [0.67, 0.33, None]])
    """
    names = tuple(dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second)))
    number = {name: at for at, name in enumerate(names)}
    matrix: list[list[float | None]] = [[None] * len(names) for _ in names]
    for pair in pairs:
        one, other = number[pair.first], number[pair.second]
        matrix[one][other] = matrix[other][one] = pair.coefficient.value
    return names, matrix
