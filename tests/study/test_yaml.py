"""YAML is read safely: what is dangerous, ambiguous or unreadable is refused at its place, and fast."""

import itertools
import time
from pathlib import Path

import pytest

from assay.study.yaml import MOST_CHARACTERS, MOST_DEPTH, read
from tests.study.small import SMALL, changed, loaded, said

SECONDS = 60
"""Far more than it takes; a bomb takes for ever."""


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", "1:1", "the file is empty"),
        ("# only a comment\n", "1:1", "the file is empty"),
        ("null\n", "1:1", "the file is empty"),
        ("---\n", "1:1", "the file is empty"),
        ("[1, 2]", "1:1", "keys with values are expected here, not [1, 2]"),
        ("- study: small", "1:1", 'keys with values are expected here, not [{"study": "small"}]'),
        ("small", "1:1", 'keys with values are expected here, not "small"'),
        ("5", "1:1", "keys with values are expected here, not 5"),
        ("study: small\n\ttitle: x", "2:1", "a tab cannot stand here"),
        ("study: small\ntitle: 'x", "2:8", "a quotation mark is opened here and not closed"),
        ("study: [small", "1:8", "a list is opened by [ here and not closed"),
        ("study: a: b", "1:9", "a colon is not expected here"),
        ("study: small\n---\nstudy: other", "2:1", "this is not YAML: expected a single document"),
        ("study: *nowhere", "1:8", "this alias was never given"),
        ("study: sm\x00ll", "1:10", "the character U+0000 cannot stand in YAML"),
        ("study: small\ntitle: \x07", "2:8", "the character U+0007 cannot stand in YAML"),
        ('title: "\\U00110000"', "1:1", "this is not YAML"),
        (b"study: small\ntitle: caf\xe9\n", "2:11", "byte 23 is not UTF-8"),
        (b"\xef\xbb\xbfstudy: \xff", "1:8", "byte 10 is not UTF-8"),
        (SMALL.encode("utf-16"), "1:1", "byte 0 is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_problem_at_its_place(
    tmp_path: Path, text: str | bytes, place: str, words: str
) -> None:
    [(found, what)] = said(tmp_path, text)
    assert found == place
    assert what.startswith(words)


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("!!python/object/apply:os.system", "!!python/object/apply:os.system"),
        ("!!binary", "!!binary"),
        ("!mine", "!mine"),
        ("!<tag:example.org,2026:x>", "tag:example.org,2026:x"),
    ],
)
def test_a_tag_is_refused_and_causes_nothing_else(tmp_path: Path, tag: str, name: str) -> None:
    found = said(tmp_path, changed("title: A small study", f"title: {tag} A small study"))
    assert found == [("2:8", f"tags such as {name} are not read")]


def test_a_tag_on_a_list_or_a_mapping_is_refused_and_what_stands_in_it_is_read(tmp_path: Path) -> None:
    text = SMALL.replace("items:\n", "items: !mine\n").replace("rubric:\n", "rubric: !!set\n")
    found = said(tmp_path, text)
    assert found == [("3:8", "tags such as !mine are not read"), ("7:9", "tags such as !!set are not read")]


def test_a_tag_does_not_make_a_value_of_another_kind(tmp_path: Path) -> None:
    assert read("a: !!bool maybe").data == {"a": "maybe"}
    assert read("a: !!null something").data == {"a": "something"}
    assert read("a: !!int one").data == {"a": "one"}


def test_a_key_that_stands_twice_is_refused_with_both_places(tmp_path: Path) -> None:
    found = said(tmp_path, SMALL + "title: Another\n")
    assert found == [("18:1", "the key 'title' stands here a second time (first in line 2, column 1)")]


@pytest.mark.parametrize("second", ["1", "'1'", "01", "+1", "0x1"])
def test_the_same_number_as_a_key_twice_is_refused_however_it_is_written(second: str) -> None:
    [(place, what, _)] = read(f"a: {{1: x, {second}: y}}").mistakes
    assert place == (1, 11)
    assert what == "the key '1' stands here a second time (first in line 1, column 5)"


def test_a_list_as_a_key_is_refused() -> None:
    assert read("? [a, b]\n: c\nd: e").mistakes == [((1, 3), "a key must be a plain word or number", "quote the key")]


