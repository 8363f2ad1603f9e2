"""Dialogue pairs: win, tie and lose for each pair and criterion, from choices that were counted by hand."""

from typing import Any

import pytest

from assay.model import Comparison, Judgment
from assay.report.build import Report
from assay.report.method_paragraph import method_paragraph
from assay.study.analysis import ComparisonSettings
from tests.report.comparing import DIALOGUES, comparing, ungrouped
from tests.report.known import line, one, report
from tests.report.test_report import judgment

STUDY = ungrouped(DIALOGUES)
PAIR = ("heron", "linnet")


def choices(dimension: str, outcomes: list[str], pair: tuple[str, str] = PAIR, start: int = 0) -> list[Judgment]:
    """Three people of one mind on each item; the first system stands on the left of every other item."""
    return [
        judgment(
            f"{'-'.join(pair)}-{start + index}",
            who,
            outcome,
            dimension,
            system="",
            systems=pair,
            left=pair[index % 2],
            study_hash="now",
            group="",
        )
        for index, outcome in enumerate(outcomes)
        for who in ("ana", "ben", "cem")
    ]


COMPLETION = ["linnet"] * 10 + ["tie"] * 6 + ["heron"] * 4
READABILITY = ["tie"] * 20


@pytest.fixture(scope="module")
def made() -> Report:
    return report(STUDY, [*choices("completion", COMPLETION), *choices("readability", READABILITY)])


def test_wins_ties_and_losses_of_the_pair_stand_in_the_sentence_with_the_sign_test(made: Report) -> None:
    # 4, 6 and 10 of 20 items by three people each: 20, 30 and 50 % of 60. Signs: 4 against 10, two-sided
    # 2 (1 + 14 + 91 + 364 + 1001) / 2^14 = 0.180.
    said = line(made, "Completion, heron against linnet: ")
    assert said.startswith("Completion, heron against linnet: won 20 % [")
    assert "tied 30 % [" in said
    assert "lost 50 % [" in said
    assert "of 60 judgments of 20 items; net win rate −30 % [" in said
    assert "sign test without ties p = 0.180" in said
    pair = _pair(made, "completion")
    assert [pair[name]["value"] for name in ("wins", "ties", "losses", "net")] == pytest.approx([0.2, 0.3, 0.5, -0.3])
    assert pair["sign_test"]["p"] == pytest.approx(2 * 1471 / 2**14)
    assert ", by majority 4 won, 6 tied, 10 lost; sign test" in said
    figure = one(made.numbers()["figures"]["win_rates"]["all"], dimension="completion")
    assert (figure["wins"], figure["ties"], figure["losses"], figure["value"]) == (12, 18, 30, pytest.approx(0.35))


def test_the_methods_of_a_study_of_preferences_alone_speak_of_no_means(made: Report) -> None:
    said = method_paragraph(made.data)
    assert "Systems are compared by the net win rate (wins − losses), for these annotators" in said
    assert "item means" not in said


def test_the_two_criteria_are_never_pooled_and_all_ties_are_no_win(made: Report) -> None:
    pair = _pair(made, "readability")
    assert (pair["ties"]["value"], pair["net"]["value"]) == (1.0, 0.0)
    assert pair["sign_test"]["p"] is None
    assert "won 0 %" in line(made, "Readability, heron against linnet: ")
    assert "tied 100 %" in line(made, "Readability, heron against linnet: ")


def test_the_left_side_won_as_often_as_it_was_counted(made: Report) -> None:
    # Linnet wins items 0 to 9 and stands on the left of the odd ones: 5 left, 5 right. Heron wins 16 to 19: 2 and 2.
    row = one(made.numbers()["preferences"]["families"][0]["dimensions"], dimension="completion")
    assert (row["position_bias"]["left_wins"]["value"], row["position_bias"]["left_wins"]["n"]) == (0.5, 42)
    assert not [each for each in made.summary() if "the left side won" in each]


