"""What every statistic must bring: a new file is tested by existing."""

import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys

import pytest

import assay.statistics
from assay.kinds import STATISTICS
from assay.statistics import Ratings, agree, statistics_for

MODULES = ["assay.statistics", *(f"assay.statistics.{m.name}" for m in pkgutil.iter_modules(assay.statistics.__path__))]
LEVELS = ("nominal", "ordinal", "interval", "ratio")


@pytest.fixture(params=list(STATISTICS))
def statistic(request):
    return STATISTICS[request.param]


def test_the_statistics_that_studies_name_are_found():
    assert {
        "percent_agreement",
        "within_one_agreement",
        "krippendorff_alpha_nominal",
        "krippendorff_alpha_ordinal",
        "krippendorff_alpha_interval",
        "krippendorff_alpha_ratio",
        "cohen_kappa",
        "cohen_kappa_linear",
        "cohen_kappa_quadratic",
        "scott_pi",
        "fleiss_kappa",
        "conger_kappa",
        "brennan_prediger",
        "gwet_ac1",
        "gwet_ac2_linear",
        "gwet_ac2_quadratic",
        "kendall_w",
        "icc_1_1",
        "icc_1_k",
        "icc_2_1",
        "icc_2_k",
        "icc_3_1",
        "icc_3_k",
    } <= set(STATISTICS)


def test_it_says_what_it_is_in_one_line(statistic):
    assert statistic.doc.endswith(".")
    assert "\n" not in statistic.doc
    assert len(statistic.doc) < 120


def test_its_class_gives_formula_reference_and_example(statistic):
    text = type(statistic).__doc__
    assert "Reference" in text
    assert ">>> " in text


def test_its_class_writes_the_formula_out(statistic):
    # An equation on a line of its own, or in the sentence that says which pairs count.
    assert re.search(r"\n {8}\S.* = |\|place - place'\| <= 1|d\(c, k\) = ", type(statistic).__doc__)


def test_it_reproduces_the_answers_it_brings(statistic):
    assert statistic.known
    for known in statistic.known:
        assert known.source
        (found,) = agree(known.ratings(), [statistic.name])
        assert found.value == pytest.approx(known.value, abs=known.tolerance)


def test_its_rank_is_its_own(statistic):
    assert [other.name for other in STATISTICS.values() if other.rank == statistic.rank] == [statistic.name]


def test_it_fits_every_level_that_it_heads(statistic):
    assert statistic.headline <= statistic.levels
    assert statistic.levels <= set(LEVELS)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_has_one_headline(level):
    assert [level in each.headline for each in statistics_for(level)].count(True) == 1


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([(2, 2, 2)] * 40, id="constant ratings"),
        pytest.param([(1, None), (None, 3)] * 20, id="no overlap"),
        pytest.param([(1,), (2,), (3,)] * 20, id="a single annotator"),
        pytest.param([], id="nothing"),
    ],
)
def test_it_has_a_value_or_says_why_not(statistic, rows):
    for level in statistic.levels:
        (found,) = agree(Ratings.from_rows(rows, (1, 2, 3), level), [statistic.name])
        assert (found.value is None) == bool(found.undefined)
        if rows != [(2, 2, 2)] * 40:
            assert found.undefined


READING = {"export_table", "scale", "arrays", "base", "factors", "finite", "frames", "patterns", "table"}
"""Modules that read and hold tables: what they do has an example, and no author."""
ASKING = {
    "agree",
    "agree_counts",
    "headline",
    "nameless_statistics_for",
    "pairwise",
    "statistics_for",
    "title_of",
    "enough",
}
ASKING |= {"items_shared", "jaccard", "ranks", "values_differ", "share_of_variance"}
"""Functions that ask statistics, or do what needs no author."""
INNER = {"deviations", "find_complete", "centred_values", "nameless_statistics_for", "shrout_fleiss", "agree_with"}
INNER |= {"expected_mean", "expected_means", "fit_of_annotators", "contributions_of", "folds_of", "fitted_weights"}
INNER |= {"few_judged_each", "middle_value"}
"""Parts of one formula, which is tested as a whole."""


@pytest.mark.parametrize("module", MODULES)
def test_every_public_function_has_an_example_and_a_reference(module):
    name = module.removeprefix("assay.statistics").strip(".")
    for function in public_functions(module):
        if name in READING or function.__name__ in INNER:
            continue
        assert ">>> " in function.__doc__, function.__name__
        assert function.__name__ in ASKING or "Reference" in function.__doc__, function.__name__


def public_functions(module):
    """The functions that a module defines for others."""
    found = inspect.getmembers(importlib.import_module(module), inspect.isfunction)
    return [each for name, each in found if each.__module__ == module and not name.startswith("_")]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_the_documentation_run(module):
    assert doctest.testmod(importlib.import_module(module)).failed == 0


def test_looking_up_a_name_does_not_import_numpy():
    code = "import sys; from assay.kinds import STATISTICS; list(STATISTICS); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
