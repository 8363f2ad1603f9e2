"""What a usual run leaves out is chosen by marks, said in the summary, and leaves no template untried."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools.fonts import FAMILIES

from assay.study.templates import template_names
from tests.selection import on_templates

ROOT = Path(__file__).parent.parent
HERE = Path(__file__).parent

CONFTEST = "from tests.selection import Selection\ndef pytest_configure(config):\n"
CONFTEST += "    config.addinivalue_line('markers', 'thorough(why): left out')\n"
CONFTEST += "    config.pluginmanager.register(Selection())\n"
SOME = """
import pytest
from tests.selection import on_templates

@on_templates("empathy", "in-car")
def test_{name}(name):
    pass

@pytest.mark.thorough("because it is long")
def test_long():
    raise AssertionError("it was tried")

def test_short():
    pass
"""


def run(*arguments: str, cwd: Path = ROOT, **settings: str) -> str:
    """What a pytest of its own says."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "ASSAY_"))}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [environment.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment | settings, capture_output=True, text=True).stdout


def run_tree(tree: Path, workers: int, **settings: str) -> str:
    # Without the plugins that these tests do not need: loading them takes longer than the tests.
    return run("-p", "xdist", "-n", str(workers), "-v", cwd=tree, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", **settings)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Tests that are the same but for their names."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    for name in ("one", "renamed", "renamed_again"):
        (tmp_path / f"test_{name}.py").write_text(SOME.format(name=name))
    return tmp_path


@pytest.mark.parametrize("workers", [0, 2])
def test_a_test_tries_the_templates_that_it_names_and_the_summary_says_what_was_left_out(
    tree: Path, workers: int
) -> None:
    said = run_tree(tree, workers)
    tried = set(re.findall(r"::test_(\w+)\[([\w-]+)\]", said))
    names = ("one", "renamed", "renamed_again")
    assert tried == {(name, template) for name in names for template in ("empathy", "in-car")}
    assert re.search(r"\b9 passed", said)
    others = len(template_names()) - 2
    for name in names:
        assert f"{others:4} test_{name}.py on other templates\n" in said
        assert f"   1 test_{name}.py because it is long\n" in said
    assert f"{3 * others + 3:4} in all" in said


def test_a_thorough_run_leaves_nothing_out(tree: Path) -> None:
    said = run_tree(tree, 0, ASSAY_THOROUGH="1")
    assert re.search(rf"\b3 failed, {3 * len(template_names()) + 3} passed", said), "the long ones were tried"
    assert "left to make thorough" not in said


def test_a_template_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="no such template: sympathy"):
        on_templates("empathy", "sympathy")


def test_every_file_that_leaves_templates_out_still_tries_each_of_them() -> None:
    users = [path for path in sorted(HERE.rglob("test_*.py")) if "import on_templates\n" in path.read_text("utf-8")]
    files = [str(path.relative_to(ROOT)) for path in users if path != Path(__file__)] + ["tests/test_templates.py"]
    assert len(files) > 5
    collected = run("--collect-only", "-q", *files)
    untried = [
        (file, template)
        for file in files
        for template in template_names()
        if not re.search(rf"^{re.escape(file)}::.+\[(.+-)?{template}(-.+)?\]$", collected, re.MULTILINE)
    ]
    assert untried == []


LAID_OUT = {
    "tests/browser/test_figures.py": "test_every_figure_has_room_for_what_it_says_in_any_font",
    "tests/browser/test_report.py": "test_a_report_cuts_nothing_in_any_font",
    "tests/browser/test_layout.py": "test_nothing_is_cut_or_scrolls_sideways_in_other_fonts",
    "tests/browser/test_coordinator.py": "test_the_coordinators_pages_cut_nothing_in_other_fonts",
}
"""What lays pages out in other fonts: figures, the report, an annotator's page, the coordinator's pages."""


def test_a_usual_run_lays_pages_out_in_every_family_of_fonts() -> None:
    collected = run("--collect-only", "-q", *LAID_OUT)
    untried = [
        (name, family)
        for file, name in LAID_OUT.items()
        for family in FAMILIES
        # All other tests of a page run under the wide one.
        if family != "wide" and not re.search(rf"^{file}::{name}\[(.+-)?{family}\]$", collected, re.MULTILINE)
    ]
    assert untried == []
