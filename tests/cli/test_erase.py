"""`assay erase`: asked before, done to the last byte, and said what still knows the person."""

from pathlib import Path

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
