"""A judgment knows what it is: whether it counts, and what it is about."""

from dataclasses import replace

import pytest

from assay.model import Slot
from tests.report.test_report import judgment

ONE = judgment("i1", "ana", 4)
LEFT_OUT: list[dict[str, object]] = [
    {"source": "practice"},
    {"control": True},
    {"surplus": True},
    {"withdrawn": True},
    {"superseded": True},
]


@pytest.mark.parametrize("why", LEFT_OUT, ids=lambda why: next(iter(why)))
def test_what_is_left_out_for_any_reason_does_not_count(why: dict[str, object]) -> None:
    assert not replace(ONE, **why).counts  # type: ignore[arg-type]


@pytest.mark.parametrize("more", [{}, {"source": "imported"}, {"source": "sheet"}, {"judge": True}, {"pass_": 2}])
def test_a_judgment_counts_whoever_gave_it_and_however_it_came(more: dict[str, object]) -> None:
    assert replace(ONE, **more).counts  # type: ignore[arg-type]


def test_a_change_is_still_a_judgment_of_the_study() -> None:
    assert replace(ONE, superseded=True).is_of_study
    assert not replace(ONE, withdrawn=True).is_of_study


PAIR = replace(ONE, systems=("x", "y"), system="")


def test_a_judgment_about_one_candidate_says_which_whether_or_not_there_was_a_side() -> None:
    of_y = replace(PAIR, system="y")
    for each in (of_y, replace(of_y, side="left", left="y")):
        assert (each.candidate, each.role, each.slot, each.key) == ("y", "b", Slot("emotion", "b"), "emotion.b")
        assert each.unit == "i1/y"
        assert each.target == ("i1", "emotion", "y", "")


def test_a_judgment_about_an_item_or_a_whole_pair_has_no_candidate() -> None:
    for each in (ONE, PAIR):
        assert (each.candidate, each.role, each.key, each.unit) == ("", "", "emotion", "i1")
    entry = replace(ONE, entry="e1")
    assert (entry.key, entry.unit, entry.target) == ("emotion.e1", "i1/e1", ("i1", "emotion", "", "e1"))


def test_a_choice_is_a_candidate_and_any_other_value_is_itself() -> None:
    assert [replace(PAIR, value=value).choice for value in ("x", "y", "tie", 3, ["x"], None)] == [
        "a",
        "b",
        "tie",
        3,
        ["x"],
        None,
    ]
    assert replace(ONE, value="m").choice == "m", "one system alone is no candidate"
