"""What a judge may be used for: in the place of people, beside them, or not; and what it leans by."""

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from assay.model import Fact, Judgment
from assay.quality import MonitorData
from assay.report.build import Report
from assay.report.judge_biases import is_earlier_version, own_family
from tests.report.comparing import CARS, WAYS, choice, report, scores, ungrouped

STUDY = ungrouped(CARS)
SCALED = "plan_coherence"
N = 60


def by(values: Sequence[object], who: str, system: str = "m", judge: bool = False) -> list[Judgment]:
    given = scores({system: values}, SCALED, people=1, judge=judge)
    return [replace(each, annotator=who, submission=f"{who}-{each.item}") for each in given]


def people(truth: Sequence[int], rng: Random, system: str = "m", count: int = 3) -> list[Judgment]:
    """People who are now and then a point off."""
    return [
        each for person in range(count) for each in by([_near(value, rng) for value in truth], f"p{person}", system)
    ]


def _near(value: int, rng: Random, often: float = 0.3) -> int:
    return value if rng.random() > often else min(2, max(0, value + rng.choice([-1, 1])))


def verdict(made: Report, judge: str = "gpt") -> Any:
    return next(each for each in made.numbers()["judges"]["verdicts"] if each["judge"] == judge)


def shown(found: Any, kind: str) -> list[Any]:
    return [
        each
        for each in found["biases"]
        if each["kind"] == kind and each["p_corrected"] is not None and each["p_corrected"] <= 0.05
    ]


def test_a_judge_that_is_nearer_to_people_than_they_are_may_take_their_place() -> None:
    rng = Random(1)
    truth = [rng.randint(0, 2) for _ in range(N)]
    made = report(STUDY, [*people(truth, rng), *by(truth, "gpt", judge=True)])
    found = verdict(made)
    assert (found["use"], found["dimensions"][0]["alt_test"]) == ("replace", True)
    assert any(line.startswith("gpt may take the place of people: Plan coherence") for line in made.summary())
    assert "What each judge may be used for" in made.html()


def test_with_too_few_people_for_the_test_it_may_assist() -> None:
    rng = Random(2)
    truth = [rng.randint(0, 2) for _ in range(N)]
    found = verdict(report(STUDY, [*people(truth, rng, count=2), *by(truth, "gpt", judge=True)]))
    assert found["use"] == "assist"
    assert "too few people" in found["dimensions"][0]["why"]


def test_a_judge_that_is_worse_than_people_may_assist_and_one_that_guesses_is_not_to_be_used() -> None:
    rng = Random(3)
    truth = [rng.randint(0, 2) for _ in range(N)]
    poor = [_near(value, rng, 0.6) for value in truth]
    guesses = [rng.randint(0, 2) for _ in range(N)]
    made = report(STUDY, [*people(truth, rng), *by(poor, "poor", judge=True), *by(guesses, "dice", judge=True)])
    assert verdict(made, "poor")["use"] == "assist"
    assert "is not passed" in verdict(made, "poor")["dimensions"][0]["why"]
    assert verdict(made, "dice")["use"] == "not"
    assert any(line.startswith("dice is not to be used: ") for line in made.summary())


def test_an_interval_from_chance_to_people_decides_nothing_about_a_judge() -> None:
    truth = [0, 1, 2, 1] * 5
    said = [2, 1, 2, 0, 0, 1, 0, 1, 2, 1, 1, 2, 0, 2, 2, 1, 0, 0, 2, 1]
    found = verdict(report(STUDY, [*people(truth, Random(4)), *by(said, "gpt", judge=True)]))
    (one,) = found["dimensions"]
    low, high = one["agreement"]["ci"]
    assert low <= 0 < one["ceiling"]["value"] <= high, (one["agreement"], one["ceiling"])
    assert found["use"] == "unknown"
    assert "gpt cannot be measured yet" in found["says"]


def test_with_few_items_nothing_is_said() -> None:
    made = report(STUDY, [*people([0, 1, 2] * 4, Random(4)), *by([0, 1, 2] * 4, "gpt", judge=True)])
    assert verdict(made)["use"] == "unknown"
    assert verdict(made)["says"] == (
        "gpt cannot be measured yet: Plan coherence: fewer than 20 items judged by it and by people."
    )
    (line,) = [line for line in made.summary() if "gpt" in line]
    assert re.sub(r"-?0\.\d\d( \[[\d., ]+\])?", "x", line) == (
        "gpt: agreement with people x (Plan coherence, weighted kappa (quadratic); people among themselves x); "
        "n = 12 items, 3 people (fewer than 20 items: too few to say)."
    )


