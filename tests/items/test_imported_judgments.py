"""Filled sheets: judgments in a file of their own, read by the item's id and the annotator's name."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import AssayError, ItemMistakes
from assay.items.imported_judgments import GroupAndSystem, ImportedAnswers
from assay.items.judgment_sheet import read_judgment_sheet
from assay.model import UNABLE, Slot
from assay.study import load
from assay.study.templates import HERE
from tests.items.files import written
from tests.items.test_reader import WARMTH, a_study

NOTE = {"dimension": "note", "optional": True, "text": {}}
STUDY = a_study(WARMTH, NOTE, judgments=[{"annotator": "who", "values": {"warmth": "score", "note": "notes"}}])


def mistakes(path: Path, study: Any = STUDY) -> list[tuple[str, str]]:
    with pytest.raises(ItemMistakes) as raised:
        list(read_judgment_sheet(study, path).given)
    return [(each.where.partition(": ")[2], each.what) for each in raised.value.mistakes]


def test_a_sheet_has_a_row_for_each_item_and_annotator(tmp_path: Path) -> None:
    sheet = written(tmp_path, "filled.csv", "id,who,score,notes,more\n1,ana,3,,x\n1,ben,5,fine,x\n2,ana,unable,,x\n")
    assert list(read_judgment_sheet(STUDY, sheet).given) == [
        ("1", ImportedAnswers("ana", False, {Slot("warmth"): 3})),
        ("1", ImportedAnswers("ben", False, {Slot("warmth"): 5, Slot("note"): "fine"})),
        ("2", ImportedAnswers("ana", False, {Slot("warmth"): UNABLE})),
    ]


def test_a_row_without_answers_is_passed_over(tmp_path: Path) -> None:
    sheet = written(tmp_path, "filled.csv", "id,who,score,notes\n1,ana,,\n2,ana,4,\n")
    assert [name for name, _ in read_judgment_sheet(STUDY, sheet).given] == ["2"]


def test_a_study_that_says_nothing_of_judgments_takes_columns_of_the_dimensions_names(tmp_path: Path) -> None:
    sheet = written(tmp_path, "filled.csv", "id,annotator_id,warmth\n1,ana,3\n")
    assert list(read_judgment_sheet(a_study(WARMTH), sheet).given) == [
        ("1", ImportedAnswers("ana", False, {Slot("warmth"): 3}))
    ]


def test_ids_of_several_fields_are_put_together_as_they_are_with_items(tmp_path: Path) -> None:
    sheet = written(tmp_path, "filled.csv", "file,turn,annotator_id,warmth\na,1,ana,3\n")
    assert [name for name, _ in read_judgment_sheet(a_study(WARMTH, id=["file", "turn"]), sheet).given] == ["a/1"]


def test_everything_wrong_in_a_sheet_is_listed_with_its_place(tmp_path: Path) -> None:
    sheet = written(tmp_path, "filled.csv", "id,who,score,notes\n1,ana,6,\n,ana,3,\n2,,3,\n3,ana,2,\n3,ana,4,\n")
    assert mistakes(sheet) == [
        ("row 2", '"6" cannot be an answer on warmth: Choose a whole number from 1 to 5.'),
        ("row 3, column id", "the id is empty"),
        ("row 4, column who", "the annotator is empty"),
        ("row 6", "ana judges '3' a second time"),
    ]


def test_words_where_the_answers_are_numbers_are_refused_with_the_answers_that_there_are(tmp_path: Path) -> None:
    done = {"dimension": "done", "yes_no": {"yes": "Done", "no": "Not done"}}
    sheet = written(tmp_path, "filled.csv", "id,annotator_id,done\n1,ana,yes\n")
    with pytest.raises(ItemMistakes) as raised:
        read_judgment_sheet(a_study(done), sheet)
    [mistake] = raised.value.mistakes
    assert mistake.what.startswith('"yes" cannot be an answer on done')
    assert mistake.hint.endswith("map it in items.judgments.read; its answers: 0 (Not done), 1 (Done)")


def test_a_sheet_without_the_columns_is_refused_once(tmp_path: Path) -> None:
    sheet = written(tmp_path, "filled.csv", "item,name,score\n1,ana,3\n2,ana,3\n")
    assert mistakes(sheet) == [("", "there is no field 'id'"), ("", "there is no field 'who'")]


def test_a_sheet_without_any_dimension_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    sheet = written(tmp_path, "filled.csv", "id,who,points\n1,ana,3\n")
    assert mistakes(sheet) == [
        ("", "there is no field 'score', which items.judgments reads as warmth"),
        ("", "there is no field 'notes', which items.judgments reads as note"),
    ]


JUDGE = {"judge": "by", "match": {"group": "prompt", "system": "model"}, "values": {"warmth": "scores.warmth"}}


def a_judge_s_file(folder: Path, *rows: tuple[str, int]) -> Path:
    """What a judge says of systems' replies to one prompt: the system and the score."""
    lines = [
        {"prompt": "p1", "model": model, "by": "m-9", "run": 9 - number, "scores": {"warmth": at}}
        for number, (model, at) in enumerate(rows)
    ]
    return written(folder, "judge.jsonl", "\n".join(map(json.dumps, lines)) + "\n")


