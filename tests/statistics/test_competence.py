"""Models of how annotators err: what others published, what was put in, and what must not matter."""

import numpy as np
import pytest

from assay.statistics.comparison.dawid_skene import dawid_skene
from assay.statistics.comparison.mace import mace

# crowd-kit (Apache-2.0), tests/aggregation/test_ds_aggregation.py and tests/conftest.py: labels of five workers, and
# what one step of Dawid and Skene's model makes of them, rounded.
TOY = {"w1": "nyyyy", "w2": "yynyn", "w3": " ynyn", "w4": "ynyyn", "w5": "nnnyn"}
ROWS = [(f"t{at + 1}", who, label) for who, labels in TOY.items() for at, label in enumerate(labels) if label != " "]
AFTER_ONE_STEP = {"t1": (0.35, 0.65), "t2": (0.26, 0.74), "t3": (0.87, 0.13), "t4": (0.0, 1.0), "t5": (0.95, 0.05)}
ERRORS = {"w1": ((0.22, 0.78), (0.19, 0.81)), "w2": ((0.61, 0.39), (0.22, 0.78)), "w5": ((1.0, 0.0), (0.63, 0.37))}
TRUTH = {"t1": "y", "t2": "y", "t3": "n", "t4": "y", "t5": "n"}
# Their second example: three good workers, one who always says parrot, one who takes chickens for geese.
BIRDS = {
    "good": {"ec": "goose", "fb": "parrot", "03": "goose", "05": "goose", "02": "parrot", "08": "parrot"},
    "better": {"fb": "parrot", "e8": "chicken", "07": "parrot", "fd": "chicken", "e4": "chicken", "03": "goose"},
    "best": {"e8": "chicken", "ec": "goose", "05": "goose", "02": "parrot", "08": "parrot"},
    "fine": {"ec": "goose", "e8": "chicken", "03": "goose", "e4": "chicken"},
    "fraud": dict.fromkeys(("ec", "fb", "07", "fd", "e4", "05"), "parrot"),
    "careless": {"fb": "parrot", "e8": "goose", "02": "parrot", "08": "parrot", "07": "parrot", "fd": "goose"},
}
BIRD_TRUTH = {"ec": "goose", "03": "goose", "05": "goose", "fb": "parrot", "02": "parrot", "08": "parrot"}
BIRD_TRUTH |= {"07": "parrot", "e8": "chicken", "e4": "chicken"}


def test_one_step_of_dawid_and_skene_is_what_crowd_kit_published() -> None:
    found = dawid_skene(ROWS, ("n", "y"), steps=1)
    for item, expected in AFTER_ONE_STEP.items():
        assert found.posterior[found.items.index(item)] == pytest.approx(expected, abs=0.006)
    for who, by_truth in ERRORS.items():
        assert found.confusion[found.annotators.index(who)] == pytest.approx(np.array(by_truth), abs=0.006)
    assert found.prevalence == pytest.approx((0.46, 0.54), abs=0.006)


def test_competence_finds_the_labels_that_crowd_kit_published() -> None:
    found = mace(ROWS, ("n", "y"))
    assert dict(zip(found.items, found.labels, strict=True)) == TRUTH
    rows = [(item, who, label) for who, given in BIRDS.items() for item, label in given.items()]
    birds = mace(rows, ("goose", "parrot", "chicken"))
    labels = dict(zip(birds.items, birds.labels, strict=True))
    assert {item: labels[item] for item in BIRD_TRUTH} == BIRD_TRUTH
    competence = dict(zip(birds.annotators, birds.competence.tolist(), strict=True))
    assert competence["fraud"] < 0.35 < 0.8 < min(competence[who] for who in ("good", "better", "best", "fine"))


def test_competence_that_was_put_in_comes_out() -> None:
    rng = np.random.default_rng(1)
    skill = {"ann": 0.95, "bo": 0.8, "cy": 0.6, "di": 0.3, "spam": 0.0}
    rows, truth = [], rng.integers(0, 4, 800)
    for item, category in enumerate(truth.tolist()):
        for who, share in skill.items():
            guess = 2 if who == "spam" else int(rng.integers(0, 4))
            rows.append((item, who, category if rng.random() < share else guess))
    found = mace(rows, range(4))
    assert dict(zip(found.annotators, found.competence.tolist(), strict=True)) == pytest.approx(skill, abs=0.06)
    assert found.guesses[found.annotators.index("spam"), 2] > 0.95
    right = np.mean([label == category for label, category in zip(found.labels, truth.tolist(), strict=True)])
    assert right > 0.94
    assert found.converged
    assert found.posterior.sum(axis=1) == pytest.approx(1)


def test_the_likelihood_is_that_of_the_formula_and_no_search_ends_below_its_start() -> None:
    found = mace(ROWS, ("n", "y"), restarts=3)
    total = 0.0
    for item in found.items:
        by_truth = []
        for truth in ("n", "y"):
            share = 0.5
            for _, who, label in (row for row in ROWS if row[0] == item):
                at = found.annotators.index(who)
                knows = found.competence[at]
                share *= knows * (label == truth) + (1 - knows) * found.guesses[at, ("n", "y").index(label)]
            by_truth.append(share)
        total += np.log(sum(by_truth))
        posterior = found.posterior[found.items.index(item)]
        assert posterior == pytest.approx(np.array(by_truth) / sum(by_truth), abs=1e-9)
    assert found.log_likelihood == pytest.approx(total, abs=1e-9)
    assert mace(ROWS, ("n", "y"), restarts=20).log_likelihood >= mace(ROWS, ("n", "y"), restarts=0).log_likelihood


def test_the_same_seed_gives_the_same_and_nothing_gives_nothing() -> None:
    one, other = (mace(ROWS, ("n", "y"), seed=5) for _ in range(2))
    assert (one.competence == other.competence).all()
    assert mace([], ("n", "y")).undefined == "there are no judgments"
    with pytest.raises(ValueError, match="'z', given to item 1 by annotator 'ann', is not on the scale"):
        mace([(1, "ann", "z")], ("n", "y"))
