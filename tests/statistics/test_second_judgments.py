"""Shares of judgments that go together, medians, second judgments, and agreement without one annotator."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.statistics import Ratings, agree
from assay.statistics.comparison.item_medians import _rank, median_of
from assay.statistics.comparison.judge_values import confusion_with_mean, people_at_each_value
from assay.statistics.comparison.second_judgments import second_judgments
from assay.statistics.comparison.shares import share_of
from assay.statistics.comparison.without_each import without_each
from assay.statistics.scale import Scale
from assay.statistics.wilson import wilson

FIVE = Scale((1, 2, 3, 4, 5), "ordinal")


@given(st.integers(1, 60), st.data())
def test_with_one_judgment_of_each_item_the_interval_is_wilsons(n: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, n))
    found = share_of("x", [(item, item < count) for item in range(n)])
    assert found.value == count / n
    assert found.ci == pytest.approx(wilson(count, n))


@given(st.integers(2, 40), st.integers(1, 6), st.data())
def test_judgments_that_all_go_together_tell_about_as_much_as_their_items(
    n: int, of_each: int, data: st.DataObject
) -> None:
    count = data.draw(st.integers(0, n))
    rows = [(item, item < count) for item in range(n) for _ in range(of_each)]
    found = share_of("x", rows)
    assert found.n == n * of_each
    low, high = wilson(count, n)
    assert found.ci is not None
    # The variance between items divides by m - 1: never narrower than Wilson's of the items.
    assert found.ci[0] <= low + 1e-9
    assert found.ci[1] >= high - 1e-9


def test_judgments_of_one_item_that_have_nothing_in_common_count_as_they_are() -> None:
    rows = [(item, half) for item in range(20) for half in (True, False)]
    found = share_of("x", rows)
    assert found.ci == pytest.approx(wilson(20, 40), abs=0.01), "they are worth no more than there are of them"
    assert found.ci[0] < wilson(20, 40)[0]


@pytest.mark.parametrize("n", [6, 10, 25, 40])
def test_the_ranks_of_a_medians_interval_are_those_of_a_fair_coin(n: int) -> None:
    # P(fewer than k heads) <= 0.025 < P(fewer than k + 1 heads), by counting.
    k = _rank(n)
    below = [sum(math.comb(n, at) for at in range(up)) / 2**n for up in (k, k + 1)]
    assert below[0] <= 0.025 < below[1]


def test_of_five_values_a_median_has_no_interval_and_of_none_no_value() -> None:
    five = median_of([1, 2, 3, 4, 5])
    assert (five.value, five.ci, five.method) == (3.0, None, "no interval: fewer than 6 items")
    assert median_of([]).undefined == "there are no items"


def test_items_that_share_a_source_are_drawn_together_for_a_median() -> None:
    values = [1, 1, 1, 1, 5, 5, 5, 5] * 4
    alone, together = median_of(values), median_of(values, ["a", "a", "a", "a", "b", "b", "b", "b"] * 4)
    assert alone.value == together.value == 3.0
    assert "clusters" in together.method
    assert together.ci == (1.0, 5.0)


def test_second_judgments_worked_out_by_hand() -> None:
    # Forty: 30 the same, 6 one higher, 4 two lower.
    first = [3] * 40
    second = [3] * 30 + [4] * 6 + [1] * 4
    found = second_judgments(list(zip(range(40), first, second, strict=True)), FIVE)
    assert found.exact.value == pytest.approx(0.75)
    assert found.within_one.value == pytest.approx(0.9)
    assert found.change.value == pytest.approx((6 - 8) / 40)
    # 1 - mean squared difference / (variances + squared difference of means); that of 3s has none.
    squared = (6 + 16) / 40
    assert found.kappa.value == pytest.approx(1 - squared / (squared - 0.05**2 + 0.05**2), abs=1e-9)


def test_words_have_no_change_but_a_kappa_with_oneself() -> None:
    rows = [(n, value, value) for n, value in enumerate(["a", "b", "tie"] * 10)]
    found = second_judgments(rows, Scale(("a", "b", "tie"), "nominal"))
    assert (found.exact.value, found.kappa.value) == (1.0, 1.0)
    assert found.change.undefined == "values of a nominal scale lie no distance apart"
    with pytest.raises(ValueError, match="'c', given to item 0, is not on the scale"):
        second_judgments([(0, "a", "c")], Scale(("a", "b"), "nominal"))


def test_agreement_without_somebody_is_that_of_the_others() -> None:
    rows = [(1 + n % 5, 1 + n % 5, 1 + (n * 3) % 5) for n in range(30)]
    ratings = Ratings.from_rows(rows, range(1, 6), "ordinal")
    found = without_each(ratings, "krippendorff_alpha_ordinal")
    others = Ratings.from_rows([row[:2] for row in rows], range(1, 6), "ordinal")
    assert found[2].value == agree(others, ["krippendorff_alpha_ordinal"], draws=0)[0].value == pytest.approx(1.0)
    alone = without_each(Ratings.from_rows([row[:1] for row in rows], range(1, 6), "ordinal"), "percent_agreement")
    assert alone[0].value is None


@given(st.lists(st.lists(st.sampled_from([None, None, 1, 2, 3]), min_size=5, max_size=5), min_size=2, max_size=12))
def test_agreement_without_somebody_is_the_same_by_whichever_way(rows: list[list[int | None]]) -> None:
    ratings = Ratings.from_rows(rows, (1, 2, 3), "ordinal")
    for who, found in without_each(ratings, "krippendorff_alpha_ordinal").items():
        others = [[None if place == who else value for place, value in enumerate(row)] for row in rows]
        rest = Ratings.from_rows(others, (1, 2, 3), "ordinal")
        plain = agree(rest, ["krippendorff_alpha_ordinal"], draws=0)[0]
        assert found.value == (None if plain.value is None else pytest.approx(plain.value, abs=1e-12))
        assert (found.n_items, found.n_ratings, found.n_annotators) == (
            plain.n_items,
            plain.n_ratings,
            plain.n_annotators,
        )


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0, 2)), max_size=30))
def test_a_confusion_counts_every_item_once_under_the_judges_value(rows: list[tuple[int, float]]) -> None:
    scale = Scale((0, 1, 2), "ordinal")
    judge = {n: value for n, (value, _) in enumerate(rows)}
    people = {n: mean for n, (_, mean) in enumerate(rows)}
    table = confusion_with_mean(judge, people, scale)
    given_so = Counter(judge.values())
    assert [sum(row) for row in table] == [given_so[value] for value in (0, 1, 2)]
    curve = people_at_each_value(judge, people, scale)
    assert [each.n for each in curve] == [sum(row) for row in table]


@pytest.mark.parametrize(("mean", "nearest"), [(0.49, 0), (0.5, 1), (1.5, 2), (1.49, 1), (2.0, 2), (2 / 3, 1)])
def test_a_mean_halfway_goes_to_the_higher_point(mean: float, nearest: int) -> None:
    table = confusion_with_mean({"i": 0}, {"i": mean}, Scale((0, 1, 2), "ordinal"))
    assert table[0].index(1) == nearest
