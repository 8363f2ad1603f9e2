"""Rules between answers act alike on the page's form, through the API and on a sheet."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from assay.acts.sheets import give_sheets
from assay.sheets.rubric import rubric_rows
from assay.sheets.validate import validate_files
from assay.sheets.write import make_sheet, write_sheet
from assay.store import Backend
from assay.store.coordinator.record import By
from assay.store.tables import draft
from tests.conftest import T0, Bench, make_bench
from tests.ruled import ASKED, ruled
from tests.sheets.filling import read, save
from tests.web.annotator import Annotator, rows, submissions
from tests.web.scripts import Script, judging


@pytest.fixture
def bench(sqlite_store: Backend, tmp_path: Path) -> Bench:
    return make_bench(sqlite_store, tmp_path / "study", edit=ruled())


def on_the_page(bench: Bench, answers: dict[str, Any]) -> dict[str, str]:
    """Why the page's form is refused; nothing where it is taken."""
    someone = Annotator(bench, "page").begin()
    address, hidden = someone.form()
    answer = someone.send(address, {**hidden, **answers})
    return answer.json().get("reasons", {}) if answer.status_code != 200 else {}


def through_the_api(bench: Bench, answers: dict[str, Any]) -> dict[str, str]:
    script, path = Script(bench, name=f"token {next(NUMBERS)}"), judging(bench, "script")
    [first] = script.get(path)["assignments"]
    answer = script.ask("POST", f"{path}/{first['assignment']}/judgments", {"answers": answers})
    said = answer.json()
    return {each["where"].removeprefix("answers."): each["what"] for each in said.get("problems", [])}


def on_a_sheet(bench: Bench, answers: dict[str, Any]) -> dict[str, str]:
    by = By(bench.study_id, "carla", T0)
    [handed] = bench.store.write(give_sheets, by, bench.study, ["sheet"], "signed")
    path = write_sheet(make_sheet(bench.study, handed, "csv", T0), bench.folder, "csv")
    rows = read(path)
    rows[0] |= {key: "; ".join(value) if isinstance(value, list) else value for key, value in answers.items()}
    found = bench.store.read(validate_files, bench.study_id, bench.study, [save(path, rows)], partial=True)
    wrong = found.mistakes.as_list()
    assert len(found.right) == (not wrong)
    return {each.where.rsplit("(", 1)[1].rstrip(")"): each.what.split(": ", 1)[-1] for each in wrong}


NUMBERS = itertools.count()
WAYS = [on_the_page, through_the_api, on_a_sheet]


@pytest.mark.parametrize("way", WAYS)
def test_ticks_against_a_rule_are_refused_with_its_words(bench: Bench, way: Any) -> None:
    assert way(bench, {"right": 1, "kinds": ["date"]}) == {"kinds": "What is true has no fault."}


@pytest.mark.parametrize("way", WAYS)
def test_a_text_against_a_rule_is_refused_with_its_words(bench: Bench, way: Any) -> None:
    assert way(bench, {"right": 1, "kinds": ["none"], "note": "hm"}) == {"note": "Nothing to say."}


@pytest.mark.parametrize("way", WAYS)
def test_answers_that_keep_the_rules_are_taken(bench: Bench, way: Any) -> None:
    assert way(bench, {"right": 0, "kinds": ["date"], "note": "hm"}) == {}


def test_ticks_and_texts_that_follow_are_stored(bench: Bench) -> None:
    assert through_the_api(bench, {"right": 0, "note": "both"}) == {}
    assert on_the_page(bench, {"right": 1, "kinds": ["none"]}) == {}
    assert submissions(bench.store, "script")[0]["answers"] == {"right": 0, "kinds": ["name", "date"], "note": "both"}
    assert submissions(bench.store, "page")[0]["answers"] == {"right": 1, "kinds": [], "note": "ok"}


# Questions that are asked after some answers only


@pytest.fixture
def asking(sqlite_store: Backend, tmp_path: Path) -> Bench:
    return make_bench(sqlite_store, tmp_path / "study", edit=ruled("asking", ASKED, (), navigation="free"))


@pytest.mark.parametrize("way", WAYS)
def test_what_is_asked_is_needed(asking: Bench, way: Any) -> None:
    missing = "an answer is needed" if way is on_a_sheet else "Please answer this question."
    assert way(asking, {"right": 0, "kinds": ["date"], "sure": "yes"}) == {"grave": missing}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_not_asked_is_not_needed(asking: Bench, way: Any) -> None:
    assert way(asking, {"right": 1, "sure": "yes"}) == {}
    assert way(asking, {"right": 0, "kinds": ["none"], "sure": "no"}) == {}


def test_a_page_drops_what_is_not_asked(asking: Bench) -> None:
    assert on_the_page(asking, {"right": 1, "kinds": ["date"], "grave": 3, "sure": "yes"}) == {}
    assert submissions(asking.store, "page")[0]["answers"] == {"right": 1, "sure": "yes"}
    assert [json.loads(row["answers"]) for row in rows(asking.store, draft)] == [{"right": ["1"], "sure": ["yes"]}]


def test_a_script_is_told_what_is_not_asked_and_when_it_is(asking: Bench) -> None:
    said = through_the_api(asking, {"right": 1, "kinds": ["date"], "sure": "yes"})
    assert said == {"kinds": "This is asked only when right == 0."}
    [first] = Script(asking, name="reader").get("/annotators/script/assignments")["assignments"]
    assert {each["key"]: each["asked_when"] for each in first["questions"]} == {
        "right": "", "kinds": "right == 0", "grave": "count(kinds) >= 1", "sure": "", "note": "",
    }  # fmt: skip


def test_a_cell_for_what_is_not_asked_is_a_mistake(asking: Bench) -> None:
    assert on_a_sheet(asking, {"right": 1, "grave": 2, "sure": "yes"}) == {
        "grave": '"2", but this is asked only when count(kinds) >= 1'
    }


def test_the_rubric_beside_a_sheet_says_when_something_is_asked(asking: Bench) -> None:
    lines = rubric_rows(asking.study)
    assert ["grave", "asked", "", "only when count(kinds) >= 1; else the cell stays empty"] in lines
