"""Shares: the binomial test, McNemar's test of pairs, and the difference of two shares with Newcombe's interval."""

import math

from assay.model import Estimate
from assay.statistics.wilson import wilson

WHOLE = 1000
"""Throws of a fair coin up to so many are counted in whole numbers, without any rounding."""


def binomial_test(count: int, n: int, expected: float = 0.5) -> float:
    """The exact two-sided p-value of a count out of n under a share: of all counts no more probable than this one.

    Of no cases it is 1.

    Reference: Conover, W. J. (1971). Practical nonparametric statistics, p. 97.

    Example:
        >>> round(binomial_test(682, 925, 0.75), 4)
        0.3825
    """
    if not n:
        return 1.0
    if expected in (0, 1):
        return float(count == n * expected)
    # By hand: importing scipy.stats takes longer than everything else that a report computes.
    if expected == 0.5 and n <= WHOLE:
        ways = of_one_side = 1
        for k in range(min(count, n - count)):
            ways = ways * (n - k) // (k + 1)
            of_one_side += ways
        return min(1.0, 2 * of_one_side / (1 << n))
    logs = [-math.lgamma(k + 1) - math.lgamma(n - k + 1) for k in range(n + 1)]
    above, below = math.log(expected), math.log1p(-expected)
    chances = [math.exp(math.lgamma(n + 1) + each + k * above + (n - k) * below) for k, each in enumerate(logs)]
    as_rare = math.fsum(each for each in chances if each <= chances[count] * (1 + 1e-7))
    return min(1.0, as_rare)


def clopper_pearson(count: int, n: int) -> tuple[float, float]:
    """The exact 95 % interval of a share: those p whose one-sided binomial tests both give 0.025 or more.

    It never covers less than it says, and often more; Wilson's is the one to report.

    Reference: Clopper, C. J. & Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated in the case
    of the binomial. Biometrika 26.

    Example:
        >>> [round(bound, 4) for bound in clopper_pearson(682, 925)]
        [0.7077, 0.7654]
    """
    from scipy.special import betaincinv

    low = float(betaincinv(count, n - count + 1, 0.025)) if count else 0.0
    high = float(betaincinv(count + 1, n - count, 0.975)) if count < n else 1.0
    return low, high


def mcnemar(first_only: int, second_only: int) -> Estimate:
    """McNemar's exact test of yes and no on the same items: the value is how many more had yes from the first only.

    Items on which both say the same tell nothing of a difference. If the two are alike, the b + c items on which they
    differ fall to each side with 1/2: p = min(1, 2 P(X <= min(b, c))), X binomial.

    Reference: McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions or
    percentages. Psychometrika 12.

    Example:
        >>> mcnemar(9, 2).value, round(mcnemar(9, 2).p, 4)
        (7.0, 0.0654)
    """
    differing = first_only + second_only
    if not differing:
        return Estimate("mcnemar", None, undefined="the two differ on no item")
    p = binomial_test(first_only, differing)
    return Estimate("mcnemar", float(first_only - second_only), n=differing, p=p, method="exact, on items that differ")


def mcnemar_chi_square(first_only: int, second_only: int, correction: bool = True) -> tuple[float, float] | None:
    """McNemar's statistic for many items, with its p-value: (|b - c| - 1)^2 / (b + c), without the 1 if so asked.

    None where the two differ on no item. Reference: Agresti, A. (1990). Categorical data analysis, p. 350.

    Example:
        >>> [round(each, 4) for each in mcnemar_chi_square(150, 86)]
        [16.8178, 0.0]
    """
    differing = first_only + second_only
    if not differing:
        return None
    apart = max(0.0, abs(first_only - second_only) - correction)
    statistic = apart**2 / differing
    return statistic, math.erfc(math.sqrt(statistic / 2))


def paired_shares(both: int, first_only: int, second_only: int, neither: int) -> Estimate:
    """The difference of two shares on the same items, with Newcombe's 95 % interval and McNemar's exact p-value.

    With Wilson's intervals (l1, u1) and (l2, u2) of the two shares p1 and p2 and d = p1 - p2,

        low = d - sqrt((p1 - l1)^2 - 2 phi (p1 - l1)(u2 - p2) + (u2 - p2)^2)
        high = d + sqrt((u1 - p1)^2 - 2 phi (u1 - p1)(p2 - l2) + (p2 - l2)^2)

    phi is the correlation of the two, (a d - b c) over the root of the product of the margins; where a d > b c, its
    numerator is lessened by n / 2, but not below 0; it is 0 where a margin is.

    Reference: Newcombe, R. G. (1998). Improved confidence intervals for the difference between binomial proportions
    based on paired data. Statistics in Medicine 17 (method 10).

    Example:
        >>> found = paired_shares(36, 12, 2, 0)
        >>> found.value, [round(bound, 4) for bound in found.ci]
        (0.2, [0.0569, 0.3404])
    """
    n = both + first_only + second_only + neither
    if not n:
        return Estimate("difference_of_shares", None, undefined="there are no items")
    first, second = both + first_only, both + second_only
    apart: float = both * neither - first_only * second_only
    if apart > 0:
        apart = max(0.0, apart - n / 2)
    margins = first * (n - first) * second * (n - second)
    phi = apart / math.sqrt(margins) if margins else 0.0
    ci = _newcombe((first, n), (second, n), phi)
    p = mcnemar(first_only, second_only).p
    method = "Newcombe's interval for pairs; p is McNemar's, exact"
    return Estimate("difference_of_shares", (first_only - second_only) / n, ci, n, method, 1.0 if p is None else p)


def unpaired_shares(first: tuple[int, int], second: tuple[int, int]) -> Estimate:
    """The difference of the shares of two groups of different items, each (count, n), with Newcombe's 95 % interval.

    The interval is that of pairs with phi = 0; the p-value is Fisher's exact one.

    Reference: Newcombe, R. G. (1998). Interval estimation for the difference between independent proportions.
    Statistics in Medicine 17 (method 10).

    Example:
        >>> found = unpaired_shares((56, 70), (48, 80))
        >>> round(found.value, 1), [round(bound, 4) for bound in found.ci]
        (0.2, [0.0524, 0.3339])
    """
    from scipy.stats import fisher_exact

    if not first[1] or not second[1]:
        return Estimate("difference_of_shares", None, undefined="one of the two has no items")
    table = [[first[0], first[1] - first[0]], [second[0], second[1] - second[0]]]
    p = float(fisher_exact(table).pvalue)
    value = first[0] / first[1] - second[0] / second[1]
    method = "Newcombe's interval; p is Fisher's, exact"
    return Estimate("difference_of_shares", value, _newcombe(first, second, 0.0), first[1] + second[1], method, p)


def _newcombe(first: tuple[int, int], second: tuple[int, int], phi: float) -> tuple[float, float]:
    p1, p2 = first[0] / first[1], second[0] / second[1]
    (l1, u1), (l2, u2) = wilson(*first), wilson(*second)
    down, up_2, up, down_2 = p1 - l1, u2 - p2, u1 - p1, p2 - l2
    low = p1 - p2 - math.sqrt(max(0.0, down**2 - 2 * phi * down * up_2 + up_2**2))
    high = p1 - p2 + math.sqrt(max(0.0, up**2 - 2 * phi * up * down_2 + down_2**2))
    return low, high
