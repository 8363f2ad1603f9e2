"""Automated judges against people, on judgments whose outcome can be worked out by hand."""

import html
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from assay.model import Judgment
from assay.report.build import Report
from tests.report.comparing import CARS, ROUTES, report, scores, ungrouped

STUDY = ungrouped(CARS)
SCALED = "plan_coherence"


def said(
    values: Sequence[object], who: str, dimension: str = SCALED, judge: bool = False, **more: Any
) -> list[Judgment]:
    given = scores({"m": values}, dimension, people=1, judge=judge, **more)
    return [replace(each, annotator=who, submission=f"{who}-{each.item}") for each in given]


def people(*values: Sequence[object], dimension: str = SCALED) -> list[Judgment]:
    return [each for place, given in enumerate(values) for each in said(given, f"p{place}", dimension)]


def judges(made: Report, dimension: str = SCALED) -> dict[str, dict[str, Any]]:
    rows = {row["dimension"]: row for row in made.numbers()["judges"]["dimensions"]}
    return {each["judge"]: each for each in rows[dimension]["judges"]}


def statistic(found: dict[str, Any], name: str) -> dict[str, Any]:
    return next(dict(each) for each in found["statistics"] if each["name"] == name)


EVEN = [0, 1, 2] * 8


def test_a_judge_that_says_what_everybody_says_reaches_people_and_has_no_bias() -> None:
    made = report(STUDY, [*people(EVEN, EVEN), *said(EVEN, "gpt", judge=True)])
    found = judges(made)["gpt"]
    assert "s-judges" in made.html()
    kappa = statistic(found, "quadratic_kappa")
    assert (found["n"], found["n_people"], found["headline"]) == (24, 2, "quadratic_kappa")
    assert kappa["with_rest"]["value"] == pytest.approx(1.0)
    assert kappa["people_with_rest"]["value"] == pytest.approx(1.0)
    assert statistic(found, "bias")["with_mean"]["value"] == pytest.approx(0.0)
    line = next(line for line in made.summary() if "gpt" in line)
    assert line == (
        "gpt: agreement with people 1.00 (Plan coherence, weighted kappa (quadratic); people among themselves 1.00); "
        "n = 24 items, 2 people."
    )


def test_a_lenient_judge_has_the_bias_that_it_has() -> None:
    low = [0, 1] * 12
    made = report(STUDY, [*people(low, low), *said([value + 1 for value in low], "gpt", judge=True)])
    found = judges(made)["gpt"]
    assert any("gpt" in line and "; higher values than people's on Plan coherence by 1.00" in line
               for line in made.summary())  # fmt: skip
    assert statistic(found, "bias")["with_mean"]["value"] == pytest.approx(1.0)
    assert statistic(found, "pearson")["with_mean"]["value"] == pytest.approx(1.0)
    # Kappa: 1 - (mean squared distance) / (both variances + squared distance of means) = 1 - 1 / (1/4 + 1/4 + 1).
    assert statistic(found, "quadratic_kappa")["with_rest"]["value"] == pytest.approx(1 / 3)


DIMENSIONS = ("instruction_constraint_adherence", "context_ambiguity_handling", SCALED, "safety_compliance")


def test_a_judge_that_agrees_more_than_people_do_is_said_to_and_the_largest_differences_are_named() -> None:
    # On each dimension two people are apart on a quarter of the items, and the judge says what one of them says.
    many = EVEN * 3
    other = [*many[:54], *[(value + 1) % 3 for value in many[54:]]]
    given = [
        each
        for name in DIMENSIONS
        for each in [*people(many, other, many, dimension=name), *said(many, "gpt", name, judge=True)]
    ]
    line = next(line for line in report(STUDY, given).summary() if line.startswith("gpt: "))
    more = line.split("; more agreement than people have on ")[1].split("; ")[0]
    assert more.count(" by 0.") == 3
    assert more.endswith(" and 1 more")
    three = [each for each in given if each.dimension != SCALED]
    line = next(line for line in report(STUDY, three).summary() if line.startswith("gpt: "))
    assert " more" not in line.split("; more agreement than people have on ")[1].split("; ")[0]


def test_a_judge_that_agrees_less_than_people_do_is_said_to() -> None:
    worse = [(value + 1) % 3 if place % 4 == 0 else value for place, value in enumerate(EVEN)]
    made = report(STUDY, [*people(EVEN, EVEN), *said(worse, "gpt", judge=True)])
    (line,) = [line for line in made.summary() if line.startswith("gpt: ")]
    assert "; less agreement than people have on Plan coherence by −0." in line
    assert "; more agreement than people have" not in line


