"""Rows of texts alone are read in few steps: what comes of them is what comes of all others, mistakes included."""

from pathlib import Path
from typing import Any

import pytest

from assay.errors import ItemMistakes
from assay.items.plain_rows import PlainRows, are_storable_texts
from assay.items.reader import ImportedRow, _ItemReader, read_items
from assay.study import Study, load
from assay.study.templates import copy_template
from tests.items.files import a_study, written

COLUMNS = {"id": "id", "system": "system?", "group": "scenario?", "batch": "batch?"}
HEADER = "id,text,system,scenario,batch,more"
PLAIN = "i{},some text,s1,g1,b1,x"
ODD = [
    "o1,a text,,g1,b1,x",
    "o2,a text,s1,,b1,x",
    "o3,a text,s1,g1,,x",
    "o4,,s1,g1,b1,x",
    "o5,a text, s1 , g1 , b1 ,x",
    "o6,a text,new,g1,b1,x",
    "o7,ärgerlich,s1,g1,b1,ü",
    "o8/1,a text,s1,g1,b1,x",
    "o9,'=1+1,s1,g1,b1,x",
    '"o10","two\nlines",s1,g1,b1,x',
]
WRONG = [
    "i1,another,s1,g1,b1,x",
    " i1,another,s1,g1,b1,x",
    ",no id,s1,g1,b1,x",
    "  ,no id,s1,g1,b1,x",
    f"{'x' * 501},long id,s1,g1,b1,x",
    f"w1,long system,{'x' * 501},g1,b1,x",
    f"w2,long group,s1,{'x' * 501},b1,x",
    "w3,a blank system, ,g1,b1,x",
    "w4,a NUL \x00,s1,g1,b1,x",
    "w5,too few",
]


def read(study: Study, path: Path) -> tuple[list[ImportedRow], list[tuple[str, str]]]:
    """The rows of a file, and what is wrong in it."""
    found: list[ImportedRow] = []
    try:
        found.extend(read_items(study, path))
    except ItemMistakes as error:
        return found, [(each.where, each.what) for each in error.mistakes]
    return found, []


