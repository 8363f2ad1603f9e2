"""What a finding names: the items behind it, in an order that follows from the data alone."""

import random

from assay.quality.findings import MOST_SHOWN, items_most_apart
from assay.quality.score_tables import Residual


def test_of_items_that_lie_equally_far_apart_the_same_are_named_in_any_order_of_rows() -> None:
    residuals = [Residual(f"i{number:02}", 1.0 if number % 2 else 2.0, number, number) for number in range(40)]
    named = items_most_apart(residuals, 0.5)
    assert named == tuple(f"i{number:02}" for number in range(0, 2 * MOST_SHOWN, 2))
    for seed in range(5):
        shuffled = random.Random(seed).sample(residuals, len(residuals))
        assert items_most_apart(shuffled, 0.5) == named
