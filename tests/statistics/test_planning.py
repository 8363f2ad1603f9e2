"""How many items and annotators it takes."""

import math

import numpy as np
import pytest
from comparison_cases import CASES
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.statistics import Ratings, agree
from assay.statistics.comparison.planning import (
    Components,
    detectable_difference,
    items_needed,
    mean_components,
    pilots,
    power_by_simulation,
    power_of,
)
from assay.statistics.comparison.precision import (
    items_for_icc,
    precision_from_alpha,
    precision_from_pilot,
    precision_of_icc,
)

# A and B of SummEval's four dimensions, from 120 pairs of systems on 100 documents.
SUMMEVAL = {"coherence": (1.01, 0.83), "consistency": (1.05, 0.17), "fluency": (0.66, 0.32), "relevance": (0.55, 0.77)}


def pilot_rows(n=200, k=3, between=1.0, within=0.8, difference=0.3, seed=1, crossed=True):
    chance = np.random.default_rng(seed)
    item, apart = chance.normal(3, 1, n), difference + chance.normal(0, math.sqrt(between), n)
    rows = []
    for i in range(n):
        for a in range(k):
            noise = chance.normal(0, math.sqrt(within / 2), 2)
            rows.append((i, "A", a, item[i] + apart[i] + noise[0]))
            rows.append((i, "B", a if crossed else k + a, item[i] + noise[1]))
    return rows


@pytest.mark.parametrize(
    ("dimension", "k", "expected"),
    [
        ("coherence", 1, 0.38),
        ("coherence", 3, 0.32),
        ("coherence", 5, 0.30),
        ("relevance", 1, 0.32),
        ("relevance", 3, 0.25),
        ("relevance", 5, 0.24),
    ],
)
def test_the_detectable_differences_of_summeval(dimension, k, expected):
    assert round(detectable_difference(Components(*SUMMEVAL[dimension]), 100, k), 2) == expected


@pytest.mark.parametrize(
    ("dimension", "n"), [("coherence", 253), ("consistency", 218), ("fluency", 151), ("relevance", 159)]
)
def test_the_items_that_summeval_needs_for_a_fifth_of_a_point(dimension, n):
    # The design notes give 253, 216, 151 and 159 from unrounded variances.
    assert items_needed(Components(*SUMMEVAL[dimension]), 0.2, 3) == pytest.approx(n, abs=1)


def test_items_beat_annotators():
    coherence = Components(*SUMMEVAL["coherence"])
    assert round(detectable_difference(coherence, 100, 3), 2) == 0.32
    assert round(detectable_difference(coherence, 300, 1), 2) == 0.22


@settings(deadline=None)
@given(
    between=st.floats(0.01, 3),
    within=st.floats(0, 3),
    k=st.integers(1, 9),
    difference=st.floats(0.05, 2),
    power=st.floats(0.5, 0.99),
)
def test_the_items_needed_are_the_least_that_detect_the_difference(between, within, k, difference, power):
    components = Components(between, within)
    n = items_needed(components, difference, k, power)
    assert detectable_difference(components, n, k, power) <= difference + 1e-6
    assert n == 2 or detectable_difference(components, n - 1, k, power) > difference
    assert power_of(components, n, k, difference) >= power - 1e-6


def test_a_little_more_than_so_many_items_is_one_item_more():
    at = Components(between=1.0, within=0.0)
    whole = detectable_difference(at, 100, 1)
    assert [items_needed(at, whole * factor, 1) for factor in (1, 0.99998, 1.0001)] == [100, 101, 100]
    assert items_needed(at, whole * 1.006, 1) == 99


def test_power_without_a_difference_is_alpha():
    assert power_of(Components(1, 1), 50, 3, 0.0) == pytest.approx(0.05)
    assert items_needed(Components(1, 1), 0.0, 3) is None


@pytest.mark.parametrize("crossed", [True, False])
def test_a_pilot_gives_back_the_variances_that_made_it(crossed):
    (found,) = pilots(pilot_rows(n=3000, crossed=crossed))
    assert found.components.between == pytest.approx(1.0, rel=0.1)
    assert found.components.within == pytest.approx(0.8, rel=0.05)
    assert found.systems == ("A", "B")
    assert ("both systems" in found.components.method) == crossed


