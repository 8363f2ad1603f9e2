"""The power of the test that is made: by formulas where there are some, and by what must hold whatever the numbers."""

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from assay.statistics.comparison import preference_power
from assay.statistics.comparison.ordinal_power import OrdinalOutcome, components_of_outcome
from assay.statistics.comparison.planning import Components, detectable_difference
from assay.statistics.comparison.power import (
    PlannedTest,
    alike_in_groups,
    detectable_by_test,
    effective_level,
    error_of_difference,
    interval_of_items,
    items_for_test,
)
from assay.statistics.comparison.preference_power import (
    detectable_net,
    interval_for_net,
    items_for_net,
    sign_test_power,
)

PARTS = Components(1.0, 0.8)


@pytest.mark.parametrize(("size", "n"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_one_test_takes_the_pairs_that_are_published_for_students(size, n):
    """Small, medium and large effects of Cohen (1988), two-sided at 0.05 with a power of 0.80, as G*Power has it."""
    assert items_for_test(Components(1.0, 0.0), PlannedTest(), size, 1) == n


def test_with_many_items_it_is_the_formula():
    many = detectable_by_test(PARTS, PlannedTest(), 100_000, 2)
    assert many == pytest.approx(detectable_difference(PARTS, 100_000, 2), rel=1e-3)


@pytest.mark.parametrize("tests", [2, 5, 12])
def test_bonferroni_is_a_level_that_is_divided(tests):
    level = effective_level(PlannedTest(dimensions=tests, correction="bonferroni"))
    assert level == pytest.approx(0.05 / tests, rel=0.06)
    assert effective_level(PlannedTest(dimensions=tests)) >= level * 0.97, "Holm is never harder"
    assert effective_level(PlannedTest(dimensions=tests, correction="none")) == 0.05


def test_groups_cost_what_the_design_effect_says():
    alone, grouped = PlannedTest(), PlannedTest(per_group=5, alike=0.25)
    ratio = error_of_difference(PARTS, grouped, 200, 3) / error_of_difference(PARTS, alone, 200, 3)
    assert ratio == pytest.approx(math.sqrt(1 + 4 * 0.25))
    assert detectable_by_test(PARTS, grouped, 200, 3) > ratio * detectable_by_test(PARTS, alone, 200, 3)


def test_for_annotators_like_these_no_number_of_items_may_do():
    like_these = PlannedTest(people=0.2)
    assert items_for_test(PARTS, like_these, 0.3, 6) is None
    assert items_for_test(PARTS, like_these, 1.0, 6) is not None
    assert math.isinf(detectable_by_test(PARTS, like_these, 500, 3)), "of three annotators the report says nothing"
    wide = [detectable_by_test(PARTS, like_these, n, 8) for n in (50, 500, 50_000)]
    assert wide[0] > wide[1] > wide[2] > 0.2


def test_on_a_scale_of_whole_points_a_difference_must_lie_half_a_step_of_the_turned_sums_further_out():
    smooth, whole = PlannedTest(), PlannedTest(step=1.0)
    for n, k in ((20, 1), (96, 3)):
        apart = detectable_by_test(PARTS, whole, n, k) - detectable_by_test(PARTS, smooth, n, k)
        assert apart == pytest.approx(1 / (n * k))
    n = items_for_test(PARTS, whole, 1.0, 1)
    assert detectable_by_test(PARTS, whole, n, 1) <= 1.0 < detectable_by_test(PARTS, whole, n - 1, 1)
    assert n > items_for_test(PARTS, smooth, 1.0, 1)
    margin = PlannedTest(step=1.0, show="equivalence")
    without = PlannedTest(show="equivalence")
    assert detectable_by_test(PARTS, margin, 20, 2) == detectable_by_test(PARTS, without, 20, 2), "Student's test"


def test_the_number_of_items_is_the_least_that_does():
    for test in (PlannedTest(), PlannedTest(systems=3), PlannedTest(per_group=2, alike=0.3)):
        n = items_for_test(PARTS, test, 0.3, 2)
        assert n is not None
        assert detectable_by_test(PARTS, test, n, 2) <= 0.3 < detectable_by_test(PARTS, test, int(0.9 * n), 2)
    assert items_for_test(PARTS, PlannedTest(), 0.0, 2) is None


def test_the_interval_of_a_number_of_items_is_that_of_a_variance():
    low, high = interval_of_items(1000, 30)
    assert low == math.floor(1000 * 29 / stats.chi2.ppf(0.975, 29))
    assert high == math.ceil(1000 * 29 / stats.chi2.ppf(0.025, 29))


def test_the_power_of_the_sign_test_adds_up_over_everything_that_can_happen():
    n, net, ties = 12, 0.5, 0.25
    won, lost = (1 - ties + net) / 2, (1 - ties - net) / 2
    whole = 0.0
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            if wins + losses and stats.binomtest(wins, wins + losses).pvalue <= 0.05:
                whole += stats.multinomial.pmf([wins, losses, n - wins - losses], n, [won, lost, ties])
    assert sign_test_power(n, net, ties) == pytest.approx(whole, abs=1e-9)


def test_preferences_need_as_many_items_as_the_power_says():
    n = items_for_net(0.3, 0.2)
    assert all(sign_test_power(each, 0.3, 0.2) >= 0.8 for each in range(n, n + 40))
    assert sign_test_power(n - 1, 0.3, 0.2) < 0.8
    net = detectable_net(200, 0.2)
    assert sign_test_power(200, net, 0.2) == pytest.approx(0.8, abs=1e-3)
    assert items_for_net(0.0, 0.2) is None
    with pytest.raises(ValueError, match="wins and losses make up the rest"):
        sign_test_power(100, 0.9, 0.2)


def test_the_interval_of_a_number_of_preferences_is_that_of_the_share_of_ties():
    few, many = proportion_confint(12, 40, method="wilson")
    assert interval_for_net(0.25, 12, 40) == (items_for_net(0.25, many), items_for_net(0.25, few))
    wide, narrow = interval_for_net(0.2, 6, 20), interval_for_net(0.2, 60, 200)
    assert wide[0] < narrow[0] < items_for_net(0.2, 0.3) < narrow[1] < wide[1], "a larger pilot tells more"
    assert interval_for_net(0.3, 16, 20)[0] == items_for_net(0.3, 0.7), "more ties leave no room for 0.3"
    assert interval_for_net(0.005, 4, 20) is None, "too many items to be planned"


def test_a_small_net_win_rate_is_planned_without_trying_every_number(monkeypatch):
    tried = []
    power = preference_power.sign_test_power
    monkeypatch.setattr(preference_power, "sign_test_power", lambda n, *rest: tried.append(n) or power(n, *rest))
    assert preference_power.items_for_net(0.06, 0.3) == 1556
    assert len(tried) < 300, "the way down from 1.3 times the normal approximation took 550"


def test_where_everything_is_tied_no_number_of_items_shows_a_difference():
    assert detectable_net(100, 1.0) is None
    assert items_for_net(0.3, 1.0) is None
    assert items_for_net(0.3, 0.8) is None, "wins and losses make up less than that"
    assert items_for_net(0.2, 0.8) is not None, "every decided item is won"


def test_a_scale_that_ends_has_the_declared_shares_and_the_asked_difference():
    outcome = OrdinalOutcome((1, 2, 3, 4, 5), (0.05, 0.05, 0.1, 0.3, 0.5), agreement=0.5)
    first, second = outcome.draw_judgments(np.random.default_rng(1), 100_000, 1, 0.3)
    assert [float((second == value).mean()) for value in (1, 2, 3, 4, 5)] == pytest.approx(
        list(outcome.shares), abs=0.006
    )
    assert float(first.mean() - second.mean()) == pytest.approx(0.3, abs=0.015)
    assert components_of_outcome(outcome, 0.85) is None, "the mean is 4.15, and the scale ends at 5"
    # Two independent yes-or-no values: the variance of their difference is the sum of both.
    coin = components_of_outcome(OrdinalOutcome((0, 1), (0.5, 0.5), agreement=0.0), 0.2)
    assert coin.of_difference(1) == pytest.approx(0.25 + 0.7 * 0.3, abs=0.01)
    assert coin.between == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize(
    ("values", "shares", "words"),
    [
        ((1, 2), (0.5, 0.6), "add up to 1"),
        ((2, 1), (0.5, 0.5), "values rise"),
        ((1,), (1.0,), "two values or more"),
    ],
)
def test_shares_that_cannot_be_are_refused(values, shares, words):
    with pytest.raises(ValueError, match=words):
        OrdinalOutcome(values, shares)


def test_groups_whose_values_are_equal_are_wholly_alike():
    assert alike_in_groups([1, 1, 5, 5, 3, 3], list("aabbcc")) == 1.0
    assert alike_in_groups([1, 5, 1, 5, 1, 5], list("aabbcc")) == 0.0
    assert alike_in_groups([1, 2, 3], list("abc")) == 0.0, "no group has two"
