"""Tests of a difference that need no normal distribution: signed ranks, ranks, and permutation of signs."""

import math
from collections.abc import Hashable, Sequence
from statistics import NormalDist

from assay.model import Estimate
from assay.statistics.arrays import Floats, np
from assay.statistics.correlation import ranks
from assay.statistics.draws import SEED
from assay.statistics.finite import numbers

EXACT_RANKS = 100
"""Up to this many differences the distribution of signed ranks is enumerated, ties included."""
PERMUTATIONS = 10_000
"""How many random signs are drawn at least, where there are too many to enumerate."""
CLEAR = 20
"""With at least this many draws as far as the data, their share is exact enough; with fewer see `sign_flip`."""
STEPS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 60, 100, 420)
"""Into how many steps a point is cut, for differences to be whole numbers of them: means of up to seven judgments."""
COUNTED = 2**27
"""Up to this many sums, all signs are enumerated."""
HALVED = 64
"""After this many doublings the counts are halved as often, which is exact and avoids overflow."""
EXACT_FLIPS = 16
"""Up to this many differences all signs are enumerated."""


def wilcoxon(differences: Sequence[float] | Floats) -> Estimate:
    """Wilcoxon's signed-rank test, two-sided: the value is W+, the sum of the ranks of |d| over positive differences.

    Differences of zero tell nothing of the direction and are left out, n being what remains; equal ones share the mean
    of their ranks. Up to 100 differences the p-value is exact (also with ties: all 2^n signs are enumerated); above,
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
        return Estimate("mann_whitney", len(a) * len(b) / 2, n=len(a) + len(b), p=1.0, method="every value is the same")
    exact = min(len(a), len(b)) <= 8 and len(np.unique(np.concatenate([a, b]))) == len(a) + len(b)
    found = mannwhitneyu(a, b, alternative="two-sided", method="exact" if exact else "asymptotic")
    method = "exact" if exact else "normal, with corrections for ties and continuity"
    return Estimate("mann_whitney", float(found.statistic), n=len(a) + len(b), p=float(found.pvalue), method=method)


def sign_flip(
    differences: Sequence[float] | Floats,
    clusters: Sequence[Hashable] | None = None,
    seed: int = SEED,
    draws: int = PERMUTATIONS,
) -> Estimate:
    """The permutation test of paired differences: how often is their mean as far from 0 when signs are turned by lot?

    If the two systems do not differ, each difference could as well have had the other sign. Where differences are
    whole multiples of one step, as those of ratings and of means of a few of them are, all 2^n ways are enumerated,
    and so they are of 16 differences or fewer; else p = (1 + as far) / (1 + draws). Of m tests that are corrected
    together the clearest could so reach m / (1 + draws) at best. Where fewer than 20 draws are as far, p is therefore
    the saddlepoint approximation of the same probability, with K(t) = sum log cosh(t d), K'(t) = |sum d|,

        w = sqrt(2 (t |sum d| - K(t))),  u = t sqrt(K''(t)),  p = 2 (1 - Phi(w) + phi(w) (1 / u - 1 / w))

    Where items share a source, all differences of a source turn together.

    References: Fisher, R. A. (1935). The design of experiments, section 21. Phipson, B. & Smyth, G. K. (2010).
    Permutation p-values should never be zero. Statistical Applications in Genetics and Molecular Biology 9. Robinson,
    J. (1982). Saddlepoint approximations for permutation tests and confidence intervals. Journal of the Royal
    Statistical Society B 44.

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
    by_step = _exact_by_step(moving, far)
    if by_step is not None:
        return Estimate("sign_flip", value, n=len(d), p=by_step, method="exact, all signs turned")
    # Of c differences of one size, Binomial(c, 1/2) get a plus: a draw does not grow with the number of items.
    sizes, counts = np.unique(np.round(moving, 10), return_counts=True)
    rng, count = np.random.default_rng(seed), 0
    step = max(1, 2**22 // len(sizes))
    for start in range(0, draws, step):
        plus = rng.binomial(counts, 0.5, size=(min(step, draws - start), len(sizes)))
        count += int((np.abs((2 * plus - counts) @ sizes) >= far).sum())
    method = f"signs turned by lot, {draws} draws, seed {seed}" + ("" if clusters is None else ", clusters together")
    if count < CLEAR:
        return Estimate("sign_flip", value, n=len(d), p=_saddlepoint(moving, far), method=f"{method}; saddlepoint")
    return Estimate("sign_flip", value, n=len(d), p=(1 + count) / (1 + draws), method=method)


def _saddlepoint(sizes: Floats, far: float) -> float:
    """How often the sum of sizes with signs by lot is as far from 0, where that is rare."""
    total = float(sizes.sum())
    all_alike = 2.0 ** (1 - min(len(sizes), 1000))
    if far >= total * (1 - 1e-6):
        return all_alike
    low, high = 0.0, 1.0
    while (sizes * np.tanh(high * sizes)).sum() < far:
        low, high = high, 2 * high
    for _ in range(200):
        t = (low + high) / 2
        low, high = (t, high) if (sizes * np.tanh(t * sizes)).sum() < far else (low, t)
    # log cosh x, which does not overflow
    x = t * sizes
    cumulant = float((np.logaddexp(x, -x) - math.log(2)).sum())
    w = math.sqrt(2 * (t * far - cumulant))
    u = t * math.sqrt(float((sizes**2 / np.cosh(np.minimum(x, 300)) ** 2).sum()))
    normal = NormalDist()
    upper = 0.5 * math.erfc(w / math.sqrt(2)) + normal.pdf(w) * (1 / u - 1 / w)
    return min(1.0, max(2 * upper, all_alike))


def _exact_by_step(sizes: Floats, far: float) -> float | None:
    """How often the sum of differences with signs by lot is as far from 0, where all are multiples of a step."""
    for per_point in STEPS:
        whole = np.rint(sizes * per_point)
        if (np.abs(sizes * per_point - whole) < 1e-7).all():
            break
    else:
        return None
    total = int(whole.sum())
    if total * len(whole) > COUNTED:
        return None
    lowest = (total - math.ceil(far * per_point - 1e-6)) // 2
    if 2 * lowest >= total:
        return 1.0
    # Only the lowest sums are needed; smallest steps first, so that the number of sums stays small for long.
    chance = np.zeros(lowest + 1)
    chance[0], reached = 1.0, 0
    for number, each in enumerate(np.sort(whole).astype(int).tolist(), 1):
        # What there is stays or moves up, each as often; the right side is read before it is written.
        moved = chance[: max(0, min(reached, lowest - each) + 1)].copy()
        reached = min(reached + each, lowest)
        chance[each : each + len(moved)] += moved
        if number % HALVED == 0:
            chance *= 2.0**-HALVED
    return min(1.0, 2 * float(chance.sum()) * 2.0 ** -(len(whole) % HALVED))


def _exact_signed_ranks(rank: Floats, above: float) -> float:
    """The probability that W+ lies as far from its middle, enumerated over ranks doubled to be whole numbers."""
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
