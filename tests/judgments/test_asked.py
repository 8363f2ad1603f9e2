"""Questions that are asked only after some answers: else they are not needed, not limited and not kept."""

from typing import Any

import pytest

from assay.errors import AnswersRefused
from assay.judgments import questionnaire_of, questions_done, read_answers
from assay.judgments.lint import mistakes
from assay.judgments.reference import compare_with_reference, tally_by_dimension
from assay.study import Study
from assay.words import ENGLISH
from tests.judgments.studies import (
    GOALS,
    ITEMS,
    PAIR,
    PAIRS,
    SHOWN,
    a_study,
    form_of,
    goals,
    note,
    read,
    refused,
    scale,
    tags,
)

MISSING = ENGLISH("answers.missing")
NOTHING = ENGLISH("answers.nothing")
SIDE: dict[str, Any] = {"of": "side"}
GOAL: dict[str, Any] = {"of": "entries(goals)"}


def asked(when: str) -> dict[str, str]:
    return {"ask_when": when}


CHAIN = a_study(
    scale("right", 0, 1),
    scale("grave", **asked("right == 0")),
    note("why", optional=False, **asked("grave >= 4")),
    rules=[{"required": "why", "when": "right == 1", "message": "never asked for then"}],
)


def test_what_is_not_asked_is_not_needed_and_not_kept() -> None:
    assert read(CHAIN, {"right": 1}) == {"right": 1}
    assert read(CHAIN, {"right": 1, "grave": 5, "why": "x"}) == {"right": 1}


def test_what_is_asked_is_needed_and_kept() -> None:
    assert refused(CHAIN, {"right": 0}) == {"grave": MISSING}
    assert read(CHAIN, {"right": 0, "grave": 2}) == {"right": 0, "grave": 2}
    assert refused(CHAIN, {"right": 0, "grave": 4}) == {"why": MISSING}
    assert read(CHAIN, {"right": 0, "grave": 4, "why": "x"}) == {"right": 0, "grave": 4, "why": "x"}


def test_a_question_after_one_that_is_not_asked_is_not_asked_either() -> None:
    assert read(CHAIN, {"right": 1, "grave": 5}) == {"right": 1}
    unless = a_study(scale("a"), scale("b", **asked("a == 1")), scale("c", **asked("not b == 2")))
    assert refused(unless, {"a": 5, "b": 2}) == {"c": MISSING}, "an answer that is not asked decides nothing"


def test_an_answer_that_is_none_does_not_matter_where_nothing_is_asked() -> None:
    assert read(CHAIN, {"right": 1, "grave": "seven"}) == {"right": 1}
    assert set(refused(CHAIN, {"right": 0, "grave": "seven"})) == {"grave"}


def test_a_sheet_or_script_is_told_what_is_not_asked() -> None:
    with pytest.raises(AnswersRefused) as error:
        read_answers(CHAIN, SHOWN, form_of({"right": 1, "grave": 3, "why": "x"}), refuse_unasked=True)
    assert error.value.reasons == {
        "grave": "This is asked only when right == 0.",
        "why": "This is asked only when grave >= 4.",
    }
    assert read_answers(CHAIN, SHOWN, form_of({"right": 0, "grave": 1}), refuse_unasked=True)


def test_a_form_with_nothing_but_what_is_not_asked_is_empty() -> None:
    study = a_study(tags("faults", "x"), scale("grave", **asked("faults has x")))
    assert refused(study, {"grave": 2}) == {"faults": NOTHING}


def test_rules_leave_alone_what_is_not_asked() -> None:
    rules = [
        {"value": {"b": 3}, "when": "a <= 5"},
        {"allowed": "c <= 2", "when": "a <= 5"},
        {"required": "note", "when": "b == 3"},
    ]
    study = a_study(scale("a"), scale("b", **asked("a == 1")), scale("c", **asked("a == 1")), note(), rules=rules)
    assert read(study, {"a": 2, "c": 5}) == {"a": 2, "note": None}
    assert refused(study, {"a": 1, "c": 5}).keys() == {"c", "note"}
    assert read(study, {"a": 1, "c": 2, "note": "x"}) == {"a": 1, "b": 3, "c": 2, "note": "x"}


def test_an_answer_that_follows_can_make_a_question_asked() -> None:
    rules = [{"value": {"b": 3}, "when": "a == 1"}]
    study = a_study(scale("a"), scale("b"), scale("c", **asked("b == 3")), rules=rules)
    assert refused(study, {"a": 1}) == {"c": MISSING}
    assert read(study, {"a": 1, "c": 2}) == {"a": 1, "b": 3, "c": 2}


def test_a_question_of_a_side_is_asked_by_the_answers_about_that_side() -> None:
    study = a_study(scale("safe", **SIDE), scale("grave", **SIDE, **asked("safe <= 2")), items=PAIRS)
    assert refused(study, {"safe.left": 1, "safe.right": 5}, PAIR) == {"grave.left": MISSING}
    answers = read(study, {"safe.left": 1, "safe.right": 5, "grave.left": 2, "grave.right": 2}, PAIR)
    assert answers == {"safe.left": 1, "safe.right": 5, "grave.left": 2}


def test_a_question_of_the_pair_is_asked_when_it_is_so_for_either_side() -> None:
    study = a_study(scale("safe", **SIDE), scale("sure", of="pair", **asked("safe == 1")), items=PAIRS)
    assert read(study, {"safe.left": 2, "safe.right": 2}, PAIR) == {"safe.left": 2, "safe.right": 2}
    assert refused(study, {"safe.left": 2, "safe.right": 1}, PAIR) == {"sure": MISSING}


