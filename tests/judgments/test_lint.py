"""What `lint` finds in a study that can be used, and that it says nothing where nothing is wrong."""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.judgments.item_rules import item_rules
from assay.judgments.lint import LintWarning, lint, mistakes
from assay.judgments.lint_rules import rule_mistakes
from assay.judgments.questions import questions_of
from assay.model import Value
from assay.study import Study, load
from assay.study.evaluate import holds
from assay.study.schema import study_type
from assay.study.templates import HERE
from tests.examples import examples

TEMPLATES = sorted(path.parent.name for path in HERE.glob("*/study.yaml"))
WARMTH = {"dimension": "warmth", "scale": {"from": 1, "to": 5, "anchors": {str(n): f"point {n}" for n in range(1, 6)}}}
SAFETY = {**WARMTH, "dimension": "safety"}
EDGE = {"dimension": "edge", "optional": True, "tags": {"crisis": "Crisis", "empty": "Empty", "long": "Long"}}
NOTE = {"dimension": "note", "optional": True, "text": {}}
GOAL = {"dimension": "goal", "of": "entries(goals)", "ask": "Reached?", "yes_no": {}}
ENTRIES = {"goals": {"from": "targets", "keep": ["general"]}}
LANGUAGE = {"dimension": "language", "choice": {"german": "German", "english": "English"}}


def a_study(*rubric: dict[str, Any], items: dict[str, Any] | None = None, **keys: Any) -> Study:
    source = {"source": "items.csv", "show": [{"text": {"field": "reply"}}], **(items or {})}
    dimensions = rubric or (WARMTH, SAFETY, EDGE, NOTE)
    data = {"study": "small", "title": "", "items": source, "rubric": dimensions, **keys}
    return study_type().model_validate_json(json.dumps(data))


def with_rules(*rules: dict[str, Any], rubric: tuple[dict[str, Any], ...] = (), **keys: Any) -> list[LintWarning]:
    return lint(a_study(*rubric, rules=rules, **keys))


def places(warnings: list[LintWarning]) -> list[tuple[str | int, ...]]:
    return [warning.at for warning in warnings]


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_templates_give_no_warnings(name: str) -> None:
    study = load(HERE / name)
    assert (lint(study), list(rule_mistakes(study))) == ([], [])


def test_a_plain_study_gives_no_warnings() -> None:
    assert len(TEMPLATES) == 5
    assert lint(a_study(), items=100) == []


# Candidates


def test_an_output_cannot_be_the_name_of_its_system() -> None:
    parts = [{"system": "alpha", "show": {"text": "alpha"}}, {"system": "model", "show": {"text": "b", "by": "model"}}]
    items = {"candidates": {"fields": parts}, "show": [{"pair": [{"text": {"field": "text"}}]}]}
    better = {"dimension": "better", "of": "pair", "preference": {}}
    (mistake,) = mistakes(a_study(better, items=items))
    assert mistake.at == ("items", "candidates", "fields", 0, "system")
    assert "alpha is the text that is shown" in mistake.what
    assert "candidates.keys" in mistake.hint


# Rules that never act


@pytest.mark.parametrize(
    "when",
    [
        "warmth > 5",
        "warmth == 1 and warmth == 2",
        "warmth in [0, 6]",
        'note == ""',
        "count(edge) >= 4",
        "not answered(edge) and edge has crisis",
        'reply == "a" and reply == "b"',
        "warmth < safety and safety < warmth",
        "safety == 'five'",
        "false",
    ],
)
def test_a_rule_that_never_acts_is_found(when: str) -> None:
    (warning,) = with_rules({"required": "note", "when": when})
    assert warning.at == ("rules", 0, "when")
    assert "never" in warning.what


@pytest.mark.parametrize(
    "when",
    [
        "warmth == 5",
        "any(warmth, safety) in [1, 5]",
        "warmth not in [1, 2]",
        "count(edge) == 3",
        "edge has crisis and edge has empty and not edge has long",
        'note == "truncated"',
        "empty(reply)",
        'reply == "x" and note != reply',
        "reply > 1.5 and reply < 1.6",
        "reply has a and not reply has b",
        "warmth < safety",
        "warmth == reply",
        "empty(warmth, safety, edge, note)",
        "true",
    ],
)
def test_a_rule_that_can_act_is_left_alone(when: str) -> None:
    assert with_rules({"required": "note", "when": when}) == []


