"""JSON lines: every value is read exactly as it stands, or refused with its row and column."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.items.files import items_of, mistakes_of, written


@pytest.mark.parametrize("id_", ["007", " 7", "1e5", "NA", "null", "1.0", "true", "é", "👩‍👩‍👧"])
def test_an_id_in_quotes_stays_as_it_is(tmp_path: Path, id_: str) -> None:
    [item] = items_of(written(tmp_path, "items.jsonl", json.dumps({"id": id_, "text": "x"})))
    assert item.id == id_


@pytest.mark.parametrize("number", [7, 0, -1, 2**53 + 1])
def test_a_whole_number_as_an_id_becomes_its_digits(tmp_path: Path, number: int) -> None:
    [item] = items_of(written(tmp_path, "items.jsonl", json.dumps({"id": number, "text": "x"})))
    assert item.id == str(number)
    assert item.hidden == {"id": number}


@pytest.mark.parametrize(
    "value",
    [
        "",
        "two\nlines",
        "\u2028",
        "👩‍👩‍👧",
        "=1+1",
        0,
        2**53 + 1,
        0.1,
        True,
        None,
        [],
        {},
        [{"a": [1, None, "x"]}],
        "x" * 10_000_000,
    ],
    ids=lambda value: repr(value)[:12],
)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_value_is_read_exactly_as_it_stands(tmp_path: Path, value: Any, ascii_only: bool) -> None:
    line = json.dumps({"id": "1", "text": value, "more": value}, ensure_ascii=ascii_only)
    [item] = items_of(written(tmp_path, "items.jsonl", line))
    assert item.shown == {"text": value}
    assert item.hidden == {"id": "1", "more": value}
    assert type(item.shown["text"]) is type(value)


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@pytest.mark.parametrize(
    ("line", "place", "what"),
    [
        ('{"id": "1", "text": }', "row 2", "this is not JSON: Expecting value (character 21)"),
        ('{"id": "1", "text": "x"', "row 2", "this is not JSON: Expecting ',' delimiter (character 24)"),
        ("1", "row 2", "the line is not an object"),
        ('["1", "x"]', "row 2", "the line is not an object"),
        ("null", "row 2", "the line is not an object"),
        ('{"id": "1", "text": "x", "id": "2"}', "row 2", "the key 'id' stands twice"),
        ('{"id": "1", "text": {"a": 1, "a": 2}}', "row 2", "the key 'a' stands twice"),
        ('{"id": "1", "text": NaN}', "row 2", "NaN is not JSON"),
        ('{"id": "1", "text": -Infinity}', "row 2", "-Infinity is not JSON"),
        ('{"id": "1", "text": 1e999}', "row 2, column text", "the number is too large"),
        ('{"id": "1", "text": [[1e999]]}', "row 2, column text", "the number is too large"),
        ('{"id": "1", "text": "\\u0000"}', "row 2, column text", "the text holds a NUL character"),
        (
            '{"id": "1", "text": "\\ud800"}',
            "row 2, column text",
            "the text holds half of a character (a lone surrogate)",
        ),
        (
            '{"id": "1", "text": {"\\ud800": 1}}',
            "row 2, column text",
            "the text holds half of a character (a lone surrogate)",
        ),
        (
            '{"id": "1", "text": "x", "\\ud800": 1}',
            "row 2, column \\ud800",
            "the text holds half of a character (a lone surrogate)",
        ),
        ('{"id": "1", "text": "x", "\\u0000": 1}', "row 2, column \\x00", "the text holds a NUL character"),
        (
            '{"id": "1", "text": ' + nested(51) + "}",
            "row 2, column text",
            "the value is nested more than 50 levels deep",
        ),
        (
            '{"id": "1", "text": ' + nested(600) + "}",
            "row 2, column text",
            "the value is nested more than 50 levels deep",
        ),
        ('{"id": ' + nested(600) + ', "text": 1}', "row 2, column id", "the value is nested more than 50 levels deep"),
        ('{"id": 1.0, "text": "x"}', "row 2, column id", "1.0 cannot be the id"),
        ('{"id": null, "text": "x"}', "row 2, column id", "null cannot be the id"),
        ('{"id": true, "text": "x"}', "row 2, column id", "true cannot be the id"),
        ('{"id": ["1"], "text": "x"}', "row 2, column id", '["1"] cannot be the id'),
        ('{"id": "first", "text": "x"}', "row 2, column id", "the id 'first' was already in row 1"),
        ('{"id": "1"}', "row 2", "there is no field 'text' here"),
    ],
)
def test_what_is_wrong_is_refused_with_its_row_and_column(tmp_path: Path, line: str, place: str, what: str) -> None:
    path = written(tmp_path, "items.jsonl", f'{{"id": "first", "text": "x"}}\n{line}\n')
    assert mistakes_of(path) == [(place, what)]


def test_nesting_without_end_is_refused_with_its_row(tmp_path: Path) -> None:
    path = written(tmp_path, "items.jsonl", "[" * 100_000)
    assert mistakes_of(path) == [("row 1", "the nesting is too deep")]


def test_a_number_without_end_is_refused_with_its_row(tmp_path: Path) -> None:
    path = written(tmp_path, "items.jsonl", '{"id": "1", "text": ' + "9" * 5000 + "}")
    assert mistakes_of(path) == [("row 1", "a number has too many digits")]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_a_file_without_lines_has_no_items(tmp_path: Path, content: bytes) -> None:
    assert mistakes_of(written(tmp_path, "items.jsonl", content)) == [("", "there are no items here")]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('{"id": "1", "text": "é"}'.encode("utf-16"), "the file is UTF-16"),
        ('{"id": "1", "text": "x"}\n{"id": "2", "text": "é"}'.encode("latin-1"), "byte 46 is not UTF-8"),
    ],
)
def test_another_encoding_is_one_problem_with_the_byte(tmp_path: Path, content: bytes, what: str) -> None:
    assert mistakes_of(written(tmp_path, "items.jsonl", content)) == [("", what)]


def test_marks_and_line_ends_do_not_matter(tmp_path: Path) -> None:
    [item] = items_of(written(tmp_path, "items.ndjson", '\ufeff{"id": "1", "text": "x"}\r\n\r\n'))
    assert (item.id, item.shown) == ("1", {"text": "x"})
