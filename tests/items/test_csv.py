"""CSV: every cell is read exactly as it stands, or refused with its row and column."""

from pathlib import Path

import pytest

from tests.items.files import items_of, mistakes_of, written

TRICKY_IDS = [
    "007",
    "7",
    " 8",
    "1e5",
    "100000",
    "NA",
    "null",
    "None",
    "1.0",
    "1",
    "TRUE",
    "-0",
    "2026-01-01",
    "=1+1",
    "\u00e9",
    "e\u0301",
]


def test_ids_stay_text_and_all_differ(tmp_path: Path) -> None:
    lines = ["id,text", *(f"{name},x" for name in TRICKY_IDS)]
    path = written(tmp_path, "items.csv", "\n".join(lines))
    assert [item.id for item in items_of(path)] == TRICKY_IDS


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "",
        " white space kept \t",
        'a "quoted" word',
        "comma, comma",
        "two\nlines",
        "two\r\nlines",
        "=SUM(A1:A2)",
        "+1",
        "@cmd",
        "'apostrophe",
        "emoji 👩‍👩‍👧 and é",
        "\u202eright to left\u202c",
        "\u200bzero width",
        "2026-01-01",
        "x" * 10_000_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_a_cell_is_read_exactly_as_it_stands(tmp_path: Path, text: str) -> None:
    quoted = text.replace('"', '""')
    path = written(tmp_path, "items.csv", f'id,text\n1,"{quoted}"\n')
    [item] = items_of(path)
    assert item.shown == {"text": text}


@pytest.mark.parametrize("text", ["=1+1", "-3", "@cmd", "\ttab", "＝1"])
def test_what_an_export_has_made_harmless_is_read_as_it_was(tmp_path: Path, text: str) -> None:
    [item] = items_of(written(tmp_path, "items.csv", f"id,text\n'{text},\"'{text}\"\n"))
    assert (item.id, item.shown) == (text, {"text": text})


@pytest.mark.parametrize(
    "content", ["\ufeffid,text\n1,x\n", "id,text\r\n1,x\r\n", "id,text\n1,x", "id,text\n\n1,x\n\n,\n\n"]
)
def test_marks_line_ends_and_empty_rows_do_not_matter(tmp_path: Path, content: str) -> None:
    [item] = items_of(written(tmp_path, "items.csv", content))
    assert (item.id, item.shown) == ("1", {"text": "x"})


def test_an_empty_cell_is_an_empty_text(tmp_path: Path) -> None:
    [item] = items_of(written(tmp_path, "items.csv", "id,text,more\n1,,\n"))
    assert item.shown == {"text": ""}
    assert item.hidden == {"id": "1", "more": ""}


@pytest.mark.parametrize(
    ("content", "mistakes"),
    [
        ("", [("", "there are no items here")]),
        ("id,text\n", [("", "there are no items here")]),
        ("\nid,text\n1,x\n", [("row 1", "the first row holds no column names")]),
        (
            "id,text\n1,x,y\n2\n",
            [("row 2", "the row has 3 cells, the header 2"), ("row 3", "the row has 1 cell, the header 2")],
        ),
        ("id,text,text\n1,x,y\n", [("row 1", "the column name 'text' occurs twice")]),
        ("id,,text, \n1,x,y,z\n", [("row 1", "column 2 has no name"), ("row 1", "column 4 has no name")]),
        ("id,text,a\x00b\n1,x,y\n", [("row 1", "the column name 'a\\x00b' holds a NUL character")]),
        ("id,text\n1,x\n1,y\n", [("row 3, column id", "the id '1' was already in row 2")]),
        ('id,text\n1,"a\nb"\n1,y\n', [("row 3, column id", "the id '1' was already in row 2")]),
        ("id,text\n,x\n  ,x\n", [("row 2, column id", "the id is empty"), ("row 3, column id", "the id is empty")]),
        (f"id,text\n{'x' * 501},x\n", [("row 2, column id", "the id has 501 characters")]),
        ("id,text\n1,a\x00b\n", [("row 2, column text", "the text holds a NUL character")]),
        ('id,text\n1,"open\n2,x\n', [("row 2", "cannot read on after line 3: unexpected end of data")]),
        ('id,text\n1,"a"b\n', [("row 2", "cannot read on after line 2: ',' expected after '\"'")]),
        ("name,text\n1,x\n2,y\n", [("", "there is no field 'id'")]),
        ("id,test\n1,x\n2,y\n", [("", "there is no field 'text'")]),
    ],
)
def test_what_is_wrong_is_refused_with_its_row(tmp_path: Path, content: str, mistakes: list[tuple[str, str]]) -> None:
    assert mistakes_of(written(tmp_path, "items.csv", content)) == mistakes


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("id,text\n1,é\n".encode("utf-16"), "the file is UTF-16"),
        ("id,text\n1,café\n".encode("latin-1"), "byte 13 is not UTF-8"),
        (b"\xef\xbb\xbfid,text\n1,x\n2,\xff\n", "byte 17 is not UTF-8"),
        (b'id,text\n1,"open \xff\n', "byte 16 is not UTF-8"),
    ],
)
def test_another_encoding_is_one_problem_with_the_byte(tmp_path: Path, content: bytes, what: str) -> None:
    assert mistakes_of(written(tmp_path, "items.csv", content)) == [("", what)]


def test_a_cell_beyond_all_bounds_is_refused_with_its_row(tmp_path: Path) -> None:
    [(place, what)] = mistakes_of(written(tmp_path, "items.csv", "id,text\n1," + "x" * 16_000_001 + "\n"))
    assert place == "row 2"
    assert "field larger than field limit" in what


def test_many_columns_are_read(tmp_path: Path) -> None:
    names = ["id", "text", *(f"c{number}" for number in range(16_382))]
    path = written(tmp_path, "items.csv", f"{','.join(names)}\n{','.join(['1'] * len(names))}\n")
    [item] = items_of(path)
    assert len(item.hidden) == 16_383
