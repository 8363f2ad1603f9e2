"""Taking items in: stopped half-way nothing stays, and bots keep away from people's work."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import func, select

from assay.items.import_plan import LONG_BYTES
from assay.model import Slot
from assay.store import open_store
from assay.store.annotator import assignments, submissions
from assay.store.annotator.submissions import Form
from assay.store.coordinator import arriving, studies
from assay.store.tables import NONE_ARRIVES, annotator, item
from assay.study import load
from assay.study.templates import copy_template
from tests.giving import claim
from tests.inviting import invite
from tests.servers import command as run
from tests.web.annotator import rows

STUDY = """
study: many
title: Many items
items:
  source: items.csv
  show:
    - text: {field: text}
rubric:
  - dimension: quality
    scale: {from: 1, to: 2, anchors: {1: bad, 2: good}}
"""


def many_items(folder: Path, count: int, times: int = 1) -> None:
    """So many items, each of which says the same so many times."""
    (folder / "study.yaml").write_text(STUDY, "utf-8")
    lines = "".join(f"i{number},{f'some words to read {number} ' * times}\n" for number in range(count))
    (folder / "items.csv").write_text(f"id,text\n{lines}", "utf-8")
    run("publish", folder)


@pytest.mark.parametrize("times", [1, 12])
def test_an_import_that_is_stopped_while_it_writes_leaves_nothing_and_says_so(tmp_path: Path, times: int) -> None:
    """Of the longer file another process says what it brings; that ends, too."""
    many_items(tmp_path, 30_000, times)
    assert ((tmp_path / "items.csv").stat().st_size >= LONG_BYTES) == (times > 1)
    command = [sys.executable, "-m", "assay", "import", str(tmp_path)]
    store = open_store(tmp_path / "assay.db")
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as importing:  # type: ignore[call-overload]
        while store.read(arriving.mark, 1) == NONE_ARRIVES and importing.poll() is None:
            time.sleep(0.01)
        importing.send_signal(signal.SIGINT)
        # Comes to its end when nobody has its output open any more: no copy of it is left either.
        _, errors = importing.communicate(timeout=60)
    assert importing.returncode == 130
    assert "nothing was taken in" in errors
    assert "Traceback" not in errors
    assert store.read(arriving.mark, 1) == NONE_ARRIVES
    count = store.read(lambda connection: connection.execute(select(func.count()).select_from(item)).scalar_one())
    store.close()
    assert count == 0


@pytest.mark.parametrize("times", [1, 1000])
def test_what_the_store_refuses_is_said_after_the_plan(tmp_path: Path, times: int) -> None:
    """Also of a long file, of which another process says what it brings."""
    many_items(tmp_path, 200, times)
    file = tmp_path / "items.csv"
    assert (file.stat().st_size >= LONG_BYTES) == (times == 1000)
    run("import", tmp_path)
    file.write_text(file.read_text("utf-8").replace("i7,some", "i7,other") + "new,text\n", "utf-8")
    changed = run("import", tmp_path)
    assert changed.returncode == 2
    assert "items:     201" in changed.stdout
    assert "another content" in changed.stderr
    assert run("remove", tmp_path, "--confirm", "many", "--reason", "over").returncode == 0
    removed = run("import", tmp_path)
    assert "items:     201" in removed.stdout
    assert "the study is removed" in removed.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["schema", "--out", "/nonexistent/schema.json"],
        ["init", "empathy", "/proc/nowhere"],
    ],
)
def test_what_cannot_be_written_is_said_without_a_traceback(arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("assay: ")


def one_submission(folder: Path) -> None:
    """A person judges one item of a study."""
    store = open_store(folder / "assay.db")
    study = load(folder)
    study_id = store.read(studies.find, study.study)[0]
    store.write(invite, study_id, ["ana"], 1)
    [ana] = [row["id"] for row in rows(store, annotator) if row["name"] == "ana"]
    store.write(claim, study_id, study, ana, now=1)
    task = store.read(assignments.current, ana)
    assert task is not None
    form = Form({Slot("emotion"): 3}, shown_at=1, active_ms=1)
    store.write(submissions.submit, ana, task.public_id, study, form, 2)
    store.close()


def test_bots_keep_away_from_a_study_that_people_work_on(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    copy_template("empathy", folder)
    assert run("import", str(folder)).returncode == 0
    assert run("simulate", str(folder), "--items", "1").returncode == 0
    assert run("simulate", str(folder), "--items", "1", "--prefix", "more").returncode == 0, "bots after bots are fine"
    one_submission(folder)
    refused = run("simulate", str(folder), "--items", "1", "--prefix", "late")
    assert refused.returncode == 1
    assert "people have judged items of this study" in refused.stderr
    assert run("simulate", str(folder), "--items", "1", "--prefix", "late", "--anyway").returncode == 0


def test_imports_are_listed_and_taken_back_by_their_number(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(STUDY, "utf-8")
    (tmp_path / "items.csv").write_text("id,text\ni1,one\ni2,two\n", "utf-8")
    assert run("import", str(tmp_path), "--list").stdout == "Nothing has come in yet.\n"
    back = f"`assay import {tmp_path} --undo 1 --reason ...` takes it back."
    assert f"This is import 1; {back}" in run("import", str(tmp_path)).stdout
    (tmp_path / "more.csv").write_text("id,text\ni3,three\n", "utf-8")
    assert run("import", str(tmp_path), "--items", str(tmp_path / "more.csv"), "--by", "cora").returncode == 0
    listed = run("import", str(tmp_path), "--list").stdout.splitlines()
    assert listed[0].endswith("  cora: 1 item from more.csv")
    without = run("import", str(tmp_path), "--undo", "2")
    assert without.returncode == 1
    assert "a reason is needed to take an import back" in without.stderr
    assert "--reason" in without.stderr
    attempt = run("import", str(tmp_path), "--undo", "2", "--reason", "the wrong file", "--dry-run")
    assert attempt.stdout == "Import 2 would be taken back: 1 item.\nNothing was changed (--dry-run).\n", attempt.stderr
    attempt = run("import", str(tmp_path), "--undo", "1", "--take-out", "--reason", "x", "--dry-run", "--json")
    assert json.loads(attempt.stdout) == {"number": 1, "taken_out": 2, "dry_run": True}
    assert "taken back" not in run("import", str(tmp_path), "--list").stdout
    done = run("import", str(tmp_path), "--undo", "2", "--reason", "the wrong file", "--by", "dora")
    assert done.stdout == "Import 2 is taken back: 1 item.\n", done.stderr
    listed = run("import", str(tmp_path), "--list").stdout.splitlines()
    assert listed[1].endswith("by dora: the wrong file")
    found = json.loads(run("import", str(tmp_path), "--list", "--json").stdout)
    assert [(each["number"], each["files"]) for each in found["imports"]] == [(2, ["more.csv"]), (1, ["items.csv"])]
    out = run("import", str(tmp_path), "--undo", "1", "--take-out", "--reason", "broken")
    assert out.stdout == "2 items of import 1 taken out.\n", out.stderr
    assert run("verify", str(tmp_path)).returncode == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--undo", "1", "--reason", "x", "--items", "more.csv"], "--undo takes nothing in, and goes without --items"),
        (["--undo", "1", "--reason", "x", "--sheet", "a.csv"], "--undo takes nothing in, and goes without --sheet"),
        (["--list", "--with-judgments"], "--list takes nothing in, and goes without --with-judgments"),
        (["--list", "--undo", "1"], "--list takes nothing in, and goes without --undo"),
        (["--take-out"], "--take-out goes with --undo"),
    ],
)
def test_what_lists_or_takes_back_takes_nothing_in(tmp_path: Path, options: list[str], said: str) -> None:
    (tmp_path / "study.yaml").write_text(STUDY, "utf-8")
    (tmp_path / "items.csv").write_text("id,text\ni1,one\n", "utf-8")
    refused = run("import", str(tmp_path), *options)
    assert refused.returncode == 1
    assert said in refused.stderr
    assert run("import", str(tmp_path), "--list").stdout == "Nothing has come in yet.\n"


def test_the_plan_says_what_the_order_of_items_gives_away(tmp_path: Path) -> None:
    copy_template("dialog-pairs", tmp_path)
    plan = run("import", str(tmp_path), "--dry-run").stdout
    assert "sequence:  the candidate that comes again below the same text is Linnet's in 24 of 24 cases, never" in plan
    told = json.loads(run("import", str(tmp_path), "--dry-run", "--json").stdout)["plan"]
    assert len(told["sequence"]) == 2
    file = tmp_path / "study.yaml"
    text = file.read_text("utf-8").replace("apart: true", "together: true").replace("order: random", "order: fixed")
    file.write_text(text, "utf-8")
    said = run("import", str(tmp_path), "--dry-run").stderr
    assert (
        "warning:   blinding: the candidate that comes again below the same text is Linnet's in 24 of 24 cases, 24"
        in said
    )
