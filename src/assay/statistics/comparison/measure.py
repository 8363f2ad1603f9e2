"""What a comparison gives: a number with its interval and the way it was made, or the reason why there is none."""

import math
from dataclasses import dataclass

from assay.statistics.wilson import wilson


@dataclass(frozen=True, slots=True)
class Measure:
    """One number of a report. It has a value or says why not, and never both.

    Example:
        >>> Measure("difference", None, undefined="the two systems share no item").undefined
        'the two systems share no item'
    """

    name: str
    value: float | None
    ci: tuple[float, float] | None = None
    """The 95 % interval."""
    n: int = 0
    """How many items, or what else the method names, it rests on."""
    method: str = ""
    """How the interval was made, and what a reader must know of it."""
    p: float | None = None
    """How probable so large a number is where there is nothing to find."""
    undefined: str | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.undefined is None):
            raise ValueError(f"{self.name} must have either a value or the reason why it has none")
        numbers = [each for each in (self.value, self.p, *(self.ci or ())) if each is not None]
        if not all(map(math.isfinite, numbers)):
            raise ValueError(f"{self.name} holds what is not a number, or infinite")


def share(name: str, count: int, n: int, of: str, p: float | None = None, note: str = "") -> Measure:
    """A share with Wilson's interval, undefined where there is nothing that it could be a share of.

    Reference: Wilson, E. B. (1927). Journal of the American Statistical Association 22.

    Example:
        >>> share("wins", 16, 20, of="judgments").ci[0] > 0.58, share("wins", 0, 0, of="judgments").undefined
        (True, 'there are no judgments')
    """
    if n == 0:
        return Measure(name, None, undefined=f"there are no {of}")
    method = f"Wilson's interval of {count} in {n} {of}{note}"
    return Measure(name, count / n, wilson(count, n), n, method, p)
