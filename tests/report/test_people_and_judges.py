"""People on some items and a judge on all: side by side where lots were drawn, and declined otherwise."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from assay.model import DrawnItem, Judgment
from assay.report.build import Report
from assay.study import Study
from tests.report.comparing import CARS, WAYS, choice, report, scores, ungrouped

STUDY = ungrouped(CARS)
SCALED = "plan_coherence"
ITEMS, ASKED = 120, 40


def judged(by_people: int = ASKED, systems: tuple[str, ...] = ("one", "two"), **more: Any) -> list[Judgment]:
    """Each system's items; people judge the first so many, and a judge that mostly agrees all of them."""
    rng, found = Random(3), []
    for at, system in enumerate(systems):
        values = [min(2, max(0, rng.choice([0, 1, 1, 2]) + at)) for _ in range(ITEMS)]
        # The judge is more lenient than people, and errs now and then.
        heard = [min(2, value + 1) if rng.random() < 0.4 else value for value in values]
        found += scores({system: values[:by_people]}, SCALED, people=1, **more)
        found += [
            replace(each, annotator="gpt", submission=f"gpt-{each.item}", judge=True)
            for each in scores({system: heard}, SCALED, people=1)
        ]
    return found


def section(made: Report) -> Any:
    return made.numbers()["people_and_judges"]


def lines(made: Report) -> list[str]:
    return [line for line in made.summary() if "people" in line and ("judges on" in line or "put together" in line)]


def random_order(study: Study) -> Study:
    work = study.assignment.model_copy(update={"order": "random", "batches": "mixed", "exposure": None})
    return study.model_copy(update={"assignment": work})


def test_each_system_and_difference_stands_there_by_people_by_judges_and_by_both() -> None:
    made = report(random_order(STUDY), judged())
    [row] = section(made)["dimensions"]
    assert [each["system"] for each in row["systems"]] == ["one", "two"]
    assert [(each["first"], each["second"]) for each in row["pairs"]] == [("one", "two")]
    found = row["systems"][0]["estimate"]
    assert (found["n_people"], found["n"], row["judges"]) == (ASKED, ITEMS, ["gpt"])
    assert found["judge"]["value"] > found["both"]["value"] + 0.1
    width = {name: found[name]["ci"][1] - found[name]["ci"][0] for name in ("people", "both")}
    assert width["both"] < width["people"]
    assert found["times"] == pytest.approx((width["people"] / width["both"]) ** 2, rel=0.1)
    assert 0.5 < found["weights"][0] < 1.2
    page = made.html()
    assert "Judges alone (not to be relied on)" in page
    line = next(line for line in made.summary() if "one: " in line and "judges on 120 items" in line)
    shown = [f"{found[name]['value']:.2f} [" for name in ("both", "people", "judge")]
    assert [line.split(before)[1][:6] for before in ("one: ", "people alone ", "judges alone ")] == shown
    assert "which is not to be relied on; weight 0." in line
    assert f"as if people had judged {found['times']:.1f} times as many items" in line


def test_what_is_only_unfinished_is_put_together_and_the_assumption_is_said() -> None:
    assert "random order" in section(report(random_order(STUDY), judged()))["assumed"]
    assert any(
        line.startswith("Assumption: people were meant") for line in report(random_order(STUDY), judged()).summary()
    )


@pytest.mark.parametrize(
    ("change", "more", "why"),
    [
        ({"order": "fixed"}, {}, "fixed order"),
        ({"batches": "in_order"}, {}, "batch after batch"),
        ({}, {"source": "imported"}, "came from files"),
    ],
)
def test_it_declines_where_nobody_drew_lots_and_says_why(
    change: dict[str, Any], more: dict[str, Any], why: str
) -> None:
    study = random_order(STUDY)
    study = study.model_copy(update={"assignment": study.assignment.model_copy(update=change)})
    made = report(study, judged(**more))
    assert why in section(made)["declined"]
    assert section(made)["dimensions"] == []
    assert any(line.startswith("People and judges are not put together") for line in made.summary())


def test_nothing_is_said_where_people_judged_everything_or_no_judge_did() -> None:
    for found in (judged(ITEMS), [each for each in judged() if not each.judge]):
        made = report(random_order(STUDY), found)
        nothing = {"declined": None, "assumed": None, "by_probability": False, "dimensions": [], "tuning": 0}
        assert section(made) == nothing
        assert lines(made) == []


def test_items_that_judges_were_tuned_on_are_left_out_and_that_is_said() -> None:
    given, tuned = judged(), [f"{system}-{at}" for system in ("one", "two") for at in range(0, ITEMS, 4)]
    made = report(random_order(STUDY), given, tuning=tuned)
    without = report(random_order(STUDY), [each for each in given if each.item not in tuned])
    assert section(made) == section(without) | {"tuning": len(tuned)}
    assert made.numbers()["judges"] == without.numbers()["judges"] | {"tuning": len(tuned)}
    said = [line for line in made.summary() if "60 items that were drawn by lot to tune judges on" in line]
    assert [line.split(" without ")[0] for line in said] == [
        "All that is said of judges is said",
        "People and judges are put together",
    ]
    systems = made.numbers()["systems"]
    assert systems == report(random_order(STUDY), given).numbers()["systems"], "people's results stay whole"


