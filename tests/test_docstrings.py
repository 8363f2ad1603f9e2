"""Examples in docstrings are run, so that they say what the code does. Those of `statistics` have their own tests."""

import doctest
import importlib
from pathlib import Path

import pytest

import assay

SOURCE = Path(assay.__file__).parent
MODULES = [
    ".".join(("assay", *path.relative_to(SOURCE).with_suffix("").parts))
    for path in sorted(SOURCE.rglob("*.py"))
    if ">>> " in path.read_text("utf-8") and "statistics" not in path.parts
]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_are_right(module: str) -> None:
    found = doctest.testmod(importlib.import_module(module))
    assert found.attempted > 0
    assert found.failed == 0


def test_modules_with_examples_are_found() -> None:
    assert {"assay.sides_and_candidates", "assay.judgments.units", "assay.report.charts"} < set(MODULES)
