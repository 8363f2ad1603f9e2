"""A text for an ethics board says what the study file declares, and what is left to be filled in."""

import json
from pathlib import Path

from assay.study.templates import copy_template
from tests.conftest import Bench, make_bench
from tests.pages import text_of
from tests.servers import command as run
from tests.web.scripts import Script
from tests.web.test_manage import Manager

MORE = """
pay: {per_item: 0.4, currency: EUR}
privacy: {on_erasure: delete, delete_people_after_days: 90, contact: data@example.org, lawful_basis: consent}
"""


def test_the_text_for_an_ethics_board_is_made_from_the_study_file(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    copy_template("empathy", folder)
    plain = run("privacy", str(folder))
    assert plain.returncode == 0
    assert "[until when]" in plain.stdout
    assert "[contact]" in plain.stdout
    assert "without any link to the person" in plain.stdout
    file = folder / "study.yaml"
    file.write_text(file.read_text("utf-8") + MORE, "utf-8")
    said = " ".join(json.loads(run("privacy", str(folder), "--json").stdout))
    assert "They are paid 0.40 EUR for each item." in said
    assert "until 90 days after the study is closed" in said
    assert "numeric judgments are deleted as well" in said
    assert "Questions go to data@example.org." in said
    assert "[until when]" not in said


def test_the_text_is_on_manage_and_in_the_api_in_the_studys_language(sqlite_bench: Bench, tmp_path: Path) -> None:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: empathy", "study: deutsch", 1)
        file.write_text(f"language: de\n{text}{MORE}", "utf-8")

    german = make_bench(sqlite_bench.store, tmp_path / "deutsch", edit=edit)
    found = Script(german).get("/privacy")
    assert found["language"] == "de"
    said = " ".join(found["paragraphs"])
    assert "Bezahlt werden 0.40 EUR für jede Aufgabe." in said
    assert "bis 90 Tage nach dem Ende der Studie" in said
    assert "Annotators" not in said
    page = text_of(Manager(german, "cora").get("/manage"))
    assert [each for each in found["paragraphs"] if each not in page] == []
    assert "Annotators can at any time see" in " ".join(Script(sqlite_bench).get("/privacy")["paragraphs"])