def test_all_of_one_mind_is_a_kappa_of_one_and_one_value_alone_is_undefined(made: Report) -> None:
    assert line(made, "Completion (").startswith("Completion (heron against linnet): Fleiss' kappa 1.00, ")
    readability = line(made, "Readability (")
    assert readability.startswith("Readability (heron against linnet): exact agreement 1.00 [")
    assert readability.endswith("; Fleiss' kappa is undefined (every judgment is the same value).")


def test_of_several_pairs_each_has_its_own_three_shares_and_those_never_compared_are_named() -> None:
    more = choices("completion", ["human"] * 15 + ["linnet"] * 5, ("human", "linnet"))
    made = report(STUDY, [*choices("completion", COMPLETION), *more])
    said = line(made, "Completion, won, tied and lost: ")
    assert said.startswith("Completion, won, tied and lost: heron against linnet 20 %, 30 %, 50 %, net −30 % [")
    assert "; human against linnet 75 %, 0 %, 25 %, net +50 % [" in said
    assert said.endswith("; never compared with each other: heron and human.")


def test_the_majority_of_each_item_is_counted_in_the_direction_of_the_comparison() -> None:
    # Three people: linnet twice, then tie twice, then each something else, then heron by all.
    said = {
        "i1": ("linnet", "linnet", "heron"),
        "i2": ("tie", "tie", "linnet"),
        "i3": ("linnet", "tie", "heron"),
        "i4": ("heron", "heron", "heron"),
        "i5": ("linnet", "linnet", "linnet"),
    }
    given = [
        judgment(item, who, value, "completion", system="", systems=PAIR, study_hash="now", group="")
        for item, values in said.items()
        for who, value in zip(("ana", "ben", "cem"), values, strict=True)
    ]
    study = comparing(STUDY, ComparisonSettings(systems=("linnet", "heron")))
    made = report(study, given)
    pair = _pair(made, "completion")
    assert (pair["system"], pair["against"]) == ("linnet", "heron")
    assert pair["majority"] == {"items": 5, "wins": 2, "ties": 1, "losses": 1, "none": 1}
    words = ", by majority 2 won, 1 tied, 1 lost, 1 without a majority (fewer than 20 items: too few to say)."
    assert words in line(made, "Completion, linnet against heron: won ")
    assert "<td>2 won, 1 tied, 1 lost, 1 without</td>" in made.html()


def test_where_everybody_judged_something_else_there_is_no_word_of_a_majority() -> None:
    made = report(STUDY, [each for each in choices("completion", COMPLETION) if each.annotator == "ana"])
    assert line(made, "Completion, heron against linnet: ").endswith(
        "; sign test without ties p = 0.180, with ties split p = 0.263."
    )


def test_win_and_lose_follow_the_direction_that_the_study_names() -> None:
    study = comparing(STUDY, ComparisonSettings(systems=("linnet", "heron")))
    made = report(study, choices("completion", COMPLETION))
    assert line(made, "Completion, linnet against heron: ").startswith("Completion, linnet against heron: won 50 % [")
    figure = one(made.numbers()["figures"]["win_rates"]["all"], dimension="completion")
    assert (figure["system"], figure["wins"], figure["ties"], figure["losses"]) == ("linnet", 30, 18, 12)


def test_win_and_lose_follow_the_direction_that_the_file_names() -> None:
    made = report(STUDY, choices("completion", COMPLETION), comparisons=[Comparison("linnet", "heron")])
    assert "won 50 % [" in line(made, "Completion, linnet against heron: ")
    assert one(made.numbers()["figures"]["win_rates"]["all"], dimension="completion")["against"] == "heron"


def _pair(made: Report, dimension: str) -> dict[str, Any]:
    row = one(made.numbers()["preferences"]["families"][0]["dimensions"], dimension=dimension)
    return dict(row["pairs"][0])
