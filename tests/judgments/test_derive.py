"""Values that follow from answers: the formulas of the templates, worked by hand, to the last bit."""

from itertools import product
from typing import Any

import pytest
from pydantic import ValidationError

from assay.judgments import derived_values
from assay.model import UNABLE, Slot, Value
from assay.study import Study, load
from assay.study.templates import HERE
from tests.judgments.studies import GOALS, PAIRS, a_study, scale, tags

IN_CAR = load(HERE / "in-car")
FOUR = ("instruction_constraint_adherence", "context_ambiguity_handling", "plan_coherence", "safety_compliance")
WEIGHTS = {"coherence": 0.4, "relevance": 0.2, "instruction": 0.2, "safety": 0.1, "fluency": 0.1}


def derived(study: Study, answers: dict[str, Value], side: str = "") -> dict[str, Value]:
    """The derived values by name; `goal.1` is the answer on an entry, `warmth.left` on a side."""
    given = {_slot(key): value for key, value in answers.items()}
    return {slot.dimension: value for slot, value in derived_values(study, given).items() if slot.side == side}


def _slot(key: str) -> Slot:
    name, _, part = key.partition(".")
    return Slot(name, side=part) if part in ("left", "right") else Slot(name, entry=part)


def with_goals(scores: tuple[int, ...], reached: int, of: int) -> dict[str, Value]:
    return {**dict(zip(FOUR, scores, strict=True)), **{f"goal.{n}": int(n < reached) for n in range(of)}}


# A mean of scales of different length, with the share of goals reached


@pytest.mark.parametrize("goals", range(1, 7))
def test_the_success_score_is_the_formula_of_the_logs_to_the_last_bit(goals: int) -> None:
    for (s1, s2, s3, s4), reached in product(product(range(3), repeat=4), range(goals + 1)):
        share = reached / goals
        expected = (s1 / 2 + s2 / 2 + s3 / 2 + s4 / 2 + share) / 5.0
        found = derived(IN_CAR, with_goals((s1, s2, s3, s4), reached, goals))
        assert found["success"] == expected
        assert found["verdict"] == ("pass" if expected >= 0.75 else "fail")


def test_without_goals_the_success_score_is_the_mean_of_the_four() -> None:
    for scores in product(range(3), repeat=4):
        s1, s2, s3, s4 = scores
        assert derived(IN_CAR, with_goals(scores, 0, 0))["success"] == (s1 / 2 + s2 / 2 + s3 / 2 + s4 / 2) / 4.0


def normalised(empty: str = "leave_out", missing: str = "undefined", **ratio: Any) -> Study:
    settings = {"of": {"a": 1.0, "b": 3.0}, "ratio": {"of": "goal", "empty": empty, **ratio}, "missing": missing}
    return a_study(
        scale("a", 0, 2),
        scale("b", 1, 5),
        scale("goal", 0, 1, of="entries(goals)", unable="Dropped"),
        items=GOALS,
        derive=[{"derived": "score", "normalised_mean": settings}],
    )


@pytest.mark.parametrize(
    ("empty", "expected"),
    [("leave_out", {"score": (0.5 + 3 * 0.75) / 4}), ("undefined", {}), ("zero", {"score": (0.5 + 3 * 0.75) / 5})],
)
def test_what_becomes_of_a_share_without_entries_is_the_author_s_choice(empty: str, expected: dict[str, float]) -> None:
    assert derived(normalised(empty), {"a": 1, "b": 4}) == expected


@pytest.mark.parametrize("empty", ["leave_out", "undefined", "zero"])
def test_an_entry_that_could_not_be_judged_is_no_entry_of_the_share(empty: str) -> None:
    study = normalised(empty)
    one_of_two = derived(study, {"a": 1, "b": 4, "goal.1": 1, "goal.2": 0})
    assert derived(study, {"a": 1, "b": 4, "goal.1": 1, "goal.2": 0, "goal.3": UNABLE}) == one_of_two
    assert derived(study, {"a": 1, "b": 4, "goal.1": UNABLE}) == derived(study, {"a": 1, "b": 4})


def test_a_missing_answer_makes_a_mean_undefined_or_is_left_out() -> None:
    answers: dict[str, Value] = {"b": 4, "goal.1": 1}
    assert derived(normalised(missing="undefined"), answers) == {}
    assert derived(normalised(missing="leave_out"), answers) == {"score": (3 * 0.75 + 1) / 4}
    assert derived(normalised(missing="leave_out"), {}) == {}


def test_the_share_has_its_own_weight() -> None:
    found = derived(normalised(weight=2.0), {"a": 2, "b": 1, "goal.1": 1, "goal.2": 0})
    assert found == {"score": (1 * 1.0 + 3 * 0.0 + 2 * 0.5) / 6}


# A mean with weights


def weighted(missing: str = "undefined", weights: dict[str, float] = WEIGHTS) -> Study:
    settings = {"of": weights, "missing": missing}
    return a_study(
        *(scale(name, unable="?") for name in weights), derive=[{"derived": "hcs", "weighted_mean": settings}]
    )


@pytest.mark.parametrize(
    ("scores", "expected"), [((5, 5, 5, 5, 5), 5.0), ((4, 5, 5, 5, 4), 4.5), ((5, 4, 5, 5, 5), 4.8)]
)
def test_a_weighted_mean_is_what_one_gets_by_hand(scores: tuple[int, ...], expected: float) -> None:
    assert derived(weighted(), dict(zip(WEIGHTS, scores, strict=True))) == {"hcs": expected}


