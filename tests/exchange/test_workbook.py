"""Workbooks: what is written is read back by other programs, and no text is ever run."""

import re
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError
from assay.exchange import workbook
from assay.exchange.workbook import Heading, Sheet, headings, letters_of, write_workbook
from tests.exchange.sample import data_of, written

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def read(path: Path, sheet: str) -> list[list[Any]]:
    import python_calamine as calamine

    return calamine.CalamineWorkbook.from_path(path).get_sheet_by_name(sheet).to_python()


def one_column(path: Path, values: list[Any]) -> list[Any]:
    write_workbook(path, [Sheet("s", headings(["number", "x"]), list(enumerate(values)))])
    return [row[1] if len(row) > 1 else "" for row in read(path, "s")[1:]]


def test_texts_stay_texts_and_numbers_numbers(tmp_path: Path) -> None:
    values = ["=1+1", "+1", "-1", "@x", "007", "1e5", "NA", "TRUE", -3, 2.5, True, 0, None, "", " padded ", "a\nb"]
    found = one_column(tmp_path / "x.xlsx", values)
    assert found == ["" if value is None else value for value in values]
    assert [type(value) for value in found[4:8]] == [str] * 4
    assert found[10] is True


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=40))
def test_any_text_is_wellformed_and_unescapes_to_itself(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    cell = ElementTree.fromstring(workbook._text_xml(text))[0].text or ""
    assert unescaped(cell) == text


def unescaped(text: str) -> str:
    """As the standard for workbooks says: `_x001F_` is one character."""
    import re

    return re.sub("_x([0-9A-F]{4})_", lambda found: chr(int(found[1], 16)), text)


def test_what_a_number_cannot_hold_exactly_is_a_text(tmp_path: Path) -> None:
    big = 2**60 + 1
    assert one_column(tmp_path / "x.xlsx", [big, float("inf"), ["a", "b"]]) == [str(big), "inf", '["a", "b"]']


def test_a_text_that_no_cell_can_hold_is_cut_and_says_so(tmp_path: Path) -> None:
    [found] = one_column(tmp_path / "x.xlsx", ["x" * 40_000])
    assert len(found) == 32_767
    assert found.endswith("cut: a cell holds no more]")


def test_texts_have_the_text_format_so_that_editing_a_cell_runs_nothing(tmp_path: Path) -> None:
    write_workbook(tmp_path / "x.xlsx", [Sheet("s", headings(["a"]), [["=1+1"]])])
    with zipfile.ZipFile(tmp_path / "x.xlsx") as archive:
        sheet = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
        styles = ElementTree.fromstring(archive.read("xl/styles.xml"))
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")
    cells = [cell for cell in sheet.iter(f"{MAIN}c") if cell.get("r") == "A2"]
    formats = styles.find(f"{MAIN}cellXfs")
    assert formats is not None
    assert formats[int(cells[0].get("s", ""))].get("numFmtId") == "49"


def test_a_column_may_have_a_list_to_choose_from(tmp_path: Path) -> None:
    columns = [Heading("id"), Heading("score", width=12, choices=(1, 2, 3), open_rows=5)]
    assert write_workbook(tmp_path / "x.xlsx", [Sheet("s", columns, [["a", None], ["b", 2]])]) == [2]
    with zipfile.ZipFile(tmp_path / "x.xlsx") as archive:
        sheet = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
    [rule] = sheet.iter(f"{MAIN}dataValidation")
    assert (rule.get("sqref"), rule.findtext(f"{MAIN}formula1")) == ("B2:B8", '"1,2,3"')
    assert read(tmp_path / "x.xlsx", "s") == [["id", "score"], ["a", ""], ["b", 2.0]]
    with pytest.raises(ValueError, match="choices that a list in a cell cannot have"):
        write_workbook(tmp_path / "y.xlsx", [Sheet("s", [Heading("x", choices=["a,b"])], [["a"]])])


@pytest.mark.parametrize("names", [["a/b"], ["x" * 32], [""], ["Same", "same"], ["'x"]])
def test_names_that_no_sheet_can_have_are_refused(tmp_path: Path, names: list[str]) -> None:
    with pytest.raises(ValueError, match="sheet"):
        write_workbook(tmp_path / "x.xlsx", [Sheet(name, headings(["a"]), []) for name in names])


def test_a_sheet_ends_where_a_workbook_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "MOST_ROWS", 3)
    assert write_workbook(tmp_path / "x.xlsx", [Sheet("s", headings(["a"]), [["1"], ["2"]])]) == [2]
    with pytest.raises(AssayError, match="more than 3 rows") as refused:
        write_workbook(tmp_path / "x.xlsx", [Sheet("s", headings(["a"]), [["1"], ["2"], ["3"]])])
    assert "parquet" in refused.value.hint


def test_columns_have_letters() -> None:
    assert [letters_of(place) for place in (0, 25, 26, 51, 701, 702)] == ["A", "Z", "AA", "AZ", "ZZ", "AAA"]


def test_the_workbook_of_a_study_has_four_sheets(tmp_path: Path) -> None:
    path = written("xlsx", data_of("empathy"), tmp_path)
    judgments, items = read(path, "judgments"), read(path, "items")
    assert len(judgments) == 1 + len(list(data_of("empathy").judgments()))
    assert {row[5] for row in judgments[1:]} == {"007", "NA", "ana"}
    assert items[0][-2:] == ["user_statement", "response"]
    assert read(path, "annotators")[1][0] == "007"
    assert ["study", "empathy"] in read(path, "study")


def test_it_says_at_once_that_a_workbook_is_too_small(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="there are 1,048,576 judgments"):
        written("xlsx", data_of("empathy", total=lambda: 1_048_576), tmp_path)


def test_the_same_data_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.xlsx", "b.xlsx"):
        write_workbook(tmp_path / name, [Sheet("s", headings(["a"]), [["1"]])])
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()


def test_columns_are_as_wide_as_their_values_and_heads_have_filters_and_stay_in_sight(tmp_path: Path) -> None:
    rows = [("i1", "x" * 25), ("i2", "y" * 500)]
    path = tmp_path / "book.xlsx"
    forms = [Heading("answer", choices=("a", "b")), Heading("id")]
    write_workbook(path, [Sheet("data", headings(("id", "text")), rows), Sheet("form", forms, [("", "i1")])])
    archive = zipfile.ZipFile(path)
    data, form = (archive.read(f"xl/worksheets/sheet{number}.xml").decode() for number in (1, 2))
    widths = [float(each) for each in re.findall(r'width="([\d.]+)"', data)]
    assert widths[0] < 15
    assert widths[1] == 60
    assert '</sheetData><autoFilter ref="A1:B3"/>' in data
    assert 'state="frozen"' in data
    assert "autoFilter" not in form, "whose order has a meaning"
    assert form.index("</sheetData>") < form.index("<dataValidations")
