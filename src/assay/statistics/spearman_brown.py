"""Spearman and Brown's formula: how reliable a mean of several judgments is, and how many it takes."""

import math


def reliability_of_mean(rho: float, k: float) -> float | None:
    """The reliability of the mean of k judgments, from that of one: R_k = k rho / (1 + (k - 1) rho).

    The reliability of one judgment is an intraclass correlation such as ICC(1,1) or ICC(2,1), or Krippendorff's alpha
    (interval). None where a negative one leaves nothing to divide by.

    Reference: Spearman, C. (1910); Brown, W. (1910), both in the British Journal of Psychology 3.

    Raises:
        ValueError: `rho` is above 1, or `k` is not above 0.

    Example:
        >>> round(reliability_of_mean(0.4, 3), 3)
        0.667
    """
    if not rho <= 1:
        raise ValueError(f"a reliability is at most 1, and this one is {rho}")
    if not k > 0:
        raise ValueError(f"a mean takes at least one judgment, not {k}")
    whole = 1 + (k - 1) * rho
    return k * rho / whole if whole > 0 else None


def annotators_needed(rho: float, target: float) -> int | None:
    """The least number of annotators whose mean reaches a reliability: k >= R (1 - rho) / (rho (1 - R)).

    None where no number of them does: single judgments that have nothing in common average to nothing.

    Reference: Spearman, C. (1910); Brown, W. (1910), both in the British Journal of Psychology 3.

    Raises:
        ValueError: `rho` is above 1, or `target` is not between 0 and 1.

    Example:
        >>> annotators_needed(0.4, 0.8), annotators_needed(0.6, 0.8)
        (6, 3)
    """
    if not rho <= 1:
        raise ValueError(f"a reliability is at most 1, and this one is {rho}")
    if not 0 < target < 1:
        raise ValueError(f"the reliability to reach lies between 0 and 1, and this one is {target}")
    if rho <= 0:
        return None
    exact = target * (1 - rho) / (rho * (1 - target))
    # 0.4 and 0.8 make 6.000000000000001, which is 6.
    return max(1, math.ceil(exact * (1 - 1e-12)))
