"""JSON: the rows are found where the keys lead, with what stands around them; what is wrong is said with its place."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import assay.items.json as source
from assay.items import Mistakes, Options, read_rows
from tests.examples import examples

Rows = list[tuple[int | str, dict[str, Any]]]


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "items.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def rows_and_hints(path: Path, each: str = "") -> tuple[Rows, list[tuple[str, str]]]:
    """The rows, and what is wrong: (place and words, hint)."""
    mistakes = Mistakes(path)
    rows = list(read_rows(path, mistakes, Options(each=each)))
    said = [(f"{found.where}: {found.what}".removeprefix(f"{path.name}: "), found.hint) for found in mistakes.listed]
    return rows, said


def rows_of(folder: Path, content: Any, each: str = "") -> Rows:
    rows, said = rows_and_hints(written(folder, json.dumps(content)), each)
    assert said == []
    return rows


def said_of(folder: Path, content: Any, each: str = "") -> list[tuple[str, str]]:
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    return rows_and_hints(written(folder, text), each)[1]


# Where the rows are


def test_a_list_of_objects_is_the_rows(tmp_path: Path) -> None:
    assert rows_of(tmp_path, [{"a": 1}, {"a": [None]}]) == [(1, {"a": 1}), (2, {"a": [None]})]


def test_marks_and_line_ends_do_not_matter(tmp_path: Path) -> None:
    assert rows_and_hints(written(tmp_path, '\ufeff[\r\n{"a": 1}\r\n]\r\n')) == ([(1, {"a": 1})], [])


def test_each_names_the_key_of_the_list(tmp_path: Path) -> None:
    content = {"title": "t", "samples": [{"a": 1}, {"a": 2}]}
    assert rows_of(tmp_path, content, "samples") == [
        ("samples 1", {"title": "t", "a": 1}),
        ("samples 2", {"title": "t", "a": 2}),
    ]


def test_lists_on_the_way_are_walked_and_the_outer_fields_added(tmp_path: Path) -> None:
    content = [
        {"file": "A", "info": [{"t": 1}, {"t": 2}]},
        {"file": "B", "info": []},
        {"file": "C", "info": [{"t": 3}]},
    ]
    assert rows_of(tmp_path, content, "info") == [
        ("row 1, info 1", {"file": "A", "t": 1}),
        ("row 1, info 2", {"file": "A", "t": 2}),
        ("row 3, info 1", {"file": "C", "t": 3}),
    ]


def test_the_keys_may_lead_through_objects_and_lists_in_turn(tmp_path: Path) -> None:
    content = {"data": {"runs": [{"n": 1, "turns": [{"t": "a"}]}, {"n": 2, "turns": [{"t": "b"}]}]}}
    assert rows_of(tmp_path, content, "data.runs.turns") == [
        ("data.runs 1, turns 1", {"n": 1, "t": "a"}),
        ("data.runs 2, turns 1", {"n": 2, "t": "b"}),
    ]


def test_a_field_of_the_row_wins_over_one_around_it(tmp_path: Path) -> None:
    content = {"a": "outer", "b": "outer", "s": [{"a": "inner"}]}
    assert rows_of(tmp_path, content, "s") == [("s 1", {"a": "inner", "b": "outer"})]


def test_a_row_may_have_a_field_called_as_the_list(tmp_path: Path) -> None:
    assert rows_of(tmp_path, {"s": [{"s": 1}, {}]}, "s") == [("s 1", {"s": 1}), ("s 2", {})]


# What is wrong


@pytest.mark.parametrize(
    ("content", "each", "said"),
    [
        ({"a": 1, "s": [{}]}, "", ("this is one object, not a list of objects", "write each: s")),
        ({"a": {"s": [{}]}}, "a", ("a: this is one object, not a list of objects", "write each: a.s")),
        ({"s": [{}], "t": [{}]}, "", ("this is one object, not a list of objects", "write each: and one of s, t")),
        ({"s": [1], "t": []}, "", ("this is one object, not a list of objects", "items need a list of objects")),
        ({"samples": [{}]}, "sample", ("there is no key 'sample' here", "did you mean 'samples'?")),
        ({"a": [{}], "b": 1}, "zzz", ("there is no key 'zzz' here", "known here: a, b")),
        ([{"a": [{}]}, {"a": [{}]}], "zzz", ("row 1: there is no key 'zzz' here", "known here: a")),
        ([{"a": [{}]}, {"b": 1}], "a", ("row 2: there is no key 'a' here", "known here: b")),
        ({"s": "text"}, "s", ("s: this is not a list of objects", "[{...}, {...}]")),
        ({"s": [{"t": 1}]}, "s.t", ("s 1, t: this is not a list of objects", "[{...}, {...}]")),
        ("7", "", ("this is not a list of objects", "[{...}, {...}]")),
        ([{}, 1], "", ("row 2: this is not an object", "a list of objects is expected")),
        ([[{}]], "", ("row 1: this is not an object", "a list of objects is expected")),
        ({"s": [None]}, "s", ("s 1: this is not an object", "a list of objects is expected")),
    ],
)
def test_a_wrong_way_is_said_with_what_is_there(tmp_path: Path, content: Any, each: str, said: tuple[str, str]) -> None:
    assert said_of(tmp_path, content, each) == [said]


NEST = "[" * 5000 + "]" * 5000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"a": 1},\n {"a": }]', ["line 2: this is not JSON: Expecting value (character 8)"]),
        ('[{"a": 1}', ["line 1: this is not JSON: Expecting ',' delimiter (character 10)"]),
        ('[{"a": 1}] x', ["line 1: this is not JSON: Extra data (character 12)"]),
        ('[{"a": 1}, {"a": 1, "b": 2, "a": 3}]', ["row 2: the key 'a' stands twice"]),
        ('{"s": [{"t": {"a": 1, "a": 3}}]}', ["s 1, t: the key 'a' stands twice"]),
        ('{"a": 1, "a": 2}', ["the key 'a' stands twice"]),
        ('[{"a": NaN}, {"b": [1, -Infinity]}]', ["row 1, a: NaN is not JSON", "row 2, b 2: -Infinity is not JSON"]),
        ('[{"a": ' + "9" * 5000 + "}]", ["row 1, a: a number has too many digits"]),
        ('[{"a": NaN},\n {"a": }]', ["line 2: this is not JSON: Expecting value (character 8)"]),
        ('[{"a": 1},\n\n' + NEST + "]", ["line 3: the nesting is too deep"]),
        ('[{"a": NaN},\n\n' + NEST + "]", ["line 3: the nesting is too deep"]),
        ('["a \\" [", "\\\\",\n' + NEST + "]", ["line 2: the nesting is too deep"]),
        ('[{"a": "x\x00"}]', ["line 1: this is not JSON: Invalid control character at (character 10)"]),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, said: list[str]) -> None:
    assert [words for words, _ in said_of(tmp_path, text)] == said


@pytest.mark.parametrize("content", [b"", b" \n", b"\xef\xbb\xbf", b"[]"])
def test_a_file_without_anything_has_no_rows(tmp_path: Path, content: bytes) -> None:
    assert rows_and_hints(written(tmp_path, content)) == ([], [])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('[{"text": "é"}]'.encode("utf-16"), "the file is UTF-16"),
        ('[{"text": "é"}]'.encode("latin-1"), "byte 11 is not UTF-8"),
    ],
)
def test_another_encoding_is_one_problem_with_the_byte(tmp_path: Path, content: bytes, said: str) -> None:
    assert [words for words, _ in said_of(tmp_path, content)] == [said]


def test_a_file_beyond_all_bounds_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    with path.open("wb") as file:
        file.truncate(source.LARGEST + 1)
    assert rows_and_hints(path) == (
        [],
        [("the file is larger than 500 MB", "write it as JSON lines, one object a line (.jsonl)")],
    )


def test_lists_in_lists_without_end_are_walked(tmp_path: Path) -> None:
    rows, said = rows_and_hints(written(tmp_path, "[" * 900 + "]" * 900), "a.b")
    assert (rows, said) == ([], [])


# Anything at all


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)
rows_of_values = st.lists(st.dictionaries(st.sampled_from("abc"), values, max_size=3), min_size=1, max_size=3)
found_by_keys = rows_of_values.map(lambda rows: {"a": {"b": rows}}) | rows_of_values.map(lambda rows: {"a": rows})


@settings(max_examples=examples(100), deadline=None)
@given(values | rows_of_values | found_by_keys, st.sampled_from(["", "a", "a.b", "a.b.c", ".", "a."]))
@example([{"a": 1}, {"b": None}], "")
@example({"a": {"b": [{"a": 1}, {"b": None}]}}, "a.b")
def test_any_values_give_rows_or_words(content: Any, each: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows, said = rows_and_hints(written(Path(folder), json.dumps(content)), each)
    assert all(isinstance(row, dict) for _, row in rows)
    assert len({place for place, _ in rows}) == len(rows)
    assert all(words for words, _ in said)


PIECES = [b"{", b"}", b"[", b"]", b":", b",", b'"a"', b"1", b"NaN", b"\xff", b"\x00", b"\n", b'{"id":"1","text":"x"}']


@settings(max_examples=examples(100), deadline=None)
@given(
    st.binary(max_size=60)
    | st.lists(st.sampled_from(PIECES), max_size=20).map(b"".join)
    | st.lists(st.sampled_from([*PIECES[-1:] * 6, b"1", b"{}"]), min_size=1, max_size=5).map(
        lambda rows: b"[%b]" % b",".join(rows)
    )
)
@example(b'[{"id":"1","text":"x"},{"id":"2"}]')
def test_any_bytes_are_read_or_refused_in_words(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows, said = rows_and_hints(written(Path(folder), content))
    assert all(isinstance(row, dict) for _, row in rows)
    assert all(words for words, _ in said)
