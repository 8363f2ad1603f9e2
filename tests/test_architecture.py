"""The walks of docs/design/architecture.md name functions and files that are there."""

import ast
import re
from pathlib import Path

import pytest

import assay

ROOT = Path(assay.__file__).parent
PAGE = Path(__file__).parent.parent / "docs" / "design" / "architecture.md"
NAMED = sorted(set(re.findall(r"`([\w/]+\.py): (\w+)`", PAGE.read_text("utf-8"))))


def defined_in(file: Path) -> set[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, kinds)}


def test_the_walks_name_functions() -> None:
    assert len(NAMED) > 30


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_a_function_of_the_walks_exists(file: str, name: str) -> None:
    assert name in defined_in(ROOT / file)


def test_every_other_file_and_folder_that_is_named_exists() -> None:
    for name in re.findall(r"`([\w/]+(?:/|\.py))`", PAGE.read_text("utf-8")):
        assert (ROOT / name).exists() or (PAGE.parent.parent.parent / name).exists(), name