def test_the_ceiling_is_what_people_reach_among_themselves_on_the_same_items() -> None:
    # Two people exactly agree on 18 of 24 items; further items, which the judge did not see, play no part.
    other = [*EVEN[:18], *[(value + 1) % 3 for value in EVEN[18:]]]
    beyond = [replace(each, item=f"x{each.item}") for each in people([0] * 24, [2] * 24)]
    found = judges(report(STUDY, [*people(EVEN, other), *beyond, *said(EVEN, "gpt", judge=True)]))["gpt"]
    exact = statistic(found, "exact_agreement")
    assert found["n"] == 24
    assert exact["people_with_each"]["value"] == pytest.approx(0.75)
    assert exact["with_each"]["value"] == pytest.approx((1 + 0.75) / 2)


def test_judges_never_enter_the_agreement_of_people() -> None:
    alone = people(EVEN, EVEN)
    with_judge = [*alone, *said([2 - value for value in EVEN], "gpt", judge=True)]
    assert report(STUDY, alone).numbers()["agreement"] == report(STUDY, with_judge).numbers()["agreement"]
    assert report(STUDY, alone).numbers()["systems"] == report(STUDY, with_judge).numbers()["systems"]


def test_judges_of_different_items_are_warned_of_and_those_of_the_same_are_not() -> None:
    first, second = said(EVEN, "gpt", judge=True), said(EVEN, "claude", judge=True)
    apart = [*people(EVEN, EVEN), *first[:12], *second[12:]]
    made = report(STUDY, apart)
    assert made.numbers()["judges"]["warnings"] == [
        "gpt and claude judged no item in common: what differs between them may be their items"
    ]
    assert any(line.startswith("Warning: gpt and claude judged no item in common") for line in made.summary())
    assert report(STUDY, [*people(EVEN, EVEN), *first, *second]).numbers()["judges"]["warnings"] == []


def test_many_judges_of_different_items_are_warned_of_once() -> None:
    apart = [each for n in range(4) for each in said(EVEN, f"j{n}", judge=True)[n * 6 : n * 6 + 6]]
    assert report(STUDY, [*people(EVEN, EVEN), *apart]).numbers()["judges"]["warnings"] == [
        "no two of the judges j0, j1, j2, j3 judged an item in common: what differs may be their items"
    ]


def test_yes_and_no_are_compared_with_single_people() -> None:
    yes = [0, 1] * 12
    judged = said(yes, "gpt", "goal", judge=True, entry="e1")
    given = [replace(each, entry="e1") for each in people(yes, yes, dimension="goal")]
    found = judges(report(STUDY, [*given, *judged]), "goal")["gpt"]
    assert (found["headline"], found["role"]) == ("cohen_kappa", "with_each")
    assert statistic(found, "cohen_kappa")["with_each"]["value"] == pytest.approx(1.0)


def test_computed_values_are_compared_as_numbers_and_as_words() -> None:
    numbers = [0.25, 0.5, 0.75, 1.0] * 6
    higher = [value + 0.1 for value in numbers]
    words = ["fail", "fail", "pass", "pass"] * 6
    made = report(
        STUDY,
        [
            *people(numbers, numbers, dimension="success"),
            *people(words, words, dimension="verdict"),
            *said(higher, "gpt", "success", judge=True),
            *said(words, "gpt", "verdict", judge=True),
        ],
    )
    success, verdict = judges(made, "success")["gpt"], judges(made, "verdict")["gpt"]
    assert [each["name"] for each in success["statistics"]] == ["spearman", "pearson", "bias", "absolute_bias"]
    assert statistic(success, "bias")["with_mean"]["value"] == pytest.approx(0.1)
    assert statistic(success, "spearman")["with_rest"]["value"] == pytest.approx(1.0)
    assert statistic(verdict, "cohen_kappa")["with_each"]["value"] == pytest.approx(1.0)


def test_what_cannot_be_said_has_a_reason() -> None:
    one = report(STUDY, [*people(EVEN), *said(EVEN, "gpt", judge=True)])
    line = next(line for line in one.summary() if "gpt" in line)
    assert "people among themselves undefined (no item was judged by two people)" in line
    nobody = report(STUDY, [*people(EVEN, EVEN, dimension="safety_compliance"), *said(EVEN, "gpt", judge=True)])
    assert "gpt: no item was judged both by it and by people." in nobody.summary()
    for made in (one, nobody):
        json.loads(made.json(), parse_constant=pytest.fail)
        made.html()


