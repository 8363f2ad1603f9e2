"""How well one annotator agrees with the rest, beyond chance."""

from collections.abc import Iterator, Sequence
from itertools import chain

from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.estimate import IntervalEstimate, half_width
from assay.statistics.groups import Groups

CELLS = 2**20
"""How many numbers of a table of items and categories are held at a time."""


def rest_kappa(
    own: Sequence[int], others: Sequence[Sequence[int]], weights: Floats, mirror: Sequence[int] | None = None
) -> IntervalEstimate | None:
    """Cohen's weighted kappa of one annotator and all others together, on the items that they share.

    `own[i]` and `others[i]` are indices on the scale, `weights[j, k]` how much a disagreement of j and k counts. With
    o_i(k) the share of the others who gave item i the value of index k,

        kappa = 1 - n sum_i sum_k v(own_i, k) o_i(k) / sum_jk v(j, k) n_j o_k

    n_j the number of items that the annotator put at j, o_k = sum_i o_i(k). With one other it is Cohen's kappa of the
    two. The interval is a jackknife over items. None below three items, or where all gave one and the same value.

    `mirror[k]` is the index of value k on the reversed scale, as a preference can be reversed. With it every item
    counts in both directions, so that expected disagreement does not depend on the direction.

    References: Cohen, J. (1968). Weighted kappa. Psychological Bulletin 70. Vanbelle, S. & Albert, A. (2009).
    Agreement between an isolated rater and a group of raters. Statistica Neerlandica 63.

    Example:
        >>> quadratic = np.subtract.outer(range(5), range(5)) ** 2
        >>> round(rest_kappa([0, 1, 4, 4], [[0], [1], [1], [4]], quadratic).value, 3)
        0.625
    """
    counts_of_others = np.fromiter(map(len, others), dtype=np.int64, count=len(own))
    codes = np.fromiter(chain.from_iterable(others), dtype=np.int64, count=int(counts_of_others.sum()))
    given = np.eye(len(weights))[np.asarray(own, dtype=int)]
    np.add.at(given, (np.repeat(np.arange(len(own)), counts_of_others), codes), 1)
    return rest_kappas(np.asarray(own, dtype=np.int64), given, weights, Groups([len(own)]), mirror)[0]


def rest_kappas(
    own: Ints, given: Floats | Ints, weights: Floats, groups: Groups, mirror: Sequence[int] | None = None
) -> list[IntervalEstimate | None]:
    """`rest_kappa` of many annotators at once: their values, and how often each item got each value, theirs too.

    Reference: Vanbelle, S. & Albert, A. (2009). Agreement between an isolated rater and a group of raters. Statistica
    Neerlandica 63.

    Example:
        >>> quadratic, given = np.subtract.outer(range(3), range(3)) ** 2, [[2, 0, 0], [0, 1, 1], [0, 0, 2]]
        >>> found = rest_kappas(np.array([0, 1, 2] * 2), np.array(given * 2), quadratic, Groups([3, 3]))
        >>> [round(each.value, 3) for each in found]
        [0.8, 0.8]
    """
    found: list[IntervalEstimate | None] = []
    for some, rows in groups.parts(CELLS // len(weights)):
        found += _kappas(own[rows], given[rows], weights, Groups(groups.sizes[some]), mirror)
    return found


def _kappas(
    own: Ints, given: Floats | Ints, weights: Floats, groups: Groups, mirror: Sequence[int] | None
) -> Iterator[IntervalEstimate | None]:
    n, size = groups.sizes, len(weights)
    mine = np.eye(size)[own]
    others = given - mine
    rest = others / np.maximum(others.sum(axis=1, keepdims=True), 1)
    observed = ((mine @ weights) * rest).sum(axis=1)
    if mirror is not None:
        mine, rest = ((each + each[:, list(mirror)]) / 2 for each in (mine, rest))
    # Over all items, and without each one in turn.
    totals = [groups.sums(each) for each in (mine, rest, observed)]
    less = [total[groups.of] - each for total, each in zip(totals, (mine, rest, observed), strict=True)]
    chance, chance_without = (((one @ weights) * other).sum(axis=1) for one, other, _ in (totals, less))
    with np.errstate(divide="ignore", invalid="ignore"):
        values = 1 - n * totals[2] / chance
        without = 1 - (n - 1)[groups.of] * less[2] / chance_without
    told = (n >= 3) & (chance >= 1e-12) & (groups.sums(chance_without < 1e-12) == 0)
    errors = groups.jackknife_errors(np.where(told[groups.of], without, 0.0))
    for is_told, count, value, error in zip(told, n.tolist(), values.tolist(), errors.tolist(), strict=True):
        half = half_width(count - 1) * error if is_told else 0.0
        yield IntervalEstimate(value, max(-1.0, value - half), min(1.0, value + half), count) if is_told else None
