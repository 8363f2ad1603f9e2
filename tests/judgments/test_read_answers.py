"""What an annotator sends becomes values that hold by the study's rules, or words on what is missing."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.errors import AnswersRefused
from assay.judgments import questions_of, read_answers
from assay.model import Slot, Value
from assay.study import Study, load
from assay.study.schema import study_type
from assay.study.templates import HERE
from assay.words import ENGLISH
from tests.examples import examples

SCORES = {"emotion": ["3"], "validation": ["3"], "helpfulness": ["2"], "safety": ["3"], "overall": ["4"]}
SHOWN = {"user_statement": "I lost my job.", "response": "That must weigh on you."}
MISSING = ENGLISH("answers.missing")
NOTHING = ENGLISH("answers.nothing")
WHY = "Say in a few words why (a score is 1 or 5)."

EMPATHY = load(HERE / "empathy")


@pytest.fixture
def study() -> Study:
    return EMPATHY


def a_study(*rubric: dict[str, Any], rules: list[dict[str, str]] | None = None, field: str = "text") -> Study:
    items = {"source": "items.csv", "show": [{"text": {"field": field}}]}
    data = {"study": "small", "title": "", "items": items, "rubric": rubric, "rules": rules or []}
    return study_type().model_validate(data)


def refused(study: Study, form: dict[str, list[str]], **shown: Any) -> dict[str, str]:
    with pytest.raises(AnswersRefused) as raised:
        read_answers(study, {**SHOWN, **shown}, form)
    return raised.value.reasons


def read(study: Study, form: dict[str, list[str]], **shown: Any) -> dict[str, Value]:
    return {slot.key: value for slot, value in read_answers(study, {**SHOWN, **shown}, form).items()}


def test_a_filled_form_becomes_values_in_the_order_of_the_rubric(study: Study) -> None:
    answers = read(study, {"note": [" fine\r\nindeed "], "edge": ["repeats", "crisis"], **SCORES, "safety": ["4"]})
    assert answers == {
        "emotion": 3,
        "validation": 3,
        "helpfulness": 2,
        "safety": 4,
        "overall": 4,
        "edge": ["crisis", "repeats"],
        "note": "fine\nindeed",
    }
    assert list(answers) == [question.key for question in questions_of(study, {})]


def test_what_may_be_left_out_is_none(study: Study) -> None:
    answers = read(study, SCORES)
    assert answers["note"] is None
    assert answers["edge"] is None


@pytest.mark.parametrize("form", [{}, {"note": ["  "]}, {name: [""] for name in SCORES}, {"unknown": ["3"]}])
def test_an_untouched_form_is_refused_for_each_question(study: Study, form: dict[str, list[str]]) -> None:
    assert refused(study, form) == dict.fromkeys(SCORES, MISSING)


def test_an_untouched_form_is_refused_even_if_every_question_is_optional() -> None:
    study = a_study(
        {"dimension": "edge", "optional": True, "tags": {"a": "A"}}, {"dimension": "note", "optional": True, "text": {}}
    )
    assert refused(study, {}) == {"edge": NOTHING}
    assert refused(study, {"note": [" "], "edge": [""]}) == {"edge": NOTHING}
    assert read(study, {"note": ["x"]}) == {"edge": None, "note": "x"}


@pytest.mark.parametrize("left_out", SCORES)
def test_each_score_is_needed(study: Study, left_out: str) -> None:
    assert refused(study, {**SCORES, left_out: []}) == {left_out: MISSING}


@pytest.mark.parametrize(
    "raw", ["0", "6", "-1", "3.0", "3.5", "03", "+3", "1e0", "three", "٣", "３", "3 3", "9" * 5000, "\x00"]
)
def test_what_is_no_point_of_the_scale_is_refused_in_words(study: Study, raw: str) -> None:
    assert refused(study, {**SCORES, "emotion": [raw]}) == {"emotion": "Choose a whole number from 1 to 5."}


def test_several_points_of_a_scale_are_refused(study: Study) -> None:
    several = "Choose one answer, not several."
    assert refused(study, {**SCORES, "emotion": ["3", "4"]}) == {"emotion": several}
    assert refused(study, {**SCORES, "emotion": ["3", "3"]}) == {"emotion": several}


def test_a_tag_that_there_is_not_is_refused_in_words(study: Study) -> None:
    assert refused(study, {**SCORES, "edge": ["crisis", "nope"]}) == {"edge": 'There is no tag "nope" here.'}


@pytest.mark.parametrize(
    ("note", "words"),
    [
        ("x" * 4001, "The text has 4001 characters; at most 4000 can be kept."),
        ("a\x00b", "The text holds a character that cannot be stored. Please remove it."),
        ("a\ud800b", "The text holds a character that cannot be stored. Please remove it."),
    ],
)
def test_a_text_that_cannot_be_kept_is_refused_in_words(study: Study, note: str, words: str) -> None:
    assert refused(study, {**SCORES, "note": [note]}) == {"note": words}


def test_a_text_of_the_greatest_length_is_kept(study: Study) -> None:
    assert read(study, {**SCORES, "note": [" " + "😀" * 4000]})["note"] == "😀" * 4000


def test_every_wrong_answer_is_named_at_once_in_the_order_of_the_rubric(study: Study) -> None:
    reasons = refused(study, {"note": ["x" * 5000], "edge": ["nope"], "safety": ["7"]})
    assert list(reasons) == ["emotion", "validation", "helpfulness", "safety", "overall", "edge", "note"]


@pytest.mark.parametrize("dimension", SCORES)
@pytest.mark.parametrize("score", ["1", "5"])
@pytest.mark.parametrize("note", [[], [""], ["  \n\t "], ["\u00a0\u2003"], ["\r\n"]])
def test_a_score_of_1_or_5_needs_a_note_and_white_space_is_none(
    study: Study, dimension: str, score: str, note: list[str]
) -> None:
    assert refused(study, {**SCORES, dimension: [score], "note": note}) == {"note": WHY}
    assert read(study, {**SCORES, dimension: [score], "note": ["because"]})["note"] == "because"


@pytest.mark.parametrize("score", ["2", "3", "4"])
def test_a_middle_score_needs_no_note(study: Study, score: str) -> None:
    assert read(study, {name: [score] for name in SCORES})["note"] is None


def test_what_stands_wrong_in_a_field_is_said_before_what_a_rule_wants(study: Study) -> None:
    assert "characters" in refused(study, {**SCORES, "emotion": ["1"], "note": ["x" * 5000]})["note"]


def test_unknown_fields_are_ignored(study: Study) -> None:
    form = {**SCORES, "csrf": ["x"], "emotion.left": ["1"], "": ["5"], "Emotion": ["9"]}
    assert set(read(study, form)) == {question.key for question in questions_of(study, {})}


A = {"dimension": "a", "scale": {"from_": 1, "to": 5}}
NOTE = {"dimension": "note", "optional": True, "text": {}}


def test_of_two_rules_on_one_answer_the_earlier_one_speaks() -> None:
    rules = [
        {"required": "note", "when": "a == 1", "message": "first"},
        {"required": "note", "when": "a in [1, 2]", "message": "second"},
    ]
    study = a_study(A, NOTE, rules=rules)
    assert refused(study, {"a": ["1"]}) == {"note": "first"}
    assert refused(study, {"a": ["2"]}) == {"note": "second"}


def test_a_rule_without_a_message_has_the_usual_words() -> None:
    study = a_study(A, NOTE, rules=[{"required": "note", "when": "a == 1"}])
    assert refused(study, {"a": ["1"]}) == {"note": MISSING}


def test_a_rule_speaks_for_a_question_that_is_needed_anyway() -> None:
    study = a_study(A, {**NOTE, "optional": False}, rules=[{"required": "note", "when": "a == 1", "message": "why?"}])
    assert refused(study, {"a": ["1"]}) == {"note": "why?"}
    assert refused(study, {"a": ["2"]}) == {"note": MISSING}


def test_a_rule_sees_shown_fields_and_ticked_tags() -> None:
    edge = {"dimension": "edge", "optional": True, "tags": {"crisis": "C", "empty": "E"}}
    rules = [{"required": "note", "when": 'edge has crisis or text == ""'}]
    study = a_study(A, edge, NOTE, rules=rules)
    assert refused(study, {"a": ["3"], "edge": ["crisis"]}, text="x") == {"note": MISSING}
    assert refused(study, {"a": ["3"]}, text="") == {"note": MISSING}
    assert read(study, {"a": ["3"], "edge": ["empty"]}, text="x")["note"] is None


def test_an_answer_that_is_refused_does_not_let_a_field_of_its_name_speak() -> None:
    study = a_study(A, NOTE, rules=[{"required": "note", "when": "a == 1"}], field="a")
    assert refused(study, {"a": ["9"]}, a=1) == {"a": "Choose a whole number from 1 to 5."}


raw = st.lists(
    st.sampled_from(["1", "2", "3", "4", "5", "", " ", "crisis", "9", "x"]) | st.text(max_size=5), max_size=3
)
QUESTIONS = {question.slot for question in questions_of(EMPATHY, {})}
fields = st.sampled_from(sorted(slot.key for slot in QUESTIONS)) | st.text(max_size=5)


@settings(max_examples=examples(200), deadline=None)
@given(st.dictionaries(fields, raw) | st.dictionaries(fields, raw, max_size=2).map(lambda changed: SCORES | changed))
@example(SCORES)
def test_any_form_is_read_or_refused_in_words(form: dict[str, list[str]]) -> None:
    try:
        answers = read_answers(EMPATHY, SHOWN, form)
    except AnswersRefused as refusal:
        found = refusal.reasons
    else:
        found = {}
        assert set(answers) == QUESTIONS
        assert all(answers[Slot(name)] in range(1, 6) for name in SCORES)
    assert set(found) <= {slot.key for slot in QUESTIONS}
    assert all(found.values())
