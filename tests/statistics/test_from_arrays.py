"""Tables from columns and data frames, and patterns without names."""

import math
import types

import numpy as np
import pytest
from agreement_cases import names_at, sample, tables
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples

from assay.kinds import STATISTICS
from assay.statistics import BadRows, Draws, Patterns, Ratings, agree, bootstrap, ratings_from, read_scale
from assay.statistics.base import Tally
from assay.statistics.frames import number_of
from assay.statistics.krippendorff_alpha import MeanRankTally

FIVE = (1, 2, 3, 4, 5)


def same(one, other):
    assert one.values.tolist() == other.values.tolist()
    assert tuple(one.items) == tuple(other.items)
    assert one.annotators == other.annotators
    assert (one.categories, one.level) == (other.categories, other.level)
    assert (one.clusters is None) == (other.clusters is None)
    if one.clusters is not None:
        assert one.clusters.tolist() == other.clusters.tolist()


@st.composite
def long_rows(draw):
    """Judgments in any order: an annotator never twice on an item; ids are numbers or texts."""
    rows, categories = draw(tables())
    name = draw(
        st.sampled_from([str, int, lambda number: number * 1000 - 3, lambda number: f"id {number % 3} {number}"])
    )
    long = [(name(i), f"a{a}", value) for i, row in enumerate(rows) for a, value in enumerate(row) if value is not None]
    return draw(st.permutations(long)), categories


@given(long_rows(), st.booleans())
@settings(max_examples=examples(200), deadline=None)
def test_columns_make_the_table_that_their_rows_make(made, in_arrays):
    rows, categories = made
    clusters = {item: hash(item) % 3 for item, _, _ in rows}
    by_rows = Ratings.from_long(rows, categories, "ordinal", clusters)
    items, annotators, values = ([row[place] for row in rows] for place in range(3))
    within = [clusters[item] for item in items]
    columns = [np.array(each) if in_arrays else each for each in (items, annotators, values)]
    same(Ratings.from_arrays(*columns, categories, "ordinal", within), by_rows)


def test_many_rows_of_numbers_make_the_same_table_as_few():
    rng = np.random.default_rng(3)
    items, annotators = np.divmod(rng.permutation(6000), 3)
    values = rng.integers(1, 6, 6000).astype(float)
    found = Ratings.from_arrays(items, annotators, values, FIVE, "ordinal")
    same(
        found,
        Ratings.from_long(zip(items.tolist(), annotators.tolist(), values.tolist(), strict=True), FIVE, "ordinal"),
    )


@pytest.mark.parametrize("nothing", [None, math.nan])
def test_a_missing_value_is_no_judgment(nothing):
    found = Ratings.from_arrays(["x", "y", "y"], ["a", "a", "b"], [nothing, 1, 2], FIVE, "ordinal")
    assert found.items == ("y",)
    numbers = np.array([np.nan, 1, 2])
    same(Ratings.from_arrays(["x", "y", "y"], ["a", "a", "b"], numbers, FIVE, "ordinal"), found)


@pytest.mark.parametrize(
    ("columns", "words", "rows"),
    [
        ((["x", "y"], ["a", "a"], [1, 9]), "9, given to item 'y' by annotator 'a', is not on the scale", (1,)),
        ((["x", "y"], ["a", "a"], [1, ["tag"]]), "is not on the scale", (1,)),
        ((["x", "y", "x"], ["a", "a", "a"], [1, 2, 3]), "annotator 'a' judged item 'x' twice", (0, 2)),
        ((["x", None], ["a", "a"], [1, 2]), "row 1 has no item", (1,)),
        ((["x", "y"], ["a", None], [1, 2]), "row 1 has no annotator", (1,)),
    ],
)
def test_rows_that_make_no_table_are_named_by_their_numbers(columns, words, rows):
    with pytest.raises(BadRows, match=words) as raised:
        Ratings.from_arrays(*columns, FIVE, "ordinal")
    assert raised.value.rows == rows


def test_an_item_lies_in_one_cluster_and_columns_have_one_length():
    with pytest.raises(BadRows, match="item 'x' lies in two clusters"):
        Ratings.from_arrays(["x", "x"], ["a", "b"], [1, 2], FIVE, "ordinal", ["p", "q"])
    with pytest.raises(ValueError, match="2, 1, 2 rows"):
        Ratings.from_arrays(["x", "x"], ["a"], [1, 2], FIVE, "ordinal")


