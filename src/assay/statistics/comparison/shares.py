"""The share of judgments of which something holds, where several of them may be about one item."""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable
from statistics import NormalDist

from assay.model import Estimate
from assay.statistics.comparison.measure import share


def share_of(name: str, rows: Iterable[tuple[Hashable, bool]], of: str = "judgments") -> Estimate:
    """The share of judgments of which something holds, from (item, whether it does); n counts judgments.

    With one judgment of each item the interval is Wilson's. Judgments of one item are correlated, so that n of them
    tell less than n items would: Wilson's formula then takes the effective number n* = n / d instead of n, with the
    design effect d = m / (m - 1) sum_i (y_i - p n_i)^2 / (n p (1 - p)), where it holds of y_i of the n_i of item i, of
    m items; d is 1 at least. Where it holds of all or of none, the number of items is taken.

    References: Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of
    the American Statistical Association 22. Dean, N. & Pagano, M. (2015). Evaluating confidence interval methods for
    binomial proportions in clustered surveys. Journal of Survey Statistics and Methodology 3.

    Example:
        >>> [round(bound, 3) for bound in share_of("same", [(i, i < 16) for i in range(20)]).ci]
        [0.584, 0.919]
        >>> both_or_none = [(i // 2, i < 32) for i in range(40)]
        >>> found = share_of("same", both_or_none)
        >>> found.n, [round(bound, 2) for bound in found.ci]
        (40, [0.58, 0.92])
    """
    by_item: dict[Hashable, list[bool]] = defaultdict(list)
    for item, holds in rows:
        by_item[item].append(holds)
    n, count, items = sum(map(len, by_item.values())), sum(map(sum, by_item.values())), len(by_item)
    if n == items:
        return share(name, count, n, of)
    p = count / n
    if items < 2 or count in (0, n):
        effective = float(items)
    else:
        squares = sum((sum(each) - p * len(each)) ** 2 for each in by_item.values())
        effective = n / max(1.0, squares * items / (items - 1) / (p * (1 - p) * n))
    method = f"Wilson's interval of {count} in {n} {of} of {items} items, which count as {effective:.1f}"
    return Estimate(name, p, _wilson(p, effective), n, method)


def _wilson(p: float, n: float) -> tuple[float, float]:
    """Wilson's interval for a number of cases that need not be whole."""
    z = NormalDist().inv_cdf(0.975)
    middle, half = p * n + z * z / 2, z * math.sqrt(n * p * (1 - p) + z * z / 4)
    low, high = (middle - half) / (n + z * z), (middle + half) / (n + z * z)
    return (0.0 if p == 0 else low), (1.0 if p == 1 else high)
