"""An item may have the id that a control or an item for practice has: results tell the two apart."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from assay import acts
from assay.items.reference_items import ReferenceItem
from assay.model import Slot
from assay.store import Backend
from assay.store.coordinator import export_rows, item_facts, item_lookup, items, long_table, record, studies
from assay.store.coordinator.item_plan import arrange
from assay.store.tables import assignment
from assay.store.upkeep.verify import verify
from assay.study.templates import HERE, copy_template
from tests.conftest import T0
from tests.servers import command
from tests.store.test_assignment import Office, a_study, an_item, an_office


@pytest.fixture
def office(store: Backend) -> Office:
    """Five items and a control that has the id of one of them, all judged by Ana."""
    study = a_study(per_item=1, controls={"items": "c.csv", "every": [2, 2]})
    made = an_office(store, study, [an_item(number, number, False) for number in range(5)])
    known = [ReferenceItem(an_item(number, 0, False), {Slot("warmth"): 1}, "") for number in (1, 900)]
    store.write(items.add_known, made.study_id, known, 7, "controls")
    store.write(arrange, made.study_id, study)
    made.join("ana")
    made.work_off(["ana"])
    return made


def test_results_name_a_control_apart_from_the_item_of_the_same_id(office: Office) -> None:
    judged = {(each.item, each.control) for each in office.store.stream(long_table.judgments, office.study_id)}
    assert judged == {(f"{number:03}", False) for number in range(5)} | {("001 (controls)", True), ("900", True)}


def test_monitors_know_the_answers_of_the_control_and_not_of_the_item(office: Office) -> None:
    facts = office.store.read(item_facts.facts, office.study_id)
    assert {name for name, fact in facts.items() if fact.expected} == {"001 (controls)", "900"}


def test_exports_have_each_item_once_under_a_name_of_its_own(office: Office) -> None:
    names = [each.item.id for each in office.store.stream(export_rows.items, office.study_id)]
    assert sorted(names) == ["000", "001", "001 (controls)", "002", "003", "004", "900"]


def test_each_of_the_two_is_found_by_its_name_with_what_was_said_of_it(office: Office) -> None:
    store, study_id = office.store, office.study_id
    assert store.read(item_lookup.item_named, study_id, "001").series == "work"
    assert store.read(item_lookup.item_named, study_id, "001 (controls)").series == "controls"
    assert store.read(item_lookup.item_named, study_id, "900").series == "controls"
    for name in ("001", "001 (controls)", "900"):
        assert {each.item for each in store.read(long_table.judgments_of_item, study_id, name, ())} == {name}
    assert [problem for each in verify(store) for problem in each.problems] == []


@pytest.mark.parametrize("name", ["001", "001 (controls)", "900"])
def test_the_one_that_is_named_is_opened_again_and_not_the_other(office: Office, name: str) -> None:
    by = record.By(office.study_id, "dora", T0, "a slip")
    office.store.write(acts.reopen_item, by, "ana", name)
    [opened] = office.rows(assignment, assignment.c.reopened_at.is_not(None))
    meant = office.store.read(item_lookup.item_named, office.study_id, name)
    item = office.items()[opened["item_id"]]
    assert (item["name"], item["series"]) == (name.removesuffix(" (controls)"), meant.series)


def change_ids(path: Path) -> dict[str, Any]:
    """The template's samples, with the ids that its controls have, and as the items of somebody's own."""
    found = json.loads(path.read_text("utf-8"))
    for number, row in enumerate(found["samples"], 1):
        row["sample_id"] = f"example-control-{number}"
    path.write_text(json.dumps(found), "utf-8")
    return dict(found)


def test_a_file_with_the_ids_of_the_controls_comes_in_and_the_sample_controls_are_named(tmp_path: Path) -> None:
    copy_template("trajectories", tmp_path)
    own = command("import", str(tmp_path), "--dry-run")
    assert "samples of the template" not in own.stdout + own.stderr, "here they belong"
    change_ids(tmp_path / "samples.json")
    done = command("import", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "16 items taken in" in done.stdout
    assert "controls.json holds the samples of the template trajectories" in done.stderr
    plan = json.loads(command("import", str(tmp_path), "--json").stdout)["plan"]
    assert any("samples of the template" in warning for warning in plan["warnings"])


def test_the_ids_of_a_template_s_items_with_known_answers_say_that_they_are_examples() -> None:
    controls = json.loads((HERE / "trajectories" / "controls.json").read_text("utf-8"))["samples"]
    with (HERE / "empathy" / "calibration.csv").open(encoding="utf-8", newline="") as file:
        names = [row["sample_id"] for row in controls] + [row["eval_id"] for row in csv.DictReader(file)]
    assert all(name.startswith("example-") for name in names)


def test_a_corrected_score_of_a_calibration_replaces_the_earlier_and_is_recorded(tmp_path: Path) -> None:
    from assay.store import open_store

    copy_template("empathy", tmp_path)
    assert command("import", str(tmp_path)).returncode == 0
    path = tmp_path / "calibration.csv"
    with path.open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    found[0]["emotion"] = "1" if found[0]["emotion"] != "1" else "2"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(found[0]))
        writer.writeheader()
        writer.writerows(found)
    done = command("import", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "calibration.csv: the known answers of example-cal-01 were put right." in done.stdout
    store = open_store(tmp_path / "assay.db")
    study_id, _ = store.read(studies.find, "empathy")
    facts = store.read(item_facts.facts, study_id)
    assert facts["example-cal-01"].expected["emotion"] == int(found[0]["emotion"])
    [entry] = [each for each in store.read(record.entries, study_id) if each.what == "correct answers"]
    assert entry.about == "calibration.csv: example-cal-01"
    store.close()


def test_a_text_of_a_calibration_item_that_was_changed_is_another_item(tmp_path: Path) -> None:
    copy_template("empathy", tmp_path)
    assert command("import", str(tmp_path)).returncode == 0
    path = tmp_path / "calibration.csv"
    path.write_text(path.read_text("utf-8").replace("We had to let our dog go", "We had to let our cat go"), "utf-8")
    done = command("import", str(tmp_path))
    assert done.returncode == 2
    assert "item example-cal-01: is in the store with another content" in done.stderr
