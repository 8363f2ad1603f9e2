"""What is written as CSV or JSON lines is read back equal, and no bytes whatever lead to a traceback."""

import csv
import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import AssayError
from assay.files.formulas import as_it_was
from assay.model import Item
from tests.examples import examples
from tests.items.files import items_of, written

# What an export has made harmless for spreadsheets is read as it was: tests/items/test_csv.py.
texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=20).filter(
    lambda text: as_it_was(text) == text
)
ids = texts.filter(str.strip)
columns = st.lists(ids.filter(lambda name: name not in ("id", "text")), max_size=3, unique=True)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)

Rows = list[dict[str, Any]]


@st.composite
def tables(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> Rows:
    names = ["id", "text", *draw(columns)]
    keys = draw(st.lists(ids, min_size=1, max_size=4, unique=True))
    return [{name: key if name == "id" else draw(values) for name in names} for key in keys]


def as_csv(rows: Rows, dialect: str) -> bytes:
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, list(rows[0]), dialect=dialect, quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode()


def as_items(rows: Rows) -> list[Item]:
    return [
        Item(id=row["id"], shown={"text": row["text"]}, hidden={name: row[name] for name in row if name != "text"})
        for row in rows
    ]


def read_back(name: str, content: bytes) -> list[Item]:
    with tempfile.TemporaryDirectory() as folder:
        return items_of(written(Path(folder), name, content))


@settings(max_examples=examples(150), deadline=None)
@given(tables(texts), st.sampled_from(["excel", "unix"]))
def test_items_written_as_csv_are_read_back_equal(rows: Rows, dialect: str) -> None:
    assert read_back("items.csv", as_csv(rows, dialect)) == as_items(rows)


@settings(max_examples=examples(150), deadline=None)
@given(tables(json_values), st.booleans())
def test_items_written_as_json_lines_are_read_back_equal(rows: Rows, ascii_only: bool) -> None:
    content = "\n".join(json.dumps(row, ensure_ascii=ascii_only) for row in rows).encode()
    items = read_back("items.jsonl", content)
    assert items == as_items(rows)
    assert json.dumps([item.shown for item in items]) == json.dumps([{"text": row["text"]} for row in rows])


PIECES = [b"id", b"text", b",", b'"', b"\n", b"\r", b"\r\n", b"\x00", b"\xff", b"\xef\xbb\xbf", b"1", b"x", b" ", b"'"]
PIECES += [
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b'{"id": "1", "text": "x"}',
    b"NaN",
    b"1e999",
    b'"\\ud800"',
    b"null",
    b"id,text\n",
]
some_bytes = st.binary(max_size=80) | st.lists(st.sampled_from(PIECES), max_size=25).map(b"".join)


def cut_up(content: bytes) -> Callable[[bytes, int, int], bytes]:
    def change(piece: bytes, start: int, length: int) -> bytes:
        start %= len(content)
        return content[:start] + piece + content[start + length :]

    return change


GOOD = {
    "items.csv": b'id,text,more\n1,"a ""b"" c",x\n2,"two\nlines",y\n3,,z\n',
    "items.jsonl": b'{"id": "1", "text": "a", "more": [1, {"b": null}]}\n{"id": "2", "text": "\\u00e9"}\n',
}


@pytest.mark.parametrize("name", GOOD)
@settings(max_examples=examples(200), deadline=None)
@given(data=st.data())
def test_any_bytes_are_read_or_refused_in_words(name: str, data: st.DataObject) -> None:
    changed = st.builds(cut_up(GOOD[name]), some_bytes, st.integers(0, 200), st.integers(0, 20))
    hardly = st.builds(cut_up(GOOD[name]), st.sampled_from([b"", b"x", b"1", b" "]), st.integers(0, 200), st.just(0))
    with tempfile.TemporaryDirectory() as folder:
        found = read_or_refused(written(Path(folder), name, data.draw(some_bytes | changed | hardly)))
    if isinstance(found, AssayError):
        assert found.what
        assert found.what.encode()
    else:
        assert len({item.id for item in found}) == len(found) > 0
        json.dumps([[item.shown, item.hidden] for item in found], ensure_ascii=False, allow_nan=False).encode()


def read_or_refused(path: Path) -> list[Item] | AssayError:
    try:
        return items_of(path)
    except AssayError as error:
        return error
