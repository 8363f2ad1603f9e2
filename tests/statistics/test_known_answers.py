"""Published values, and definitions written out."""

from dataclasses import replace

import pytest
from agreement_cases import CASES, CHANCE, names_at, ratings_of, slow, tables, value_of
from hypothesis import given, settings

from assay.kinds import STATISTICS
from assay.statistics import Patterns, Ratings, by_category

EXPECTED = [
    pytest.param(case, name, value, tolerance, id=f"{case['name']}-{name}")
    for case in CASES.values()
    for name, (value, tolerance) in case["expected"].items()
]


@pytest.mark.parametrize(("case", "name", "value", "tolerance"), EXPECTED)
def test_a_published_value_is_reproduced(case, name, value, tolerance):
    assert value_of(ratings_of(case), name) == pytest.approx(value, abs=tolerance)


@pytest.mark.parametrize("name", names_at("ratio"))
@settings(deadline=None)
@given(table=tables())
def test_any_table_with_gaps_gives_the_value_of_the_written_out_definition(name, table):
    rows, categories = table
    expected = slow(name, rows, categories)
    found = value_of(Ratings.from_rows(rows, categories, "ratio"), name)
    assert found == (None if expected is None else pytest.approx(expected, abs=1e-9))


WEIGHTED = [
    pytest.param(case, name, power, case["weighted"][name][weights], id=f"{case['name']}-{name}-{weights}")
    for case in CASES.values()
    for name in case.get("weighted", ())
    for power, weights in enumerate(("identity", "linear", "quadratic"))
    if weights in case["weighted"][name]
]


@pytest.mark.parametrize(("case", "name", "power", "value"), WEIGHTED)
def test_a_formula_holds_for_weights_under_which_it_has_no_name(case, name, power, value):
    patterns = Patterns.of(ratings_of(case))
    weighted = replace(STATISTICS[name], power=power).tally(patterns)
    assert weighted.value() == pytest.approx(value, abs=1e-5)


def test_the_canonical_cases_cover_every_formula_with_gaps():
    assert {CASES["gwet_raw_4raters"]["expected"].get(name) is None for name in CHANCE} == {False}


def test_kappas_by_category_are_those_of_fleiss():
    case = CASES["fleiss1971_category_kappas"]
    found = [coefficient.value for coefficient in by_category(ratings_of(case)).values()]
    assert found == pytest.approx(case["by_category"], abs=0.001)


@settings(deadline=None)
@given(table=tables(gaps=False))
def test_fleiss_kappa_is_the_mean_of_its_categories_by_their_variance(table):
    ratings = Ratings.from_rows(*table, "nominal")
    found = by_category(ratings, draws=0)
    given_values = [value for row in table[0] for value in row]
    share = {category: given_values.count(category) / len(given_values) for category in table[1]}
    weight = {category: p * (1 - p) for category, p in share.items()}
    for category, coefficient in found.items():
        assert (coefficient.value is None) == (weight[category] == 0)
    if (overall := value_of(ratings, "fleiss_kappa")) is not None:
        mean = sum(weight[c] * found[c].value for c in weight if weight[c]) / sum(weight.values())
        assert overall == pytest.approx(mean)


def test_a_category_that_nobody_gave_has_no_kappa_and_says_so():
    found = by_category(Ratings.from_rows([(1, 2), (2, 2), (1, 1)], (1, 2, 3), "nominal"))
    assert list(found) == [1, 2, 3]
    assert found[3].undefined == "every judgment is the same value"


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


@pytest.mark.parametrize(
    ("name", "of_five", "of_three"),
    [
        # Three of four items agree; chance is one in five, or one in three.
        ("brennan_prediger", (3 / 4 - 1 / 5) / (4 / 5), (3 / 4 - 1 / 3) / (2 / 3)),
        # Shares 2/8, 3/8, 3/8, so that their p (1 - p) add up to 42/64; over q - 1.
        ("gwet_ac1", (3 / 4 - 42 / 256) / (1 - 42 / 256), (3 / 4 - 42 / 128) / (1 - 42 / 128)),
    ],
)
def test_chance_depends_on_the_declared_number_of_categories(name, of_five, of_three):
    assert value_of(Ratings.from_rows(TRAP, (1, 2, 3, 4, 5), "ordinal"), name) == pytest.approx(of_five)
    assert value_of(Ratings.from_rows(TRAP, (1, 2, 5), "ordinal"), name) == pytest.approx(of_three)


def test_words_stand_at_their_place_in_the_declared_order():
    rows = [("poor", "fair"), ("good", "good"), ("fair", "fair"), ("good", "poor")]
    numbered = [tuple({"poor": 0, "fair": 1, "good": 2}[word] for word in row) for row in rows]
    for name in ("cohen_kappa_linear", "cohen_kappa_quadratic", "krippendorff_alpha_interval", "gwet_ac2_linear"):
        by_words = value_of(Ratings.from_rows(rows, ("poor", "fair", "good"), "ordinal"), name)
        assert by_words == value_of(Ratings.from_rows(numbered, (0, 1, 2), "ordinal"), name)
