"""Tests of a difference that need no normal distribution: signed ranks, ranks, and turning signs round."""

import math
from collections.abc import Hashable, Sequence
from statistics import NormalDist

from assay.model import Estimate
from assay.statistics.arrays import Floats, np
from assay.statistics.correlation import ranks
from assay.statistics.finite import numbers

EXACT_RANKS = 100
"""Up to so many differences the distribution of signed ranks is counted out, ties and all."""
EXACT_FLIPS = 16
"""Up to so many differences all ways to turn signs are gone through."""


def wilcoxon(differences: Sequence[float] | Floats) -> Estimate:
    """Wilcoxon's signed-rank test, two-sided: the value is W+, the sum of the ranks of |d| over positive differences.

    Differences of zero tell nothing of the direction and are left out, n being what remains; equal ones share the mean
    of their ranks. Up to 100 differences the p-value is exact (also with ties: all 2^n signs are counted out); above,
    it is normal with the correction for ties and for continuity.

    References: Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1. Hollander, M. &
    Wolfe, D. A. (1973). Nonparametric statistical methods, section 3.1.

    Example:
        >>> found = wilcoxon([0.95, -0.15, 1.02, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01])
        >>> found.value, found.p
        (40.0, 0.0390625)
    """
    # 2.4 - 2.1 and 1.3 - 1.0 are one and the same difference: what arithmetic leaves does not break a tie.
    d = np.round(numbers(differences), 10)
    left = d[d != 0]
    n = len(left)
    if not n:
        return Estimate("wilcoxon", None, undefined="no difference is other than zero" if len(d) else "no differences")
    rank = ranks(np.abs(left))
    above = float(rank[left > 0].sum())
    dropped = f"; {len(d) - n} differences of zero left out" if n < len(d) else ""
    if n <= EXACT_RANKS:
        return Estimate("wilcoxon", above, n=n, p=_exact_signed_ranks(rank, above), method=f"exact{dropped}")
    middle, variance = n * (n + 1) / 4, float((rank**2).sum()) / 4
    z = max(0.0, abs(above - middle) - 0.5) / math.sqrt(variance)
    method = f"normal, with corrections for ties and continuity{dropped}"
    return Estimate("wilcoxon", above, n=n, p=min(1.0, 2 * NormalDist().cdf(-z)), method=method)


def mann_whitney(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> Estimate:
    """The Mann-Whitney test, two-sided: the value is U, how many pairs of one and the other have the first above.

    Pairs of equal values count half. Exact where one group has 8 values or fewer and no value occurs twice, else
    normal with the correction for ties and for continuity. For groups of different items; where both systems saw the
    same items, a paired test sees more.

    Reference: Mann, H. B. & Whitney, D. R. (1947). On a test of whether one of two random variables is stochastically
    larger than the other. Annals of Mathematical Statistics 18.

    Example:
        >>> at_term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]  # Hollander & Wolfe (1973), p. 69
        >>> found = mann_whitney(at_term, [1.15, 0.88, 0.90, 0.74, 1.21])
        >>> found.value, round(found.p, 4)
        (35.0, 0.2544)
    """
    from scipy.stats import mannwhitneyu

    a, b = numbers(first), numbers(second)
    if not len(a) or not len(b):
        return Estimate("mann_whitney", None, undefined="one of the two has no values")
    if np.ptp(np.concatenate([a, b])) == 0:
        return Estimate("mann_whitney", None, n=len(a) + len(b), undefined="every value is the same")
    exact = min(len(a), len(b)) <= 8 and len(np.unique(np.concatenate([a, b]))) == len(a) + len(b)
    found = mannwhitneyu(a, b, alternative="two-sided", method="exact" if exact else "asymptotic")
    method = "exact" if exact else "normal, with corrections for ties and continuity"
    return Estimate("mann_whitney", float(found.statistic), n=len(a) + len(b), p=float(found.pvalue), method=method)


def sign_flip(
    differences: Sequence[float] | Floats,
    clusters: Sequence[Hashable] | None = None,
    seed: int = 0,
    draws: int = 10_000,
) -> Estimate:
    """The permutation test of paired differences: how often is their mean as far from 0 when signs are turned by lot?

    If the two systems do not differ, each difference could as well have had the other sign. With up to 16 differences
    all 2^n ways are gone through; else p = (1 + as far) / (1 + draws). Where items share a source, all differences of
    a source turn together.

    References: Fisher, R. A. (1935). The design of experiments, section 21. Phipson, B. & Smyth, G. K. (2010).
    Permutation p-values should never be zero. Statistical Applications in Genetics and Molecular Biology 9.

    Example:
        >>> round(sign_flip([1, 2, 3, 4, 5]).p, 4), sign_flip([1, 2, 3, 4, 5]).method
        (0.0625, 'exact, all signs turned')
    """
    d = numbers(differences)
    if not len(d):
        return Estimate("sign_flip", None, undefined="no differences")
    sums = np.abs(d if clusters is None else _sums_by(clusters, d))
    value, far = float(d.mean()), abs(float(d.sum())) * (1 - 1e-9) - 1e-12
    moving = sums[sums > 1e-12]
    if len(moving) <= EXACT_FLIPS:
        signs = 1 - 2 * (np.arange(2 ** len(moving))[:, None] >> np.arange(len(moving)) & 1)
        as_far = np.abs(signs @ moving) >= far
        return Estimate("sign_flip", value, n=len(d), p=float(as_far.mean()), method="exact, all signs turned")
    # Of c differences of one size, Binomial(c, 1/2) get a plus: a draw does not grow with the number of items.
    sizes, counts = np.unique(np.round(moving, 10), return_counts=True)
    rng, count = np.random.default_rng(seed), 0
    step = max(1, 2**22 // len(sizes))
    for start in range(0, draws, step):
        plus = rng.binomial(counts, 0.5, size=(min(step, draws - start), len(sizes)))
        count += int((np.abs((2 * plus - counts) @ sizes) >= far).sum())
    method = f"signs turned by lot, {draws} draws, seed {seed}" + ("" if clusters is None else ", clusters together")
    return Estimate("sign_flip", value, n=len(d), p=(1 + count) / (1 + draws), method=method)


def _exact_signed_ranks(rank: Floats, above: float) -> float:
    """The probability that W+ lies as far from its middle, counted out over ranks doubled to be whole numbers."""
    doubled = np.rint(2 * rank).astype(int)
    total = int(doubled.sum())
    chance = np.zeros(total + 1)
    chance[0] = 1.0
    for each in doubled.tolist():
        # The right side is read before it is written: a copy, shifted by the rank.
        shifted = np.concatenate([np.zeros(each), chance[: total + 1 - each]])
        chance = (chance + shifted) / 2
    seen = round(2 * above)
    lower = min(seen, total - seen)
    return min(1.0, 2 * float(chance[: lower + 1].sum()))


def _sums_by(clusters: Sequence[Hashable], values: Floats) -> Floats:
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
    sums: Floats = np.bincount(codes, weights=values).astype(np.float64)
    return sums
