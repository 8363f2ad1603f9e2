"""Judgments in files that speak of left and right: which system stands where is said in each row."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.errors import ItemMistakes, StudyMistakes
from assay.items.judgment_sheet import read_judgment_sheet
from assay.model import Slot
from assay.store import Backend
from assay.store.coordinator import imported_judgments, long_table
from assay.study import load
from assay.study.judgment_fields import JudgmentFields, SideFields
from assay.study.templates import copy_template
from tests.conftest import make_bench

SCORES = {f"{side}_{name}": 3 for side in ("left", "right") for name in ("coherence", "efficiency", "thoroughness")}
SIDED = ("coherence", "efficiency", "thoroughness", "correctness")
RECORD: dict[str, Any] = {
    **{"annotation_id": "x", "sample_id": "sample_0000", "annotator_id": "kim", "timestamp": "2026-01-01T00:00:00"},
    **{"left_model": "scout-online", "right_model": "scout-base", **SCORES, "left_coherence": 5, "right_coherence": 1},
    **{"left_correctness": True, "right_correctness": False, "preference": "left", "confidence": 4},
    **{"comments": None, "time_spent_seconds": 92.5},
}

Take = Callable[..., dict[tuple[str, str], Any]]


@pytest.fixture
def take(sqlite_store: Backend, tmp_path: Path) -> Take:
    """Takes records in as `assay import --sheet` does; what is stored then, by dimension and system."""
    bench = make_bench(sqlite_store, tmp_path / "study", "trajectories")

    def act(*records: dict[str, Any], folder: bool = False) -> dict[tuple[str, str], Any]:
        path = tmp_path / ("results" if folder else "session_1.jsonl")
        if folder:
            path.mkdir()
            for number, record in enumerate(records):
                (path / f"kim_{number}.json").write_text(json.dumps(record), "utf-8")
        else:
            path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
        given = read_judgment_sheet(bench.study, path).given
        sqlite_store.write(imported_judgments.add, bench.study_id, bench.study, given, 0)
        found = sqlite_store.stream(long_table.judgments, bench.study_id, bench.study.preference_dimensions)
        return {(each.dimension, each.system): each.value for each in found}

    return act


@pytest.mark.parametrize("folder", [False, True], ids=["lines", "files"])
def test_what_is_said_of_a_side_is_stored_of_the_system_that_stood_there(take: Take, folder: bool) -> None:
    stored = take(RECORD, folder=folder)
    assert stored["coherence", "scout-online"] == 5
    assert stored["coherence", "scout-base"] == 1
    assert (stored["correctness", "scout-online"], stored["correctness", "scout-base"]) == (1, 0)
    assert stored["preference", ""] == "scout-online"
    assert stored["confidence", ""] == 4
    assert ("comment", "") not in stored


def test_a_preference_may_be_equal_or_name_a_system(take: Take) -> None:
    assert take({**RECORD, "preference": "equal"})["preference", ""] == "tie"


def test_the_other_way_round_the_same_is_said_of_the_other_system(take: Take) -> None:
    stored = take({**RECORD, "left_model": "scout-base", "right_model": "scout-online"})
    assert (stored["coherence", "scout-base"], stored["preference", ""]) == (5, "scout-base")


def test_systems_that_the_item_does_not_compare_are_refused(take: Take) -> None:
    with pytest.raises(ItemMistakes, match='"scout-online" stands left and "other" right here') as refused:
        take({**RECORD, "right_model": "other"})
    assert "items.names" in refused.value.mistakes[0].hint


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"left_coherence": None}, "session_1.jsonl: row 1, column left_coherence: there is no answer on coherence"),
        ({"preference": "up"}, '"up"'),
        ({"left_model": None}, "left_model"),
    ],
)
def test_what_is_missing_or_no_answer_is_refused(take: Take, change: dict[str, Any], what: str) -> None:
    with pytest.raises(ItemMistakes, match=what):
        take({**RECORD, **change})


def test_a_field_of_one_side_that_the_file_lacks_or_spells_otherwise_is_named(take: Take) -> None:
    without = {name: value for name, value in RECORD.items() if name != "right_efficiency"}
    with pytest.raises(ItemMistakes, match=r"no field 'right_efficiency', which items\.judgments reads as efficiency"):
        take(without)
    with pytest.raises(ItemMistakes, match="no field 'right_efficiency', but 'Right Efficiency'"):
        take({**without, "Right Efficiency": 3})


def test_a_second_time_is_a_second_pass_only_where_the_file_says_so(take: Take) -> None:
    with pytest.raises(ItemMistakes, match="a second time"):
        take(RECORD, {**RECORD, "annotation_id": "y"})
    assert take({**RECORD, "pass": 1}, {**RECORD, "pass": 2})


def edited(folder: Path, old: str, new: str, template: str = "trajectories") -> str:
    copy_template(template, folder)
    file = folder / "study.yaml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(StudyMistakes) as refused:
        load(folder)
    [mistake] = refused.value.mistakes
    return f"{mistake.what}; {mistake.hint}"


def test_without_sides_scores_of_a_side_cannot_be_read(tmp_path: Path) -> None:
    said = edited(tmp_path, "      sides: {left: left_model, right: right_model}\n", "")
    assert said.startswith("'coherence' is asked of each side, and it is not said which side is which system")
    assert "write sides" in said


def test_items_that_are_no_pairs_have_no_sides(tmp_path: Path) -> None:
    sides = "annotator: x\n      sides: {left: l, right: r}"
    said = edited(tmp_path, "annotator: annotator_id", sides, "route-planning")
    assert said == "the items are no pairs: there are no sides; remove this key, or add items.candidates"


def test_both_sides_cannot_be_read_from_one_field(tmp_path: Path) -> None:
    said = edited(tmp_path, '"{side}_coherence"', "coherence")
    assert said == (
        "'coherence' is asked of each side, and 'coherence' is one field for both; "
        "write {side} in its name, such as {side}_coherence"
    )


def test_without_values_each_side_is_read_from_a_field_of_its_own(tmp_path: Path) -> None:
    copy_template("trajectories", tmp_path)
    study = load(tmp_path)
    assert study.fields_read(JudgmentFields(annotator="x", sides=SideFields(left="l", right="r"))) == {
        **{Slot(name, side): f"{side}_{name}" for name in SIDED for side in ("left", "right")},
        **{Slot(name): name for name in ("preference", "confidence", "comment")},
    }
