"""Intraclass correlations: mean squares, gaps, and intervals from F or from draws."""

import numpy as np
import pytest
from agreement_cases import CASES, ICCS, ratings_of, value_of

from assay.kinds import STATISTICS
from assay.statistics import Draws, Patterns, Ratings, agree, reliability_of_mean

PUBLISHED = CASES["shrout_fleiss_1979"]
SCALE = tuple(range(101))


def measured(seed, n_items=60, n_annotators=4, missing=0.0, severity=6.0, shape=None):
    """Judgments from 0 to 100: item, annotator and error with spreads of 12, `severity` and 8."""
    rng = np.random.default_rng(seed)
    values = 50 + 12 * rng.normal(size=(n_items, 1)) + severity * rng.normal(size=n_annotators)
    values = np.clip(np.round(values + 8 * rng.normal(size=(n_items, n_annotators))), 0, 100).astype(np.int16)
    gone = rng.random(values.shape) < missing if shape is None else ~shape
    values[gone] = -1
    return Ratings(values, SCALE, "interval", tuple(range(n_items)), tuple(range(n_annotators)))


def rows_of(ratings):
    return [[None if v < 0 else int(v) for v in row] for row in ratings.values.tolist()]


@pytest.mark.parametrize("name", ICCS)
def test_intervals_are_the_published_ones(name):
    (found,) = agree(ratings_of(PUBLISHED), [name])
    low, high = PUBLISHED["intervals"][name]
    assert found.ci[0] == pytest.approx(low, abs=0.0006)
    assert found.ci[1] == pytest.approx(high, abs=0.006)
    assert found.method == ("k = 4; " if name.endswith("k") else "") + "interval from F (Shrout & Fleiss 1979)"


def test_values_are_those_of_the_mean_squares():
    ratings = measured(1)
    x = ratings.values.astype(float)
    n, k = x.shape
    rows, columns = x.mean(axis=1, keepdims=True), x.mean(axis=0, keepdims=True)
    msr = k * ((rows - x.mean()) ** 2).sum() / (n - 1)
    msc = n * ((columns - x.mean()) ** 2).sum() / (k - 1)
    mse = ((x - rows - columns + x.mean()) ** 2).sum() / ((n - 1) * (k - 1))
    msw = ((x - rows) ** 2).sum() / (n * (k - 1))
    expected = {
        "icc_1_1": (msr - msw) / (msr + (k - 1) * msw),
        "icc_1_k": (msr - msw) / msr,
        "icc_2_1": (msr - mse) / (msr + (k - 1) * mse + k * (msc - mse) / n),
        "icc_2_k": (msr - mse) / (msr + (msc - mse) / n),
        "icc_3_1": (msr - mse) / (msr + (k - 1) * mse),
        "icc_3_k": (msr - mse) / msr,
    }
    assert {name: value_of(ratings, name) for name in ICCS} == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", ICCS)
def test_a_table_with_gaps_tends_to_the_same_values(name):
    # s_i = 144, s_e = 64, and annotators as drawn; a twentieth of the judgments missing in 4,000 items.
    full, part = measured(3, 4000), measured(3, 4000, missing=0.05)
    (found,) = agree(part, [name])
    k = 4 if name.endswith("1") else part.values.shape[0] / (1 / (part.values >= 0).sum(axis=1)).sum()
    single = value_of(full, name[:-1] + "1")
    expected = single if name.endswith("1") else reliability_of_mean(single, k)
    assert found.value == pytest.approx(expected, abs=0.01)
    assert "percentile bootstrap over items" in found.method


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("icc_1_1", "unequal numbers of judgments (2 to 3 an item)"),
        ("icc_1_k", "unequal numbers of judgments (2 to 3 an item), k = 2.4"),
        ("icc_2_1", "variance components of a table with gaps (2 to 3 an item)"),
        ("icc_3_k", "variance components of a table with gaps (2 to 3 an item), k = 2.4"),
    ],
)
def test_the_method_says_how_gaps_were_met(name, note):
    rows = [(1, 2, 1), (4, 3, None), (4, 5, 5), (2, 1, None), (3, 3, 3), (5, 4, None), (3, 2, 4), (1, 1, None)]
    rows.append((3, None, None))
    (found,) = agree(Ratings.from_rows(rows, (1, 2, 3, 4, 5), "interval"), [name])
    assert found.method.startswith(f"{note}; jackknife over items on ")
    assert found.method.endswith("atanh scale" if name.endswith("1") else "log scale")


