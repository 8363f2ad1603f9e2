"""The table of judgments and its patterns."""

import numpy as np
import pytest
from agreement_cases import sample, tables
from hypothesis import given, settings

from assay.statistics import Patterns, Ratings, Scale
from assay.statistics import patterns as patterns_module

FIVE = (1, 2, 3, 4, 5)


def test_long_rows_become_places_on_the_declared_scale():
    ratings = Ratings.from_long([("x", "bo", 5), ("y", "ann", 1), ("y", "bo", 2)], FIVE, "ordinal")
    assert ratings.items == ("x", "y")
    assert ratings.annotators == ("bo", "ann")
    assert ratings.values.tolist() == [[4, -1], [1, 0]]


def test_long_rows_may_come_from_a_generator():
    assert Ratings.from_long((("x", a, 1) for a in "ab"), FIVE, "ordinal").values.tolist() == [[0, 0]]


def test_no_rows_make_an_empty_table():
    assert Ratings.from_long([], FIVE, "ordinal").values.shape == (0, 0)


@pytest.mark.parametrize("value", [6, "5", None, ["tag"], 4.5])
def test_a_value_that_is_not_on_the_scale_is_refused_with_its_place(value):
    with pytest.raises(ValueError, match=r"item 'y' by annotator 'ann', is not on the scale 1, 2, 3, 4, 5"):
        Ratings.from_long([("x", "ann", 5), ("y", "ann", value)], FIVE, "ordinal")


def test_a_second_judgment_of_the_same_item_by_the_same_annotator_is_refused():
    with pytest.raises(ValueError, match="annotator 'ann' judged item 'x' twice"):
        Ratings.from_long([("x", "ann", 5), ("x", "bo", 5), ("x", "ann", 5)], FIVE, "ordinal")


def test_a_long_scale_is_shown_in_short():
    assert str(Scale(tuple(range(101)), "interval")) == "0, 1, 2, 3, 4, 5, 6, 7, ..., 100"


@pytest.mark.parametrize(
    ("categories", "level", "message"),
    [
        ((1, 2, 2), "nominal", "names a value twice"),
        (("a", "b"), "interval", "must be numbers"),
        ((1, 3, 2), "ordinal", "must rise or fall in order"),
        ((-1, 0, 1), "ratio", "no value below zero"),
    ],
)
def test_a_scale_that_contradicts_its_level_is_refused(categories, level, message):
    with pytest.raises(ValueError, match=message):
        Ratings.from_rows([(categories[0], categories[0])], categories, level)


@pytest.mark.parametrize(
    ("categories", "positions"),
    [((5, 4, 3), [5, 4, 3]), ((-1, 0, 1), [-1, 0, 1]), (("low", "high"), [0, 1]), ((False, True), [0, 1])],
)
def test_an_ordered_scale_may_fall_go_below_zero_or_be_words(categories, positions):
    assert Scale(categories, "ordinal").positions.tolist() == positions
    ratings = Ratings.from_long([("x", "ann", categories[1]), ("x", "bo", categories[0])], categories, "ordinal")
    assert ratings.values.tolist() == [[1, 0]]


@pytest.mark.parametrize(
    ("values", "clusters", "message"),
    [
        ([[0, 0, 0]], None, "shape"),
        ([[0, 5], [0, 0]], None, "indices on the scale, 0 to 4"),
        ([[0, -2], [0, 0]], None, "indices on the scale, 0 to 4"),
        ([[0, 1], [0, 0]], [0], "clusters for"),
        ([[0, 1], [0, 0]], [0, 2], "without gaps"),
        ([[0, 1], [0, 0]], [0, -1], "without gaps"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(values, clusters, message):
    with pytest.raises(ValueError, match=message):
        Ratings(np.array(values), FIVE, "ordinal", ("x", "y"), ("ann", "bo"), clusters and np.array(clusters))


def test_items_are_numbered_by_their_cluster():
    rows = [("x", "ann", 1), ("y", "ann", 1), ("z", "ann", 1)]
    ratings = Ratings.from_long(rows, FIVE, "ordinal", clusters={"x": "doc9", "y": "doc1", "z": "doc9"})
    assert ratings.clusters.tolist() == [0, 1, 0]


def test_an_item_without_a_cluster_is_refused():
    with pytest.raises(ValueError, match="item 'y' has no cluster"):
        Ratings.from_long([("x", "ann", 1), ("y", "ann", 1)], FIVE, "ordinal", clusters={"x": "doc"})


def test_a_pair_keeps_the_items_that_both_judged_and_their_clusters():
    rows = [("w", "ann", 1), ("x", "ann", 2), ("x", "bo", 3), ("y", "bo", 4), ("z", "ann", 5), ("z", "bo", 1)]
    pair = Ratings.from_long(rows, FIVE, "ordinal", clusters={"w": 0, "x": 1, "y": 1, "z": 2}).pair(0, 1)
    assert pair.items == ("x", "z")
    assert pair.values.tolist() == [[1, 2], [4, 0]]
    assert pair.clusters.tolist() == [0, 1]


def by_name(ratings):
    """The values with annotators in the order of their names."""
    return ratings.values[:, np.argsort(list(map(str, ratings.annotators)))]


@settings(deadline=None)
@given(table=tables())
def test_patterns_are_the_distinct_rows_however_they_are_found(table):
    ratings = Ratings.from_rows(*table, "ordinal")
    by_code = Patterns.of(ratings)
    assert (by_code.rows[by_code.of_item] == by_name(ratings)).all()
    assert by_code.counts.tolist() == np.bincount(by_code.of_item).tolist()
    assert len({tuple(row) for row in by_code.rows.tolist()}) == len(by_code.rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(patterns_module, "LARGEST_CODE", 0)
        by_row = Patterns.of(ratings)
    assert by_row.rows.tolist() == by_code.rows.tolist()
    assert by_row.of_item.tolist() == by_code.of_item.tolist()


@pytest.mark.parametrize("n_annotators", [3, 12, 40])
def test_wide_tables_have_patterns_too(n_annotators):
    ratings = sample(1, n_items=200, n_annotators=n_annotators, missing=0.3)
    patterns = Patterns.of(ratings)
    assert (patterns.rows[patterns.of_item] == by_name(ratings)).all()
    assert patterns.counts.sum() == 200
