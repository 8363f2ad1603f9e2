"""Wilson's interval of a share: right for few cases and for shares near 0 and 1, where the usual one is not."""

import math
from statistics import NormalDist
from typing import NamedTuple

from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.estimate import half_width


def wilson(count: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """The shares p for which `count` of `n` lies within z standard errors, each with its own p (1 - p) / n.

    (count + z^2/2 +- z sqrt(count (n - count) / n + z^2/4)) / (n + z^2). Of no cases it is everything from 0 to 1; of
    40 in 40 it goes from 0.91 to 1.

    Reference: Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of
    the American Statistical Association 22.

    Raises:
        ValueError: `count` does not lie between 0 and `n`.

    Example:
        >>> [round(bound, 3) for bound in wilson(16, 20)]
        [0.584, 0.919]
    """
    if not 0 <= count <= n:
        raise ValueError(f"{count} of {n} is no share")
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle, half = count + z * z / 2, z * math.sqrt(count * (n - count) / n + z * z / 4)
    low, high = (middle - half) / (n + z * z), (middle + half) / (n + z * z)
    return (0.0 if count == 0 else low), (1.0 if count == n else high)


class ShareOfUnits(NamedTuple):
    """A share with Wilson's interval, and how many independent cases the units are worth."""

    value: float
    ci: tuple[float, float]
    effective: float


def wilson_of_units(held: Floats, of: Floats, times: Ints, most: float) -> ShareOfUnits:
    """Wilson's interval of sum held_u / sum of_u, where units u (items, or groups of items) are independent, not cases.

    What a unit holds is correlated, so that n cases of it tell less than n units would. With p the share, m units, and

        v = m / (m - 1)  sum_u (held_u - p of_u)^2 / (sum_u of_u)^2

    the variance of a ratio over units, the interval is Wilson's for n* = p (1 - p) / v cases, times (z / t)^2 because v
    is estimated from m units (t of Student with m - 1 degrees of freedom). n* is `most` at most. Where the share is 0
    or 1, nothing tells how units differ, and n* is m. Where each unit is one case, it is Wilson's interval as it is.

    `times` says how many units are alike.

    References: Wilson (1927), as above. Korn, E. L. & Graubard, B. I. (1998). Confidence intervals for proportions with
    small expected number of positive counts estimated from survey data. Survey Methodology 24. Dean, N. & Pagano, M.
    (2015). Evaluating confidence interval methods for binomial proportions in clustered surveys. Journal of Survey
    Statistics and Methodology 3.

    Example:
        >>> found = wilson_of_units(np.array([2.0, 0.0]), np.array([2.0, 2.0]), np.array([16, 4]), most=40)
        >>> found.value, [round(bound, 2) for bound in found.ci], round(found.effective, 1)
        (0.8, [0.56, 0.93], 16.7)
    """
    units, total = int(times.sum()), float(of @ times)
    p = float(held @ times) / total
    if p <= 0 or p >= 1 or units < 2 or (np.isin(held, (0, 1)).all() and (of == 1).all()):
        effective = float(units)
    else:
        variance = units / (units - 1) * float((held - p * of) ** 2 @ times) / total**2
        shrunk = (NormalDist().inv_cdf(0.975) / half_width(units - 1)) ** 2
        effective = shrunk * min(most, p * (1 - p) / variance if variance > 0 else most)
    p = min(1.0, max(0.0, p))
    return ShareOfUnits(p, wilson(p * effective, effective), effective)