def test_equal_numbers_by_different_annotators_are_gaps_for_two_ways_and_none_for_one():
    rows = [(1, 2, None), (None, 4, 5), (3, None, 3), (2, 1, None), (None, 3, 4), (5, None, 4)]
    ratings = Ratings.from_rows(rows, (1, 2, 3, 4, 5), "interval")
    one, two = agree(ratings, ["icc_1_1", "icc_2_1"])
    assert one.method == "interval from F (Shrout & Fleiss 1979)"
    assert two.method.startswith("variance components of a table with gaps (2 to 2 an item)")


def test_items_with_one_judgment_leave_a_table_without_gaps():
    complete = rows_of(measured(4, 20, 3))
    more = [*complete, *[[50, None, None, None]] * 5]
    more[:20] = [[*row, None] for row in complete]
    for found, expected in zip(
        agree(Ratings.from_rows(more, SCALE, "interval"), ICCS),
        agree(Ratings.from_rows(complete, SCALE, "interval"), ICCS),
        strict=True,
    ):
        assert (found.value, *found.ci) == pytest.approx((expected.value, *expected.ci))
        assert (found.method, found.n_items) == (expected.method, 20)


def test_annotators_in_two_groups_that_share_no_item_are_still_told_from_error():
    shape = np.zeros((80, 5), dtype=bool)
    shape[:40, :2] = shape[40:, 2:] = True
    ratings = measured(5, 80, 5, shape=shape)
    assert value_of(ratings, "icc_3_1") == pytest.approx(144 / 208, abs=0.1)
    with_idle = Ratings(
        np.pad(ratings.values, ((0, 0), (0, 1)), constant_values=-1), SCALE, "interval", ratings.items, (*range(6),)
    )
    assert value_of(with_idle, "icc_3_1") == pytest.approx(value_of(ratings, "icc_3_1"))


def test_many_annotators_with_few_items_each_have_values_and_intervals():
    rng = np.random.default_rng(6)
    shape = np.zeros((300, 100), dtype=bool)
    for row in shape:
        row[rng.choice(100, 3, replace=False)] = True
    ratings = measured(6, 300, 100, shape=shape)
    for found, truth in zip(agree(ratings, ["icc_2_1", "icc_3_1"]), (144 / 244, 144 / 208), strict=True):
        assert found.ci[0] < truth < found.ci[1]
        assert found.ci[0] < found.value < found.ci[1]


def test_draws_with_severity_held_have_the_spread_of_draws_fitted_anew():
    ratings = measured(9, 200, missing=0.3)
    draws = Draws.of(ratings, draws=300)
    (weights,) = draws.weights()
    for name in ("icc_2_1", "icc_2_k", "icc_3_1", "icc_3_k"):
        tally = STATISTICS[name].tally(draws.patterns)
        held, anew = tally.values(weights), tally.refit(weights)
        assert np.corrcoef(held, anew)[0, 1] > 0.98
        assert held.std() == pytest.approx(anew.std(), rel=0.05)
        assert held.mean() == pytest.approx(anew.mean(), abs=held.std() / 4)


def test_leaving_out_all_that_tells_annotators_apart_leaves_no_value():
    rows = [(1, 2, None), (4, 4, None), (None, 2, 1), (None, 5, 3)]
    tally = STATISTICS["icc_3_1"].tally(Patterns.of(Ratings.from_rows(rows, (1, 2, 3, 4, 5), "interval")))
    assert np.isnan(tally.refit(np.array([[1.0, 0, 1, 0], [0, 0, 0, 0], [1, 1, 1, 1]]))).tolist() == [True, True, False]


