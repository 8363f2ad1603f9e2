"""Items are split into what is shown and what is hidden; a file is taken whole, or everything wrong in it is listed."""

from pathlib import Path

import pytest

from assay.errors import AssayError, ItemMistakes
from assay.items import MOST_MISTAKES
from assay.items.reader import mistakes_in_first_row, read_items
from assay.kinds import SOURCES
from assay.study import load
from assay.study.templates import copy_template
from tests.items.files import a_study, items_of, mistakes_of, written


def test_everything_that_is_not_shown_is_hidden(tmp_path: Path) -> None:
    path = written(tmp_path, "items.csv", "id,text,model,prompt,score\n1,hello,gpt,p1,0.7\n")
    [item] = items_of(path, system="model", group="prompt")
    assert item.shown == {"text": "hello"}
    assert item.hidden == {"id": "1", "model": "gpt", "prompt": "p1", "score": "0.7"}
    assert (item.id, item.systems, item.group) == ("1", ("gpt",), "p1")


def test_the_template_s_items_are_read(tmp_path: Path) -> None:
    copy_template("empathy", tmp_path)
    study = load(tmp_path)
    items = [intake.item for intake in read_items(study, tmp_path / study.items.source) if intake.item is not None]
    assert len({item.id for item in items}) == len(items) > 20
    assert all(set(item.shown) == {"user_statement", "response"} for item in items)
    assert all("model_tag" in item.hidden and item.systems == (item.hidden["model_tag"],) for item in items)


@pytest.mark.parametrize(("key", "column"), [("system", "model"), ("group", "prompt")])
def test_an_item_without_its_system_or_group_is_refused(tmp_path: Path, key: str, column: str) -> None:
    path = written(tmp_path, "items.csv", f"id,text,{column}\n1,x,\n2,y,z\n")
    assert mistakes_of(path, **{key: column}) == [(f"row 2, column {column}", f"the {key} is empty")]


def test_right_rows_are_yielded_and_the_wrong_ones_raised_at_the_end(tmp_path: Path) -> None:
    path = written(tmp_path, "items.csv", "id,text\n1,x\n2\n3,z\n")
    items = read_items(a_study(), path)
    assert [next(items).name, next(items).name] == ["1", "3"]
    with pytest.raises(ItemMistakes, match="row 3"):
        next(items)


def test_all_kinds_of_problems_are_listed_together(tmp_path: Path) -> None:
    path = written(tmp_path, "items.csv", "id,text\n1,x\n1,y\n3\n,z\n5,a\x00\n")
    assert [place for place, _ in mistakes_of(path)] == [
        "row 3, column id",
        "row 4",
        "row 5, column id",
        "row 6, column text",
    ]


def test_problems_are_listed_up_to_a_hundred_and_counted_beyond(tmp_path: Path) -> None:
    path = written(tmp_path, "items.csv", "id,text\n" + "1\n" * 250)
    mistakes = mistakes_of(path)
    assert len(mistakes) == MOST_MISTAKES + 1
    assert mistakes[MOST_MISTAKES - 1][0] == "row 101"
    assert mistakes[-1] == ("", "and 150 more mistakes")


def test_exactly_a_hundred_problems_are_listed_without_a_count(tmp_path: Path) -> None:
    path = written(tmp_path, "items.csv", "id,text\n" + "1\n" * 100)
    assert mistakes_of(path)[-1] == ("row 101", "the row has 1 cell, the header 2")


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_field_that_is_missing_everywhere_is_one_problem(tmp_path: Path, suffix: str) -> None:
    rows = range(300)
    text = "id,txet\n" + "".join(f"{row},x\n" for row in rows)
    if suffix == "jsonl":
        text = "".join(f'{{"id": "{row}", "txet": "x"}}\n' for row in rows)
    path = written(tmp_path, f"items.{suffix}", text)
    with pytest.raises(ItemMistakes) as raised:
        items_of(path, system="model")
    assert [(mistake.what, mistake.hint) for mistake in raised.value.mistakes] == [
        ("there is no field 'model'", "known here: id, txet"),
        ("there is no field 'text'", "did you mean 'txet'?"),
    ]


def test_a_field_that_is_missing_in_some_rows_is_said_for_each(tmp_path: Path) -> None:
    path = written(tmp_path, "items.jsonl", '{"id": "1", "text": "x"}\n{"id": "2"}\n{"id": "3"}\n')
    assert mistakes_of(path) == [("row 2", "there is no field 'text' here"), ("row 3", "there is no field 'text' here")]


def test_a_missing_field_does_not_hide_other_problems(tmp_path: Path) -> None:
    path = written(tmp_path, "items.csv", "id,test\n1,x\n2,a\x00\n")
    assert [what for _, what in mistakes_of(path)] == ["there is no field 'text'", "the text holds a NUL character"]


def test_no_file_is_said(tmp_path: Path) -> None:
    for path in (tmp_path / "items.csv", tmp_path / ("x" * 5000 + ".csv")):
        with pytest.raises(AssayError, match="there is no file"):
            items_of(path)


def test_a_folder_without_items_is_said(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    assert mistakes_of(tmp_path) == [("", "there are no items here")]


def test_an_unknown_ending_is_said_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(AssayError) as raised:
        items_of(written(tmp_path, "items.docx", b"PK"))
    assert raised.value.what == "items.docx: items cannot be read from this kind of file"
    known = [suffix for kind in SOURCES.values() for suffix in kind.suffixes]
    assert {".csv", ".json", ".xlsx", ".parquet"} <= set(known)
    assert raised.value.hint == f"known endings: {', '.join(known)}"


def test_the_ending_may_be_in_capitals(tmp_path: Path) -> None:
    assert len(items_of(written(tmp_path, "ITEMS.CSV", "id,text\n1,x\n"))) == 1


@pytest.mark.parametrize(
    ("name", "content", "mistakes"),
    [
        ("items.csv", "id,text\n1,x\n", []),
        ("items.csv", "id,test\n1,x\n", ["there is no field 'text'"]),
        ("items.csv", "", ["there are no items here"]),
        ("items.csv", "id,id\n", ["the column name 'id' occurs twice"]),
        ("items.jsonl", '{"id": 1}\n', ["there is no field 'text'"]),
        ("items.txt", "x", ["items.txt: items cannot be read from this kind of file"]),
    ],
)
def test_the_fields_are_checked_at_the_first_row(tmp_path: Path, name: str, content: str, mistakes: list[str]) -> None:
    found = mistakes_in_first_row(a_study(), written(tmp_path, name, content))
    assert [mistake.what for mistake in found] == mistakes


def test_words_are_counted_over_what_is_shown(tmp_path: Path) -> None:
    [item] = items_of(written(tmp_path, "items.csv", "id,text,more\n1,two words,not counted here\n"))
    assert item.words == 2
