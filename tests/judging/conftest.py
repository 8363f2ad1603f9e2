"""Fixtures of the tests of automated judges."""

import asyncio
import csv
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assay.cli import build, main
from tests.study.small import folder_with

STUDY = """\
study: small
title: A small study
items:
  source: items.csv
  system: model
  show:
    - text: {field: response, label: Reply}
rubric:
  - dimension: warmth
    ask: How warm is it?
    scale: {from: 1, to: 5, anchors: {1: cold, 5: warm}}
    boundaries: {4-5: A 5 has no cold word.}
  - dimension: clear
    yes_no: {}
  - dimension: note
    optional: true
    text: {}
rules:
  - required: note
    when: warmth == 5
    message: Say what makes it so warm.
assignment: {per_item: 2}
"""


@dataclass(frozen=True)
class Said:
    """What a command said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., Said]


@pytest.fixture(autouse=True)
def _no_loop_of_a_browser() -> Iterator[None]:
    """A worker that has had a browser keeps its loop running, beside which a run of judges could not start its own."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    def call(*arguments: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["assay", *map(str, arguments)])
        code: Any = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code
        return Said(code or 0, *capsys.readouterr())

    return call


def write_study(folder: Path, items: int, text: str = STUDY) -> Path:
    """A study's folder with so many items by two systems."""
    folder_with(folder, text)
    with (folder / "items.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "response", "model", "internal"])
        for number in range(items):
            model = f"canary-system-{number % 2}"
            writer.writerow([f"canary-id-{number}", f"Reply number {number}.", model, f"canary-hidden-{number}"])
    return folder


def write_judges(folder: Path, *entries: str, more: str = "") -> None:
    """A file of judges: each entry is a mapping in YAML's flow style."""
    text = "judges:\n" + "".join(f"  - {each}\n" for each in entries) + more
    (folder / "judges.yaml").write_text(text, "utf-8")


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small study with ten items in its store."""
    folder = write_study(tmp_path_factory.mktemp("judged") / "study", 10)
    assert CliRunner().invoke(build(), ["import", str(folder)]).exit_code == 0
    return folder


@pytest.fixture
def study(tmp_path: Path, made_once: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(made_once, tmp_path / "study")


def kept(folder: Path, file: str = "answers.jsonl") -> list[dict[str, Any]]:
    """What is kept of the judges."""
    path = folder / "judged" / file
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
