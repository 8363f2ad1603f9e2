"""Published values, and definitions written out."""

import pytest
from agreement_cases import ALPHAS, CASES, KAPPAS, ratings_of, slow, tables, value_of
from hypothesis import given, settings

from assay.statistics import Ratings

EXPECTED = [
    pytest.param(case, name, value, tolerance, id=f"{case['name']}-{name}")
    for case in CASES.values()
    for name, (value, tolerance) in case["expected"].items()
]


@pytest.mark.parametrize(("case", "name", "value", "tolerance"), EXPECTED)
def test_a_published_value_is_reproduced(case, name, value, tolerance):
    assert value_of(ratings_of(case), name) == pytest.approx(value, abs=tolerance)


@pytest.mark.parametrize("name", [*ALPHAS, *KAPPAS, "percent_agreement", "within_one_agreement"])
@settings(deadline=None)
@given(table=tables())
def test_any_table_with_gaps_gives_the_value_of_the_written_out_definition(name, table):
    rows, categories = table
    expected = slow(name, rows, categories)
    found = value_of(Ratings.from_rows(rows, categories, "ratio"), name)
    assert found == (None if expected is None else pytest.approx(expected, abs=1e-9))


TRAP = [(1, 1), (2, 2), (5, 2), (5, 5)]
"""Nobody gave a 3 or a 4: spaced evenly, 2 and 5 would be neighbours."""


@pytest.mark.parametrize(
    ("name", "by_value", "by_observed_labels"),
    [
        # n * observed / expected, the latter over all sixteen pairs of one's 1, 2, 5, 5 with the other's 1, 2, 2, 5.
        ("cohen_kappa_linear", 1 - 4 * 3 / 30, 1 - 4 * 1 / 14),
        ("cohen_kappa_quadratic", 1 - 4 * 9 / 96, 1 - 4 * 1 / 20),
    ],
)
def test_distance_is_that_of_the_declared_scale_and_not_of_the_values_that_occurred(name, by_value, by_observed_labels):
    assert value_of(Ratings.from_rows(TRAP, (1, 2, 3, 4, 5), "ordinal"), name) == pytest.approx(by_value)
    assert value_of(Ratings.from_rows(TRAP, (1, 2, 5), "ordinal"), name) == pytest.approx(by_value)
    worded = [tuple({1: "low", 2: "mid", 5: "high"}[value] for value in row) for row in TRAP]
    assert value_of(Ratings.from_rows(worded, ("low", "mid", "high"), "ordinal"), name) == pytest.approx(
        by_observed_labels
    )


def test_a_step_is_one_of_the_declared_scale_even_if_nobody_used_it():
    assert value_of(Ratings.from_rows(TRAP, (1, 2, 3, 4, 5), "ordinal"), "within_one_agreement") == 0.75
    assert value_of(Ratings.from_rows(TRAP, (1, 2, 5), "ordinal"), "within_one_agreement") == 1.0


def test_words_stand_at_their_place_in_the_declared_order():
    rows = [("poor", "fair"), ("good", "good"), ("fair", "fair"), ("good", "poor")]
    numbered = [tuple({"poor": 0, "fair": 1, "good": 2}[word] for word in row) for row in rows]
    for name in ("cohen_kappa_linear", "cohen_kappa_quadratic", "krippendorff_alpha_interval"):
        by_words = value_of(Ratings.from_rows(rows, ("poor", "fair", "good"), "ordinal"), name)
        assert by_words == value_of(Ratings.from_rows(numbered, (0, 1, 2), "ordinal"), name)
