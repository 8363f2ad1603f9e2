"""The stopping rule that a study declares: each condition where it holds, and where nothing is decided."""

from dataclasses import replace
from typing import Any

import pytest

from assay.fieldwork import Fieldwork, StopReached
from assay.report.looks import looks_of
from assay.report.stop_rule_state import PairUnderRule, stop_rule_state
from assay.study.analysis import ComparisonSettings
from assay.study.stopping import StopRule
from tests.report.comparing import ROUTES, WAYS, comparing, data, report, scores, ungrouped
from tests.report.test_decisions import claiming
from tests.report.test_preferences_section import outcomes

APART = scores({"A": [3, 4, 5, 4] * 20, "B": [2, 3, 3, 3] * 20})
ALIKE = scores({"A": [3, 4, 3, 4] * 20, "B": [4, 3, 4, 3] * 20})
UNSURE = scores({"A": [2, 5] * 20, "B": [4, 3] * 20})
NEAR = scores({"A": [3, 4, 3, 3, 3, 3, 3, 3] * 20, "B": [3, 3, 4, 3, 3, 3, 3, 3] * 20})
EARLY = scores({"A": [5, 4, 5, 4, 4] * 5, "B": [1, 1, 1, 1, 2] * 5})
MARGIN = ComparisonSettings(show="equivalence", margin=0.5)


def routes(**rule: Any) -> Any:
    return claiming(comparing(ROUTES, MARGIN), looks="any", stop_when=StopRule(on=("coherence",), **rule))


def state(study: Any, said: Any) -> Any:
    found = stop_rule_state(data(study, said))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("rule", "holds", "does_not"),
    [
        ({"difference_shown": True}, APART, ALIKE),
        ({"equivalence_shown": True}, NEAR, APART),
        ({"narrower_than": 0.5}, NEAR, ALIKE),
        ({"difference_shown": True, "equivalence_shown": True}, NEAR, UNSURE),
    ],
)
def test_a_condition_settles_what_it_is_about_and_nothing_else(rule: Any, holds: Any, does_not: Any) -> None:
    assert state(routes(**rule), holds).reached
    undecided = state(routes(**rule), does_not)
    assert not undecided.reached
    assert [each.settled_by for each in undecided.pairs] == [""]


def test_a_system_that_is_shown_not_to_be_worse_settles_its_pair_in_these_words() -> None:
    asked = ComparisonSettings(show="non_inferiority", margin=0.5)
    rule = StopRule(on=("coherence",), equivalence_shown=True)
    study = claiming(comparing(ROUTES, asked), looks="any", stop_when=rule)
    found = state(study, APART)
    assert found.rule == "for every pair of systems, on coherence: the first is not worse by the margin or more"
    assert [each.settled_by for each in found.pairs] == ["A is not worse than B by 0.50 points or more (p < 0.001)"]
    swapped = [replace(each, system={"A": "B", "B": "A"}[each.system]) for each in APART]
    assert [each.settled_by for each in state(study, swapped).pairs] == [""], "it is worse, or may be"
    both = claiming(comparing(ROUTES, asked, MARGIN), looks="any", stop_when=rule)
    end = "no difference as large as the margin is left, or the first is not worse by the margin or more"
    assert both.analysis.stop_rule_in_words.endswith(f": {end}")


def test_before_thirty_items_nothing_is_settled_however_far_systems_lie_apart() -> None:
    for rule in ({"difference_shown": True}, {"narrower_than": 5}, {"equivalence_shown": True}):
        assert not state(routes(**rule), EARLY).reached


def test_every_pair_has_to_be_settled() -> None:
    three = scores({"A": [3, 4, 5, 4] * 20, "B": [2, 3, 3, 3] * 20, "C": [3, 2, 3, 3] * 20})
    found = state(routes(difference_shown=True), three)
    assert [bool(each.settled_by) for each in found.pairs] == [True, True, False]
    assert not found.reached


def test_a_rule_about_nothing_that_was_judged_is_not_reached() -> None:
    other = claiming(ROUTES, looks="any", stop_when=StopRule(difference_shown=True, on=("fluency",)))
    assert not state(other, APART).reached


def test_preferences_are_settled_by_their_own_width() -> None:
    for width, reached in ((0.8, True), (0.1, False)):
        study = claiming(ungrouped(WAYS), looks="any", stop_when=StopRule(narrower_than_net=width))
        assert state(study, outcomes(50, 20, 48)).reached is reached


def test_where_nothing_is_compared_the_mean_has_to_be_narrow() -> None:
    one = scores({"": [3, 4, 3, 4] * 20})
    for width, reached in ((0.6, True), (0.1, False)):
        study = claiming(ROUTES, looks="any", stop_when=StopRule(narrower_than=width))
        assert state(study, one).reached is reached


def test_the_report_prints_the_rule_the_time_and_the_saving() -> None:
    study = routes(difference_shown=True)
    reached = StopReached("the rule", 1_800_000_000_000, "A − B 1.25 [0.9, 1.6]", judged=120, planned=400)
    made = report(study, APART, fieldwork=Fieldwork(stopped=reached))
    said = " ".join(made.summary())
    assert "The study was to stop for every pair of systems, on coherence: a difference is shown." in said
    assert "reached on 2027-01-15 08:00 UTC, with 120 of 400 planned judgments of items: 280 were not needed" in said
    assert made.numbers()["looks"]["saved"] == 280
    still = " ".join(report(study, ALIKE, fieldwork=Fieldwork()).summary())
    assert "It is not reached: 1 of 1 are not settled." in still
    assert "to stop" not in " ".join(report(ROUTES, APART).summary())


def test_what_is_under_the_rule_carries_the_sign_of_a_difference() -> None:
    def said(measure: Any) -> str:
        return PairUnderRule("Overall", "A − B", 0.5, (0.25, 0.75), "", measure).in_words()

    assert said("difference") == "Overall, A − B +0.50 [0.25, 0.75]: not settled"
    assert said("net win rate") == "Overall, A − B +50 % [25, 75]: not settled"
    assert said("mean") == "Overall, A − B 0.50 [0.25, 0.75]: not settled"


def test_means_shares_differences_and_net_win_rates_are_there_at_any_look() -> None:
    panels = {(each.dimension, each.of): each for each in looks_of(data(claiming(ROUTES, looks="any"), APART))}
    mean, difference = panels["coherence", "means"], panels["coherence", "differences"]
    assert [row.about for row in mean.rows] == ["A", "B"]
    for row in (*mean.rows, *difference.rows):
        assert row.estimate.ci is not None
        assert row.estimate.ci[0] < row.estimate.value < row.estimate.ci[1]  # type: ignore[operator]
    pairs = looks_of(data(claiming(ungrouped(WAYS), looks="any"), outcomes(50, 20, 48)))
    assert {"net win rates", "shares of judgments"} <= {each.of for each in pairs}
    wins = next(row for each in pairs for row in each.rows if row.about.endswith("wins"))
    assert wins.estimate.value == pytest.approx(50 / 118)


def test_the_figure_is_drawn_where_the_study_asks_for_looks_and_only_there() -> None:
    assert "What may be said at this look?" in report(claiming(ROUTES, looks="any"), APART).html()
    assert "What may be said at this look?" not in report(ROUTES, APART).html()
