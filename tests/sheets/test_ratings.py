"""Workbooks human_ratings_*.xlsx, as the in-car study has them."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from assay.store.tables import assignment, item, submission
from tests.conftest import T0
from tests.inviting import invite
from tests.sheets.filling import Desk, Row, save
from tests.web.annotator import everything, rows, submissions

SCORES = ("instruction_constraint_adherence", "context_ambiguity_handling", "plan_coherence", "safety_compliance")
Change = Callable[[list[Row]], object]


@pytest.fixture
def desk(desk_of: Callable[..., Desk]) -> Desk:
    found: Desk = desk_of("in-car")
    found.bench.store.write(invite, found.bench.study_id, ["ana", "007"], T0)
    return found


def ratings(desk: Desk, name: str = "ana", change: Change | None = None, about: Row | None = None) -> Any:
    """A workbook as the study's own program writes it, dropped goals included."""
    found: list[Row] = []
    for row in rows(desk.bench.store, item):
        goals = json.loads(row["shown"])["goals"]
        row_: Row = {
            "conversation_id": row["name"],
            "annotator_id": name,
            "timestamp": "2026-02-24T10:11:12",
            "seed_phrase": "anything",
            **{f"dim_{score}": 2 for score in SCORES},
            "targets_completed": len(goals),
            "targets_introduced": len(goals),
            "target_statuses_json": json.dumps({goal["text"]: 1 for goal in goals}),
            "overall_score": 1.0,
            "pass_fail": "PASS",
        }
        found.append(row_)
    if change is not None:
        change(found)
    metadata = [{"export_timestamp": "2026-02-24T10:11:12", "annotator_id": name, **(about or {})}]
    path = desk.bench.folder / f"human_ratings_{name}.xlsx"
    return save(path, found, "Human_Ratings", {"Metadata": metadata})


def test_ratings_from_elsewhere_come_in_as_that_persons_judgments(desk: Desk) -> None:
    path = ratings(desk)
    assert desk.take(path) == (16, 0, 0)
    stored = submissions(desk.bench.store, "ana")
    assert {each["source"] for each in stored} == {"imported"}
    before = everything(desk.bench.store)
    assert desk.take(path) == (0, 0, 16)
    assert everything(desk.bench.store) == before
    # What was judged elsewhere takes a place of each item here.
    assert {row["taken"] for row in rows(desk.bench.store, item)} == {1}


def test_a_corrected_rating_is_a_revision_of_the_same_source(desk: Desk) -> None:
    desk.take(ratings(desk))
    assert desk.take(ratings(desk, change=lambda found: found[3].update(dim_plan_coherence=0))) == (0, 1, 15)
    [newest] = [row for row in rows(desk.bench.store, submission) if row["revision"] == 2]
    assert newest["source"] == "imported"


def test_ratings_of_items_that_were_given_out_take_their_places(desk: Desk) -> None:
    desk.out("ana")
    assert desk.take(ratings(desk)) == (16, 0, 0)
    assert {each["source"] for each in submissions(desk.bench.store, "ana")} == {"sheet"}
    assert {row["state"] for row in rows(desk.bench.store, assignment)} == {"submitted"}


def test_goals_that_were_dropped_are_passed_over(desk: Desk) -> None:
    def dropped(found: list[Row]) -> None:
        folder = desk.bench.folder / "logs"
        logs = {
            log["conversation_id"]: log
            for log in map(json.loads, (p.read_text("utf-8") for p in folder.rglob("*.json")))
        }
        assert any(goal["status"] == -1 for log in logs.values() for goal in log["targets"].values())
        for row in found:
            row["target_statuses_json"] = json.dumps(dict.fromkeys(logs[row["conversation_id"]]["targets"], 1))

    assert desk.take(ratings(desk, change=dropped)) == (16, 0, 0)


MISTAKES: dict[str, tuple[Change, str]] = {
    "unknown item": (
        lambda found: found[1].update(conversation_id="nowhere"),
        'row 3, column A (conversation_id): "nowhere" is no item of this study',
    ),
    "out of range": (
        lambda found: found[1].update(dim_plan_coherence=3),
        "row 3, column G (dim_plan_coherence): 3: Choose a whole number from 0 to 2.",
    ),
    "missing": (lambda found: found[1].update(dim_plan_coherence=""), "(dim_plan_coherence): the cell is empty"),
    "another person": (lambda found: found[1].update(annotator_id="ben"), "the rows above are by 'ana'"),
    "twice": (lambda found: found.append(dict(found[1])), "this row stands in human_ratings_ana.xlsx, row 3 too"),
    "no JSON": (lambda found: found[1].update(target_statuses_json="1, 1"), "is no JSON object"),
    "unknown goal": (lambda found: found[1].update(target_statuses_json='{"fly": 1}'), 'the item has no entry "fly"'),
    "no such column": (lambda found: [row.pop("annotator_id") for row in found], 'there is no column "annotator_id"'),
    "no answer to a goal": (lambda found: found[1].update(target_statuses_json="{}"), "the cell is empty"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_ratings_is_named_by_its_cell(desk: Desk, mistake: str) -> None:
    change, words = MISTAKES[mistake]
    path = ratings(desk, change=change)
    found = desk.mistakes(path)
    assert any(words in each for each in found), found
    assert all("human_ratings_ana.xlsx: sheet Human_Ratings" in each for each in found)
    assert rows(desk.bench.store, submission)[16:] == []


def test_an_id_that_a_spreadsheet_has_changed_is_named(desk: Desk) -> None:
    path = ratings(desk, "007", lambda found: [row.update(annotator_id=7) for row in found])
    [found] = desk.mistakes(path)
    assert "\"7\" is no annotator; a spreadsheet seems to have changed the id '007'" in found
    assert desk.take(ratings(desk, "007")) == (16, 0, 0)


def test_somebody_unknown_another_metadata_and_a_renamed_file_are_named(desk: Desk) -> None:
    assert '"zoe" is no annotator of this study' in desk.mistakes(ratings(desk, "zoe"))[0]
    assert "the sheet Metadata says 'ben'" in desk.mistakes(ratings(desk, about={"annotator_id": "ben"}))[0]
    renamed = ratings(desk).rename(desk.bench.folder / "human_ratings_ben.xlsx")
    assert "the file is called 'human_ratings_ben.xlsx', and its rows are by 'ana'" in desk.mistakes(renamed)[0]


def test_another_study_says_that_it_has_no_such_ratings(desk_of: Callable[..., Desk]) -> None:
    desk = desk_of("route-planning")
    row = {"conversation_id": "x", "annotator_id": "ana", "target_statuses_json": "{}"}
    path = save(desk.bench.folder / "human_ratings_ana.xlsx", [row], "Human_Ratings")
    [found] = desk.mistakes(path)
    assert "the study 'route-planning' does not suit this layout" in found