def test_a_weighted_mean_of_one_value_is_that_value_whatever_the_weights() -> None:
    for value, weights in product(range(1, 6), ({"a": 0.1, "b": 0.7}, {"a": 1 / 3, "b": 1 / 7}, {"a": 1e-9, "b": 3.0})):
        assert derived(weighted(weights=weights), {"a": value, "b": value}) == {"hcs": float(value)}


def test_a_weighted_mean_with_a_missing_answer_is_undefined_or_computed_without_it() -> None:
    scores: dict[str, Value] = {"coherence": 4, "relevance": 1}
    assert derived(weighted("undefined"), scores) == {}
    assert derived(weighted("leave_out"), scores) == {"hcs": 3.0}
    assert derived(weighted("leave_out"), {}) == {}


def test_what_could_not_be_judged_is_missing() -> None:
    scores: dict[str, Value] = {**dict.fromkeys(WEIGHTS, 5), "fluency": UNABLE}
    assert derived(weighted("undefined"), scores) == {}
    assert derived(weighted("leave_out"), scores) == {"hcs": 5.0}


def test_the_route_planning_template_computes_its_overall_score() -> None:
    names = ("coherence", "relevance", "instruction_following", "safety_compliance", "fluency")
    found = derived(load(HERE / "route-planning"), dict(zip(names, (4, 5, 5, 5, 4), strict=True)))
    assert found == {"hcs": 4.5}


# A score from counts, a word for a number


COUNTED = a_study(
    tags("critical", "a", "b"),
    scale("moderate", 0, 9, optional=True),
    scale("other", optional=True),
    derive=[
        {
            "derived": "safety",
            "count_score": {
                "steps": [
                    {"counts": {"critical": 1, "moderate": 3}, "score": 0},
                    {"counts": {"moderate": 1}, "score": 1},
                ],
                "otherwise": 2,
            },
        },
        {"derived": "word", "threshold": {"of": "safety", "at_least": 1, "then": "good", "otherwise": "bad"}},
    ],
)


@pytest.mark.parametrize(
    ("answers", "score", "word"),
    [
        ({"critical": ["a"], "moderate": 0}, 0, "bad"),
        ({"critical": ["a", "b"]}, 0, "bad"),
        ({"critical": [], "moderate": 3}, 0, "bad"),
        ({"moderate": 9}, 0, "bad"),
        ({"critical": [], "moderate": 2}, 1, "good"),
        ({"moderate": 1}, 1, "good"),
        ({"critical": [], "moderate": 0}, 2, "good"),
        ({"moderate": 0}, 2, "good"),
    ],
)
def test_the_first_step_that_is_reached_gives_the_score(answers: dict[str, Value], score: int, word: str) -> None:
    assert derived(COUNTED, answers) == {"safety": score, "word": word}


@pytest.mark.parametrize("answers", [{}, {"other": 5}, {"moderate": UNABLE}])
def test_nothing_counted_is_no_score_and_no_word(answers: dict[str, Value]) -> None:
    assert derived(COUNTED, answers) == {}


def test_a_step_that_is_never_reached_is_refused() -> None:
    steps = [{"counts": {"m": 1}, "score": 1}, {"counts": {"m": 3}, "score": 0}]
    with pytest.raises(ValidationError, match="step 2 is never reached"):
        a_study(scale("m", 0, 9), derive=[{"derived": "s", "count_score": {"steps": steps, "otherwise": 2}}])


@pytest.mark.parametrize(("value", "word"), [(2, "fail"), (3, "pass"), (4, "pass")])
def test_a_threshold_includes_its_own_number(value: int, word: str) -> None:
    study = a_study(scale("a"), derive=[{"derived": "w", "threshold": {"of": "a", "at_least": 3}}])
    assert derived(study, {"a": value}) == {"w": word}


# By side


BY_SIDE = a_study(
    scale("warmth", of="side"),
    scale("help", of="side"),
    scale("sure", of="pair"),
    items=PAIRS,
    derive=[
        {"derived": "mean", "weighted_mean": {"of": {"warmth": 0.5, "help": 0.5}}},
        {"derived": "word", "threshold": {"of": "mean", "at_least": 3}},
        {"derived": "both", "weighted_mean": {"of": {"mean": 0.5, "sure": 0.5}}},
        {"derived": "alone", "weighted_mean": {"of": {"sure": 1.0}}},
    ],
)


def test_what_is_computed_from_sides_is_computed_for_each_side() -> None:
    answers: dict[str, Value] = {"warmth.left": 1, "warmth.right": 5, "help.left": 2, "help.right": 4, "sure": 3}
    assert derived(BY_SIDE, answers, "left") == {"mean": 1.5, "word": "fail", "both": 2.25}
    assert derived(BY_SIDE, answers, "right") == {"mean": 4.5, "word": "pass", "both": 3.75}
    assert derived(BY_SIDE, answers) == {"alone": 3.0}


def test_a_side_that_is_not_answered_has_no_derived_value() -> None:
    answers: dict[str, Value] = {"warmth.left": 1, "help.left": 2, "warmth.right": 5}
    assert derived(BY_SIDE, answers, "left") == {"mean": 1.5, "word": "fail"}
    assert derived(BY_SIDE, answers, "right") == {}
