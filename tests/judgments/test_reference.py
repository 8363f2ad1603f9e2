"""Answers beside agreed ones: how far apart, and when a calibration is passed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from assay.gates.calibration_rule import PassRule
from assay.judgments.reference import AnswerAndReference, compare_with_reference, tally_by_dimension
from assay.kinds import STATISTICS
from assay.model import UNABLE, Value
from tests.judgments.studies import GOALS, PAIR, PAIRS, SHOWN, a_study, goals, note, scale, tags

YES_NO = {"dimension": "done", "yes_no": {}}
PREFERENCE = {"dimension": "better", "of": "pair", "preference": {}}


def only(study: Any, own: Value, reference: Value, name: str = "warmth") -> AnswerAndReference:
    [found] = compare_with_reference(study, SHOWN, None, {} if own is None else {name: own}, {name: reference})
    return found


@pytest.mark.parametrize(
    ("own", "reference", "signed", "same", "far"),
    [(4, 5, -1.0, False, False), (3, 3, 0.0, True, False), (1, 3, -2.0, False, True), (5, 3, 2.0, False, True)],
)
def test_on_a_scale_answers_are_so_many_points_apart(
    own: int, reference: int, signed: float, same: bool, far: bool
) -> None:
    found = only(a_study(scale("warmth")), own, reference)
    assert (found.difference, found.same, found.is_far(1)) == (signed, same, far)


def test_without_an_order_answers_are_the_same_or_far_apart() -> None:
    found = only(a_study(YES_NO), 0, 1, "done")
    assert (found.difference, found.same, found.is_far(1)) == (None, False, True)
    assert not only(a_study(YES_NO), 1, 1, "done").is_far(0)


def test_ticks_are_the_same_in_any_order() -> None:
    study = a_study(scale("warmth"), tags("odd", "long", "short"))
    reference: dict[str, Value] = {"odd": ["short", "long"]}
    [same] = compare_with_reference(study, SHOWN, None, {"odd": ["long", "short"]}, reference)
    [other] = compare_with_reference(study, SHOWN, None, {"odd": ["long"]}, reference)
    assert (same.same, other.same) == (True, False)


def test_free_text_and_questions_without_a_reference_are_not_compared() -> None:
    study = a_study(scale("warmth"), scale("safety"), note())
    found = compare_with_reference(
        study, SHOWN, None, {"warmth": 1, "safety": 2, "note": "x"}, {"warmth": 1, "note": "y"}
    )
    assert [each.dimension.dimension for each in found] == ["warmth"]


def test_an_answer_that_is_missing_is_far_and_has_no_distance() -> None:
    found = only(a_study(scale("warmth", unable="Cannot say")), None, 3)
    assert (found.own, found.difference, found.is_far(4)) == (None, None, True)


@pytest.mark.parametrize("swapped", [False, True])
def test_sides_are_told_by_candidate(swapped: bool) -> None:
    study = a_study(scale("warmth", of="side"), PREFERENCE, items=PAIRS)
    own: dict[str, Value] = {"warmth.a": 2, "warmth.b": 5, "better": "b"}
    found = compare_with_reference(study, PAIR, swapped, own, {"warmth.a": 2, "warmth.b": 4, "better": "a"})
    by = {each.question.key: (each.own, each.reference) for each in found}
    left, right = ("b", "a") if swapped else ("a", "b")
    values = {"a": (2, 2), "b": (5, 4)}
    assert by["warmth.left"] == values[left]
    assert by["warmth.right"] == values[right]
    assert by["better"] == (("left", "right") if swapped else ("right", "left"))


def test_entries_are_compared_one_by_one_and_an_item_is_far_once() -> None:
    study = a_study({"dimension": "goal", "of": "entries(goals)", "yes_no": {}}, items=GOALS)
    shown = goals("first", "second", "third")
    agreed: dict[str, Value] = {"goal.g0": 1, "goal.g1": 1, "goal.g2": 0}
    item = compare_with_reference(study, shown, None, {"goal.g0": 0, "goal.g1": 0, "goal.g2": 0}, agreed)
    [found] = tally_by_dimension(study, [item])
    assert (len(found.pairs), found.same, found.far, found.missing, found.mean) == (3, 1, 1, 0, None)


def test_the_tally_of_a_dimension_by_hand() -> None:
    study = a_study(scale("warmth"))
    items = [compare_with_reference(study, SHOWN, None, {"warmth": own}, {"warmth": 3}) for own in (3, 4, 5, 1)]
    items.append(compare_with_reference(study, SHOWN, None, {}, {"warmth": 3}))
    [found] = tally_by_dimension(study, items, 1)
    assert (found.same, found.within_one, found.mean, found.far, found.missing) == (1, 2, 0.25, 2, 1)
    assert found.pairs == ((3, 3), (4, 3), (5, 3), (1, 3))


def test_what_cannot_be_judged_is_no_answer() -> None:
    assert str(UNABLE) == "unable"
    study = a_study(scale("warmth", unable="Cannot say"))
    [found] = tally_by_dimension(study, [compare_with_reference(study, SHOWN, None, {"warmth": None}, {"warmth": 3})])
    assert (found.pairs, found.missing) == ((), 1)


points = st.integers(1, 5)
pairs = st.lists(st.tuples(st.none() | points, points), max_size=12)
STUDY = a_study(scale("warmth"))


@given(found=pairs, most=st.integers(0, 4), allowed=st.integers(0, 4), lacking=st.integers(0, 3))
def test_a_calibration_is_passed_by_exactly_those_who_are_far_apart_on_few_enough_items(
    found: list[tuple[int | None, int]], most: int, allowed: int, lacking: int
) -> None:
    rule = PassRule(max_difference=most, except_=allowed)
    items = [
        compare_with_reference(STUDY, SHOWN, None, {} if own is None else {"warmth": own}, {"warmth": agreed})
        for own, agreed in found
    ]
    passed = any(
        rule.holds(len(each.pairs), each.far, each.missing + lacking, None)
        for each in tally_by_dimension(STUDY, items, most)
    )
    bad = sum(own is None or abs(own - agreed) > most for own, agreed in found) + lacking
    some = any(own is not None for own, _ in found)
    assert passed == (some and bad <= allowed)


@given(agreement=st.none() | st.floats(-1, 1), needed=st.floats(-1, 1), missing=st.integers(0, 2), n=st.integers(0, 3))
def test_a_calibration_by_agreement_needs_a_value_that_is_high_enough(
    agreement: float | None, needed: float, missing: int, n: int
) -> None:
    rule = PassRule(at_least=needed)
    expected = n > 0 and missing == 0 and agreement is not None and agreement >= needed - 1e-9
    assert rule.holds(n, 0, missing, agreement) == expected


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({}, "it is not clear when this is passed"),
        ({"max_difference": 1, "at_least": 0.5}, "it is not clear when this is passed"),
        ({"at_least": 0.5, "coefficient": "kappa"}, "there is no coefficient 'kappa'"),
    ],
)
def test_a_rule_that_does_not_say_when_or_by_what_is_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        PassRule(**wrong)


@pytest.mark.parametrize("name", STATISTICS)
def test_a_rule_may_go_by_any_coefficient(name: str) -> None:
    assert PassRule(at_least=0.5, coefficient=name).coefficient == name
