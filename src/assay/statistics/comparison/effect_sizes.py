"""How large a difference is: effect sizes, of two groups and of pairs."""

import math
from collections.abc import Sequence

from assay.statistics.arrays import Floats, np
from assay.statistics.correlation import ranks
from assay.statistics.finite import numbers


def cliffs_delta(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> float | None:
    """How much more often the first is above the second than below it, over all pairs of one and the other.

    delta = (#(a > b) - #(a < b)) / (n m), from -1 to 1. Of two unpaired groups this is the rank-biserial correlation
    of the Mann-Whitney test, 2U/(nm) - 1. None where one of them is empty.

    Reference: Cliff, N. (1993). Dominance statistics: ordinal analyses to answer ordinal questions. Psychological
    Bulletin 114.

    Example:
        >>> cliffs_delta([3, 4, 5], [1, 3])
        0.8333333333333334
    """
    a, b = numbers(first), np.sort(numbers(second))
    if not len(a) or not len(b):
        return None
    above = np.searchsorted(b, a, side="left").sum()
    below = (len(b) - np.searchsorted(b, a, side="right")).sum()
    return float(above - below) / (len(a) * len(b))


def superiority(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> float | None:
    """The probability that a value of the first is above one of the second, ties counted half: (delta + 1) / 2.

    Reference: Vargha, A. & Delaney, H. D. (2000). A critique and improvement of the CL common language effect size
    statistics. Journal of Educational and Behavioral Statistics 25.

    Example:
        >>> superiority([1, 2], [1, 1])
        0.75
    """
    delta = cliffs_delta(first, second)
    return None if delta is None else (delta + 1) / 2


def paired_superiority(differences: Sequence[float] | Floats) -> float | None:
    """The share of pairs in which the first is above the second, with half of those in which they are equal.

    Reference: Grissom, R. J. & Kim, J. J. (2012). Effect sizes for research, 2nd ed., chapter 5.

    Example:
        >>> paired_superiority([1, 2, 0, -1])
        0.625
    """
    d = numbers(differences)
    return float(((d > 0) + (d == 0) / 2).mean()) if len(d) else None


def rank_biserial(differences: Sequence[float] | Floats) -> float | None:
    """The matched-pairs rank-biserial correlation: (W+ - W-) / (n (n + 1) / 2).

    W+ and W- are the sums of the ranks of |d| over the positive and the negative differences, and n is the number of
    differences that are not zero. With W the smaller of the two sums its size is 1 - 4 W / (n (n + 1)): half of the
    ranks, n (n + 1) / 4, is what W would be without any effect. (1 - 2 W / (n (n + 1)), which is seen in programs,
    runs from 0.5 to 1 only.) None where no difference is other than zero.

    References: Kerby, D. S. (2014). The simple difference formula. Comprehensive Psychology 3. King, B. M. & Minium,
    E. W. (2003). Statistical reasoning in psychology and education, 4th ed.

    Example:
        >>> rank_biserial([3, 1, 2, -4]), 1 - 4 * 4 / (4 * 5)
        (0.2, 0.19999999999999996)
    """
    d = numbers(differences)
    d = d[d != 0]
    if not len(d):
        return None
    return float((np.sign(d) * ranks(np.abs(d))).sum()) / (len(d) * (len(d) + 1) / 2)


def cohens_d_z(differences: Sequence[float] | Floats) -> float | None:
    """The mean of paired differences over their standard deviation, which divides by n - 1.

    It tells how well pairs tell the two apart. None below two pairs, or where all differences are equal: then the
    spread is 0, and a difference is beyond any number of standard deviations, not none of them.

    Reference: Cohen, J. (1988). Statistical power analysis for the behavioral sciences, 2nd ed., section 2.3.5.

    Example:
        >>> round(cohens_d_z([1, 2, 3]), 3), cohens_d_z([1, 1, 1])
        (2.0, None)
    """
    d = numbers(differences)
    if len(d) < 2 or np.ptp(d) < 1e-12:
        return None
    return float(d.mean() / d.std(ddof=1))


def cohens_d_av(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> float | None:
    """The difference of means over the standard deviation of one value: (m1 - m2) / sqrt((s1^2 + s2^2) / 2).

    Standard deviations divide by n - 1. Unlike d_z it does not grow with how alike the two values of a pair are, and
    can be set beside studies with two groups. None below two values of each, or where neither varies.

    Reference: Cumming, G. (2012). Understanding the new statistics, chapter 11.

    Example:
        >>> round(cohens_d_av([2, 3, 4], [1, 2, 3]), 3)
        1.0
    """
    a, b = numbers(first), numbers(second)
    if min(len(a), len(b)) < 2 or max(np.ptp(a), np.ptp(b)) < 1e-12:
        return None
    return float(a.mean() - b.mean()) / math.sqrt(float(a.var(ddof=1) + b.var(ddof=1)) / 2)
