"""Where the variance lies: what the report and the plan say of a pilot whose components are known."""

from dataclasses import replace

import numpy as np

from assay.report.planning import bases_from_study, plan
from tests.report.comparing import ROUTES, data, report
from tests.report.test_report import judgment


def judged(people: int = 4):
    """Forty requests answered by two systems; one of the annotators is stricter, and items differ much."""
    rng = np.random.default_rng(4)
    level = rng.integers(2, 5, size=40)
    return [
        judgment(
            f"{system}-{at}",
            f"p{who}",
            int(level[at] + (system == "A") - (who == 0)),
            "coherence",
            system=system,
            systems=(system,),
            group=f"g{at}",
            study_hash="now",
        )
        for system in "AB"
        for at in range(40)
        for who in range(people)
    ]


def test_the_report_says_where_the_variance_lies_and_draws_it():
    made = report(ROUTES, judged())
    (line,) = [each for each in made.summary() if "of the variance of a single judgment" in each]
    assert "% items" in line
    assert "% annotators;" in line
    assert "orders items with G = 1.00" in line, "nobody disagrees about the order"
    (row,) = made.numbers()["variance"]["dimensions"]
    parts = {each["effect"]: each["value"] for each in row["components"]}
    # One of four annotators lies 1 below: 4 / 3 times 3 / 16. Two systems lie 1 apart: 1 / 2.
    assert abs(parts["annotator"] - 0.25) < 1e-9
    assert abs(parts["system"] - 0.5) < 1e-9
    assert parts["item x annotator"] == parts["item x system"] == 0
    assert "Where does the variance lie?" in made.html()


def test_where_no_item_has_two_annotators_it_is_undefined_and_said():
    made = report(ROUTES, judged(people=1))
    assert any(
        "where the variance lies is undefined (fewer than two annotators judged)" in line for line in made.summary()
    )


def test_a_plan_from_a_pilot_has_what_more_would_buy():
    (found,) = bases_from_study(data(ROUTES, judged()))
    made = plan(found, [40, 80], [2, 4])
    assert [(each.n_items, each.k) for each in made.sizes] == [(40, 2), (40, 4), (80, 2), (80, 4)]
    assert made.as_json()["sizes"][0]["g_item"] > 0.999999
    (alone,) = bases_from_study(data(ROUTES, judged(people=1)))
    assert plan(alone, [40], [2]).sizes == ()
    assert "where the variance lies is not known: fewer than two annotators judged" in plan(alone, [40], [2]).notes


def test_a_system_has_as_many_items_as_were_judged_of_it_and_not_as_many_as_all_systems_have():
    """Twenty of forty requests were answered by both systems, ten more by each alone."""
    own = {"A": range(30), "B": range(10, 40)}
    some = [each for each in judged() if int(each.item[2:]) in own[each.system]]
    (row,) = report(ROUTES, some).numbers()["variance"]["dimensions"]
    assert row["levels"]["item"] == 40
    assert [(each["n_items"], each["k"]) for each in row["sizes"]] == [(30, 4), (60, 4), (30, 8)]
    assert any("a system's mean over 30 items orders systems" in line for line in report(ROUTES, some).summary())


def test_an_item_with_several_entries_has_no_more_annotators_than_people_judged_it():
    """What one person says of an item's entries is averaged first: five goals by four people are four, not twenty."""
    entries = [replace(each, entry=f"goal {at}") for each in judged() for at in range(5)]
    (row,) = report(ROUTES, entries).numbers()["variance"]["dimensions"]
    (plain,) = report(ROUTES, judged()).numbers()["variance"]["dimensions"]
    assert (row["k"], row["g_item"], row["phi_item"]) == (4, plain["g_item"], plain["phi_item"])


def test_where_systems_lie_equally_far_apart_on_every_item_the_standard_error_is_undefined() -> None:
    same = [replace(each, value=min(5, max(1, 3 + (each.system == "A")))) for each in judged()]
    (line,) = [each for each in report(ROUTES, same).summary() if "standard error" in each]
    assert line.endswith(
        "the standard error of the difference of two systems is undefined (nothing varies that it is made of: systems "
        "lie equally far apart on every item)."
    )
    (row,) = report(ROUTES, same).numbers()["variance"]["dimensions"]
    assert [each["error"] for each in row["sizes"]] == [None] * 3
    assert {tuple(each["ci"]) for each in row["components"] if each["ci"]} == set(), "no interval has no width"


def test_a_standard_error_from_fewer_than_twenty_items_is_marked() -> None:
    rng = np.random.default_rng(2)
    few = [replace(each, value=int(rng.integers(1, 6))) for each in judged() if int(each.group[1:]) < 12]
    made = report(ROUTES, few)
    (line,) = [each for each in made.summary() if "standard error" in each]
    assert line.endswith("(fewer than 20 items: too few to say).")
    table = made.html().split("What more items or annotators would buy")[1].split("</table>")[0]
    assert table.count("too few to say") == 3
