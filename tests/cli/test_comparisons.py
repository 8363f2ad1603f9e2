"""A study of pairs on the command line: each comparison in the direction of its file, the same in every command."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.study.templates import copy_template
from tests.servers import command as run

TITLES = [
    f"{dimension} (Linnet against {other})"
    for dimension in ("Completion", "Readability")
    for other in ("Heron", "system")
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The template of dialogue pairs with the labels that its file has."""
    made = tmp_path_factory.mktemp("pairs") / "study"
    copy_template("dialog-pairs", made)
    assert run("import", str(made), "--with-judgments").returncode == 0
    return made


@pytest.fixture(scope="module")
def report(folder: Path) -> Any:
    assert run("report", str(folder)).returncode == 0
    return json.loads((folder / "report.json").read_text("utf-8"))


def test_status_has_the_reports_value_and_interval_of_each_comparison(folder: Path, report: Any) -> None:
    done = run("status", str(folder), "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["agreement"]
    assert [row["title"] for row in found] == TITLES
    for row, of_report in zip(found, report["agreement"]["dimensions"], strict=True):
        assert (row["system"], row["against"]) == (of_report["system"], of_report["against"])
        [main] = [each for each in of_report["coefficients"] if each["name"] == row["coefficient"]]
        assert (row["value"], row["ci"]) == (main["value"], main["ci"])
        assert row["n_items"] == of_report["n_items"]


def test_the_report_says_majorities_and_shares_in_the_direction_of_the_file(report: Any, folder: Path) -> None:
    turns = [turn for each in json.loads((folder / "dialogues.json").read_text("utf-8")) for turn in each["info"]]
    for row in report["preferences"]["families"][0]["dimensions"]:
        assert [pair["system"] for pair in row["pairs"]] == ["Linnet", "Linnet"]
        for pair in row["pairs"]:
            labels = [turn[f"Linnet vs. {pair['against']}"][row["title"]] for turn in turns]
            given = [label for each in labels for label in each]
            assert pair["wins"]["value"] == pytest.approx(given.count("Linnet") / len(given))
            assert pair["ties"]["value"] == pytest.approx(given.count("Tie") / len(given))
            most = [max(set(each), key=each.count) for each in labels]
            won = sum(each.count(name) > 1 for each, name in zip(labels, most, strict=True) if name == "Linnet")
            assert pair["majority"]["wins"] == won
            assert pair["majority"]["items"] == len(labels)


def test_the_text_of_status_names_each_comparison(folder: Path) -> None:
    text = run("status", str(folder)).stdout
    for title in TITLES:
        assert f"  {title} " in text
    assert "  Completion, all 2 comparisons together " in text
    assert "items judged by two or more, each taken in both directions" in text
