"""The share of judgments of which something holds, where several of them may be about one item."""

from collections import defaultdict
from collections.abc import Hashable, Iterable

from assay.model import Estimate
from assay.statistics.arrays import np
from assay.statistics.comparison.measure import share
from assay.statistics.wilson import wilson_of_units


def share_of(name: str, rows: Iterable[tuple[Hashable, bool]], of: str = "judgments") -> Estimate:
    """The share of judgments of which something holds, from (item, whether it does); n counts judgments.

    With one judgment of each item the interval is Wilson's. Judgments of one item are correlated, so that n of them
    tell less than n items would: Wilson's formula then takes an effective number of them, as `wilson_of_units` has it.

    References: Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of
    the American Statistical Association 22. Dean, N. & Pagano, M. (2015). Evaluating confidence interval methods for
    binomial proportions in clustered surveys. Journal of Survey Statistics and Methodology 3.

    Example:
        >>> [round(bound, 3) for bound in share_of("same", [(i, i < 16) for i in range(20)]).ci]
        [0.584, 0.919]
        >>> both_or_none = [(i // 2, i < 32) for i in range(40)]
        >>> found = share_of("same", both_or_none)
        >>> found.n, [round(bound, 2) for bound in found.ci]
        (40, [0.56, 0.93])
    """
    by_item: dict[Hashable, list[bool]] = defaultdict(list)
    for item, holds in rows:
        by_item[item].append(holds)
    n, count, items = sum(map(len, by_item.values())), sum(map(sum, by_item.values())), len(by_item)
    if n == items:
        return share(name, count, n, of)
    held, sizes = (np.array([call(each) for each in by_item.values()], dtype=float) for call in (sum, len))
    found = wilson_of_units(held, sizes, np.ones(items, dtype=int), n)
    method = f"Wilson's interval of {count} in {n} {of} of {items} items, which count as {found.effective:.1f}"
    return Estimate(name, found.value, found.ci, n, method)
