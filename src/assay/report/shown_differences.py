"""Whether a difference is shown, not shown or undecided: the one rule for everything that a report tests."""

from collections.abc import Sequence

from assay.model import Estimate
from assay.report.data import TOO_FEW
from assay.report.wording import p_in_words

SHOWN_BELOW = 0.05
"""Up to this corrected p-value a test shows a difference."""


def is_shown(p_corrected: float | None) -> bool:
    """Whether a test shows what it is made for, after its correction; where no test is made it shows nothing."""
    return p_corrected is not None and p_corrected <= SHOWN_BELOW


def decision(p_corrected: float | None, undecided: str) -> bool | None:
    """Whether a difference is shown; None: no test is made, or the interval beside it says something else."""
    return None if p_corrected is None or undecided else is_shown(p_corrected)


def why_undecided(
    claimed: Estimate,
    p: float | None,
    p_corrected: float | None,
    *,
    tests: Sequence[Estimate],
    called: str,
    n_units: int,
) -> str:
    """Why nothing can be said of a difference, though there are items enough; empty where something can.

    `claimed` is the difference that the study makes a claim about, `called` the name of the test of it.
    """
    if p_corrected is None:
        return _why_no_test(claimed, tests) if n_units >= TOO_FEW else ""
    return _at_odds(claimed, p, p_corrected, called)


def _at_odds(claimed: Estimate, p: float | None, p_corrected: float, test: str) -> str:
    """What test and interval say where the test shows a difference and the interval beside it contains 0; else empty.

    >>> _at_odds(Estimate("net", -0.09, (-0.18, 0.01)), 0.007, 0.022, "sign test")
    'the sign test shows a difference (corrected p = 0.022), the interval contains 0'
    >>> _at_odds(Estimate("net", -0.09, (-0.18, -0.01)), 0.007, 0.022, "sign test")
    ''
    """
    if not is_shown(p_corrected) or claimed.ci is None or not claimed.ci[0] <= 0 <= claimed.ci[1]:
        return ""
    corrected = "" if p == p_corrected else "corrected "
    return f"the {test} shows a difference ({corrected}{p_in_words(p_corrected)}), the interval contains 0"


def _why_no_test(claimed: Estimate, tests: Sequence[Estimate]) -> str:
    """Why there is no test of a number, although there are enough items."""
    undefined = [each.undefined for each in (claimed, *tests) if each.undefined]
    method = claimed.method.removeprefix("no interval: ") if claimed.ci is None else ""
    return next(iter(undefined), None) or method or "no test can be made of it"
