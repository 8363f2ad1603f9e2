"""Where agreement is least, and whether it reaches the least that the study asks for: met, not met or undecided.

Tiles, figures, sections and page one of a report ask here, so that they name the same topic and count the same ones.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal, Protocol, TypeVar

from assay.in_words import count
from assay.report.data import TOO_FEW

LineDecision = Literal["met", "not met", "undecided"]
DECISIONS: tuple[LineDecision, ...] = ("met", "not met", "undecided")


def against_line(ci: tuple[float, float] | None, at_least: float) -> LineDecision:
    """Whether the whole interval lies on one side of the line: met or not met; undecided where it contains the line.

    >>> against_line((0.41, 0.68), 0.4), against_line((0.1, 0.3), 0.4), against_line((0.3, 0.5), 0.4)
    ('met', 'not met', 'undecided')
    >>> against_line(None, 0.4)
    'undecided'
    """
    if ci is None or ci[0] < at_least <= ci[1]:
        return "undecided"
    return "met" if ci[0] >= at_least else "not met"


def line_in_words(ci: tuple[float, float] | None, at_least: float) -> str:
    """The decision of `against_line` in words, with the reason where it is undecided.

    >>> line_in_words((0.3, 0.5), 0.4), line_in_words(None, 0.4)
    ('undecided, the interval contains it', 'undecided, there is no interval')
    """
    found = against_line(ci, at_least)
    if found != "undecided":
        return found
    return "undecided, there is no interval" if ci is None else "undecided, the interval contains it"


class OneAgreement(Protocol):
    """How far people agree on one topic, wherever that is shown."""

    @property
    def value(self) -> float | None: ...
    @property
    def ci(self) -> tuple[float, float] | None: ...
    @property
    def n(self) -> int: ...
    @property
    def undecided(self) -> str | None: ...


Found = TypeVar("Found", bound=OneAgreement)


def that_are_compared(found: Sequence[Found]) -> list[Found]:
    """The topics among which the least and the most are looked for: of enough units, by the study's own coefficient.

    Where none has enough units, all with a value; where none has the study's coefficient, those with another.
    """
    known = [each for each in found if each.value is not None]
    enough = [each for each in known if each.n >= TOO_FEW] or known
    return [each for each in enough if not each.undecided] or enough


def least_agreement(found: Sequence[Found]) -> Found | None:
    """The topic with the least agreement; None where no value is known. Of equal ones the first."""
    return min(that_are_compared(found), key=lambda each: each.value or 0.0, default=None)


def decision_on(found: OneAgreement, at_least: float) -> LineDecision:
    """Whether a topic meets the study's line: by the study's own coefficient, else it is undecided."""
    return "undecided" if found.undecided else against_line(found.ci, at_least)


def decisions_in_words(found: Sequence[OneAgreement], at_least: float) -> str:
    """How many of all topics meet the study's line, how many do not, and of how many it is undecided."""
    decided = Counter(decision_on(each, at_least) for each in found)
    return ", ".join(f"{count(decided[word])} {word}" for word in DECISIONS if decided[word])
