"""The power of the sign test of preferences, with ties: what net win rate a study of n items shows."""

import math
from statistics import NormalDist

from assay.statistics.arrays import np
from assay.statistics.wilson import wilson

MOST_ITEMS = 10**5
"""What takes more items than so many is not planned."""


def sign_test_power(n: int, net: float, ties: float, alpha: float = 0.05) -> float:
    """The probability that the exact sign test shows a net win rate, over n items of which a share is tied.

    Items are won, tied or lost by the majority of their judgments. D ~ Binomial(n, 1 - ties) of them are decided, and
    of these W ~ Binomial(D, 1/2 + net / (2 (1 - ties))) are won; the test without ties shows a difference where W lies
    so far from D / 2 that a fair coin does as much with probability alpha at most, on both sides together.

    References: Dixon, W. J. & Mood, A. M. (1946). The statistical sign test. Journal of the American Statistical
    Association 41. Noether, G. E. (1987). Sample size determination for some common nonparametric tests. Journal of the
    American Statistical Association 82.

    Example:
        >>> round(sign_test_power(100, 0.25, 0.2), 2), round(sign_test_power(100, 0.0, 0.2), 2)
        (0.78, 0.04)
    """
    from scipy.special import bdtr
    from scipy.stats import binom

    if not 0 <= ties < 1 or abs(net) > 1 - ties + 1e-12:
        raise ValueError("ties lie between 0 and 1, and wins and losses make up the rest")
    share = min(1.0, 0.5 + abs(net) / (2 * (1 - ties)))
    far = 8 * math.sqrt(n * ties * (1 - ties)) + 1
    decided = np.arange(max(0, int(n * (1 - ties) - far)), min(n, int(n * (1 - ties) + far)) + 1)
    chance = binom.pmf(decided, n, 1 - ties)
    # The largest number of losses that is shown, of so many decided: twice its tail is at most alpha.
    losses = binom.ppf(alpha / 2, decided, 0.5).astype(int)
    losses = np.where(2 * bdtr(losses, decided, 0.5) > alpha + 1e-12, losses - 1, losses)
    shown = np.where(
        losses >= 0, binom.cdf(losses, decided, 1 - share) + binom.sf(decided - losses - 1, decided, 1 - share), 0.0
    )
    return float(min(1.0, chance @ shown))


def detectable_net(n: int, ties: float, power: float = 0.8, alpha: float = 0.05) -> float | None:
    """The least net win rate that n items show with this probability; None where they do not show even the largest.

    With a family of tests, alpha is `effective_level` of it. Where items share a source, n is the number of sources.

    Reference: as of `sign_test_power`.

    Example:
        >>> round(detectable_net(100, 0.2), 2), detectable_net(4, 0.2)
        (0.26, None)
    """
    low, high = 0.0, 1 - ties
    # Where every item is tied, nothing is decided that could be counted.
    if ties >= 1 or sign_test_power(n, high, ties, alpha) < power:
        return None
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (low, middle) if sign_test_power(n, middle, ties, alpha) >= power else (middle, high)
    return high


def items_for_net(net: float, ties: float, power: float = 0.8, alpha: float = 0.05) -> int | None:
    """The least number of items from which on a net win rate is shown with this probability.

    None for 0, and for more than ties leave room for. The power of an exact test is not monotonic in n: from the number
    returned on, it stays high enough.

    Reference: as of `sign_test_power`.

    Example:
        >>> items_for_net(0.25, 0.2)
        106
    """
    if not net or ties >= 1 or abs(net) > 1 - ties + 1e-12:
        return None
    normal, edge = NormalDist(), min(1.0, abs(net) / (1 - ties))
    rough = (normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power) * math.sqrt(1 - edge**2)) ** 2 / edge**2 / (1 - ties)
    if rough > MOST_ITEMS:
        return None
    low, high = 1, math.ceil(1.3 * rough) + 30
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if sign_test_power(middle, net, ties, alpha) >= power else (middle, high)
    # The power is not monotonic: it may cross the line again within the steps of a binomial.
    last = high + math.ceil(4 * math.sqrt(high)) + 30
    return next((n + 1 for n in range(last, 1, -1) if sign_test_power(n, net, ties, alpha) < power), 2)


def interval_for_net(net: float, tied: int, of: int, power: float = 0.8, alpha: float = 0.05) -> tuple[int, int] | None:
    """The 95 % interval of `items_for_net`, from a pilot with `tied` ties among its items; None where it has no end.

    The number of items depends on the share of ties, so its ends come from those of Wilson's interval of that share, as
    far as they leave room for the net win rate. With fewer ties it takes more items.

    Reference: as of `sign_test_power`, and Wilson (1927) for the share.

    Example:
        >>> items_for_net(0.25, 0.3), interval_for_net(0.25, 12, 40)
        (92, (72, 108))
    """
    few, many = wilson(tied, of)
    ends = [items_for_net(net, ties, power, alpha) for ties in (min(many, 1 - abs(net)), few)]
    return None if ends[0] is None or ends[1] is None else (min(ends[0], ends[1]), ends[1])
