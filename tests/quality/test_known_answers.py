"""Monitors that set a judgment against a known answer: controls, practice, second passes, the same thing twice."""

from dataclasses import replace
from typing import Any

import pytest

from assay.model import CANDIDATES, Fact, Judgment
from assay.quality.calibration_bias import CalibrationBiasMonitor
from assay.quality.duplicates import DuplicatesMonitor
from assay.quality.failed_controls import FailedControlsMonitor
from assay.quality.identical_candidates import IdenticalCandidatesMonitor
from assay.quality.near_identical import NearIdenticalMonitor, similar_items
from tests.quality.judged import EMPATHY, PAIRS, flags, given, of_pair
from tests.report.test_report import judgment

# Controls

KNOWN = {f"i{at}": Fact(expected={"emotion": 4}) for at in range(1, 5)}


def controls(who: str, values: list[object], **more: Any) -> list[Judgment]:
    return given(who, values, **{"control": True, **more})


def test_whoever_misses_known_answers_is_flagged_with_the_controls_that_show_it() -> None:
    found = flags(FailedControlsMonitor(), controls("click", [4, 1, 2, 4]) + controls("careful", [4, 4, 4, 4]), KNOWN)
    assert set(found) == {"click"}
    assert found["click"].reason == "2 of 4 controls were not answered as known"
    assert found["click"].items == ("i2", "i3")
    assert found["click"].evidence == {"failed": 2, "n": 4, "share": 0.5, "low": 0.15, "high": 0.85}


def test_the_share_has_to_be_exceeded() -> None:
    assert flags(FailedControlsMonitor(share=0.25), controls("ana", [4, 4, 4, 1]), KNOWN) == {}
    assert set(flags(FailedControlsMonitor(share=0.24), controls("ana", [4, 4, 4, 1]), KNOWN)) == {"ana"}


def test_below_the_least_number_of_controls_only_a_count_speaks() -> None:
    assert flags(FailedControlsMonitor(), controls("ana", [1, 1]), KNOWN) == {}
    assert set(flags(FailedControlsMonitor(count=2), controls("ana", [1, 1]), KNOWN)) == {"ana"}
    assert flags(FailedControlsMonitor(count=3), controls("ana", [1, 1]), KNOWN) == {}


@pytest.mark.parametrize(("value", "tolerance", "met"), [(3, 0, False), (3, 1, True), (5, 1, True), (2, 1, False)])
def test_a_number_may_lie_as_far_off_as_the_tolerance_says(value: int, tolerance: float, met: bool) -> None:
    found = flags(FailedControlsMonitor(count=1, tolerance=tolerance), controls("ana", [value]), KNOWN)
    assert (found == {}) == met


def test_ordinary_items_and_questions_without_a_known_answer_do_not_count() -> None:
    assert flags(FailedControlsMonitor(count=1), controls("ana", [1], control=False), KNOWN) == {}
    assert flags(FailedControlsMonitor(count=1), controls("ana", [1], dimension="safety"), KNOWN) == {}


def test_a_control_is_failed_once_however_many_of_its_answers_are_missed() -> None:
    known = {"i1": Fact(expected={"emotion": 4, "safety": 5})}
    both = controls("ana", [1]) + controls("ana", [5], dimension="safety")
    assert flags(FailedControlsMonitor(count=1), both, known)["ana"].evidence["failed"] == 1


@pytest.mark.parametrize("expected", ["a", "x"])
@pytest.mark.parametrize(("said", "met"), [("x", True), ("y", False), ("tie", False)])
def test_a_known_preference_is_a_candidate_wherever_it_stood(expected: str, said: str, met: bool) -> None:
    items = {"i1": Fact(expected={"preference": expected})}
    found = flags(
        FailedControlsMonitor(count=1), [of_pair("i1", "ana", "preference", said, control=True)], items, PAIRS
    )
    assert (found == {}) == met


def test_the_sides_of_a_control_are_told_apart_by_their_candidates() -> None:
    items = {"i1": Fact(expected={"coherence.a": 5, "coherence.b": 1})}
    right = [of_pair("i1", "ana", "coherence", 5, "left"), of_pair("i1", "ana", "coherence", 1, "right")]
    wrong = [of_pair("i1", "bo", "coherence", 1, "left"), of_pair("i1", "bo", "coherence", 5, "right")]
    marked = [replace(each, control=True) for each in right + wrong]
    assert set(flags(FailedControlsMonitor(count=1), marked, items, PAIRS)) == {"bo"}


# Practice

PRACTICE = {f"i{at}": Fact(expected={"emotion": 3, "safety": 3}) for at in range(1, 7)}


