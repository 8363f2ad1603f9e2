"""Parquet: values are read as they are, what JSON cannot hold is refused with its place, and no other file is read."""

import functools
import tempfile
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.files import MOST_ROWS
from assay.items import Mistakes
from assay.items.parquet import ParquetSource

Rows = list[tuple[int | str, dict[str, Any]]]


def parquet(folder: Path, query: str, name: str = "items.parquet") -> Path:
    path = folder / name
    with duckdb.connect() as database:
        quoted = str(path).replace("'", "''")
        database.execute(f"copy ({query}) to '{quoted}' (format parquet)")
    return path


def written(folder: Path, content: bytes) -> Path:
    path = folder / "items.parquet"
    path.write_bytes(content)
    return path


def read(path: Path) -> tuple[Rows, list[str]]:
    mistakes = Mistakes(path)
    rows = list(ParquetSource().rows(path, mistakes))
    said = [str(found).removeprefix(f"{path.name}: ").replace("\n  hint", "") for found in mistakes.listed]
    return rows, said


VALUES: list[tuple[str, Any]] = [
    ("'two' || chr(10) || 'lines é 👩‍👩‍👧'", "two\nlines é 👩‍👩‍👧"),
    ("'007'", "007"),
    ("7", 7),
    ("9007199254740993::bigint", 9007199254740993),
    ("1.0::double", 1.0),
    ("0.1::double", 0.1),
    ("true", True),
    ("null", None),
    ("1.10::decimal(10, 2)", 1.1),
    ("12345678901234567890.12::decimal(30, 2)", "12345678901234567890.12"),
    ("date '2026-01-31'", "2026-01-31"),
    ("timestamp '2026-01-31 13:05:09'", "2026-01-31T13:05:09"),
    ("time '13:05:09'", "13:05:09"),
    ("timestamptz '2026-01-31 13:05:09+02'", "2026-01-31T11:05:09+00"),
    ("[timestamptz '2026-01-31 13:05:09+02']", ["2026-01-31 11:05:09+00"]),
    ("uuid '00000000-0000-0000-0000-000000000001'", "00000000-0000-0000-0000-000000000001"),
    ("[1, 2, null]", [1, 2, None]),
    ("[{'role': 'user', 'said': ['a', 'b']}]", [{"role": "user", "said": ["a", "b"]}]),
    ("map {'k': 1.5::double}", {"k": 1.5}),
    ("map {1: 'one'}", {"1": "one"}),
]


def test_a_value_is_read_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    columns = ", ".join(f"{written_as} as c{number}" for number, (written_as, _) in enumerate(VALUES))
    rows, said = read(parquet(tmp_path, f"select '1' as id, {columns}, 'x' as last"))
    expected = {f"c{number}": value for number, (_, value) in enumerate(VALUES)}
    assert (rows, said) == ([(1, {"id": "1", **expected, "last": "x"})], [])
    assert {name: type(rows[0][1][name]) for name in expected} == {name: type(each) for name, each in expected.items()}


@pytest.mark.parametrize(
    ("written_as", "what"),
    [
        ("'abc'::blob", "this is binary data, not a text"),
        ("'nan'::double", "NaN is not a number"),
        ("['infinity'::double]", "infinity is not a number"),
        ("{'a': 'abc'::blob}", "this is binary data, not a text"),
    ],
)
def test_what_json_cannot_hold_is_said_with_its_place(tmp_path: Path, written_as: str, what: str) -> None:
    path = parquet(tmp_path, f"select 1 as id, {written_as} as value union all select 2, null")
    assert read(path)[1] == [f"row 1, column value: {what}: write a number or a text"]


def test_rows_come_in_their_order(tmp_path: Path) -> None:
    rows, said = read(parquet(tmp_path, "select i as id, repeat('x', 500) as text from range(20000) t(i)"))
    assert [row["id"] for _, row in rows] == list(range(20_000))
    assert [place for place, _ in rows] == list(range(1, 20_001))
    assert said == []


def test_a_file_without_rows_has_none(tmp_path: Path) -> None:
    assert read(parquet(tmp_path, "select 1 as id where false")) == ([], [])


def test_names_keep_their_capitals_and_their_quotes(tmp_path: Path) -> None:
    path = parquet(tmp_path, """select 1 as id, {'a': 2} as s, 3 as "a ""b"" c", 4 as ix""")
    path.write_bytes(path.read_bytes().replace(b"ix", b"ID"))
    assert read(path) == ([(1, {"id": 1, "s": {"a": 2}, 'a "b" c': 3, "ID": 4})], [])


def test_a_name_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = parquet(tmp_path, "select 1 as id, 4 as ix")
    path.write_bytes(path.read_bytes().replace(b"ix", b"id"))
    assert read(path) == ([], ["row 1: the column name 'id' occurs twice: give each column its own name"])


@pytest.mark.parametrize("name", ["it's é.parquet", "a[1].parquet", "a=1.parquet", "a*.parquet", "-x y.PARQUET"])
def test_any_name_of_a_file_is_that_file_alone(tmp_path: Path, name: str) -> None:
    parquet(tmp_path, "select 'other' as id", "a1.parquet")
    assert read(parquet(tmp_path, "select 'this' as id", name)) == ([(1, {"id": "this"})], [])


def test_a_folder_that_looks_like_a_partition_adds_no_column(tmp_path: Path) -> None:
    (tmp_path / "year=2026").mkdir()
    assert read(parquet(tmp_path / "year=2026", "select 1 as id")) == ([(1, {"id": 1})], [])


def test_more_rows_than_a_sheet_has_are_refused(tmp_path: Path) -> None:
    path = parquet(tmp_path, f"select 1 as id from range({MOST_ROWS + 1})")
    assert path.stat().st_size < 10_000
    assert read(path) == ([], ["the file has 1,048,577 rows, more than 1,048,576: take a part of it"])


def test_a_value_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    path = parquet(tmp_path, "select repeat('x', 300000000) as id")
    assert read(path) == (
        [],
        ["the file needs too much memory to be read: save it as CSV or as JSON lines"],
    )


# Anything at all


@functools.cache
def small() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        columns = "i as id, 'text ' || i as text, [i, null] as l, {'a': date '2026-01-31'} as s"
        return parquet(Path(folder), f"select {columns} from range(50) t(i)").read_bytes()


def spoiled(at: int, piece: bytes) -> bytes:
    start = at % len(small())
    return small()[:start] + piece + small()[start + len(piece) :]


@settings(max_examples=20, deadline=None)
@given(
    st.builds(spoiled, st.integers(0, 20_000), st.binary(min_size=1, max_size=8))
    | st.integers(0, 20_000).map(lambda at: small()[: at % len(small())])
    | st.binary(max_size=50).map(lambda some: b"PAR1" + some + b"PAR1")
)
def test_a_spoiled_file_is_read_or_refused_in_words(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows, said = read(written(Path(folder), content))
    assert all(isinstance(row, dict) for _, row in rows)
    assert all(": " in words for words in said)
