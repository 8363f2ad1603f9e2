"""Hard content on sheets: what an item contains stands before it, and whoever wants leaves it out."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assay.exchange.submissions import sheet_fields
from assay.store.tables import action, assignment, item
from tests.sheets.filling import ANSWERS, Desk, Row, read
from tests.web.annotator import rows, submissions
from tests.web.test_warned import WARN, careful

CARE = {"field": "content", "warn": WARN, "support": {"de-AT": "guide/at.md"}}
MakeDesk = Callable[..., Desk]


def every_third(number: int) -> str:
    return "grief" if number % 3 == 0 else "none"


@pytest.fixture(params=["csv", "xlsx"])
def hard(request: pytest.FixtureRequest, desk_of: MakeDesk) -> Desk:
    """A study in which every third item is about grief, with a sheet for ana."""
    desk = desk_of("empathy", request.param, edit=careful(CARE, hard=every_third))
    desk.out("ana")
    return desk


def leave_out(found: list[Row]) -> None:
    """The first row with a warning."""
    row = next(each for each in found if each["Warning"])
    row |= {"Not this one": "x", **dict.fromkeys(ANSWERS["empathy"], "")}


def test_what_an_item_contains_stands_before_it(hard: Desk) -> None:
    found = read(hard.files["ana"])
    assert list(found[0])[:5] == ["Row", "Annotator", "Study", "Warning", "Not this one"]
    assert {each["Warning"] or "" for each in found} == {"The death of somebody close", ""}
    assert len([each for each in found if each["Warning"]]) == len(found) / 3


def test_an_item_that_is_left_out_goes_to_others_and_comes_in_once(hard: Desk) -> None:
    path = hard.fill("ana", leave_out)
    assert hard.take(path) == (47, 0, 0)
    [gone] = [row for row in rows(hard.bench.store, assignment) if row["state"] == "declined"]
    assert gone["declined_because"] == "warning", "as on the page"
    [of] = [row for row in rows(hard.bench.store, item) if row["id"] == gone["item_id"]]
    assert of["taken"] == 0, "its place is free"
    assert next(row["about"] for row in rows(hard.bench.store, action) if row["what"] == "sheet in") == "1 left out"
    assert hard.take(path) == (0, 0, 47), "the same sheet twice changes nothing"
    assert len([row for row in rows(hard.bench.store, action) if row["about"] == "1 left out"]) == 1
    assert len(submissions(hard.bench.store, "ana")) == 47


def test_any_item_can_be_left_out_and_not_all_for_a_warning(hard: Desk) -> None:
    def plain(found: list[Row]) -> None:
        row = next(each for each in found if not each["Warning"])
        row |= {"Not this one": "yes please", **dict.fromkeys(ANSWERS["empathy"], "")}

    hard.take(hard.fill("ana", plain))
    [gone] = [row for row in rows(hard.bench.store, assignment) if row["state"] == "declined"]
    assert gone["declined_because"] == ""


def test_an_item_that_is_left_out_and_answered_is_asked_about(hard: Desk) -> None:
    path = hard.fill("ana", lambda found: found[0].update({"Not this one": "x"}))
    assert "the item is to be left out, and emotion is answered" in hard.mistakes(path)[0]
    hard.take(hard.fill("ana", lambda found: found[0].update({"Not this one": ""})))
    path = hard.fill("ana", leave_out)
    assert "was judged before" in hard.mistakes(path)[0]


def test_a_text_beside_the_sheet_says_how_and_where_to_turn(desk_of: MakeDesk) -> None:
    desk = desk_of("empathy", "csv", edit=careful(CARE, hard=every_third))
    [path] = desk.out("ana")
    beside = path.with_suffix(".txt").read_text("utf-8")
    assert "write x under 'Not this one'" in beside
    assert "support, de-AT: # Hilfe in Österreich" in beside
    assert beside.startswith("content warning: ")


def test_layouts_of_the_originals_have_the_warnings_beside_them(desk_of: MakeDesk) -> None:
    desk = desk_of("empathy", "annotation-sheets", edit=careful(CARE, hard=every_third))
    [path] = desk.out("ana")
    beside = path.with_suffix(".txt").read_text("utf-8")
    assert beside.count(": The death of somebody close") == len(read(path)) / 3
    assert "Look there before you read" in beside


@pytest.mark.parametrize("layout", ["annotation-sheets", "rating-rows"])
def test_layouts_of_the_originals_have_a_cell_to_leave_an_item_out(desk_of: MakeDesk, layout: str) -> None:
    desk = desk_of("empathy", layout, edit=careful(CARE, hard=every_third))
    [path] = desk.out("ana")
    assert list(read(path)[0])[-1] == "Not this one"
    assert "write x under 'Not this one'" in path.with_suffix(".txt").read_text("utf-8")
    both = desk.fill("ana", lambda found: found[0].update({"Not this one": "x"}))
    assert "the item is to be left out, and " in desk.mistakes(both)[0]
    answers = [name for name in read(path)[0] if name in sheet_fields(desk.bench.study).values()]

    def first(found: list[Row]) -> None:
        found[0] |= {"Not this one": "x", **dict.fromkeys(answers, "")}

    filled = desk.fill("ana", first)
    given = len(read(path))
    assert desk.take(filled) == (given - 1, 0, 0)
    [gone] = [row for row in rows(desk.bench.store, assignment) if row["state"] == "declined"]
    [of] = [row for row in rows(desk.bench.store, item) if row["id"] == gone["item_id"]]
    assert of["taken"] == 0, "its place is free"
    assert desk.take(filled) == (0, 0, given - 1), "the same sheet twice changes nothing"


def test_a_study_without_warnings_has_the_sheet_that_it_had(desk: Desk) -> None:
    found = read(desk.files["ana"])
    assert not {"Warning", "Not this one"} & set(found[0])
    assert Path(desk.files["ana"]).name == "empathy_ana.csv"
