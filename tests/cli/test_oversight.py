"""What a coordinator does on the command line: the plan, how it goes, the pilot, and one annotator."""

import csv
import json
from pathlib import Path
from typing import Any

import duckdb
import pandas
import pytest

from assay.study import load
from assay.study.templates import copy_template
from tests.servers import command as run


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The empathy study with its pilot judged by two bots."""
    folder = tmp_path_factory.mktemp("played") / "study"
    copy_template("empathy", folder)
    file = folder / "study.yaml"
    text = file.read_text("utf-8").replace("items: 40 ", "items: 12 ")
    file.write_text(text.replace("{count: 10, distance: 20}", "{count: 2, distance: 4}"), "utf-8")
    assert run("import", str(folder)).returncode == 0
    assert run("simulate", str(folder), "--annotators", "2").returncode == 0
    return folder


def said(*arguments: str) -> Any:
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def plan_of(where: str) -> str:
    done = run("invite", where, "--plan")
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_the_plan_is_shown_before_anybody_is_invited(tmp_path: Path) -> None:
    folder = str(tmp_path / "study")
    copy_template("trajectories", tmp_path / "study")
    assert run("import", folder).returncode == 0
    plan = said("invite", folder, "--count", "4", "--plan")
    assert plan["judgments"] == plan["items"] * plan["per_item"]
    assert plan["each"]["items"] == -(-plan["judgments"] // 4)
    # The study expects 120 to 180 seconds for an item.
    each = sum(plan["each"][part] for part in ("items", "duplicates", "controls", "practice"))
    assert plan["each"]["minutes"] == -(-150 * each // 60)
    assert said("status", folder)["annotators"] == [], "so far nobody is"
    shown = run("invite", folder, "--count", "2")
    assert "Plan: " in shown.stderr
    assert "there is nobody yet" in shown.stderr, "two people cannot judge an item three times"
    assert shown.stdout.count("/join/") == 2


def test_a_link_for_anybody_needs_a_study_that_is_open(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    copy_template("route-planning", folder)
    assert run("import", str(folder)).returncode == 0
    refused = run("invite", str(folder), "--open")
    assert refused.returncode == 1
    assert "assignment.enrol" in refused.stderr
    file = folder / "study.yaml"
    file.write_text(file.read_text("utf-8").replace("assignment:\n", "assignment:\n  enrol: {at_most: 9}\n"), "utf-8")
    assert "(anybody)" in run("invite", str(folder), "--open").stdout


def test_status_tells_how_far_everybody_is_and_what_is_doubtful(played: Path) -> None:
    found = said("status", str(played))
    assert found["pilot"]["finished"] == found["pilot"]["items"] == 12
    assert [row["submitted"] for row in found["annotators"]] == [14, 14]
    assert found["finished"] == 12
    text = run("status", str(played)).stdout
    assert "Pilot 1: 12 of 12 items" in text
    assert "Flags: " in text
    emotion = found["agreement"][0]
    assert (emotion["dimension"], emotion["n_items"], emotion["n_annotators"]) == ("emotion", 12, 2)
    assert emotion["ci"][0] <= emotion["value"] <= emotion["ci"][1]
    assert f"Emotion recognition    {emotion['called']} {emotion['value']:.2f} [" in text


def test_an_annotator_is_paused_left_out_and_counted_again_with_a_reason(played: Path) -> None:
    where = str(played)
    assert run("annotator", "bot1", "pause", where, "--reason", "away").returncode == 0
    refused = run("annotator", "bot1", "exclude", where)
    assert refused.returncode == 1
    assert "a reason is needed" in refused.stderr
    assert run("annotator", "bot1", "exclude", where, "--reason", "asleep").returncode == 0
    row = said("status", where)["annotators"][0]
    assert (row["state"], row["excluded"]) == ("paused", True)
    report = said("report", where)
    assert report["excluded"]["annotators"] == [{"annotator": "bot1", "reason": "asleep"}]
    finished = said("status", where)["finished"]
    wrong = run("annotator", "bot1", "pause", where, "--reassign")
    assert wrong.returncode == 1
    assert "--reassign goes with exclude" in wrong.stderr
    freed = run("annotator", "bot1", "exclude", where, "--reassign", "--reason", "asleep")
    assert "of their places go to others." in freed.stdout
    assert (finished, said("status", where)["annotators"][0]["state"]) == (0, "released")
    plan = said("invite", where, "--count", "1", "--plan")
    assert (plan["finished"], plan["held"]) == (0, []), "what bot1 had is free again"
    for what in ("include", "resume"):
        assert run("annotator", "bot1", what, where).returncode == 0
    assert said("status", where)["finished"] > 0
    assert said("report", where)["excluded"]["annotators"] == []
    nobody = run("annotator", "eve", "pause", where)
    assert nobody.returncode == 1
    assert "nobody in this study is called 'eve'" in nobody.stderr


def test_a_pilot_is_shown_recorded_and_opens_the_main_part(played: Path) -> None:
    where = str(played)
    shown = run("pilot", where).stdout
    assert "go from 0.4, revise from 0.25" in shown
    assert f"\n  {load(played).dimension('emotion').heading} " in shown, "not by its id"
    assert said("pilot", where)["under_way"] == 1, "looking decides nothing"
    assert "The pilot is finished: 36 more items open once somebody decides about it." in plan_of(where)
    assert run("pilot", where, "--again").returncode == 1, "nothing is decided yet"
    assert run("pilot", where, "--open").returncode == 1, "not without a reason"
    decided = run("pilot", where, "--decide", "--by", "cora")
    assert "The main part is open by cora" in decided.stdout
    found = said("pilot", where)
    assert found["under_way"] == 0
    assert "more items open" not in plan_of(where)
    assert [each["verdict"] for each in found["recorded"]] == ["go"]


def test_the_report_states_how_often_each_monitor_flags_the_careful(played: Path) -> None:
    monitors = said("report", str(played))["flags"]["monitors"]
    assert monitors
    for each in monitors:
        alarms = each["false_alarms"]
        assert alarms["careful_annotators"] > 0
        assert 0 <= alarms["ci"][0] <= alarms["share"] <= alarms["ci"][1] <= 1


def test_values_are_agreed_on_by_command_and_written_with_the_data(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    copy_template("trajectories", folder)
    assert run("import", str(folder)).returncode == 0
    assert run("simulate", str(folder), "--annotators", "3").returncode == 0
    file = folder / "study.yaml"
    file.write_text(file.read_text("utf-8").replace("adjudicate_above: 1.5", "adjudicate_above: 0.4"), "utf-8")
    assert run("publish", str(folder)).returncode == 0
    apart = said("adjudicate", str(folder))
    one = next(each for each in apart if each["question"].endswith(".b"))
    dimension = one["question"].partition(".")[0]
    keep = ["adjudicate", str(folder), "--item", one["item"], "--value"]
    for value, reason, why in (
        (f"{one['question']}=9", "x", "cannot be 9"),
        ("invented=1", "x", "has no question 'invented'"),
        (f"{one['question']}=3", "", "a reason is needed"),
        (one["question"], "x", "is no QUESTION=VALUE"),
    ):
        refused = run(*keep, value, "--reason", reason)
        assert (refused.returncode, why in refused.stderr) == (1, True), refused.stderr
    kept = run(*keep, f"{one['question']}=3", "--reason", "read again")
    assert "1 value kept" in kept.stdout, kept.stderr
    assert [each["agreed"] for each in said("adjudicate", str(folder)) if each["agreed"] is not None] == [3]
    assert run("export", str(folder), "--what", "agreed").returncode == 0
    [row] = rows_of(folder / "agreed.csv")
    assert (row["item"], row["dimension"], row["value"], row["reason"]) == (one["item"], dimension, "3", "read again")
    assert run("export", str(folder), "--format", "csv-wide").returncode == 0
    wide = rows_of(folder / "judgments-wide.csv")
    of_item = [each for each in wide if each["item"] == one["item"]]
    assert {each[f"agreed.{one['question']}"] for each in of_item} == {"3"}
    assert {each["system_b"] for each in of_item} == {row["system"]}
    others = [each[name] for each in wide for name in each if name.startswith("agreed.") and each not in of_item]
    assert set(others) == {""}
    assert run("export", str(folder), "--format", "xlsx").returncode == 0
    sheet = pandas.read_excel(folder / "judgments.xlsx", sheet_name="agreed", engine="calamine", dtype=str)
    assert sheet[["item", "dimension", "value", "reason"]].to_numpy().tolist() == [
        [one["item"], dimension, "3", "read again"]
    ]
    assert run("export", str(folder), "--format", "huggingface", "--out", str(folder / "hf")).returncode == 0
    with duckdb.connect() as reader:
        asked = "select item, dimension, value from read_parquet(?)"
        found = reader.execute(asked, [str(folder / "hf" / "data" / "agreed.parquet")]).fetchall()
    assert len(found) == 1
    assert found[0][1:] == (dimension, "3")
    assert "config_name: agreed" in (folder / "hf" / "README.md").read_text("utf-8")
    assert "data/agreed.parquet" in (folder / "hf" / "dictionary.csv").read_text("utf-8")


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
