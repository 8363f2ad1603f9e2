"""Texts: shown as they are, or dressed for reading, and never run."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from assay.displays.formatted_text import replace_placeholders, tidy_tokens
from tests.displays.blocks import HOSTILE, Seen, anything, assert_harmless, block, html_of
from tests.examples import examples

PLAIN = block("text", "response")
DRESSED = block("text", {"field": "response", "chips": True, "tidy": True})
CHIPS = block("text", {"field": "response", "chips": {"hotel_name": "name of the hotel"}})
MARKDOWN = block("text", {"field": "response", "markdown": True})
pieces = st.lists(
    st.sampled_from([" ", "  ", "\n", ".", ",", "'s", "n't", "-s", "-ly", "(", ")", "[a_b]", "do", "<b>"])
)


def shown(display: Any, text: Any) -> Seen:
    html = html_of(display, {"response": text})
    assert_harmless(html)
    return Seen(html)


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (False, "false"), (1.5, "1.5"), (["é"], '["é"]'), ({"a": 1}, '{"a": 1}')]
)
def test_what_is_no_text_is_shown_as_the_file_has_it(value: Any, text: str) -> None:
    assert shown(PLAIN, value).of("prose") == [text]


@given(st.text() | st.just(HOSTILE))
@settings(max_examples=examples(100), deadline=None)
def test_a_text_is_shown_exactly_as_it_is(text: str) -> None:
    assert shown(PLAIN, text).of("prose") == ([text] if text.strip() else [])


@given(anything("response"))
@settings(max_examples=examples(100), deadline=None)
def test_no_value_is_too_odd_to_be_shown(value: Any) -> None:
    for display in (PLAIN, DRESSED, CHIPS, MARKDOWN):
        assert display.mistake_in("response", value) is None
        shown(display, display.keep("response", value))


def test_an_empty_text_says_so() -> None:
    for value in ("", " \n", None):
        assert shown(PLAIN, value).of("empty") == ["(This text is empty.)"]


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        ("i found 3 restaurant -s in town .", "i found 3 restaurants in town."),
        ("well , yes ; they do n't !", "well, yes; they don't!"),
        ("the driver 's number ( a phone ) is : 5", "the driver's number (a phone) is: 5"),
        ("[price] -ly priced", "[price]ly priced"),
        ("it is ... fine . . .", "it is... fine..."),
        ("costs .5 or - s, grep -v", "costs .5 or - s, grep -v"),
        ("a line\n. and\n( another )", "a line\n. and\n(another)"),
    ],
)
def test_tokenised_text_is_shown_as_people_write_it(raw: str, seen: str) -> None:
    assert tidy_tokens(raw) == seen


@given(pieces.map("".join) | st.text())
@settings(max_examples=examples(100), deadline=None)
def test_tidying_takes_away_nothing_but_spaces_and_hyphens(text: str) -> None:
    assert re.sub("[ -]", "", tidy_tokens(text)) == re.sub("[ -]", "", text)


def test_tidying_a_very_long_text_comes_to_an_end() -> None:
    long = " " * 100_000 + "( " * 20_000 + "[a" * 20_000 + " ." * 20_000
    assert tidy_tokens(long) == " " * 100_000 + "(" * 20_000 + "[a" * 20_000 + "." * 20_000


def test_placeholders_are_chips_in_plain_words() -> None:
    page = shown(CHIPS, "[hotel_name] is in the [hotel_area], see [1], [not this] and [].")
    assert page.of("chip") == ["name of the hotel", "hotel area"]
    assert page.attributes("title") == ["[hotel_name]", "[hotel_area]"]
    assert page.of("prose") == ["name of the hotel is in the hotel area, see [1], [not this] and []."]


@given(pieces.map("".join) | st.text() | st.just(f"[a_b]{HOSTILE}[c]"))
@settings(max_examples=examples(100), deadline=None)
def test_chips_keep_every_word_of_the_text(text: str) -> None:
    html = f"<p>{replace_placeholders(text, {'a_b': HOSTILE})}</p>"
    assert_harmless(html)
    assert Seen(html).raw == text


def test_a_placeholder_that_ends_a_word_is_a_chip_with_the_ending() -> None:
    assert shown(DRESSED, "a [price_range] -ly priced place .").of("prose") == ["a price rangely priced place."]


def test_markdown_is_made_and_nothing_in_it_runs() -> None:
    page = shown(MARKDOWN, f"**bold** and\n\n- one\n\n[link](javascript:alert(1))\n\n{HOSTILE}")
    assert {"strong", "ul", "li"} <= {tag for tag, _ in page.tags}
    assert HOSTILE.replace("&amp;", "&") in page.text


def test_a_text_has_its_language_and_its_own_direction() -> None:
    page = shown(block("text", {"field": "response", "lang": "ar"}), "مرحبا")
    assert ("div", {"class": "prose", "lang": "ar", "dir": "auto"}) in page.tags
    assert shown(PLAIN, "x").attributes("lang") == []


def test_markdown_and_chips_together_are_refused() -> None:
    with pytest.raises(ValidationError, match="markdown and chips cannot be used together"):
        block("text", {"field": "response", "markdown": True, "chips": {}})