def test_items_drawn_with_known_probabilities_count_by_their_inverse() -> None:
    given = judged(systems=("one",))
    # Of the first 60 items people got 30, of the others 10.
    kept = [each for each in given if each.judge or int(each.item.split("-")[1]) in {*range(30), *range(60, 70)}]
    values = {each.item: each.value for each in judged(ITEMS, systems=("one",)) if not each.judge}
    kept += [
        replace(each, value=values[each.item], item=each.item)
        for each in scores({"one": [values[f"one-{at}"] for at in range(ITEMS)]}, SCALED, people=1)
        if int(each.item.split("-")[1]) in range(60, 70)
    ]
    drawn = {f"one-{at}": DrawnItem(0.5 if at < 60 else 1 / 6, at < 30 or 60 <= at < 70) for at in range(ITEMS)}
    made = report(STUDY, kept, drawn=drawn)
    people = section(made)["dimensions"][0]["systems"][0]["estimate"]["people"]["value"]
    first, second = ([float(values[f"one-{at}"]) for at in some] for some in (range(30), range(60, 70)))  # type: ignore[arg-type]
    assert people == pytest.approx((sum(first) / 30 + sum(second) / 10) / 2)
    assert section(made)["by_probability"] is True
    assert section(made)["assumed"] is None
    assert any("drawn for people with different probabilities" in line for line in made.summary())
    limit = next(each for each in made.numbers()["limits"]["limits"] if each["about"] == "a part of the items")
    assert limit["says"].startswith("A part: people were asked for 40 of 120 items, drawn by lot. Items on which")


def test_an_item_that_people_judged_without_its_being_drawn_ends_it() -> None:
    drawn = {f"{name}-{at}": DrawnItem(0.25, at < 30) for name in ("one", "two") for at in range(ITEMS)}
    assert "20 items that were not drawn" in section(report(STUDY, judged(), drawn=drawn))["declined"]


def test_items_that_lots_were_not_drawn_from_yet_are_left_out() -> None:
    drawn = {f"{name}-{at}": DrawnItem(0.5, at < ASKED) for name in ("one", "two") for at in range(2 * ASKED)}
    [row] = section(report(STUDY, judged(), drawn=drawn))["dimensions"]
    assert {each["estimate"]["n"] for each in row["systems"]} == {2 * ASKED}


def test_a_judge_that_judged_people_s_items_only_is_left_out_by_name() -> None:
    small = [
        replace(each, annotator="mini", submission=f"mini-{each.item}", judge=True)
        for each in judged()
        if not each.judge
    ]
    made = report(random_order(STUDY), [*judged(), *small])
    [row] = section(made)["dimensions"]
    assert (row["judges"], row["left_out"]) == (["gpt"], ["mini"])
    assert any("mini judged too few of the items" in line for line in made.summary())


def test_a_preference_has_a_net_win_rate_by_both() -> None:
    rng = Random(5)
    given = []
    for at in range(ITEMS):
        chosen = rng.choice(["one", "one", "two", "tie"])
        heard = chosen if rng.random() < 0.8 else "one"
        if at < ASKED:
            given.append(choice(f"i{at}", "ann", ("one", "two"), "one", chosen))
        given.append(replace(choice(f"i{at}", "gpt", ("one", "two"), "", heard), judge=True, submission=f"gpt-{at}"))
    made = report(random_order(WAYS), given)
    [row] = [each for each in section(made)["dimensions"] if each["preference"]]
    [pair] = row["pairs"]
    assert {pair["first"], pair["second"]} == {"one", "two"}
    counts = [each.value for each in given if not each.judge]
    net = (counts.count(pair["first"]) - counts.count(pair["second"])) / ASKED
    assert pair["estimate"]["people"]["value"] == pytest.approx(net)
    assert -1 <= pair["estimate"]["both"]["ci"][0] <= pair["estimate"]["both"]["ci"][1] <= 1


def preferences(passes: int) -> list[Judgment]:
    """People who choose by lot on some items, and a judge that takes the left one in each of its passes on all.

    The second pass has sides swapped, the third has them as in the first, and so on. Of three items the judge was
    stopped before the last pass.
    """
    rng, found = Random(4), []
    systems = ("one", "two")
    for at in range(ITEMS):
        # More often the first one stands on the left, as may well be by lot.
        first, second = systems if rng.random() < 0.6 else systems[::-1]
        if at < ASKED:
            found.append(choice(f"i{at}", "ann", systems, first, rng.choice(systems)))
        for number in range(1, passes + 1 - (at < 3 and passes > 2)):
            left = first if number % 2 else second
            given = choice(f"i{at}", "gpt", systems, left, left)
            found.append(replace(given, judge=True, submission=f"gpt-{at}-{number}", pass_=number))
    return found


def by_judge_alone(passes: int) -> float:
    [row] = section(report(random_order(WAYS), preferences(passes)))["dimensions"]
    found: float = row["pairs"][0]["estimate"]["judge"]["value"]
    return found


def test_a_leaning_to_one_side_is_undone_where_both_orders_were_asked() -> None:
    """Each order counts as much as the other, however often it was asked: the leaning cancels out."""
    assert by_judge_alone(1) > 0.1, "in one order it stays as noise"
    for passes in (2, 4, 5):
        assert by_judge_alone(passes) == pytest.approx(0)


def test_repeats_of_a_judge_are_averaged_in_what_it_predicts() -> None:
    once = judged()
    again = [replace(each, pass_=2, submission=f"{each.submission}-2", value=1) for each in once if each.judge]
    one, two = (
        section(report(random_order(STUDY), given))["dimensions"][0]["systems"][0]["estimate"]
        for given in (once, [*once, *again])
    )
    assert two["judge"]["value"] == pytest.approx((one["judge"]["value"] + 1) / 2)
    assert two["people"] == one["people"]
