"""Whether a difference as large as a declared margin is ruled out: equivalence and non-inferiority."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assay.model import LEAST_P, Estimate
from assay.report.charts import number
from assay.report.data import TOO_FEW
from assay.report.shown_differences import is_shown
from assay.report.system_comparison import correct_p_values
from assay.report.wording import CORRECTIONS, p_in_words
from assay.statistics.comparison.any_time import p_at_any_time
from assay.statistics.comparison.beyond_panel import BeyondPanel
from assay.statistics.comparison.equivalence import WithinMargin, mean_within_margin, net_within_margin
from assay.study.analysis import ComparisonSettings
from assay.study.stopping import NON_INFERIORITY

SHOWN, UNDECIDED = "shown", "undecided"


@dataclass(frozen=True, slots=True)
class MarginTest:
    """Whether two systems lie within the margin that the study declares."""

    show: str
    """What is to be shown: equivalence, or non-inferiority of the first."""
    margin: float
    unit: str
    p: float | None
    p_corrected: float | None
    decision: str
    """shown, or undecided: that a difference matters is another question, which the test of a difference answers."""
    why: str
    """Why no test is made; empty where one is."""

    def claim(self, first: str, second: str) -> str:
        """What is to be shown of two systems, in words."""
        size = f"{number(self.margin)} {self.unit}".strip()
        if self.show == NON_INFERIORITY:
            return f"{first} is not worse than {second} by {size} or more"
        return f"no difference as large as {size}"

    def in_words(self, first: str, second: str, correction: str, tests: int) -> str:
        """The decision in a sentence that stands behind a difference."""
        claim = self.claim(first, second)
        if self.decision == UNDECIDED:
            why = f" ({self.why})" if self.why else ""
            return f"undecided whether {claim.replace('no difference', 'there is a difference')}{why}"
        how = CORRECTIONS[correction]
        corrected = f", {how}, {tests} tests" if how and tests > 1 else ""
        return f"{claim}: shown ({p_in_words(self.p_corrected)}{corrected})"


def margin_of_means(
    asked: ComparisonSettings,
    difference: float | None,
    error: float | None,
    degrees: float,
    n_units: int,
    claimed: Estimate,
    at_any_time: bool = False,
) -> MarginTest | None:
    """Scores of two systems against the margin that the study declares; None where it declares none.

    Where what the study claims (`claimed`) is undefined, so is this, for the same reason.
    """
    if asked.margin is None:
        return None
    found = None
    if error is not None and difference is not None and claimed.value is not None:
        within = at_any_look(difference, error, n_units, asked.margin) if at_any_time else None
        found = within or mean_within_margin(difference, error, degrees, asked.margin)
    return _margin_test(asked, asked.margin, "points", found, n_units, claimed)


def at_any_look(difference: float, error: float, n_units: int, margin: float) -> WithinMargin:
    """Two one-sided tests that hold at every look: each end of the margin by its own p-value."""
    ends = (difference + margin, margin - difference)
    return WithinMargin(margin, *(p_at_any_time(end, error, n_units) if end > 0 else 1.0 for end in ends))


def margin_of_net(
    asked: ComparisonSettings,
    net: float | None,
    cases: float,
    n_units: int,
    claimed: Estimate,
    beyond: BeyondPanel | None = None,
    error: float | None = None,
) -> MarginTest | None:
    """A net win rate against the margin: over items, for annotators like these, or (with `error`) at any look."""
    if asked.margin_net is None:
        return None
    found = None
    if net is not None and claimed.value is not None:
        if error is not None:
            found = at_any_look(net, error, n_units, asked.margin_net) if error > 0 else None
        elif beyond is not None:
            known = beyond.error is not None
            found = mean_within_margin(net, beyond.error or 0.0, beyond.degrees, asked.margin_net) if known else None
        elif cases:
            found = net_within_margin(net, cases, asked.margin_net)
    return _margin_test(asked, asked.margin_net, "of the net win rate", found, n_units, claimed)


def _margin_test(
    asked: ComparisonSettings, margin: float, unit: str, found: WithinMargin | None, n_units: int, claimed: Estimate
) -> MarginTest:
    show = asked.shows_by_margin
    if n_units < TOO_FEW:
        return MarginTest(show, margin, unit, None, None, UNDECIDED, f"fewer than {TOO_FEW}: no test is made")
    if found is None:
        why = claimed.undefined or "all differences are equal, which tells no error"
        return MarginTest(show, margin, unit, None, None, UNDECIDED, why)
    p = max(LEAST_P, found.p_not_below if show == NON_INFERIORITY else found.p)
    return MarginTest(show, margin, unit, p, None, UNDECIDED, "")


def correct_margins(found: Sequence[MarginTest | None], correction: str) -> tuple[list[MarginTest | None], int]:
    """The tests of margins with corrected p-values and decisions; and how many tests there are.

    They are corrected apart from the tests of differences: only one of the two null hypotheses can be true.
    """
    p = [each.p if each else None for each in found]
    corrected = correct_p_values(p, correction)
    decided = [
        None if each is None else replace(each, p_corrected=p, decision=SHOWN if is_shown(p) else UNDECIDED)
        for each, p in zip(found, corrected, strict=True)
    ]
    return decided, sum(each is not None for each in p)
