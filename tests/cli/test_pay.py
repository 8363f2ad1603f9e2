"""`assay pay`, and codes from `panel.yaml`, from the command line to the file."""

import csv
import json
import re
from pathlib import Path

from assay.study.templates import copy_template
from tests.servers import command as run


def test_the_list_for_paying_is_a_file_a_table_and_json(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    copy_template("empathy", folder)
    file = folder / "study.yaml"
    text = file.read_text("utf-8")
    plan = "pay: {per_item: 0.4, floor: 500, currency: EUR}\nassignment:\n  enrol: {panel: sona, at_most: 5}\n"
    file.write_text(text.replace("assignment:\n", plan, 1), "utf-8")
    (folder / "panel.yaml").write_text("finished: {code: DONE}\n", "utf-8")
    assert run("import", str(folder)).returncode == 0
    assert run("invite", str(folder), "--name", "ana").returncode == 0
    printed = run("pay", str(folder))
    assert re.search(r"^p-\w+  ana: wait; 0 items, 0 minutes, 0 of 0 controls, 0.00 EUR", printed.stdout)
    assert "below the floor" in printed.stderr
    found = json.loads(run("pay", str(folder), "--json").stdout)
    assert found["below_floor"] is True
    assert [each["name"] for each in found["people"]] == ["ana"]
    assert run("pay", str(folder), "--out", str(tmp_path / "pay.csv")).returncode == 0
    with open(tmp_path / "pay.csv", encoding="utf-8", newline="") as lines:
        [row] = csv.DictReader(lines)
    assert (row["name"], row["decision"], row["amount"]) == ("ana", "wait", "0.0")
    for_panel = run("pay", str(folder), "--for", "panel")
    assert (for_panel.returncode, for_panel.stdout) == (0, ""), "nobody is to be paid yet"
    assert "0 lines for sona" in for_panel.stderr
    file.write_text(text, "utf-8")
    refused = run("pay", str(folder), "--for", "panel")
    assert refused.returncode == 1
    assert "no panel sends people to this study" in refused.stderr


def test_a_mistake_in_panel_yaml_stops_a_command_with_its_place(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    copy_template("empathy", folder)
    (folder / "panel.yaml").write_text("finished:\n  adress: https://panel.example\n", "utf-8")
    done = run("import", str(folder))
    assert done.returncode == 2
    assert "panel.yaml:2:3: unknown key 'adress'" in done.stderr
    assert "did you mean 'address'?" in done.stderr
    assert "Traceback" not in done.stderr
