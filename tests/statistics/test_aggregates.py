"""One value for each item: means, medians, majorities, and the model of Dawid and Skene."""

import math

import numpy as np
import pytest
from comparison_cases import CASES
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples

from assay.statistics.comparison.aggregates import TIE_RULES, majorities, means, medians
from assay.statistics.comparison.dawid_skene import dawid_skene

labels = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3), st.sampled_from("abc")), min_size=1, max_size=60)


def anaesthetists():
    case = CASES["dawid_skene_1979_anaesthetists"]
    return [
        (patient, observer, int(label))
        for patient, row in enumerate(case["data"]["labels"], 1)
        for observer, given in enumerate(row.split(), 1)
        for label in given
    ]


def test_a_mean_has_its_standard_error_and_a_single_judgment_has_none():
    found = means({"i1": [1, 3, 5], "i2": [4], "i3": []})
    assert [each.value for each in found] == [3, 4, None]
    assert found[0].se == pytest.approx(2 / math.sqrt(3))
    assert found[1].se is None
    assert found[2].undefined == "there are no judgments"


def test_medians_of_even_numbers_lie_between_the_middle_two():
    assert [each.value for each in medians({"i1": [5, 1, 2], "i2": [1, 2, 4, 5], "i3": []})] == [2, 3, None]


def test_majorities_follow_the_tie_rule_that_was_stated():
    judgments = {"i1": [1, 3, 3], "i2": [3, 1], "i3": [2, 1, 1, 2, 3], "i4": []}
    for rule, expected in (
        ("undecided", [3, None, None, None]),
        ("lowest", [3, 1, 1, None]),
        ("highest", [3, 3, 2, None]),
    ):
        found = majorities(judgments, (1, 2, 3), rule)
        assert [each.value for each in found] == expected
        assert rule in TIE_RULES
    assert found[0].counts == (1, 0, 2)
    undecided = majorities(judgments, (1, 2, 3))
    assert undecided[1].undefined == "a tie of 1 and 3, each 1 times"


def test_the_order_of_a_tie_rule_is_that_of_the_scale():
    assert majorities({"i": ["yes", "no"]}, ("no", "yes"), "lowest")[0].value == "no"
    with pytest.raises(ValueError, match="'maybe', given to item 'i', is not on the scale"):
        majorities({"i": ["maybe"]}, ("no", "yes"))


# Dawid and Skene


def test_the_anaesthetists_of_dawid_and_skene():
    case = CASES["dawid_skene_1979_anaesthetists"]
    found = dawid_skene(anaesthetists(), (1, 2, 3, 4))
    assert found.prevalence == pytest.approx(case["expected"]["prevalence"], abs=0.0051)
    assert found.confusion[0] == pytest.approx(np.array(case["expected"]["confusion_first"]), abs=0.0051)
    assert found.converged
    assert found.warnings == ()
    assert (found.labels[2], found.labels[11], found.labels[35]) == (2, 3, 4)  # patients 3, 12 and 36
    assert found.without_majority == 1
    assert found.differ_from_majority == 2


def test_an_annotator_who_turns_everything_round_is_understood():
    truth = [n % 2 for n in range(40)]
    rows = [(n, who, value) for n, value in enumerate(truth) for who in ("ann", "bo")]
    rows += [(n, "cy", 1 - value) for n, value in enumerate(truth)]
    found = dawid_skene(rows, (0, 1))
    assert list(found.labels) == truth
    assert found.confusion[2] == pytest.approx(np.array([[0, 1], [1, 0]]), abs=1e-6)


def test_better_annotators_count_more_than_the_majority():
    chance = np.random.default_rng(1)
    truth = chance.integers(0, 2, 300)
    right = {"good": 0.97, "fair": 0.9, "guess1": 0.5, "guess2": 0.5, "guess3": 0.5}
    rows = []
    for who, share in right.items():
        given = np.where(chance.random(300) < share, truth, 1 - truth)
        rows += [(n, who, int(value)) for n, value in enumerate(given)]
    found = dawid_skene(rows, (0, 1))
    votes = majorities({n: [row[2] for row in rows if row[0] == n] for n in range(300)}, (0, 1))
    by_model = np.mean([a == b for a, b in zip(found.labels, truth, strict=True)])
    by_vote = np.mean([each.value == b for each, b in zip(votes, truth, strict=True)])
    assert by_model > 0.95 > by_vote
    assert found.differ_from_majority == sum(a != b.value for a, b in zip(found.labels, votes, strict=True)) > 10
    assert found.confusion[0, 0, 0] == pytest.approx(0.97, abs=0.04)


@settings(deadline=None, max_examples=examples(50))
@given(rows=labels, seed=st.integers(0, 9))
def test_probabilities_sum_to_one_and_order_does_not_matter(rows, seed):
    found = dawid_skene(rows, "abc", steps=30)
    assert found.posterior.sum(axis=1) == pytest.approx(np.ones(len(found.items)))
    assert found.confusion.sum(axis=2) == pytest.approx(np.ones((len(found.annotators), 3)))
    order = np.random.default_rng(seed).permutation(len(rows)).tolist()
    other = dawid_skene([rows[at] for at in order], "abc", steps=30)
    places = [other.items.index(item) for item in found.items]
    assert other.posterior[places] == pytest.approx(found.posterior, abs=1e-6)


@settings(deadline=None, max_examples=examples(50))
@given(rows=labels, steps=st.integers(1, 10))
def test_each_step_makes_the_labels_more_probable(rows, steps):
    one, next_ = (dawid_skene(rows, "abc", steps=each, tolerance=0).log_likelihood for each in (steps, steps + 1))
    assert next_ >= one - 1e-7


def test_few_labels_and_steps_that_do_not_suffice_are_warned_of():
    found = dawid_skene(
        [(n, who, "ab"[(n + who) % 2]) for n in range(5) for who in range(7)], "ab", steps=1, tolerance=0
    )
    assert "fewer than 20 labels by 0, 1, 2, 3, 4 and 2 others" in found.warnings[0]
    assert "still moving after 1 steps" in found.warnings[1]


def test_without_labels_or_off_the_scale_it_says_so():
    assert dawid_skene([], "ab").undefined == "there are no judgments"
    with pytest.raises(ValueError, match="'z', given to item 1 by annotator 'ann', is not on the scale"):
        dawid_skene([(1, "ann", "z")], "ab")


def test_an_even_posterior_names_no_category():
    assert dawid_skene([(1, "ann", "a"), (1, "bo", "b")], "ab").labels == (None,)