def whole_way(monkeypatch: pytest.MonkeyPatch, study: Study, path: Path) -> tuple[Any, Any]:
    """The same, and no row is taken for a plain one."""
    with monkeypatch.context() as patch:
        patch.setattr(PlainRows, "learn", lambda *_: None)
        return read(study, path)


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Where those rows are that go the whole way."""
    found: list[Any] = []
    whole = _ItemReader._read_row

    def noting(reader: _ItemReader, row: dict[str, Any], location: Any) -> ImportedRow | None:
        found.append(location)
        return whole(reader, row, location)

    monkeypatch.setattr(_ItemReader, "_read_row", noting)
    return found


def file_of(folder: Path, *lines: str) -> Path:
    return written(folder, "items.csv", "\n".join([HEADER, *lines]) + "\n")


def test_of_rows_that_are_alike_the_first_alone_goes_the_whole_way(tmp_path: Path, looked_at: list[Any]) -> None:
    path = file_of(tmp_path, *(PLAIN.format(number) for number in range(50)))
    assert len(read(a_study(**COLUMNS), path)[0]) == 50
    assert looked_at == [2]


@pytest.mark.parametrize("odd", ODD)
def test_a_row_is_read_as_it_is_on_the_whole_way(odd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file_of(tmp_path, PLAIN.format(1), PLAIN.format(2), odd, PLAIN.format(3), odd.replace("o", "p"))
    study = a_study(**COLUMNS, names={"s1": "System 1"})
    found, wrong = read(study, path)
    assert wrong == []
    assert len(found) == 5
    assert (found, wrong) == whole_way(monkeypatch, study, path)


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_in_a_row_is_said_as_on_the_whole_way(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file_of(tmp_path, PLAIN.format(1), PLAIN.format(2), wrong, PLAIN.format(3), PLAIN.format(2))
    found, mistakes = read(a_study(**COLUMNS), path)
    assert len(mistakes) == 2
    assert (found, mistakes) == whole_way(monkeypatch, a_study(**COLUMNS), path)


@pytest.mark.parametrize("named", [{"system": "system"}, {"group": "scenario"}, {"batch": "batch"}])
def test_a_field_that_must_not_be_empty_is_missed_in_later_rows_too(named: dict[str, str], tmp_path: Path) -> None:
    [column] = named.values()
    cells = dict(zip(HEADER.split(","), PLAIN.format(2).split(","), strict=True)) | {column: ""}
    _, mistakes = read(a_study(**named), file_of(tmp_path, PLAIN.format(1), ",".join(cells.values())))
    assert mistakes == [("items.csv: row 3, column " + column, f"the {next(iter(named))} is empty")]


def test_what_is_nested_in_one_row_is_missed_in_the_next(tmp_path: Path) -> None:
    """The columns are the same; the field lies within one of them."""
    rows = ['{"id": "1", "text": "a", "meta": {"system": "s"}}', '{"id": "2", "text": "b", "meta": "s"}']
    found, mistakes = read(a_study(system="meta.system"), written(tmp_path, "items.jsonl", "\n".join(rows)))
    assert [each.name for each in found] == ["1"]
    assert mistakes == [("items.jsonl: row 2", "there is no field 'meta.system' here")]


def test_half_of_a_character_is_refused_in_later_rows_too(tmp_path: Path) -> None:
    rows = [f'{{"id": "{number}", "text": "{text}"}}' for number, text in enumerate(("a", "b", "\\ud800"))]
    _, mistakes = read(a_study(), written(tmp_path, "items.jsonl", "\n".join(rows)))
    assert [where for where, _ in mistakes] == ["items.jsonl: row 3, column text"]


def test_several_fields_make_an_id_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = a_study(id=["id", "system"], system="system")
    path = file_of(tmp_path, "1,a,x,,,", "1,a,y,,,", "1 ,a,y,,,", f"{'a' * 300},a,{'b' * 300},,,", "2,a,y,,,")
    found, mistakes = read(study, path)
    assert [each.name for each in found] == ["1/x", "1/y", "2/y"]
    assert len(mistakes) == 2
    assert (found, mistakes) == whole_way(monkeypatch, study, path)


@pytest.mark.parametrize("asked", [{"clean": {"text": {"remove": ["x"]}}}, {"duplicate_of": "more"}])
def test_a_study_that_asks_for_more_than_columns_reads_every_row_the_whole_way(
    asked: dict[str, Any], tmp_path: Path, looked_at: list[Any]
) -> None:
    read(a_study(**asked), file_of(tmp_path, "1,a,,,,", "2,a,,,,", "3,a,,,,"))
    assert looked_at == [2, 3, 4]


def test_a_display_that_looks_at_what_it_shows_sees_every_row(tmp_path: Path) -> None:
    study = a_study(show=[{"table": {"field": "text"}}])
    _, mistakes = read(study, file_of(tmp_path, "1,a,,,,", "2,a,,,,"))
    assert [where for where, _ in mistakes] == ["items.csv: row 2, column text", "items.csv: row 3, column text"]


def test_rows_in_which_somebody_judges_are_looked_at(tmp_path: Path, looked_at: list[Any]) -> None:
    copy_template("route-planning", tmp_path / "study")
    lines = ["item_id,prompt,response,annotator_id", *(f"{number},a,b," for number in range(3))]
    path = written(tmp_path, "items.csv", "\n".join(lines) + "\n")
    read(load(tmp_path / "study"), path)
    assert looked_at == [2, 3, 4]


@pytest.mark.parametrize(
    ("row", "plain"),
    [
        ({"a": "x", "b": "ü"}, True),
        ({"a": "x\x00"}, False),
        ({"a": "\ud800"}, False),
        ({"a": 1}, False),
        ({"a": None}, False),
    ],
)
def test_what_may_not_be_storable_is_no_storable_text(row: dict[str, Any], plain: bool) -> None:
    assert are_storable_texts(row) is plain
