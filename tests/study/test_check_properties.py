"""Whatever stands in a study file: it is checked without a traceback, and each problem has a place in the file."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.study import load_with_mistakes
from assay.study.load import FILE
from assay.study.templates import HERE, copy_template
from assay.study.yaml import read
from tests.examples import examples
from tests.study.small import SMALL, folder_with

TEMPLATE = (HERE / "empathy" / FILE).read_text("utf-8")
TOKEN = re.compile(r"\w+|[^\w\s]|[ ]+|\n")
PIECES = ["{", "}", "[", "]", ":", ": ", "- ", ",", "'", '"', "&a ", "*a", "!x ", "|", ">", "#", "\n", "\t", "~", "<<"]
PIECES += [
    "0",
    "-1",
    "1.5",
    "1e999",
    "9" * 30,
    "true",
    "null",
    "\x00",
    "\u2028",
    "😀",
    "\ud800",
    "x" * 200,
    "..",
    "---",
]
PIECES += ["scale", "tags", "text", "from", "rubric", "rules", "when", "required", "dimension", "any(emotion) in [1]"]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study file in a folder with the template's guide files; only the file itself is written again and again."""
    folder = tmp_path_factory.mktemp("study")
    copy_template("empathy", folder)
    return folder_with(folder, TEMPLATE) / FILE


def assert_checked(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    study, mistakes = load_with_mistakes(path)
    assert mistakes or study is not None
    # Every line end that there is, so that no place can lie outside: the last line, or one behind it.
    lines = [*content.decode("utf-8", "replace").splitlines(), ""]
    for mistake in mistakes:
        where, line, column = mistake.where.rsplit(":", 2)
        assert where == str(path)
        assert 1 <= int(line) <= len(lines)
        assert 1 <= int(column) <= max(map(len, content.decode("utf-8", "replace").split("\n"))) + 1
        assert mistake.what
        assert mistake.hint
    if not mistakes:
        assert study is not None
        json.loads(study.document())


@st.composite
def mutated(draw: st.DrawFn, text: str) -> str:
    """The text with some lines or tokens removed, put in or replaced."""
    whole_lines = draw(st.booleans())
    parts = text.splitlines(keepends=True) if whole_lines else TOKEN.findall(text)
    pieces = st.sampled_from(parts) | st.sampled_from(PIECES) | st.text(max_size=8)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(parts) - 1))
        change = draw(st.sampled_from(["remove", "put in", "replace", "indent"]))
        if change == "remove":
            parts = parts[:at] + parts[at + 1 :] or [""]
        elif change == "put in":
            parts = [*parts[:at], draw(pieces), *parts[at:]]
        elif change == "replace":
            parts = [*parts[:at], draw(pieces), *parts[at + 1 :]]
        else:
            parts = [*parts[:at], " " * draw(st.integers(1, 4)) + parts[at], *parts[at + 1 :]]
    return "".join(parts)


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@settings(max_examples=examples(150), deadline=None)
@given(text=st.text(max_size=200) | st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_text_is_checked(path: Path, text: str) -> None:
    assert_checked(path, encoded(text))


@settings(max_examples=examples(100), deadline=None)
@given(content=st.binary(max_size=100))
def test_any_bytes_are_checked(path: Path, content: bytes) -> None:
    assert_checked(path, content)


@settings(max_examples=examples(100), deadline=None)
@given(text=mutated(TEMPLATE))
def test_the_template_with_some_changes_is_checked(path: Path, text: str) -> None:
    assert_checked(path, encoded(text))


@settings(max_examples=examples(200), deadline=None)
@given(text=mutated(SMALL))
def test_the_small_study_with_some_changes_is_checked(path: Path, text: str) -> None:
    assert_checked(path, encoded(text))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = [
    "study",
    "title",
    "seed",
    "items",
    "rubric",
    "rules",
    "gates",
    "support",
    "assignment",
    "navigation",
    "analysis",
]
INNER = ["source", "show", "text", "field", "dimension", "scale", "from", "to", "anchors", "tags", "required", "when"]


@st.composite
def broken(draw: st.DrawFn, data: Any) -> Any:
    """The data with one to four of its parts replaced, removed, repeated or called otherwise."""
    data = copy.deepcopy(data)
    for _ in range(draw(st.integers(1, 4))):
        part = data
        while True:
            inner = [key for key, value in pairs(part) if value and isinstance(value, dict | list)]
            if not inner or draw(st.integers(0, 3)) == 0:
                break
            part = part[draw(st.sampled_from(inner))]
        if not part:
            continue
        key = draw(st.sampled_from([key for key, _ in pairs(part)]))
        change = draw(st.sampled_from(["replace", "remove", "repeat", "rename"]))
        if change == "replace":
            part[key] = draw(json_values)
        elif change == "remove":
            del part[key]
        elif isinstance(part, list):
            part.append(part[key])
        else:
            part[draw(st.text(max_size=3)) + str(key)[1:]] = part.pop(key) if change == "rename" else part[key]
    return data


def pairs(part: Any) -> list[tuple[Any, Any]]:
    return list(part.items() if isinstance(part, dict) else enumerate(part))


@settings(max_examples=examples(120), deadline=None)
@given(data=broken(read(TEMPLATE).data))
def test_the_template_with_some_parts_broken_is_checked(path: Path, data: Any) -> None:
    assert_checked(path, json.dumps(data).encode())


@settings(max_examples=examples(100), deadline=None)
@given(
    data=st.dictionaries(
        st.sampled_from(KEYS),
        json_values
        | st.lists(st.dictionaries(st.sampled_from(INNER), json_values, max_size=4), max_size=3)
        | st.dictionaries(st.sampled_from(INNER + KEYS), json_values, max_size=4),
    )
)
def test_any_value_behind_a_known_key_is_checked(path: Path, data: dict[str, object]) -> None:
    assert_checked(path, json.dumps(data).encode())
