"""What is not documented fails here."""

import importlib.util
import re
from pathlib import Path

import pytest

from assay.cli import build
from assay.kinds import FAMILIES

ROOT = Path(__file__).parent.parent
spec = importlib.util.spec_from_file_location("reference", ROOT / "tools" / "reference.py")
assert spec is not None
assert spec.loader is not None
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)

PAGES = reference.pages()


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_reference_page_says_what_the_code_says(name: str) -> None:
    written = (ROOT / "docs" / name).read_text("utf-8")
    assert written == PAGES[name], "run `make docs` and commit what it writes"


@pytest.mark.parametrize(("family", "kind"), [(name, kind) for name, family in FAMILIES.items() for kind in family])
def test_every_kind_is_in_the_reference(family: str, kind: str) -> None:
    page = PAGES["statistics.md"] if family == "statistic" else PAGES["study-file.md"]
    assert f"`{kind}`" in page


def test_every_command_is_in_the_reference() -> None:
    for command in build().registered_commands:
        assert f"## `assay {command.name}`" in PAGES["commands.md"]


def test_every_key_of_the_study_file_has_words() -> None:
    empty = [line for line in PAGES["study-file.md"].splitlines() if re.fullmatch(r"\| `.*\|\s*\|", line)]
    assert empty == []


def test_the_readme_is_short_and_names_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(readme.splitlines()) < 120
    assert "make demo" in readme
    assert "make test" in readme


def test_links_between_pages_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_readme_names_only_commands_that_exist() -> None:
    known = {command.name for command in build().registered_commands}
    for page in [ROOT / "README.md", *ROOT.glob("docs/*.md")]:
        for word in re.findall(r"(?:^|`|bin/)assay ([a-z]+)", page.read_text("utf-8"), re.M):
            assert word in known | {"is"}, f"{page.name}: assay {word}"


def test_ci_runs_the_readmes_test_command_and_nothing_else() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    commands = [line for line in lines if line and not line.startswith(("#", "set ", "cd "))]
    assert commands == ["make test"]
