"""A new thing is one new file, with its template beside it where it has one, and no other file is touched.

Everything in `one_file/added` is put into a copy of the program, and `one_file/use.py` uses it there.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tools.catalogue import load_all, whole_catalogue

import assay
from assay.kinds import FAMILIES
from assay.words import words_of

ROOT = Path(__file__).parent.parent
ADDED = Path(__file__).parent / "one_file" / "added"


def copy_with_additions(folder: Path) -> Path:
    """The program as it is, file by file, and beside its files the new ones."""
    here = Path(assay.__file__).parent
    shutil.copytree(here, folder / "assay", copy_function=os.symlink, ignore=shutil.ignore_patterns("__pycache__"))
    for file in sorted(path for path in ADDED.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        place = folder / "assay" / file.relative_to(ADDED)
        assert place.parent.is_dir(), f"there is no folder for {file.name}"
        assert not place.exists(), f"{file.name} would take the place of a file"
        shutil.copy(file, place)
    # A language is one file too: here English, with one word in Esperanto.
    load_all()
    catalogue = whole_catalogue(words_of("en")).replace('submit = "Submit"', 'submit = "Sendi"')
    (folder / "assay" / "words" / "eo.toml").write_text(catalogue, "utf-8")
    return folder


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of using everything new."""
    folder = tmp_path_factory.mktemp("one_file")
    program = copy_with_additions(folder / "program")
    environment = {**os.environ, "PYTHONPATH": f"{program}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, str(ROOT / "tests" / "one_file" / "use.py"), str(folder / "study")]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


KINDS = {
    "input": "slider",
    "display": "shout",
    "gate": "promise",
    "derivation": "twice",
    "source": "pipes",
    "order": "backwards",
    "statistic": "all_alike",
    "monitor": "diligent",
    "section": "letters",
    "figure": "items",
    "export": "names",
    "panel": "club",
    "judge": "coin",
}


@pytest.mark.parametrize(("family", "name"), KINDS.items())
def test_a_kind_is_found_and_stands_in_the_reference(found: dict[str, Any], family: str, name: str) -> None:
    assert name in found["kinds"][family]
    page = found["reference"][{"statistic": "statistics.md", "judge": "judges-file.md"}.get(family, "study-file.md")]
    assert f"`{name}`" in page


def test_every_family_has_an_addition() -> None:
    assert set(KINDS) == set(FAMILIES)


def test_the_table_of_costs_names_the_files_that_were_added() -> None:
    lines = [line for line in (ROOT / "CONTRIBUTING.md").read_text("utf-8").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]
    costs = {name: (re.findall(r"`([\w/]+/x\.\w+)`", files), touched) for name, files, _, touched in cells}
    written = {str(file.with_stem("x").relative_to(ADDED)) for file in ADDED.rglob("*") if file.is_file()}
    assert len(costs) == len(KINDS) + len(("page", "page", "command", "language", "text"))
    named = {file for files, _ in costs.values() for file in files}
    assert named - written == {"words/x.toml"}, "the language is made"
    assert {file for file in written - named if not file.endswith((".css", ".js", ".toml"))} == set()
    assert [name for name, (_, touched) in costs.items() if not touched.startswith("0")] == ["text of a page"]


def test_a_study_can_use_all_of_them(found: dict[str, Any]) -> None:
    assert "no problems" in found["check"]
    assert "4 items" in found["import"]
    assert "submitted 8 items" in found["simulate"]


def test_an_input_brings_its_control_style_script_words_and_key(found: dict[str, Any]) -> None:
    item = found["pages"]["item"]
    assert '<input class="slider-mark" type="number" name="warmth"' in item
    assert 'data-letter="d"' in item
    assert "to the slider" in item
    assert ".slider-mark" in found["pages"]["style"]
    assert "addKind" in found["pages"]["script"]
    assert '<script type="module" src="/static/judging.whole.js">' in item
    assert "// slider.js" in found["pages"]["scripts"]


def test_a_display_brings_its_block_and_style(found: dict[str, Any]) -> None:
    assert "WHAT IT SAYS" in found["pages"]["item"]
    assert ".shout" in found["pages"]["style"]


def test_a_gate_brings_its_page_and_words(found: dict[str, Any]) -> None:
    assert "I work alone." in found["pages"]["gate"]
    assert "I promise" in found["pages"]["gate"]
    assert found["heading"] == "A promise"


def test_a_language_is_one_file(found: dict[str, Any]) -> None:
    assert '<html lang="eo"' in found["pages"]["item"]
    assert ">Sendi <" in found["pages"]["item"]


def test_an_order_decides_what_comes_first(found: dict[str, Any]) -> None:
    assert "WHAT IT SAYS 4" in found["pages"]["item"]


def test_derivation_statistic_monitor_section_and_figure_are_in_the_results(found: dict[str, Any]) -> None:
    numbers = json.loads(found["report"])
    assert numbers["letters"] == {"letters": len("One of each")}
    assert "The title has 11 letters." in found["page"]
    assert found["coefficient"] == 0.5
    assert "all_alike" in found["report"]
    assert {each["monitor"] for each in numbers["flags"]["flags"]} == {"diligent"}
    assert "doubled" in found["report"]
    assert "How many items are there?" in found["pages"]["dashboard"]
    assert "Items, n\u00a0=\u00a04." in found["pages"]["dashboard"]


def test_an_export_writes_its_file(found: dict[str, Any]) -> None:
    assert "4 items" in found["export"]
    assert found["names"] == [f"item-{number}" for number in range(1, 5)]


def test_a_judge_judges_the_items(found: dict[str, Any]) -> None:
    assert "4 judged items taken in" in found["judge"]


def test_a_page_is_found_with_its_entry_in_the_menu(found: dict[str, Any]) -> None:
    assert "The weather is fair" in found["pages"]["weather"]
    assert '<a href="/coordinate/added/weather">Weather</a>' in found["pages"]["flags"]


def test_a_page_of_the_annotator_is_found(found: dict[str, Any]) -> None:
    assert "You have judged 0 items so far" in found["pages"]["tally"]


def test_a_command_is_found(found: dict[str, Any]) -> None:
    assert found["greeting"] == "Good day, Ada.\n"
    assert "## `assay greet`" in found["reference"]["commands.md"]
