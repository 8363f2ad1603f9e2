"""What every function that compares must bring: formula or meaning, reference, and an example that runs."""

import doctest
import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import assay.statistics.comparison

MODULES = [f"assay.statistics.comparison.{m.name}" for m in pkgutil.iter_modules(assay.statistics.comparison.__path__)]
PAGE = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text("utf-8")
# Read on their own lines by those above them.
INSIDE = {"assay.statistics.comparison.weighted_formulas"}


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_the_documentation_run(module):
    found = doctest.testmod(importlib.import_module(module))
    assert found.attempted > 0
    assert found.failed == 0


PLAIN = {"clusters_of", "confusion_with_mean", "item_means", "mean_components", "quotient"}
PLAIN |= {"step_of", "sums_by_value", "swapped_pairs", "weighted_median", "why_not_comparable"}
"""Functions that sort, count or average what others judge: they need no author."""


@pytest.mark.parametrize("module", MODULES)
def test_every_public_function_has_an_example_and_a_reference(module):
    for name, thing in inspect.getmembers(importlib.import_module(module), inspect.isfunction):
        if thing.__module__ == module and thing.__name__ == name and not name.startswith("_"):
            assert ">>> " in (thing.__doc__ or ""), name
            assert name in PLAIN or "Reference" in thing.__doc__, name


@pytest.mark.parametrize("module", sorted(set(MODULES) - INSIDE))
def test_every_function_with_an_example_is_on_the_page(module):
    for name, thing in inspect.getmembers(importlib.import_module(module), inspect.isfunction):
        if thing.__module__ != module or thing.__name__ != name or name.startswith("_"):
            continue
        if ">>> " in (thing.__doc__ or ""):
            assert f"#### `{name}(" in PAGE


def test_looking_up_a_coefficient_imports_no_comparison():
    code = (
        "import sys; from assay.kinds import STATISTICS; list(STATISTICS);"
        "sys.exit(any(name.startswith('assay.statistics.compari') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_importing_comparisons_imports_neither_numpy_nor_scipy():
    code = f"import sys, {', '.join(MODULES)}; sys.exit('numpy' in sys.modules or 'scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_what_the_documentation_of_0_1_0_named_can_still_be_imported():
    from assay.statistics.comparing.dropped import without_each
    from assay.statistics.comparing.paired_comparison import connected, expected
    from assay.statistics.comparing.planning import Pilot
    from assay.statistics.comparing.system_level import confounded
    from assay.statistics.comparing.systems import compare
    from assay.statistics.comparing.twice import judged_twice

    from assay.statistics.comparison import paired_comparison, planning, second_judgments, system_level, systems

    assert compare is systems.compare
    assert without_each.__module__ == "assay.statistics.comparison.without_each"
    assert judged_twice is second_judgments.second_judgments
    assert confounded is system_level.why_not_comparable
    assert Pilot is planning.PilotDifferences
    assert (connected, expected) == (paired_comparison.is_connected, paired_comparison.expected_points)
