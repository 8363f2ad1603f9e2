"""Letting somebody pass a gate on the command line."""

from pathlib import Path

import pytest

from assay.store import open_store
from assay.store.tables import action, gate_pass
from assay.study.templates import copy_template
from tests.servers import command as run
from tests.web.annotator import rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy_template("empathy", tmp_path / "study")
    assert run("import", str(tmp_path / "study")).returncode == 0
    assert run("invite", str(tmp_path / "study"), "--name", "ana").returncode == 0
    return tmp_path / "study"


def test_somebody_passes_a_gate_once_with_a_reason_that_is_kept(folder: Path) -> None:
    done = run("gate", "ana", "calibration", str(folder), "--reason", "we talked", "--by", "carla")
    assert done.stdout == "ana has passed calibration.\n"
    again = run("gate", "ana", "calibration", str(folder), "--reason", "again")
    assert again.returncode == 1
    assert again.stderr == "assay: ana has passed calibration already\n  hint: nothing is left to do\n"
    store = open_store(folder / "assay.db")
    [passed] = rows(store, gate_pass)
    *_, acted = rows(store, action)  # the items and the invitation come first
    store.close()
    assert (passed["gate"], passed["by"], passed["reason"]) == ("calibration", "carla", "we talked")
    assert (acted["by"], acted["about"], acted["reason"]) == ("carla", "calibration", "we talked")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ana", "quiz", "--reason", "x"), "the study has no gate 'quiz'"),
        (("ben", "reading", "--reason", "x"), "'ben'"),
        (("ana", "reading"), "a reason is needed to pass a gate"),
    ],
)
def test_what_cannot_be_done_is_said(folder: Path, arguments: tuple[str, ...], words: str) -> None:
    name, gate, *rest = arguments
    done = run("gate", name, gate, str(folder), *rest)
    assert done.returncode == 1
    assert words in done.stderr