def test_a_question_of_an_entry_is_asked_by_the_answers_about_that_entry() -> None:
    study = a_study(scale("goal", 0, 1, **GOAL), scale("far", **GOAL, **asked("goal == 0")), items=GOALS)
    shown = goals("drive", "call")
    assert refused(study, {"goal.g0": 0, "goal.g1": 1}, shown) == {"far.g0": MISSING}
    answers = read(study, {"goal.g0": 0, "far.g0": 2, "goal.g1": 1, "far.g1": 2}, shown)
    assert answers == {"goal.g0": 0, "far.g0": 2, "goal.g1": 1}


def test_a_question_may_be_asked_of_some_items_only() -> None:
    study = a_study(scale("a"), scale("b", **asked('text == "long"')))
    assert read(study, {"a": 1}, {"text": "short"}) == {"a": 1}
    assert refused(study, {"a": 1}, {"text": "long"}) == {"b": MISSING}
    assert [each.key for each in questionnaire_of(study, {"text": "short"}).possible] == ["a"]
    assert [each.key for each in questionnaire_of(study, {"text": "long"}).possible] == ["a", "b"]


def test_a_condition_that_is_left_out_changes_no_version() -> None:
    assert "ask_when" not in a_study(scale("a")).document()
    assert a_study(scale("a")).hash != a_study(scale("a", **asked('text == "x"'))).hash


# What waits for an answer


def test_nobody_waits_for_what_will_not_be_asked_but_for_what_may_be_asked_yet() -> None:
    def done(**answers: Any) -> set[str]:
        return set(questions_done(CHAIN, SHOWN, form_of(answers)))

    assert done() == set()
    assert done(right=1) == {"right", "grave", "why"}
    assert done(right=0) == {"right"}
    assert done(right=0, grave=2) == {"right", "grave", "why"}
    assert done(right=0, grave=5) == {"right", "grave"}


# References


def test_what_was_not_asked_is_not_missing_beside_its_reference() -> None:
    study = a_study(scale("right", 0, 1), scale("grave", **asked("right == 0")))
    reference = {"right": 0, "grave": 4}
    found = compare_with_reference(study, SHOWN, None, {"right": 1}, reference)
    assert [(each.own, each.reference, each.asked) for each in found] == [(1, 0, True), (None, 4, False)]
    lacking = compare_with_reference(study, SHOWN, None, {"right": 0}, reference)
    assert [each.asked for each in lacking] == [True, True]
    right, grave = tally_by_dimension(study, [found, lacking])
    assert (right.far, right.missing) == (1, 0)
    assert (grave.far, grave.missing, grave.pairs) == (0, 1, ())


def test_a_preference_decides_on_its_own_side_what_is_asked() -> None:
    better = {"dimension": "better", "of": "pair", "preference": {}}
    study = a_study(better, scale("clear", of="pair", **asked('better == "left"')), items=PAIRS)
    for swapped, asked_ in ((False, True), (True, False)):
        found = compare_with_reference(study, PAIR, swapped, {"better": "a"}, {"better": "a", "clear": 3})
        assert found[1].asked is asked_


# What is wrong in a study file


def wrong(study: Study) -> list[tuple[tuple[str | int, ...], str]]:
    return [(each.at, each.what) for each in mistakes(study)]


@pytest.mark.parametrize("when", ["right > 1", "right == 1 and right == 0", "right == 'no'", "false"])
def test_a_question_that_is_never_asked_is_a_mistake(when: str) -> None:
    [(at, what)] = wrong(a_study(scale("right", 0, 1), scale("grave", **asked(when))))
    assert at == ("rubric", 1, "ask_when")
    assert "never asked" in what


def test_conditions_that_can_be_met_are_left_alone() -> None:
    assert wrong(CHAIN) == []


def test_a_question_must_not_decide_whether_it_is_asked() -> None:
    rules = [{"value": {"a": 1}, "when": "c == 2"}]
    study = a_study(scale("a"), scale("b", **asked("not a == 1")), scale("c", **asked("answered(b)")), rules=rules)
    assert [at for at, _ in wrong(study)] == [("rubric", 1, "ask_when"), ("rubric", 2, "ask_when")]


def test_what_is_shown_later_does_not_decide_what_is_asked() -> None:
    items = {**ITEMS, "show": [{"text": {"field": "text"}}, {"text": {"field": "truth"}, "after": ["a"]}]}
    study = a_study(scale("a"), scale("b", **asked('truth == "x"')), items=items)
    [(at, what)] = wrong(study)
    assert at == ("rubric", 1, "ask_when")
    assert what.startswith("truth is shown only after some answers")


def test_a_block_does_not_wait_for_what_hangs_on_an_answer_that_may_be_left_out() -> None:
    items = {**ITEMS, "show": [{"text": {"field": "text"}}, {"text": {"field": "truth"}, "after": ["c"]}]}
    rubric = [tags("faults", "x"), scale("b", **asked("faults has x")), scale("c", **asked("b == 1"))]
    [(at, what)] = wrong(a_study(*rubric, items=items))
    assert at == ("items", "show", 1, "after")
    assert what == "whether c is asked depends on faults, which may be left out"


def test_a_block_and_what_it_waits_for_do_not_wait_for_each_other() -> None:
    later = {"text": {"field": "truth"}, "after": ["c"], "before": ["b"]}
    rubric = [scale("a"), scale("b"), scale("c", **asked("b == 1"))]
    [(at, what)] = wrong(a_study(*rubric, items={**ITEMS, "show": [{"text": {"field": "text"}}, later]}))
    assert at == ("items", "show", 1, "before")
    assert what == "the block waits for c, which depends on b, which waits for the block"
