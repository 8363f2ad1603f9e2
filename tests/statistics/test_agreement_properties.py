"""What must hold of any table."""

import pytest
from agreement_cases import KAPPAS, names_at, tables, value_of
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.statistics import Ratings, agree

NAMES = names_at("ratio")
SYMMETRIC = [name for name in NAMES if name != "krippendorff_alpha_ratio"]


def values(rows, categories, level="ratio", names=NAMES):
    found = {name: value_of(Ratings.from_rows(rows, categories, level), name) for name in names}
    return {name: None if value is None else pytest.approx(value, abs=1e-9) for name, value in found.items()}


@settings(deadline=None)
@given(table=tables(), random=st.randoms(use_true_random=False))
def test_the_order_of_items_and_of_annotators_does_not_matter(table, random):
    rows, categories = table
    columns = list(range(len(rows[0])))
    shuffled = list(rows)
    random.shuffle(shuffled)
    random.shuffle(columns)
    turned = [[row[a] for a in columns] for row in shuffled]
    assert {n: value_of(Ratings.from_rows(turned, categories, "ratio"), n) for n in NAMES} == values(rows, categories)


@settings(deadline=None)
@given(table=tables(gaps=False))
def test_perfect_agreement_with_variation_is_exactly_one(table):
    rows, categories = table
    rows = [[row[0]] * len(row) for row in rows] + [[1, 1], [2, 2]]
    rows = [row + [row[0]] * (max(map(len, rows)) - len(row)) for row in rows]
    for name in NAMES:
        assert value_of(Ratings.from_rows(rows, categories, "ratio"), name) == 1.0


@settings(deadline=None)
@given(table=tables(), times=st.integers(2, 4))
def test_repeating_every_item_leaves_percent_agreement_and_kappa_as_they_are(table, times):
    rows, categories = table
    names = ["percent_agreement", "within_one_agreement", *KAPPAS]
    assert {n: value_of(Ratings.from_rows(rows * times, categories, "ratio"), n) for n in names} == values(
        rows, categories, names=names
    )


@settings(deadline=None)
@given(table=tables())
def test_a_scale_declared_from_the_other_end_gives_the_same_values(table):
    rows, categories = table
    assert {
        n: value_of(Ratings.from_rows(rows, categories[::-1], "ordinal"), n) for n in names_at("ordinal")
    } == values(rows, categories, "ordinal", names_at("ordinal"))


@settings(deadline=None)
@given(table=tables())
def test_values_at_twice_the_distance_give_the_same_values(table):
    rows, categories = table
    wide = [[None if value is None else 2 * value for value in row] for row in rows]
    names = [name for name in SYMMETRIC if name != "within_one_agreement"]
    wide_scale = [2 * value for value in categories]
    assert {n: value_of(Ratings.from_rows(wide, wide_scale, "interval"), n) for n in names} == values(
        rows, categories, "interval", names
    )


@settings(deadline=None)
@given(table=tables())
def test_there_is_a_value_in_range_or_a_reason_and_never_both(table):
    for found in agree(Ratings.from_rows(*table, "ratio")):
        assert (found.value is None) == (found.undefined is not None)
        if found.value is None:
            assert found.ci is None
            assert found.undefined
        else:
            assert -1 - 1e-9 <= found.value <= 1 or found.name.startswith("krippendorff")
            assert found.value <= 1
            assert found.method
        if found.ci is not None:
            assert found.ci[0] - 1e-9 <= found.value <= found.ci[1] + 1e-9
