"""Which judgments count: what the report, comparisons and agreement are made from. The others stay in the data.

Three things decide. A judgment says for itself whether it is of the study and in force (`Judgment.is_of_study` and
`Judgment.counts` in `model.py`: no practice, no control, not surplus, not withdrawn, not changed since). Here the
choice among those is made: the first pass, and only of those who are not left out. `report/data.py` then leaves out
what was given on another scale (`judgments/same_scale.py`).

Live agreement makes the same choice in SQL, without reading every judgment:
`store/coordinator/pattern_counts.py: _that_count`; a test compares the two on every template.
"""

from collections.abc import Collection, Iterable

from assay.judgments.canonical_order import of_submissions
from assay.model import Judgment


def first_passes(judgments: Iterable[Judgment]) -> list[Judgment]:
    """What counts of the first pass of each item."""
    return of_submissions(judgments, lambda each: each.pass_ == 1 and each.counts)


def later_passes(judgments: Iterable[Judgment]) -> list[Judgment]:
    """What counts of the passes after the first: the same item again."""
    return of_submissions(judgments, lambda each: each.pass_ > 1 and each.counts)


def which_run_counts(judge: str, runs: int) -> str:
    """A note on which run of an automated judge counts, where it was run several times on an item."""
    several = f"up to {runs} runs of an item" if runs > 2 else "two runs"
    return f"{judge}: {several}; the first counts"


def by_people_who_count(judgments: Iterable[Judgment], excluded: Collection[str]) -> list[Judgment]:
    """Those of people who are not left out of the report."""
    return of_submissions(judgments, lambda each: not each.judge and each.annotator not in excluded)


def by_judges_who_count(judgments: Iterable[Judgment], excluded: Collection[str]) -> list[Judgment]:
    """Those of automated judges that are not left out of the report."""
    return of_submissions(judgments, lambda each: each.judge and each.annotator not in excluded)
