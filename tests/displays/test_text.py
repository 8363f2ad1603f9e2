"""Texts: shown as they are, or dressed for reading, and never run."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from assay.displays.formatted_text import Wording, as_chips, tidy_tokens
from assay.markdown_text import markdown
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


@pytest.mark.parametrize("nothing", ["", " \n", None])
def test_where_a_text_is_empty_the_page_says_so_or_what_the_study_says_of_it(nothing: Any) -> None:
    told = block("text", {"field": "response", "if_empty": "None: <b>look</b> yourself."})
    assert shown(PLAIN, nothing).of("empty") == ["(This text is empty.)"]
    assert shown(told, nothing).of("empty") == ["None: <b>look</b> yourself."]
    assert told.plain_text({"response": nothing}) == "None: <b>look</b> yourself.", "for judges and on sheets, too"
    assert shown(told, "here").of("prose") == ["here"]
    assert (told.plain_text({"response": "here"}), shown(told, "here").of("empty")) == ("here", [])


def test_what_stands_for_an_empty_text_is_not_how_the_item_begins_and_has_its_own_direction() -> None:
    told = block("text", {"field": "response", "if_empty": "No reply was written."})
    assert told.opening({"response": " "}).strip() == ""
    assert told.opening({"response": "Hello"}) == "Hello"
    assert told.plain_text({"response": ""}) == "No reply was written."
    assert '<p class="empty" dir="auto">No reply' in html_of(told, {"response": ""})


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
    html = f"<p>{as_chips(text, Wording({'a_b': HOSTILE}))}</p>"
    assert_harmless(html)
    assert Seen(html).raw == text


def test_a_placeholder_with_an_ending_is_one_chip_in_words_of_its_own_or_with_the_ending_behind() -> None:
    assert shown(DRESSED, "a [price_range] -ly priced place .").of("prose") == ["a price range-ly priced place."]
    words = {"price_range": "cheap or dear", "price_range -ly": "cheaply or dearly"}
    display = block("text", {"field": "response", "chips": words, "tidy": True})
    page = shown(display, "a [price_range] -ly priced , [price_range] place -s , [price_range] -er")
    assert page.of("chip") == ["cheaply or dearly", "cheap or dear", "cheap or dear-er"]
    assert page.attributes("title") == ["[price_range] -ly", "[price_range]", "[price_range] -er"]
    assert page.of("prose") == ["a cheaply or dearly priced, cheap or dear places, cheap or dear-er"]
    plain = display.plain_text({"response": "a [price_range] -ly priced place ."})
    assert plain == "a [cheaply or dearly] priced place."


def test_guidelines_show_the_study_s_placeholders_as_its_page_does_and_nothing_else() -> None:
    wording = Wording({"hotel_name": "name of <the> hotel"}, tidy=True)
    text = "| a | b |\n|---|---|\n| [hotel_name] is near . | [x] & `[hotel_name] .` |\n\n[coordinator: a & b]"
    page = Seen(str(wording.dress(markdown(text))))
    assert page.of("chip") == ["name of <the> hotel"]
    assert "name of <the> hotel is near." in page.text
    assert "[x] & [hotel_name] ." in page.text
    assert "[coordinator: a & b]" in page.text
    assert Wording().dress(markdown("**[hotel_name]** .")) == markdown("**[hotel_name]** .")
    assert (wording | Wording({"a": "b"})).words.keys() == {"a", "hotel_name"}


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
