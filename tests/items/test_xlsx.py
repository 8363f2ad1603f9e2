"""XLSX: cells are read as a person sees them, and no workbook, whatever it unpacks to, can hurt."""

import datetime as dt
import functools
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.items import Mistakes, Options
from assay.items.xlsx import XlsxSource
from tests.examples import examples

Rows = list[tuple[int | str, dict[str, Any]]]
Fill = Callable[[xlsxwriter.Workbook, Any], None]


def written(folder: Path, content: bytes) -> Path:
    path = folder / "items.xlsx"
    path.write_bytes(content)
    return path


def read(path: Path, sheet: str = "") -> tuple[Rows, list[str]]:
    mistakes = Mistakes(path)
    rows = list(XlsxSource().rows(path, mistakes, Options(sheet=sheet)))
    said = [str(found).removeprefix(f"{path.name}: ").replace("\n  hint", "") for found in mistakes.listed]
    return rows, said


def workbook(folder: Path, *rows: list[Any], fill: Fill | None = None) -> Path:
    """A workbook with these rows from A1 on; `fill` may write more."""
    path = folder / "items.xlsx"
    with xlsxwriter.Workbook(path, {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        sheet = book.add_worksheet("First")
        for number, row in enumerate(rows):
            for column, cell in enumerate(row):
                if cell is not None:
                    sheet.write(number, column, cell)
        if fill is not None:
            fill(book, sheet)
    return path


def repacked(path: Path, change: Callable[[str, bytes], bytes]) -> Path:
    """The same workbook with its parts changed."""
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, change(name, content))
    return path


# Cells


CELLS: list[tuple[Any, Any]] = [
    ("007", "007"),
    ("1e5", "1e5"),
    ("=1+1", "=1+1"),
    ("#N/A", "#N/A"),
    (" two\nlines ", " two\nlines "),
    ("é 👩‍👩‍👧 <&>\"'", "é 👩‍👩‍👧 <&>\"'"),
    (7, 7),
    (-0.0, 0),
    (2.5, 2.5),
    (0.1, 0.1),
    (1e300, 1e300),
    (True, True),
    (False, False),
    (None, ""),
]


def test_a_cell_is_read_as_it_stands(tmp_path: Path) -> None:
    rows, said = read(workbook(tmp_path, ["id", "text"], *(["1", cell] for cell, _ in CELLS)))
    assert (rows, said) == ([(place, {"id": "1", "text": value}) for place, (_, value) in enumerate(CELLS, 2)], [])
    assert [type(row["text"]) for _, row in rows] == [type(value) for _, value in CELLS]


@pytest.mark.parametrize(
    ("cell", "shown_as", "text"),
    [
        (dt.date(2026, 1, 31), "yyyy-mm-dd", "2026-01-31"),
        (dt.datetime.fromisoformat("2026-01-31T13:05:09"), "dd.mm.yyyy hh:mm:ss", "2026-01-31T13:05:09"),
        (dt.time(13, 5, 9), "hh:mm:ss", "13:05:09"),
        (dt.timedelta(hours=26, minutes=3, seconds=4), "[h]:mm:ss", "26:03:04"),
    ],
)
def test_dates_and_times_become_text(tmp_path: Path, cell: Any, shown_as: str, text: str) -> None:
    def fill(book: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.write_datetime(1, 1, cell, book.add_format({"num_format": shown_as}))

    rows, said = read(workbook(tmp_path, ["id", "when"], ["1"], fill=fill))
    assert (rows, said) == ([(2, {"id": "1", "when": text})], [])


def test_a_formula_is_read_as_what_it_shows(tmp_path: Path) -> None:
    def fill(book: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.write_formula(1, 0, "=1+1", None, 2)
        sheet.write_formula(1, 1, '="a"&"b"', None, "ab")

    assert read(workbook(tmp_path, ["n", "t"], fill=fill)) == ([(2, {"n": 2, "t": "ab"})], [])


def test_empty_rows_are_skipped_and_the_others_keep_their_numbers(tmp_path: Path) -> None:
    rows, _ = read(workbook(tmp_path, ["id", "text"], [], ["1", "x"], [], [], ["2", ""], ["", ""]))
    assert [place for place, _ in rows] == [3, 6]


def test_column_names_may_be_numbers_and_dates(tmp_path: Path) -> None:
    assert read(workbook(tmp_path, ["id", 2024, 1.5, True], [1, 2, 3, 4]))[0] == [
        (2, {"id": 1, "2024": 2, "1.5": 3, "True": 4})
    ]


def test_a_sheet_without_cells_has_no_rows(tmp_path: Path) -> None:
    assert read(workbook(tmp_path)) == ([], [])


# Sheets


def test_the_first_sheet_that_can_be_seen_is_read_or_the_one_that_is_named(tmp_path: Path) -> None:
    def fill(book: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.hide()
        for name in ("Zwei & 'drei' é", "Four"):
            more = book.add_worksheet(name)
            more.write_row(0, 0, ["id"])
            more.write_row(1, 0, [name])
            more.set_first_sheet()
            more.activate()

    path = workbook(tmp_path, ["id"], ["hidden"], fill=fill)
    assert [row["id"] for _, row in read(path)[0]] == ["Zwei & 'drei' é"]
    for name in ("Zwei & 'drei' é", "Four"):
        assert [row["id"] for _, row in read(path, name)[0]] == [name]
    assert [row["id"] for _, row in read(path, "First")[0]] == ["hidden"]
    assert read(path, "Five") == ([], ["there is no sheet 'Five': sheets here: First, Zwei & 'drei' é, Four"])


def test_where_the_first_sheet_is_empty_the_others_are_named(tmp_path: Path) -> None:
    def fill(book: xlsxwriter.Workbook, _: Any) -> None:
        book.add_worksheet("Scores").write_column(0, 0, ["id", "a"])

    path = workbook(tmp_path, fill=fill)
    assert read(path) == ([], ["the sheet 'First' is empty: other sheets here: Scores"])
    assert [row["id"] for _, row in read(path, "Scores")[0]] == ["a"]
    assert read(workbook(tmp_path)) == ([], []), "an empty workbook has no other sheet to name"


# What is wrong in a sheet


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ([], ["row 1: the first row holds no column names: write a name above each column"]),
        (["id", "a", "a"], ["row 1: the column name 'a' occurs twice: give each column its own name"]),
        ([None, "a"], ["row 1: column 1 has no name: write a name into the first row"]),
    ],
)
def test_a_header_is_judged_as_in_csv(tmp_path: Path, header: list[Any], said: list[str]) -> None:
    assert read(workbook(tmp_path, header, [1, 2, 3][: max(2, len(header))])) == ([], said)


def test_a_table_that_begins_in_the_second_column_is_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path, [None, "id"], [None, 1])
    assert read(path) == ([], ["row 1: column 1 has no name: write a name into the first row"])


def test_a_cell_that_shows_an_error_is_said_with_its_place(tmp_path: Path) -> None:
    def fill(book: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.write_formula(2, 1, "=NA()", None, "#N/A")
        sheet.write_formula(3, 0, "=1/0", None, "#DIV/0!")

    _, said = read(workbook(tmp_path, ["id", "text"], [1, "#N/A"], [2], [], fill=fill))
    assert said == [
        "row 3, column text: the cell shows #N/A: correct the cell",
        "row 4, column id: the cell shows #DIV/0!: correct the cell",
    ]


def test_a_formula_that_was_never_calculated_is_said(tmp_path: Path) -> None:
    def fill(book: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.write_formula(1, 1, "=1+1", None, "")
        sheet.write_formula(2, 1, '=""', None, 5)

    def as_excel_keeps_an_empty_text(name: str, content: bytes) -> bytes:
        return content.replace(b'<c r="B3"><f>""</f><v>5</v>', b'<c r="B3" t="str"><f>""</f><v></v>')

    path = repacked(workbook(tmp_path, ["id", "n"], [1], [2], fill=fill), as_excel_keeps_an_empty_text)
    rows, said = read(path)
    assert said == ["row 2, column n: the formula was never calculated: open the workbook in a spreadsheet and save it"]
    assert rows[1] == (3, {"id": 2, "n": ""})


def test_a_number_that_is_none_is_said(tmp_path: Path) -> None:
    path = repacked(workbook(tmp_path, ["id", "n"], [1, 77]), lambda _, part: part.replace(b"<v>77<", b"<v>NaN<"))
    assert read(path)[1] == ["row 2, column n: NaN is not a number: write a number or a text"]


# What would hurt


def refused(path: Path) -> list[str]:
    """What is said about a workbook of which nothing is read."""
    rows, said = read(path)
    assert rows == []
    return said


REST = "save it as CSV or as JSON lines"


def test_a_small_file_that_unpacks_to_47_mb_is_refused(tmp_path: Path) -> None:
    def blown_up(name: str, content: bytes) -> bytes:
        row = b'<row><c t="inlineStr"><is><t>a</t></is></c></row>'
        filled = b"<sheetData>" + row * 950_000 + b"</sheetData>"
        return content.replace(b"<sheetData/>", filled)

    path = repacked(workbook(tmp_path), blown_up)
    assert path.stat().st_size < 200_000
    [said] = refused(path)
    assert said.startswith("a part of the workbook unpacks to ")
    assert said.endswith(f" times its size: {REST}")


def test_many_parts_are_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path)
    with zipfile.ZipFile(path, "a") as package:
        for number in range(1000):
            package.writestr(f"x{number}", b"")
    [said] = refused(path)
    assert said.endswith(f" parts, more than 1,000: {REST}")


def test_parts_that_unpack_to_more_than_200_mb_together_are_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path)
    with zipfile.ZipFile(path, "a") as package:
        package.writestr("x", b"x" * 200_000_001)
    assert refused(path) == [f"the workbook unpacks to 200 MB, more than 200 MB: {REST}"]


def test_a_part_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    path = repacked(workbook(tmp_path), lambda name, part: part + b" " * 30_000_000 if "sheet1" in name else part)
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as package:
        part = next(each for each in package.infolist() if "sheet1" in each.filename)
    said = struct.pack("<I", part.file_size)
    while said in content:
        at = content.find(said)
        content[at : at + 4] = struct.pack("<I", 900)
    path.write_bytes(content)
    assert refused(path) == [
        "a part of the workbook is not as large as it says: open it, save it again, and try that one"
    ]


@pytest.mark.parametrize("corner", [(1_048_575, 16_383), (99_999, 1_499)])
def test_a_sheet_that_would_fill_the_memory_is_refused(tmp_path: Path, corner: tuple[int, int]) -> None:
    def far_away(book: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.write(*corner, "x")

    path = workbook(tmp_path, ["id"], fill=far_away)
    assert refused(path) == ["the file needs too much memory to be read: save it as CSV or as JSON lines"]


def test_entities_that_multiply_are_refused(tmp_path: Path) -> None:
    def laughing(name: str, content: bytes) -> bytes:
        levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
        start = f'<!DOCTYPE x [<!ENTITY l0 "lol">{levels}]>'.encode()
        if "workbook.xml" in name and "rels" not in name:
            return content.replace(b"?>", b"?>" + start, 1).replace(b'name="First"', b'name="&l9;"')
        return content

    assert refused(repacked(workbook(tmp_path, ["id"], [1]), laughing))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "this is not an .xlsx workbook: save it as .xlsx"),
        (b"id,text\n1,x\n", "this is not an .xlsx workbook: save it as .xlsx"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600,
            "the workbook is protected by a password, or is an old .xls: save it as .xlsx without one",
        ),
    ],
)
def test_another_kind_of_file_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    assert refused(written(tmp_path, content)) == [said]


