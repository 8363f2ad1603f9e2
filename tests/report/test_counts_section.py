"""What was ticked, of how many submissions: of a pair as a whole it is one for both."""

from dataclasses import replace

from tests.report.known import answers, report
from tests.report.test_report import PLAIN


def test_ticks_about_a_pair_as_a_whole_are_shares_of_its_submissions_and_of_neither_system() -> None:
    given = [
        replace(each, systems=("A", "B"), system="")
        for index in range(30)
        for who in "ab"
        for each in answers(f"i{index}", who, {"emotion": 3, "edge": ["crisis"] if index % 3 == 0 else []})
    ]
    (question,) = report(PLAIN, given).numbers()["counts"]["dimensions"]
    (both,) = question["systems"]
    assert (both["system"], both["submissions"], both["with_any"]) == ("", 60, 20)


def test_ticks_about_one_system_each_are_shares_of_what_was_said_of_it() -> None:
    given = [
        each
        for name, index in (("A", 20), ("B", 10))
        for number in range(index)
        for each in answers(f"{name}{number}", "ana", {"edge": ["crisis"]}, systems=(name,), system=name)
    ]
    (question,) = report(PLAIN, given).numbers()["counts"]["dimensions"]
    assert {each["system"]: each["submissions"] for each in question["systems"]} == {"A": 20, "B": 10}
