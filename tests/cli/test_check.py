"""Checking a study: meaning too, and again whenever a file is saved."""

import csv
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from assay import acts
from assay.cli.check import check_study
from assay.errors import StudyMistakes
from assay.judgments import read_answers
from assay.model import Slot
from assay.store import Backend
from assay.store.annotator import versions
from assay.store.coordinator import studies
from assay.study import load
from assay.study.templates import copy_template, template_names
from tests.conftest import T0
from tests.servers import assay


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy_template("route-planning", tmp_path / "study")
    return tmp_path / "study"


def change(folder: Path, old: str, new: str) -> None:
    file = folder / "study.yaml"
    text = file.read_text("utf-8")
    assert old in text
    saved = folder.with_name("saved")  # as an editor does: nobody sees a file that is half there
    saved.write_text(text.replace(old, new, 1), "utf-8")
    saved.replace(file)


@pytest.mark.parametrize("name", template_names())
def test_a_template_has_neither_problems_nor_warnings(tmp_path: Path, name: str) -> None:
    copy_template(name, tmp_path / "study")
    found = check_study(tmp_path / "study")
    assert (found.mistakes, found.warnings) == ([], [])
    assert found.items


def test_what_a_template_leaves_to_fill_in_is_named_until_it_is_filled_in(tmp_path: Path) -> None:
    copy_template("trajectories", tmp_path / "study")
    place = "guide/support.md still holds a placeholder: "
    left = ("an e-mail address", "a name and an e-mail address", "a phone number and its hours")
    said = assay("check", tmp_path / "study")
    assert [each for each in left if f"{place}[coordinator: add {each}]" in said] == [*left]
    support = tmp_path / "study" / "guide" / "support.md"
    support.write_text(re.sub(r"\[coordinator: .*\]", "555 0100", support.read_text("utf-8")), "utf-8")
    assert place not in assay("check", tmp_path / "study")


def test_weights_that_do_not_sum_to_one_are_warned_of_with_their_place(folder: Path) -> None:
    change(folder, "fluency: 0.1}", "fluency: 0.2}")
    found = check_study(folder)
    assert found.mistakes == []
    [warning] = found.warnings
    assert "1.1" in warning.what
    line = (folder / "study.yaml").read_text("utf-8").split("weighted_mean")[0].count("\n") + 1
    assert warning.where == f"{folder / 'study.yaml'}:{line}:5"


def test_rules_that_collide_are_warned_of_with_an_example(folder: Path) -> None:
    change(folder, "allowed: instruction_following in [2, 3]", "allowed: instruction_following >= 4")
    change(folder, " and not caps has ignores_constraint", "")
    [warning] = check_study(folder).warnings
    assert "the earlier one wins" in warning.what
    assert "caps has" in warning.what


def test_items_that_give_their_system_away_are_warned_of(folder: Path) -> None:
    items = folder / "items.csv"
    rows = list(csv.DictReader(items.read_text("utf-8").splitlines()))
    rows[0]["prompt"] += f" {rows[0]['system']}_0041"
    with items.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    [warning] = check_study(folder).warnings
    assert warning.where == "items.csv"
    assert warning.what.startswith("blinding: the name 'planner-")
    assert warning.hint


def test_a_rule_that_cannot_act_is_a_problem_at_its_line(folder: Path) -> None:
    change(folder, "allowed: instruction_following in [2, 3]", "allowed: instruction_following > 5")
    line = (folder / "study.yaml").read_text("utf-8").split("instruction_following > 5")[0].count("\n") + 1
    [mistake] = check_study(folder).mistakes
    assert (mistake.where, mistake.what) == (
        f"{folder / 'study.yaml'}:{line}:5",
        "this leaves no answer to instruction_following",
    )


def test_a_rule_that_cannot_act_is_not_put_into_force(folder: Path, sqlite_store: Backend) -> None:
    sqlite_store.write(acts.publish, "carla", load(folder), folder, T0)
    change(folder, "allowed: instruction_following in [2, 3]", "value: {instruction_following: 9}")
    with pytest.raises(StudyMistakes, match=r"study.yaml:\d+:\d+: 9 is no answer to instruction_following"):
        sqlite_store.write(acts.publish, "carla", load(folder), folder, T0, even_if_begun=True)


def test_a_version_with_such_a_rule_that_was_published_before_still_opens(folder: Path, sqlite_store: Backend) -> None:
    change(folder, "allowed: instruction_following in [2, 3]", "value: {instruction_following: 9, caps: unheard_of}")
    study = load(folder)
    study_id = sqlite_store.write(studies.publish, study, T0).id
    assert not sqlite_store.write(acts.publish, "carla", study, folder, T0).changed
    kept = sqlite_store.read(versions.version, study_id, study.hash)
    assert kept is not None
    assert kept.hash == study.hash
    five = {"coherence": ["4"], "relevance": ["4"], "safety_compliance": ["4"], "fluency": ["4"]}
    form = {**five, "instruction_following": ["2"], "caps": ["partial_compliance"]}
    answers = read_answers(kept, {"prompt": "x", "response": "y"}, form)
    assert answers[Slot("instruction_following")] == 2


