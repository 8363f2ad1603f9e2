"""Intervals from leaving out one item at a time, for few items."""

import math
from typing import NamedTuple

from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.f_distribution import f_exceeded

NO_SPREAD = "gives the same value, which does not tell how near the truth is"
"""Why there is no interval where nothing varies: one of no width would claim that nothing can."""
BOUNDLESS = 5.0
"""With a half width of this or more on the log scale (a factor of 148), an interval has no lower end."""


def t_probability(t: float, degrees: int) -> float:
    """P(|T| <= t) of Student's t with a whole number of degrees of freedom, exactly.

    The finite series of Abramowitz & Stegun (1964), 26.7.3 and 26.7.4.

    Reference: Abramowitz, M. & Stegun, I. A. (1964). Handbook of mathematical functions, section 26.7.

    Example:
        >>> round(t_probability(12.7062, 1), 4), round(t_probability(2.0452, 29), 4)
        (0.95, 0.95)
    """
    angle = math.atan(t / math.sqrt(degrees))
    cosine = math.cos(angle)
    odd = degrees % 2
    term = cosine if odd else 1.0
    series = 0.0
    for power in range(odd, degrees - 1, 2):
        series += term
        term *= cosine * cosine * (power + 1) / (power + 2)
    return (angle + math.sin(angle) * series) * 2 / math.pi if odd else math.sin(angle) * series


def t_quantile(degrees: int, level: float = 0.95) -> float:
    """The t that |T| stays below with this probability, by bisection to ten digits.

    Reference: Student (1908). The probable error of a mean. Biometrika 6.

    Example:
        >>> [round(t_quantile(degrees), 3) for degrees in (1, 2, 5, 10, 28)]
        [12.706, 4.303, 2.571, 2.228, 2.048]
    """
    low, high = 0.0, 1.0
    while t_probability(high, degrees) < level:
        low, high = high, 2 * high
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if t_probability(middle, degrees) < level else (low, middle)
    return high


def standard_error(values: Floats, multiplicity: Ints) -> float:
    """The jackknife standard error; `values` are those without one unit, each for so many units.

    se^2 = (n - 1)/n  sum over units of (value without it - mean of these)^2 (Efron & Tibshirani 1993, chapter 11).

    Reference: Efron, B. & Tibshirani, R. (1993). An introduction to the bootstrap, chapter 11.

    Example:
        >>> without_each = np.array([4.0, 3.0, 2.0])  # the means of 1, 3 and 5 when one of them is left out
        >>> round(standard_error(without_each, np.array([1, 1, 1])), 4)  # that of a mean: 2 / sqrt(3)
        1.1547
    """
    n = multiplicity.sum()
    mean = (values * multiplicity).sum() / n
    return math.sqrt((n - 1) / n * ((values - mean) ** 2 * multiplicity).sum())


def without_bias(value: float, values: Floats, multiplicity: Ints) -> float:
    """The value − its jackknife estimate of bias: n value - (n - 1) mean of the values without one.

    Reference: Quenouille, M. H. (1956). Notes on bias in estimation. Biometrika 43.

    Example:
        >>> x = np.array([1.0, 3.0, 5.0])  # the variance that divides by n, made into the one that divides by n - 1
        >>> round(without_bias(x.var(), np.array([1.0, 4.0, 1.0]), np.array([1, 1, 1])), 9)
        4.0
    """
    n = multiplicity.sum()
    return float(n * value - (n - 1) * (values * multiplicity).sum() / n)


class SkewedInterval(NamedTuple):
    """A 95 % interval and the p-value of zero."""

    ci: tuple[float, float]
    p: float


def skewed_interval(value: float, values: Floats, multiplicity: Ints) -> SkewedInterval:
    """A t interval that allows for skewness, from the values without one unit, each for so many units.

    The pseudo-values n value - (n - 1) value_-u behave like a sample whose mean is the value. With their standard
    deviation s, their skewness c and W = (value - truth) / s, Hall's transformation

        g(W) = W + c W^2 / 3 + c^2 W^3 / 27 + c / (6 n)

    makes sqrt(n) g(W) nearer to Student's t than sqrt(n) W, and can be inverted. A difference of two coefficients
    is skewed: draws of items, or a plain t, find the one above the other twice as often as they should.

    Reference: Hall, P. (1992). On the removal of skewness by transformation. Journal of the Royal Statistical Society
    B 54.

    Example:
        >>> x = np.array([0.1, 0.4, 0.2, 0.3, 2.0])
        >>> found = skewed_interval(x.mean(), (x.sum() - x) / 4, np.ones(5, dtype=int))
        >>> [round(bound, 2) for bound in found.ci], round(found.p, 3)
        ([-0.11, 4.48], 0.088)
    """
    n, value = int(multiplicity.sum()), float(value)
    pseudo = n * value - (n - 1) * values
    centred = pseudo - (pseudo * multiplicity).sum() / n
    deviation = math.sqrt((centred**2 * multiplicity).sum() / (n - 1))
    skew = float((centred**3 * multiplicity).sum() / n / deviation**3)
    t = t_quantile(n - 1)

    def undo_skew(y: float) -> float:
        if abs(skew) < 1e-6:
            return y
        return 3 / skew * (math.cbrt(1 + skew * (y - skew / (6 * n))) - 1)

    low, high = (value - deviation * undo_skew(sign * t / math.sqrt(n)) for sign in (1, -1))
    w = value / deviation
    g = w + skew * w**2 / 3 + skew**2 * w**3 / 27 + skew / (6 * n)
    return SkewedInterval((low, high), f_exceeded(g**2 * n, 1, n - 1))


def atanh_interval(value: float, error: float, degrees: int, lowest: float) -> tuple[float, float]:
    """A 95 % t interval on a scale on which a coefficient is nearer to normal, transformed back.

    The scale is atanh: the range from `lowest` to 1 is first spread over -1 to 1 (for a share, that gives half the
    logit), the standard error carried over by the derivative. Without a lowest value, its limit: -log(1 - value), on
    which an interval may turn out to have no lower end to speak of (minus infinity). At an end of the range, or beyond
    it, there is no such scale: a plain t interval then.

    Reference: Fisher, R. A. (1921). On the probable error of a coefficient of correlation. Metron 1 (atanh).

    Example:
        >>> [round(bound, 3) for bound in atanh_interval(0.8, 0.05, 20, lowest=-1.0)]
        [0.669, 0.883]
    """
    t = t_quantile(degrees)
    if value >= 1 or value <= lowest:
        cut = lowest if value >= lowest else -math.inf
        return max(cut, value - t * error), min(1.0, value + t * error)
    if lowest == -math.inf:
        width = t * error / (1 - value)
        low = 1 - (1 - value) * math.exp(width) if width < BOUNDLESS else -math.inf
        return low, 1 - (1 - value) * math.exp(-width)
    half = (1 - lowest) / 2
    centred = (value - lowest) / half - 1
    middle, width = math.atanh(centred), t * error / half / (1 - centred**2)
    low, high = (lowest + half * (math.tanh(bound) + 1) for bound in (middle - width, middle + width))
    return low, high


def values_differ(values: Floats) -> bool:
    """Whether the values differ by more than rounding.

    Example:
        >>> values_differ(np.array([1.0, 1.0 + 1e-15])), values_differ(np.array([1.0, 1.1]))
        (False, True)
    """
    return bool(np.ptp(values) > 1e-12)
