"""TSV: read as CSV is, with tabs."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.items import Mistakes, Options, read_rows
from tests.examples import examples


def read(path: Path, content: str | bytes) -> tuple[list[tuple[int | str, dict[str, Any]]], list[str]]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    mistakes = Mistakes(path)
    rows = list(read_rows(path, mistakes, Options()))
    return rows, [f"{found.where}: {found.what}".removeprefix(f"{path.name}: ") for found in mistakes.listed]


@pytest.mark.parametrize("name", ["items.tsv", "items.tab", "ITEMS.TSV"])
def test_tabs_part_the_cells_and_commas_do_not(tmp_path: Path, name: str) -> None:
    rows = [(2, {"id": "007", "text": "a, b", "more": ""})]
    assert read(tmp_path / name, "id\ttext\tmore\n007\ta, b\t\n") == (rows, [])


def test_a_quoted_cell_may_hold_tabs_and_line_breaks(tmp_path: Path) -> None:
    rows, _ = read(tmp_path / "items.tsv", 'id\ttext\n1\t"a\tb\nc ""d"""\n')
    assert rows == [(2, {"id": "1", "text": 'a\tb\nc "d"'})]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id\ttext\n1\tx\ty\n", "row 2: the row has 3 cells, the header 2"),
        ("id\ttext\ttext\n1\tx\ty\n", "row 1: the column name 'text' occurs twice"),
        ('id\ttext\n1\t"open\n', "row 2: cannot read on after line 2: unexpected end of data"),
    ],
)
def test_what_is_wrong_is_refused_with_its_row(tmp_path: Path, content: str, said: str) -> None:
    assert read(tmp_path / "items.tsv", content) == ([], [said])


PIECES = [b"id", b"text", b"\t", b'"', b"\n", b"\r", b"\x00", b"\xff", b"x", b"id\ttext\n", b"1\tx\n"]


@settings(max_examples=examples(100), deadline=None)
@given(st.binary(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=20).map(b"".join))
def test_any_bytes_are_read_or_refused_in_words(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows, said = read(Path(folder) / "items.tsv", content)
    assert all(all(isinstance(cell, str) for cell in row.values()) for _, row in rows)
    assert all(said)