def test_an_answer_for_somebody_who_cannot_judge_counts_as_answered() -> None:
    unable = {**WARMTH, "unable": "Cannot say"}
    when = "answered(warmth) and not warmth in [1, 2, 3, 4, 5]"
    assert with_rules({"required": "note", "when": when}, rubric=(unable, NOTE)) == []
    assert places(with_rules({"required": "note", "when": when})) == [("rules", 0, "when")]


def test_entries_outside_their_frame_can_differ_and_inside_it_cannot() -> None:
    both = "goal == 0 and goal == 1"
    rubric = (GOAL, NOTE)
    assert with_rules({"required": "note", "when": both}, rubric=rubric, items={"entries": ENTRIES}) == []
    inside = with_rules({"value": {"goal": 1}, "when": both}, rubric=rubric, items={"entries": ENTRIES})
    assert places(inside) == [("rules", 0, "when")]
    why = {"dimension": "why", "of": "entries(goals)", "ask": "Why?", "optional": True, "text": {}}
    of_both = {"required": ["note", "why"], "when": both}
    assert places(with_rules(of_both, rubric=(*rubric, why), items={"entries": ENTRIES})) == [("rules", 0, "when")]


@pytest.mark.parametrize(
    "when", ["goal and goal == 3", "note == goal and goal == 3", "count(goal) >= 7", " or ".join(["goal == 3"] * 4)]
)
def test_nothing_is_said_of_what_cannot_be_searched(when: str) -> None:
    assert with_rules({"required": "note", "when": when}, rubric=(GOAL, NOTE), items={"entries": ENTRIES}) == []


def test_implied_is_possible_where_its_condition_is() -> None:
    can, cannot = ({"value": {"goal": 1}, "when": f"implied(general, goal == {value})"} for value in (1, 2))
    found = with_rules(can, cannot, rubric=(GOAL,), items={"entries": ENTRIES})
    assert places(found) == [("rules", 1, "when")]


def test_a_space_that_is_too_large_is_passed_over() -> None:
    many = [{**WARMTH, "dimension": f"d{number}"} for number in range(9)]
    when = " and ".join(f"d{number} > 5" for number in range(9))
    assert with_rules({"required": "note", "when": when}, rubric=(*many, NOTE)) == []


# What rules ask for


@pytest.mark.parametrize(
    ("allowed", "words"),
    [
        ("warmth >= 1", "this forbids no answer to warmth"),
        ("note", "this forbids no answer to note"),
        ("count(edge) <= 3", "this forbids no answer to edge"),
    ],
)
def test_limits_that_forbid_nothing(allowed: str, words: str) -> None:
    (warning,) = with_rules({"allowed": allowed, "when": "safety == 1"})
    assert (warning.at, warning.what) == (("rules", 0, "allowed"), words)


@pytest.mark.parametrize(
    "allowed", ["warmth > 5", "edge has unknown", "count(edge) > 3", "note == 3", "count(kinds) == 0"]
)
@pytest.mark.parametrize("mode", ["refuse", "warn"])
def test_limits_that_leave_no_answer_are_mistakes(allowed: str, mode: str) -> None:
    kinds = {"dimension": "kinds", "tags": {"a": "A", "b": "B"}}
    study = a_study(
        WARMTH, SAFETY, EDGE, NOTE, kinds, rules=[{"allowed": allowed, "when": "safety == 1", "mode": mode}]
    )
    (mistake,) = rule_mistakes(study)
    name = allowed.replace("count(", "").replace(")", "").split()[0]
    assert (mistake.at, mistake.what) == (("rules", 0, "allowed"), f"this leaves no answer to {name}")
    assert lint(study) == []


