"""What one annotator is to get, worked out by hand: items, second passes, and where controls come among them."""

from itertools import pairwise
from typing import Any

import pytest

from assay.assignment.share import Share
from assay.study.schema import study_type


def share(items: int, people: int = 1, who: str = "ana", known: int = 0, cells: int = 1, **plan: Any) -> Share:
    data = {
        "study": "any",
        "title": "",
        "items": {"source": "x.json", "group": "g", "show": [{"text": {"field": "text"}}]},
        "rubric": [{"dimension": "warmth", "scale": {"from_": 1, "to": 5}}],
        "assignment": {"per_item": 1, **plan},
    }
    return Share(study_type().model_validate(data), who, items, people, known, cells)


def test_a_block_that_more_people_judge_is_rounded_up_and_needs_more_places() -> None:
    overlap = {"share": 0.25, "per_item": 5}
    found = [share(items, per_item=2, overlap=overlap) for items in (40, 41)]
    assert [(each.block, each.places) for each in found] == [(10, 110), (11, 115)]
    without = share(40, per_item=2)
    assert (without.block, without.places) == (0, 80)


def test_in_a_latin_square_nobody_gets_more_than_the_items_of_one_cell() -> None:
    assert share(10, cells=3, counterbalance=True).most_items == 4
    assert share(10, cells=3).most_items == 10


def test_the_work_is_shared_by_all_who_take_part() -> None:
    assert [share(40, people, per_item=2).different_items for people in (0, 1, 2, 3, 80, 81)] == [40, 40, 40, 27, 1, 1]


@pytest.mark.parametrize(
    ("duplicates", "second"),
    [
        ({"count": 5, "distance": 2}, 5),
        ({"share": 0.1, "distance": 2}, 4),
        ({"count": 5, "distance": 37}, 3),
        ({"count": 5, "distance": 50}, 0),
    ],
)
def test_as_many_come_a_second_time_as_are_asked_for_and_as_the_distance_leaves_room_for(
    duplicates: dict[str, Any], second: int
) -> None:
    found = share(40, duplicates=duplicates)
    assert (found.duplicates, found.total) == (second, 40 + second)


EVERY_FIFTH: dict[str, Any] = {"controls": {"items": "c.csv", "every": [5, 5]}}
DRAWN: dict[str, Any] = {"controls": {"items": "c.csv", "every": [3, 5]}}


def test_of_the_most_that_one_person_gets_second_passes_and_controls_are_a_part() -> None:
    found = share(40, known=9, duplicates={"count": 2, "distance": 3}, most_per_annotator=20, **EVERY_FIFTH)
    assert (found.different_items, found.duplicates, found.control_positions) == (14, 2, (5, 10, 15, 20))
    assert share(40, known=9, most_per_annotator=1, **EVERY_FIFTH).total == 1
    assert share(3, known=9, most_per_annotator=20, **EVERY_FIFTH).different_items == 3
    one_after_another = {"controls": {"items": "c.csv", "every": [1, 1]}}
    assert share(40, known=9, most_per_annotator=5, **one_after_another).different_items == 0, "not even less"


def test_a_fixed_number_of_items_is_everybodys_however_many_take_part() -> None:
    twice = {"count": 2, "distance": 3}
    for people in (1, 3, 50):
        found = share(40, people, known=9, duplicates=twice, per_annotator=20, **EVERY_FIFTH)
        assert (found.different_items, found.total) == (14, 20)
    assert share(8, 9, per_annotator=20).total == 8, "no more than there are"


@pytest.mark.parametrize(("items", "places"), [(3, ()), (4, (5,)), (8, (5, 10)), (40, (5, 10, 15))])
def test_controls_come_among_the_items_and_never_after_the_last_by_more_than_themselves(
    items: int, places: tuple[int, ...]
) -> None:
    found = share(items, known=3, **EVERY_FIFTH)
    assert (found.control_positions, found.total) == (places, items + len(places))


def test_controls_come_at_every_distance_that_the_study_allows_and_at_no_other() -> None:
    distances = set()
    for who in "abcdefgh":
        places = share(40, 1, who, known=12, **DRAWN).control_positions
        distances |= {after - before for before, after in pairwise((0, *places))}
    assert distances == {3, 4, 5}


