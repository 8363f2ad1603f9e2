"""Each formula of agreement is broken in every way that `tools/mutate.py` knows, and known values must notice.

The values are published ones and, for gaps that nobody published, those of the definitions written out by hand. The
tool does the same for all modules with all of their tests, which takes minutes.
"""

import ast
import importlib.util
import inspect
import re
import sys
import textwrap
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np
import pytest
from agreement_cases import CASES, ratings_of, slow

from assay.kinds import STATISTICS
from assay.statistics import Patterns, Ratings, icc_two_way, kendall_w, krippendorff_alpha, pairs
from assay.statistics.base import Statistic

spec = importlib.util.spec_from_file_location("mutate", Path(__file__).parents[2] / "tools" / "mutate.py")
mutate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(mutate)

FIVE = [1, 2, 3, 4, 5]
FORMULAS = (
    "weights",
    "expected_disagreement",
    "contributions",
    "observed_disagreement",
    "combine",
    "_of_pairs",
    "_components",
    "_variances",
)
KINDS = dict.fromkeys(
    base
    for statistic in STATISTICS.values()
    for base in type(statistic).__mro__
    if issubclass(base, Statistic) and base is not Statistic
)
METHODS = [
    pytest.param(kind, name, kind, id=f"{kind.__name__}.{name}")
    for kind in KINDS
    for name in FORMULAS
    # What calls super() only asks for the length of the scale.
    if name in vars(kind) and not re.search(r"NotImplementedError|super\(\)", inspect.getsource(vars(kind)[name]))
]
METHODS += [
    pytest.param(kendall_w.RankTally, "_values_by_rank", kendall_w.KendallW, id="RankTally._values_by_rank"),
    pytest.param(
        krippendorff_alpha, "_frequencies_of_shared", krippendorff_alpha.OrdinalAlpha, id="_frequencies_of_shared"
    ),
    pytest.param(icc_two_way, "_count_freedom", icc_two_way.TwoWay, id="_count_freedom"),
    pytest.param(icc_two_way, "_fit", icc_two_way.TwoWay, id="_fit"),
    pytest.param(icc_two_way, "_severity", icc_two_way.TwoWay, id="_severity"),
]
NO_DIFFERENCE = {
    ("0.0 to 0.01", "distances.max(initial=0.0)"): "only a scale without points has no largest distance",
    ("Gt to GtE", "if farthest > 0 else distances"): "only a scale of one point has no distance at all",
    ("1 to 2", "np.maximum(judged * (judged - 1), 1)"): "two judgments make 2 already, and fewer are not counted",
    ("1 to 2", "// max(1, len(scale))"): "only a scale without points has no length",
    ("0.0 to 0.01", "given / np.maximum(judged, 1), 0.0)"): "who is in no item of a draw is not counted among them",
    ("Gt to GtE", "shares = np.where(judged > 0"): "nothing over 1 is nothing as well",
    ("1 to 2", "max(1, q * (q - 1))"): "two categories make 2 already",
    ("0 to 1", "counted, total = judged > 0"): "an item that counts has two judgments or more, others none",
    ("0 to 1", "counted = judged > 0"): "an item that counts has two judgments or more, others none",
    (
        "0.0 to 0.01",
        "np.maximum(patterns.n_judgments - 1, 1), 0.0)",
    ): "of an item that does not count there is nothing to weigh",
    ("1.0 to 1.51", "np.minimum(1.0, ratio("): "it takes off what rounding adds",
    ("Mult to Div", "fixed = (groups[:, None] == groups)"): "any number fixes the mean of a group",
    ("1.0 to 1.51", "fixed = (groups[:, None] == groups)"): "any number fixes the mean of a group",
    ("Pow to Mult", "square = (values**2)"): "it says only what is as small as rounding",
    ("2 to 3", "square = (values**2)"): "it says only what is as small as rounding",
    ("Add to Sub", "within_items + within_annotators)"): "it says only what is as small as rounding",
}
"""Changes that no value of these tables can show, with the reason."""


def answers(statistic):
    """The tables of which somebody published this coefficient."""
    yield from ((known.ratings(), known.value, known.tolerance) for known in statistic.known)
    for case in CASES.values():
        if statistic.name in case["expected"]:
            yield ratings_of(case), *case["expected"][statistic.name]
    for rows in by_hand():
        value = slow(statistic.name, [row for row in rows if any(row)], FIVE)
        if value is not None:
            yield with_nothing([*rows, [None] * len(rows[0])]), value, 1e-9


def by_hand():
    """Tables with gaps: by lot, with somebody who judged one item, with a pair that shares just half of the items."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        values = rng.integers(0, 6, size=(rng.integers(3, 14), rng.integers(2, 5))).tolist()
        yield [[value or None for value in row] for row in values]
    yield [[1, 2, 4], [3, 3, None], [5, 4, None], [2, 2, None], [1, 3, None]]
    yield [[1, 2, 2], [3, 3, 5], [5, 4, None], [2, 1, None]]


def with_nothing(rows):
    """The table with items that nobody judged, and with an annotator who judged nothing."""
    values = np.array([[(value or 0) - 1 for value in (*row, 0)] for row in rows])
    return Ratings(values, tuple(FIVE), "ratio", range(len(rows)), tuple(range(len(rows[0]) + 1)))


KEPT = [
    kept for module in (icc_two_way, pairs) for kept in vars(module).values() if isinstance(kept, WeakKeyDictionary)
]


def wrong(kind):
    """Whether any coefficient of a kind misses any of its published values, or fails over them."""
    for kept in KEPT:
        kept.clear()  # what was computed before the formula was broken
    for statistic in STATISTICS.values():
        if isinstance(statistic, kind):
            for patterns, value, tolerance in PREPARED[statistic.name]:
                try:
                    found = statistic.tally(patterns).value()
                except (ArithmeticError, IndexError, TypeError, ValueError, RuntimeWarning):
                    return True
                if found is None or abs(found - value) > tolerance:
                    return True
    return False


PREPARED = {
    name: [
        (Patterns.of(ratings) if statistic.by_annotator else Patterns.of(ratings).nameless, value, tolerance)
        for ratings, value, tolerance in answers(statistic)
    ]
    for name, statistic in STATISTICS.items()
}


@pytest.mark.parametrize(("owner", "name", "kind"), METHODS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_formula_that_is_broken_misses_a_known_value(owner, name, kind, monkeypatch):
    assert not wrong(kind)
    method = vars(owner)[name]
    source = textwrap.dedent(inspect.getsource(method))
    lived = []
    for line, words, broken in mutate.mutants(ast.parse(source)):
        space = dict(vars(sys.modules[kind.__module__]))
        exec(compile(ast.fix_missing_locations(broken), "mutant", "exec"), space)
        monkeypatch.setattr(owner, name, space[name])
        said = source.splitlines()[line - 1].strip()
        if not wrong(kind) and not any(words == change and part in said for change, part in NO_DIFFERENCE):
            lived.append(f"{words}: {said}")
    assert lived == []


def test_every_change_that_makes_no_difference_is_one_that_can_be_made():
    source = "\n".join(inspect.getsource(sys.modules[kind.__module__]) for kind in KINDS)
    assert [part for _, part in NO_DIFFERENCE if part not in source] == []
