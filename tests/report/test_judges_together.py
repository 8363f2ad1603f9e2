"""Judges together: a study whose folders were scored by different judges still gets its answer."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from assay.model import Judgment
from assay.report.build import Report
from assay.study import Study
from tests.report.comparing import CARS, report, ungrouped
from tests.report.test_judges_section import DIMENSIONS, EVEN, SCALED, people, said, statistic

STUDY = ungrouped(CARS)
FOUR = [f"judge-{n}" for n in "abcd"]


def in_folders(values: Sequence[int], each: int = 6) -> list[Judgment]:
    """Four judges, each of its own folder: the first two say what people say, the others a point less."""
    given = []
    for place, judge in enumerate(FOUR):
        said_of = said(values, judge, judge=True, batch=f"config_{place + 1}")
        given += [replace(one, value=one.value - (place > 1)) for one in said_of[place * each : (place + 1) * each]]  # type: ignore[operator]
    return given


def with_families(**families: Any) -> Study:
    judgments = tuple(each.model_copy(update={"family": families}) for each in STUDY.items.judgments)
    return STUDY.model_copy(update={"items": STUDY.items.model_copy(update={"judgments": judgments})})


def together(made: Report, dimension: str = SCALED) -> dict[str, dict[str, Any]]:
    rows = {row["dimension"]: row for row in made.numbers()["judges"]["dimensions"]}
    return {each["judge"]: each for each in rows[dimension]["together"]}


LOW = [1, 2] * 12


def test_four_judges_of_four_folders_give_one_answer_beside_those_of_each() -> None:
    made = report(STUDY, [*people(LOW, LOW), *in_folders(LOW)])
    found = together(made)["all judges"]
    assert (found["n"], found["n_units"], found["too_few"]) == (24, 24, False)
    assert found["judges"] == FOUR
    assert found["batches"] == ["config_1", "config_2", "config_3", "config_4"]
    # 12 of 24 lie a point lower. Squared: 1/2 on average; of all pairs of (0, 1, 1, 2) and (1, 2): (1+4+0+1+0+1+1+0)/8.
    assert statistic(found, "bias")["with_mean"]["value"] == pytest.approx(-0.5)
    assert statistic(found, "quadratic_kappa")["with_rest"]["value"] == pytest.approx(1 - 0.5 / 1)
    each = {row["dimension"]: row for row in made.numbers()["judges"]["dimensions"]}[SCALED]["judges"]
    assert [(one["judge"], one["n"], one["too_few"]) for one in each] == [(judge, 6, True) for judge in FOUR]
    [line] = [line for line in made.summary() if line.startswith("All judges together")]
    assert line.startswith("All judges together (judge-a, judge-b, judge-c, judge-d): agreement with people 0.50 [")
    assert line.endswith("; n = 24 items, 2 people.")
    assert "all judges" in made.html()
    figure = [row for row in made.numbers()["figures"]["judge"]["together"] if row["judge"] == "all judges"]
    assert [(row["n"], row["few"]) for row in figure] == [(24, False)]
    assert figure[0]["value"] == pytest.approx(0.5)


def test_one_judge_needs_no_row_for_all() -> None:
    made = report(STUDY, [*people(EVEN, EVEN), *said(EVEN, "gpt", judge=True)])
    assert together(made) == {}
    assert not [line for line in made.summary() if "together" in line]


def test_judges_of_the_same_items_are_counted_by_items_and_drawn_by_items() -> None:
    lower = [max(0, value - 1) for value in EVEN]
    judged = [*said(EVEN, "gpt", judge=True), *said(lower, "claude", judge=True)]
    found = together(report(STUDY, [*people(EVEN, EVEN), *judged]))["all judges"]
    assert (found["n"], found["n_shared"], found["n_judgments"], found["n_units"]) == (24, 24, 48, 24)
    # 16 of 24 are a point lower with the second judge, and none with the first.
    assert statistic(found, "bias")["with_mean"]["value"] == pytest.approx(-16 / 48)
    assert "clusters" in statistic(found, "bias")["with_mean"]["method"]


def test_a_family_has_the_name_that_the_study_declares() -> None:
    families = {"The evaluator": ("judge-*",)}
    made = report(with_families(**families), [*people(LOW, LOW), *in_folders(LOW)])
    assert set(together(made)) == {"The evaluator"}, "it holds all of them, so it is all judges"
    assert any(line.startswith("The evaluator (judge-a, judge-b, judge-c, judge-d): ") for line in made.summary())
    two = {"First": ("judge-a", "judge-b"), "Second": ("judge-c", "judge-d"), "Lone": ("judge-a",)}
    found = together(report(with_families(**two), [*people(LOW, LOW), *in_folders(LOW)]))
    assert list(found) == ["First", "Second", "all judges"], "one judge alone has its own row"
    assert [found[name]["n"] for name in found] == [12, 12, 24]
    assert statistic(found["Second"], "bias")["with_mean"]["value"] == pytest.approx(-1.0)


def test_a_family_of_which_one_judge_alone_judged_a_dimension_has_no_row_there() -> None:
    second = DIMENSIONS[0]
    judged = [each for name in ("judge-a", "judge-b") for each in said(LOW, name, judge=True)]
    alone = said(LOW, "judge-a", second, judge=True)
    given = [*people(LOW, LOW), *people(LOW, LOW, dimension=second), *judged, *alone]
    made = report(with_families(Both=("judge-*",)), given)
    rows = {row["dimension"]: row for row in made.numbers()["judges"]["dimensions"]}
    assert list(together(made)) == ["Both"]
    assert [each["judge"] for each in rows[second]["judges"]] == ["judge-a"], "its own row says all of it"
    assert rows[second]["together"] == []


def test_a_family_that_is_called_like_one_of_its_judges_keeps_its_own_numbers() -> None:
    first, second = said([1, 2, 2, 1] * 6, "judge-a", judge=True), said([2, 1, 1, 1] * 6, "judge-b", judge=True)
    given = [*people(LOW, [1, 2, 2, 1] * 6), *first, *second]
    apart, alike = (report(with_families(**{name: ("judge-*",)}), given) for name in ("both", "judge-a"))
    for one, other in zip(*(made.numbers()["judges"]["dimensions"] for made in (apart, alike)), strict=True):
        assert any(row["gap_p_corrected"] is not None for row in [*one["judges"], *one["together"]])
        assert one["judges"] == other["judges"]
        assert [{**row, "judge": ""} for row in one["together"]] == [{**row, "judge": ""} for row in other["together"]]


def test_every_run_of_a_judge_is_said_and_none_is_dropped() -> None:
    first = said(EVEN, "gpt", judge=True)
    second = [replace(each, pass_=2) for each in first]
    third = [replace(each, pass_=3, value=1) for each in first[:12]]
    made = report(STUDY, [*people(EVEN, EVEN), *first, *second, *third])
    row = next(each for each in made.numbers()["judges"]["dimensions"] if each["dimension"] == SCALED)
    found = row["judges"][0]
    assert found["runs"] == {"most": 3, "counted": "the first", "later_judgments": 36}
    # All 24 of the second run, and 4 ones among the 12 of the third.
    assert (found["second_run"]["n"], found["second_run"]["exact"]["value"]) == (36, pytest.approx(28 / 36))
    assert statistic(found, "bias")["with_mean"]["value"] == pytest.approx(0.0), "the first run counts"
    assert "gpt: up to 3 runs of an item; the first counts, the later ones say whether it repeats itself." in (
        made.summary()
    )
    twice = report(STUDY, [*people(EVEN, EVEN), *first, *second])
    assert "gpt: two runs; the first counts, the second says whether it repeats itself." in twice.summary()
    once = report(STUDY, [*people(EVEN, EVEN), *first])
    assert not [line for line in once.summary() if "runs" in line]


def test_a_judge_whose_items_are_a_part_of_anothers_is_warned_of() -> None:
    few = said(EVEN, "gpt", judge=True)[:12]
    made = report(STUDY, [*people(EVEN, EVEN), *few, *said(EVEN, "claude", judge=True)])
    assert made.numbers()["judges"]["warnings"] == [
        "gpt judged 12 of the 24 items of claude: compare them on these only"
    ]
    assert any("the judges did not judge the same items" in line for line in made.summary())


def test_items_that_share_a_source_are_counted_beside_what_they_share() -> None:
    alike = [
        replace(each, group=f"g{int(each.item.split('-')[1]) // 2}") for each in [*people(LOW, LOW), *in_folders(LOW)]
    ]
    made = report(CARS, alike)
    assert (together(made)["all judges"]["n_items"], together(made)["all judges"]["n_units"]) == (24, 12)
    [line] = [line for line in made.summary() if line.startswith("All judges together")]
    assert "n = 24 items in 12 groups, 2 people (fewer than 20 groups: too few to say)" in line
