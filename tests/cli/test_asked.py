"""A study with a question that is asked after some answers only, from its file to its report."""

import csv
import json
from pathlib import Path
from typing import Any

from assay.cli.check import check_study
from tests.ruled import ASKED, ruled
from tests.servers import assay


def read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_question_that_is_not_asked_leaves_no_row_and_its_limits_are_said(tmp_path: Path) -> None:
    ruled("asking", ASKED, ())(tmp_path)
    assay("check", tmp_path)
    assay("import", tmp_path)
    assay("simulate", tmp_path, "--annotators", "3")
    assay("export", tmp_path)
    rows = read(tmp_path / "judgments.csv")
    right = {row["submission"]: row["value"] for row in rows if row["dimension"] == "right"}
    kinds = {row["submission"] for row in rows if row["dimension"] == "kinds"}
    assert 0 < len(kinds) < len(right) == 18
    assert kinds == {submission for submission, value in right.items() if value == "0"}
    [meaning] = [row["meaning"] for row in read(tmp_path / "judgments.csv.dictionary.csv") if row["of"] == "grave"]
    assert meaning.endswith("(asked only when count(kinds) >= 1; else there is no value)")
    assay("report", tmp_path)
    limits = json.loads((tmp_path / "report.json").read_text("utf-8"))["limits"]["limits"]
    [said] = [each["says"] for each in limits if each["about"] == "not asked of all"]
    assert said.startswith("Not everybody was asked: How bad is asked only when count(kinds) >= 1.")


def test_a_question_that_is_never_asked_is_a_problem(tmp_path: Path) -> None:
    ruled("asking", [*ASKED, {"dimension": "more", "text": {}, "ask_when": "right > 1"}], ())(tmp_path)
    [mistake] = check_study(tmp_path).mistakes
    assert mistake.what == "more is never asked: no answer makes this true"
    assert "study.yaml:" in mistake.where