def test_a_control_is_due_at_its_place_once_and_no_sooner_than_the_least_distance_after_another() -> None:
    found = share(40, known=9, **DRAWN)
    first, second = found.control_positions[:2]
    assert [found.is_control(position, 0, 0) for position in (first - 1, first, first + 1)] == [False, True, True]
    assert not found.is_control(first, 1, first), "it has come"
    between = next((n, at) for n, (at, next_at) in enumerate(pairwise(found.control_positions), 1) if next_at - at > 3)
    assert not found.is_control(between[1] + 3, *between), "the next one has a place of its own"
    late = second - 2
    assert [found.is_control(second + wait, 1, late) for wait in (0, 1)] == [False, True], "three after the one before"
    assert not share(40, known=9).is_control(40, 0, 0), "the study has none"


@pytest.mark.parametrize("more", [{}, DRAWN])
def test_all_second_passes_come_among_the_items_at_places_of_each_annotators_own(more: dict[str, Any]) -> None:
    places = {}
    for who in "abcdef":
        found = share(30, 1, who, known=5, duplicates={"count": 6, "distance": 2}, **more)
        controls, again = set(found.control_positions), list[int]()
        for position in set(range(1, found.total + 1)) - controls:
            again += [position] if found.is_duplicate(position, len(again)) else []
        assert len(again) == found.duplicates == 6
        places[who] = tuple(again)
    assert len(set(places.values())) == 6
    assert min(place for each in places.values() for place in each) < 12, "they do not wait for the end"


def test_a_second_pass_is_as_likely_as_places_are_left_for_it() -> None:
    plan: dict[str, Any] = {"duplicates": {"count": 4, "distance": 2}, **EVERY_FIFTH}
    people = [share(10, 1, f"a{number}", known=3, **plan) for number in range(40)]
    assert {(each.total, each.control_positions) for each in people} == {(17, (5, 10, 15))}
    # From position 13 to 17 four places are left: one of the five is a control's.
    assert {each.is_duplicate(13, given=0) for each in people} == {True}
    assert {each.is_duplicate(13, given=1) for each in people} == {True, False}
    assert {each.is_duplicate(13, given=4) for each in people} == {False}
    # At 15 a control is yet to come, at 16 it has.
    assert {each.is_duplicate(15, given=2) for each in people} == {True}
    assert {each.is_duplicate(16, given=3) for each in people} == {True, False}


def test_at_the_last_place_nothing_comes_a_second_time_that_the_distance_has_no_room_for() -> None:
    found = share(40, duplicates={"count": 5, "distance": 37})
    assert [found.is_duplicate(found.total, given) for given in (2, 3)] == [True, False]


@pytest.mark.parametrize("items", [10, 30, 50, 70])
@pytest.mark.parametrize("share_of_them", [0.05, 0.1, 0.15])
def test_after_the_last_item_nothing_comes_that_the_plan_has_not_announced(items: int, share_of_them: float) -> None:
    duplicates = {"share": share_of_them, "distance": 2}
    found = share(items, 1, known=9, duplicates=duplicates, **DRAWN)
    assert not found.is_duplicate(found.total + 1, found.duplicates), found.total
    # Whoever takes over an item from others has as many again as somebody to whom it was given.
    one_more = share(items + 1, 1, known=9, duplicates=duplicates, **DRAWN)
    if len(one_more.control_positions) == len(found.control_positions):
        again = found.is_duplicate(found.total + 2, found.duplicates)
        assert again == (one_more.duplicates > found.duplicates)


def test_whoever_takes_over_from_others_gets_more_second_passes_by_share_and_no_more_by_count() -> None:
    by_share = share(20, duplicates={"share": 0.1, "distance": 2})
    assert [by_share.is_duplicate(40, given) for given in (3, 4)] == [True, False]
    by_count = share(20, duplicates={"count": 2, "distance": 2})
    assert [by_count.is_duplicate(40, given) for given in (1, 2)] == [True, False]
    assert not share(20).is_duplicate(40, 0)