def test_merging_with_an_alias_is_refused_in_words() -> None:
    tree = read("a: &a {x: 1}\nb:\n  <<: *a\n  y: 2")
    assert [(place, what) for place, what, _ in tree.mistakes] == [((3, 3), "keys are not merged with << here")]


def test_an_alias_gives_the_same_value_again(tmp_path: Path) -> None:
    text = changed("{from: 1, to: 5, anchors: {1: cold, 5: warm}}", "&five {from: 1, to: 5}")
    study = loaded(
        tmp_path, text.replace("  - dimension: note", "  - dimension: care\n    scale: *five\n  - dimension: note")
    )
    assert study.dimension("care").input == study.dimension("warmth").input


def test_an_anchor_used_again_for_something_else_is_no_problem() -> None:
    assert read("a: &x 1\nb: &x 2\nc: *x").data == {"a": 1, "b": 2, "c": 2}


def bomb_of_lists() -> str:
    letters = "abcdefghij"
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{two}: &{two} [{', '.join([f'*{one}'] * 9)}]" for one, two in itertools.pairwise(letters)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (bomb_of_lists(), "the file expands to too much"),
        (f"a: &a {'x' * 50_000}\nb: [{', '.join(['*a'] * 20_000)}]", "the file expands to too much"),
        ("a: &a [*a]", "nested too deeply, or an alias that holds itself"),
        ("a: &a {b: *a}", "nested too deeply, or an alias that holds itself"),
        ("a: " + "[" * (MOST_DEPTH + 2) + "]" * (MOST_DEPTH + 2), "nested too deeply, or an alias that holds itself"),
        ("[" * 100_000, "the file is nested too deeply"),
        ("{a: " * 50_000, "the file is nested too deeply"),
        ("- " * 100_000, "the file is nested too deeply"),
        ("# " + "x" * MOST_CHARACTERS, "the file is longer than 200,000 characters"),
    ],
    ids=["lists", "texts", "itself", "its value", "deep", "brackets", "braces", "dashes", "long"],
)
def test_what_would_unfold_without_end_is_refused_fast(tmp_path: Path, text: str, what: str) -> None:
    start = time.monotonic()
    [(_, found)] = said(tmp_path, text)
    assert found == what
    assert time.monotonic() - start < SECONDS


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1", 1),
        ("007", 7),
        ("0o17", 15),
        ("0x1F", 31),
        ("1_000", 1000),
        ("-3", -3),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("true", True),
        ("False", False),
        ("yes", "yes"),
        ("off", "off"),
        ("~", None),
        ("", None),
        ("2026-01-01", "2026-01-01"),
        ("1-2", "1-2"),
        ("=", "="),
        (".nan", ".nan"),
        ('"1"', "1"),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_a_word_stands_for_what_yaml_1_2_says(written: str, value: object) -> None:
    data = read(f"a: {written}").data
    assert data == {"a": value}
    assert type(data["a"]) is type(value)


def test_the_words_of_yaml_1_1_mean_what_they_say() -> None:
    assert read("%YAML 1.1\n---\na: yes\nb: off\n").data == {"a": True, "b": False}


def test_half_of_a_character_is_refused_at_its_place(tmp_path: Path) -> None:
    found = said(tmp_path, changed("title: A small study", 'title: "\\ud800"'))
    assert found == [("2:8", "the text holds half of a character (a lone surrogate)")]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("title: A small study", "title: 1e999", "Infinity is not a text"),
        ("title: A small study", f"title: {'9' * 400}", f"{'9' * 37}... is not a text"),
        ("to: 5,", "to: 1e999,", "Infinity is not a whole number"),
        ("to: 5,", f"to: {'9' * 5000},", f'"{"9" * 36}... is not a whole number'),
        ("optional: true", "optional: 1", "1 is neither true nor false"),
        ("optional: true", "optional: yes", '"yes" is neither true nor false'),
    ],
)
def test_numbers_beyond_all_bounds_are_one_problem(tmp_path: Path, old: str, new: str, what: str) -> None:
    assert [words for _, words in said(tmp_path, changed(old, new))] == [what]


def test_a_byte_order_mark_and_other_line_ends_do_not_matter(tmp_path: Path) -> None:
    plain = loaded(tmp_path / "plain")
    other = loaded(tmp_path / "other", "\ufeff" + SMALL.replace("\n", "\r\n"))
    assert other == plain
    assert other.hash == plain.hash
