"""Tables that say little or nothing: every statistic gives a finite number or a reason, and never what is no number."""

import json
import math
from dataclasses import asdict, fields, is_dataclass
from itertools import product

import numpy as np
import pytest

from assay.kinds import STATISTICS
from assay.statistics import Ratings, Scale, agree, by_category, pairwise, statistics_for
from assay.statistics.comparison import aggregates, bradley_terry, calibration, effect_sizes, planning, precision
from assay.statistics.comparison.alt_test import alt_test
from assay.statistics.comparison.binary_tests import clopper_pearson, mcnemar, paired_shares, unpaired_shares
from assay.statistics.comparison.dawid_skene import dawid_skene
from assay.statistics.comparison.judges import judge_against_people
from assay.statistics.comparison.preferences import Preference, position_bias, scores_and_preference, win_rates
from assay.statistics.comparison.rank_tests import mann_whitney, sign_flip, wilcoxon
from assay.statistics.comparison.system_level import system_level
from assay.statistics.comparison.systems import compare, compare_all, compare_unpaired, item_means
from assay.statistics.correlation import pearson, spearman
from assay.statistics.estimate import difference_of_means, mean_of, slope_of
from assay.statistics.halo import halo
from assay.statistics.spread_ratio import spread_ratio
from assay.statistics.wilson import wilson

SCALES = {
    "five points": (1, 2, 3, 4, 5),
    "two points": (0, 1),
    "one point": (1,),
    "no points": (),
    "from zero": (0, 1, 2),
    "falling": (5, 4, 3, 2, 1),
    "words": ("a", "b", "c"),
    "huge": (0, 1e150, 1e200, 1e300, 1.7e308),
    "tiny": (0, 1e-300, 1e-200, 1e-160, 1e-5),
    "both ways": (-1.7e308, -5, 0, 5, 1.7e308),
    "far off": (1e15, 1e15 + 1, 1e15 + 2, 1e15 + 3, 1e15 + 4),
    "close": (1, 1 + 1e-15, 1 + 3e-15),
}


def degenerate(q):
    """Tables on a scale of q points."""
    rng, apart = np.random.default_rng(3), np.full((6, 3), -1)
    yield from (np.zeros((0, 0), int), np.zeros((0, 3), int), np.zeros((4, 0), int), np.full((5, 3), -1))
    if not q:
        return
    apart[np.arange(6), np.arange(6) % 3] = rng.integers(0, q, 6)
    yield apart  # no overlap
    yield from (rng.integers(0, q, (6, 1)), rng.integers(0, q, (1, 4)), np.zeros((1, 1), int))
    yield from (np.full((40, 3), q - 1), np.zeros((4, 3), int))  # no variation, of many and of few
    yield np.array([[0, 0, -1, -1]] * 3 + [[-1, -1, q - 1, q - 1]] * 3)
    yield from (
        np.array([[0, q - 1]] * 35),
        np.array([[0, q - 1], [q - 1, 0]] * 20),
        np.array([[0, q - 1], [q - 1, 0]]),
    )
    yield from (np.array([[i % q] * 3 for i in range(40)]), np.array([[i % q] * 3 for i in range(5)]))
    yield np.array([[0, 0]] * 39 + [[0, q - 1]])
    yield from (rng.integers(0, q, (7, 3)), rng.integers(-1, q, (9, 4)), rng.integers(-1, q, (50, 5)))


def sound(found):
    """Whether a coefficient is a finite number in its interval, or a reason."""
    json.dumps(asdict(found), allow_nan=False)
    assert (found.value is None) == (found.undefined is not None)
    if found.value is None:
        assert found.undefined
        assert found.ci is None
    if found.ci is not None:
        assert found.ci[0] - 1e-9 <= found.value <= found.ci[1] + 1e-9


def tables_on(name, level):
    categories = SCALES[name]
    for values in degenerate(len(categories)):
        yield values, (categories, level, tuple(range(len(values))), tuple(range(values.shape[1])))


EVERY_LEVEL = [("five points", "nominal"), ("five points", "interval"), ("both ways", "interval"), ("words", "nominal")]
HIGHEST = [(name, "ordinal" if name in ("words", "both ways") else "ratio") for name in SCALES]


