"""What `items.judgments` names and a file lacks is refused, with what is there instead: nothing is lost in silence."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import ItemMistakes
from assay.items.imported_judgments import ImportedAnswers
from assay.items.judgment_fields import JudgmentsWanted
from assay.items.judgment_sheet import read_judgment_sheet
from assay.items.reader import read_items
from assay.model import Slot
from assay.study import Study
from tests.items.files import written
from tests.items.test_reader import BOTH, FIELDS, GOAL, PREFERENCE, ROW, WARMTH, Raw, a_study

CLARITY = {"dimension": "clarity", "scale": {"from_": 1, "to": 5}}
NOTE = {"dimension": "note", "optional": True, "text": {}}
NAMED = {"annotator": "who", "values": {"warmth": "warm", "clarity": "clear", "note": "notes"}}
WHOLE = {"id": "1", "text": "x", "who": "ana", "warm": 3, "clear": 4, "notes": ""}
PEOPLE = JudgmentsWanted(people=True)
PARTIAL = JudgmentsWanted(people=True, partial=True)


def three(*entries: Raw, **more: Any) -> Study:
    return a_study(WARMTH, CLARITY, NOTE, judgments=entries or [NAMED], **more)


def judged(folder: Path, study: Study, *rows: Raw, wanted: JudgmentsWanted = PEOPLE) -> list[ImportedAnswers]:
    path = written(folder, "items.json", json.dumps(rows))
    return [each for row in read_items(study, path, wanted=wanted) for each in row.judgments]


def refusal(folder: Path, study: Study, *rows: Raw, wanted: JudgmentsWanted = PEOPLE) -> list[str]:
    with pytest.raises(ItemMistakes) as refused:
        judged(folder, study, *rows, wanted=wanted)
    return [str(each).partition(": ")[2] for each in refused.value.mistakes]


def sheet_refusal(folder: Path, study: Study, *rows: Raw, partial: bool = False) -> list[str]:
    with pytest.raises(ItemMistakes) as refused:
        read_judgment_sheet(study, written(folder, "sheet.json", json.dumps(rows)), partial=partial)
    return [str(each).partition(": ")[2] for each in refused.value.mistakes]


def without(row: Raw, *names: str) -> Raw:
    return {name: value for name, value in row.items() if name not in names}


def test_a_score_column_that_is_missing_is_refused(tmp_path: Path) -> None:
    said = [
        "there is no field 'clear', which items.judgments reads as clarity\n"
        "  hint: known here: id, text, who, warm, notes; --partial takes in what is there"
    ]
    row = without(WHOLE, "clear")
    assert refusal(tmp_path, three(), row, {**row, "id": "2"}) == said
    assert sheet_refusal(tmp_path, three(), row, {**row, "id": "2"}) == said


def test_why_rows_are_wrong_comes_before_the_rows_however_many_they_are(tmp_path: Path) -> None:
    rows = [{**without(WHOLE, "who"), "wo": f"a{number}"} for number in range(150)]
    said = refusal(tmp_path, three(), *rows)
    assert said[0] == "there are scores, and no field 'who' that says whose\n  hint: did you mean 'wo'?"
    assert "the id '1' was already" in said[1]
    assert said[-1] == "and 49 more mistakes"


def test_of_a_file_that_cannot_be_read_no_field_is_missed(tmp_path: Path) -> None:
    path = written(tmp_path, "items.csv", "id,text,who,text\n1,x,ana,y\n")
    with pytest.raises(ItemMistakes) as refused:
        list(read_items(three(), path, wanted=PEOPLE))
    [said] = refused.value.mistakes
    assert "the column name 'text' occurs twice" in said.what


@pytest.mark.parametrize(("value", "meant"), [("3.0", 3), ("3,0", 3), (" 3 ", 3), (3.0, 3)])
def test_a_whole_number_may_have_become_a_decimal_one_in_a_table(tmp_path: Path, value: Any, meant: int) -> None:
    [one] = judged(tmp_path, three(), {**WHOLE, "warm": value})
    assert one.answers[Slot("warmth")] == meant
    for wrong in ("3.5", "6.0", "0.3"):
        [said] = refusal(tmp_path, three(), {**WHOLE, "warm": wrong})
        assert f'"{wrong}" cannot be an answer on warmth' in said


@pytest.mark.parametrize(("name", "spelled"), [("clear", "Clear"), ("who", "WHO"), ("notes", " notes")])
def test_a_header_in_another_spelling_is_refused_and_named(tmp_path: Path, name: str, spelled: str) -> None:
    row = {**without(WHOLE, name), spelled: WHOLE[name]}
    [said] = refusal(tmp_path, three(), row)
    assert said.startswith(f"there is no field {name!r}, but {spelled!r}\n  hint: spell it alike")
    [said] = refusal(tmp_path, three(), row, wanted=PARTIAL)
    assert "but" in said, "what stands there under another name is not missing"


def test_a_sheet_s_header_in_another_spelling_is_refused_and_named(tmp_path: Path) -> None:
    [said] = sheet_refusal(tmp_path, three(), {**without(WHOLE, "clear"), "Clear": 4})
    assert said.startswith("there is no field 'clear', but 'Clear'")
    [said] = sheet_refusal(tmp_path, three(), {**without(WHOLE, "who"), "Who": "ana"})
    assert said == "there is no field 'who'\n  hint: did you mean 'Who'?"


def test_a_field_inside_another_is_named_by_its_whole_path(tmp_path: Path) -> None:
    study = three({"judge": "by", "values": {"warmth": "scores.warmth", "clarity": "scores.clarity"}})
    row = {"id": "1", "text": "x", "by": "m-9", "scores": {"warmth": 3, "Clarity": 4}}
    [said] = refusal(tmp_path, study, row, wanted=JudgmentsWanted())
    assert said.startswith("there is no field 'scores.clarity', but 'scores.Clarity'")


def test_of_a_field_inside_another_what_stands_beside_it_is_said(tmp_path: Path) -> None:
    study = three({"judge": "by", "values": {"warmth": "scores.warmth", "clarity": "scores.clarity"}})
    row = {"id": "1", "text": "x", "by": "m-9", "scores": {"warmth": 3, "grammar": 2}}
    [said] = refusal(tmp_path, study, row, wanted=JudgmentsWanted())
    assert "hint: in scores: known here: warmth, grammar; --partial" in said


def test_a_typo_in_the_study_file_is_a_field_that_the_file_lacks(tmp_path: Path) -> None:
    study = three({"annotator": "who", "values": {"warmth": "wram", "clarity": "clear"}})
    [said] = refusal(tmp_path, study, WHOLE)
    assert said.startswith(
        "there is no field 'wram', which items.judgments reads as warmth\n  hint: did you mean 'warm'?"
    )
    [said] = refusal(tmp_path, three({**NAMED, "annotator": "annotater"}), WHOLE)
    assert said.startswith("there are scores, and no field 'annotater' that says whose")


def test_where_the_study_names_no_fields_every_dimension_must_be_one(tmp_path: Path) -> None:
    row = {"id": "1", "text": "x", "who": "ana", "warmth": 3}
    [said] = refusal(tmp_path, three({"annotator": "who"}), row)
    assert said.startswith("there is no field 'clarity', which items.judgments reads as clarity")
    [given] = judged(tmp_path, three({"annotator": "who"}), {**row, "clarity": 2})
    assert set(given.answers) == {Slot("warmth"), Slot("clarity")}


def test_scores_without_anybody_are_refused(tmp_path: Path) -> None:
    [said] = refusal(tmp_path, three(), WHOLE, {**WHOLE, "id": "2", "who": ""})
    assert said.startswith("row 2, column who: there are scores, and nobody is named")
    [said] = refusal(tmp_path, three(), without(WHOLE, "who"))
    assert said.startswith("there are scores, and no field 'who' that says whose")


def test_a_score_is_somebody_s_where_another_entry_names_them(tmp_path: Path) -> None:
    judge = {"judge": "by", "values": NAMED["values"]}
    [given] = judged(tmp_path, three(NAMED, judge), WHOLE)
    assert given.annotator == "ana"


def test_a_blank_score_beside_others_is_refused_unless_gaps_are_wanted(tmp_path: Path) -> None:
    rows = [WHOLE, {**WHOLE, "id": "2", "clear": ""}, {**WHOLE, "id": "3", "warm": None}]
    said = [
        "row 3, column warm: there is no answer on warmth, and there are others in this row",
        "row 2, column clear: there is no answer on clarity, and there are others in this row",
    ]
    assert [each.partition("\n")[0] for each in refusal(tmp_path, three(), *rows)] == said
    assert [each.partition("\n")[0] for each in sheet_refusal(tmp_path, three(), *rows)] == said
    found = judged(tmp_path, three(), *rows, wanted=PARTIAL)
    assert [len(each.answers) for each in found] == [2, 1, 1]
    assert found[1].blank == (Slot("clarity"), Slot("note"))


def test_a_row_without_any_score_is_not_judged_yet(tmp_path: Path) -> None:
    rows = [WHOLE, {**WHOLE, "id": "2", "warm": "", "clear": ""}]
    assert len(judged(tmp_path, three(), *rows)) == 1
    assert len(read_judgment_sheet(three(), written(tmp_path, "sheet.json", json.dumps(rows))).given) == 1


def test_what_people_said_may_have_gaps_where_it_is_not_taken_in(tmp_path: Path) -> None:
    assert len(judged(tmp_path, three(), {**WHOLE, "clear": ""}, wanted=JudgmentsWanted())) == 1


def test_judgments_that_are_asked_for_and_not_there_are_refused(tmp_path: Path) -> None:
    plain = {"id": "1", "text": "x", "rater": "ana"}
    [said] = refusal(tmp_path, three(), plain)
    assert said == "there is no field 'who': nobody's judgments\n  hint: known here: id, text, rater"
    [said] = refusal(tmp_path, a_study(WARMTH), plain)
    assert said.startswith("the study does not say where people's judgments stand")
    assert judged(tmp_path, three(), plain, wanted=JudgmentsWanted()) == []


# Lists, sides, runs

LABELS = {"positions": "label", "values": {"warmth": "warm", "clarity": "clear"}}
LISTS = {"id": "1", "text": "x", "warm": [1, 2], "clear": [3, 4]}


def test_lists_of_one_row_are_equally_long(tmp_path: Path) -> None:
    assert len(judged(tmp_path, three(LABELS), LISTS)) == 2
    [said] = refusal(tmp_path, three(LABELS), {**LISTS, "clear": [3]})
    assert said.startswith("row 1: the lists are not equally long (warmth: 2, clarity: 1)")


def test_a_single_value_where_a_list_is_expected_is_refused(tmp_path: Path) -> None:
    [said] = refusal(tmp_path, three(LABELS), LISTS, {**LISTS, "id": "2", "clear": 3})
    assert said.startswith("row 2, column clear: a list is expected here, a value for each annotator, not 3")


def test_a_list_that_is_missing_is_refused(tmp_path: Path) -> None:
    [said] = refusal(tmp_path, three(LABELS), without(LISTS, "clear"))
    assert said.startswith("there is no field 'clear', which items.judgments reads as clarity")
    [said] = refusal(tmp_path, three(LABELS), LISTS, {**without(LISTS, "clear"), "id": "2"})
    assert said.startswith("row 2, column clear: there is no answer on clarity")
    [said] = refusal(tmp_path, three(LABELS), {**LISTS, "clear": [3, None]})
    assert said.startswith("row 1, column clear: there is no answer on clarity")


def test_a_list_that_nobody_has_filled_is_not_judged(tmp_path: Path) -> None:
    assert judged(tmp_path, three(LABELS), {**LISTS, "warm": [], "clear": []}) == []


SIDES = a_study({**CLARITY, "of": "side"}, PREFERENCE, candidates=FIELDS, show=BOTH, judgments=[{"annotator": "who"}])
PAIR = {**ROW, "who": "ana", "better": "ant", "clarity": {"ant": 2, "zebra": 5}}


def test_a_score_of_each_side_names_both_systems(tmp_path: Path) -> None:
    [given] = judged(tmp_path, SIDES, PAIR)
    assert given.answers == {Slot("clarity", "a"): 2, Slot("clarity", "b"): 5, Slot("better"): "a"}
    [said] = refusal(tmp_path, SIDES, {**PAIR, "clarity": {"ant": 2}})
    assert said.startswith("row 1, column clarity: there is no answer on clarity")
    [said] = refusal(tmp_path, SIDES, {**PAIR, "clarity": 2})
    assert said.startswith("row 1, column clarity: a value for each system is expected here, not 2")
    said_of = refusal(tmp_path, SIDES, {**PAIR, "clarity": {"ant": 2, "zebra": 3, "cow": 1}})
    assert said_of[0].startswith('row 1, column clarity: "cow" is none of the two systems')


def test_a_sheet_names_the_preferred_system_and_cannot_score_sides(tmp_path: Path) -> None:
    row = {"id": "1", "who": "ana", "better": "Ant"}
    [(_, given)] = read_judgment_sheet(SIDES, written(tmp_path, "sheet.json", json.dumps([row]))).given
    assert (given.answers, given.preferred) == ({}, {Slot("better"): "Ant"})
    [said] = sheet_refusal(tmp_path, SIDES, {**row, "clarity": 3})
    assert said.startswith("row 1, column clarity: clarity is asked of side: a sheet of judgments cannot say of which")


def test_a_field_of_entries_that_no_entry_has_is_refused(tmp_path: Path) -> None:
    existing = {"judge": "by", "values": {"goal": "status"}}
    study = a_study(GOAL, entries={"goals": {"from": "targets"}}, judgments=[existing])
    row = {"id": "1", "text": "x", "by": "m-9", "targets": {"a": {"state": 1}, "b": {}}}
    [said] = refusal(tmp_path, study, row, wanted=JudgmentsWanted())
    assert said.startswith("there is no field 'status', which items.judgments reads as goal")
    row["targets"] = {"a": {"status": 1}, "b": {}}
    [said] = refusal(tmp_path, study, row, wanted=JudgmentsWanted())
    assert said.startswith("row 1, column status: there is no answer on goal")
    assert judged(tmp_path, study, {**row, "targets": {}}, wanted=JudgmentsWanted()) == []


RUNS = {"judge": "by", "repeat": "run", "values": {"warmth": "warm"}}


def test_the_field_that_counts_runs_must_be_there_and_count(tmp_path: Path) -> None:
    row = {"id": "1", "by": "m-9", "warm": 3}
    study = a_study(WARMTH, judgments=[RUNS])
    assert sheet_refusal(tmp_path, study, row)[0].startswith("there is no field 'run'")
    [said] = sheet_refusal(tmp_path, study, {**row, "run": 0}, {**row, "run": 0})
    assert said.startswith("row 2, column run: m-9 judges '1' a second time in run 0")
    [said] = sheet_refusal(tmp_path, study, {**row, "run": ""})
    assert said.startswith("row 1, column run: the number of the run is missing")


def test_rows_of_an_item_file_in_which_somebody_judges_twice_are_refused(tmp_path: Path) -> None:
    [said] = refusal(tmp_path, three(), WHOLE, WHOLE)
    assert said.startswith("row 2: ana judges '1' a second time")


def test_of_two_kinds_of_sheets_by_one_field_the_one_with_more_of_its_fields_is_meant(tmp_path: Path) -> None:
    other = {"annotator": "who", "values": {"warmth": "w", "clarity": "c"}}
    path = written(tmp_path, "sheet.json", json.dumps([{"id": "1", "who": "ana", "w": 1, "c": 2}]))
    [(_, given)] = read_judgment_sheet(three(NAMED, other), path).given
    assert given.answers == {Slot("warmth"): 1, Slot("clarity"): 2}


def test_what_is_optional_may_be_empty_or_not_there_at_all(tmp_path: Path) -> None:
    spare = three({**NAMED, "optional": ["clarity"]})
    found = judged(tmp_path, spare, WHOLE, {**WHOLE, "id": "2", "clear": ""})
    assert [len(each.answers) for each in found] == [2, 1]
    assert found[1].blank == (Slot("note"),), "nobody is asked for it"
    assert len(judged(tmp_path, spare, without(WHOLE, "clear"))) == 1
    sheet = written(tmp_path, "sheet.json", json.dumps([without(WHOLE, "clear")]))
    assert len(read_judgment_sheet(spare, sheet).given) == 1
    assert "'notes'" in refusal(tmp_path, spare, without(WHOLE, "clear", "notes"))[0], "what is named is still needed"


def test_tags_stand_in_one_cell_by_name_or_label_or_as_a_list(tmp_path: Path) -> None:
    faults = {"dimension": "faults", "tags": {"options": {"a": "Ignores it", "b": "Late, by far"}, "none": "None"}}
    study = a_study(WARMTH, faults, judgments=[{"annotator": "who"}])
    cells = {
        '["a", "b"]': ["a", "b"],
        "b; a": ["a", "b"],
        "ignores it": ["a"],
        "Late, by far": ["b"],
        "a,b": ["a", "b"],
    }
    cells |= {"[]": [], "none": [], "0": []}
    for cell, meant in cells.items():
        row = {"id": "1", "text": "x", "who": "ana", "warmth": 3, "faults": cell}
        [given] = judged(tmp_path, study, row)
        assert given.answers[Slot("faults")] == meant, cell
    assert "There is no tag" in refusal(tmp_path, study, {**row, "faults": "c"})[0]


def test_blanks_around_a_name_make_nobody_else_of_a_person_and_no_other_system_of_a_system(tmp_path: Path) -> None:
    rows = [
        WHOLE | {"id": "1", "who": "ana"},
        WHOLE | {"id": "1", "who": "bo "},
        WHOLE | {"id": "2", "who": "\u00a0ana"},
    ]
    study = three(system="model")
    path = written(tmp_path, "items.json", json.dumps([{**row, "model": f"m{' ' * len(row['who'])}"} for row in rows]))
    read = list(read_items(study, path, wanted=PEOPLE))
    assert [given.annotator for each in read for given in each.judgments] == ["ana", "bo", "ana"]
    assert {each.item.systems for each in read if each.item} == {("m",)}


def test_who_judges_an_item_twice_is_found_where_a_blank_follows_one_name(tmp_path: Path) -> None:
    assert refusal(tmp_path, three(), WHOLE, WHOLE | {"who": "ana "}) == [
        "row 2: ana judges '1' a second time\n  hint: keep one of the rows, or name the field that counts them in "
        "items.judgments.repeat"
    ]
