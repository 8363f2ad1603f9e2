"""Tables: mappings, lists of mappings and lists of texts, with nothing in them that was not named."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.displays.blocks import HOSTILE, Seen, anything, assert_harmless, block, html_of, kept, scalars
from tests.examples import examples

WHOLE = block("table", "facts")
NAMED = block("table", {"field": "facts", "label": "Offers", "columns": {"name": "Hotel", "price": "Price"}})
OFFERS = [{"price": 120, "name": "Lark", "score": "canary"}, {"name": "Mill", "price": 95.5, "by": {"canary": 1}}]


def shown(display: Any, value: Any) -> Seen:
    html = html_of(display, kept(display, {"facts": value}))
    assert_harmless(html)
    return Seen(html)


def cells(page: Seen) -> list[str]:
    return [attributes.get("class", "") for tag, attributes in page.tags if tag in ("th", "td")]


def test_a_list_of_mappings_has_the_named_columns_in_order() -> None:
    page = shown(NAMED, OFFERS)
    assert page.of("<th>") == ["Hotel", "Price"]
    assert page.of("<td>") == ["Lark", "120", "Mill", "95.5"]
    assert cells(page) == ["", "n"] * 3, "numbers are set to the end, with their heading"
    [region] = [attributes for _, attributes in page.tags if attributes.get("role") == "region"]
    assert (region["tabindex"], region["aria-label"]) == ("0", "Offers")


def test_without_columns_everything_flat_is_shown() -> None:
    page = shown(WHOLE, [{"a": 1}, {"b": None, "a": "x"}])
    assert page.of("<th>") == ["a", "b"]
    assert page.of("<td>") == ["1", "", "x", ""]
    assert cells(page) == [""] * 6, "a column with a text in it is none of numbers"


def test_a_mapping_is_a_row_for_each_key() -> None:
    page = shown(WHOLE, {"Stars": 4, "Pets": True, "Tags": ["quiet", "central"]})
    assert page.of("<th>") == ["Stars", "Pets", "Tags"]
    assert page.of("<td>") == ["4", "true", "quiet, central"]
    assert cells(shown(WHOLE, {"a": 1, "b": 2})) == ["", "n", "", "n"]
    assert "score" not in shown(NAMED, OFFERS[0]).text


def test_a_list_of_texts_is_a_list() -> None:
    page = shown(WHOLE, ["Find a pharmacy", HOSTILE, 3])
    assert page.of("entries") == [f"Find a pharmacy{HOSTILE}3"]


@pytest.mark.parametrize("value", [None, [], {}, [{}], "text"])
def test_nothing_says_so(value: Any) -> None:
    assert shown(WHOLE, value).of("empty") == ["(There is nothing here.)"]


@given(st.lists(st.dictionaries(st.text().filter(lambda name: name not in ("name", "price")), st.just("canary"))))
@settings(max_examples=examples(50), deadline=None)
def test_nothing_unnamed_is_kept(rows: list[dict[str, str]]) -> None:
    nested = [{**row, "name": {"canary": 1}, "price": [["canary"]]} for row in rows]
    assert "canary" not in json.dumps(NAMED.keep("facts", nested))
    assert "canary" not in json.dumps([NAMED.keep("facts", row) for row in rows])
    assert NAMED.keep("facts", ["canary"]) == []


tables = st.lists(st.dictionaries(st.sampled_from(["name", "price", "other"]), scalars), min_size=1, max_size=4)


@given(anything("name", "price") | tables, st.sampled_from([WHOLE, NAMED]))
@example([{"name": "a", "price": 1}], WHOLE)
@example([{"name": "a", "price": 1}], NAMED)
@settings(max_examples=examples(100), deadline=None)
def test_whatever_is_kept_can_be_shown(value: Any, display: Any) -> None:
    found = kept(display, {"facts": value})
    assert kept(display, found) == found
    page = Seen(html_of(display, found))
    if isinstance(value, list) and display.mistake_in("facts", value) is None and any(map(bool, value)):
        assert page.of("cells") or page.of("entries")


@given(st.lists(st.dictionaries(st.text(), scalars | st.just(HOSTILE), min_size=1), min_size=1, max_size=4))
@settings(max_examples=examples(50), deadline=None)
def test_no_word_of_a_table_is_lost_or_run(rows: list[dict[str, Any]]) -> None:
    assert WHOLE.mistake_in("facts", rows) is None
    text = shown(WHOLE, rows).text
    for row in rows:
        assert all(name in text for name in row)
        assert all(value in text for value in row.values() if isinstance(value, str))


@pytest.mark.parametrize(
    ("display", "value", "words"),
    [
        (WHOLE, "x", "a mapping, a list of mappings or a list of texts is expected, not a text"),
        (WHOLE, {"a": {}}, "'a' is a mapping, which does not fit into a cell; name the columns to show"),
        (
            WHOLE,
            [{"a": 1}, {"a": [[1]]}],
            "in row 2, 'a' is a list, which does not fit into a cell; name the columns to show",
        ),
        (NAMED, [{"name": {}}], "in row 1, 'name' is a mapping, which does not fit into a cell"),
        (WHOLE, [{"a": 1}, "x"], "row 2 is a text, not a mapping like the others"),
        (WHOLE, ["x", ["y"]], "entry 2 is a list, not a text"),
        (NAMED, ["x"], "columns are named, but this is a list of texts"),
        (NAMED, OFFERS, None),
        (NAMED, [], None),
        (WHOLE, None, None),
    ],
)
def test_what_cannot_be_a_table_is_refused_in_words(display: Any, value: Any, words: str | None) -> None:
    assert display.mistake_in("facts", value) == words
