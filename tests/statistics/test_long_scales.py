"""Scales of many values: the same numbers without a table of all distances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.statistics import Ratings, Scale, agree
from assay.statistics.scale import LONG

POSITIONS = st.lists(st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), min_size=LONG + 1, max_size=60, unique=True).map(
    sorted
)


@settings(max_examples=40)
@given(positions=POSITIONS, falls=st.booleans(), power=st.sampled_from([0, 1, 2]), seed=st.integers(0, 1000))
def test_distances_to_all_others_are_those_of_the_table(positions, falls, power, seed):
    scale = Scale(tuple(positions[::-1] if falls else positions), "interval")
    shares = np.random.default_rng(seed).random((2, 3, len(scale)))
    written_out = shares @ scale.distances(power)
    assert scale.total_distance(shares, power) == pytest.approx(written_out, rel=1e-9, abs=1e-9)


def test_a_long_scale_gives_what_a_short_one_with_the_same_values_gives():
    rng = np.random.default_rng(3)
    rows = [tuple((np.clip(rng.normal(q, 1.0, 3), 0, 9).round()).astype(int).tolist()) for q in rng.uniform(0, 9, 60)]
    names = ["cohen_kappa_quadratic", "cohen_kappa_linear", "cohen_kappa", "scott_pi", "conger_kappa", "fleiss_kappa"]
    short = agree(Ratings.from_rows(rows, tuple(range(10)), "interval"), names, draws=50)
    # The same judgments on a scale on which most values were never given: none of these hangs on their number.
    long = agree(Ratings.from_rows(rows, tuple(range(100)), "interval"), names, draws=50)
    for one, other in zip(short, long, strict=True):
        assert other.value == pytest.approx(one.value)
        assert other.ci == pytest.approx(one.ci)
