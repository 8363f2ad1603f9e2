"""A comparison has the direction that the study names, else its file; only where neither does, names decide."""

import pytest

from assay.items.direction import direction_of
from assay.study.analysis import ComparisonSettings
from tests.report.comparing import DIALOGUES, ROUTES, WAYS, comparing

PAIR = ("Heron", "Linnet")


@pytest.mark.parametrize(
    ("row", "title"),
    [
        ({"Linnet vs. Heron": {}, "Linnet vs. system": {}}, "Linnet against Heron"),
        ({"Heron  vs. Linnet": {}}, "Heron against Linnet"),
        ({"Linnet vs. system": {}, "user": "Hello"}, "Heron against Linnet"),
        (None, "Heron against Linnet"),
    ],
)
def test_a_key_in_the_file_names_the_direction(row: dict[str, object] | None, title: str) -> None:
    assert direction_of(DIALOGUES, PAIR, row).title == title


def test_two_fields_of_the_file_name_it_in_the_order_of_the_study_file() -> None:
    assert direction_of(WAYS, ("a", "b"), {"model_a_name": " b ", "model_b_name": "a"}) == ("b", "a")
    assert direction_of(WAYS, ("a", "b"), {"model_a_name": "x", "model_b_name": "a"}) == ("a", "b")


def test_names_that_a_file_writes_in_its_own_way_are_known() -> None:
    items = WAYS.items.model_copy(update={"names": {"b-2": "b"}})
    study = WAYS.model_copy(update={"items": items})
    assert direction_of(study, ("a", "b"), {"model_a_name": "b-2", "model_b_name": "a"}) == ("b", "a")


def test_what_the_study_compares_comes_before_what_the_file_says() -> None:
    asked = comparing(DIALOGUES, ComparisonSettings(systems=("x", "Heron", "Linnet")))
    assert direction_of(asked, PAIR, {"Linnet vs. Heron": {}}) == ("Heron", "Linnet")
    other = comparing(DIALOGUES, ComparisonSettings(systems=("system", "Heron")))
    assert direction_of(other, PAIR, {"Linnet vs. Heron": {}}) == ("Linnet", "Heron")


def test_a_study_without_candidates_compares_by_name() -> None:
    assert direction_of(ROUTES, ("b", "a"), {}) == ("a", "b")
