"""The mean over a great many pairs of annotators: the same values as pair by pair, and no thousand draws of them."""

import random
from typing import Any

import pytest

from assay.kinds import STATISTICS
from assay.statistics import Ratings, agree, pairs
from assay.statistics.pairs import TallyOfManyPairs
from assay.statistics.patterns import Patterns

NAMES = ("cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic", "scott_pi")


def crowd(people: int, items: int, gaps: float) -> Ratings:
    """People who all look at the same items, of which some leave out some."""
    rng = random.Random(7)
    rows = []
    for _ in range(items):
        quality = rng.gauss(3, 1)
        given: list[Any] = [min(5, max(1, round(quality + rng.gauss(0, 0.8)))) for _ in range(people)]
        rows.append(tuple(None if rng.random() < gaps else each for each in given))
    return Ratings.from_rows(rows, (1, 2, 3, 4, 5), "ordinal")


@pytest.mark.parametrize("gaps", [0, 0.1], ids=["without gaps", "with gaps"])
def test_many_pairs_give_what_they_give_one_by_one(gaps: float, monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = crowd(36, 24, gaps)
    kappa = STATISTICS["cohen_kappa"]
    assert isinstance(kappa.tally(Patterns.of(ratings)), TallyOfManyPairs), "630 pairs"
    at_once = agree(ratings, NAMES, draws=100)
    monkeypatch.setattr(pairs, "MANY", 10**6)
    one_by_one = agree(ratings, NAMES, draws=100)
    for new, old in zip(at_once, one_by_one, strict=True):
        assert new.value == pytest.approx(old.value, abs=1e-12)
        assert new.ci == pytest.approx(old.ci, abs=1e-12)
        assert (new.method, new.n_items) == (old.method, old.n_items)


def test_a_pair_without_a_value_is_left_out_and_counted_among_many_too() -> None:
    ratings = crowd(36, 24, 0)
    values = [[*(ratings.scale.categories[place] for place in row), 3, 3] for row in ratings.values.tolist()]
    [found] = agree(Ratings.from_rows(values, (1, 2, 3, 4, 5), "ordinal"), ["cohen_kappa"], draws=20)
    assert found.method.startswith(
        "mean over 703 pairs of annotators that share items (24 to 24 each), 1 of them left out"
    )


def test_of_more_than_ten_thousand_pairs_the_interval_comes_from_leaving_out_items() -> None:
    [found] = agree(crowd(143, 12, 0), ["cohen_kappa_quadratic"], draws=1000)
    assert "mean over 10,153 pairs" in found.method
    assert "jackknife over items" in found.method
    assert found.ci is not None
    assert found.ci[0] < (found.value or 0) < found.ci[1]