def test_what_an_annotator_always_gives_does_not_count_where_they_judged_both_systems():
    rows = [(i, s, a, value + 2 * a) for i, s, a, value in pilot_rows(n=300)]
    assert pilots(rows)[0].components.within == pytest.approx(pilots(pilot_rows(n=300))[0].components.within)


def test_variance_components_are_worked_out_by_hand():
    # Item 1: differences 1 and 3 (mean 2, variance 2); item 2: 0 and 0. B = 1, var of means 2, A = 2 - 1/2.
    rows = [(1, "A", "x", 2), (1, "B", "x", 1), (1, "A", "y", 4), (1, "B", "y", 1)]
    rows += [(2, s, a, 3) for s in "AB" for a in "xy"]
    found = pilots(rows)[0].components
    assert (found.between, found.within) == (1.5, 1.0)


def test_a_pilot_that_cannot_tell_says_why():
    single = pilots([(i, s, "x", i % 3) for i in range(5) for s in "AB"])[0]
    assert single.undefined == "no item has two annotators, so A and B are one"
    apart = pilots([(1, "A", "x", 1), (2, "B", "x", 1)])[0]
    assert apart.undefined == "the two systems share fewer than two items"
    assert mean_components([single, apart]) is None
    assert power_by_simulation(single, 50, 3, 0.3).undefined == single.undefined


def test_components_of_several_pairs_are_averaged():
    rows = pilot_rows(n=50) + [(i, "C", a, value) for i, s, a, value in pilot_rows(n=50, seed=2) if s == "A"]
    found = pilots(rows)
    assert [each.systems for each in found] == [("A", "B"), ("A", "C"), ("B", "C")]
    assert mean_components(found).between == pytest.approx(np.mean([each.components.between for each in found]))


def test_formula_and_simulation_tell_the_same():
    (pilot,) = pilots(pilot_rows(n=400))
    for n, k in ((100, 1), (100, 3), (200, 3)):
        simulated = power_by_simulation(pilot, n, k, 0.3, draws=2000)
        assert simulated.value == pytest.approx(power_of(pilot.components, n, k, 0.3), abs=0.035)
        assert simulated.ci[0] < simulated.value < simulated.ci[1]
    assert power_by_simulation(pilot, 100, 3, 0.0, draws=2000).value == pytest.approx(0.05, abs=0.02)
    assert power_by_simulation(pilot, 100, 3, 0.3, seed=4) == power_by_simulation(pilot, 100, 3, 0.3, seed=4)
    assert power_by_simulation(pilot, 1, 3, 0.3).undefined


def test_a_pilot_of_different_annotators_is_simulated_alike():
    (pilot,) = pilots(pilot_rows(n=400, crossed=False))
    simulated = power_by_simulation(pilot, 100, 1, 0.4, draws=2000)
    assert simulated.value == pytest.approx(power_of(pilot.components, 100, 1, 0.4), abs=0.035)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: Components(-1, 0), "variances are numbers from 0 up"),
        (lambda: Components(math.nan, 0), "variances are numbers from 0 up"),
        (lambda: Components(1, 1).of_difference(0), "at least one annotator, not 0"),
        (lambda: detectable_difference(Components(1, 1), 0, 1), "at least one item, not 0"),
        (lambda: detectable_difference(Components(1, 1), 10, 1, power=1), "power and alpha lie between 0 and 1"),
        (lambda: precision_of_icc(1.2, 10, 2), "between -1 and 1, and this one is 1.2"),
        (lambda: precision_of_icc(0.5, 1, 2), "two items and two annotators or more"),
        (lambda: precision_from_alpha(-0.1, 10, 2), "state 0 or more"),
        (lambda: items_for_icc(0.8, 0.6, 2), r"\(0.6\) must lie above what it is compared with \(0.8\)"),
        (lambda: items_for_icc(0.6, 0.8, 1), "two annotators, not 1"),
    ],
)
def test_what_cannot_be_planned_is_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong()


# Precision of agreement


def test_the_precision_of_the_design_notes():
    # k = 3, alpha 0.6: half-width about .14 at n = 50, .10 at 100, .06 at 300.
    for n, half in ((50, 0.14), (100, 0.10), (300, 0.06)):
        assert round(precision_of_icc(0.6, n, 3).half_width, 2) == half
        assert precision_from_alpha(0.6, n, 3, draws=2000).half_width == pytest.approx(half, abs=0.012)


