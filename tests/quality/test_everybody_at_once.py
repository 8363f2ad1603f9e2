"""What is computed of everybody at once is what is computed of each alone."""

import random
from collections import defaultdict
from dataclasses import astuple

import numpy as np
import pytest

from assay.judgments.scales import scale_of
from assay.model import Judgment
from assay.quality import MonitorData
from assay.quality.drift import in_turn, slopes
from assay.quality.halo import beside_others, halos
from assay.quality.low_agreement import _find_shared_units, _from_judgments, kappas_with_others
from assay.statistics.estimate import slope_of
from assay.statistics.groups import Groups
from assay.statistics.halo import halos_of
from assay.statistics.rest_kappa import rest_kappas
from assay.statistics.scale import Scale
from tests.quality.judged import ALONE, EMPATHY
from tests.report.test_report import judgment

ORDERED = [each.dimension for each in EMPATHY.scored_dimensions if each.input.level == "ordinal"]


def some_work(seed: int) -> MonitorData:
    """Items of which people judged some, each on some of their dimensions, a few of them twice, some from a file."""
    chance, found = random.Random(seed), list[Judgment]()
    for item in range(30):
        for who in chance.sample(["ann", "bo", "cy", "di"], chance.randint(1, 4)):
            asked = ORDERED if seed % 2 and chance.random() < 0.7 else chance.sample(ORDERED, 2)
            for dimension in [*asked, asked[0]] if chance.random() < 0.1 else asked:
                turn = {"position": item + 1} if who != "di" else {"source": "imported"}
                value, more = chance.randint(1, 5), {**ALONE, "submitted_at": item * 60_000, **turn}
                found.append(judgment(f"i{item}", who, value, dimension, **more))
    return MonitorData(EMPATHY, found, {})


@pytest.mark.parametrize("seed", range(6))
def test_the_halo_of_everybody_is_that_of_each_on_what_they_were_asked_the_most(seed: int) -> None:
    data = some_work(seed)
    found = halos(data)
    assert found
    for who in sorted({each.annotator for each in data.judgments}):
        rows = beside_others(data, who)
        asked = defaultdict(list)
        for unit, values in rows.items():
            asked[tuple(sorted(values))].append(unit)
        dimensions = max(asked, key=lambda names: (len(names), len(asked[names])))
        table = np.array([[rows[unit][name] for name in dimensions] for unit in asked[dimensions]], dtype=float)
        [alone] = halos_of(table[:, :, 0], table[:, :, 1], Groups([len(table)]))
        halo = found[who].halo
        assert (halo is None) == (alone is None)
        if halo is not None and alone is not None:
            assert astuple(halo) == pytest.approx(astuple(alone), rel=1e-12)
        assert found[who].n_items == len({item for item, *_ in asked[dimensions]})


@pytest.mark.parametrize("seed", range(6))
def test_the_change_of_everybody_is_that_of_each_of_what_was_judged_in_an_order_that_is_known(seed: int) -> None:
    data = some_work(seed)
    assert any(slopes(data, ORDERED[0]).values())
    for dimension in ORDERED:
        found = slopes(data, dimension)
        for who, given in data.residuals[dimension].items():
            there = in_turn(given)
            assert found[who] == slope_of([each.position / 100 for each in there], [each.value for each in there])
        assert found.get("di") is None, "nobody knows in which order these were judged"


@pytest.mark.parametrize("seed", range(6))
def test_kappas_from_columns_of_scores_are_those_of_the_judgments(seed: int) -> None:
    data = some_work(seed)
    for dimension in EMPATHY.scored_dimensions:
        if dimension.dimension in ORDERED:
            scale = scale_of(dimension)
            given = _from_judgments(data, dimension, {value: at for at, value in enumerate(scale)})
            shared = _find_shared_units(given, len(scale))
            groups = Groups(np.bincount(shared.who, minlength=len(given.people)))
            kappas = rest_kappas(shared.own, shared.every, Scale(scale, "ordinal").distances(2), groups, None)
            alone = dict(zip(given.people, kappas, strict=True))
            assert kappas_with_others(data, dimension, 0) == {who: each for who, each in alone.items() if each}
