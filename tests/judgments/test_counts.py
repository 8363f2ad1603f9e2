"""Counting what was found: how it is read and shown, what rules make of it, and where the counts go."""

from pathlib import Path
from typing import Any

import pytest

from assay.errors import AnswerError
from assay.exchange import ExportData
from assay.exchange.csv_wide import WideTable
from assay.exchange.submissions import submissions
from assay.inputs.counts import MOST, CountsInput
from assay.judgments import questions_of
from assay.judgments.lint import lint, mistakes
from assay.judgments.reference import AnswerAndReference
from assay.model import Judgment
from assay.quality.failed_controls import is_met
from assay.sheets.cells import form_strings
from assay.study import Study
from tests.conftest import T0
from tests.exchange.sample import by_submission
from tests.judgments.studies import SHOWN, a_study, read, refused, scale
from tests.report.known import answers, line, one, report
from tests.report.test_report import judgment
from tests.study.small import changed, said

FAILURES = {"refusal": "Refusal", "omission": "Omission", "violation": "Violation"}


def counts(name: str = "failures", **more: Any) -> dict[str, Any]:
    return {"dimension": name, "optional": True, "counts": {"options": FAILURES, "where": "turn", **more}}


def scored(*more: Any) -> Study:
    """The count gives the score: two failures or more are 0, exactly one is 1."""
    rules = [
        {"value": {"score": 0}, "when": "count(failures) >= 2"},
        {"value": {"score": 1}, "when": "count(failures) == 1"},
        *more,
    ]
    return a_study(counts(), scale("score", 0, 2), rules=rules)


def kind(**more: Any) -> CountsInput:
    return CountsInput(options=FAILURES, **more)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ([], None),
        (["omission"], ["omission"]),
        (["violation", "omission", "omission"], ["omission", "omission", "violation"]),
        (["omission", "omission @12", "omission @3"], ["omission @3", "omission @12", "omission"]),
        (["none"], []),
    ],
)
def test_marks_are_kept_one_for_each_time_in_the_order_of_the_study(raw: list[str], value: list[str] | None) -> None:
    assert kind(none="Nothing", where="turn").read(raw) == value


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (["sloth"], 'nothing called "sloth"'),
        (["omission @0"], "no number from 1"),
        (["omission @x"], "no number from 1"),
        (["omission @1000"], "no number from 1"),
        (["none", "omission"], "not both"),
        (["omission"] * (MOST + 1), "at most 99 times"),
    ],
)
def test_what_cannot_be_counted_is_refused_in_words(raw: list[str], words: str) -> None:
    with pytest.raises(AnswerError, match=words):
        kind(none="Nothing", where="turn").read(raw)


def test_where_is_taken_only_where_the_study_asks_for_it() -> None:
    with pytest.raises(AnswerError):
        kind().read(["omission @3"])
    assert kind().read(["none"] if kind().none else ["omission"]) == ["omission"]


def test_counts_are_said_in_words_and_by_thing() -> None:
    found = kind(where="turn", none="Nothing").read(["omission @5", "omission", "violation", "omission @2"])
    assert kind(where="turn").show(found) == "Omission ×3 (turn 2, 5), Violation"
    assert kind().tally(found) == {"refusal": 0, "omission": 3, "violation": 1}
    assert kind().tally(None) == {}


@pytest.mark.parametrize("name", ["a @b", "none", "unable", ""])
def test_a_name_that_means_something_else_cannot_be_counted(name: str, tmp_path: Path) -> None:
    text = changed("    text: {}", f'    counts: {{options: {{"{name}": X}}, none: Nothing}}')
    [(_, words)] = said(tmp_path, text)
    assert "name" in words


# Rules


def test_a_place_beyond_the_end_of_the_list_that_it_is_in_is_refused() -> None:
    study = a_study(counts(where_in="turns"))
    three = {**SHOWN, "turns": [{"user": "Hello"}] * 3}
    assert read(study, {"failures": ["omission @3"]}, three) == {"failures": ["omission @3"]}
    assert refused(study, {"failures": ["omission @4", "omission"]}, three) == {
        "failures": '"4" is no number from 1 to 3.'
    }
    assert refused(study, {"failures": ["omission @4"]}, {**SHOWN, "turns": [{"user": "Hello"}] * 4}) == {}
    for shown in (SHOWN, {**SHOWN, "turns": "no list"}):
        assert refused(study, {"failures": ["omission @999"]}, shown) == {}, "where there is no list, up to 999"


def test_a_list_that_no_block_shows_is_warned_of() -> None:
    assert [each.what for each in lint(a_study(counts(where_in="text")))] == []
    [warning] = lint(a_study(counts(where_in="turns")))
    assert "no block shows turns" in warning.what


@pytest.mark.parametrize(
    ("given", "score"), [(["omission"], 1), (["omission"] * 2, 0), (["refusal @1", "violation @1"], 0)]
)
def test_the_count_gives_the_score(given: list[str], score: int) -> None:
    assert read(scored(), {"failures": given})["score"] == score
    assert "score" in refused(scored(), {"failures": given, "score": 2})


def test_who_counts_nothing_scores_by_hand_and_no_key_is_needed_for_it() -> None:
    assert read(scored(), {"score": 2}) == {"failures": None, "score": 2}
    assert read(scored(), {"score": 1})["score"] == 1