@settings(deadline=None, max_examples=20)
@given(rho=st.floats(0.1, 0.9), k=st.integers(2, 5))
def test_more_items_and_more_annotators_never_make_it_less_precise(rho, k):
    widths = [precision_of_icc(rho, n, k).half_width for n in (20, 50, 200)]
    assert widths == sorted(widths, reverse=True)
    assert precision_of_icc(rho, 300, k + 1).half_width <= precision_of_icc(rho, 300, k).half_width + 1e-9


def pilot_ratings(n=150, k=4):
    chance = np.random.default_rng(3)
    item = chance.normal(3, 1.1, (n, 1))
    values = np.clip(np.round(item + chance.normal(0, 0.8, (n, k))), 1, 5).astype(int)
    return Ratings.from_rows(values.tolist(), (1, 2, 3, 4, 5), "interval")


def test_simulated_tables_have_the_alpha_of_the_library():
    from assay.statistics.comparison.precision import _alpha

    values = np.random.default_rng(1).integers(1, 6, (3, 20, 3)).astype(float)
    for table, found in zip(values, _alpha(values), strict=True):
        ratings = Ratings.from_rows(table.astype(int).tolist(), (1, 2, 3, 4, 5), "interval")
        assert found == pytest.approx(agree(ratings, ["krippendorff_alpha_interval"], draws=0)[0].value)


def test_a_pilot_foretells_its_own_interval():
    ratings = pilot_ratings()
    (now,) = agree(ratings, ["krippendorff_alpha_interval"], draws=2000)
    found = precision_from_pilot(ratings, "krippendorff_alpha_interval", 150, draws=2000)
    assert (found.low, found.high) == pytest.approx(now.ci, abs=0.02)
    assert found.k == 4


def test_four_times_the_items_halve_the_width_and_fewer_annotators_widen_it():
    ratings = pilot_ratings()
    few, many = (precision_from_pilot(ratings, "krippendorff_alpha_interval", n).half_width for n in (60, 240))
    assert few / many == pytest.approx(2, rel=0.15)
    two = precision_from_pilot(ratings, "krippendorff_alpha_interval", 60, k=2)
    assert two.half_width > few
    assert two.k == 2


def test_what_a_pilot_cannot_tell_is_said():
    ratings = pilot_ratings(n=20, k=2)
    assert "2 annotators, and 5 cannot be drawn" in precision_from_pilot(ratings, "gwet_ac1", 50, k=5).undefined
    assert precision_from_pilot(ratings, "gwet_ac1", 50, k=1).undefined
    assert precision_from_pilot(ratings, "gwet_ac1", 1).undefined
    nominal = Ratings.from_rows([("a", "b")] * 9, ("a", "b"), "nominal")
    assert "needs a scale" in precision_from_pilot(nominal, "icc_1_1", 50).undefined
    same = Ratings.from_rows([(1, 1)] * 9, (1, 2), "interval")
    assert precision_from_pilot(same, "cohen_kappa", 50).undefined == "the coefficient was undefined in every draw"
    with pytest.raises(ValueError, match="there is no statistic 'kappa'"):
        precision_from_pilot(ratings, "kappa", 50)
    rare = Ratings.from_rows([(1, 1)] * 19 + [(1, 2)], (1, 2), "interval")
    assert "draws, which are left out" in precision_from_pilot(rare, "krippendorff_alpha_interval", 5).method


def test_the_items_of_walter_eliasziw_and_donner():
    case = CASES["walter_eliasziw_donner_1998"]
    data = case["data"]
    found = items_for_icc(data["rho0"], data["rho1"], data["n_raters"], data["power"], data["alpha_one_sided"])
    assert found == case["expected"]["k_items"]


@settings(deadline=None)
@given(low=st.floats(0, 0.7), more=st.floats(0.1, 0.25), k=st.integers(2, 8))
def test_more_annotators_need_fewer_items_to_show_an_agreement(low, more, k):
    assert items_for_icc(low, low + more, k + 1) <= items_for_icc(low, low + more, k)
    assert items_for_icc(low, low + more, k, power=0.9) >= items_for_icc(low, low + more, k)
