"""What is computed of many groups at once is what is computed of each by itself."""

import numpy as np
import pytest

from assay.statistics.correlation import pearson, spearman
from assay.statistics.estimate import IntervalEstimate
from assay.statistics.groups import Groups
from assay.statistics.halo import halo, halos_of
from assay.statistics.rest_kappa import rest_kappa, rest_kappas
from assay.statistics.spread_ratio import spread_ratio, spread_ratios

SIZES = [0, 1, 2, 3, 5, 12, 40, 5]


@pytest.fixture(scope="module")
def given() -> tuple[np.ndarray, np.ndarray]:
    """Values of two annotators on the same items, on five points; those of the last group are all the same."""
    rng = np.random.default_rng(3)
    own, other = rng.integers(0, 5, size=(2, sum(SIZES)))
    own[-5:] = 2
    return own, other


def parts(*columns: np.ndarray) -> list[tuple[list, ...]]:
    ends = np.cumsum(SIZES)
    return [tuple(each[end - size : end].tolist() for each in columns) for size, end in zip(SIZES, ends, strict=True)]


def same(one: IntervalEstimate | None, other: IntervalEstimate | None) -> bool:
    if one is None or other is None:
        return one is other
    numbers = ([each.value, each.low, each.high, each.n] for each in (one, other))
    return bool(np.allclose(*numbers, rtol=1e-12, atol=1e-12))


def test_ranks_and_correlations_are_those_of_each_group(given) -> None:
    own, other = (each.astype(float) for each in given)
    groups = Groups(SIZES)
    found = groups.correlations(own, other).tolist()
    of_ranks = groups.correlations(groups.ranks(own), groups.ranks(other)).tolist()
    for (x, y), r, rho in zip(parts(own, other), found, of_ranks, strict=True):
        assert [r if r == r else None, rho if rho == rho else None] == pytest.approx([pearson(x, y), spearman(x, y)])
    assert {each == each for each in found} == {True, False}, "some are defined, some are not"


def test_kappas_with_others_are_those_of_each_annotator(given, monkeypatch) -> None:
    own, other = given
    quadratic = np.subtract.outer(range(5), range(5)) ** 2
    every = np.eye(5)[own] + np.eye(5)[other]
    alone = [rest_kappa(x, [[each] for each in y], quadratic) for x, y in parts(own, other)]
    assert all(map(same, rest_kappas(own, every, quadratic, Groups(SIZES)), alone))
    monkeypatch.setattr("assay.statistics.rest_kappa.CELLS", 60)
    assert all(map(same, rest_kappas(own, every, quadratic, Groups(SIZES)), alone)), "a few groups at a time"
    assert sum(each is not None for each in alone) >= 4


def test_ratios_of_spreads_are_those_of_each_annotator(given) -> None:
    own, other = (each.astype(float) for each in given)
    alone = [spread_ratio(x, [[each] for each in y]) for x, y in parts(own, other)]
    assert all(map(same, spread_ratios(own, other, other**2, Groups(SIZES)), alone))
    assert alone[-1].value == 0, "one value throughout"
    assert alone[:3] == [None] * 3


def test_halos_are_those_of_each_annotator(given) -> None:
    own, other = (np.stack([each, np.roll(each, 1), each**2], axis=1).astype(float) for each in given)
    found = halos_of(own, other, Groups(SIZES))
    ends = np.cumsum(SIZES)
    for size, end, each in zip(SIZES, ends, found, strict=True):
        alone = halo(own[end - size : end], other[end - size : end])
        assert (each is None) == (alone is None)
        if each is not None and alone is not None:
            assert (each.residual, each.low, each.shared) == pytest.approx((alone.residual, alone.low, alone.shared))


def test_parts_hold_every_group_once() -> None:
    found = list(Groups(SIZES).parts(10))
    assert [group for some, _ in found for group in range(some.start, some.stop)] == list(range(len(SIZES)))
    assert [row for _, rows in found for row in range(rows.start, rows.stop)] == list(range(sum(SIZES)))
    assert len(found) > 2
