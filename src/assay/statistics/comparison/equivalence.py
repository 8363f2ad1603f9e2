"""No difference that matters: two one-sided tests against a margin that was declared beforehand."""

import math
from dataclasses import dataclass
from statistics import NormalDist

from assay.statistics.f_distribution import f_exceeded


@dataclass(frozen=True, slots=True)
class WithinMargin:
    """Whether a difference lies within a margin, by two one-sided tests."""

    margin: float
    p_not_below: float
    """Of the hypothesis that the difference is -margin or less: where it falls, the first is not inferior."""
    p_not_above: float
    """Of the hypothesis that it is the margin or more."""

    @property
    def p(self) -> float:
        """The p-value of the hypothesis that the difference is as large as the margin, in either direction."""
        return max(self.p_not_below, self.p_not_above)


def mean_within_margin(difference: float, error: float, degrees: float, margin: float) -> WithinMargin:
    """Two one-sided t tests (TOST) of a difference of means, from its standard error and degrees of freedom.

        t_below = (difference + margin) / error        t_above = (margin - difference) / error

    p_not_below = P(T >= t_below), p_not_above = P(T >= t_above). Both are rejected at 0.05 exactly where the 90 %
    interval of the difference lies within the margin. A test of difference that is not significant does not show
    this: there may be too few items. The margin has to be declared before anything is known, or it can be made to fit.

    Reference: Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and the power approach for
    assessing the equivalence of average bioavailability. Journal of Pharmacokinetics and Biopharmaceutics 15.
    Lakens, D. (2017). Equivalence tests. Social Psychological and Personality Science 8.

    Example:
        >>> found = mean_within_margin(0.05, 0.1, 99, margin=0.3)
        >>> round(found.p_not_below, 4), round(found.p_not_above, 4), round(found.p, 4)
        (0.0003, 0.007, 0.007)
    """
    return WithinMargin(margin, *(_above(t, degrees) for t in _distances(difference, error, margin)))


def net_within_margin(net: float, cases: float, margin: float) -> WithinMargin:
    """Two one-sided tests of a net win rate (W - L) / n: score tests of the share s = (1 + net) / 2 of `cases`.

        z_below = (s - s_0) / sqrt(s_0 (1 - s_0) / cases), s_0 = (1 - margin) / 2, and likewise above

    Both are rejected where Wilson's 90 % interval lies within the margin. `cases` is how many independent ones the
    judgments are worth, as in `wilson_of_units`.

    Reference: Schuirmann, D. J. (1987), as above. Wilson, E. B. (1927). Journal of the American Statistical
    Association 22.

    Example:
        >>> round(net_within_margin(0.02, 200, margin=0.2).p, 4)
        0.0047
    """
    share, normal = (1 + net) / 2, NormalDist()
    found = []
    for bound, sign in (((1 - margin) / 2, 1), ((1 + margin) / 2, -1)):
        z = sign * (share - bound) / math.sqrt(bound * (1 - bound) / cases)
        found.append(normal.cdf(-z))
    return WithinMargin(margin, *found)


def _distances(difference: float, error: float, margin: float) -> tuple[float, float]:
    return (difference + margin) / error, (margin - difference) / error


def _above(t: float, degrees: float) -> float:
    """P(T >= t) of Student's t."""
    half = f_exceeded(t * t, 1, degrees) / 2
    return half if t >= 0 else 1 - half
