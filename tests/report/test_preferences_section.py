"""Which system is preferred: shares, tests and rankings that can be worked out by hand."""

import csv
import io
import json
import re
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from assay.model import Judgment
from assay.report.build import Report
from assay.report.paper.csv_table import table_as_csv
from assay.report.paper.pieces import tables_of
from assay.study import Study
from assay.study.analysis import ComparisonSettings
from assay.study.field_types import OneKind
from tests.report.comparing import DIALOGUES, ROUTES, WAYS, choice, comparing, report, scores, ungrouped
from tests.report.test_report import judgment

STUDY = ungrouped(WAYS)
PAIR = ("A", "B")


def outcomes(wins: int, ties: int, losses: int, pair: tuple[str, str] = PAIR, tie: str = "tie") -> list[Judgment]:
    """One judgment of each item, sides taking turns."""
    won = [pair[0]] * wins + [tie] * ties + [pair[1]] * losses
    return [choice(f"{pair}-{n}", "ana", pair, pair[n % 2], value) for n, value in enumerate(won)]


def row(made: Report) -> dict[str, Any]:
    (family,) = made.numbers()["preferences"]["families"]
    (found,) = family["dimensions"]
    return dict(found)


def row_of(judgments: list[Judgment], study: Study = STUDY) -> dict[str, Any]:
    return row(report(study, judgments))


def test_wins_ties_and_losses_worked_out_by_hand() -> None:
    made = report(STUDY, outcomes(12, 6, 2))
    (pair,) = row(made)["pairs"]
    assert (pair["system"], pair["against"], pair["n"]) == ("A", "B", 20)
    shares = [pair[name]["value"] for name in ("wins", "ties", "losses", "net")]
    assert shares == pytest.approx([0.6, 0.3, 0.1, 0.5])
    # Wilson: (12 + 1.92) / (20 + 3.84) in the middle.
    assert sum(pair["wins"]["ci"]) / 2 == pytest.approx(13.92 / 23.84, abs=1e-3)
    assert pair["net"]["ci"][0] < 0.5 < pair["net"]["ci"][1]
    # A fair coin, 14 throws, 12 or more of one side: 2 (1 + 14 + 91) / 2^14. With 3 of the ties each: 15 of 20.
    assert pair["sign_test"]["p"] == pytest.approx(2 * 106 / 2**14)
    assert pair["sign_test_ties_split"]["p"] == pytest.approx(2 * sum((1, 20, 190, 1140, 4845, 15504)) / 2**20)
    line = next(line for line in made.summary() if "A against B: " in line)
    assert line.startswith("Preference, A against B: won 60 % [")
    assert "tied 30 % [" in line
    assert "of 20 judgments of 20 items; net win rate +50 % [" in line
    assert "sign test without ties p = 0.013, with ties split p = 0.041" in line


def test_a_net_win_rate_is_said_one_way_on_the_whole_page_and_a_csv_has_its_plain_number() -> None:
    page = report(STUDY, outcomes(2, 6, 12)).html()
    said = re.sub(r"<[^>]+>", "", page).replace("\u00a0", " ")
    assert "on Preference (−50 % [" in said, "the summary"
    assert "net win rate −50 % [" in said
    assert "−0.50" not in said
    [pairs] = [each for each in tables_of(page) if "Net win rate" in [cell.text for cell in each.head]]
    [row] = csv.DictReader(io.StringIO(table_as_csv(pairs)))
    assert row["Net win rate"] == "-0.50"
    assert -1 < float(row["Net win rate low"]) < -0.5 < float(row["Net win rate high"]) < 1


def test_agreement_by_system_is_perfect_whatever_the_sides() -> None:
    """Both prefer A on half of the items and B on the others; one always saw A on the left, the other on the right."""
    said = [
        choice(f"i{n}", who, PAIR, left, PAIR[n % 2]) for n in range(30) for who, left in (("ana", "A"), ("ben", "B"))
    ]
    made = report(STUDY, said)
    agreement = next(each for each in made.numbers()["agreement"]["dimensions"] if each["dimension"] == "preference")
    found = {each["name"]: each["value"] for each in agreement["coefficients"]}
    assert found["percent_agreement"] == pytest.approx(1.0)
    assert found["krippendorff_alpha_nominal"] == pytest.approx(1.0)
    assert row(made)["pairs"][0]["net"]["value"] == pytest.approx(0.0)
    assert row(made)["position_bias"]["left_wins"]["value"] == pytest.approx(0.5)


