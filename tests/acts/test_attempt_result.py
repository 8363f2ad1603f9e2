"""Whether an attempt is passed: by the gate's rule, on every dimension that it counts, and never without data."""

from typing import Any

import pytest

from assay.acts.attempt_result import decide_attempt
from assay.gates import Gate
from assay.gates.calibration import Calibration
from assay.gates.practice import Practice
from assay.store.annotator.attempts import ComparedItem
from tests.judgments.studies import SHOWN, a_study, scale

STUDY = a_study(scale("warmth"), {"dimension": "language", "choice": {"german": "German", "english": "English"}})
PRACTICE = Practice.model_validate({"items": "known.csv"})


def calibration(**rule: Any) -> Calibration:
    return Calibration.model_validate({"items": "known.csv", "pass_": rule})


def item(warmth: int | None, reference: int = 3) -> ComparedItem:
    own = {} if warmth is None else {"warmth": warmth}
    return ComparedItem(1, SHOWN, None, own, {"warmth": reference}, "")


def decided(gate: Gate, *items: ComparedItem, planned: int | None = None) -> tuple[bool, list[Any]]:
    passed, kept = decide_attempt(STUDY, gate, list(items), len(items) if planned is None else planned)
    assert kept["judged"] == len(items)
    return passed, [each["passed"] for each in kept["dimensions"]]


def test_practice_is_passed_by_having_judged_and_any_difference_is_said() -> None:
    assert decided(PRACTICE, item(5), item(3)) == (True, [True])
    assert decided(PRACTICE) == (False, [])
    _, kept = decide_attempt(STUDY, PRACTICE, [item(4), item(3), item(None)], 4)
    assert kept["dimensions"] == [
        {
            "dimension": "warmth",
            "compared": 2,
            "same": 1,
            "within_one": 2,
            "mean": 0.5,
            "far": 1,
            "missing": 2,
            "passed": True,
        }
    ]


@pytest.mark.parametrize(
    ("answers", "planned", "passed"),
    [
        ([3, 4, 2], 3, True),
        ([3, 4, 5], 3, True),
        ([3, 5, 5], 3, False),
        ([3, 4, None], 3, True),
        ([3, 5, None], 3, False),
        ([3, 4], 3, True),
        ([3, 4], 4, False),
        ([None, None], 2, False),
        ([4], 1, True),
        ([None], 1, False),
        ([], 3, False),
    ],
)
def test_a_difference_beyond_the_rule_and_a_missing_answer_may_happen_as_often_as_it_says(
    answers: list[int | None], planned: int, passed: bool
) -> None:
    gate = calibration(max_difference=1, except_=1)
    assert decided(gate, *map(item, answers), planned=planned)[0] == passed


def test_agreement_that_is_just_reached_is_enough_and_what_the_coefficient_does_not_fit_is_not_counted() -> None:
    half = [item(3), item(3), item(4), item(4)]
    exactly = calibration(at_least=0.5, coefficient="percent_agreement")
    assert decided(exactly, *half) == (True, [True])
    assert decided(calibration(at_least=0.51, coefficient="percent_agreement"), *half) == (False, [False])
    words = ComparedItem(1, SHOWN, None, {"language": "german"}, {"language": "german"}, "")
    by_order = calibration(at_least=0.5, coefficient="within_one_agreement")
    assert decided(by_order, item(3), item(4), words) == (True, [True, None])
    assert decided(by_order, words, words) == (False, [None]), "nothing is left to count"


def test_agreement_needs_answers_and_a_coefficient_that_is_defined() -> None:
    kappa = calibration(at_least=-1, coefficient="cohen_kappa")
    assert decided(kappa, item(3), item(3)) == (False, [False]), "all alike"
    assert decided(kappa, item(None)) == (False, [False])
    assert decided(kappa, item(3), item(2, 2)) == (True, [True])
    _, kept = decide_attempt(STUDY, kappa, [item(3), item(2, 2)], 2)
    assert kept["dimensions"][0]["agreement"] == 1.0
    assert decided(kappa, item(3), item(2, 2), planned=3) == (False, [False]), "one is missing"
