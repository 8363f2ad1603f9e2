"""Variants of a judge: the best of several looks better than it is, and by how much is said."""

import numpy as np
import pytest

from assay.statistics.comparison.variants import compare_variants


def played(rng, chances, items=60, people=2):
    truth = [(item, f"p{who}", int(rng.random() < 0.5)) for item in range(items) for who in range(people)]
    first = {item: value for item, who, value in truth if who == "p0"}
    answers = {
        name: {item: value if rng.random() < chance else 1 - value for item, value in first.items()}
        for name, chance in chances.items()
    }
    return answers, truth


def test_the_best_of_equal_ones_looks_better_than_it_is_and_on_other_items_it_does_not():
    rng, looks, elsewhere = np.random.default_rng(1), [], []
    for _ in range(200):
        answers, truth = played(rng, {f"v{number}": 0.7 for number in range(8)}, people=1)
        found = compare_variants(answers, truth, draws=0)
        looks.append(found.variants[0].same.value)
        elsewhere.append(found.chosen_elsewhere)
    assert np.mean(looks) > 0.76
    assert np.mean(elsewhere) == pytest.approx(0.7, abs=0.012)


def test_differences_are_of_the_same_items_and_their_intervals_cover():
    rng, held = np.random.default_rng(2), 0
    for _ in range(400):
        answers, truth = played(rng, {"good": 0.9, "poor": 0.6}, people=1)
        found = compare_variants(answers, truth)
        assert [each.name for each in found.variants] == ["good", "poor"]
        low, high = found.variants[1].behind.ci
        held += low <= -0.3 <= high
    assert 0.92 <= held / 400 <= 0.98


def test_what_one_was_not_asked_is_compared_for_none_and_no_answer_is_not_the_same():
    people = [(item, "ann", 1) for item in range(20)]
    answers = {"a": dict.fromkeys(range(10), 1), "b": dict.fromkeys(range(20), 1) | {0: None}}
    found = compare_variants(answers, people, {item: item // 2 for item in range(20)})
    assert (found.n, found.n_units, found.chosen_elsewhere) == (10, 5, None)
    assert [(each.name, each.same.value) for each in found.variants] == [("a", 1.0), ("b", 0.9)]
    nothing = compare_variants({"a": {}, "b": {}}, people)
    assert nothing.variants[0].same.undefined == "no question was answered both by people and by all variants"
