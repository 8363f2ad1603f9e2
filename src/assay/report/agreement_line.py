"""Whether agreement reaches the line that a study draws, as far as an interval lets one say: wherever that is said."""

from typing import Literal

LineDecision = Literal["met", "not met", "undecided"]


def against_line(ci: tuple[float, float] | None, at_least: float) -> LineDecision:
    """A line is met, or not, where the whole interval says so.

    >>> against_line((0.41, 0.68), 0.4), against_line((0.1, 0.3), 0.4), against_line((0.3, 0.5), 0.4)
    ('met', 'not met', 'undecided')
    >>> against_line(None, 0.4)
    'undecided'
    """
    if ci is None or ci[0] < at_least <= ci[1]:
        return "undecided"
    return "met" if ci[0] >= at_least else "not met"


def line_in_words(ci: tuple[float, float] | None, at_least: float) -> str:
    """The same with the reason why it is undecided.

    >>> line_in_words((0.3, 0.5), 0.4), line_in_words(None, 0.4)
    ('undecided, the interval contains it', 'undecided, there is no interval')
    """
    found = against_line(ci, at_least)
    if found != "undecided":
        return found
    return "undecided, there is no interval" if ci is None else "undecided, the interval contains it"
