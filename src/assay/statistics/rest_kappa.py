"""How well one annotator agrees with the rest, beyond chance."""

from collections.abc import Sequence
from itertools import chain

from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.estimate import IntervalEstimate, half_width
from assay.statistics.jackknife import standard_error


def rest_kappa(
    own: Sequence[int], others: Sequence[Sequence[int]], weights: Floats, mirror: Sequence[int] | None = None
) -> IntervalEstimate | None:
    """Cohen's weighted kappa of one annotator and all others together, on the items that they share.

    `own[i]` and `others[i]` are indices on the scale, `weights[j, k]` how much a disagreement of j and k counts. With
    o_i(k) the share of the others who gave item i the value of index k,

        kappa = 1 - n sum_i sum_k v(own_i, k) o_i(k) / sum_jk v(j, k) n_j o_k

    n_j the number of items that the annotator put at j, o_k = sum_i o_i(k). With one other it is Cohen's kappa of the
    two. The interval is a jackknife over items. None below three items, or where all gave one and the same value.

    `mirror[k]` is the index of what k means where a scale is read from its other end, as a preference can be. With it
    every item counts in both directions: what disagrees by chance then does not depend on the one that was chosen.

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
    return rest_kappa_of_counts(own, given, weights, mirror)


def rest_kappa_of_counts(
    own: Sequence[int], given: Sequence[Sequence[int]] | Floats, weights: Floats, mirror: Sequence[int] | None = None
) -> IntervalEstimate | None:
    """The same where it is known how often each item got each value, one's own among them: (items, categories).

    Reference: Vanbelle, S. & Albert, A. (2009). Agreement between an isolated rater and a group of raters. Statistica
    Neerlandica 63.

    Example:
        >>> quadratic = np.subtract.outer(range(3), range(3)) ** 2
        >>> round(rest_kappa_of_counts([0, 1, 2], [[2, 0, 0], [0, 1, 1], [0, 0, 2]], quadratic).value, 3)
        0.8
    """
    n, size = len(own), len(weights)
    if n < 3:
        return None
    mine = np.eye(size)[np.asarray(own, dtype=int)]
    others = np.asarray(given, dtype=np.float64) - mine
    rest = others / np.maximum(others.sum(axis=1, keepdims=True), 1)
    observed = np.einsum("ij,jk,ik->i", mine, weights, rest)
    if mirror is not None:
        mine, rest = ((each + each[:, list(mirror)]) / 2 for each in (mine, rest))
    # Over all items, and without each one in turn.
    sums = [np.vstack([each.sum(axis=0), each.sum(axis=0) - each]) for each in (mine, rest, observed[:, None])]
    counts: Ints = np.r_[n, np.full(n, n - 1)]
    chance = np.einsum("bj,jk,bk->b", sums[0], weights, sums[1])
    if chance.min() < 1e-12:
        return None
    values = 1 - counts * sums[2][:, 0] / chance
    half = half_width(n - 1) * standard_error(values[1:], np.ones(n, dtype=int))
    value = float(values[0])
    return IntervalEstimate(value, max(-1.0, value - half), min(1.0, value + half), n)