# Data frames


class Column:
    """What pandas and polars give for a name in brackets."""

    def __init__(self, values):
        self.values = values

    def to_numpy(self):
        return self.values


class Frame:
    """As much of a data frame as is needed."""

    def __init__(self, names="columns", **columns):
        setattr(self, names, list(columns))
        self._columns = columns

    def __getitem__(self, name):
        return Column(self._columns[name])


LONG = {
    "id": np.array(["x", "x", "y", "y"], dtype=object),
    "who": np.array(["a", "b", "a", "b"], dtype=object),
    "score": np.array([4.0, 5.0, 1.0, np.nan]),
}


@pytest.mark.parametrize(
    "data", [Frame(**LONG), Frame("column_names", **LONG), LONG, {k: list(v) for k, v in LONG.items()}]
)
def test_whatever_gives_columns_by_name_is_a_data_frame(data):
    found = ratings_from(data, item="id", annotator="who", value="score", scale="1-5", level="ordinal")
    same(found, Ratings.from_long([("x", "a", 4), ("x", "b", 5), ("y", "a", 1)], FIVE, "ordinal"))


def test_what_pandas_puts_for_a_missing_value_is_none():
    nothing = types.new_class("NAType")()
    scores = np.array([4, 5, 1, nothing], dtype=object)
    found = ratings_from(
        {**LONG, "score": scores}, item="id", annotator="who", value="score", scale=FIVE, level="ordinal"
    )
    assert found.values.tolist() == [[3, 4], [0, -1]]


def test_a_matrix_has_a_row_for_each_item_and_a_column_for_each_annotator():
    found = ratings_from(np.array([[1, 2], [np.nan, np.nan], [np.nan, 5]]), scale=range(1, 6), level="interval")
    assert found.values.tolist() == [[0, 1], [-1, 4]]
    assert tuple(found.items) == (0, 2)


def test_a_wide_frame_names_a_column_for_each_annotator():
    frame = Frame(id=np.array([7, 8]), ann=np.array([1.0, 2.0]), bo=np.array([np.nan, 2.0]), doc=np.array(["d", "d"]))
    found = ratings_from(frame, item="id", annotator=["ann", "bo"], scale="1-5", level="ordinal", cluster="doc")
    assert (found.items, found.annotators) == ((7, 8), ("ann", "bo"))
    assert found.values.tolist() == [[0, -1], [1, 1]]
    assert found.clusters.tolist() == [0, 0]
    unnamed = ratings_from(frame, annotator=["ann", "bo"], scale="1-5", level="ordinal")
    assert (tuple(unnamed.items), unnamed.values.tolist()) == ((0, 1), found.values.tolist())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"item": "id", "annotator": "who", "value": "scor"}, "no column 'scor'; there are: id, who, score"),
        ({"annotator": "who", "value": "score"}, "say which column holds the item"),
        ({"item": "id", "value": "score"}, "say which column holds the annotator"),
        ({"item": "id", "annotator": ["score"]}, "item 'x' has two rows"),
        ({}, "or give a 2-D array"),
    ],
)
def test_what_cannot_be_read_from_a_frame_is_said(arguments, words):
    with pytest.raises(ValueError, match=words):
        ratings_from(LONG, **arguments, scale="1-5", level="ordinal")
    with pytest.raises(ValueError, match=r"9\.0, given to item 1 by annotator 0, is not on the scale"):
        ratings_from(np.array([[1.0], [9.0]]), scale="1-5", level="ordinal")


@pytest.mark.parametrize("text", ["5-1", "3", "", "a,,b", "1,1", "0-99999"])
def test_a_scale_that_cannot_be_read_is_refused(text):
    with pytest.raises(ValueError, match="scale"):
        read_scale(text)


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e999", "0x10", "1_000", "", "four", "1,5"])
def test_words_that_python_takes_for_numbers_are_none(text):
    assert number_of(text) is None


# Patterns without names


