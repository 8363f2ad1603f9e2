"""What is said of each annotator, on judgments whose outcome can be worked out by hand."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from assay.model import Fact, Judgment
from assay.quality import MonitorData
from assay.report.annotator_work import AnnotatorWork
from assay.report.build import Report, build
from tests.report.comparing import CARS, WAYS, choice, data, ungrouped
from tests.report.test_report import PLAIN, STUDY, judgment

FIVE = [1, 2, 3, 4, 5] * 8


def given(who: str, values: Iterable[object], dimension: str = "emotion", **more: Any) -> list[Judgment]:
    return [judgment(f"i{n}", who, value, dimension, position=n + 1, **more) for n, value in enumerate(values)]


def again(who: str, values: Iterable[object], dimension: str = "emotion", **more: Any) -> list[Judgment]:
    return [replace(each, pass_=2, submission=f"{each.submission}-2") for each in given(who, values, dimension, **more)]


def report(judgments: list[Judgment], **more: Any) -> Report:
    return build(data(PLAIN, judgments, **more))


def row(made: Report, dimension: str = "emotion") -> dict[str, Any]:
    rows: list[dict[str, Any]] = made.numbers()["annotators"]["dimensions"]
    return next(each for each in rows if each["dimension"] == dimension)


def person(made: Report, who: str, dimension: str = "emotion") -> dict[str, Any]:
    return next(each for each in row(made, dimension)["annotators"] if each["annotator"] == who)


def line_with(made: Report, words: str) -> str:
    return next(line for line in made.summary() if words in line)


# The same again


def test_self_consistency_is_the_share_of_second_judgments_that_are_the_same() -> None:
    first = [1, 2, 3, 4, 5] * 4
    # Of 20, 16 the same, two a point higher, two two points lower.
    second = [*first[:16], 3, 4, 2, 3]
    made = report([*given("ana", first), *again("ana", second), *given("ben", first)])
    ana = person(made, "ana")
    assert (ana["exact"]["value"], ana["exact"]["n"], ana["exact"]["too_few"]) == (0.8, 20, False)
    assert ana["exact"]["ci"] == pytest.approx([0.584, 0.919], abs=1e-3)
    assert ana["within_one"]["value"] == pytest.approx(0.9)
    assert ana["change"]["value"] == pytest.approx((1 + 1 - 2 - 2) / 20)
    low, high = ana["change"]["ci"]
    assert low < -0.1 < high
    ben = person(made, "ben")
    assert (ben["exact"]["value"], ben["exact"]["undefined"]) == (None, "no item came twice")
    assert row(made)["with_themselves"]["exact"]["value"] == 0.8
    assert "the value was the same in 80 % [58, 92] (Emotion recognition) of 20 second judgments" in line_with(
        made, "Judged again"
    )


def test_what_people_reach_with_themselves_stands_beside_what_they_reach_with_each_other() -> None:
    other = [value % 5 + 1 for value in FIVE]
    made = report([*given("ana", FIVE), *again("ana", FIVE), *given("ben", other), *again("ben", other)])
    found = row(made)
    assert found["with_themselves"]["exact"]["value"] == 1.0
    assert found["with_themselves"]["kappa_with_self"]["value"] == pytest.approx(1.0)
    assert found["with_each_other"]["exact"]["value"] == 0.0
    assert found["with_each_other"]["kappa"]["value"] < 0.2
    assert "kappa with oneself 1.00, with others " in line_with(made, "Judged again")
    assert "the most that agreement could be" in made.html()


def test_only_the_newest_revision_of_a_second_pass_on_the_scale_counts() -> None:
    before = [replace(each, superseded=True) for each in again("ana", [1] * 20)]
    later = [replace(each, superseded=False, revision=2, value=5) for each in before]
    late = [replace(each, surplus=True) for each in again("ben", FIVE[:20])]
    made = report([*given("ana", [5] * 20), *before, *later, *given("ben", [5] * 20), *late])
    assert person(made, "ana")["exact"]["value"] == 1.0
    assert person(made, "ben")["exact"]["value"] is None


def test_entries_of_one_item_that_came_twice_do_not_count_as_so_many_items() -> None:
    # Two goals in each of 20 items; both the same again in 16 items, and both different in 4.
    first = [replace(each, entry=entry) for entry in ("e1", "e2") for each in given("ana", [1] * 20, "goal")]
    second = [replace(each, entry=entry) for entry in ("e1", "e2") for each in again("ana", [1] * 16 + [0] * 4, "goal")]
    found = person(build(data(ungrouped(CARS), [*first, *second])), "ana", "goal")["exact"]
    assert (found["value"], found["n"], found["too_few"]) == (0.8, 40, False)
    # They tell as much as 20 items would, less one for the mean: about what Wilson says of 16 in 20, not 32 in 40.
    assert found["ci"] == pytest.approx([0.58, 0.92], abs=0.02)


def test_a_preference_is_the_same_when_the_same_system_wins_after_sides_were_swapped() -> None:
    study = ungrouped(WAYS)
    pair = ("A", "B")
    first = [choice(f"i{n}", "ana", pair, "A", "A") for n in range(24)]
    second = [
        replace(each, pass_=2, left="B" if n < 20 else "A", value="B" if n < 5 else "A") for n, each in enumerate(first)
    ]
    found = person(build(data(study, [*first, *second])), "ana", "preference")
    assert (found["same_winner"]["value"], found["same_winner"]["n"]) == (0.75, 20)
    assert found["exact"]["value"] == pytest.approx(19 / 24)
    assert found["severity"]["undefined"] == "values of a nominal scale stand in no order"


# Beside the others


def test_somebody_half_a_point_above_the_others_is_found_after_correction_and_the_others_are_not() -> None:
    # Three agree; dan is a point above them on every second item: half a point above the others' mean.
    people = [each for who in ("ana", "ben", "cem") for each in given(who, [1, 2, 3, 4] * 10)]
    dan = given("dan", [value + at % 2 for at, value in enumerate([1, 2, 3, 4] * 10)])
    made = report([*people, *dan])
    found = person(made, "dan")["severity"]
    assert (found["value"], found["n"]) == (0.5, 40)
    # Student's interval: 0.5 +- 2.0227 s / sqrt 40, with s^2 = 40/39 of 1/4.
    assert found["ci"] == pytest.approx([0.5 - 2.0227 * 0.50637 / 40**0.5, 0.5 + 2.0227 * 0.50637 / 40**0.5], abs=1e-3)
    assert found["p_adjusted"] < 0.001
    # Each of the three lies below a mean of which dan is a third.
    assert person(made, "ana")["severity"]["value"] == pytest.approx(-0.5 / 3)
    line = line_with(made, "Beyond chance")
    assert "dan, Emotion recognition: 0.50 points [0.34, 0.66] above the others, n = 40" in line
    assert "5 % false discoveries over all of these tests: 4 of severity" in line
    assert made.numbers()["annotators"]["tests"]["severity"] == 4


def test_p_values_are_corrected_by_benjamini_and_hochberg_over_kinds_annotators_and_dimensions() -> None:
    people = [
        *given("ana", [1, 2, 3, 4] * 10),
        *given("ben", [1, 2, 3, 4] * 9 + [1, 2, 3, 5]),
        *given("cem", [2, 2, 3, 4, 1, 2, 4, 4] * 5),
        *given("ana", FIVE, "validation"),
        *given("ben", [value % 5 + 1 for value in FIVE], "validation"),
    ]
    made = report(people)
    rows = made.numbers()["annotators"]["dimensions"]
    kinds = ("severity", "spread", "drift")
    cells = [each[kind] for row in rows for each in row["annotators"] for kind in kinds]
    tested = [cell for cell in cells if cell["p"] is not None and cell["ci"] is not None]
    m = len(tested)
    assert made.numbers()["annotators"]["tests"] == {"severity": 5, "spread": 5, "drift": 5}
    assert m == 15
    ranked = sorted(tested, key=lambda cell: cell["p"])
    # The least of m p / rank over this and all later ones.
    by_hand = [
        min(m * later["p"] / rank for rank, later in enumerate(ranked, 1) if rank >= at) for at in range(1, m + 1)
    ]
    assert [cell["p_adjusted"] for cell in ranked] == pytest.approx([min(1.0, each) for each in by_hand])
    assert any(cell["p"] < cell["p_adjusted"] for cell in tested)


def test_somebody_who_uses_half_of_the_scale_has_half_of_the_spread() -> None:
    wide = [1, 5, 3, 1, 5] * 8
    # One value of another is a slip, and one of theirs: half of the spread is not exactly half.
    narrow = [{1: 2, 3: 3, 5: 4}[value] for value in wide[:-1]] + [3]
    made = report([*given("ana", wide), *given("ben", [*wide[:-1], 4]), *given("cem", narrow)])
    found = person(made, "cem")["spread"]
    assert found["value"] == pytest.approx(0.5, abs=0.01)
    assert found["p_adjusted"] <= 0.05
    assert any(
        each["annotator"] == "cem" and each["name"] == "spread" for each in made.numbers()["annotators"]["differ"]
    )


def test_somebody_who_rises_by_a_point_in_forty_items_drifts_by_two_and_a_half_in_a_hundred() -> None:
    rising = [2] * 20 + [3] * 20
    made = report([*given("ana", [1, 5] * 20), *given("ben", [5, 1] * 20), *given("cem", rising)])
    found = person(made, "cem")["drift"]
    # The others' mean is 3 throughout: the slope of -1 x 20, 0 x 20 over 1..40 is 20 * 10 / (40 (40^2 - 1) / 12).
    assert found["value"] == pytest.approx(100 * 20 * 10 / (40 * 1599 / 12), rel=1e-6)


def test_agreement_with_the_rest_and_without_somebody_shows_who_guesses() -> None:
    guess = [FIVE[(at * 7 + 3) % 40] for at in range(40)]
    made = report([*given("ana", FIVE), *given("ben", FIVE), *given("cem", guess)])
    cem, ana = person(made, "cem"), person(made, "ana")
    assert cem["kappa_with_others"]["value"] < 0.3 < ana["kappa_with_others"]["value"]
    assert cem["without"]["value"] == pytest.approx(1.0), "the other two agree on everything"
    assert cem["without"]["change"] > 0.3
    assert ana["without"]["change"] < 0
    assert cem["correlation"]["ci"][0] <= cem["correlation"]["value"] <= cem["correlation"]["ci"][1]


def test_one_impression_on_all_dimensions_is_a_halo_and_two_independent_ones_are_none() -> None:
    def both(who: str, extra: list[int], other: list[int]) -> list[Judgment]:
        base = [2, 3, 4, 3] * 10
        return [
            *given(who, [value + add for value, add in zip(base, extra, strict=True)]),
            *given(who, [value + add for value, add in zip(base[::-1], other, strict=True)], "validation"),
        ]

    up = [0, 1, 0, 0, -1] * 8
    across = [1, 0, 0, -1, 0] * 8
    made = report([*both("ana", [0] * 40, [0] * 40), *both("ben", up, up), *both("cem", up, across)])
    halo = {each["annotator"]: each for each in made.numbers()["annotators"]["halo"]}
    assert halo["ben"]["value"] > 0.8
    assert abs(halo["cem"]["value"]) < 0.5
    assert halo["ben"]["n"] == 40


# Against known values


def test_calibration_has_the_signed_bias_and_the_size_of_the_error() -> None:
    # Ten practice items with a known 3: half of them given a 4, half a 3 or, once, a 1.
    values = [4] * 5 + [3] * 4 + [1]
    practice = [replace(each, item=f"p{n}", source="practice") for n, each in enumerate(given("ana", values))]
    facts = {f"p{n}": Fact(expected={"emotion": 3}) for n in range(10)}
    work = [*given("ana", FIVE), *given("ben", FIVE)]
    made = report([*work, *practice], work=MonitorData(PLAIN, work, facts, practice))
    ana = person(made, "ana")
    assert ana["bias"]["value"] == pytest.approx((5 - 2) / 10)
    assert ana["absolute_error"]["value"] == pytest.approx((5 + 2) / 10)
    assert (ana["bias"]["n"], ana["bias"]["too_few"]) == (10, True)
    assert person(made, "ben")["bias"]["undefined"] == "no item with a known value was judged"
    assert "against the known values of items for practice" in made.html()


# What is said, and what is not


def test_below_twenty_items_nobody_is_tested_and_it_is_said() -> None:
    made = report([*given("ana", [1, 2, 3] * 5), *given("ben", [3, 4, 5] * 5)])
    assert made.numbers()["annotators"]["tests"] == {"severity": 0, "spread": 0, "drift": 0}
    assert person(made, "ana")["severity"]["too_few"]
    assert "cannot be said: nobody shares 20 items" in line_with(made, "differs from the others")
    assert "too few to say" in made.html()


def test_without_a_difference_it_says_so_with_the_number_of_tests() -> None:
    made = report([*given("ana", FIVE), *given("ben", FIVE), *given("cem", FIVE)])
    assert "No annotator differs from the others beyond chance" in line_with(made, "beyond chance")


def test_of_two_annotators_a_difference_is_said_once_and_not_whose_it_is() -> None:
    made = report([*given("ana", [1, 2, 3, 4] * 10), *given("ben", [2, 3, 4, 5] * 9 + [2, 3, 4, 4])])
    line = line_with(made, "Beyond chance")
    assert "ben, Emotion recognition: 0.97 points [0.92, 1.03] above the others" in line
    assert "ana" not in line
    assert line.endswith("Of two annotators nothing says which of them is right.")


def test_of_two_annotators_the_one_who_spreads_wider_is_named_and_not_the_other_as_well() -> None:
    wide = [1, 4, 3, 2, 5] * 8
    made = report([*given("ana", wide), *given("ben", [{1: 2, 5: 4}.get(value, value) for value in wide[:-1]] + [5])])
    line = line_with(made, "Beyond chance")
    assert "ana, Emotion recognition: 1.51 [1.33, 1.72] times as widely spread" in line
    assert "ben" not in line


def test_where_nothing_varies_no_interval_is_printed_and_nothing_is_beyond_chance() -> None:
    made = report(
        [*given("ana", [1, 2, 3, 4] * 10), *given("ben", [2, 3, 4, 5] * 10), *given("cem", [1, 2, 3, 4] * 10)]
    )
    assert not any("[1.00, 1.00]" in line for line in made.summary())
    assert " above the others" not in line_with(made, "Beyond chance")
    assert line_with(made, "Not tested, since nothing varies") == (
        "Not tested, since nothing varies that would tell how sure it is: "
        "ana, Emotion recognition: 0.50 points below the others, n = 40; "
        "ben, Emotion recognition: 1.00 points above the others, n = 40; "
        "cem, Emotion recognition: 0.50 points below the others, n = 40."
    )
    assert {each["name"] for each in made.numbers()["annotators"]["differ"]} == {"spread"}


def test_one_value_throughout_has_no_interval_of_its_spread_and_no_p_value() -> None:
    made = report([*given("ana", FIVE), *given("ben", [*FIVE[1:], 1]), *given("cem", [3] * 40)])
    found = person(made, "cem")["spread"]
    assert (found["value"], found["ci"], found["p"], found["p_adjusted"]) == (0.0, None, None, None)
    assert "cem, Emotion recognition: 0.00 times as widely spread as the others, n = 40" in line_with(
        made, "Not tested"
    )
    assert not any("[0.00, 0.00]" in line for line in made.summary())


def test_who_is_left_out_is_nowhere_and_judges_are_no_annotators() -> None:
    work = [*given("ana", FIVE), *given("ben", FIVE), *given("bad", [1] * 40)]
    judge = given("gpt", [5] * 40, judge=True)
    made = build(replace(data(PLAIN, [*work, *judge]), excluded={"bad": "asleep"}))
    assert [each["annotator"] for each in row(made)["annotators"]] == ["ana", "ben"]
    assert person(made, "ana")["severity"]["value"] == 0
    assert {each.annotator for each in AnnotatorWork(made.data).work.judgments} == {"ana", "ben"}


def test_json_and_page_hold_whatever_comes() -> None:
    for judgments in (
        [],
        given("ana", [3]),
        [*given("ana", [3]), *again("ana", [3])],
        [*given("ana", [3, 3, 3]), *given("ben", [3, 3, 3])],
        given("ana", [None, None]),
    ):
        made = report(judgments)
        json.loads(made.json(), parse_constant=pytest.fail)
        made.html()
    assert report([]).numbers()["annotators"]["dimensions"] == []


def test_the_text_stays_short_however_many_annotators_differ() -> None:
    # Four people one below, four one above, each with a slip of their own.
    people = [
        each
        for at in range(8)
        for each in given(
            f"a{at}", [value + (-1 if at < 4 else 1) + (n == at) for n, value in enumerate([2, 3, 2] * 13 + [2])]
        )
    ]
    made = report(people)
    differ = made.numbers()["annotators"]["differ"]
    assert len(differ) > 4
    assert line_with(made, "Beyond chance").endswith(f"; and {len(differ) - 4} more.")
    assert line_with(made, "Beyond chance").count("n = 40") == 4


# Items that share a group


def in_groups(who: str, values: Iterable[object], each: int, dimension: str = "emotion") -> list[Judgment]:
    return [replace(one, group=f"g{at // each}") for at, one in enumerate(given(who, values, dimension))]


def test_items_that_share_a_group_count_as_one_in_severity_spread_and_drift() -> None:
    # Eighty items in twenty groups of four: in half of the groups dan is a point above the others.
    base = [1 + at * at // 3 % 4 for at in range(80)]
    above = [value + (at // 4) % 2 for at, value in enumerate(base)]
    three = [(who, base) for who in ("ana", "ben", "cem")]
    made = build(data(STUDY, [one for who, values in [*three, ("dan", above)] for one in in_groups(who, values, 4)]))
    dan = person(made, "dan")
    # Student's interval over twenty groups' means, 0 or 1: 0.5 +- 2.0930 sqrt(20/19 / 4 / 20).
    half = 2.0930 * (20 / 19 / 4 / 20) ** 0.5
    assert dan["severity"]["ci"] == pytest.approx([0.5 - half, 0.5 + half], abs=1e-4)
    assert (dan["severity"]["n"], dan["severity"]["n_groups"], dan["severity"]["too_few"]) == (80, 20, False)
    assert [dan[kind]["n_groups"] for kind in ("spread", "drift")] == [20, 20]
    assert dan["spread"]["method"] == "jackknife over groups of items, on log scale"
    assert dan["drift"]["method"] == "jackknife over groups of items"
    assert "0.50 points [0.26, 0.74] above the others, n = 80 in 20 groups" in line_with(made, "Beyond chance")
    page = made.html()
    assert "in 20 groups" in page
    assert "Items that share a group count as one" in page


def test_fewer_than_twenty_groups_are_too_few_to_say_however_many_items_they_have() -> None:
    base = [1, 2, 3, 4, 2, 3, 4, 1] * 10
    people = [("ana", base), ("ben", base), ("cem", [min(5, value + at % 2) for at, value in enumerate(base)])]
    made = build(data(STUDY, [one for who, values in people for one in in_groups(who, values, 8)]))
    assert person(made, "cem")["severity"]["too_few"]
    assert made.numbers()["annotators"]["tests"] == {"severity": 0, "spread": 0, "drift": 0}
    assert "nobody shares items of 20 groups with them" in line_with(made, "differs from the others")


def test_where_no_two_items_share_a_group_every_number_is_that_of_items() -> None:
    people = [*given("ana", FIVE), *given("ben", FIVE[3:] + FIVE[:3]), *given("cem", [2, 3, 4, 3] * 10)]
    alone = [replace(each, group=f"only {each.item}") for each in people]
    kinds = ("severity", "spread", "drift", "correlation")
    ours, theirs = (
        [each[kind] for each in row(made)["annotators"] for kind in kinds]
        for made in (build(data(STUDY, alone)), report(people))
    )
    assert ours == theirs
