"""Severe and lenient people who judged different systems: what the report says of both."""

import numpy as np
import pytest

from assay.model import Judgment
from tests.report.comparing import ROUTES, report, ungrouped
from tests.report.test_report import judgment

SEVERITY = {"harsh": 1, "mild": -1, "plain": 0, "even": 0}
WHO = {"A": (("harsh", "plain"), ("harsh", "even")), "B": (("mild", "plain"), ("mild", "even"))}


def judged(n_items: int) -> list[Judgment]:
    """Two systems with the same items; the severe one judged all of A, the lenient one all of B."""
    rng, found = np.random.default_rng(1), []
    for system, pairs in WHO.items():
        for item in range(n_items):
            for who in (*pairs[item % 2], *(("mild", "harsh") if item % 8 == 0 else ())):
                value = int(np.clip(round(3 + (item % 5 - 2) * 0.6 - SEVERITY[who] + rng.normal() * 0.6), 1, 5))
                found.append(judgment(f"{system}{item}", who, value, "coherence", system=system, systems=(system,)))
    unique = {(each.item, each.annotator): each for each in found}
    return list(unique.values())


def test_fair_averages_take_severity_out_of_what_systems_reach() -> None:
    made = report(ungrouped(ROUTES), judged(80))
    (row,) = made.numbers()["fair_averages"]["dimensions"]
    first, second = row["model"]["systems"]
    assert (first["system"], second["system"], row["dimension"], row["unit"]) == ("A", "B", "coherence", "items")
    assert second["raw"]["value"] - first["raw"]["value"] > 0.7
    assert abs(second["fair"]["value"] - first["fair"]["value"]) < 0.25
    assert first["fair"]["ci"][0] <= second["fair"]["value"] <= first["fair"]["ci"][1]
    severity = {each["annotator"]: each["severity"]["value"] for each in row["model"]["annotators"]}
    assert severity["harsh"] > severity["plain"] > severity["mild"]
    (line,) = [each for each in made.summary() if "fair averages" in each]
    low, high = (f"{severity[who]:.2f}".replace("-", "−") for who in ("mild", "harsh"))
    assert f"severities from {low} to {high} logits" in line
    assert line.startswith("Coherence, fair averages: A 2.93 [2.72, 3.15] (as judged 2.56); B 2.97")
    # The mean as judged has one interval in a report, that of the systems.
    assert [each["raw"]["ci"] for each in row["model"]["systems"]] == [None, None]
    scores = {each["system"]: each["mean"] for each in made.numbers()["systems"]["values"][0]["systems"]}
    assert first["raw"]["value"] == pytest.approx(scores["A"]["value"])
    page = made.html()
    assert "What if everybody had judged everything?" in page
    assert "if every annotator had judged all items" in page


def test_a_study_too_small_for_the_model_says_so_and_shows_no_table() -> None:
    made = report(ungrouped(ROUTES), judged(8))
    (row,) = made.numbers()["fair_averages"]["dimensions"]
    assert row["model"]["systems"] == []
    assert "No model of ratings for Coherence: 16 items have two judgments or more, and fewer than 20 are too few." in (
        made.summary()
    )
    assert "if every annotator had judged all items" not in made.html()


@pytest.mark.parametrize("apart", [True, False])
def test_people_who_share_no_items_are_not_put_on_one_scale(apart: bool) -> None:
    given = [each for each in judged(60) if not apart or each.annotator == ("harsh" if each.system == "A" else "mild")]
    pairs = [
        judgment(each.item, each.annotator + "'", each.value, "coherence", system=each.system, systems=each.systems)
        for each in given
    ]
    made = report(ungrouped(ROUTES), [*given, *pairs] if apart else given)
    (row,) = made.numbers()["fair_averages"]["dimensions"]
    assert (row["model"]["undefined"] is not None) == apart
    if apart:
        assert any("2 parts (2, 2) that share no items" in line for line in made.summary())


def test_judgments_that_leave_no_error_are_not_fitted() -> None:
    rng = np.random.default_rng(3)
    values = {f"{system}{at}": int(rng.integers(1, 6)) for system in "AB" for at in range(40)}
    alike = [
        judgment(item, who, value, "coherence", system=item[0], systems=(item[0],))
        for item, value in values.items()
        for who in ("ann", "bo")
    ]
    (line,) = [each for each in report(ungrouped(ROUTES), alike).summary() if each.startswith("No model of ratings")]
    assert "annotators gave each item that they share the same value" in line