def test_a_judge_that_favours_a_system_or_its_own_family_is_found_to_lean_and_does_not_replace() -> None:
    rng = Random(5)
    given = []
    for system, more in (("gpt-large", 1), ("otter", 0), ("heron", 0)):
        truth = [rng.randint(0, 1) for _ in range(N)]
        given += people(truth, rng, system)
        given += by([value + more for value in truth], "gpt-judge", system, judge=True)
    found = verdict(report(STUDY, given), "gpt-judge")
    assert [each["of"] for each in shown(found, "system") if each["estimate"]["value"] > 0] == ["gpt-large"]
    [own] = shown(found, "family")
    assert own["of"] == "gpt-large"
    assert own["estimate"]["value"] > 0.6
    assert found["use"] == "assist"
    assert "of its own family of models" in found["says"]


def test_a_judge_is_of_the_family_of_its_model_whatever_it_is_called() -> None:
    made = report(STUDY, [], judge_models={"mini": ("openai/gpt-4.1-mini-2026",), "other": ("llama3",)})
    systems = ["gpt-4o", "otter"]
    assert own_family(made.data, "mini", systems) == ["gpt-4o"]
    assert own_family(made.data, "other", systems) == []


def test_of_two_judges_the_models_say_which_one_is_the_earlier_version() -> None:
    models = {"old": ("m-2026-01",), "new": ("m-2026-06",), "judge-1": ("gpt-4",), "judge-2": ("claude-3",)}
    data = report(STUDY, [], judge_models=models).data
    assert is_earlier_version(data, "old", "new")
    assert not is_earlier_version(data, "new", "old")
    assert not is_earlier_version(data, "judge-1", "judge-2"), "these are different models"
    assert is_earlier_version(data, "mine-1", "mine-2"), "where no model is known, their names say it"


def test_a_judge_that_likes_what_is_long_is_found_to() -> None:
    rng = Random(6)
    truth = [rng.randint(0, 1) for _ in range(N)]
    words = [rng.choice([50, 450]) for _ in range(N)]
    long = [value + (count > 100) for value, count in zip(truth, words, strict=True)]
    work = MonitorData(
        study=STUDY, judgments=[], items={f"m-{at}": Fact(words=count) for at, count in enumerate(words)}
    )
    made = report(STUDY, [*people(truth, rng), *by(long, "gpt", judge=True)], work=work)
    [found] = shown(verdict(made), "length")
    assert found["estimate"]["value"] == pytest.approx(0.25, abs=0.06)


def test_a_new_version_of_a_judge_that_gives_more_than_the_one_before_has_drifted() -> None:
    rng = Random(7)
    truth = [rng.randint(0, 1) for _ in range(N)]
    judges = {"judge-2026-01-01": truth, "judge-2026-06-01": [value + (rng.random() < 0.7) for value in truth]}
    given = [each for name, values in judges.items() for each in by(values, name, judge=True)]
    made = report(STUDY, [*people(truth, rng), *given])
    [found] = shown(verdict(made, "judge-2026-06-01"), "version")
    assert (found["of"], found["estimate"]["value"] > 0.5) == ("judge-2026-01-01", True)
    assert shown(verdict(made, "judge-2026-01-01"), "version") == []


def test_a_judge_that_takes_the_left_one_is_found_to() -> None:
    rng = Random(8)
    given = []
    for at in range(N):
        left = rng.choice(["one", "two"])
        given += [choice(f"i{at}", who, ("one", "two"), left, rng.choice(["one", "two"])) for who in ("ann", "bo")]
        chosen = left if rng.random() < 0.9 else "one"
        given.append(replace(choice(f"i{at}", "gpt", ("one", "two"), left, chosen), judge=True, submission=f"gpt-{at}"))
    [found] = shown(verdict(report(WAYS, given)), "position")
    assert found["estimate"]["value"] > 0.3


def of_both_orders(
    repeats: int = 2, items: int = N, chosen: str = "left", asked: int | None = None
) -> tuple[list[Judgment], list[Judgment]]:
    """People who choose by lot, and a judge that chooses one side whatever stands there, asked in both orders."""
    rng = Random(9)
    by_people: list[Judgment] = []
    by_judge: list[Judgment] = []
    for at in range(items):
        first = rng.choice(["one", "two"])
        for who in ("ann", "bo") if asked is None or at < asked else ():
            by_people.append(choice(f"i{at}", who, ("one", "two"), first, rng.choice(["one", "two"])))
        orders = (first, "two" if first == "one" else "one")
        for number, left in enumerate(orders * repeats, 1):
            right = "two" if left == "one" else "one"
            given = choice(f"i{at}", "gpt", ("one", "two"), left, left if chosen == "left" else right)
            by_judge.append(replace(given, judge=True, submission=f"gpt-{at}-{number}", pass_=number))
    return by_people, by_judge


