"""Tables of many annotators, of whom each judged few items: other ways through them, the same numbers."""

import numpy as np
import pytest

from assay.statistics import Patterns, Ratings, agree
from assay.statistics.icc_few_each import JudgedByFew, few_judged_each
from assay.statistics.icc_two_way import _fit
from assay.statistics.patterns import _distinct_long_rows


def _wide(rng: np.random.Generator, items: int, annotators: int, most: int) -> Ratings:
    values = np.full((items, annotators), -1, dtype=np.int8)
    for row in values:
        who = rng.choice(annotators, int(rng.integers(1, most + 1)), replace=False)
        row[who] = rng.integers(0, 5, size=len(who))
    names = tuple(f"a{n:03}" for n in range(annotators))
    return Ratings(values, (1, 2, 3, 4, 5), "ordinal", tuple(range(items)), names)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64])
def test_rows_with_more_digits_than_a_number_has_are_told_apart_and_sorted_as_numbers(dtype: type) -> None:
    rng = np.random.default_rng(3)
    values = rng.integers(-1, min(1000, np.iinfo(dtype).max), size=(300, 60)).astype(dtype)
    values[100:200] = values[:100]
    values[:, 40:] = -1
    rows, number = _distinct_long_rows(values)
    expected, inverse = np.unique(values, axis=0, return_inverse=True)
    assert (rows == expected).all()
    assert rows.dtype == values.dtype
    assert (number == inverse.reshape(-1)).all()


@pytest.mark.parametrize("most", [2, 3, 6])
def test_intraclass_sums_judgment_by_judgment_are_those_of_the_whole_table(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    patterns = Patterns.of(_wide(np.random.default_rng(most), 900, 150, most))
    assert few_judged_each(patterns)
    sparse = _fit(patterns)
    monkeypatch.setattr("assay.statistics.icc_two_way.few_judged_each", lambda _: False)
    assert _fit(patterns) == pytest.approx(sparse, rel=1e-12, abs=1e-12)


def test_judgments_of_items_that_one_person_judged_do_not_count() -> None:
    judged = JudgedByFew(Patterns.of(_wide(np.random.default_rng(1), 900, 150, 2)))
    assert set(judged.judged.tolist()) == {0.0, 2.0}


def test_small_tables_and_full_ones_are_gone_through_cell_by_cell() -> None:
    rng = np.random.default_rng(2)
    assert not few_judged_each(Patterns.of(_wide(rng, 200, 50, 3)))
    assert not few_judged_each(Patterns.of(_wide(rng, 40, 120, 120)))


def test_agreement_does_not_depend_on_the_order_of_many_annotators() -> None:
    table = _wide(np.random.default_rng(5), 400, 120, 3)
    order = np.random.default_rng(6).permutation(120)
    names = tuple(table.annotators[at] for at in order)
    turned = Ratings(table.values[:, order], table.categories, table.level, table.items, names)
    assert agree(table, draws=50) == agree(turned, draws=50)