def test_where_items_share_a_source_the_interval_comes_from_the_draws_of_clusters():
    ratings = measured(7)
    clustered = Ratings(
        ratings.values, SCALE, "interval", ratings.items, ratings.annotators, clusters=np.arange(60) // 2
    )
    for alone, together in zip(agree(ratings, ICCS), agree(clustered, ICCS), strict=True):
        assert together.value == alone.value
        assert "interval from F" in alone.method
        assert "percentile bootstrap over clusters" in together.method


def test_intervals_from_f_and_from_draws_tell_much_the_same_where_theory_holds(monkeypatch):
    ratings = measured(8, 400, severity=0.0)
    by_f = agree(ratings, ["icc_1_1", "icc_3_1"])
    monkeypatch.setattr(type(STATISTICS["icc_1_1"]).__mro__[1], "theory", lambda self, tally: None)
    for one, other in zip(by_f, agree(ratings, ["icc_1_1", "icc_3_1"]), strict=True):
        assert "F" in one.method
        assert "bootstrap" in other.method
        assert one.ci == pytest.approx(other.ci, abs=0.02)


def test_agreement_without_error_has_no_interval_and_says_why():
    rows = [(1, 1, 1), (3, 3, 3), (4, 4, 4)]
    for found in agree(Ratings.from_rows(rows, (1, 2, 3, 4, 5), "interval"), ICCS):
        assert found.value == 1.0
        assert found.ci is None
        assert "no interval: without any error F tells no lower end" in found.method


def test_severity_without_other_error_is_all_that_lowers_agreement():
    rows = [(i, i + 2) for i in (1, 2, 3, 5, 8)]
    absolute, consistent = agree(Ratings.from_rows(rows, SCALE, "interval"), ["icc_2_1", "icc_3_1"])
    variance = np.var([1, 2, 3, 5, 8], ddof=1)
    assert absolute.value == pytest.approx(variance / (variance + 2))
    assert consistent.value == pytest.approx(1.0)
    assert absolute.ci[0] < absolute.value < absolute.ci[1]


@pytest.mark.parametrize(
    "rows", [[(1, 2), (2, 1), (1, 2)], [(1, 2), (1, 2), (1, 2)], [(1, 3), (3, 1)], [(1, 2), (2, 3)]]
)
def test_tables_at_the_edge_of_theory_have_an_interval_that_holds_the_value_or_say_why_not(rows):
    for found in agree(Ratings.from_rows(rows, (1, 2, 3), "interval"), ICCS):
        assert (found.value is None) == (found.undefined is not None)
        if found.ci is not None:
            assert found.ci[0] - 1e-9 <= found.value <= found.ci[1] + 1e-9


def test_theory_is_not_asked_where_the_items_have_all_the_same_mean():
    for found in agree(Ratings.from_rows([(1, 2), (2, 1), (1, 2)], (1, 2, 3), "interval"), ["icc_1_1", "icc_3_1"]):
        assert found.value == pytest.approx(-1.0)
        assert "leaving out any one gives the same value" in found.method


def test_a_bound_that_no_mean_can_have_sends_the_interval_to_the_draws():
    # The annotators differ less than by chance: the lower bound of ICC(2,1) is below -1/(k - 1).
    rows = [(1, 2, 3), (2, 1, 3), (3, 3, 1), (1, 3, 1), (2, 1, 1), (2, 2, 2)]
    one, of_mean = agree(Ratings.from_rows(rows, (1, 2, 3), "interval"), ["icc_2_1", "icc_2_k"])
    assert "interval from F" in one.method
    assert one.ci[0] < -1 / 2
    assert of_mean.value == pytest.approx(reliability_of_mean(one.value, 3))
    assert of_mean.method.startswith("k = 3; jackknife over items on log scale")


def test_intervals_cover_the_truth_about_as_often_as_they_claim():
    names = ["icc_1_1", "icc_2_1", "icc_3_1"]
    hits = {(name, gaps): 0 for name in names for gaps in (0.0, 0.25)}
    error, items = 64.0, 144.0
    for seed in range(200):
        for gaps in (0.0, 0.25):
            for found in agree(measured(seed, 40, severity=0.0, missing=gaps), names, seed=seed, draws=300):
                hits[found.name, gaps] += found.ci[0] <= items / (items + error) <= found.ci[1]
    assert all(0.89 <= hit / 200 <= 0.99 for hit in hits.values()), hits
