"""What a scenario of `tools/coverage.py` is, and the share of studies in which something happened."""

import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Scenario:
    """Studies of one kind, and what may happen in them."""

    name: str
    words: str
    one: Callable[[int], bool | float | None]
    """One study from a seed: whether it happened; None where the program declines to answer."""
    least: float = 0.0
    most: float = 1.0
    is_mean: bool = False
    """Whether `one` gives a number whose mean over studies is wanted, in the place of a share."""

    @property
    def wanted(self) -> str:
        """What the share may be, in words."""
        return f"{self.least:g} to {self.most:g}" if self.least else f"at most {self.most:g}"


@dataclass(frozen=True)
class Share:
    """In what share of studies something happened."""

    scenario: Scenario
    studies: int
    happened: float
    declined: int

    @property
    def value(self) -> float:
        """Of those studies that gave an answer; what is declined has found nothing."""
        answered = self.studies - (self.declined if self.scenario.least or self.scenario.is_mean else 0)
        return self.happened / max(1, answered)

    @property
    def good(self) -> bool:
        """Whether it is what is wanted, as far as so many studies can tell: within 2.6 standard errors (99 %)."""
        if self.scenario.is_mean:
            return self.scenario.least <= self.value <= self.scenario.most
        ends = [(self.scenario.least, -1), (self.scenario.most, 1)]
        slack = [sign * 2.6 * math.sqrt(end * (1 - end) / max(1, self.studies)) for end, sign in ends]
        return self.scenario.least + slack[0] <= self.value <= self.scenario.most + slack[1]

    @property
    def error(self) -> float:
        """2.6 standard errors of the share: how far chance takes it from what it is in truth (99 %)."""
        return 2.6 * math.sqrt(self.value * (1 - self.value) / max(1, self.studies))

    @property
    def surely_good(self) -> bool:
        """Whether so many studies show that it is what is wanted: with all of its error."""
        return self.scenario.least <= self.value - self.error and self.value + self.error <= self.scenario.most


def share_of(scenario: Scenario, studies: int, first: int = 0) -> Share:
    """Draw so many studies."""
    found = [scenario.one(first + seed) for seed in range(studies)]
    return Share(scenario, studies, sum(float(each or 0) for each in found), sum(each is None for each in found))


def holds(ci: tuple[float, float] | None, truth: float) -> bool | None:
    return None if ci is None else bool(ci[0] - 1e-12 <= truth <= ci[1] + 1e-12)