def test_a_judge_of_few_items_is_too_little_to_say_and_its_batch_is_named() -> None:
    few = EVEN[:19]
    made = report(STUDY, [*people(few, few), *said(few, "gpt", judge=True, batch="config_1")])
    line = next(line for line in made.summary() if "gpt" in line)
    assert line.startswith("gpt (config_1): ")
    assert line.endswith("(fewer than 20 items: too few to say).")


def test_the_first_run_of_a_judge_counts() -> None:
    again = [replace(each, pass_=2, value=0) for each in said(EVEN, "gpt", judge=True)]
    found = judges(report(STUDY, [*people(EVEN, EVEN), *said(EVEN, "gpt", judge=True), *again]))["gpt"]
    assert statistic(found, "bias")["with_mean"]["value"] == pytest.approx(0.0)


def test_a_judge_that_ran_twice_is_compared_with_itself() -> None:
    first = said(EVEN, "gpt", judge=True)
    # Every fourth 0 or 2 has become a 1.
    again = [
        replace(each, pass_=2, value=1 if n % 4 == 0 and each.value != 1 else each.value)
        for n, each in enumerate(first)
    ]
    found = judges(report(STUDY, [*people(EVEN, EVEN), *first, *again]))["gpt"]["second_run"]
    same = sum(one.value == other.value for one, other in zip(first, again, strict=True))
    assert (found["exact"]["value"], found["n"]) == (pytest.approx(same / 24), 24)
    assert found["within_one"]["value"] == 1.0
    assert found["variance"]["value"] == pytest.approx((24 - same) / 24 / 2), "two values one point apart have 1/2"
    once = judges(report(STUDY, [*people(EVEN, EVEN), *first]))["gpt"]["second_run"]
    assert once == {"undefined": "it ran once"}


def test_without_judges_there_is_no_such_section() -> None:
    made = report(ROUTES, scores({"A": [3] * 20, "B": [4] * 20}))
    assert made.numbers()["judges"] == {"warnings": [], "dimensions": [], "agreed": "", "verdicts": [], "tuning": 0}
    assert "s-judges" not in made.html()


# Confusion, calibration, and whether it could replace people


def test_a_confusion_with_the_rounded_mean_goes_up_from_halfway() -> None:
    # Means 0, 0.5 and 2 where the judge says 0, 1 and 1: the half goes to 1.
    made = report(STUDY, [*people([0, 0, 2] * 8, [0, 1, 2] * 8), *said([0, 1, 1] * 8, "gpt", judge=True)])
    found = judges(made)["gpt"]
    assert found["confusion_with_mean"] == [[8, 0, 0], [0, 8, 8], [0, 0, 0]]
    assert found["confusion"] == [[16, 0, 0], [8, 8, 16], [0, 0, 0]]
    assert "halfway between two, to the higher one" in found["rounding"]
    assert found["rounding"] in html.unescape(made.html())


def test_a_calibration_curve_is_the_mean_of_people_at_each_value_of_the_judge() -> None:
    found = judges(report(STUDY, [*people([0, 0, 2] * 8, [0, 1, 2] * 8), *said([0, 1, 1] * 8, "gpt", judge=True)]))
    curve = found["gpt"]["curve"]
    assert [(each["judge"], each["n"], each["people"]["value"]) for each in curve] == [
        (0, 8, 0.0),
        (1, 16, pytest.approx((8 * 0.5 + 8 * 2) / 16)),
        (2, 0, None),
    ]
    assert curve[2]["people"]["undefined"] == "the judge never gave this value"
    low, high = curve[1]["people"]["ci"]
    assert low < 1.25 < high


def test_a_judge_that_is_always_a_point_too_high_is_put_right_by_a_curve_that_did_not_see_the_item() -> None:
    low = [0, 1] * 15
    found = judges(report(STUDY, [*people(low, low), *said([value + 1 for value in low], "gpt", judge=True)]))["gpt"]
    put_right = found["isotonic"]
    assert (put_right["bias_before"], put_right["rmse_before"]) == (1.0, 1.0)
    assert put_right["rmse_after"] == pytest.approx(0.0)
    assert "5 folds of items" in put_right["method"]