def test_an_order_that_gives_systems_away_is_warned_of_and_what_no_order_avoids_is_said(tmp_path: Path) -> None:
    copy_template("dialog-pairs", tmp_path / "study")
    [recurs, printed] = check_study(tmp_path / "study").notes
    assert "is Linnet's in 24 of 24 cases, never less than" in recurs
    assert "is system's in 17 of 24 cases, never less than" in printed
    change(tmp_path / "study", "apart: true", "together: true")
    change(tmp_path / "study", "order: random", "order: fixed")
    found = check_study(tmp_path / "study")
    assert found.notes == []
    assert "24 of them directly one after the other" in found.warnings[0].what
    assert found.warnings[0].hint.startswith("assignment.apart: true keeps items of one group apart")
    assert len(found.warnings) == 3


def test_wrong_items_are_problems_of_the_study(folder: Path) -> None:
    items = folder / "items.csv"
    items.write_text(items.read_text("utf-8") + "rp-01,again,again,s,c\n", "utf-8")
    [mistake] = check_study(folder).mistakes
    assert "'rp-01' was already in row 2" in mistake.what


def test_a_file_that_a_gate_names_must_be_there(tmp_path: Path) -> None:
    copy_template("empathy", tmp_path / "study")
    (tmp_path / "study" / "calibration.csv").unlink()
    [mistake] = check_study(tmp_path / "study").mistakes
    assert mistake.what == "there is no file calibration.csv"
    assert "study.yaml:" in mistake.where


def read_until(stream: IO[str], words: str) -> str:
    said = ""
    while words not in said:
        line = stream.readline()
        assert line, said
        said += line
    return said


def test_watching_says_what_is_wrong_each_time_a_file_is_saved(folder: Path) -> None:
    command = [sys.executable, "-m", "assay", "check", str(folder), "--watch"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as watch:
        assert watch.stdout is not None
        try:
            assert "no problems" in read_until(watch.stdout, "Waiting for a change")
            change(folder, "title: Coherence", "titel: Coherence")
            assert "unknown key 'titel'" in read_until(watch.stdout, "Waiting for a change")
            change(folder, "titel: Coherence", "title: Coherence")
            assert "no problems" in read_until(watch.stdout, "Waiting for a change")
            watch.send_signal(signal.SIGINT)
            _, errors = watch.communicate(timeout=30)
        finally:
            watch.kill()
    assert watch.returncode == 130
    assert "Traceback" not in errors


@pytest.fixture
def empathy(tmp_path: Path) -> Path:
    copy_template("empathy", tmp_path / "study")
    return tmp_path / "study"


def calibration(folder: Path) -> list[dict[str, str]]:
    with (folder / "calibration.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_calibration(folder: Path, rows: list[dict[str, str]]) -> None:
    with (folder / "calibration.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_an_item_that_people_practise_on_cannot_be_an_item_of_the_study(empathy: Path) -> None:
    with (empathy / "items.csv").open(encoding="utf-8", newline="") as file:
        first = next(csv.DictReader(file))
    rows = calibration(empathy)
    write_calibration(empathy, [{**rows[0], **{key: first[key] for key in ("user_statement", "response")}}, *rows[1:]])
    [mistake] = check_study(empathy).mistakes
    assert "calibration.csv" in mistake.where
    assert f"shows the same as item {first['eval_id']}" in mistake.what


SCORES = ("emotion", "validation", "helpfulness", "safety", "overall")


@pytest.mark.parametrize(
    ("changes", "where", "what"),
    [
        (dict.fromkeys(SCORES, ""), "calibration.csv, item example-cal-01", "has no known answer"),
        ({"emotion": "9"}, "calibration.csv: row 2", '"9" cannot be an answer on emotion: '),
    ],
    ids=["no answer", "off the scale"],
)
def test_an_item_for_practice_needs_an_answer_and_one_on_the_scale(
    empathy: Path, changes: dict[str, str], where: str, what: str
) -> None:
    first, *others = calibration(empathy)
    write_calibration(empathy, [{**first, **changes}, *others])
    (mistake,) = check_study(empathy).mistakes
    assert mistake.where == where
    assert mistake.what.startswith(what)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("dimensions: [emotion, validation", "dimensions: [emotoin, validation"),
        ("never_used: {", "never_used: {dimensions: [emotoin], "),
    ],
    ids=["pilot", "monitor"],
)
def test_a_dimension_that_is_looked_at_must_be_asked(empathy: Path, old: str, new: str) -> None:
    file = empathy / "study.yaml"
    text = re.sub(r"never_used: \{.*\}", "never_used: {}", file.read_text("utf-8"))
    assert old in text
    file.write_text(text.replace(old, new, 1).replace(", }", "}"), "utf-8")
    [mistake] = check_study(empathy).mistakes
    assert "there is no dimension 'emotoin'" in mistake.what
    assert "known in rubric: emotion" in mistake.hint


@pytest.mark.parametrize(
    ("exposure", "what"),
    [
        ("{field: topic, values: [x], at_most: 1}", "no item has the field 'topic'"),
        ("{field: model_tag, values: [plain-lm, plain-lmm], at_most: 1}", "no item has model_tag 'plain-lmm'"),
    ],
    ids=["field", "value"],
)
def test_a_limit_to_hard_content_that_no_item_falls_under_is_a_problem(empathy: Path, exposure: str, what: str) -> None:
    change(empathy, "assignment:\n", f"assignment:\n  exposure: {exposure}\n")
    [mistake] = check_study(empathy).mistakes
    assert what in mistake.what
