"""The first sentences of the report: what was judged, by whom, and without whom."""

from dataclasses import replace

import pytest

from assay.report.sections.overview import OverviewNumbers, OverviewSection
from assay.report.sources import Sources

NUMBERS = OverviewNumbers(
    items=40,
    items_wanted_per_item=2,
    items_finished=30,
    left_out=[],
    systems={"": 40},
    annotators={"ana": 30, "ben": 30, "idle": 0},
    simulated=[],
    submissions=60,
    judgments=300,
    judgments_stored=310,
    annotators_per_item={"2": 30},
    minutes={},
    sources=Sources(page=60, sheet=0, file=0, judges=0),
)


def lines(**more: object) -> list[str]:
    return OverviewSection().lines(replace(NUMBERS, **more))  # type: ignore[arg-type]


def test_whoever_judged_something_is_counted_and_nobody_else() -> None:
    assert lines() == [
        "30 of 40 items are judged by 2 annotators each; 2 annotators, 60 submissions, 300 judgments (notes and tags "
        "included)."
    ]


def test_items_that_more_annotators_judged_than_asked_for_are_said() -> None:
    (line,) = lines(annotators_per_item={"1": 5, "2": 27, "3": 2, "4": 1})
    assert line.startswith("30 of 40 items are judged by 2 annotators each (3 items by more); 2 annotators")
    (line,) = lines(annotators_per_item={"3": 1}, items_wanted_per_item="all")
    assert line.startswith("30 of 40 items are judged by everybody who takes part; 2 annotators, ")


def test_where_one_annotator_is_enough_it_is_said_in_the_singular() -> None:
    one = {"annotators": {"ana": 1}, "annotators_per_item": {"1": 30}, "submissions": 1, "judgments": 1}
    (line,) = lines(items_wanted_per_item=1, **one)
    assert line == (
        "30 of 40 items are judged by 1 annotator; 1 annotator, 1 submission, 1 judgment (notes and tags included)."
    )


def test_where_everybody_judges_everything_that_is_said() -> None:
    (line,) = lines(items_wanted_per_item="all")
    assert line.startswith("30 of 40 items are judged by everybody who takes part; 2 annotators, 60 submissions")


@pytest.mark.parametrize(
    ("gone", "said"),
    [(["cem"], "without cem, who is left out: "), (["cem", "dee"], "without cem, dee, who are left out: ")],
)
def test_who_is_left_out_is_named_beside_the_numbers(gone: list[str], said: str) -> None:
    (line,) = lines(left_out=gone)
    assert line.startswith(f"30 of 40 items are judged by 2 annotators each; {said}2 annotators, 60 submissions")


@pytest.mark.parametrize(("bots", "said"), [(["b1"], "b1 is simulated"), (["b1", "b2"], "b1, b2 are simulated")])
def test_simulated_annotators_are_said_first(bots: list[str], said: str) -> None:
    assert lines(simulated=bots)[0] == f"These numbers are no finding: {said}, and counted."


def test_several_systems_are_named_with_their_items_and_one_alone_is_not() -> None:
    assert lines(systems={"": 1, "m": 20, "n": 1})[1:] == ["Systems: m (20 items), n (1 item)."]
    assert lines(systems={"": 1, "m": 20})[1:] == []
