"""What is talked over again: by the standard deviation that divides by n - 1, on raw judgments."""

from dataclasses import replace
from itertools import combinations_with_replacement

from assay.model import Agreed
from assay.report.adjudication import adjudication_queue, spreads
from assay.report.build import build
from assay.report.data import Data
from tests.report.test_report import STUDY, judgment, report


def data(said: list[tuple[str, str, int]], above: float | None = 1.5, **more: object) -> Data:
    study = STUDY.model_copy(
        update={"analysis": STUDY.analysis.model_copy(update={"adjudicate_above": above, "pilot": None})}
    )
    found = report([judgment(item, who, value) for item, who, value in said]).data
    return replace(found, study=study, studies={}, **more)  # type: ignore[arg-type]


def three(item: str, values: tuple[int, ...]) -> list[tuple[str, str, int]]:
    return [(item, who, value) for who, value in zip("abc", values, strict=True)]


def test_of_all_scores_by_three_people_thirteen_are_too_far_apart() -> None:
    """With the population's formula only the five that hold both 1 and 5 would be found."""
    every = list(combinations_with_replacement(range(1, 6), 3))
    said = [row for number, values in enumerate(every) for row in three(f"i{number}", values)]
    found = adjudication_queue(data(said))
    assert len(found) == 13
    assert {(1, 1, 4), (2, 2, 5)} <= {each.values for each in found}
    assert [each.spread for each in found] == sorted((each.spread for each in found), reverse=True)


def test_one_person_alone_is_not_apart_from_anybody() -> None:
    assert spreads(data([("i", "a", 1)])) == []
    assert adjudication_queue(data(three("i", (1, 3, 5)), above=None)) == []


def test_an_agreed_value_stands_beside_the_judgments_and_changes_no_agreement() -> None:
    said = three("i0", (1, 1, 5)) + three("i1", (2, 2, 3)) + three("i2", (4, 4, 4))
    before = data(said)
    after = replace(before, agreed=[Agreed("i0", "emotion", "", "", 2, "we talked", "me", 0)])
    assert before.agreement == after.agreement
    numbers = build(after).numbers()["adjudicated"]
    [row] = numbers["items"]
    assert (row["values"], row["agreed"], row["reason"]) == ([1.0, 1.0, 5.0], 2, "we talked")
    assert "n - 1" in numbers["spread"]


def test_the_summary_says_how_many_were_to_be_talked_over_and_on_how_many_something_was_agreed() -> None:
    found = data(three("i0", (1, 1, 5)) + three("i1", (1, 5, 5)) + three("i2", (4, 4, 4)))
    talked = replace(found, agreed=[Agreed("i0", "emotion", "", "", 2, "we talked", "me", 0)])
    assert (
        "2 questions have a standard deviation, dividing by n - 1, above 1.5; on 1 of them a value was agreed "
        "afterwards. Agreement is computed on the judgments as they were given."
    ) in build(talked).summary()


def test_who_is_left_out_of_the_report_still_counts_for_what_is_talked_over() -> None:
    said = three("i0", (1, 1, 5))
    assert adjudication_queue(data(said, excluded={"c": "why"})) == adjudication_queue(data(said))