def test_the_alternative_annotator_test_needs_three_people_with_thirty_items_each() -> None:
    long = [0, 1, 2] * 12
    three = [*people(long, long, long), *said(long, "gpt", judge=True)]
    found = judges(report(STUDY, three))["gpt"]["alt_test"]
    # The judge says what everybody says: it is as near as anybody on every item, and wins against all three.
    assert [(each["epsilon"], each["winning_rate"], each["passes"]) for each in found["by_margin"]] == [
        (0.2, 1.0, True),
        (0.15, 1.0, True),
        (0.1, 1.0, True),
    ]
    line = next(line for line in report(STUDY, three).summary() if "alternative annotator test" in line)
    assert line.endswith("Plan coherence yes (from epsilon 0.1 on).")
    two = judges(report(STUDY, [*people(long, long), *said(long, "gpt", judge=True)]))["gpt"]["alt_test"]
    assert two["undefined"] == "it needs 3 people with 30 items each that others judged too, and 2 have so many"
    few = judges(report(STUDY, [*people(EVEN, EVEN, EVEN), *said(EVEN, "gpt", judge=True)]))["gpt"]["alt_test"]
    assert few["undefined"].endswith("and 0 have so many")


def test_the_order_of_three_systems_by_judge_and_people_is_compared() -> None:
    def given(who: str, values: dict[str, int], judge: bool = False) -> list[Judgment]:
        made = scores({system: [value] * 20 for system, value in values.items()}, SCALED, people=1, judge=judge)
        return [replace(each, annotator=who, submission=f"{who}-{each.item}") for each in made]

    by_people = [*given("p0", {"A": 0, "B": 1, "C": 2}), *given("p1", {"A": 0, "B": 1, "C": 2})]
    found = judges(report(STUDY, [*by_people, *given("gpt", {"A": 1, "B": 0, "C": 2}, judge=True)]))["gpt"]
    # Of three pairs, C is above both in either order; A and B change places.
    assert found["system_level"]["pairwise_accuracy"]["value"] == pytest.approx(2 / 3)
    assert found["system_level"]["tau_b"]["value"] == pytest.approx(1 / 3)
    alone = judges(report(STUDY, [*people(EVEN, EVEN), *said(EVEN, "gpt", judge=True)]))["gpt"]
    assert alone["system_level"]["undefined"] == "it needs 3 systems, and there are 1"


def test_each_batch_of_a_judge_is_also_looked_at_by_itself() -> None:
    given = said(EVEN, "gpt", judge=True)
    # In the first batch the judge says what people say; in the second it always says 2.
    first = [replace(each, batch="one") for each in given[:12]]
    second = [replace(each, batch="two", value=2) for each in given[12:]]
    found = judges(report(STUDY, [*people(EVEN, EVEN), *first, *second]))["gpt"]
    one, two = found["by_batch"]
    assert (one["batch"], one["n"], two["batch"], two["n"]) == ("one", 12, "two", 12)
    assert statistic(one, "bias")["with_mean"]["value"] == pytest.approx(0.0)
    assert statistic(two, "bias")["with_mean"]["value"] == pytest.approx(1.0)
    assert statistic(found, "bias")["with_mean"]["value"] == pytest.approx(0.5)
    assert judges(report(STUDY, [*people(EVEN, EVEN), *given]))["gpt"]["by_batch"] == []


def test_goals_have_a_confusion_and_a_share_of_yes_at_each_answer_of_the_judge() -> None:
    yes = [0, 1] * 12
    judged = said([1] * 24, "gpt", "goal", judge=True, entry="e1")
    given = [replace(each, entry="e1") for each in people(yes, yes, dimension="goal")]
    found = judges(report(STUDY, [*given, *judged]), "goal")["gpt"]
    assert found["confusion"] == [[0, 0], [24, 24]]
    assert [(each["judge"], each["people"]["value"]) for each in found["curve"]] == [(0, None), (1, 0.5)]


def test_a_page_with_several_judges_holds_every_measure_and_table() -> None:
    page = report(STUDY, [*people(EVEN, EVEN), *said(EVEN, "gpt", judge=True), *said(EVEN, "cla", judge=True)]).html()
    for words in (
        "calibration",
        "people&#39;s rounded mean",
        "each person (across)",
        "out of fold",
        "Order of systems",
    ):
        assert words in page