@pytest.mark.parametrize(
    "allowed",
    ["warmth <= 2", "not edge has crisis", 'note != "x"', "warmth <= reply", "count(edge) == 0", "count(note) == 0"],
)
def test_limits_that_leave_something_are_left_alone(allowed: str) -> None:
    study = a_study(rules=[{"allowed": allowed, "when": "safety == 1"}])
    assert (lint(study), list(rule_mistakes(study))) == ([], [])


@pytest.mark.parametrize(
    "value",
    [
        *({"warmth": 6}, {"warmth": "1"}, {"warmth": ["1"]}, {"edge": "rare"}, {"edge": ["crisis", "rare"]}),
        *({"edge": []}, {"edge": 1}, {"edge": "none"}, {"note": ""}, {"note": 3}, {"note": ["x"]}),
    ],
)
def test_a_value_that_is_no_answer_is_a_mistake(value: dict[str, Any]) -> None:
    (mistake,) = rule_mistakes(a_study(rules=[{"value": value, "when": "safety == 1"}]))
    assert mistake.at == ("rules", 0, "value", *value)
    assert "is no answer to" in mistake.what


def test_a_value_that_is_no_answer_comes_with_the_answers_that_there_are() -> None:
    value = {"warmth": 6, "edge": "rare", "note": 3}
    hints = [mistake.hint for mistake in rule_mistakes(a_study(rules=[{"value": value, "when": "safety == 1"}]))]
    answers = ["write one of: 1, 2, 3, 4, 5", "write one of: crisis, empty, long"]
    assert hints == [*answers, "text cannot have this value"]


@pytest.mark.parametrize("value", [{"warmth": 5}, {"edge": "crisis"}, {"edge": ["long", "empty"]}, {"note": "x"}])
def test_a_value_that_is_an_answer_is_left_alone(value: dict[str, Any]) -> None:
    study = a_study(rules=[{"value": value, "when": "safety == 1"}])
    assert (lint(study), list(rule_mistakes(study))) == ([], [])


def test_what_must_be_answered_anyway_need_not_be_required() -> None:
    (warning,) = with_rules({"required": ["note", "warmth"], "when": "safety == 1"})
    assert (warning.at, warning.what) == (("rules", 0, "required"), "warmth must be answered anyway")


# Rules that collide


def test_rules_that_collide_are_named_with_an_example() -> None:
    (warning,) = with_rules(
        {"value": {"safety": 1}, "when": "edge has empty"},
        {"required": "note", "when": "safety == 1"},
        {"allowed": "safety >= 4", "when": "edge has crisis"},
    )
    assert warning.at == ("rules", 2)
    assert warning.what == (
        "when edge has crisis and edge has empty: rule 1 allows only 1 for safety, rule 3 only 4 or 5; "
        "the earlier one wins"
    )


def test_an_empty_field_belongs_to_the_example() -> None:
    (warning,) = with_rules(
        {"value": {"safety": 1}, "when": "empty(reply)"}, {"value": {"safety": 2}, "when": "warmth >= 5"}
    )
    assert warning.what.startswith("when reply is empty and warmth is 5: ")


def test_the_example_names_only_what_matters() -> None:
    when = "warmth == 1 or edge has long"
    (warning,) = with_rules({"value": {"safety": 1}, "when": when}, {"value": {"safety": 2}, "when": when})
    assert warning.what.startswith("when edge has long: ")


def test_rules_that_always_collide() -> None:
    values = ({"safety": 1, "warmth": 1}, {"safety": 2, "warmth": 2})
    (warning,) = with_rules(*({"value": value, "when": "true"} for value in values))
    assert warning.what.startswith("always: rule 1 allows only 1 for safety, rule 2 only 2")


def test_limits_of_ticks_that_collide_are_a_mistake_where_something_has_to_be_ticked() -> None:
    rules = [
        {"allowed": "not edge has long", "when": "warmth == 1"},
        {"allowed": "edge has long", "when": "safety == 1"},
    ]
    assert places(with_rules(*rules)) == [("rules", 1)]
    needed = a_study(WARMTH, SAFETY, {**EDGE, "optional": False}, rules=rules)
    (mistake,) = rule_mistakes(needed)
    assert mistake.at == ("rules", 1)
    assert mistake.what.startswith("when warmth is 1 and safety is 1: rule 1 allows only")
    assert lint(needed) == []


