"""Weights of one's own, standard errors and pairs: beside published values, statsmodels and scipy."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from statsmodels.stats.inter_rater import cohens_kappa

from assay.statistics import Ratings, agree, pairwise, standard_errors
from assay.statistics.comparison.custom_weights import TITLES, agree_weighted
from assay.statistics.comparison.rank_agreement import matrix_of, pairwise_spearman
from assay.statistics.krippendorff_alpha import KRIPPENDORFF_2011

ABSTRACTORS = ((13, 0, 0), (0, 20, 7), (0, 4, 56))
"""Gwet (2014), cont3x3abstractors of R's irrCAC."""
PAIRS = [(one, other) for one in range(3) for other in range(3) for _ in range(ABSTRACTORS[one][other])]
QUADRATIC = [[1 - (one - other) ** 2 / 4 for other in range(3)] for one in range(3)]
OWN = [[1, 0.8, 0.1], [0.8, 1, 0.4], [0.1, 0.4, 1]]


def weighted(ratings: Ratings, weights: list[list[float]]) -> dict[str, float | None]:
    return {each.name: each.value for each in agree_weighted(ratings, weights)}


def test_quadratic_weights_written_down_give_the_published_values() -> None:
    found = weighted(Ratings.from_rows(PAIRS, range(3), "nominal"), QUADRATIC)
    assert found["cohen_kappa_weighted"] == pytest.approx(0.8921568627, abs=1e-9)
    assert found["gwet_ac2_weighted"] == pytest.approx(0.9402368793, abs=1e-9)
    assert list(found) == list(TITLES)


def test_weights_of_one_and_nothing_are_the_coefficients_without_weights() -> None:
    ratings = Ratings.from_rows(KRIPPENDORFF_2011, range(1, 6), "ordinal")
    found = weighted(ratings, np.eye(5).tolist())
    names = ("krippendorff_alpha_nominal", "cohen_kappa", "gwet_ac1", "brennan_prediger")
    plain = agree(ratings, names, draws=0)
    assert list(found.values()) == pytest.approx([each.value for each in plain], abs=1e-12)


def test_kappa_with_any_weights_is_that_of_statsmodels() -> None:
    found = weighted(Ratings.from_rows(PAIRS, range(3), "nominal"), OWN)
    beside = cohens_kappa(np.array(ABSTRACTORS), weights=1 - np.array(OWN))
    assert found["cohen_kappa_weighted"] == pytest.approx(beside.kappa, abs=1e-12)


def test_weighted_coefficients_have_intervals_that_hold_them() -> None:
    for each in agree_weighted(Ratings.from_rows(PAIRS, range(3), "nominal"), OWN, seed=3):
        assert each.ci is not None
        assert each.value is not None
        assert each.ci[0] < each.value < each.ci[1]


@pytest.mark.parametrize(
    ("weights", "why"),
    [
        ([[1, 0], [0, 1]], "weights are 3 rows of 3 numbers"),
        ([[1, 0], [0, 1, 0], [0, 0, 1]], "weights are 3 rows of 3 numbers"),
        ([[1, 2, 0], [2, 1, 0], [0, 0, 1]], "the weight of 0 with 1 is 2: weights lie from 0 to 1"),
        ([[0.5, 0, 0], [0, 1, 0], [0, 0, 1]], "the weight of 0 with itself is 0.5"),
        ([[1, 0.5, 0], [0.4, 1, 0], [0, 0, 1]], "the weight of 0 with 1 is 0.5, and of 1 with 0 it is 0.4"),
        ([[1, float("nan"), 0], [0, 1, 0], [0, 0, 1]], "weights lie from 0 to 1"),
    ],
)
def test_what_is_no_table_of_weights_is_refused_in_words(weights: list[list[float]], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        agree_weighted(Ratings.from_rows(PAIRS, range(3), "nominal"), weights)


def test_standard_errors_are_near_those_of_theory() -> None:
    """Fleiss, Cohen and Everitt's (1969) for kappa; that of a share for exact agreement."""
    found = standard_errors(Ratings.from_rows(PAIRS, range(3), "ordinal"))
    beside = {
        "cohen_kappa": cohens_kappa(np.array(ABSTRACTORS)).std_kappa,
        "cohen_kappa_quadratic": cohens_kappa(np.array(ABSTRACTORS), wt="quadratic").std_kappa,
    }
    assert {name: found[name] for name in beside} == pytest.approx(beside, rel=0.05)
    assert found["percent_agreement"] == pytest.approx((0.89 * 0.11 / 99) ** 0.5, rel=1e-9)


def test_a_standard_error_of_clusters_is_larger_where_they_go_together() -> None:
    rows = [(f"i{at}", who, value) for at, pair in enumerate(PAIRS) for who, value in zip("ab", pair, strict=True)]
    alone = Ratings.from_long(rows, range(3), "nominal")
    together = Ratings.from_long(rows, range(3), "nominal", {f"i{at}": at // 10 for at in range(len(PAIRS))})
    assert (
        standard_errors(together, ["cohen_kappa"])["cohen_kappa"]
        != standard_errors(alone, ["cohen_kappa"])["cohen_kappa"]
    )
    same = Ratings.from_rows([(1, 1), (2, 2)], (1, 2), "nominal")
    assert standard_errors(same, ["percent_agreement"]) == {"percent_agreement": None}


def test_spearman_of_each_pair_is_that_of_scipy() -> None:
    rng = np.random.default_rng(2)
    quality = rng.normal(size=(60, 1))
    values = np.clip(np.round(3 + quality + 0.7 * rng.normal(size=(60, 3))), 1, 5)
    values[rng.random(values.shape) < 0.2] = np.nan
    rows = [[None if np.isnan(each) else int(each) for each in row] for row in values.tolist()]
    found = pairwise_spearman(Ratings.from_rows(rows, range(1, 6), "ordinal"))
    for pair in found:
        both = values[:, [int(str(pair.first)), int(str(pair.second))]]
        both = both[~np.isnan(both).any(axis=1)]
        assert pair.coefficient.value == pytest.approx(spearmanr(both).statistic, abs=1e-12)
        assert pair.coefficient.n_items == len(both)
    names, matrix = matrix_of(found)
    assert [matrix[at][at] for at in range(3)] == [None] * 3
    assert matrix[0][2] == matrix[2][0] == found[1].coefficient.value
    assert set(names) == {0, 1, 2}


def test_pairs_without_an_order_or_with_few_items_say_why() -> None:
    words = Ratings.from_rows([("a", "b"), ("b", "c"), ("c", "c")], ("a", "b", "c"), "nominal")
    assert pairwise_spearman(words)[0].coefficient.undefined == "values of a nominal scale stand in no order"
    few = Ratings.from_rows([(1, 2), (2, 1)], (1, 2), "ordinal")
    assert pairwise_spearman(few)[0].coefficient.undefined == "the two share fewer than three items"
    flat = Ratings.from_rows([(1, 2), (1, 1), (1, 2)], (1, 2), "ordinal")
    assert pairwise_spearman(flat)[0].coefficient.undefined == "one of the two gave the same value throughout"
    assert len(pairwise(few, "percent_agreement")) == 1
