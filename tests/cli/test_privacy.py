"""A text for an ethics board says what the study file declares, and what is left to be filled in."""

import json
from pathlib import Path

from assay.study.templates import copy_template
from tests.servers import command as run

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