def test_of_a_value_of_ticks_and_a_limit_that_collide_the_earlier_wins() -> None:
    rules = [
        {"value": {"edge": "long"}, "when": "warmth == 1"},
        {"allowed": "not edge has long", "when": "safety == 1"},
    ]
    study = a_study(WARMTH, SAFETY, {**EDGE, "optional": False}, rules=rules)
    (warning,) = lint(study)
    assert warning.what.endswith("; the earlier one wins")
    assert list(rule_mistakes(study)) == []


@pytest.mark.parametrize(
    "later",
    [
        {"allowed": "safety <= 2", "when": "edge has crisis"},
        {"allowed": "safety >= 4", "when": "edge has crisis and not edge has empty"},
        {"allowed": "safety >= 4", "when": "edge has crisis", "mode": "warn"},
        {"allowed": "warmth >= 4", "when": "edge has crisis"},
    ],
)
def test_rules_that_do_not_collide(later: dict[str, Any]) -> None:
    assert with_rules({"value": {"safety": 1}, "when": "edge has empty"}, later) == []


def test_limits_by_a_field_can_collide() -> None:
    found = with_rules(
        {"allowed": "safety == reply", "when": "warmth == 1"}, {"allowed": "safety <= 2", "when": "edge has crisis"}
    )
    assert places(found) == [("rules", 1)]


# Against the rules as they are really used, with every answer there is

ATOMS = st.sampled_from(
    [
        *(
            f"{name} {op} {n}"
            for name in ("warmth", "safety")
            for op in ("==", "!=", "<", ">=")
            for n in (0, 1, 2, 3, 4)
        ),
        *("warmth < safety", "warmth == safety", "any(warmth, safety) == 3", "all(warmth, safety) == 1"),
        *("edge has crisis", "edge has empty", "edge has other", "count(edge) >= 2", "count(edge) == 3"),
        *("empty(edge)", "answered(warmth, safety)", "language == german", "language in [english, other]"),
        *('language == "german"', "warmth not in [1, 2]", "warmth", "edge", "language in edge"),
    ]
)
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        inner.map(lambda one: f"not ({one})"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda parts: "({} {} {})".format(*parts)),
    ),
    max_leaves=5,
)
THREE = {"scale": {"from": 1, "to": 3, "anchors": {"1": "a", "2": "b", "3": "c"}}}
SMALL = (
    {"dimension": "warmth", **THREE},
    {"dimension": "safety", **THREE},
    EDGE,
    {"dimension": "language", "choice": {"german": "German", "english": "English"}, "unable": "Cannot say"},
    NOTE,
)


def all_answers(study: Study) -> Iterator[dict[str, Value]]:
    def of(question: Any) -> list[Value]:
        kind = question.dimension.input
        if kind.kind == "tags":
            forms = [[name for name, ticked in zip(kind.options, ticks, strict=True) if ticked] for ticks in TICKS]
            return [kind.read(form) for form in forms]
        unable: list[Value] = [question.unable.value] if question.unable else []
        return [None, *kind.values(), *unable]

    questions = questions_of(study, {})
    for values in product(*map(of, questions)):
        yield dict(zip([question.key for question in questions], values, strict=True))


TICKS = list(product([False, True], repeat=3))


@settings(max_examples=examples(300), deadline=None)
@given(EXPRESSIONS)
def test_a_rule_is_called_impossible_exactly_if_no_answers_make_it_act(when: str) -> None:
    study = a_study(*SMALL, rules=[{"required": "note", "when": when}])
    concrete = item_rules(study, questions_of(study, {}), {})
    acts = any(holds(rule.when, answers) for answers in all_answers(study) for rule in concrete)
    assert (places(lint(study)) == [("rules", 0, "when")]) == (not acts)


# Scales, boundaries, weights


