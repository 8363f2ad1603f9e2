"""Conversations: who says what, in order, and nothing else of a turn."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.displays.blocks import HOSTILE, Seen, anything, assert_harmless, block, html_of, kept, scalars
from tests.examples import examples

TURNS = block("chat", {"field": "log", "turns": {"user": "Driver", "system": "Assistant"}})
MESSAGES = block("chat", {"field": "log", "speakers": {"user": "User", "assistant": "Assistant"}})
NOW = block(
    "chat", {"field": "log", "turns": {"user": "User", "system": "System"}, "last": "u", "last_speaker": "User"}
)
LOG: list[dict[str, Any]] = [
    {"user": "Take me home.", "system": "Which way?", "evaluation": {"labels": ["canary"]}, "latency": "canary"},
    {"user": "The fast one.", "system": "Done.", "model": "canary"},
]
EMPTY = "(There is nothing here.)"
every = pytest.mark.parametrize("display", [TURNS, MESSAGES, NOW], ids=["turns", "messages", "now"])


def shown(display: Any, log: Any, **more: Any) -> Seen:
    html = html_of(display, kept(display, {"log": log, **more}))
    assert_harmless(html)
    return Seen(html)


def test_a_turn_shows_its_speakers_in_order_and_its_number_once() -> None:
    page = shown(TURNS, LOG)
    assert [" ".join(each.split()) for each in page.of("who")] == ["1 Driver", "Assistant", "2 Driver", "Assistant"]
    assert page.of("says") == ["Take me home.", "Which way?", "The fast one.", "Done."]
    assert page.attributes("data-place") == ["turn-1", "turn-2"]
    assert len(page.of("other")) == 2, "all but the first speaker are set off"


def test_a_message_is_a_turn_of_its_own() -> None:
    page = shown(MESSAGES, [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Good day"}])
    assert [" ".join(each.split()) for each in page.of("who")] == ["1 User", "2 Assistant"]
    assert page.of("says") == ["Hello", "Good day"]


def test_turns_can_go_without_numbers() -> None:
    display = block("chat", {"field": "log", "turns": {"user": "Driver"}, "numbered": False})
    assert shown(display, LOG).of("number") == []


def test_the_newest_turn_is_marked_and_the_earlier_ones_step_back() -> None:
    page = shown(NOW, LOG, u="And now?")
    assert page.attributes("data-place") == ["turn-1", "turn-2", "turn-3"]
    assert ["And now?" in each for each in page.of("now")] == [True]
    assert len(page.of("stepped-back")) == 1
    assert [" ".join(each.split()) for each in page.of("who")][-1] == "3 User now"
    assert len(page.of("other")) == 2, "the newest is the first speaker's"
    assert shown(NOW, LOG, u=" ").of("stepped-back") == []


@every
def test_an_empty_conversation_says_so(display: Any) -> None:
    assert shown(display, []).of("empty") == [EMPTY]
    assert shown(display, None).of("empty") == [EMPTY]
    assert Seen(html_of(display, {})).of("empty") == [EMPTY]


def test_a_turn_in_which_nobody_speaks_keeps_its_place() -> None:
    page = shown(TURNS, [{"user": None}, {"user": "", "system": "Yes?"}])
    assert page.attributes("data-place") == ["turn-1", "turn-2"]
    assert page.of("says") == ["(nothing)", "(nothing)", "Yes?"]


def test_only_named_parts_of_a_turn_are_kept() -> None:
    assert TURNS.keep("log", LOG) == [{"user": each["user"], "system": each["system"]} for each in LOG]
    message = {"role": "user", "content": "Hi", "model": "canary", "usage": {"canary": 1}}
    assert MESSAGES.keep("log", [message, {"role": "canary-7b", "content": "x"}]) == [
        {"role": "user", "content": "Hi"},
        {},
    ]
    assert NOW.keep("u", {"canary": "canary"}) is None


@given(st.lists(st.dictionaries(st.text(), st.just("canary"))), st.sampled_from([TURNS, MESSAGES, NOW]))
@settings(max_examples=examples(50), deadline=None)
def test_nothing_unnamed_is_kept(extras: list[dict[str, str]], display: Any) -> None:
    said: dict[str, Any] = {"user": "a", "system": {"canary": 1}, "role": "user", "content": ["canary"]}
    log = [{**extra, **said} for extra in extras]
    assert "canary" not in json.dumps(display.keep("log", log))


TURN = {"user": scalars, "system": scalars, "role": st.sampled_from(["user", "assistant"]), "content": st.text()}
logs = st.lists(st.fixed_dictionaries(TURN), min_size=1, max_size=4)


@given(anything("user", "system", "role", "content") | logs, anything(), st.sampled_from([TURNS, MESSAGES, NOW]))
@example([{"user": "a", "system": "b"}, {"user": "c", "system": ""}], None, TURNS)
@example([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}], None, MESSAGES)
@settings(max_examples=examples(100), deadline=None)
def test_whatever_is_kept_can_be_shown(log: Any, last: Any, display: Any) -> None:
    found = kept(display, {"log": log, "u": last})
    assert kept(display, found) == found
    page = Seen(html_of(display, found))
    if isinstance(log, list) and log and display.mistake_in("log", log) is None and display is not NOW:
        assert page.attributes("data-place") == [f"turn-{number}" for number in range(1, len(log) + 1)]


@given(st.lists(st.fixed_dictionaries({"user": st.text(), "system": st.text() | st.just(HOSTILE)}), max_size=5))
@settings(max_examples=examples(50), deadline=None)
def test_no_word_of_a_conversation_is_lost_or_run(log: list[dict[str, str]]) -> None:
    assert TURNS.mistake_in("log", log) is None
    said = [text for turn in log for text in (turn["user"], turn["system"])]
    assert shown(TURNS, log).of("says") == [text if text.strip() else "(nothing)" for text in said]


@pytest.mark.parametrize(
    ("display", "value", "words"),
    [
        (TURNS, "hello", "a list of turns is expected, not a text"),
        (TURNS, {"user": "x"}, "a list of turns is expected, not a mapping"),
        (TURNS, [{"user": "x"}, 3], "turn 2 is a number, not a mapping"),
        (TURNS, [{"text": "x"}], "turn 1 has none of: user, system"),
        (TURNS, [{"user": ["x"]}], "in turn 1, 'user' is a list, not a text"),
        (MESSAGES, [{"content": "x"}], "turn 1 has no 'role'"),
        (MESSAGES, [{"role": "user"}], "turn 1 has none of: content"),
        (MESSAGES, [{"role": "gpt", "content": "x"}], 'turn 1 is of "gpt", who is not among the speakers'),
        (MESSAGES, [{"role": None, "content": "x"}], "turn 1 is of null, who is not among the speakers"),
        (MESSAGES, [{"role": "user", "content": {}}], "in turn 1, 'content' is a mapping, not a text"),
    ],
)
def test_what_cannot_be_a_conversation_is_refused_in_words(display: Any, value: Any, words: str) -> None:
    assert display.mistake_in("log", value) == words


def test_a_newest_turn_that_is_no_text_is_refused() -> None:
    assert NOW.mistake_in("u", ["x"]) == "a text is expected, not a list"
    assert NOW.mistake_in("u", "x") is None


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ({"field": "log"}, "it does not say who speaks"),
        ("log", "it does not say who speaks"),
        ({"field": "log", "turns": {"a": "A"}, "speakers": {"b": "B"}}, "it has both turns and speakers"),
    ],
)
def test_a_chat_says_who_speaks_in_one_way(written: Any, words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        block("chat", written)


def test_a_sample_of_messages_can_be_shown() -> None:
    for display in (TURNS, MESSAGES, NOW):
        sample = display.sample()
        assert all(display.mistake_in(name, value) is None for name, value in sample.items())
        assert kept(display, sample) == sample


def test_a_conversation_can_be_tidied_and_have_chips() -> None:
    display = block("chat", {"field": "log", "turns": {"user": "User"}, "chips": True, "tidy": True, "lang": "en"})
    page = shown(display, [{"user": "a [hotel_area] hotel ."}])
    assert page.of("says") == ["a hotel area hotel."]
    assert page.attributes("lang") == ["en"]
