"""Several tests at once: p-values adjusted so that not one of the findings is likely to be chance."""

from collections.abc import Sequence


def bonferroni(p: Sequence[float]) -> list[float]:
    """Each p-value times the number of tests, 1 at most.

    Whoever takes those up to 0.05 as findings is wrong in any of them with a probability of 0.05 at most. Holm's is
    never larger and promises the same.

    Reference: Dunn, O. J. (1961). Multiple comparisons among means. Journal of the American Statistical Association 56.

    Example:
        >>> bonferroni([0.01, 0.04, 0.5])
        [0.03, 0.12, 1.0]
    """
    return [min(1.0, len(p) * each) for each in p]


def holm(p: Sequence[float]) -> list[float]:
    """Holm's step-down: with p_(1) <= ... <= p_(m), the adjusted p_(i) is the largest of (m - j + 1) p_(j), j <= i.

    1 at most. The largest over the smaller ones keeps the order: no test is a finding while a clearer one is not.

    Reference: Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of
    Statistics 6.

    Example:
        >>> [round(each, 3) for each in holm([0.01, 0.04, 0.03, 0.005])]
        [0.03, 0.06, 0.06, 0.02]
    """
    adjusted = [0.0] * len(p)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        largest = max(largest, min(1.0, (len(p) - rank) * p[index]))
        adjusted[index] = largest
    return adjusted


def benjamini_yekutieli(p: Sequence[float]) -> list[float]:
    """Like Benjamini and Hochberg's, but right however the tests depend on each other: times 1 + 1/2 + ... + 1/m.

    Reference: Benjamini, Y. & Yekutieli, D. (2001). The control of the false discovery rate in multiple testing under
    dependency. Annals of Statistics 29.

    Example:
        >>> [round(each, 3) for each in benjamini_yekutieli([0.01, 0.04, 0.03])]
        [0.055, 0.073, 0.073]
    """
    m = len(p)
    harmonic = sum(1 / rank for rank in range(1, m + 1))
    adjusted = [0.0] * m
    least = 1.0
    for rank, index in sorted(enumerate(sorted(range(m), key=p.__getitem__), 1), reverse=True):
        least = min(least, m * harmonic * p[index] / rank)
        adjusted[index] = least
    return adjusted