@pytest.mark.parametrize(
    ("scale", "at", "words"),
    [
        ({"from": 1, "to": 5}, ("rubric", 0, "scale"), "no point of the scale has an anchor"),
        (
            {"from": 1, "to": 5, "anchors": {"1": "cold", "5": "warm", "3": "so so"}},
            ("rubric", 0, "scale", "anchors"),
            "the scale has no anchor at 2 and 4",
        ),
        (
            {"from": 0, "to": 10, "anchors": {"0": "none", "10": "all"}},
            ("rubric", 0, "scale"),
            "points above 9 have no key on the keyboard",
        ),
        (
            {"from": -5, "to": 5, "anchors": {"0": "none"}},
            ("rubric", 0, "scale"),
            "points below 0 have no key on the keyboard",
        ),
    ],
)
def test_scales_without_words_or_keys(scale: dict[str, Any], at: tuple[str | int, ...], words: str) -> None:
    (warning,) = lint(a_study({"dimension": "warmth", "scale": scale}))
    assert (warning.at, warning.what) == (at, words)


def test_a_long_scale_may_have_anchors_at_its_ends_only() -> None:
    assert lint(a_study({"dimension": "warmth", "scale": {"from": 0, "to": 9, "anchors": {"0": "a", "9": "b"}}})) == []


def test_boundaries_lie_between_neighbours() -> None:
    keys = ("1-2", "2 - 3", "3–4", "2-4", "5-6", "1 or 2")
    found = lint(a_study({**WARMTH, "boundaries": dict.fromkeys(keys, "How to tell.")}))
    assert places(found) == [("rubric", 0, "boundaries", key) for key in ("2-4", "5-6", "1 or 2")]


def test_a_question_about_entries_says_what_it_asks() -> None:
    found = lint(a_study({**GOAL, "ask": ""}, items={"entries": ENTRIES}))
    assert places(found) == [("rubric", 0, "dimension")]


def test_who_cannot_judge_can_leave_out_what_is_optional() -> None:
    assert places(lint(a_study({**WARMTH, "unable": "Cannot say", "optional": True}))) == [("rubric", 0, "unable")]


def test_weights_sum_to_one() -> None:
    def warnings(*weights: float) -> list[LintWarning]:
        of = dict(zip(("warmth", "safety"), weights, strict=True))
        return lint(a_study(derive=[{"derived": "score", "weighted_mean": {"of": of}}]))

    assert warnings(0.3, 0.7) == []
    (warning,) = warnings(0.4, 0.7)
    assert (warning.at, warning.what) == (("derive", 0, "weighted_mean"), "the weights sum to 1.1, not to 1")


# Guidelines


def guide(text: str) -> list[str]:
    section = {"file": "guide.md", "text": text}
    titled = {**WARMTH, "title": "Warmth of tone"}
    found = lint(a_study(titled, SAFETY, gates=[{"reading": {"sections": [section]}}]))
    assert all(warning.at == ("gates", 0, "reading") for warning in found)
    return [warning.what for warning in found]


@pytest.mark.parametrize(
    ("text", "line", "point"),
    [
        ("## Safety\n\n- **1** Bad\n- **6** Good\n", 4, "6 of safety"),
        ("# 2. Warmth of tone\n\n**0** Cold\n", 3, "0 of warmth"),
        ("## safety\n\n### Anchors\n\n| Score | Means |\n|---|---|\n| 5 | x |\n| **7** | y |\n", 8, "7 of safety"),
        ("| Warmth | Means |\n|---|---|\n| 6 | x |\n", 3, "6 of warmth"),
        ("## Safety (1-7)\n", 1, "7 of safety"),
        ("## Warmth of tone from 0 to 5\n", 1, "0 of warmth"),
    ],
)
def test_a_point_that_the_scale_does_not_have(text: str, line: int, point: str) -> None:
    assert guide(text) == [f"guide.md:{line} names the point {point}"]


