"""Many tests at once: p-values adjusted so that few of the findings are false."""

from collections.abc import Sequence


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """The smallest rate of false discoveries at which each test would still count as a finding.

    With p_(1) <= ... <= p_(m): the adjusted p_(i) is the least of m p_(j) / j over j >= i, and 1 at most. Whoever takes
    those up to 0.05 as findings can expect that at most one in twenty of them is false.

    Reference: Benjamini, Y. & Hochberg, Y. (1995). Controlling the false discovery rate. Journal of the Royal
    Statistical Society B 57.

    Example:
        >>> [round(each, 3) for each in benjamini_hochberg([0.01, 0.04, 0.03, 0.5])]
        [0.04, 0.053, 0.053, 0.5]
    """
    adjusted = [0.0] * len(p)
    least = 1.0
    for rank, index in sorted(enumerate(sorted(range(len(p)), key=p.__getitem__), 1), reverse=True):
        least = min(least, len(p) * p[index] / rank)
        adjusted[index] = least
    return adjusted
