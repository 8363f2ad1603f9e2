"""A share as an `Estimate`: with Wilson's interval, or the reason why there is none."""

from assay.model import Estimate
from assay.statistics.wilson import wilson

Measure = Estimate
"""The name in 0.1.0, for notebooks."""


def share(name: str, count: int, n: int, of: str, p: float | None = None, note: str = "") -> Estimate:
    """A share with Wilson's interval, undefined where there is nothing that it could be a share of.

    Reference: Wilson, E. B. (1927). Journal of the American Statistical Association 22.

    Example:
        >>> share("wins", 16, 20, of="judgments").ci[0] > 0.58, share("wins", 0, 0, of="judgments").undefined
        (True, 'there are no judgments')
    """
    if n == 0:
        return Estimate(name, None, undefined=f"there are no {of}")
    method = f"Wilson's interval of {count} in {n} {of}{note}"
    return Estimate(name, count / n, wilson(count, n), n, method, p)
