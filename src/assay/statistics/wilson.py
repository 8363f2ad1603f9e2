"""Wilson's interval of a share: right for few cases and for shares near 0 and 1, where the usual one is not."""

import math
from statistics import NormalDist


def wilson(count: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """The shares p for which `count` of `n` lies within z standard errors, each with its own p (1 - p) / n.

    (count + z^2/2 +- z sqrt(count (n - count) / n + z^2/4)) / (n + z^2). Of no cases it is everything from 0 to 1.

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
