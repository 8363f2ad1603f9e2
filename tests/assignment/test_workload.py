"""How much work a study will be, worked out by hand."""

from collections.abc import Sequence
from typing import Any

import pytest

from assay.assignment.share import Share
from assay.assignment.workload import WorkloadForecast
from assay.study.schema import study_type

QUESTIONS = [{"dimension": name, "scale": {"from_": 1, "to": 5}} for name in ("warmth", "safety", "help")]


def forecast(
    items: int,
    people: int,
    words: int = 238,
    hard: int = 0,
    expect: list[int] | None = None,
    gates: Sequence[dict[str, Any]] = (),
    filled: tuple[int, int] = (0, 0),
    **plan: Any,
) -> WorkloadForecast:
    study = study_type().model_validate(
        {
            "study": "any",
            "title": "",
            "items": {"source": "x.json", "show": [{"text": {"field": "text"}}]},
            "rubric": QUESTIONS,
            "assignment": plan,
            "gates": gates,
            "pace": {"expect": expect} if expect else {},
        }
    )
    share = Share(study, "", items, people, filled_places=filled[0], filled_items=filled[1])
    return WorkloadForecast(share, words, hard)


def test_an_item_takes_its_reading_and_five_seconds_for_each_question() -> None:
    # 119 words at 238 a minute are half a minute, and three questions fifteen seconds.
    assert forecast(40, 2, words=119, per_item=2).seconds == pytest.approx(45)


def test_an_item_takes_as_long_as_the_study_expects_where_it_does() -> None:
    assert forecast(40, 2, words=119, per_item=2, expect=[60, 100]).seconds == 80


def test_practice_comes_before_the_items_as_often_as_in_a_first_attempt() -> None:
    calibration = {"items": "known.csv", "count": 6, "again": 4, "pass_": {"max_difference": 1}}
    found = forecast(40, 2, per_item=2, expect=[60, 60], gates=[{"calibration": calibration}])
    assert (found.practice, found.minutes) == (6, 46)
    quiz = {"questions": [{"ask": "Is longer better?", "options": {"yes": "Yes", "no": "No"}, "answer": "no"}]}
    asked = forecast(40, 2, per_item=2, expect=[60, 60], gates=[{"quiz": quiz}, {"calibration": calibration}])
    assert (asked.practice, asked.minutes) == (6, 46), "a gate without items is none of it"


@pytest.mark.parametrize(("items", "minutes"), [(40, 50), (41, 52), (4, 5)])
def test_a_person_works_for_all_of_their_items_in_minutes_that_are_begun(items: int, minutes: int) -> None:
    # A minute and a quarter for each: 41 take 51 minutes and a quarter.
    assert forecast(items, 2, per_item=2).minutes == minutes


@pytest.mark.parametrize(
    ("people", "plan", "missing"),
    [
        (3, {"per_item": 3}, 0),
        # The third judgment of each of 40 items has nobody to give it.
        (2, {"per_item": 3}, 40),
        (5, {"per_item": 3}, 0),
        # 120 judgments, and four people give 25 each.
        (4, {"per_item": 3, "most_per_annotator": 25}, 20),
        (4, {"per_item": 3, "most_per_annotator": 30}, 0),
        # 30 judgments of ten hard items, and three people take at most eight.
        (3, {"per_item": 3, "exposure": {"field": "topic", "values": ["war"], "at_most": 8}}, 6),
        (4, {"per_item": 3, "exposure": {"field": "topic", "values": ["war"], "at_most": 8}}, 0),
    ],
)
def test_what_will_be_missing_is_what_nobody_is_there_for(people: int, plan: dict[str, Any], missing: int) -> None:
    assert forecast(40, people, hard=10, **plan).shortfall == missing


@pytest.mark.parametrize("cap", [1, 7, 30, 31])
def test_nobody_is_announced_more_than_the_most_that_one_gets_whatever_comes_twice(cap: int) -> None:
    plan = forecast(40, 1, per_item=1, most_per_annotator=cap, duplicates={"count": 5, "distance": 2})
    share = plan.share
    assert share.total <= cap
    assert share.total == share.different_items + share.duplicates
    assert plan.shortfall == 40 - share.different_items, "what comes twice is nobody's first judgment"


def test_without_room_for_them_the_most_is_reached_by_new_items_and_second_ones_together() -> None:
    share = forecast(40, 1, per_item=1, most_per_annotator=30, duplicates={"count": 5, "distance": 2}).share
    assert (share.different_items, share.duplicates, share.total) == (25, 5, 30)


@pytest.mark.parametrize(
    ("filled", "people"),
    [
        ((0, 0), 3),
        # Somebody has judged each of 40 items: 80 judgments are left, and two people can give them.
        ((40, 0), 2),
        # Half of the items are done, the others not begun.
        ((60, 20), 3),
        ((120, 40), 1),
    ],
)
def test_as_few_people_as_can_do_it_are_those_whom_the_items_that_are_left_need(
    filled: tuple[int, int], people: int
) -> None:
    assert forecast(40, 0, per_item=3, filled=filled).share.fewest_people == people


def test_what_others_have_filled_is_shared_by_nobody_and_short_of_nobody() -> None:
    plan = forecast(40, 2, per_item=3, filled=(60, 20))
    assert (plan.judgments, plan.share.places, plan.share.most_items) == (120, 60, 20)
    assert plan.share.different_items == 20, "as many as there are"
    assert plan.shortfall == 20, "the third judgment of 20 items"
    assert forecast(40, 2, per_item=3, filled=(40, 0)).shortfall == 0, "two of three are left for each item"


def test_with_a_fixed_number_of_items_for_each_the_shortfall_is_what_the_people_there_do_not_reach() -> None:
    assert forecast(40, 3, per_item=2, per_annotator=20).shortfall == 20
    assert forecast(40, 4, per_item=2, per_annotator=20).shortfall == 0