def test_a_sheet_can_name_items_by_group_and_system(tmp_path: Path) -> None:
    study = a_study(WARMTH, group="g", system="s", judgments=[{**JUDGE, "read": {"ANT-7": "ant"}}])
    assert list(read_judgment_sheet(study, a_judge_s_file(tmp_path, ("ANT-7", 3), ("bee", 5))).given) == [
        (GroupAndSystem("p1", "ant"), ImportedAnswers("m-9", True, {Slot("warmth"): 3})),
        (GroupAndSystem("p1", "bee"), ImportedAnswers("m-9", True, {Slot("warmth"): 5})),
    ]


def test_a_sheet_s_names_of_systems_are_read_as_the_study_maps_them(tmp_path: Path) -> None:
    study = a_study(WARMTH, group="g", system="s", judgments=[JUDGE], names={"ANT-7": "ant"})
    [(name, _)] = read_judgment_sheet(study, a_judge_s_file(tmp_path, ("ANT-7", 3))).given
    assert name == GroupAndSystem("p1", "ant")


def test_the_runs_of_a_judge_are_passes_where_the_study_says_so(tmp_path: Path) -> None:
    path = a_judge_s_file(tmp_path, ("ant", 3), ("bee", 1), ("ant", 4))
    runs = a_study(WARMTH, group="g", system="s", judgments=[{**JUDGE, "repeat": "run"}])
    assert [(str(name), given.pass_) for name, given in read_judgment_sheet(runs, path).given] == [
        ("of 'p1' by 'ant'", 2),
        ("of 'p1' by 'bee'", 1),
        ("of 'p1' by 'ant'", 1),
    ], "by their numbers, wherever they stand in the file"
    once = a_study(WARMTH, group="g", system="s", judgments=[JUDGE])
    [(place, what)] = mistakes(path, once)
    assert place == "row 3"
    assert what.startswith("m-9 judges")


def test_of_several_kinds_of_sheets_the_one_is_meant_whose_person_is_named(tmp_path: Path) -> None:
    study = a_study(WARMTH, group="g", system="s", judgments=[{"annotator": "who"}, JUDGE])
    [(_, by_judge)] = read_judgment_sheet(study, a_judge_s_file(tmp_path, ("ant", 3))).given
    [(_, by_ana)] = read_judgment_sheet(study, written(tmp_path, "filled.csv", "id,who,warmth\n1,ana,3\n")).given
    assert (by_judge.judge, by_ana.judge) == (True, False)


def test_a_sheet_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="there is no file"):
        list(read_judgment_sheet(STUDY, tmp_path / "none.csv").given)


def test_the_filled_sheet_of_the_route_planning_template_can_be_read() -> None:
    folder = HERE / "route-planning"
    found = list(read_judgment_sheet(load(folder), folder / "existing.csv").given)
    assert found
    assert all(given.answers and not given.judge for _, given in found)
