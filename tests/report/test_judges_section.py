"""Automated judges against people, on judgments whose outcome can be worked out by hand."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from assay.model import Judgment
from assay.report import Report
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
    kappa = statistic(found, "quadratic_kappa")
    assert (found["n"], found["n_people"], found["headline"]) == (24, 2, "quadratic_kappa")
    assert kappa["with_rest"]["value"] == pytest.approx(1.0)
    assert kappa["people_with_rest"]["value"] == pytest.approx(1.0)
    assert statistic(found, "bias")["with_mean"]["value"] == pytest.approx(0.0)
    line = next(line for line in made.summary() if "gpt" in line)
    assert line == (
        "Plan coherence, gpt: weighted kappa (quadratic) with people 1.00 [1.00, 1.00], people among themselves "
        "1.00 [1.00, 1.00]; judge less people 0.00 [0.00, 0.00]; n = 24 items, 2 people."
    )


def test_a_lenient_judge_has_the_bias_that_it_has() -> None:
    low = [0, 1] * 12
    found = judges(report(STUDY, [*people(low, low), *said([value + 1 for value in low], "gpt", judge=True)]))["gpt"]
    assert statistic(found, "bias")["with_mean"]["value"] == pytest.approx(1.0)
    assert statistic(found, "pearson")["with_mean"]["value"] == pytest.approx(1.0)
    # Kappa: 1 - (mean squared distance) / (both variances + squared distance of means) = 1 - 1 / (1/4 + 1/4 + 1).
    assert statistic(found, "quadratic_kappa")["with_rest"]["value"] == pytest.approx(1 / 3)


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
    assert "Plan coherence, gpt: no item was judged both by it and by people." in nobody.summary()
    for made in (one, nobody):
        json.loads(made.json(), parse_constant=pytest.fail)
        made.html()


def test_a_judge_of_few_items_is_too_little_to_say_and_its_batch_is_named() -> None:
    few = EVEN[:19]
    made = report(STUDY, [*people(few, few), *said(few, "gpt", judge=True, batch="config_1")])
    line = next(line for line in made.summary() if "gpt" in line)
    assert line.startswith("Plan coherence, gpt (config_1): ")
    assert line.endswith("(fewer than 20 items: too few to say).")


def test_the_first_run_of_a_judge_counts() -> None:
    again = [replace(each, pass_=2, value=0) for each in said(EVEN, "gpt", judge=True)]
    found = judges(report(STUDY, [*people(EVEN, EVEN), *said(EVEN, "gpt", judge=True), *again]))["gpt"]
    assert statistic(found, "bias")["with_mean"]["value"] == pytest.approx(0.0)


def test_without_judges_there_is_no_such_section() -> None:
    made = report(ROUTES, scores({"A": [3] * 20, "B": [4] * 20}))
    assert made.numbers()["judges"] == {"warnings": [], "dimensions": []}
    assert "s-judges" not in made.html()
