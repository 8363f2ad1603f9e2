"""Draws of items: they are what they say, and their intervals hold the truth as often as they say."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.model import Estimate
from assay.statistics.comparison.measure import share
from assay.statistics.comparison.resample import Resamples, clusters_of, percentiles, quotient
from assay.statistics.estimate import mean_of


def mean(source):
    return lambda weights: quotient(weights @ source.rows[:, 0], weights.sum(axis=1))


def of(values, **more):
    return Resamples(np.asarray(values, dtype=float).reshape(-1, 1), **more)


@pytest.mark.parametrize("values", [[1, 2, 3] * 20, list(range(60))], ids=["few patterns", "all different"])
def test_every_draw_holds_as_many_items_as_there_are(values):
    source = of(values, draws=50)
    for weights in source.weights():
        assert (weights.sum(axis=1) == 60).all()


@pytest.mark.parametrize("values", [[1, 2, 3, 9] * 25, np.arange(100) ** 2], ids=["few patterns", "all different"])
def test_the_draws_spread_as_means_of_items_do(values):
    source = of(values, draws=4000)
    drawn = source.replicates(mean(source))
    assert drawn.std() == pytest.approx(np.std(values) / 10, rel=0.06)
    assert drawn.mean() == pytest.approx(np.mean(values), rel=0.05)


def test_clusters_are_drawn_with_all_of_their_items():
    # Items of a cluster are the same: a hundred of them tell no more than ten.
    values, clusters = np.repeat(np.arange(40), 10), np.repeat(np.arange(40), 10).tolist()
    together, alone = of(values, clusters=clusters, draws=2000), of(values, draws=2000)
    ratio = together.replicates(mean(together)).std() / alone.replicates(mean(alone)).std()
    assert ratio == pytest.approx(math.sqrt(10), rel=0.1)
    assert together.unit == "clusters"
    assert together.n_units == 40


def test_a_cluster_of_one_item_each_is_the_same_as_no_clusters_in_law():
    values = np.arange(50) % 7
    one, other = of(values, draws=3000), of(values, clusters=list(range(50)), draws=3000)
    assert one.replicates(mean(one)).std() == pytest.approx(other.replicates(mean(other)).std(), rel=0.06)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    first, again, other = (
        of(range(40), seed=seed).measure("m", lambda w: w @ np.arange(40) / w.sum(axis=1), "") for seed in (1, 1, 2)
    )
    assert first == again
    assert first.ci != other.ci


@settings(deadline=None, max_examples=30)
@given(values=st.lists(st.integers(0, 5), min_size=31, max_size=60), seed=st.integers(0, 5), grouped=st.booleans())
def test_the_order_of_items_does_not_matter(values, seed, grouped):
    clusters = [place % 31 for place in range(len(values))]
    order = np.random.default_rng(seed).permutation(len(values)).tolist()
    found = []
    for places in (range(len(values)), order):
        source = of(
            [values[at] for at in places], clusters=[clusters[at] for at in places] if grouped else None, draws=60
        )
        found.append(source.measure("mean", mean(source), ""))
    assert found[0] == found[1]


@settings(deadline=None)
@given(values=st.lists(st.integers(-5, 5), min_size=2, max_size=29).filter(lambda each: len(set(each)) > 1))
def test_below_thirty_items_the_interval_of_a_mean_is_students(values):
    source = of(values)
    found, student = source.measure("mean", mean(source), ""), mean_of(values)
    assert found.ci == pytest.approx((student.low, student.high), abs=1e-7)
    assert "jackknife" in found.method


def test_the_interval_of_a_mean_holds_the_truth_in_most_cases():
    chance = np.random.default_rng(5)
    for n in (12, 60):
        held = 0
        for seed in range(200):
            source = of(chance.exponential(size=n), seed=seed, draws=300)
            low, high = source.measure("mean", mean(source), "").ci
            held += low <= 1 <= high
        assert 0.87 <= held / 200 <= 0.99


def test_what_has_no_interval_says_why():
    assert "fewer than two items" in of([3]).measure("m", lambda w: w[:, 0], "").method
    assert "no draws" in of([3, 4], draws=0).measure("m", lambda w: w[:, 0], "").method
    found = of([]).measure("m", lambda w: w[:, 0], "there are no items")
    assert found.undefined == "there are no items"
    same = of([2] * 40)
    assert "every draw gives the same value" in same.measure("mean", mean(same), "").method
    few = of([2] * 4)
    assert few.measure("mean", mean(few), "").ci is None
    assert "leaving out any one gives the same value" in few.measure("mean", mean(few), "").method


def test_draws_without_a_value_are_left_out_and_counted():
    ci, method = percentiles(np.array([1.0, 2.0, np.nan, 3.0]), "items, 4 draws, seed 0")
    assert ci == pytest.approx((1.05, 2.95))
    assert "undefined in 1 draws, which are left out" in method
    assert percentiles(np.array([np.nan]), "items")[0] is None
    lone = of([0, 0, 5])  # without the 5 there is nothing to divide by
    found = lone.measure("share", lambda w: quotient(w @ (lone.rows[:, 0] > 0), w @ lone.rows[:, 0]), "")
    assert "undefined without any of 1 items" in found.method


def test_an_interval_that_would_not_hold_its_value_is_not_given():
    source = of(range(40))
    # How many of the items a draw leaves out: none of the data as they are, some of every draw.
    found = source.measure("left out", lambda weights: (weights == 0).sum(axis=1) + 0.0, "")
    assert found.value == 0
    assert found.ci is None
    assert "no interval: the draws lie to one side of the value" in found.method


def test_every_item_needs_a_cluster_if_any_has_one():
    assert clusters_of([1, 2], None) is None
    assert clusters_of([1, 2], {1: "a", 2: "b"}) == ["a", "b"]
    with pytest.raises(ValueError, match="item 2 has no cluster, nor have 1 others"):
        clusters_of([1, 2, 3], {1: "a"})


def test_what_is_not_a_number_and_clusters_of_another_length_are_refused():
    with pytest.raises(ValueError, match="not a number"):
        of([1, math.nan])
    with pytest.raises(ValueError, match="clusters for 1"):
        of([1, 2], clusters=["a"])


def test_a_measure_has_a_value_or_a_reason_and_never_what_is_no_number():
    with pytest.raises(ValueError, match="either a value or the reason"):
        Estimate("m", None)
    with pytest.raises(ValueError, match="either a value or the reason"):
        Estimate("m", 1.0, undefined="no")
    with pytest.raises(ValueError, match="not a number"):
        Estimate("m", math.nan)
    with pytest.raises(ValueError, match="not a number"):
        Estimate("m", 1.0, ci=(0.0, math.nan))


def test_a_share_of_nothing_is_undefined():
    assert share("wins", 0, 0, "judgments").undefined == "there are no judgments"
    assert share("wins", 3, 4, "judgments").value == 0.75


@pytest.mark.slow
def test_a_million_items_with_few_patterns_are_drawn_by_pattern():
    source = of(np.arange(1_000_000) % 5)
    assert {weights.shape[1] for weights in source.weights()} == {5}
    assert np.mean(source.replicates(mean(source))) == pytest.approx(2, abs=0.01)