@pytest.mark.parametrize(("name", "level"), EVERY_LEVEL + HIGHEST)
def test_a_table_that_says_nothing_has_reasons_and_no_silent_numbers(name, level):
    for values, rest in tables_on(name, level):
        for clusters in (None, np.zeros(len(values), int), np.arange(len(values)) // 2):
            found = agree(Ratings(values, *rest, clusters), draws=40)
            assert [each.name for each in found] == [each.name for each in statistics_for(level)]
            for each in found:
                sound(each)


@pytest.mark.parametrize("name", SCALES)
def test_pairs_and_categories_of_such_tables_are_sound_as_well(name):
    for values, rest in tables_on(name, "nominal"):
        ratings = Ratings(values, *rest)
        for pair in pairwise(ratings, "cohen_kappa", draws=20):
            sound(pair.coefficient)
        for coefficient in by_category(ratings, draws=20).values():
            sound(coefficient)


@pytest.mark.parametrize("unit", [1e-150, 1e-30, 1e30, 1e150, 1e300])
def test_no_coefficient_sees_the_unit_even_if_its_square_is_no_number(unit):
    values = np.random.default_rng(1).integers(0, 5, (12, 3))
    for level in ("interval", "ratio"):
        plain, other = (
            agree(Ratings(values, tuple(scale), level, tuple(range(12)), (0, 1, 2)), draws=0)
            for scale in ((1, 2, 3, 4, 5), (unit, 2 * unit, 3 * unit, 4 * unit, 5 * unit))
        )
        for one, two in zip(plain, other, strict=True):
            assert one.value == pytest.approx(two.value, rel=1e-9), one.name


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 10**400])
def test_what_is_no_number_is_on_no_scale(value):
    with pytest.raises(ValueError, match="infinite, or no number"):
        Scale((1, value) if value != -math.inf else (value, 1), "nominal")


# Comparisons


def found_in(thing, path=""):
    """Every number in what a function gave, with where it stands."""
    if isinstance(thing, bool | str) or thing is None:
        return
    if isinstance(thing, float | np.floating):
        yield path, float(thing)
    elif isinstance(thing, np.ndarray):
        yield from ((path, float(each)) for each in thing.ravel())
    elif is_dataclass(thing):
        for field in fields(thing):
            yield from found_in(getattr(thing, field.name), f"{path}.{field.name}")
    elif isinstance(thing, dict | list | tuple):
        for key, each in thing.items() if isinstance(thing, dict) else enumerate(thing):
            yield from found_in(each, f"{path}[{key}]")


def finite(thing):
    wrong = [(path, value) for path, value in found_in(thing) if not math.isfinite(value)]
    assert wrong == []


LISTS = {
    "none": [],
    "one": [3.0],
    "two alike": [2.0, 2.0],
    "many alike": [4.0] * 40,
    "zeros": [0.0] * 5,
    "large": [4e59, -4e59, 1e59] * 4,
    "many large": [4e59, 2e59, -4e59, 5.0] * 12,
    "tiny": [1e-300, 2e-300, -1e-300] * 3,
    "least of all": [5e-324, 0.0, 5e-324],
    "few": [1.0, 3.0, 2.0],
    "many": [1.0, 2.0, 3.0, 4.0, 5.0] * 8,
    "one apart": [0.0] * 39 + [1.0],
}
TWO = [pytest.param(LISTS[a], LISTS[b], id=f"{a}, {b}") for a, b in product(LISTS, repeat=2)]


