"""Whatever one part of a study file refers to is declared by another, and a mistake in either is said once."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.kinds import DERIVATIONS
from assay.study import load_with_mistakes
from tests.study.small import SMALL, changed, folder_with, mistakes_of, said


@pytest.mark.parametrize("kind", DERIVATIONS.values(), ids=lambda kind: kind.kind)
def test_every_name_that_a_derivation_computes_from_must_be_declared(tmp_path: Path, kind: Any) -> None:
    derived = [{"derived": "computed", kind.kind: kind.example}]
    found = said(tmp_path, f"{SMALL}\nderive: {json.dumps(derived)}\n")
    names = dict.fromkeys(kind.model_validate_json(json.dumps(kind.example)).uses())
    expected = [f"there is neither a dimension {name!r} nor a value derived before" for name in names]
    assert sorted({what for _, what in found}) == sorted(expected)


def test_a_value_can_only_be_computed_from_values_derived_before_it(tmp_path: Path) -> None:
    first = {"derived": "verdict", "threshold": {"of": "mean", "at_least": 3}}
    second = {"derived": "mean", "weighted_mean": {"of": {"warmth": 1}}}
    assert said(tmp_path, f"{SMALL}\nderive: {json.dumps([second, first])}\n") == []
    [(_, what)] = said(tmp_path, f"{SMALL}\nderive: {json.dumps([first, second])}\n")
    assert what == "there is neither a dimension 'mean' nor a value derived before"


@pytest.mark.parametrize(
    "analysis",
    [
        {"pilot": {"items": 5, "dimensions": ["note"], "go": 0.7, "revise": 0.5}},
        {"monitors": {"never_used": {"dimensions": "note"}}},
        {"compare": [{"on": ["note"]}]},
    ],
    ids=["pilot", "monitor", "comparison"],
)
def test_a_broken_dimension_is_reported_once_however_many_parts_refer_to_it(tmp_path: Path, analysis: Any) -> None:
    text = f"{changed('text: {}', 'txt: {}')}\nanalysis: {json.dumps(analysis)}\n"
    assert [what for _, what in said(tmp_path, text)] == ["unknown key 'txt'"]


def test_several_unknown_names_of_one_list_are_each_reported_at_their_own_place(tmp_path: Path) -> None:
    text = f"{SMALL}\nanalysis:\n  monitors:\n    never_used: {{dimensions: [warmt, warmth, nope]}}\n"
    line = len(text.splitlines())
    assert said(tmp_path, text) == [
        (f"{line}:31", "there is no dimension 'warmt'"),
        (f"{line}:46", "there is no dimension 'nope'"),
    ]


def test_a_tag_that_a_rule_asks_for_is_one_of_its_dimension(tmp_path: Path) -> None:
    text = changed("text: {}", "tags: {empty: Empty}").replace("warmth in [1, 5]", "note has emty")
    assert [what for _, what in said(tmp_path, text)] == ["note has no tag 'emty'"]


def test_a_tag_that_limits_name_is_one_of_its_dimension(tmp_path: Path) -> None:
    rule = "allowed: not note has emty\n    when: warmth == 1"
    text = changed("text: {}", "tags: {empty: Empty}").replace("required: note\n    when: warmth in [1, 5]", rule)
    assert [what for _, what in said(tmp_path, text)] == ["note has no tag 'emty'"]


def test_a_question_is_asked_by_answers_to_earlier_ones(tmp_path: Path) -> None:
    here = changed("    scale: {from", "    ask_when: note == 1 or warmth == 1\n    scale: {from")
    assert [what for _, what in said(tmp_path, here)] == [
        "there is neither an earlier dimension nor a shown field 'note'",
        "there is neither an earlier dimension nor a shown field 'warmth'",
    ]
    later = changed("    optional: true", "    ask_when: warmth == 1 and not empty(response)\n    optional: true")
    assert said(tmp_path, later) == []


def test_whoever_writes_yes_for_an_answer_is_told_what_it_is(tmp_path: Path) -> None:
    text = changed("text: {}", "yes_no: {}\n  - {dimension: more, text: {}, ask_when: note == yes}")
    [mistake] = mistakes_of(tmp_path, text)
    assert mistake.hint == "in expressions the answer yes is 1 and no is 0; texts stand in quotes"


def test_a_tag_that_makes_a_question_asked_is_one_of_its_dimension(tmp_path: Path) -> None:
    more = "text: {}\n  - {dimension: more, text: {}, ask_when: note has emty}"
    text = (
        changed("text: {}", more)
        .replace("note\n    optional: true\n    text", "note\n    tags")
        .replace("tags: {}", "tags: {empty: Empty}")
    )
    assert [what for _, what in said(tmp_path, text)] == ["note has no tag 'emty'"]


def test_a_study_is_read_without_what_refers_to_nothing(tmp_path: Path) -> None:
    study, mistakes = load_with_mistakes(folder_with(tmp_path, changed("required: note", "required: nope")))
    assert [mistake.what for mistake in mistakes] == ["there is no dimension 'nope'"]
    assert study is not None
    assert study.rules == ()