def test_swapping_sides_changes_nothing_but_the_share_of_the_left() -> None:
    said = outcomes(12, 6, 2)
    swapped = [replace(each, left="B" if each.left == "A" else "A") for each in said]
    assert row_of(said)["pairs"] == row_of(swapped)["pairs"]


def test_somebody_who_always_takes_the_left_is_seen() -> None:
    said = [choice(f"i{n}", "ana", PAIR, PAIR[n % 2], PAIR[n % 2]) for n in range(20)]
    made = report(STUDY, said)
    left = row(made)["position_bias"]["left_wins"]
    assert (left["value"], left["n"]) == (1.0, 20)
    assert left["p"] == pytest.approx(2 / 2**20)
    assert row(made)["pairs"][0]["net"]["value"] == pytest.approx(0.0)
    assert any(
        "the left side won 100 % [84, 100] of 20 decided judgments (p < 0.001" in line for line in made.summary()
    )


def test_judgments_whose_sides_are_not_known_count_in_all_but_the_test_of_sides() -> None:
    found = row_of([replace(each, left="") for each in outcomes(12, 0, 8)])
    assert found["pairs"][0]["wins"]["value"] == pytest.approx(0.6)
    assert found["position_bias"]["sides_not_known"] == 20
    assert found["position_bias"]["left_wins"]["undefined"] == "there are no decided judgments"


def test_a_preference_that_turns_with_the_sides_is_a_reversal() -> None:
    said = [choice(f"i{n}", "ana", PAIR, "A", "A") for n in range(20)]
    again = [replace(each, pass_=2, left="B", value="B" if n < 5 else "A") for n, each in enumerate(said)]
    found = row_of([*said, *again])["position_bias"]
    assert (found["reversals"]["value"], found["reversals"]["n"]) == (0.25, 20)
    assert found["left_wins"]["n"] == 20, "the second pass does not count as work"


def test_both_bad_is_no_preference_and_is_counted() -> None:
    rubric = tuple(
        each.model_copy(update={"preference": each.input.model_copy(update={"neither": "Both bad"})})
        if each.input.compares
        else each
        for each in STUDY.rubric
    )
    for each in rubric:
        each.__dict__.pop(OneKind.only_kind.attrname, None)
    found = row_of(outcomes(10, 5, 5, tie="neither"), STUDY.model_copy(update={"rubric": rubric}))
    assert found["both_bad"] == 5
    assert found["pairs"][0]["ties"]["value"] == pytest.approx(0.25)


def test_three_systems_are_ranked_by_who_beat_whom() -> None:
    said = [*outcomes(15, 0, 5, ("A", "B")), *outcomes(15, 0, 5, ("B", "C")), *outcomes(18, 0, 2, ("A", "C"))]
    made = report(STUDY, said)
    ranking = row(made)["ranking"]
    assert ranking["model"] == "Bradley-Terry"
    assert [each["system"] for each in ranking["standings"]] == ["A", "B", "C"]
    # Odds of 3 and 3 and 9 fit exactly: strengths log 3 apart, their mean 0.
    strengths = [each["strength"]["value"] for each in ranking["standings"]]
    assert strengths == pytest.approx([1.0986, 0, -1.0986], abs=1e-3)
    for each in ranking["standings"]:
        assert each["strength"]["ci"][0] < each["strength"]["value"] < each["strength"]["ci"][1]
    assert any("ranking by log-strength (Bradley-Terry), 60 items: 1. A 1.10 [" in line for line in made.summary())


def test_ties_are_explained_by_davidsons_model() -> None:
    said = [each for pair in combinations("ABC", 2) for each in outcomes(10, 5, 5, pair)]
    assert row_of(said)["ranking"]["model"] == "Davidson"


def test_systems_that_cannot_be_ranked_are_said_with_the_reason() -> None:
    made = report(STUDY, [*outcomes(20, 0, 0, ("A", "B")), *outcomes(10, 0, 10, ("B", "C"))])
    assert row(made)["ranking"]["undefined"]
    said = next(line for line in made.summary() if "cannot be ranked" in line)
    assert "A never lost" in said
    assert row(made)["never_compared"] == [["A", "C"]]
    assert any(line.startswith("Preference, won, tied and lost: ") and "never compared with each other: A and C" in line
               for line in made.summary())  # fmt: skip


def test_two_systems_are_not_ranked() -> None:
    assert row_of(outcomes(12, 6, 2))["ranking"] is None