def test_practice_above_the_known_values_is_flagged_with_its_interval() -> None:
    # Differences 1 1 1 0 1 0: mean 2/3, standard deviation 0.516, t(5) = 2.571: 0.67 +- 0.54.
    practice = given("high", [4, 4, 4, 3, 4, 3]) + given("careful", [3, 4, 2, 3, 3, 3])
    found = flags(CalibrationBiasMonitor(), [], PRACTICE, practice=practice)
    assert set(found) == {"high"}
    assert found["high"].evidence == {
        "emotion.difference": 0.6667,
        "emotion.low": 0.1247,
        "emotion.high": 1.2086,
        "emotion.n": 6,
    }
    assert found["high"].reason == (
        "Emotion recognition was rated 0.67 points above the known values of 6 items for practice (0.12 to 1.21)"
    )
    assert found["high"].items == ("i1", "i2", "i3", "i5")


def test_practice_is_judged_by_points_or_by_the_share_of_the_scale_and_needs_enough_items() -> None:
    low = given("low", [2, 2, 2, 3, 2, 3])
    assert "below" in flags(CalibrationBiasMonitor(points=0.66), [], PRACTICE, practice=low)["low"].reason
    assert flags(CalibrationBiasMonitor(points=0.67), [], PRACTICE, practice=low) == {}
    assert flags(CalibrationBiasMonitor(share=0.17), [], PRACTICE, practice=low) == {}
    assert flags(CalibrationBiasMonitor(at_least=7), [], PRACTICE, practice=low) == {}


# Second passes


def twice(who: str, first: list[object], second: list[object], dimension: str = "emotion") -> list[Judgment]:
    again = given(who, second, dimension, pass_=2, submission="again")
    return given(who, first, dimension) + again


def test_second_judgments_that_differ_by_more_than_the_tolerance_are_flagged_by_dimension() -> None:
    judgments = twice("wavering", [1] * 10, [3] * 6 + [2] * 4) + twice("careful", [1] * 10, [2] * 10)
    found = flags(DuplicatesMonitor(), judgments)
    assert set(found) == {"wavering"}
    assert (
        found["wavering"].reason == "Emotion recognition: 6 of 10 second judgments differ from the first by more than 1"
    )
    # Wilson's interval of 6 of 10.
    assert found["wavering"].evidence == {
        "emotion.differ": 6,
        "emotion.n": 10,
        "emotion.share": 0.6,
        "emotion.low": 0.3127,
        "emotion.high": 0.8318,
        "emotion.others": 0.0,
    }
    assert found["wavering"].items == tuple(f"i{at}" for at in range(1, 7))


def test_findings_on_two_dimensions_make_one_flag_that_names_each_item_once() -> None:
    both = [each for name in ("emotion", "safety") for each in twice("ana", [1] * 10, [3] * 6 + [1] * 4, name)]
    flag = flags(DuplicatesMonitor(), both)["ana"]
    assert flag.items == tuple(f"i{at}" for at in range(1, 7))
    assert (flag.evidence["emotion.differ"], flag.evidence["safety.differ"]) == (6, 6)
    assert flag.reason.count("; ") == 1


def test_the_interval_has_to_lie_above_the_share_and_the_tolerance_is_still_the_same() -> None:
    five = twice("ana", [1] * 10, [3] * 5 + [1] * 5)
    assert flags(DuplicatesMonitor(), five) == {}, "the interval of 5 of 10 begins at 0.24"
    assert set(flags(DuplicatesMonitor(share=0.23), five)) == {"ana"}
    assert flags(DuplicatesMonitor(share=0.23, tolerance=2), five) == {}
    assert flags(DuplicatesMonitor(share=0.23, at_least=11), five) == {}


def test_where_everybody_wavers_nobody_is_flagged() -> None:
    judgments = [each for who in ("ana", "bo", "cy") for each in twice(who, [1] * 10, [3] * 6 + [1] * 4)]
    assert flags(DuplicatesMonitor(), judgments) == {}


def test_of_values_without_an_order_any_other_one_differs() -> None:
    judgments = [of_pair(f"i{at}", "ana", "preference", "x", submission="1") for at in range(8)]
    judgments += [of_pair(f"i{at}", "ana", "preference", "y", submission="2", pass_=2) for at in range(8)]
    assert flags(DuplicatesMonitor(), judgments, study=PAIRS)["ana"].reason == (
        "Preference: 8 of 8 second judgments differ from the first"
    )


def test_second_passes_of_controls_and_of_notes_do_not_count() -> None:
    assert flags(DuplicatesMonitor(), twice("ana", ["a"] * 9, ["b"] * 9, "note")) == {}
    marked = given("ana", [1] * 9, control=True) + given("ana", [5] * 9, control=True, pass_=2)
    assert flags(DuplicatesMonitor(), marked) == {}


