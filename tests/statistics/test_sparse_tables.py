"""Tables most of whose cells are empty: they take no more memory than what was given, and come back as they were."""

import numpy as np
import pytest

from assay.statistics import Ratings
from assay.statistics.sparse_tables import CELLS, SparseTables


def table(items: int, people: int, on_each: int) -> Ratings:
    """Everybody in turn judges some items."""
    rng = np.random.default_rng(1)
    rows = [
        (f"i{item}", f"p{(item + turn) % people}", int(rng.integers(1, 6)))
        for item in range(items)
        for turn in range(on_each)
    ]
    clusters = {f"i{item}": item // 2 for item in range(items)}
    return Ratings.from_long(rows, (1, 2, 3, 4, 5), "ordinal", clusters)


@pytest.mark.parametrize(
    ("made", "is_kept_whole"), [(table(5000, 250, 3), False), (table(50, 250, 3), True), (table(5000, 250, 100), True)]
)
def test_a_table_comes_back_as_it_was_and_only_a_large_one_with_many_empty_cells_is_made_anew(
    made: Ratings, is_kept_whole: bool
) -> None:
    assert (made.values.size >= CELLS) == (len(made.items) == 5000)
    tables = SparseTables([("warmth", made)])
    again = tables["warmth"]
    assert (again is made) == (tables["warmth"] is again) == is_kept_whole
    assert (list(tables), len(tables)) == (["warmth"], 1)
    for name in ("values", "clusters"):
        assert np.array_equal(getattr(again, name), getattr(made, name))
        assert getattr(again, name).dtype == getattr(made, name).dtype
    for name in ("categories", "level", "items", "annotators"):
        assert getattr(again, name) == getattr(made, name)
