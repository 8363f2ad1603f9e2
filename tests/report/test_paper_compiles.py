"""What a paper gets of each template compiles with LaTeX, and all of it stands on its pages."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from tools import latex

from assay.errors import AssayError
from assay.items.reader import read_items
from assay.report.build import Report
from assay.report.paper.files import paper_files
from assay.report.paper.fonts import font_of
from assay.simulate import Character
from assay.store import Backend
from assay.store.coordinator import imported_judgments
from tests.conftest import T0, make_bench
from tests.report.test_simulated_studies import reported


@pytest.mark.thorough("compiles a document with every figure and table, which takes a LaTeX of the system")
@pytest.mark.parametrize("template", ["empathy", "trajectories", "dialog-pairs", "in-car", "route-planning"])
def test_the_folder_compiles_with_a_latex_that_has_booktabs(
    template: str, sqlite_store: Backend, tmp_path: Path
) -> None:
    if why := latex.missing():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(why)
    try:
        font_of(None)
    except AssayError as error:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{error.what}: {error.hint}")
    folder = tmp_path / "paper"
    for each in paper_files(filled(template, sqlite_store, tmp_path / "study")):
        (folder / each.name).parent.mkdir(parents=True, exist_ok=True)
        (folder / each.name).write_bytes(each.content)
    for command in ("pdflatex", "bibtex", "pdflatex", "pdflatex"):
        quiet = ["-interaction=nonstopmode", "-halt-on-error"] if command == "pdflatex" else []
        done = subprocess.run([command, *quiet, "paper"], cwd=folder, capture_output=True)
        assert done.returncode == 0, done.stdout.decode("latin-1")[-2000:]
        assert b"isn't style-file defined" not in done.stdout
    said = (folder / "paper.log").read_text("latin-1")
    assert "undefined" not in said, "a source or a reference that is not there"
    assert re.findall(r"Float too large.*", said) == [], "what is cut at the foot of a page"
    wide = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", said)]
    assert [points for points in wide if points > 3] == [], "what stands over the margin"


def filled(template: str, store: Backend, folder: Path) -> Report:
    """A template with simulated annotators, and what judges said where its files have that."""
    bench = make_bench(store, folder, template)
    rows = read_items(bench.study, bench.folder / bench.study.items.source)
    judged = [(row.name, each) for row in rows for each in row.judgments if each.judge]
    if judged:
        store.write(imported_judgments.add, bench.study_id, bench.study, judged, T0)
    return reported(bench, Character("ana", 0.9), Character("ben", 0.8), Character("cleo", 0.7))