def test_scores_and_preference_say_the_same_where_the_higher_side_is_preferred() -> None:
    said = outcomes(20, 0, 5)
    given = [
        judgment(each.item, "ana", value, "coherence", system=system, systems=PAIR)
        for each in said
        for system, value in (("A", 4), ("B", 2))
    ]
    found = {each["dimension"]: each for each in row_of([*said, *given])["scores"]}
    assert found["coherence"]["agreement"]["value"] == pytest.approx(20 / 25)
    assert found["coherence"]["n_pairs"] == 25
    assert found["efficiency"]["agreement"]["undefined"] == "no preference was decided"


def test_sign_tests_are_corrected_over_pairs_and_criteria_as_the_study_asks() -> None:
    said = [
        replace(each, dimension=name, group="") for name in ("completion", "readability") for each in outcomes(5, 15, 0)
    ]
    (family,) = report(ungrouped(DIALOGUES), said).numbers()["preferences"]["families"]
    assert family["tests"] == 2
    pairs = [pair for each in family["dimensions"] for pair in each["pairs"]]
    assert [pair["sign_test"]["p"] for pair in pairs] == pytest.approx([0.0625, 0.0625])
    assert [pair["p_corrected"] for pair in pairs] == pytest.approx([0.125, 0.125])
    one = comparing(ungrouped(DIALOGUES), ComparisonSettings(on=("completion",)))
    (family,) = report(one, said).numbers()["preferences"]["families"]
    assert [each["dimension"] for each in family["dimensions"]] == ["completion"]
    none = comparing(ungrouped(DIALOGUES), ComparisonSettings(systems=("A", "C")))
    assert report(none, said).numbers()["preferences"]["families"] == []


def test_items_of_one_dialogue_are_drawn_together_and_its_groups_are_counted() -> None:
    said = [replace(each, dimension="completion", group=f"g{n % 5}") for n, each in enumerate(outcomes(20, 5, 5))]
    made = report(DIALOGUES, said)
    (pair,) = row(made)["pairs"]
    assert (pair["n"], pair["n_units"], pair["unit"]) == (30, 5, "groups")
    assert "clusters" in pair["net"]["method"]
    assert any("30 items in 5 groups" in line and "too few to say" in line for line in made.summary())


def test_without_pairs_there_is_no_such_section() -> None:
    made = report(ROUTES, scores({"A": [3] * 20, "B": [4] * 20}))
    assert made.numbers()["preferences"] == {"families": [], "agreed": ""}
    assert "s-preferences" not in made.html()


LITTLE = {
    "one preference": (outcomes(1, 0, 0), [1.0, 0.0, 0.0, 1.0], (1.0, None)),
    "one preference for the other": (outcomes(0, 0, 1), [0.0, 0.0, 1.0, -1.0], (0.0, None)),
    "one tie": (outcomes(0, 1, 0), [0.0, 1.0, 0.0, 0.0], (None, "there are no decided items")),
}


@pytest.mark.parametrize(("said", "shares", "test"), LITTLE.values(), ids=LITTLE)
def test_a_single_judgment_has_its_shares_and_an_interval_that_says_how_little_it_is(
    said: list[Judgment], shares: list[float], test: tuple[float | None, str | None]
) -> None:
    made = report(STUDY, said)
    (pair,) = row(made)["pairs"]
    assert [pair[name]["value"] for name in ("wins", "ties", "losses", "net")] == shares
    assert (pair["n"], pair["net"]["method"]) == (1, "Wilson's interval, 1 items that count as 1.0 cases")
    assert pair["net"]["ci"][1] - pair["net"]["ci"][0] > 1.5
    signs = pair["sign_test"]
    assert (signs["value"], signs["undefined"]) == test
    assert signs["p"] is None, "no test of one item"
    assert json.loads(made.json(), parse_constant=pytest.fail) == made.numbers()
    assert "s-preferences" in made.html()


def test_preferences_that_were_not_given_compare_nothing() -> None:
    made = report(STUDY, [replace(each, value=None) for each in outcomes(2, 0, 0)])
    assert made.numbers()["preferences"] == {"families": [], "agreed": ""}
    assert json.loads(made.json(), parse_constant=pytest.fail) == made.numbers()
    assert "s-preferences" not in made.html()


def test_one_item_is_said_as_one() -> None:
    several = report(STUDY, [*outcomes(1, 0, 0, ("A", "B")), *outcomes(1, 0, 0, ("B", "C"))]).summary()
    assert ", n = 1 item" in next(line for line in several if "won, tied and lost" in line)
    (one,) = [line for line in report(STUDY, outcomes(1, 0, 0)).summary() if line.startswith("Preference, A against B")]
    assert "1 item;" in one