@pytest.mark.parametrize(("first", "second"), TWO)
def test_two_systems_of_any_scores_are_compared_by_finite_numbers_or_reasons(first, second):
    a, b, size = dict(enumerate(first)), dict(enumerate(second)), min(len(first), len(second))
    for clusters in (None, dict.fromkeys(range(50), 0), {item: item // 2 for item in range(50)}):
        finite(compare(a, b, clusters=clusters, draws=20))
    finite(compare_unpaired(first, second))
    finite(compare_all({"A": a, "B": b, "C": {}}, draws=20))
    x, y = first[:size], second[:size]
    for function in (effect_sizes.cliffs_delta, effect_sizes.cohens_d_av, mann_whitney, difference_of_means):
        finite(function(first, second))
    for function in (pearson, spearman, slope_of, calibration.calibrate_out_of_fold):
        finite(function(x, y))
    rows = list(zip(range(size), x, y, ("left", "right", "tie") * 20, strict=False))
    finite(scores_and_preference(rows, draws=20))
    finite(scores_and_preference(rows, draws=20, clusters={item: item // 3 for item in range(50)}))
    finite(system_level([(i, "AB"[i % 2], one, other) for i, one, other, _ in rows], draws=20))
    finite(spread_ratio(x, [[each] for each in y]))
    table = np.array([x, y]).T.reshape(-1, 2)
    finite(halo(table, table[:, ::-1]))
    judged = [
        (i // 2, system, i % 2, value) for system, all_ in (("A", first), ("B", second)) for i, value in enumerate(all_)
    ]
    for pilot in planning.pilots(judged):
        finite(pilot)
        finite(planning.power_by_simulation(pilot, 10, 2, 0.5, draws=10))


@pytest.mark.parametrize("values", LISTS.values(), ids=LISTS)
def test_one_list_of_any_values_gives_finite_numbers_or_reasons(values):
    for function in (wilcoxon, sign_flip, mean_of, effect_sizes.cohens_d_z, effect_sizes.rank_biserial):
        finite(function(values))
    finite(sign_flip(values, ["one"] * len(values)))
    finite([aggregates.means({"i": values}), aggregates.medians({"i": values})])
    finite(aggregates.majorities({"i": values}, sorted(set(values))))
    finite(item_means([("i", "A", each) for each in values]))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e61])
def test_what_cannot_be_computed_with_is_refused_and_not_passed_on(value):
    values, others = [1.0, value, 2.0, 3.0, 1.0], [1.0, 2.0, 3.0, 4.0, 5.0]
    table = np.array([values, others]).T
    asked = [
        lambda: compare(dict(enumerate(values)), dict(enumerate(others))),
        lambda: compare_unpaired(values, others),
        lambda: item_means([(0, "A", value)]),
        lambda: pearson(values, others),
        lambda: spearman(values, others),
        lambda: mean_of(values),
        lambda: slope_of(values, others),
        lambda: difference_of_means(values, others),
        lambda: wilcoxon(values),
        lambda: sign_flip(values),
        lambda: mann_whitney(values, others),
        lambda: effect_sizes.cohens_d_z(values),
        lambda: effect_sizes.cliffs_delta(others, values),
        lambda: aggregates.means({0: values}),
        lambda: aggregates.medians({0: values}),
        lambda: calibration.isotonic(values, others),
        lambda: calibration.calibrate_out_of_fold(others, values),
        lambda: scores_and_preference([(0, value, 1.0, "left")]),
        lambda: system_level([(0, "A", value, 1.0)]),
        lambda: planning.pilots([(0, "A", "ann", value)]),
        lambda: spread_ratio(values, [[each] for each in others]),
        lambda: halo(table, table[:, ::-1]),
        lambda: alt_test({0: value}, [(0, "ann", 1), (0, "bo", 2)], distance="squared"),
        lambda: judge_against_people({0: value}, [(0, "ann", 1)], Scale((1, 2), "ordinal")),
    ]
    for function in asked:
        with pytest.raises(ValueError, match=r"cannot be computed with|nor a number"):
            function()


JUDGED = ["none", "constant", "all values", "off the scale"]
PEOPLE = ["none", "one", "two", "constant", "one item", "apart"]


@pytest.mark.parametrize("scale", [(1, 2, 3, 4, 5), ("a", "b"), (1,), (0, 1, 2)], ids=str)
def test_judges_of_any_kind_are_compared_with_people_by_finite_numbers_or_reasons(scale):
    level = "nominal" if scale == ("a", "b") else "ordinal"
    q, items = len(scale), range(40)
    people = {
        "none": [],
        "one": [(i, "ann", scale[i % q]) for i in range(8)],
        "two": [(i, who, scale[(i + (who == "bo")) % q]) for i in items for who in ("ann", "bo")],
        "constant": [(i, who, scale[0]) for i in items for who in ("ann", "bo", "cy")],
        "one item": [(0, who, scale[at % q]) for at, who in enumerate(("ann", "bo", "cy"))],
        "apart": [(i, ("ann", "bo")[i % 2], scale[i % q]) for i in items],
    }
    judges = {
        "none": {},
        "constant": dict.fromkeys(items, scale[-1]),
        "all values": {i: scale[i % q] for i in items},
        "off the scale": {i: 0.1 * i for i in items},
    }
    for rows in people.values():
        finite(dawid_skene(rows, scale))
        for judge in judges.values():
            for clusters in (None, {i: i // 2 for i in items}):
                finite(judge_against_people(judge, rows, Scale(scale, level), clusters, draws=10))
            finite([alt_test(judge, rows), alt_test(judge, rows, least=1)])
            if level != "nominal":
                finite(alt_test(judge, rows, distance="squared", least=1))


PREFERENCES = {
    "none": [],
    "ties": [(i, "A", "B", "tie") for i in range(9)],
    "one": [(0, "A", "B", "left")],
    "always": [(i, "A", "B", "left") for i in range(40)],
    "by side": [(i // 2, "AB"[i % 2], "BA"[i % 2], "left") for i in range(40)],
    "three": [(i, "ABC"[i % 3], "BCA"[i % 3], ("left", "right", "tie")[i % 5 % 3]) for i in range(60)],
    "two worlds": [(0, "A", "B", "left"), (1, "B", "A", "left"), (2, "C", "D", "left"), (3, "D", "C", "left")],
    "one loss": [(i, "A", "B", "left" if i else "right") for i in range(800)],
}


@pytest.mark.parametrize("rows", PREFERENCES.values(), ids=PREFERENCES)
def test_preferences_of_any_kind_give_finite_numbers_or_reasons(rows):
    judged = [Preference(*row) for row in rows]
    finite(position_bias(judged))
    for clusters in (None, dict.fromkeys(range(800), 0), {item: item // 2 for item in range(800)}):
        finite(win_rates(judged, "A", "B", clusters, draws=20))
        for ties, pseudo in product((False, True), (0.0, 0.5)):
            found = bradley_terry.rank_systems(judged, ties, clusters, pseudo, draws=20)
            finite(found)
            assert bool(found.standings) == (found.undefined is None)


def test_the_error_of_a_single_cluster_is_not_said_to_be_nothing():
    judged = [Preference(i, "A", "B", "left" if i % 3 else "right") for i in range(30)]
    alone = bradley_terry.rank_systems(judged, clusters=dict.fromkeys(range(30), 0), draws=20)
    assert [each.se_robust for each in alone.standings] == [None, None]
    assert all(each.se_robust > 0 for each in bradley_terry.rank_systems(judged, draws=20).standings)


def test_shares_of_few_and_of_many_are_finite():
    for first, n in ((0, 0), (0, 1), (1, 1), (0, 10**6), (10**6, 10**6), (5 * 10**5, 10**6)):
        finite([wilson(first, n), clopper_pearson(first, n), unpaired_shares((first, n), (0, 3))])
    for counts in product((0, 1, 7), repeat=4):
        finite([paired_shares(*counts), mcnemar(*counts[:2])])


def test_plans_without_variance_or_with_hardly_a_difference_are_made_or_refused():
    for between, within in ((0, 0), (1e300, 1), (0, 1)):
        parts = planning.Components(between, within)
        finite([planning.detectable_difference(parts, 1, 1), planning.power_of(parts, 10, 1, 0.3)])
        assert planning.items_needed(parts, 1e-200, 1) is None
    assert planning.power_of(planning.Components(0, 0), 10, 1, 0.3) == 1
    assert planning.power_of(planning.Components(0, 0), 10, 1, 0) == pytest.approx(0.05)
    for rho, k in product((-1, -0.5, 0, 0.5, 1), (2, 3)):
        finite(precision.precision_of_icc(rho, 2, k))
    for values, name in product(degenerate(3), ("cohen_kappa", "icc_2_1", "kendall_w")):
        pilot = Ratings(values, (1, 2, 3), "interval", tuple(range(len(values))), tuple(range(values.shape[1])))
        found = precision.precision_from_pilot(pilot, name, 20, draws=20)
        finite(found)
        assert (found.value is None) == (found.undefined is not None)


def test_every_statistic_was_among_those_asked():
    asked = {each.name for level in ("nominal", "ordinal", "interval", "ratio") for each in statistics_for(level)}
    assert asked == set(STATISTICS)