@pytest.mark.parametrize(
    ("when", "given", "holds"),
    [
        ("count(omission of failures) >= 2", ["omission", "omission @3", "refusal"], True),
        ("count(omission of failures) >= 2", ["omission", "refusal", "violation"], False),
        ("count(omission of failures, refusal of failures) == 2", ["omission @1", "refusal @1"], True),
        ("failures has omission", ["omission @7"], True),
        ("failures has omission", ["refusal"], False),
        ("count('omission' of failures) == 0 and answered(failures)", ["refusal"], True),
    ],
)
def test_rules_can_ask_for_one_thing_by_its_name_wherever_it_was_found(
    when: str, given: list[str], holds: bool
) -> None:
    study = a_study(counts(), scale("score", 0, 2), rules=[{"value": {"score": 0}, "when": when}])
    found = read(study, {"failures": given, "score": 0 if holds else 2})
    assert found["score"] == (0 if holds else 2)
    assert ("score" in refused(study, {"failures": given, "score": 1})) == holds


def test_a_thing_that_nothing_counts_is_found_in_a_rule(tmp_path: Path) -> None:
    text = changed("    text: {}", "    counts: {omission: Omission}").replace(
        "when: warmth in [1, 5]", "when: count(omision of note) >= 2"
    )
    assert [words for _, words in said(tmp_path, text)] == ["note has no tag 'omision'"]


def test_rules_on_counts_are_looked_at_like_all_others() -> None:
    assert mistakes(scored()) == []
    assert [each.what for each in lint(scored()) if each.at[0] == "rules"] == []
    never = scored(
        {"value": {"score": 2}, "when": "count(failures) == 1 and failures has omission and failures has refusal"}
    )
    [warning] = [each for each in lint(never) if each.at == ("rules", 2, "when")]
    assert "never acts" in warning.what
    collides = scored({"value": {"score": 2}, "when": "count(omission of failures) >= 1"})
    assert any(each.at == ("rules", 2) and "rule 1 allows only 0" in each.what for each in lint(collides))


# Where the counts go


def test_a_reference_is_met_by_the_same_counts_wherever_they_were_found() -> None:
    [question, _] = questions_of(scored(), SHOWN)
    assert AnswerAndReference(question, ["omission @3", "refusal"], ["refusal", "omission"]).same
    assert not AnswerAndReference(question, ["omission"], ["omission", "omission"]).same
    assert is_met(judgment("i", "ana", ["omission @3"], "failures"), ["omission"], 0)
    assert not is_met(judgment("i", "ana", ["omission"] * 2, "failures"), ["omission"], 0)


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("omission", ["omission"]),
        ("Omission x2; violation", ["omission", "omission", "violation"]),
        ("2 omission, refusal", ["refusal", "omission", "omission"]),
        ("omission @3 | omission@5", ["omission @3", "omission @5"]),
        ('["omission", "omission"]', ["omission", "omission"]),
        ("2 x omission", ["omission", "omission"]),
        ("", None),
    ],
)
def test_a_cell_of_a_sheet_says_what_and_how_often(cell: str, value: list[str] | None) -> None:
    study = scored()
    [question, _] = questions_of(study, SHOWN)
    assert question.dimension.input.read(form_strings(study, question, cell)) == value


def judged() -> list[Judgment]:
    found = []
    for number, given in enumerate([["omission", "omission @3"], ["violation"], None, ["omission"]]):
        system = "swift" if number % 2 else "heron"
        values = {"score": 1} if given is None else {"score": 1, "failures": given}
        found += answers(f"i{number}", "ana", values, system=system, systems=(system,))
    return found


def test_the_report_says_how_often_each_thing_was_found_in_each_system() -> None:
    made = report(scored(), judged())
    [row] = made.numbers()["counts"]["dimensions"]
    heron = one(row["systems"], system="heron")
    assert (heron["submissions"], heron["with_any"], heron["times"]) == (2, 1, 2)
    assert one(heron["options"], option="omission")["times"] == 2
    assert one(heron["options"], option="omission")["submissions"] == 1
    assert one(one(row["systems"], system="swift")["options"], option="violation")["times"] == 1
    assert line(made, "Failures: ") == (
        "Failures: heron 2 found in 1 of 2 submissions (Omission 2); "
        "swift 2 found in 2 of 2 submissions (Omission 1, Violation 1)."
    )
    assert "What was found, and how often?" in made.html()


def test_where_nothing_is_counted_the_report_says_nothing_of_it() -> None:
    made = report(a_study(scale("score", 0, 2)), [each for each in judged() if each.dimension == "score"])
    assert made.numbers()["counts"] == {"dimensions": []}
    assert "What was found" not in made.html()


def test_the_wide_table_has_a_column_for_each_thing() -> None:
    study, given = scored(), judged()
    data = ExportData(
        study=study,
        submissions=lambda by="time": by_submission(given),
        items=lambda: iter(()),
        annotators=lambda: iter(()),
        made_at=T0,
        studies={study.hash: study},
    )
    wide = WideTable(data)
    names = [column.name for column in wide.columns]
    rows = [dict(zip(names, wide.row(each), strict=True)) for each in submissions(given)]
    by_item = {row["item"]: row for row in rows}
    assert by_item["i0"]["failures"] == ["omission", "omission @3"]
    assert (by_item["i0"]["failures.omission"], by_item["i0"]["failures.refusal"]) == (2, 0)
    assert by_item["i2"]["failures.omission"] is None, "not counted is not none found"
