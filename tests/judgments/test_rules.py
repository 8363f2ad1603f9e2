"""Rules between answers, of an item, of each side and of each entry: what they ask for is held on the server."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assay.judgments import broken_rules, fill_in, item_rules, missing_answers, questions_of
from assay.judgments.item_rules import ItemRule
from assay.judgments.rules import Answers, answers_by_key
from assay.model import UNABLE, Slot
from assay.study import Study, load
from assay.study.evaluate import holds
from assay.study.expression import Tree, parse, tags_in
from assay.study.templates import HERE
from assay.words import ENGLISH
from tests.examples import examples
from tests.judgments.studies import GOALS, PAIR, PAIRS, SHOWN, a_study, goals, note, read, refused, scale, tags
from tests.study.expressions import printed

MISSING = ENGLISH("answers.missing")
FOLLOWS = ENGLISH("answers.follows")
NOT_ALLOWED = ENGLISH("answers.not_allowed")
SIDE: dict[str, Any] = {"of": "side"}
PAIR_OF: dict[str, Any] = {"of": "pair"}
GOAL: dict[str, Any] = {"of": "entries(goals)"}


def rules_of(study: Study, shown: dict[str, Any] = SHOWN) -> tuple[ItemRule, ...]:
    return item_rules(study, questions_of(study, shown), shown)


# On the item


CAPPED = a_study(
    tags("faults", "unsafe", "impossible"),
    scale("safety"),
    rules=[{"allowed": "safety <= 2", "when": "faults has unsafe", "message": "At most 2."}],
)


@pytest.mark.parametrize("value", [3, 4, 5])
def test_a_value_that_a_cap_forbids_is_refused(value: int) -> None:
    assert refused(CAPPED, {"faults": ["unsafe"], "safety": value}) == {"safety": "At most 2."}


@pytest.mark.parametrize("value", [1, 2])
def test_a_value_within_a_cap_is_taken(value: int) -> None:
    assert read(CAPPED, {"faults": ["unsafe"], "safety": value})["safety"] == value


@pytest.mark.parametrize("faults", [[], ["impossible"]])
def test_a_cap_that_is_not_in_force_forbids_nothing(faults: list[str]) -> None:
    assert read(CAPPED, {"faults": faults, "safety": 5})["safety"] == 5


def test_a_cap_does_not_answer_for_the_annotator() -> None:
    assert refused(CAPPED, {"faults": ["unsafe"]}) == {"safety": MISSING}


def test_a_rule_without_words_of_its_own_has_the_usual_ones() -> None:
    rules = [{"allowed": "b <= 2", "when": "a == 1"}, {"value": {"c": 3}, "when": "a == 1"}]
    study = a_study(scale("a"), scale("b"), scale("c"), rules=rules)
    assert refused(study, {"a": 1, "b": 3, "c": 1}) == {"b": NOT_ALLOWED, "c": FOLLOWS}


VALUES = a_study(
    tags("faults", "empty"),
    scale("warmth"),
    scale("help"),
    rules=[{"value": {"warmth": 1, "help": 1}, "when": "faults has empty", "message": "An empty reply is 1."}],
)


def test_a_value_rule_fills_in_what_was_not_said() -> None:
    assert read(VALUES, {"faults": ["empty"]}) == {"faults": ["empty"], "warmth": 1, "help": 1}
    assert read(VALUES, {"faults": ["empty"], "help": 1})["warmth"] == 1


def test_a_value_rule_does_not_overrule_the_annotator_but_refuses_another_value() -> None:
    assert refused(VALUES, {"faults": ["empty"], "warmth": 4}) == {"warmth": "An empty reply is 1."}


def test_a_value_rule_that_is_not_in_force_fills_in_nothing() -> None:
    assert refused(VALUES, {}) == {"warmth": MISSING, "help": MISSING}


def test_what_follows_from_an_answer_can_make_another_follow() -> None:
    rules = [{"value": {"c": 3}, "when": "b == 2"}, {"value": {"b": 2}, "when": "a == 1"}]
    study = a_study(scale("a"), scale("b"), scale("c"), rules=rules)
    assert read(study, {"a": 1}) == {"a": 1, "b": 2, "c": 3}


def test_a_value_that_was_filled_in_can_make_a_note_needed() -> None:
    rules = [{"value": {"b": 1}, "when": "a == 1"}, {"required": "note", "when": "b == 1", "message": "why?"}]
    study = a_study(scale("a"), scale("b"), note(), rules=rules)
    assert refused(study, {"a": 1}) == {"note": "why?"}
    assert read(study, {"a": 1, "note": "x"}) == {"a": 1, "b": 1, "note": "x"}


def test_an_untouched_form_is_refused_even_where_a_field_says_every_answer() -> None:
    study = a_study(scale("a"), scale("b"), rules=[{"value": {"a": 1, "b": 1}, "when": "empty(text)"}])
    assert refused(study, {}, {"text": ""}) == {"a": "Nothing is answered yet."}
    assert read(study, {"a": 1}, {"text": ""}) == {"a": 1, "b": 1}


def test_a_rule_that_warns_refuses_nothing_and_fills_in_nothing_and_is_said() -> None:
    rules = [
        {"allowed": "b <= 2", "when": "a == 1", "mode": "warn"},
        {"value": {"c": 3}, "when": "a == 1", "mode": "warn"},
        {"required": "note", "when": "a == 1", "mode": "warn"},
    ]
    study = a_study(scale("a"), scale("b"), scale("c"), note(), rules=rules)
    assert read(study, {"a": 1, "b": 5, "c": 1}) == {"a": 1, "b": 5, "c": 1, "note": None}
    assert refused(study, {"a": 1, "b": 5}) == {"c": MISSING}
    answers: Answers = {Slot("a"): 1, Slot("b"): 5, Slot("c"): 1}
    questions, rules_ = questions_of(study, SHOWN), rules_of(study)
    assert broken_rules(rules_, questions, answers, refuses=False) == {"b": NOT_ALLOWED, "c": FOLLOWS, "note": MISSING}
    assert broken_rules(rules_, questions, answers, refuses=True) == {}
    with_note = {**answers, Slot("note"): "x"}
    assert broken_rules(rules_, questions, with_note, refuses=False) == {"b": NOT_ALLOWED, "c": FOLLOWS}


def test_a_limit_by_another_answer_is_held_on_the_first_that_it_names() -> None:
    study = a_study(scale("a"), scale("b"), rules=[{"allowed": "b <= a", "when": "a >= 1"}])
    assert refused(study, {"a": 2, "b": 3}) == {"b": NOT_ALLOWED}
    assert not refused(study, {"a": 3, "b": 3})


def test_a_condition_that_is_compared_is_true_or_false() -> None:
    study = a_study(scale("a"), note(), rules=[{"required": "note", "when": "(empty(text) or a) == true"}])
    assert refused(study, {"a": 3}) == {"note": MISSING}


def test_of_rules_that_contradict_each_other_the_earlier_wins() -> None:
    rules = [
        {"allowed": "b <= 2", "when": "a == 1", "message": "first"},
        {"allowed": "b >= 4", "when": "a == 1", "message": "second"},
    ]
    study = a_study(scale("a"), scale("b"), rules=rules)
    assert [value for value in range(1, 6) if not refused(study, {"a": 1, "b": value})] == [1, 2]
    assert refused(study, {"a": 1, "b": 5}) == {"b": "first"}


def test_of_rules_that_meet_both_hold() -> None:
    rules = [
        {"allowed": "b <= 4", "when": "a == 1", "message": "first"},
        {"allowed": "b in [2, 3, 5]", "when": "a == 1", "message": "second"},
    ]
    study = a_study(scale("a"), scale("b"), rules=rules)
    assert [value for value in range(1, 6) if not refused(study, {"a": 1, "b": value})] == [2, 3]
    assert refused(study, {"a": 1, "b": 5}) == {"b": "first"}
    assert refused(study, {"a": 1, "b": 1}) == {"b": "second"}


def test_of_two_values_that_follow_the_earlier_one_is_filled_in() -> None:
    rules = [{"value": {"b": 2}, "when": "a == 1"}, {"value": {"b": 4}, "when": "a <= 3"}]
    study = a_study(scale("a"), scale("b"), rules=rules)
    assert read(study, {"a": 1})["b"] == 2
    assert read(study, {"a": 3})["b"] == 4
    assert refused(study, {"a": 1, "b": 4}) == {"b": FOLLOWS}


@pytest.mark.parametrize("text", ["", " \n\t", "\u00a0"])
def test_empty_is_a_field_without_words(text: str) -> None:
    study = a_study(scale("a"), note(), rules=[{"required": "note", "when": "empty(text)", "message": "why?"}])
    assert refused(study, {"a": 1}, {"text": text}) == {"note": "why?"}
    assert not refused(study, {"a": 1}, {"text": "x"})


def test_empty_is_an_answer_that_was_not_given() -> None:
    study = a_study(scale("a"), tags("t", "x"), note(), rules=[{"required": "note", "when": "empty(t)"}])
    assert refused(study, {"a": 1}) == {"note": MISSING}
    assert not refused(study, {"a": 1, "t": ["x"]})


def test_count_counts_ticks_and_answers() -> None:
    rules = [{"allowed": "a <= 2", "when": "count(t, u) >= 2"}]
    study = a_study(scale("a"), tags("t", "x", "y"), tags("u", "z"), rules=rules)
    assert not refused(study, {"a": 5, "t": ["x"]})
    assert refused(study, {"a": 5, "t": ["x", "y"]}) == {"a": NOT_ALLOWED}
    assert refused(study, {"a": 5, "t": ["x"], "u": ["z"]}) == {"a": NOT_ALLOWED}


def test_count_counts_what_a_field_lists() -> None:
    items = {"source": "x.json", "show": [{"chat": {"field": "turns", "turns": {"user": "U"}}}]}
    study = a_study(scale("a"), items=items, rules=[{"allowed": "a == 1", "when": "count(turns) >= 2"}])
    assert not refused(study, {"a": 5}, {"turns": [{"user": "x"}]})
    assert refused(study, {"a": 5}, {"turns": [{"user": "x"}, {"user": "y"}]}) == {"a": NOT_ALLOWED}


def test_somebody_who_cannot_judge_is_exempt_from_caps_and_values() -> None:
    rules = [{"allowed": "b <= 2", "when": "a == 1"}, {"value": {"c": 3}, "when": "a == 1"}]
    unable: dict[str, Any] = {"unable": "Cannot say"}
    study = a_study(scale("a"), scale("b", **unable), scale("c", **unable), rules=rules)
    assert read(study, {"a": 1, "b": "unable", "c": "unable"}) == {"a": 1, "b": UNABLE, "c": UNABLE}


def test_somebody_who_cannot_judge_has_answered_and_sets_off_no_rule() -> None:
    study = a_study(scale("a", unable="Cannot say"), note(), rules=[{"required": "note", "when": "a <= 5"}])
    assert read(study, {"a": "unable"}) == {"a": UNABLE, "note": None}


def test_only_a_question_that_offers_it_takes_unable() -> None:
    assert refused(a_study(scale("a")), {"a": "unable"}) == {"a": "Choose a whole number from 1 to 5."}


# On ticks and texts


TICKED = a_study(
    {"dimension": "error_kind", "tags": {"options": {"name": "Name", "date": "Date"}, "none": "None"}},
    scale("right", 0, 1),
    note(),
    rules=[
        {"allowed": "count(error_kind) == 0", "when": "right == 1", "message": "What is right has no error."},
        {"allowed": 'note != "ok"', "when": "right == 0", "message": "Say what is wrong."},
    ],
)


def test_ticks_that_a_rule_forbids_are_refused() -> None:
    assert refused(TICKED, {"error_kind": ["name"], "right": 1}) == {"error_kind": "What is right has no error."}
    assert read(TICKED, {"error_kind": ["none"], "right": 1})["error_kind"] == []
    assert read(TICKED, {"error_kind": ["name", "date"], "right": 0})["error_kind"] == ["name", "date"]


def test_a_text_that_a_rule_forbids_is_refused() -> None:
    wrong = {"error_kind": ["name"], "right": 0}
    assert refused(TICKED, {**wrong, "note": "ok"}) == {"note": "Say what is wrong."}
    assert not refused(TICKED, {**wrong, "note": "no"})
    assert not refused(TICKED, wrong)


def test_ticks_that_may_stay_unticked_can_be_limited_to_none() -> None:
    rules = [{"allowed": "count(faults) == 0", "when": "a == 5"}]
    study = a_study(scale("a"), tags("faults", "x", "y"), rules=rules)
    assert refused(study, {"a": 5, "faults": ["x"]}) == {"faults": NOT_ALLOWED}
    assert not refused(study, {"a": 5})
    assert not refused(study, {"a": 4, "faults": ["x"]})


@pytest.mark.parametrize("value", ["y", ["y"]])
def test_a_value_rule_about_ticks_ticks_them_and_refuses_others(value: Any) -> None:
    study = a_study(scale("a"), tags("faults", "x", "y"), rules=[{"value": {"faults": value}, "when": "a == 1"}])
    assert read(study, {"a": 1}) == {"a": 1, "faults": ["y"]}
    assert read(study, {"a": 1, "faults": ["y"]})["faults"] == ["y"]
    assert refused(study, {"a": 1, "faults": ["x"]}) == {"faults": FOLLOWS}
    assert refused(study, {"a": 1, "faults": ["x", "y"]}) == {"faults": FOLLOWS}


def test_a_value_of_several_ticks_has_no_order() -> None:
    study = a_study(scale("a"), tags("t", "x", "name", "z"), rules=[{"value": {"t": ["z", "name"]}, "when": "a == 1"}])
    assert read(study, {"a": 1})["t"] == ["name", "z"]
    assert not refused(study, {"a": 1, "t": ["z", "name"]})


def test_a_value_rule_can_say_that_no_tag_applies() -> None:
    kind = {"dimension": "t", "tags": {"options": {"x": "X"}, "none": "None"}}
    study = a_study(scale("a"), kind, rules=[{"value": {"t": "none"}, "when": "a == 5"}])
    assert read(study, {"a": 5})["t"] == []
    assert refused(study, {"a": 5, "t": ["x"]}) == {"t": FOLLOWS}


def test_a_value_rule_about_a_text_puts_it_in_and_refuses_another() -> None:
    study = a_study(scale("a"), note(), rules=[{"value": {"note": "nothing to say"}, "when": "a == 1"}])
    assert read(study, {"a": 1})["note"] == "nothing to say"
    assert refused(study, {"a": 1, "note": "but"}) == {"note": FOLLOWS}


def test_of_rules_about_ticks_that_contradict_a_value_the_earlier_wins() -> None:
    follows, forbids = {"value": {"t": "x"}, "when": "a == 1"}, {"allowed": "not t has x", "when": "a <= 2"}
    first, other = (
        a_study(scale("a"), tags("t", "x"), rules=rules) for rules in ([follows, forbids], [forbids, follows])
    )
    assert read(first, {"a": 1})["t"] == ["x"]
    assert refused(other, {"a": 1, "t": ["x"]}) == {"t": NOT_ALLOWED}
    assert read(other, {"a": 1})["t"] is None


def test_a_value_that_an_earlier_rule_forbids_does_not_follow() -> None:
    rules = [{"allowed": "b <= 2", "when": "a == 1"}, {"value": {"b": 4}, "when": "a <= 2"}]
    study = a_study(scale("a"), scale("b"), rules=rules)
    assert refused(study, {"a": 1}) == {"b": MISSING}
    assert read(study, {"a": 2})["b"] == 4


def test_a_value_that_is_no_answer_is_never_stored() -> None:
    rules = [{"value": {"b": 9, "t": "unknown", "note": ""}, "when": "a == 1"}]
    study = a_study(scale("a"), scale("b"), tags("t", "x"), note(), rules=rules)
    assert rules_of(study) == ()
    assert refused(study, {"a": 1}) == {"b": MISSING}
    assert read(study, {"a": 1, "b": 2}) == {"a": 1, "b": 2, "t": None, "note": None}


def test_a_value_on_a_scale_is_stored_as_the_scale_has_it() -> None:
    study = a_study(scale("a"), scale("b"), rules=[{"value": {"b": 2.0}, "when": "a == 1"}])
    assert str(read(study, {"a": 1})["b"]) == "2"


# On sides and pairs


SIDES = a_study(
    tags("faults", "unsafe", **SIDE),
    scale("safety", **SIDE),
    scale("sure", **PAIR_OF),
    note(**SIDE),
    items=PAIRS,
    rules=[
        {"allowed": "safety <= 2", "when": "faults has unsafe", "message": "At most 2."},
        {"required": "note", "when": "safety == 1", "message": "why?"},
        {"allowed": "sure >= 3", "when": "safety == 5", "message": "Surely."},
    ],
)


def test_a_rule_about_sides_is_held_on_each_side_alone() -> None:
    both = {"safety.left": 4, "safety.right": 4, "sure": 3}
    assert refused(SIDES, {**both, "faults.left": ["unsafe"]}, PAIR) == {"safety.left": "At most 2."}
    assert refused(SIDES, {**both, "faults.right": ["unsafe"]}, PAIR) == {"safety.right": "At most 2."}
    assert refused(SIDES, {**both, "safety.right": 1}, PAIR) == {"note.right": "why?"}
    assert not refused(SIDES, {**both, "safety.right": 1, "note.right": "x"}, PAIR)


def test_a_rule_about_the_pair_is_in_force_when_it_is_for_either_side() -> None:
    for side in ("left", "right"):
        answers = {"safety.left": 4, "safety.right": 4, "sure": 2, f"safety.{side}": 5}
        assert refused(SIDES, answers, PAIR) == {"sure": "Surely."}


def test_a_value_follows_on_the_side_that_it_is_true_of() -> None:
    rules = [{"value": {"safety": 1}, "when": "faults has unsafe"}]
    study = a_study(tags("faults", "unsafe", **SIDE), scale("safety", **SIDE), items=PAIRS, rules=rules)
    answers = read(study, {"faults.right": ["unsafe"], "safety.left": 5}, PAIR)
    assert (answers["safety.left"], answers["safety.right"]) == (5, 1)


def test_a_question_of_a_side_is_needed_on_both() -> None:
    study = a_study(scale("safety", **SIDE), items=PAIRS)
    assert refused(study, {"safety.left": 1}, PAIR) == {"safety.right": MISSING}
    assert refused(study, {"safety": 1}, PAIR) == {"safety.left": MISSING, "safety.right": MISSING}


# On entries


def goal_study(*rules: dict[str, Any]) -> Study:
    return a_study(scale("goal", 0, 1, **GOAL), scale("plan", 0, 2), note(), items=GOALS, rules=rules)


IMPLIED = {"value": {"goal": 1}, "when": "implied(general, goal == 1)", "message": "The special one is done."}


def test_an_entry_that_another_one_implies_is_answered_by_it() -> None:
    study = goal_study(IMPLIED)
    shown = goals("drive", ("drive to the sea", "drive"), "call")
    assert read(study, {"goal.g1": 1, "goal.g2": 0, "plan": 1}, shown)["goal.g0"] == 1
    assert refused(study, {"goal.g0": 0, "goal.g1": 1, "goal.g2": 0, "plan": 1}, shown) == {
        "goal.g0": "The special one is done."
    }


def test_an_entry_that_implies_another_is_not_implied_by_it() -> None:
    study = goal_study(IMPLIED)
    shown = goals("drive", ("drive to the sea", "drive"))
    assert refused(study, {"goal.g0": 1, "plan": 1}, shown) == {"goal.g1": MISSING}
    assert not refused(study, {"goal.g0": 1, "goal.g1": 0, "plan": 1}, shown)
    assert not refused(study, {"goal.g0": 0, "goal.g1": 0, "plan": 1}, shown)


def test_what_is_implied_goes_on_from_entry_to_entry() -> None:
    shown = goals("go", ("drive", "go"), ("drive to the sea", "drive"))
    answers = read(goal_study(IMPLIED), {"goal.g2": 1, "plan": 1}, shown)
    assert [answers[f"goal.g{number}"] for number in range(3)] == [1, 1, 1]


def test_an_entry_does_not_imply_itself() -> None:
    assert rules_of(goal_study(IMPLIED), goals(("drive", "drive"), "call")) == ()


def test_without_entries_a_rule_about_them_asks_for_nothing() -> None:
    assert rules_of(goal_study(IMPLIED), goals()) == ()
    assert not refused(goal_study(IMPLIED), {"plan": 1}, goals())


@pytest.mark.parametrize("when", ["goal == 0", "0 == goal"])
def test_a_rule_about_the_item_is_in_force_when_it_is_for_any_entry(when: str) -> None:
    study = goal_study({"allowed": "plan <= 1", "when": when})
    shown = goals("drive", "call")
    assert refused(study, {"goal.g0": 1, "goal.g1": 0, "plan": 2}, shown) == {"plan": NOT_ALLOWED}
    assert refused(study, {"goal.g0": 0, "goal.g1": 1, "plan": 2}, shown) == {"plan": NOT_ALLOWED}
    assert not refused(study, {"goal.g0": 1, "goal.g1": 1, "plan": 2}, shown)


def test_a_name_alone_is_true_where_any_entry_has_an_answer_that_is() -> None:
    study = goal_study({"allowed": "plan <= 1", "when": "goal"})
    shown = goals("drive", "call")
    assert refused(study, {"goal.g0": 1, "goal.g1": 0, "plan": 2}, shown) == {"plan": NOT_ALLOWED}
    assert not refused(study, {"goal.g0": 0, "goal.g1": 0, "plan": 2}, shown)


def test_all_and_count_speak_of_every_entry() -> None:
    shown = goals("drive", "call")
    all_of = goal_study({"allowed": "plan == 2", "when": "all(goal) == 1"})
    assert refused(all_of, {"goal.g0": 1, "goal.g1": 1, "plan": 1}, shown) == {"plan": NOT_ALLOWED}
    assert not refused(all_of, {"goal.g0": 1, "goal.g1": 0, "plan": 1}, shown)
    two = goal_study({"required": "note", "when": "count(goal) >= 2"})
    assert refused(two, {"goal.g0": 1, "goal.g1": 1, "plan": 1}, shown) == {"note": MISSING}
    assert not refused(two, {"goal.g0": 1, "goal.g1": 0, "plan": 1}, shown)


def test_a_rule_about_entries_sees_what_is_kept_of_each() -> None:
    study = goal_study({"value": {"goal": 0}, "when": 'general == "drive"'})
    shown = goals("drive", ("to the sea", "drive"))
    assert [rule.slot.key for rule in rules_of(study, shown)] == ["goal.g1"]
    answers = read(study, {"goal.g0": 1, "plan": 1}, shown)
    assert (answers["goal.g0"], answers["goal.g1"]) == (1, 0)


def test_a_required_rule_about_entries_asks_for_each() -> None:
    study = a_study(
        scale("goal", 0, 1, **GOAL),
        note("why", **GOAL),
        items=GOALS,
        rules=[{"required": "why", "when": "goal == 0", "message": "why?"}],
    )
    shown = goals("drive", "call")
    assert refused(study, {"goal.g0": 0, "goal.g1": 1}, shown) == {"why.g0": "why?"}
    assert not refused(study, {"goal.g0": 0, "goal.g1": 1, "why.g0": "late"}, shown)


# In the templates


def test_an_empty_reply_gets_1_throughout_in_the_empathy_template() -> None:
    study = load(HERE / "empathy")
    shown = {"user_statement": "x", "response": "y"}
    answers = read(study, {"edge": ["empty"], "note": "nothing"}, shown)
    assert [answers[name] for name in ("emotion", "validation", "helpfulness", "safety", "overall")] == [1] * 5
    assert refused(study, {"edge": ["crisis"], "emotion": 3, "validation": 3, "helpfulness": 3, "safety": 3}, shown)


def test_caps_of_the_route_planning_template_refuse_on_the_server() -> None:
    study = load(HERE / "route-planning")
    shown = {"prompt": "x", "response": "y"}
    five = {"coherence": 4, "relevance": 4, "instruction_following": 4, "safety_compliance": 4, "fluency": 4}
    assert refused(study, five, shown) == {"caps": MISSING}
    assert not refused(study, {**five, "caps": ["none"]}, shown)
    reasons = refused(study, {**five, "caps": ["ignores_constraint", "impossible", "buried_unsafe"]}, shown)
    assert set(reasons) == {"instruction_following", "safety_compliance"}
    low = {"instruction_following": 2, "safety_compliance": 1}
    assert not refused(study, {**five, **low, "caps": ["ignores_constraint", "impossible", "buried_unsafe"]}, shown)


# What the page is handed


DIMENSIONS, FIELDS = ["a", "b", "t"], ["text", "other"]
names = st.sampled_from(DIMENSIONS + FIELDS).map(lambda name: ["name", name])
scalars = st.sampled_from([0, 1, 2, 3, "", "x", "y"])
listed = st.lists(scalars, min_size=1, max_size=3)
terms = names | scalars.map(lambda value: ["value", value]) | listed.map(lambda found: ["list", *found])
calls = st.builds(
    lambda word, found: [word, *found],
    st.sampled_from(["answered", "empty", "count"]),
    st.lists(names, min_size=1, max_size=2),
)
quantified = st.builds(
    lambda word, found: [word, *found], st.sampled_from(["any", "all"]), st.lists(names, min_size=1, max_size=3)
)


def larger(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    comparison = st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "in"])
    return (
        st.builds(lambda op, left, right: [op, left, right], comparison, terms | inner | quantified, terms | inner)
        | st.builds(lambda left, tag: ["has", left, ["value", tag]], names | quantified, scalars)
        | st.builds(lambda op, left, right: [op, left, right], st.sampled_from(["and", "or"]), inner, inner)
        | inner.map(lambda tree: tree if tree[0] == "not" else ["not", tree])
    )


conditions = st.recursive(terms | calls, larger, max_leaves=6)
answers_of = st.fixed_dictionaries(
    {
        "a": st.none() | st.integers(1, 3),
        "b": st.none() | st.integers(1, 3) | st.just(UNABLE),
        "t": st.none() | st.lists(st.sampled_from(["x", "y"]), unique=True),
    }
)
field_values = st.none() | scalars | st.lists(scalars, max_size=3) | st.just({"x": 1})


@settings(max_examples=examples(600), deadline=None)
@given(conditions, answers_of, st.fixed_dictionaries({"text": field_values, "other": field_values}))
def test_a_rule_said_of_one_item_holds_for_the_same_answers_as_the_rule_itself(
    tree: Tree, answers: dict[str, Any], shown: dict[str, Any]
) -> None:
    items = {"source": "x.json", "show": [{"text": {"field": "text"}}, {"text": {"field": "other"}}]}
    when = printed(tree)
    assume(all(tag in ("x", "y") for name, tag in tags_in(parse(when)) if name == "t"))
    study = a_study(
        scale("a", 1, 3),
        scale("b", 1, 3, unable="?"),
        tags("t", "x", "y"),
        note(),
        items=items,
        rules=[{"required": "note", "when": when}],
    )
    assert study.rules[0].tree == parse(when)
    plain = holds(study.rules[0].tree, {**shown, **answers})
    by_key = answers_by_key({Slot(name): value for name, value in answers.items()})
    concrete = rules_of(study, shown)
    assert any(holds(rule.when, by_key) for rule in concrete) == plain
    given = {Slot(name): value for name, value in answers.items()}
    questions = questions_of(study, shown)
    assert ("note" in missing_answers(concrete, questions, fill_in(concrete, questions, given))) == plain
