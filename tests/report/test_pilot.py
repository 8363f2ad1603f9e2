"""What a pilot has to show before the main part opens: without data nothing is passed."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.model import Coefficient
from assay.report.data import Data
from assay.report.pilot_verdict import (
    GO,
    NO_DATA,
    REVISE,
    REWRITE,
    WORST_FIRST,
    PilotDimension,
    PilotOutcome,
    _verdict,
    pilot_outcome,
)
from assay.study.analysis import PilotSettings
from tests.report.test_report import STUDY, judgment

DIMENSIONS = ("emotion", "validation", "helpfulness", "safety")


NOTHING = Coefficient("cohen_kappa_linear", None, None, "", 0, 0, 0, "there are no judgments")


def a_pilot(scores: dict[str, list[tuple[int, int]]], items: int, finished: int) -> PilotOutcome:
    said = [
        judgment(f"i{index}", who, value, dimension)
        for dimension, pairs in scores.items()
        for index, both in enumerate(pairs)
        for who, value in zip(("ana", "ben"), both, strict=True)
    ]
    common = {"systems": {}, "annotators": ["ana", "ben"], "versions": {}, "studies": {}, "made_at": "", "seed": 1}
    return pilot_outcome(Data(study=STUDY, judgments=said, items=items, finished=finished, **common))  # type: ignore[arg-type]


# Of 20 items, 8 agree at 2, 8 at 4, and 4 are one apart. Linear weights: observed disagreement 4/20 of a point; by
# chance (10 twos and 10 fours against 8 twos, 4 threes and 8 fours) one point on average. Kappa is 1 - 0.2 = 0.8.
AGREED = [(2, 2)] * 8 + [(4, 4)] * 8 + [(2, 3)] * 2 + [(4, 3)] * 2
RANDOM = [(a, b) for a, b in product((2, 4), repeat=2)] * 5


def test_a_pilot_worked_out_by_hand() -> None:
    found = a_pilot(dict.fromkeys(DIMENSIONS, AGREED), 20, 20)
    assert [each.coefficient.value for each in found.dimensions] == pytest.approx([0.8] * 4)
    assert (found.verdict, found.passed) == (GO, True)


def test_one_dimension_below_the_line_keeps_the_main_part_closed() -> None:
    found = a_pilot({**dict.fromkeys(DIMENSIONS, AGREED), "safety": RANDOM}, 20, 20)
    assert {each.dimension: each.verdict for each in found.dimensions}["safety"] == REWRITE
    assert (found.verdict, found.passed) == (REWRITE, False)


@pytest.mark.parametrize("scores", [{}, dict.fromkeys(DIMENSIONS[:3], AGREED)], ids=["nothing", "no safety"])
def test_without_data_a_pilot_is_not_passed(scores: dict[str, list[tuple[int, int]]]) -> None:
    """The original said GO with no score filled in."""
    found = a_pilot(scores, 20, 20)
    assert (found.verdict, found.passed) == (NO_DATA, False)
    assert all(each.coefficient.undefined for each in found.dimensions if each.coefficient.value is None)


def test_agreement_that_is_undefined_is_no_data() -> None:
    found = a_pilot({**dict.fromkeys(DIMENSIONS, AGREED), "safety": [(3, 3)] * 20}, 20, 20)
    assert {each.dimension: each.verdict for each in found.dimensions}["safety"] == NO_DATA
    assert not found.passed


def test_an_unfinished_pilot_is_not_passed() -> None:
    found = a_pilot(dict.fromkeys(DIMENSIONS, AGREED), 40, 20)
    assert found.verdict == GO
    assert not found.complete
    assert not found.passed


@pytest.mark.parametrize(
    ("value", "verdict"),
    [(0.4, GO), (0.39, REVISE), (0.25, REVISE), (0.2499, REWRITE), (-1.0, REWRITE), (None, NO_DATA)],
)
def test_the_lines_between_the_verdicts(value: float | None, verdict: str) -> None:
    asked = PilotSettings(items=20, go=0.4, revise=0.25)
    assert _verdict(replace(NOTHING, value=value), asked) == verdict


@given(st.lists(st.sampled_from(WORST_FIRST), max_size=6))
def test_the_worst_dimension_decides(verdicts: list[str]) -> None:
    found = PilotOutcome(1, 1, tuple(PilotDimension("d", NOTHING, verdict) for verdict in verdicts))
    assert found.passed == (bool(verdicts) and set(verdicts) == {GO})
