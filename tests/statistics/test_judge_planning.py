"""How many items people must judge with a judge: a study of that size has the width that was asked for."""

import numpy as np
import pytest

from assay.statistics.comparison.judge_planning import JudgePilot, items_for_width, judge_pilot
from assay.statistics.comparison.prediction_powered import difference_with_judge, mean_with_judge
from assay.statistics.powered_sample import PoweredSample


def drawn(rng, items, asked, lean=0.0, hard=None):
    quality = (np.zeros(items) if hard is None else hard) + rng.normal(size=items)
    people = dict(enumerate((lean + quality + 0.4 * rng.normal(size=items))[:asked].tolist()))
    return PoweredSample.of(people, [dict(enumerate((quality + 0.5 * rng.normal(size=items)).tolist()))])


def test_a_study_of_the_planned_size_has_the_width_that_was_asked_for():
    rng = np.random.default_rng(1)
    pilot = judge_pilot(drawn(rng, 300, 300))
    needed = items_for_width(pilot, 0.3, items=1000)
    widths = [np.ptp(mean_with_judge(drawn(rng, 1000, needed)).both.ci) for _ in range(30)]
    assert np.mean(widths) == pytest.approx(0.3, rel=0.07)
    assert needed < 0.7 * items_for_width(JudgePilot(300, pilot.alone, pilot.alone), 0.3, items=1000)


def test_of_a_difference_too():
    rng = np.random.default_rng(2)

    def pair(items, asked):
        hard = 2 * rng.normal(size=items)
        return drawn(rng, items, asked, 0.5, hard), drawn(rng, items, asked, 0.0, hard)

    pilot = judge_pilot(*pair(300, 300))
    needed = items_for_width(pilot, 0.4, items=800)
    widths = [np.ptp(difference_with_judge(*pair(800, needed)).both.ci) for _ in range(30)]
    assert np.mean(widths) == pytest.approx(0.4, rel=0.1)


def test_a_judge_that_foretells_nothing_saves_nothing_and_too_narrow_a_width_is_not_promised():
    rng = np.random.default_rng(3)
    people = dict(enumerate(rng.normal(size=100).tolist()))
    pilot = judge_pilot(PoweredSample.of(people, [dict(enumerate(rng.normal(size=100).tolist()))]))
    assert pilot.foretold < 0.05
    assert items_for_width(pilot, 0.01, items=500) is None
    assert "fewer than 10" in judge_pilot(PoweredSample.of({1: 1.0, 2: 2.0}, [{1: 1.0, 2: 2.0}])).undefined


def drawn_by_doubt(rng, items, asked):
    """A study of three thirds that differ in level and spread; the last is drawn three times as often as the first."""
    third = np.arange(items) % 3
    spread = np.array([0.3, 1.0, 2.5])[third]
    quality = 2.0 * third + spread * rng.normal(size=items)
    judge = quality + 0.4 * spread * rng.normal(size=items)
    picked = []
    for kind, part in enumerate((1 / 6, 2 / 6, 3 / 6)):
        own = np.flatnonzero(third == kind)
        picked += rng.permutation(own)[: min(len(own), round(asked * part))].tolist()
    people = {at: float(quality[at] + 0.3 * spread[at] * rng.normal()) for at in picked}
    return PoweredSample.of(people, [dict(enumerate(judge.tolist()))], None, dict(enumerate(third.tolist())))


def test_a_pilot_drawn_by_doubt_is_weighed_by_its_probabilities_and_planned_in_the_same_proportions():
    rng = np.random.default_rng(5)
    sample = drawn_by_doubt(rng, 900, 450)
    pilot = judge_pilot(sample)
    for plan, what in ((pilot, "both"), (pilot.without_judge, "people")):
        needed = items_for_width(plan, 0.45, items=1500)
        widths = [np.ptp(getattr(mean_with_judge(drawn_by_doubt(rng, 1500, needed)), what).ci) for _ in range(30)]
        assert np.mean(widths) == pytest.approx(0.45, rel=0.07), what
    plain = judge_pilot(PoweredSample(sample.people, sample.judges, sample.clusters, np.full(900, "")))
    assert items_for_width(plain.without_judge, 0.45, 1500) > 1.3 * items_for_width(pilot.without_judge, 0.45, 1500)


def test_a_part_that_is_used_up_gives_no_more_items_than_it_has():
    pilot = judge_pilot(drawn_by_doubt(np.random.default_rng(6), 300, 120))
    variances = [pilot.variance(n, 300) for n in range(30, 301, 10)]
    assert variances == sorted(variances, reverse=True)
    # With all items by people nothing is left to foretell: only what differs from item to item.
    assert pilot.variance(300, 300) == pytest.approx(pilot.without_judge.variance(300, 300))


def test_with_one_probability_strata_change_nothing_and_too_few_of_one_part_are_said():
    sample = drawn(np.random.default_rng(7), 200, 80)
    same = PoweredSample(sample.people, sample.judges, sample.clusters, np.full(200, "0.4"))
    assert judge_pilot(same) == judge_pilot(sample)
    rare = PoweredSample(sample.people, sample.judges, sample.clusters, np.array(["0.5"] + ["0.4"] * 199))
    assert "fewer than two" in judge_pilot(rare).undefined


def test_of_a_difference_drawn_by_doubt_too():
    rng = np.random.default_rng(8)
    pilot = judge_pilot(*(named(drawn_by_doubt(rng, 900, 300), name) for name in "ab"))
    needed = items_for_width(pilot, 0.6, items=1200)
    pairs = [[named(drawn_by_doubt(rng, 1200, needed), name) for name in "ab"] for _ in range(30)]
    widths = [np.ptp(difference_with_judge(*pair).both.ci) for pair in pairs]
    assert np.mean(widths) == pytest.approx(0.6, rel=0.08)


def named(sample, system):
    """The same with items that no other system has."""
    clusters = np.array([f"{system}{each}" for each in sample.clusters])
    return PoweredSample(sample.people, sample.judges, clusters, sample.cells)