def shuffled(ratings, seed):
    """The same judgments of each item, given by others."""
    return Ratings(
        np.random.default_rng(seed).permuted(ratings.values, axis=1),
        ratings.categories,
        ratings.level,
        ratings.items,
        ratings.annotators,
        ratings.clusters,
    )


@pytest.mark.parametrize("name", [name for name in names_at("ratio") if not STATISTICS[name].by_annotator])
@pytest.mark.parametrize("n_items", [12, 60, 2000])
def test_what_does_not_depend_on_who_judged_is_the_same_whoever_did(name, n_items):
    ratings = sample(5, n_items=n_items, n_annotators=6, missing=0.2)
    ratings = Ratings(ratings.values, FIVE, "ratio", ratings.items, ratings.annotators)
    (one,), (other,) = (agree(each, [name], draws=0) for each in (ratings, shuffled(ratings, 1)))
    assert one.value == pytest.approx(other.value, abs=1e-12)


@given(tables())
@settings(max_examples=examples(100), deadline=None)
def test_nameless_patterns_hold_the_same_judgments(made):
    rows, categories = made
    patterns = Patterns.of(Ratings.from_rows(rows * 5, categories, "ordinal"))
    nameless = patterns.nameless
    assert nameless.counts.sum() == patterns.counts.sum()
    assert np.allclose(nameless.counts @ nameless.frequencies, patterns.counts @ patterns.frequencies)
    assert np.allclose(patterns.without_names(patterns.counts[None, :] * 1.0), nameless.counts)


# Long scales


@given(tables())
@settings(max_examples=examples(150), deadline=None)
def test_ordinal_alpha_by_ranks_is_that_by_pairs_of_categories(made):
    rows, categories = made
    patterns = Patterns.of(Ratings.from_rows(rows, categories, "ordinal"))
    alpha = STATISTICS["krippendorff_alpha_ordinal"]
    weights = np.random.default_rng(len(rows)).multinomial(len(rows), patterns.counts / len(rows), size=8) * 1.0
    weights = np.concatenate([weights, patterns.counts[None, :] * 1.0])
    by_pairs, by_ranks = Tally(alpha, patterns).values(weights), MeanRankTally(alpha, patterns).values(weights)
    assert by_ranks == pytest.approx(by_pairs, abs=1e-9, nan_ok=True)


def test_a_long_scale_is_ranked_and_a_short_one_counted():
    alpha = STATISTICS["krippendorff_alpha_ordinal"]
    long = Ratings.from_rows([(1, 2), (900, 880), (5, 5)], range(1000), "ordinal")
    assert isinstance(alpha.tally(Patterns.of(long)), MeanRankTally)
    assert not isinstance(alpha.tally(Patterns.of(sample(1))), MeanRankTally)
    perfect = Ratings.from_rows([(0.1 * n, 0.1 * n) for n in range(40)], [0.1 * n for n in range(40)], "ordinal")
    assert agree(perfect, ["krippendorff_alpha_ordinal"])[0].value == 1.0


# Draws of nameless patterns, and of patterns within them


@pytest.mark.parametrize("picked", [0, 10**9])
def test_patterns_are_drawn_as_often_as_they_occur_and_add_up_to_the_nameless_ones(picked, monkeypatch):
    monkeypatch.setattr(bootstrap, "PICKED", picked)
    values = np.repeat([[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 0]] * 2, [300, 100, 20, 80, 100, 50, 10, 40], axis=0)
    # Eight annotators, so that the same values come from many; the rest of them is alike.
    values = np.column_stack([values, values[:, ::-1], np.zeros((700, 2), dtype=int)])
    draws = Draws.of(Ratings(values, (1, 2), "ordinal", range(700), tuple(range(8))), seed=5, draws=3000)
    assert draws.patterns.members
    named, nameless = np.concatenate(list(draws.weights())), np.concatenate([each for each, _ in draws.chunks(False)])
    assert (draws.patterns.without_names(named) == nameless).all()
    share = draws.patterns.counts / 700
    error = np.sqrt(700 * share * (1 - share) / 3000)
    assert (np.abs(named.mean(axis=0) - draws.patterns.counts) < 4.5 * error).all()
    assert named.var(axis=0) == pytest.approx(700 * share * (1 - share), rel=0.15)
