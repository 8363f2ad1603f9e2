"""Which judgments count: the first pass of what is of the study and in force, of those who are not left out."""

from dataclasses import replace
from typing import Any

import pytest

from assay.judgments.what_counts import by_judges_who_count, by_people_who_count, first_passes, later_passes
from assay.model import IMPORTED, PRACTICE, Judgment

ONE = Judgment(
    **dict.fromkeys(("submission", "item", "system", "group", "annotator", "dimension", "side", "entry"), "x"),
    **dict.fromkeys(("shown_at", "submitted_at"), 0),
    **dict.fromkeys(("study_hash", "consent"), ""),
    systems=("x",),
    value=3,
    pass_=1,
    revision=1,
    active_ms=None,
)


@pytest.mark.parametrize(
    "why_not",
    [
        {"source": PRACTICE},
        {"control": True},
        {"surplus": True},
        {"withdrawn": True},
        {"superseded": True},
    ],
    ids=lambda each: next(iter(each)),
)
def test_what_is_not_of_the_study_or_not_in_force_counts_on_no_pass(why_not: dict[str, Any]) -> None:
    again = replace(ONE, pass_=2)
    left_out = [replace(ONE, **why_not), replace(again, **why_not)]
    assert first_passes([ONE, again, *left_out]) == [ONE]
    assert later_passes([ONE, again, *left_out]) == [again]


def test_every_pass_after_the_first_is_a_later_one_and_what_came_from_a_file_counts_too() -> None:
    third, from_file = replace(ONE, pass_=3), replace(ONE, source=IMPORTED)
    assert later_passes([ONE, third, from_file]) == [third]
    assert first_passes([ONE, third, from_file]) == [ONE, from_file]


def test_people_and_automated_judges_are_kept_apart_and_whoever_is_left_out_is_in_neither() -> None:
    judge, other = replace(ONE, annotator="m", judge=True), replace(ONE, annotator="y")
    everything = [ONE, judge, other]
    assert by_people_who_count(everything, ()) == [ONE, other]
    assert by_people_who_count(everything, {"x"}) == [other]
    assert by_judges_who_count(everything, {"x"}) == [judge]
    assert by_judges_who_count(everything, {"m"}) == []