def test_a_package_that_is_no_workbook_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "items.xlsx"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("a.txt", b"x")
    assert refused(path) == ["the file is damaged and cannot be read: open it, save it again, and try that one"]


# Anything at all


@functools.cache
def small() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return workbook(Path(folder), ["id", "text"], [1, "x"], [2, "y"]).read_bytes()


def spoiled_part(content: bytes, at: int, piece: bytes) -> bytes:
    """The workbook with some bytes of one unpacked part changed, so that the package itself stays right."""
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), content)
        names = zipfile.ZipFile(path).namelist()
        wanted = names[at % len(names)]

        def change(name: str, part: bytes) -> bytes:
            start = at % max(1, len(part))
            return part[:start] + piece + part[start + len(piece) :] if name == wanted else part

        return repacked(path, change).read_bytes()


pieces = st.binary(min_size=1, max_size=8) | st.sampled_from([b"<", b">", b"&x;", b'"', b"\x00", b"e", b"99999999999"])
places = st.integers(0, 20_000)


def spoiled(at: int, piece: bytes) -> bytes:
    start = at % len(small())
    return small()[:start] + piece + small()[start + len(piece) :]


@settings(max_examples=examples(60), deadline=None)
@given(
    st.builds(spoiled, places, pieces)
    | st.builds(lambda at, piece: spoiled_part(small(), at, piece), places, pieces)
    | places.map(lambda at: small()[: at % len(small())])
)
def test_a_spoiled_workbook_is_read_or_refused_in_words(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows, said = read(written(Path(folder), content))
    assert all(isinstance(row, dict) for _, row in rows)
    assert all(": " in words for words in said)


def test_reading_may_stop_at_the_first_row(tmp_path: Path) -> None:
    path = workbook(tmp_path, ["id"], *([number] for number in range(20_000)))
    rows = XlsxSource().rows(path, Mistakes(path))
    assert next(rows) == (2, {"id": 0})
    rows.close()  # type: ignore[attr-defined]


# The child


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("kill -XCPU $$", "the file takes more than 120 seconds to be read: save it as CSV or as JSON lines"),
        ("kill -KILL $$", "the file takes more than 120 seconds to be read: save it as CSV or as JSON lines"),
        ("kill -ABRT $$", "the file needs too much memory to be read: save it as CSV or as JSON lines"),
        ("kill -SEGV $$", "the file is damaged and cannot be read: open it, save it again, and try that one"),
        ("exit 0", "the file is damaged and cannot be read: open it, save it again, and try that one"),
    ],
)
def test_a_child_that_ends_too_soon_is_one_problem(
    tmp_path: Path, end: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = tmp_path / "child"
    child.write_text(f"#!/bin/sh\nprintf '[1, [\"id\"]]\\n[2, [7]]\\n[3, [1'\n{end}\n")
    child.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(child))
    assert read(tmp_path / "items.xlsx") == ([(2, {"id": 7})], [said])


def test_the_child_lives_under_limits() -> None:
    code = (
        "import resource as r; from assay.files.__main__ import _limit; _limit(1 << 30);"
        "print([r.getrlimit(each) for each in (r.RLIMIT_AS, r.RLIMIT_CPU, r.RLIMIT_CORE)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{[(1 << 30, 1 << 30), (120, 120), (0, 0)]}\n"