# The same thing twice


def pair(first: str, second: str) -> Fact:
    return Fact(shown={CANDIDATES: [{"answer": first}, {"answer": second}]})


def test_identical_candidates_that_are_told_apart_are_flagged() -> None:
    items = {"i1": pair("four", "four"), "i2": pair("four", "four"), "i3": pair("four", "five")}
    judgments = [of_pair("i1", "chooser", "preference", "x"), of_pair("i3", "chooser", "preference", "y")]
    judgments += [of_pair("i1", "scorer", "coherence", 3, "left"), of_pair("i1", "scorer", "coherence", 4, "right")]
    judgments += [of_pair("i1", "careful", "preference", "tie"), of_pair("i3", "careful", "preference", "x")]
    judgments += [of_pair("i2", "careful", "coherence", 3, side) for side in ("left", "right")]
    found = flags(IdenticalCandidatesMonitor(), judgments, items, PAIRS)
    assert set(found) == {"chooser", "scorer"}
    assert found["chooser"].items == ("i1",)
    assert found["chooser"].reason == "on 1 of 1 items with two identical candidates they were told apart"
    assert found["chooser"].evidence["told_apart"] == 1


def test_identical_candidates_count_from_a_share_and_a_number_on() -> None:
    items = {f"i{at}": pair("four", "four") for at in range(4)}
    judgments = [of_pair(f"i{at}", "ana", "preference", "x" if at == 0 else "tie") for at in range(4)]
    assert flags(IdenticalCandidatesMonitor(), judgments, items, PAIRS) == {}
    assert set(flags(IdenticalCandidatesMonitor(share=0.2), judgments, items, PAIRS)) == {"ana"}
    assert flags(IdenticalCandidatesMonitor(share=0.2, at_least=5), judgments, items, PAIRS) == {}


def text(number: int, last: str = "end") -> str:
    return " ".join(f"word{number}-{at}" for at in range(40)) + " " + last


ALIKE = {f"i{at}": Fact(shown={"reply": text((at + 1) // 2, "end" if at % 2 else "close")}) for at in range(1, 9)}


def test_nearly_identical_items_that_are_judged_differently_are_flagged() -> None:
    found = flags(
        NearIdenticalMonitor(), given("moody", [1, 5, 1, 5, 2, 2, 1, 4]) + given("careful", [1, 2] * 4), ALIKE
    )
    assert set(found) == {"moody"}
    assert found["moody"].reason == "3 of 4 judgments of 4 pairs of nearly identical items differ"
    assert found["moody"].items == ("i1", "i2", "i3", "i4", "i7", "i8")
    assert found["moody"].evidence["pairs"] == 4


def test_nearly_identical_items_need_enough_pairs_and_a_share() -> None:
    judgments = given("ana", [1, 5, 1, 5, 2, 2, 1, 1])
    assert set(flags(NearIdenticalMonitor(share=0.49), judgments, ALIKE)) == {"ana"}
    assert flags(NearIdenticalMonitor(share=0.5), judgments, ALIKE) == {}
    assert flags(NearIdenticalMonitor(share=0.49, at_least=5), judgments, ALIKE) == {}
    assert flags(NearIdenticalMonitor(share=0.49, tolerance=4), judgments, ALIKE) == {}
    assert flags(NearIdenticalMonitor(share=0.49, similarity=1), judgments, ALIKE) == {}


def test_a_long_question_that_two_replies_share_does_not_make_them_nearly_identical() -> None:
    replies = {name: Fact(shown={"asked": text(1) * 9, "reply": f"{name} is a reply"}) for name in ("one", "two")}
    assert similar_items(replies, 0.9) == []
    same = {name: Fact(shown={"asked": text(1) * 9, "reply": "the same reply"}) for name in ("one", "two")}
    assert similar_items(same, 0.9) == [("one", "two")]


def test_controls_are_not_compared_with_what_they_resemble() -> None:
    items = {"i1": Fact(shown={"reply": text(1)}), "i2": Fact(shown={"reply": text(1)}, expected={"emotion": 1})}
    assert similar_items(items, 0.9) == []


def test_nothing_known_is_nothing_found() -> None:
    work = [judgment("i1", "ana", 3)]
    for monitor in (
        FailedControlsMonitor(),
        CalibrationBiasMonitor(),
        DuplicatesMonitor(),
        IdenticalCandidatesMonitor(),
        NearIdenticalMonitor(),
    ):
        assert flags(monitor, work, {}, EMPATHY) == {}


def test_where_there_are_no_others_nothing_is_said_of_them() -> None:
    alone = flags(DuplicatesMonitor(), twice("wavering", [1] * 10, [3] * 10))
    assert "emotion.others" not in alone["wavering"].evidence
