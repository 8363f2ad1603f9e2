"""Steps: what was done, where, what came of it and why; long things fold and nothing is lost."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.displays.steps import shorten_arguments, start_of
from tests.displays.blocks import HOSTILE, Seen, anything, assert_harmless, block, html_of, kept, scalars
from tests.examples import examples

STEPS = block("steps", {"field": "trace", "answer": "final"})
BARE = block("steps", "trace")
PARTS = ("operation", "arguments", "result", "reasoning")
TRACE = [
    {
        "operation": "READ_TEXT",
        "arguments": {"x1": 1, "y1": 2, "x2": 30, "y2": 40},
        "result": "HOTEL",
        "type": "canary",
    },
    {"operation": "POINT", "arguments": {"x": 5, "y": 6.5}, "reasoning": "There it is.", "model": {"name": "canary"}},
]


def shown(trace: Any, prefix: str = "", **more: Any) -> Seen:
    html = html_of(STEPS, kept(STEPS, {"trace": trace, **more}), prefix)
    assert_harmless(html)
    return Seen(html)


def test_a_step_says_what_where_and_what_came_of_it() -> None:
    page = shown(TRACE, final="A hotel")
    assert page.attributes("data-place") == ["1", "2"]
    assert page.of("operation") == ["READ_TEXT", "POINT"]
    assert page.of("place") == ["(1, 2, 30, 40)", "(5, 6.5)"]
    assert page.of("gave") == ["HOTEL"]
    assert page.of("reasoning") == ["There it is."]
    assert page.of("given") == ["A hotel"]


def test_the_side_of_a_pair_stands_before_the_number() -> None:
    assert shown(TRACE, "A").attributes("data-place") == ["A1", "A2"]
    page = shown(TRACE, "B")
    assert page.of("badge") == ["B1", "B2"]
    assert len(page.of("second")) == 2


def test_equal_steps_are_shown_as_often_as_they_were_taken() -> None:
    assert len(shown(TRACE[:1] * 3).of("step")) == 3


def test_a_missing_answer_says_so_only_where_one_is_asked_for() -> None:
    for final in ("", " ", None):
        assert "(no final answer)" in shown(TRACE, final=final).text
    assert "(no final answer)" in shown(TRACE).text
    assert "answer" not in html_of(BARE, {"trace": TRACE})


@pytest.mark.parametrize(
    ("arguments", "short"),
    [
        ({}, ("", "")),
        (None, ("", "")),
        ("", ("", "")),
        (0, ("", "0")),
        ("left", ("", "left")),
        ([1, 2], ("", "[1, 2]")),
        ({"x": 480, "y": 105.0}, ("(480, 105)", "")),
        ({"x1": 1, "y1": 2, "x2": 3, "y2": 4}, ("(1, 2, 3, 4)", "")),
        ({"point": [0.25, 0.5]}, ("(0.25, 0.5)", "")),
        ({"bbox": [1, 2, 3, 4]}, ("(1, 2, 3, 4)", "")),
        ({"box": [1, 2, 3]}, ("", '{"box": [1, 2, 3]}')),
        ({"x": 1, "y": True}, ("", '{"x": 1, "y": true}')),
        ({"x": 1, "y": 2, "label": "é"}, ("(1, 2)", '{"label": "é"}')),
        ({"points": [[1, 2], [3, 4], [5, 6]]}, ("", '{"points": [[1, 2], [3, 4], [5, 6]]}')),
        ({"x": 10**400, "y": 2}, ("", json.dumps({"x": 10**400, "y": 2}))),
    ],
)
def test_arguments_are_said_in_few_signs(arguments: Any, short: tuple[str, str]) -> None:
    assert shorten_arguments(arguments) == short


def test_how_far_a_step_zooms_in_is_said_in_words() -> None:
    page = shown([{"operation": "ZOOM_IN", "arguments": {"center": [480, 300], "zoom_factor": 2.0}}])
    assert page.of("zoom") == ["zoom 2"]
    assert "zoom_factor" not in page.text
    found = STEPS.view({"trace": [{"operation": "ZOOM_IN", "arguments": {"x": 1, "y": 2, "zoom_factor": 1.5, "z": 0}}]})
    assert (found["steps"][0]["zoom"], found["steps"][0]["arguments"]) == ("1.5", '{"z": 0}')
    odd = STEPS.view({"trace": [{"operation": "ZOOM_IN", "arguments": {"zoom_factor": "more"}}]})["steps"][0]
    assert (odd["zoom"], odd["arguments"]) == ("", '{"zoom_factor": "more"}')


def test_long_arguments_and_results_fold_and_stay_whole() -> None:
    query, lines = "find " * 40, "\n".join(f"line {number}" for number in range(9))
    page = shown([{"operation": "SEARCH", "arguments": {"query": query}, "result": lines}])
    assert page.of("whole") == [json.dumps({"query": query}), lines]
    assert page.of("start")[2] == "\n".join(lines.split("\n")[:6])
    assert len(page.of("fold")) == 2
    assert shown([{"operation": "x", "result": "short\n" * 5}]).of("fold") == []


@given(st.text(), st.integers(1, 6), st.integers(1, 30))
@settings(max_examples=examples(100))
def test_the_start_of_a_text_is_its_start(text: str, lines: int, length: int) -> None:
    start = start_of(text, lines, length)
    assert text.startswith(start)
    assert len(start) <= length
    assert start.count("\n") < lines


def test_only_the_four_named_parts_are_kept() -> None:
    assert "canary" not in json.dumps(STEPS.keep("trace", TRACE))
    named = block("steps", {"field": "trace", "operation": "tool", "arguments": "args"})
    assert named.keep("trace", [{"tool": "x", "args": {}, "operation": "canary", "result": 1}]) == [
        {"tool": "x", "args": {}, "result": 1}
    ]


@given(st.lists(st.dictionaries(st.text().filter(lambda name: name not in PARTS), st.just("canary"))))
@settings(max_examples=examples(50), deadline=None)
def test_nothing_unnamed_is_kept(trace: list[dict[str, str]]) -> None:
    assert "canary" not in json.dumps(STEPS.keep("trace", trace))
    assert "canary" not in html_of(STEPS, {"trace": trace})


traces = st.lists(st.dictionaries(st.sampled_from(PARTS), scalars), min_size=1, max_size=4)


@given(anything(*PARTS, "x", "y", "points") | traces, anything())
@example([{"operation": "LOOK", "result": "a wall"}, {"operation": "GO"}], None)
@settings(max_examples=examples(100), deadline=None)
def test_whatever_is_kept_can_be_shown(trace: Any, final: Any) -> None:
    found = kept(STEPS, {"trace": trace, "final": final})
    assert kept(STEPS, found) == found
    page = Seen(html_of(STEPS, found, "A"))
    if isinstance(trace, list) and STEPS.mistake_in("trace", trace) is None:
        assert len(page.of("step")) == len(trace)


@given(st.lists(st.fixed_dictionaries({part: st.text() | st.just(HOSTILE) for part in PARTS}), max_size=4))
@settings(max_examples=examples(50), deadline=None)
def test_no_word_of_a_step_is_lost_or_run(trace: list[dict[str, str]]) -> None:
    text = shown(trace).text
    for step in trace:
        assert all(said in text for said in step.values() if said.strip())


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("x", "a list of steps is expected, not a text"),
        ({"operation": "x"}, "a list of steps is expected, not a mapping"),
        ([{}, "x"], "step 2 is a text, not a mapping"),
        (None, None),
        ([], None),
    ],
)
def test_what_cannot_be_steps_is_refused_in_words(value: Any, words: str | None) -> None:
    assert STEPS.mistake_in("trace", value) == words
    assert STEPS.mistake_in("final", value) is None


def test_no_steps_are_said_to_be_none() -> None:
    assert shown([]).of("empty")[0] == "(There is nothing here.)"
