"""`assay erase`: asked before, done to the last byte, and said what still knows the person."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.study.templates import copy_template
from tests.servers import command as run


def test_somebody_is_erased_after_a_question_and_older_files_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    copy_template("empathy", folder)
    assert run("import", str(folder)).returncode == 0
    assert run("invite", str(folder), "--name", "Wilhelmina").returncode == 0
    assert run("backup", str(folder), "--out", str(folder / "old.backup")).returncode == 0
    assert b"Wilhelmina" in (folder / "assay.db").read_bytes()
    asked = run("erase", "Wilhelmina", str(folder))
    assert asked.returncode != 0
    assert "cannot be undone" in asked.stderr
    assert b"Wilhelmina" in (folder / "assay.db").read_bytes(), "nothing happens without a yes"
    done = run("erase", "Wilhelmina", str(folder), "--yes")
    assert done.returncode == 0, done.stderr
    assert "old.backup" in done.stderr
    assert b"Wilhelmina" not in (folder / "assay.db").read_bytes()
    assert "nobody in this study" in run("erase", "Wilhelmina", str(folder), "--yes").stderr
    restored = run("restore", str(folder / "old.backup"), str(folder), "--replace")
    assert restored.returncode == 0, restored.stderr
    assert b"Wilhelmina" not in (folder / "assay.db").read_bytes(), "and again in what is restored"


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_backups_in_the_studys_folder_are_named_with_their_date(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    folder = tmp_path / "study"
    copy_template("empathy", folder)
    new_postgres: Callable[[], str] | None = request.getfixturevalue("new_postgres") if kind != "sqlite" else None
    at = [str(folder), *(["--database", new_postgres()] if new_postgres else [])]
    assert run("import", *at).returncode == 0
    assert run("invite", *at, "--name", "Wilhelmina", "--name", "Ben").returncode == 0
    assert run("backup", *at).returncode == 0
    [backup] = (folder / "backups").iterdir()
    done = run("erase", "Wilhelmina", *at, "--yes")
    dated = rf"This file of \d{{4}}-\d\d-\d\d \d\d:\d\d \(UTC\) .*{re.escape(backup.name)}"
    assert re.search(dated, done.stderr), done.stderr
    as_json = json.loads(run("erase", "Ben", *at, "--yes", "--json").stdout)
    assert as_json["backups"] == [str(backup)]
    [older] = as_json["older_files"]
    assert older["file"] == str(backup)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT.*", older["made_at"])
