"""Correlations, of values and of ranks, and how far two of them that share a variable lie apart."""

import math
from collections.abc import Sequence
from statistics import NormalDist

from assay.statistics.arrays import Floats, np
from assay.statistics.estimate import IntervalEstimate
from assay.statistics.finite import numbers

Z = NormalDist().inv_cdf(0.975)


def pearson(x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> float | None:
    """Pearson's correlation, or None where one of the two does not change.

    Reference: Pearson, K. (1895). Proceedings of the Royal Society 58.

    Example:
        >>> round(pearson([1, 2, 3, 4], [1, 3, 2, 4]), 3)
        0.8
    """
    a, b = numbers(x), numbers(y)
    if len(a) < 2 or np.ptp(a) < 1e-12 or np.ptp(b) < 1e-12:
        return None
    a, b = a - a.mean(), b - b.mean()
    return max(-1.0, min(1.0, float((a @ b) / math.sqrt(float(a @ a) * float(b @ b)))))


def ranks(values: Sequence[float] | Floats) -> Floats:
    """The ranks of values in order, from 1; equal ones share the mean of theirs.

    Example:
        >>> ranks([10, 30, 10, 20]).tolist()
        [1.5, 4.0, 1.5, 3.0]
    """
    _, inverse, counts = np.unique(numbers(values), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    middle: Floats = (last - (counts - 1) / 2).astype(float)
    return middle[inverse]


def spearman(x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> float | None:
    """Spearman's correlation: Pearson's, of the ranks. None where one of the two does not change.

    Reference: Spearman, C. (1904). The proof and measurement of association between two things. American Journal of
    Psychology 15.

    Example:
        >>> spearman([1, 2, 3, 100], [1, 2, 3, 4])
        1.0
    """
    return pearson(ranks(x), ranks(y))


def fisher_interval(r: float, n: float) -> tuple[float, float]:
    """The 95 % interval of a correlation of n points: tanh(atanh r +- 1.96 / sqrt(n - 3)).

    Reference: Fisher, R. A. (1921). On the probable error of a coefficient of correlation. Metron 1.

    Example:
        >>> [round(bound, 3) for bound in fisher_interval(0.396, 66)]
        [0.17, 0.582]
    """
    if n <= 3:
        return -1.0, 1.0
    if abs(r) >= 1:
        return r, r
    half = Z / math.sqrt(n - 3)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def difference_of_correlations(first: float, second: float, between: float, n: int) -> IntervalEstimate:
    """How much more x is correlated with y than with z: r_xy - r_xz, with `between` = r_yz and Zou's 95 % interval.

    The interval joins those of the two correlations, whose errors are correlated by

        c = ((r_yz - r_xy r_xz / 2)(1 - r_xy^2 - r_xz^2 - r_yz^2) + r_yz^3) / ((1 - r_xy^2)(1 - r_xz^2))

    The p-value is that of Meng, Rosenthal and Rubin's z: the difference of the two atanh r over its standard error,
    sqrt(2 (1 - r_yz) h / (n - 3)), with h = (1 - f m) / (1 - m), m the mean of the two squares and
    f = (1 - r_yz) / (2 (1 - m)), 1 at most.

    References: Zou, G. Y. (2007). Toward using confidence intervals to compare correlations. Psychological Methods 12.
    Meng, X.-L., Rosenthal, R. & Rubin, D. B. (1992). Comparing correlated correlation coefficients. Psychological
    Bulletin 111.

    Example:
        >>> found = difference_of_correlations(0.396, 0.179, 0.088, 66)
        >>> round(found.low, 3), round(found.high, 3), round(found.p, 3)
        (-0.093, 0.517, 0.173)
    """
    (low_1, high_1), (low_2, high_2) = fisher_interval(first, n), fisher_interval(second, n)
    below = (1 - first**2) * (1 - second**2)
    top = (between - first * second / 2) * (1 - first**2 - second**2 - between**2) + between**3
    c = max(-1.0, min(1.0, top / below)) if below > 0 else 0.0
    down, up, down_2, up_2 = first - low_1, high_1 - first, second - low_2, high_2 - second
    difference = first - second
    low = difference - math.sqrt(max(0.0, down**2 + up_2**2 - 2 * c * down * up_2))
    high = difference + math.sqrt(max(0.0, up**2 + down_2**2 - 2 * c * up * down_2))
    return IntervalEstimate(difference, low, high, n, _p_of_difference(first, second, between, n))


def _p_of_difference(first: float, second: float, between: float, n: int) -> float:
    m = (first**2 + second**2) / 2
    if n <= 3 or max(abs(first), abs(second)) >= 1 or between >= 1:
        return float(first == second or n <= 3)
    f = min(1.0, (1 - between) / (2 * (1 - m)))
    error = math.sqrt(2 * (1 - between) * (1 - f * m) / (1 - m) / (n - 3))
    return 2 * NormalDist().cdf(-abs(math.atanh(first) - math.atanh(second)) / error)
