"""Intervals and p-values that hold however often somebody looks while a study runs: confidence sequences."""

import math
from dataclasses import replace

from assay.model import Estimate
from assay.statistics.arrays import Floats, Ints

LEAST_UNITS = 30
"""Below so many items (or groups) nothing is said: the theory is that of many."""
FOR_SKEWNESS = 50
"""So many times the square of their skewness there must be of skewed ones."""
TUNED_FOR = 100
"""The number of units at which intervals are narrowest; they hold at any other."""
ALPHA = 0.05
NOTHING_VARIES = "nothing varies, which does not tell how near it is"
"""Why a number that has a value has no interval."""


def any_time(name: str, value: float, error: float | None, units: int, skew: float = 0.0) -> Estimate:
    """A mean, a difference, a share or a net win rate at one look of many, from its standard error over so many units.

    Whoever looks at a 95 % interval after every item, and stops when it leaves zero out, finds a difference that is not
    there in 30 to 40 % of studies of 400 items. A confidence sequence is wide enough for all looks together. With n
    units, t = value / error, u^2 = n t^2 / (n - 1 + t^2), which is t with the mean square about 0 in the place of the
    variance, and r^2 = (-2 log alpha + log(1 - 2 log alpha)) / 100, which makes it narrowest at n = 100,

        p = min(1, sqrt(n r^2 + 1) exp(-u^2 n r^2 / (2 (n r^2 + 1))))

    may be compared with alpha = 0.05 after every item, and the interval holds every difference whose p is above it. For
    values that lie as often above their mean as below by as much it holds exactly but for r, which takes their scale
    from themselves; for others with many units. So below 30 units it is undefined, and below 50 c^2 of units with a
    skewness of c. At n = 100 it is 1.55 times as wide as the interval of a single look.

    References: Robbins, H. (1970). Statistical methods related to the law of the iterated logarithm. Annals of
    Mathematical Statistics 41. de la Pena, V. H. (1999). A general class of exponential inequalities for martingales
    and ratios. Annals of Probability 27. Waudby-Smith, I., Arbour, D., Sinha, R., Kennedy, E. H. & Ramdas, A. (2024).
    Time-uniform central limit theory and asymptotic confidence sequences. Annals of Statistics 52.

    Example:
        >>> found = any_time("difference", 0.3, 0.08, 100)
        >>> [round(bound, 2) for bound in found.ci], round(found.p, 4)
        ([0.05, 0.55], 0.0119)
    """
    needed = max(LEAST_UNITS, math.ceil(FOR_SKEWNESS * skew**2))
    if units < needed:
        why = f"with looks at any time it takes {needed} items or groups like these, and there are {units}"
        return Estimate(name, None, n=units, undefined=why)
    if not error:
        return Estimate(name, value, None, units, f"no interval: {NOTHING_VARIES}")
    mixed = units * _rho_squared()
    most = 2 * (mixed + 1) / mixed * math.log(math.sqrt(mixed + 1) / ALPHA)
    half = error * math.sqrt(most * (units - 1) / (units - most))
    method = f"holds at every look: confidence sequence over {units} items or groups"
    return Estimate(name, value, (value - half, value + half), units, method, p_at_any_time(value, error, units))


def ratio_at_any_time(name: str, held: Floats, of: Floats, times: Ints, low: float, high: float) -> Estimate:
    """A mean or a share at one look of many: sum of `held` / sum of `of`, over units.

    Its interval is that of `any_time`, and ends where the scale does, at `low` and `high`. The mean of item means has
    of = 1 for each item; a share of wins has the judgments of an item. The standard error is that of a ratio over m
    units, sqrt(m / (m - 1) sum (held - value of)^2) / sum of. `times` says how many units are alike.

    References: as of `any_time`; Cochran, W. G. (1977). Sampling techniques, 3rd edition, chapter 6 (ratios).

    Example:
        >>> import numpy as np
        >>> found = ratio_at_any_time("share", np.array([0.0, 1.0]), np.ones(2), np.array([30, 70]), 0.0, 1.0)
        >>> found.value, [round(bound, 2) for bound in found.ci]
        (0.7, [0.55, 0.85])
    """
    units, total = int(times.sum()), float(of @ times)
    if not total:
        return Estimate(name, None, n=units, undefined="there are no judgments")
    value = float(held @ times) / total
    left = float((held - value * of) ** 2 @ times)
    error = math.sqrt(units / (units - 1) * left) / total if units > 1 else None
    found = any_time(name, value, error if error and error > 1e-12 else None, units, skewness(held, of, times))
    return replace(found, p=None, ci=(max(low, found.ci[0]), min(high, found.ci[1])) if found.ci else None)


def p_at_any_time(value: float, error: float, units: int) -> float:
    """The p-value of the hypothesis of no difference that may be looked at after every item, as in `any_time`.

    Reference: Robbins, H. (1970). Annals of Mathematical Statistics 41.

    Example:
        >>> round(p_at_any_time(0.3, 0.08, 100), 4), p_at_any_time(0.0, 0.08, 100)
        (0.0119, 1.0)
    """
    mixed, t_squared = units * _rho_squared(), (value / error) ** 2
    u_squared = units * t_squared / (units - 1 + t_squared)
    return min(1.0, math.sqrt(mixed + 1) * math.exp(-u_squared * mixed / (2 * (mixed + 1))))


def skewness(held: Floats, of: Floats, times: Ints) -> float:
    """The skewness of units in a ratio, about the value sum of `held` / sum of `of`; 0 where nothing varies.

    Reference: Pearson, K. (1895). Philosophical Transactions of the Royal Society A 186.

    Example:
        >>> import numpy as np
        >>> round(skewness(np.array([-3.0, 1.0]), np.ones(2), np.array([1, 3])), 3)
        -1.155
    """
    total = float(of @ times)
    if not total:
        return 0.0
    left = held - of * float(held @ times) / total
    spread = float(left**2 @ times) / float(times.sum())
    return float(left**3 @ times) / float(times.sum()) / spread**1.5 if spread > 1e-12 else 0.0


def _rho_squared() -> float:
    return (-2 * math.log(ALPHA) + math.log(1 - 2 * math.log(ALPHA))) / TUNED_FOR
