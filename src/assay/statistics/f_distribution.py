"""The F distribution, for intervals of intraclass correlations, without a library for one function."""

import math
from functools import lru_cache
from statistics import NormalDist

CLOSE = 1e-13
"""How near two steps of an iteration must come, as a part of their size."""


def f_probability(f: float, top: float, bottom: float) -> float:
    """P(F <= f) of the F distribution, whose degrees of freedom need not be whole numbers.

    It is the regularised incomplete beta function I_x(top / 2, bottom / 2) at x = top f / (top f + bottom).

    Reference: Abramowitz, M. & Stegun, I. A. (1964). Handbook of mathematical functions, section 26.6.

    Example:
        >>> round(f_probability(3.3258, 5, 10), 5)
        0.95
    """
    if f <= 0:
        return 0.0
    whole = top * f + bottom
    return beta_share(top * f / whole, bottom / whole, top / 2, bottom / 2)


def f_exceeded(f: float, top: float, bottom: float) -> float:
    """P(F > f), exact also where 1 - P(F <= f) would round to 0.

    Reference: Abramowitz, M. & Stegun, I. A. (1964). Handbook of mathematical functions, section 26.6.

    Example:
        >>> f"{f_exceeded(3.3258, 5, 10):.5f} {f_exceeded(400, 1, 100):.1e}"
        '0.05000 1.0e-36'
    """
    if f <= 0:
        return 1.0
    whole = top * f + bottom
    return max(beta_share(bottom / whole, top * f / whole, bottom / 2, top / 2), 5e-324)


@lru_cache(maxsize=64)
def f_quantile(share: float, top: float, bottom: float) -> float:
    """The f that F stays below with this probability, to ten digits.

    Newton's method on log f, which the density at f turns into a division, inside a bracket that is halved when a step
    would leave it.

    Example:
        >>> [round(f_quantile(0.95, *degrees), 3) for degrees in ((1, 1), (5, 10), (10, 5))]
        [161.448, 3.326, 4.735]
    """
    low, high, log = -700.0, 700.0, _first_guess(share, top, bottom)
    for _ in range(200):
        f = math.exp(log)
        excess = f_probability(f, top, bottom) - share
        low, high = (low, log) if excess > 0 else (log, high)
        whole = top * f + bottom
        slope = math.exp(_log_front(top * f / whole, bottom / whole, top / 2, bottom / 2))
        step = log - excess / slope if slope > 0 else math.inf
        better = step if low < step < high else (low + high) / 2
        if abs(better - log) < CLOSE * max(1.0, abs(log)):
            return math.exp(better)
        log = better
    raise ArithmeticError(f"no quantile {share} of F with {top} and {bottom} degrees of freedom")


def beta_share(x: float, rest: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b); `rest` is 1 - x, which near 1 cannot be told from x.

    Abramowitz & Stegun (1964), 26.5.8: a continued fraction, which converges fast below the mean and is turned round
    above it.

    Reference: Abramowitz, M. & Stegun, I. A. (1964). Handbook of mathematical functions, section 26.5.

    Example:
        >>> round(beta_share(0.3, 0.7, 2, 3), 4)
        0.3483
    """
    if x <= 0 or rest <= 0:
        return float(rest <= 0)
    # x > (a + 1) / (a + b + 2), written so that rounding cannot make it true of both parts: it recurses once.
    if x * (b + 1) > rest * (a + 1):
        return 1.0 - beta_share(rest, x, b, a)
    return math.exp(_log_front(x, rest, a, b)) / a * _continued_fraction(x, a, b)


def _log_front(x: float, rest: float, a: float, b: float) -> float:
    """log(x^a (1 - x)^b / B(a, b)), each logarithm from the smaller of the two parts."""
    log_x, log_rest = (math.log(x), math.log1p(-x)) if x < rest else (math.log1p(-rest), math.log(rest))
    return math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * log_x + b * log_rest


def _continued_fraction(x: float, a: float, b: float) -> float:
    """The fraction of 26.5.8, from its head on (Lentz's method): about sqrt(a + b) steps."""
    tiny = 1e-300
    above, below = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1) or tiny)
    value, step = below, 0
    while True:
        step += 1
        even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
        for term in (even, odd):
            below = 1.0 / (1.0 + term * below or tiny)
            above = 1.0 + term / above or tiny
            value *= above * below
        if abs(above * below - 1.0) < CLOSE / 100:
            return value


def _first_guess(share: float, top: float, bottom: float) -> float:
    """Log f to begin with: Abramowitz & Stegun 26.6.16, good for many degrees of freedom, else the middle."""
    if min(top, bottom) <= 2:
        return 0.0
    normal = NormalDist().inv_cdf(share)
    curve = (normal * normal - 3) / 6
    mean = 2 / (1 / (top - 1) + 1 / (bottom - 1))
    root = math.sqrt(max(0.0, mean + curve))
    half_log = normal * root / mean - (1 / (bottom - 1) - 1 / (top - 1)) * (curve + 5 / 6 - 2 / (3 * mean))
    return 2 * half_log