def test_runs_with_the_same_sides_and_with_sides_swapped_are_told_apart() -> None:
    """A judge that always takes the left one repeats itself, and says the opposite with sides swapped."""
    by_people, by_judge = of_both_orders()
    made = report(WAYS, [*by_people, *by_judge])
    [found] = verdict(made)["dimensions"]
    assert (found["repeats"]["value"], found["repeats"]["n"]) == (1.0, 2 * N)
    assert (found["orders"]["value"], found["orders"]["n"]) == (0.0, 2 * N)
    [row] = made.numbers()["judges"]["dimensions"][0]["judges"]
    assert (row["second_run"]["exact"]["value"], row["swapped_run"]["exact"]["value"]) == (1.0, 0.0)
    page = made.html()
    assert "Same when run again" in page
    assert "Same with sides swapped" in page
    assert "gpt, with sides swapped, gave the same value as at first in " in page


def test_in_each_order_once_nothing_was_repeated() -> None:
    by_people, by_judge = of_both_orders(repeats=1)
    made = report(WAYS, [*by_people, *by_judge])
    [found] = verdict(made)["dimensions"]
    assert found["repeats"] is None
    assert found["orders"]["value"] == 0.0
    [row] = made.numbers()["judges"]["dimensions"][0]["judges"]
    assert row["second_run"] == {"undefined": "it ran once in each order"}


def test_without_sides_nothing_is_said_of_swapped_ones() -> None:
    rng = Random(10)
    truth = [rng.randint(0, 2) for _ in range(N)]
    again = [replace(each, pass_=2) for each in by(truth, "gpt", judge=True)]
    made = report(STUDY, [*people(truth, rng), *by(truth, "gpt", judge=True), *again])
    [found] = verdict(made)["dimensions"]
    assert (found["repeats"]["value"], found["orders"]) == (1.0, None)


def scores_by_side(orders: int, more_on_left: int) -> list[Judgment]:
    """Two systems scored by people and by a judge that gives the left one so many points more than it deserves."""
    rng, found = Random(11), []
    for at in range(N):
        drawn = ["one", "two"] if rng.random() < 0.6 else ["two", "one"]
        deserved = {"one": rng.randint(1, 3), "two": rng.randint(2, 4)}

        def given(
            who: str, system: str, left: str, value: int, number: int = 1, *, judge: bool = False, item: str = f"i{at}"
        ) -> Judgment:
            more = {"system": system, "dimension": "coherence", "side": "left" if system == left else "right"}
            said = choice(item, who, ("one", "two"), left, value, **more)
            return replace(said, judge=judge, pass_=number, submission=f"{who}-{item}-{number}")

        for system, value in deserved.items():
            found += [given(who, system, drawn[0], value) for who in ("ann", "bo")]
            for number, left in enumerate(drawn[:orders], 1):
                heard = value + more_on_left * (system == left)
                found.append(given("gpt", system, left, heard, number, judge=True))
    return found


@pytest.mark.parametrize("orders", [1, 2])
def test_a_judge_that_gives_more_to_what_stands_on_the_left_is_found_to(orders: int) -> None:
    """And where both orders were asked, that is no leaning to a system."""
    made = report(ungrouped(WAYS), scores_by_side(orders, 1))
    [found] = shown(verdict(made), "position")
    assert (found["dimension"], found["estimate"]["value"]) == ("coherence", pytest.approx(1.0))
    assert "+1.00 points for the left one beside the right one" in verdict(made)["says"]
    assert "left − right, beside people" in made.html()
    if orders == 2:
        systems = [each["estimate"]["value"] for each in verdict(made)["biases"] if each["kind"] == "system"]
        assert systems == [pytest.approx(0)]


def test_a_judge_that_scores_sides_as_people_do_leans_to_none() -> None:
    made = report(ungrouped(WAYS), scores_by_side(1, 0))
    [found] = [each for each in verdict(made)["biases"] if each["kind"] == "position"]
    assert found["estimate"]["value"] == 0
    assert shown(verdict(made), "position") == []