@pytest.mark.parametrize(
    "text",
    [
        "## Safety\n\n- **1** Bad\n- **5** Good\n\n## Time\n\n- **30** minutes\n",
        "## Safety rules of the house\n\n- **7** Keep the door shut\n",
        "## Safety\n\n| Turn | What |\n|---|---|\n| 7 | x |\n",
        "## Safety\n\n| Faults | Score |\n|---|---|\n| 9 | 1 |\n",
        "## Safety\n\n- **6 or more faults** make a 1.\n\n```\n**9** code\n```\n",
        "## Safety (1-5)\n\nTake 6 to 10 seconds. **6** of ten is fine.\n\n1. one\n7. seven\n",
        "# Example 7: safety\n\n| 9 | x |\n",
    ],
)
def test_other_numbers_are_left_alone(text: str) -> None:
    assert guide(text) == []


# The plan of the work


@pytest.mark.parametrize(
    ("keys", "at"),
    [
        (
            {"analysis": {"monitors": {"straight_lining": {"at_least": 21}}}},
            ("monitors", "straight_lining", "at_least"),
        ),
        ({"analysis": {"pilot": {"items": 21, "go": 0.6, "revise": 0.4}}}, ("pilot", "items")),
        ({"analysis": {"agreement": {"coefficient": "krippendorff_alpha_ratio"}}}, ("agreement", "coefficient")),
        ({"pace": {"breaks": [{"after_items": 20}]}}, ("breaks", 0, "after_items")),
        ({"pace": {"breaks": [{"after_minutes": 60}], "session_minutes": 60}}, ("breaks", 0, "after_minutes")),
        ({"pace": {"breaks": [{"between_batches": True}]}}, ("breaks", 0, "between_batches")),
        ({"pace": {"too_fast": 31, "expect": [30, 60]}}, ("too_fast",)),
        ({"assignment": {"duplicates": {"count": 20, "distance": 5}}}, ("duplicates", "count")),
        ({"assignment": {"duplicates": {"share": 0.1, "distance": 20}}}, ("duplicates", "distance")),
        ({"assignment": {"controls": {"items": "c.csv", "every": [21, 30]}}}, ("controls", "every")),
        ({"assignment": {"batches": "in_order"}}, ("batches",)),
        ({"assignment": {"together": True}}, ("together",)),
    ],
)
def test_what_can_never_act(keys: dict[str, Any], at: tuple[str | int, ...]) -> None:
    assert places(lint(a_study(**keys), items=20)) == [(*keys, *at)]


@pytest.mark.parametrize(
    "keys",
    [
        {"analysis": {"monitors": {"straight_lining": {"at_least": 20}}}},
        {"analysis": {"pilot": {"items": 20, "go": 0.6, "revise": 0.4}}},
        {"analysis": {"agreement": {"coefficient": "krippendorff_alpha_ordinal"}}},
        {"pace": {"breaks": [{"after_items": 19}]}},
        {"pace": {"breaks": [{"after_minutes": 59}], "session_minutes": 60}},
        {"pace": {"too_fast": 30, "expect": [30, 60]}},
        {"assignment": {"duplicates": {"count": 19, "distance": 19}}},
        {"assignment": {"controls": {"items": "c.csv", "every": [20, 30]}}},
    ],
)
def test_what_can_just_act(keys: dict[str, Any]) -> None:
    assert lint(a_study(**keys), items=20) == []


def test_the_most_that_one_annotator_gets_counts_too() -> None:
    keys = {"pace": {"breaks": [{"after_items": 15}]}, "assignment": {"most_per_annotator": 10}}
    assert places(lint(a_study(**keys))) == [("pace", "breaks", 0, "after_items")]


def test_batches_and_groups_that_are_there() -> None:
    keys = {"assignment": {"batches": "in_order", "together": True}, "pace": {"breaks": [{"between_batches": True}]}}
    assert lint(a_study(items={"batch": "part", "group": "prompt"}, **keys)) == []


def test_a_coefficient_for_dimensions_without_a_level() -> None:
    (warning,) = lint(a_study(NOTE, analysis={"agreement": {"coefficient": "fleiss_kappa"}}))
    assert warning.hint == "no dimension has a level of measurement"
