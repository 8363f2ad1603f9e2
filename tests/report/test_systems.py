"""Which system scores higher: means and paired differences that can be worked out by hand."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from assay.report.build import Report, build
from assay.report.sections.systems import SystemsSection
from assay.report.system_comparison import correct_p_values
from assay.report.wording import p_in_words, too_few_to_say
from assay.study.analysis import ComparisonSettings
from assay.study.field_types import OneKind
from tests.report.comparing import CARS, ROUTES, WAYS, comparing, data, report, scores, ungrouped
from tests.report.test_report import judgment

HIGH = [2, 3, 4, 5, 3] * 5
LOW = [value - 1 for value in HIGH]


def family(made: Report, place: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = made.numbers()["systems"]["families"][place]
    return found


def only_pair(made: Report) -> dict[str, Any]:
    (row,) = family(made)["dimensions"]
    (pair,) = row["pairs"]
    return dict(pair)


def measure(pair: dict[str, Any], name: str) -> dict[str, Any]:
    return next(each for each in [*pair["tests"], *pair["effects"]] if each["name"] == name)


def test_a_system_that_is_always_one_point_above_is_one_point_above_by_the_report() -> None:
    made = report(ROUTES, scores({"A": HIGH, "B": LOW}))
    pair = only_pair(made)
    assert (pair["first"], pair["second"], pair["n"], pair["unit"], pair["paired"]) == ("A", "B", 25, "groups", True)
    assert pair["difference"]["value"] == pytest.approx(1.0)
    assert pair["difference"]["ci"] is None, "all alike: nothing tells how far others would be"
    assert pair["means"] == pytest.approx([3.4, 2.4])
    # All 25 signs alike: 2 of 2^25 ways.
    assert pair["p"] == pytest.approx(2.0**-24)
    assert measure(pair, "rank_biserial")["value"] == pytest.approx(1.0)
    assert measure(pair, "d_z")["value"] is None
    assert "spread is 0" in measure(pair, "d_z")["undefined"]
    systems = {each["system"]: each for each in family(made)["dimensions"][0]["systems"]}
    assert systems["A"]["value"] == pytest.approx(3.4)
    assert systems["A"]["ci"][0] < 3.4 < systems["A"]["ci"][1]
    assert (systems["B"]["value"], systems["B"]["n"]) == (pytest.approx(2.4), 25)
    line = next(line for line in made.summary() if "A − B" in line)
    assert line.startswith("Coherence, mean of item means: A 3.40 [")
    assert line.endswith(", n = 25; A − B: +1.00, 25 shared groups, sign flip p < 0.001; a difference is shown.")
    assert "Which system scores higher?" in made.html()


def test_the_drawing_has_the_system_that_scores_highest_first() -> None:
    drawn = report(ROUTES, scores({"A": LOW, "B": HIGH})).html().partition("figure-systems-wide")[2]
    assert 0 < drawn.index(">B</text>") < drawn.index(">A</text>")


def test_systems_that_score_alike_show_no_difference() -> None:
    # Ten groups in which A is a point above, ten in which B is, and ten without any difference.
    made = report(ROUTES, scores({"A": [3] * 10 + [2] * 10 + [4] * 10, "B": [2] * 10 + [3] * 10 + [4] * 10}))
    pair = only_pair(made)
    assert pair["difference"]["value"] == pytest.approx(0.0)
    assert pair["difference"]["ci"][0] < 0 < pair["difference"]["ci"][1]
    assert pair["p"] == pytest.approx(1.0)
    assert any(line.endswith("; no difference is shown.") for line in made.summary())


def test_two_items_of_a_system_in_one_group_count_as_one() -> None:
    both = scores({"A": [4] * 24, "B": [3] * 24})
    # A second item of A in the first group, with a 2 of one person: its mean there is 3, and the difference 0.
    more = [replace(each, item="A-again", value=2) for each in both if each.item == "A-0" and each.annotator == "p0"]
    pair = only_pair(report(ROUTES, [*both, *more]))
    assert pair["n"] == 24
    assert pair["difference"]["value"] == pytest.approx(23 / 24)


def test_people_count_once_for_each_item_however_many_judged_it() -> None:
    made = scores({"A": [4] * 24, "B": [3] * 24})
    third = [replace(each, annotator="p9", value=1) for each in made if each.item == "A-0" and each.annotator == "p0"]
    pair = only_pair(report(ROUTES, [*made, *third]))
    # The first item of A has the mean of 4, 4 and 1, which is 3.
    assert pair["difference"]["value"] == pytest.approx(23 / 24)


def test_the_sides_of_an_item_are_compared_item_by_item_wherever_they_stood() -> None:
    study = ungrouped(WAYS)
    said = [
        judgment(
            f"i{n}", who, 4 if system == "A" else 2, "coherence", system=system, systems=("A", "B"),
            side="left" if (system == "A") == bool((n + at) % 2) else "right", left="A" if (n + at) % 2 else "B",
        )
        for n in range(20) for at, who in enumerate(("ana", "ben")) for system in ("A", "B")
    ]  # fmt: skip
    pair = only_pair(report(study, said))
    assert (pair["unit"], pair["drawn"], pair["n"], pair["n_units"]) == ("items", "items", 20, 20)
    assert pair["difference"]["value"] == pytest.approx(2.0)


def test_items_that_share_a_group_are_drawn_together_and_too_few_groups_are_too_few() -> None:
    of = {"systems": ("A", "B")}
    said = [
        judgment(f"i{n}", "ana", value, "coherence", system=system, group=f"g{n % 6}", **of)
        for n in range(30)
        for system, value in (("A", 4), ("B", 2))
    ]
    made = report(WAYS, said)
    pair = only_pair(made)
    assert (pair["n"], pair["n_units"], pair["drawn"]) == (30, 6, "groups")
    assert "clusters" in pair["difference"]["method"]
    assert any("fewer than 20 groups: too few to say" in line for line in made.summary() if "A − B" in line)


def test_systems_without_a_group_in_common_are_compared_as_groups_and_it_is_said() -> None:
    apart = [replace(each, group=f"{each.system}{each.group}") for each in scores({"A": HIGH, "B": LOW})]
    made = report(ROUTES, apart)
    pair = only_pair(made)
    assert (pair["paired"], pair["test"], pair["n"]) == (False, "mann_whitney", 50)
    assert pair["difference"]["value"] == pytest.approx(1.0)
    assert any("which they do not share" in line for line in made.summary())


@pytest.mark.parametrize(
    ("correction", "expected"),
    [("holm", [0.125, 0.125]), ("bonferroni", [0.125, 0.25]), ("none", [0.0625, 0.125])],
)
def test_p_values_are_corrected_as_the_study_asks_over_all_pairs_and_dimensions(
    correction: Any, expected: list[float]
) -> None:
    # Five differences of one sign, and 15 of zero: 2 of 32 ways are as far. Four of them: 2 of 16.
    said = [
        *scores({"A": [4] * 20, "B": [3] * 5 + [4] * 15}),
        *scores({"A": [4] * 20, "B": [3, 3, 3, 3] + [4] * 16}, "relevance"),
    ]
    found = family(report(comparing(ROUTES, ComparisonSettings(correction=correction)), said))
    assert found["tests"] == 2
    pairs = [pair for row in found["dimensions"] for pair in row["pairs"]]
    assert [pair["p"] for pair in pairs] == pytest.approx([0.0625, 0.125])
    assert [pair["p_corrected"] for pair in pairs] == pytest.approx(expected)


def test_without_a_wish_of_the_study_holm_corrects_everything_at_once() -> None:
    said = [*scores({"A": HIGH, "B": LOW, "C": LOW}), *scores({"A": HIGH, "B": LOW, "C": LOW}, "relevance")]
    found = family(report(ROUTES, said))
    assert (found["correction"], found["tests"]) == ("holm", 6)


def test_a_comparison_is_of_the_dimensions_and_systems_that_it_names_in_their_order() -> None:
    said = [*scores({"A": HIGH, "B": LOW, "C": LOW}), *scores({"A": HIGH, "B": LOW, "C": LOW}, "relevance")]
    study = comparing(
        ROUTES, ComparisonSettings(on=("relevance",), systems=("C", "A")), ComparisonSettings(on=("coherence",))
    )
    made = report(study, said)
    first, second = made.numbers()["systems"]["families"]
    assert [row["dimension"] for row in first["dimensions"]] == ["relevance"]
    (pair,) = first["dimensions"][0]["pairs"]
    assert (pair["first"], pair["second"]) == ("C", "A")
    assert pair["difference"]["value"] == pytest.approx(-1.0)
    assert (first["tests"], second["tests"]) == (1, 3)


def test_what_cannot_be_compared_is_said_with_its_reason() -> None:
    study = comparing(ROUTES, ComparisonSettings(on=("coherence", "tone", "fluency"), systems=("A", "B", "Z")))
    made = report(study, scores({"A": HIGH, "B": LOW}))
    assert family(made)["not_compared"] == {
        "tone": "the study has no such dimension",
        "fluency": "fewer than two systems have numbers on it",
        "Z": "nothing of such a system was judged",
    }
    assert "tone is not compared: the study has no such dimension." in made.summary()


def test_a_computed_value_is_compared_like_an_answer() -> None:
    made = report(ROUTES, scores({"A": [3.5] * 20, "B": [3.0] * 20}, "hcs"))
    (row,) = family(made)["dimensions"]
    assert (row["dimension"], row["title"], row["ends"]) == ("hcs", "Human coherence score", None)
    assert row["pairs"][0]["difference"]["value"] == pytest.approx(0.5)


def test_a_value_that_was_computed_in_another_way_is_not_compared() -> None:
    weights = ROUTES.derive[0].model_copy(update={"weighted_mean": ROUTES.derive[0].derivation.model_copy(
        update={"of": {"coherence": 1.0}}
    )})  # fmt: skip
    weights.__dict__.pop(OneKind.only_kind.attrname, None)
    old = ROUTES.model_copy(update={"derive": (weights,)})
    said = scores({"A": [3.5] * 20, "B": [3.0] * 20}, "hcs")
    before = [replace(each, value=5.0, study_hash="old", item=f"o{each.item}", group=f"o{each.group}") for each in said]
    made = report(ROUTES, [*said, *before])
    assert only_pair(made)["n"] == 40, "without the old version at hand nothing tells that it was another"
    known = build(replace(data(ROUTES, [*said, *before]), studies={"old": old}))
    assert only_pair(known)["n"] == 20


def test_only_people_who_count_are_compared() -> None:
    said = scores({"A": HIGH, "B": LOW})
    judges = [replace(each, annotator="judge", judge=True, value=1) for each in said if each.annotator == "p0"]
    judges += [replace(each, dimension="hcs", value=1.0) for each in judges]
    asleep = [replace(each, annotator="p8", value=1) for each in said if each.annotator == "p0"]
    pair = only_pair(report(ROUTES, [*said, *judges, *asleep], excluded={"p8": "asleep"}))
    assert pair["means"] == pytest.approx([3.4, 2.4])


@pytest.mark.parametrize("systems", [("A",), ("",)])
def test_with_one_system_or_none_nothing_is_compared_and_its_mean_stands_in_the_table(systems: tuple[str, ...]) -> None:
    made = report(ROUTES, scores(dict.fromkeys(systems, HIGH)))
    assert made.numbers()["systems"]["families"] == []
    (row,) = made.numbers()["systems"]["values"]
    assert [each["mean"]["value"] for each in row["systems"]] == pytest.approx([3.4])
    assert SystemsSection().lines(made.parts["systems"]) == [], "the summary says nothing of it"


def test_means_and_medians_of_items_stand_in_the_table_for_each_system() -> None:
    made = report(ungrouped(ROUTES), scores({"A": [1, 2, 3, 4, 5] * 5, "B": [1, 5] * 12 + [5]}))
    (row,) = made.numbers()["systems"]["values"]
    one, other = row["systems"]
    assert (one["system"], one["mean"]["value"], one["median"]["value"]) == ("A", 3.0, 3.0)
    # The order statistics 8 and 18 of 25: five 1s, then 2s from the 6th to the 10th, 4s from the 16th to the 20th.
    assert one["median"]["ci"] == [2.0, 4.0]
    assert (other["median"]["value"], other["mean"]["value"]) == (5.0, pytest.approx(77 / 25))


def test_of_a_computed_value_a_single_system_has_its_mean_said_and_a_word_its_shares() -> None:
    said = scores({"m": [0.5] * 10 + [1.0] * 20}, "success") + scores({"m": ["fail"] * 10 + ["pass"] * 20}, "verdict")
    made = report(ungrouped(CARS), said)
    rows = {(row["dimension"], row["value"]): row for row in made.numbers()["systems"]["values"]}
    assert rows["success", None]["systems"][0]["mean"]["value"] == pytest.approx(25 / 30)
    assert rows["verdict", "pass"]["systems"][0]["mean"]["value"] == pytest.approx(2 / 3)
    assert any(line.startswith("Success score, mean of item means: m 0.83 [") for line in made.summary())
    assert any(line.startswith("Verdict, mean of item shares: m fail 33 % [") for line in made.summary())


def test_many_systems_are_one_line_for_a_dimension_with_those_that_are_shown_to_differ() -> None:
    made = report(ROUTES, scores({"A": HIGH, "B": LOW, "C": HIGH}))
    (line,) = [line for line in made.summary() if line.startswith("Coherence, mean of item means")]
    assert "shown to differ (Holm, 3 tests): A − B +1.00, B − C −1.00." in line


def test_few_groups_are_too_few_to_say() -> None:
    made = report(ROUTES, scores({"A": HIGH[:19], "B": LOW[:19]}))
    (line,) = SystemsSection().lines(made.parts["systems"])
    assert line in made.summary()
    means = r"Coherence, mean of item means: A 3\.42 \[[\d., ]+\], n = 19; B 2\.42 \[[\d., ]+\], n = 19; "
    assert re.sub(means, "", line) == ("A − B: +1.00, 19 shared groups (fewer than 20 groups: too few to say).")


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"A": [3], "B": [3]}, "A 3.00, n = 1; B 3.00, n = 1; A − B: 0.00, 2 groups, which they do not share"),
        ({"A": [3, 3], "B": [3, 3]}, "A 3.00, n = 2; B 3.00, n = 2; A − B: 0.00, 2 shared groups"),
        (
            {"A": [1], "B": [2, 3, 4]},
            "A 1.00, n = 1; B 3.00 [1.00, 5.00], n = 3; A − B: −2.00, 4 groups, which they do not share",
        ),
    ],
)
def test_what_is_undefined_is_left_out_of_the_line_and_no_nan_in_the_json(
    values: dict[str, list[int]], says: str
) -> None:
    made = report(ROUTES, scores(values))
    json.loads(made.json(), parse_constant=pytest.fail)
    (line,) = SystemsSection().lines(made.parts["systems"])
    assert line == f"Coherence, mean of item means: {says} (fewer than 20 groups: too few to say)."
    assert line in made.summary()
    assert "A − B" in made.html()


def test_twenty_are_enough_and_fewer_are_too_few_to_say() -> None:
    assert [too_few_to_say(n) for n in (19, 20)] == [" (fewer than 20 items: too few to say)", ""]


def test_p_values_in_words_and_those_that_are_missing() -> None:
    assert [p_in_words(p) for p in (0.0004, 0.0312, None)] == ["p < 0.001", "p = 0.031", "no p-value"]
    assert correct_p_values([0.02, None, 0.01], "bonferroni") == pytest.approx([0.04, None, 0.02])


def test_no_interval_of_a_mean_goes_beyond_the_ends_of_the_scale() -> None:
    made = report(ungrouped(ROUTES), scores({"A": [1, 5], "B": [2, 3]}))
    (row,) = family(made)["dimensions"]
    assert [each["ci"] for each in row["systems"]] == [[1.0, 5.0], [1.0, 5.0]]
    values = made.numbers()["systems"]["values"]
    assert [each["mean"]["ci"] for each in values[0]["systems"]] == [[1.0, 5.0], [1.0, 5.0]]
