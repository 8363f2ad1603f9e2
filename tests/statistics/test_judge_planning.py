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
