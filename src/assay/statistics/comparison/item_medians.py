"""The median of items, with an interval that supposes nothing of how they are distributed."""

import math
from collections.abc import Hashable, Sequence

from assay.model import Estimate
from assay.statistics.arrays import Floats, np
from assay.statistics.comparison.resample import Resamples, percentiles
from assay.statistics.draws import DRAWS, SEED

FEWEST = 6
"""Of fewer values even the least and the greatest hold the median with less than 95 %: 1 - 2 / 2^n."""


def median_of(
    values: Sequence[float], clusters: Sequence[Hashable] | None = None, seed: int = SEED, draws: int = DRAWS
) -> Estimate:
    """The median, of an even number the mean of the middle two.

    The interval reaches from the k-th smallest to the k-th greatest value, with the greatest k for which a fair coin
    that is thrown n times shows fewer than k heads with a probability of 0.025 at most: so it holds the median in 95 %
    of samples or more, whatever the distribution. Where items share a source, clusters are drawn with replacement.

    References: Thompson, W. R. (1936). On confidence ranges for the median. Annals of Mathematical Statistics 7. Efron,
    B. & Tibshirani, R. (1993). An introduction to the bootstrap, chapter 13.

    Example:
        >>> found = median_of([7, 1, 5, 3, 9, 2, 8, 4, 6, 10])
        >>> found.value, found.ci, found.method
        (5.5, (2.0, 9.0), 'order statistics 2 and 9 of 10')
    """
    ordered = sorted(map(float, values))
    n = len(ordered)
    if not n:
        return Estimate("median", None, undefined="there are no items")
    value = (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
    if clusters is not None and len(set(clusters)) < n:
        source = Resamples(np.array(list(map(float, values))).reshape(-1, 1), clusters, seed, draws)
        if source.n_units < 2 or draws == 0:
            return Estimate("median", value, n=n, method="no interval: fewer than two clusters, or no draws")
        rows = source.rows[:, 0]
        drawn = source.replicates(lambda weights: weighted_median(rows, weights))
        ci, method = percentiles(drawn, f"{source.unit}, {draws} draws, seed {seed}")
        return Estimate("median", value, ci, n, method)
    if n < FEWEST:
        return Estimate("median", value, n=n, method=f"no interval: fewer than {FEWEST} items")
    rank = _rank(n)
    return Estimate("median", value, (ordered[rank - 1], ordered[n - rank]), n, _method(rank, n))


def weighted_median(values: Floats, weights: Floats) -> Floats:
    """The median of values that count as often as each row of weights says: (b, P) to b.

    Example:
        >>> weighted_median(np.array([1.0, 2.0, 5.0]), np.array([[1, 1, 1], [2, 0, 2]])).tolist()
        [2.0, 3.0]
    """
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[:, order], axis=1)
    half = below[:, -1:] / 2
    lower, upper = (below < half).sum(axis=1), (below <= half).sum(axis=1)
    sorted_values: Floats = values[order]
    last = len(values) - 1
    found: Floats = (sorted_values[np.minimum(lower, last)] + sorted_values[np.minimum(upper, last)]) / 2
    return found


def _rank(n: int) -> int:
    """The greatest k for which fewer than k heads in n throws have a probability of 0.025 at most."""
    total, k = 0.0, 0
    while k < n:
        total += math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2))
        if total > 0.025:
            break
        k += 1
    return k


def _method(rank: int, n: int) -> str:
    return f"order statistics {rank} and {n - rank + 1} of {n}"
