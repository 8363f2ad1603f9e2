"""Route planning: HCS as the weighted mean of five scores with intervals over items, and Fleiss' kappa by hand."""

import re
from statistics import stdev

import pytest

from assay.model import Judgment
from assay.report.build import Report
from tests.report.comparing import ROUTES, ungrouped
from tests.report.known import answers, computed, line, one, report

STUDY = ungrouped(ROUTES)
NAMES = ("coherence", "relevance", "instruction_following", "safety_compliance", "fluency")
# 0.4 C + 0.2 R + 0.2 I + 0.1 S + 0.1 F = 2.0 + 0.8 + 0.8 + 0.5 + 0.3 = 4.4, and 1.2 + 0.8 + 0.6 + 0.3 + 0.5 = 3.4.
GOOD, FAIR = (5, 4, 4, 5, 3), (3, 4, 3, 3, 5)


def judged() -> list[Judgment]:
    """24 items by three people, all of one mind but on relevance, where the third always says something else."""
    given = []
    for index in range(24):
        values = dict(zip(NAMES, GOOD if index % 2 else FAIR, strict=True))
        system = "atlas" if index % 2 else "borough"
        for who in ("ana", "ben", "cem"):
            said = {**values, "relevance": (5 if index % 4 < 2 else 3) if who != "cem" else (3 if index % 4 < 2 else 5)}
            given += answers(f"i{index}", who, said, system=system, systems=(system,))
    return computed(STUDY, given)


@pytest.fixture(scope="module")
def made() -> Report:
    return report(STUDY, judged())


def test_hcs_is_the_weighted_mean_with_an_interval_over_items_and_the_systems_differ_by_one(made: Report) -> None:
    # Relevance is 5, 5, 3 or 3, 3, 5: on average 13/3 and 11/3, and 4 over all; so the means are 4.4 and 3.4.
    found = made.numbers()["systems"]
    values = {each["system"]: each for each in one(found["values"], dimension="hcs")["systems"]}
    assert values["atlas"]["mean"]["value"] == pytest.approx(4.4)
    assert values["borough"]["mean"]["value"] == pytest.approx(3.4)
    assert (values["atlas"]["mean"]["n"], values["atlas"]["unit"]) == (12, "items")
    # Item by item HCS lies 0.2 (13/3 - 4) above or below.
    assert values["atlas"]["sd"] == pytest.approx(stdev([4.4 + 0.2 / 3, 4.4 - 0.2 / 3] * 6))
    low, high = values["atlas"]["mean"]["ci"]
    assert 4.3 < low < 4.4 < high < 4.5
    said = line(made, "Human coherence score, mean of item means: ")
    assert re.match(
        r"Human coherence score, mean of item means: atlas 4\.40 \[4\.3\d, 4\.4\d\], n = 12; borough 3\.40 \[3\.3\d, "
        r"3\.4\d\], n = 12; atlas − borough: \+1\.00 \[0\.9\d, 1\.0\d\], 24 items, which they do not share",
        said,
    )


def test_fleiss_kappa_is_one_where_all_agree_and_minus_a_third_where_one_of_three_never_does(made: Report) -> None:
    rows = made.numbers()["agreement"]["dimensions"]
    value = {
        row["dimension"]: one(row["coefficients"], name="fleiss_kappa")["value"] for row in rows if row["coefficients"]
    }
    # Coherence: unanimous. Relevance: of three pairs one agrees, and both values are given equally often:
    # (1/3 - 1/2) / (1 - 1/2) = -1/3.
    assert value["coherence"] == pytest.approx(1.0)
    assert value["relevance"] == pytest.approx(-1 / 3)
    assert line(made, "Coherence: Fleiss' kappa").startswith("Coherence: Fleiss' kappa 1.00, ")
    assert line(made, "Relevance: Fleiss' kappa").startswith("Relevance: Fleiss' kappa −0.33, ")
    assert ", 3 annotators, 24 items" in line(made, "Relevance: Fleiss' kappa")
