"""Each scenario of `tools/coverage.py` in a few studies; `make thorough` and the tool itself draw more of them."""

import os

import pytest
from scipy import stats
from tests.selection import first_of
from tools.coverage import SCENARIOS, main, page_of
from tools.coverage_scenario import Scenario, share_of

from assay.statistics.f_distribution import f_exceeded

STUDIES = 600 if os.environ.get("ASSAY_THOROUGH") else 40


LONG = "mean of kappas, 11,175 pairs, gaps"
"""Takes as long as all others together; without gaps the same is tried each time."""
SHORT, REST = ([each for each in SCENARIOS if (each.name == LONG) == is_long] for is_long in (False, True))


@pytest.mark.parametrize("scenario", first_of(SHORT, REST, "the longest simulation"), ids=lambda each: each.name)
def test_intervals_hold_and_tests_find_nothing_as_often_as_they_should(scenario):
    found = share_of(scenario, STUDIES, first=5000)
    assert found.good, (found.value, found.declined, scenario.wanted)


PROMISED = [each for each in SCENARIOS if each.name.startswith("promised 0.80")]


@pytest.mark.thorough("forty thousand studies each")
@pytest.mark.parametrize("scenario", PROMISED, ids=lambda each: each.name)
def test_promised_power_is_between_77_and_83_with_all_of_the_error_of_the_simulation(scenario):
    found = share_of(scenario, 40_000, first=50_000)
    assert (scenario.least, scenario.most) == (0.77, 0.83)
    assert found.surely_good, (found.value, found.error)


def test_what_is_promised_is_shown_by_many_studies_and_not_by_few():
    assert len(PROMISED) >= 8
    four_of_five = Scenario("four of five", "", lambda seed: seed % 5 > 0, 0.77, 0.83)
    just_below = Scenario("just below", "", lambda seed: seed % 1000 < 775, 0.77, 0.83)
    assert not share_of(four_of_five, 600).surely_good
    assert share_of(four_of_five, 10_000).surely_good
    assert share_of(just_below, 10_000).good
    assert not share_of(just_below, 10_000).surely_good


def test_a_share_beyond_what_chance_explains_is_not_good():
    always = Scenario("always", "", lambda seed: True, most=0.05)
    often = Scenario("often", "", lambda seed: seed % 10 > 1, least=0.93)
    assert not share_of(always, 60).good
    assert not share_of(often, 60).good
    declines = share_of(Scenario("declines", "", lambda seed: None, most=0.05), 60)
    assert (declines.value, declines.declined, declines.good) == (0, 60, True)


def test_the_tool_prints_and_writes_a_table(capsys):
    assert main(["--studies", "3", "--only", "sign test"]) in (0, 1)
    assert "sign test, groups" in capsys.readouterr().out
    assert "| **sign test, groups**:" in page_of(
        [share_of(next(each for each in SCENARIOS if each.name == "sign test, groups"), 3)]
    )


def test_a_p_value_is_right_where_it_is_too_small_to_be_seen_beside_1():
    for t, degrees in ((2.0, 7), (20.0, 100), (40.0, 58)):
        assert f_exceeded(t * t, 1, degrees) == pytest.approx(2 * stats.t.sf(t, degrees), rel=1e-9)
    assert f_exceeded(1e300, 1, 1000) > 0
