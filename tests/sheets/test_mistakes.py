"""Each kind of mistake in a sheet, once, with its place and its words."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sheets.filling import Desk, Row, read, save
from tests.web.annotator import Annotator, everything

Change = Callable[[list[Row]], object]
MakeDesk = Callable[..., Desk]

CELLS: dict[str, tuple[Change, str]] = {
    "an unknown id": (
        lambda found: found[1].update(Row="rnobody"),
        'empathy_ana.csv: row 3, column A (Row): "rnobody" is no row that this study gave out',
    ),
    "an id that was cut": (lambda found: found[1].update(Row=17), 'row 3, column A (Row): "17" is no row'),
    "no id": (lambda found: found[1].update(Row=""), "row 3, column A (Row): the row has no id"),
    "a missing cell": (
        lambda found: found[1].update(emotion=""),
        "row 3, column F (emotion): the cell is empty: an answer is needed\n  hint: one of: 1, 2, 3, 4, 5",
    ),
    "a value out of range": (
        lambda found: found[1].update(emotion=6),
        'row 3, column F (emotion): "6": Choose a whole number from 1 to 5.\n  hint: one of: 1, 2, 3, 4, 5',
    ),
    "half a point": (lambda found: found[1].update(emotion=3.5), '(emotion): "3.5": Choose a whole number'),
    "a date": (lambda found: found[1].update(emotion="2026-03-01"), '(emotion): "2026-03-01": Choose a whole'),
    "a truth value": (lambda found: found[1].update(emotion=True), '(emotion): "True": Choose a whole number'),
    "a missing note": (
        lambda found: found[1].update(safety=5),
        "column L (note): the cell is empty: Say in a few words why (a score is 1 or 5).",
    ),
    "an unknown tag": (lambda found: found[1].update(edge="empty; odd"), 'column K (edge): "empty; odd": '),
    "a rule broken": (
        lambda found: found[1].update(edge="diagnosis"),
        'column I (safety): "3": A medical claim without a word of consulting somebody is 1 or 2.',
    ),
    "another annotator's name": (
        lambda found: found[1].update(Annotator="ben"),
        "column B (Annotator): \"ben\", but the row was given to 'ana'",
    ),
    "another study": (
        lambda found: found[1].update(Study="in-car@1234"),
        "column C (Study): \"in-car@1234\" is no version of 'empathy'",
    ),
    "a repeated row": (
        lambda found: found.append(dict(found[1])),
        "row 50, column A (Row): this row stands in empathy_ana.csv, row 3 too\n  hint: keep one of the two",
    ),
    "a row that nobody judged": (
        lambda found: found[1].update(dict.fromkeys(("emotion", "validation", "helpfulness", "safety", "overall"), "")),
        "row 3: not judged yet: every answer is empty\n  hint: fill it in, or say --partial",
    ),
    "a column removed": (lambda found: [row.pop("safety") for row in found], 'there is no column "safety"'),
    "the ids removed": (lambda found: [row.pop("Row") for row in found], 'there is no column "Row"'),
}


@pytest.mark.parametrize("mistake", CELLS)
def test_a_mistake_is_named_by_its_cell_and_keeps_the_whole_sheet_out(desk: Desk, mistake: str) -> None:
    change, words = CELLS[mistake]
    path = desk.fill("ana", change)
    before = everything(desk.bench.store)
    found = desk.mistakes(path)
    assert len(found) == 1
    assert words in found[0]
    assert everything(desk.bench.store) == before
    taken = desk.take(path, partial=True)
    assert sum(taken) == (0 if "removed" in mistake else 48 if "repeated" in mistake else 47)


def test_a_mistake_in_a_workbook_is_named_with_its_sheet(books: Desk) -> None:
    path = books.fill("ana", lambda found: found[1].update(emotion=3.5))
    [found] = books.mistakes(path)
    assert found.startswith("empathy_ana.xlsx: sheet judgments, row 3, column F (emotion): 3.5: Choose a whole number")


def test_a_row_of_another_annotator_is_named_with_both(desk: Desk) -> None:
    other = read(desk.files["ben"])[0]
    path = desk.fill("ana", lambda found: found[5].update(Row=other["Row"]))
    [found] = desk.mistakes(path)
    assert "row 7, column A (Row): this row belongs to another annotator: 'ben', and the sheet is of 'ana'" in found


def test_a_renamed_file_is_named_with_whose_rows_it_has(desk: Desk) -> None:
    path = desk.fill("ana").rename(desk.bench.folder / "empathy_ben.csv")
    [found] = desk.mistakes(path)
    assert "the file is called 'empathy_ben.csv', and its rows were given to 'ana'" in found
    assert "call it empathy_ana.csv" in found
    copied = path.rename(desk.bench.folder / "empathy_ana (2).csv")
    assert desk.mistakes(copied) == []


def test_a_sheet_sorted_in_part_is_found_by_its_texts(desk: Desk) -> None:
    def sort(found: list[Row]) -> None:
        for name in ("The person writes", "The reply"):
            values = [row[name] for row in found]
            for row, value in zip(found, values[1:] + values[:1], strict=True):
                row[name] = value

    found = desk.mistakes(desk.fill("ana", sort))
    assert len(found) == 48
    assert "the text beside this id is that of another row" in found[0]


def test_a_text_that_was_touched_is_a_warning_only(desk: Desk) -> None:
    path = desk.fill("ana", lambda found: found[2].update({"The reply": "typed over"}))
    checked = desk.check(path)
    assert checked.mistakes.count == 0
    [warning] = checked.mistakes.warnings
    assert "row 4" in warning.where
    assert "what counts is the text that was given out" in warning.what


def test_a_text_that_was_emptied_was_changed_too(desk: Desk) -> None:
    path = desk.fill("ana", lambda found: found[2].update({"The person writes": "", "The reply": " "}))
    [warning] = desk.check(path).mistakes.warnings
    assert "row 4" in warning.where


def test_texts_are_compared_also_where_a_column_of_them_was_taken_out(desk: Desk) -> None:
    def sort(found: list[Row]) -> None:
        values = [row["The reply"] for row in found]
        for row, value in zip(found, values[1:] + values[:1], strict=True):
            row["The reply"] = value
            del row["The person writes"]

    found = desk.mistakes(desk.fill("ana", sort))
    assert len(found) == 48
    assert "column D (The reply): the text beside this id is that of another row" in found[0]
    without = desk.fill("ben", lambda found: [row.pop("The person writes") for row in found])
    checked = desk.check(without)
    assert (checked.mistakes.count, checked.mistakes.warnings) == (0, [])


def test_a_cell_beyond_the_end_of_an_items_list_has_to_be_empty(desk_of: MakeDesk) -> None:
    desk = desk_of("in-car")
    desk.out("ana")
    last = max(name for name in read(desk.files["ana"])[0] if name.startswith("goal."))

    def change(found: list[Row]) -> None:
        row = next(row for row in found if not row[f"goals {last[5:]}"])
        row[last] = 1

    [found] = desk.mistakes(desk.fill("ana", change))
    assert f"({last}): 1, but nothing is asked here: the item has fewer entries" in found


def test_caps_hold_on_a_sheet_as_on_the_page(desk_of: MakeDesk) -> None:
    desk = desk_of("route-planning", "csv")
    desk.out("ana")
    path = desk.fill("ana", lambda found: found[0].update(caps="impossible"))
    [found] = desk.mistakes(path)
    assert found.startswith('route-planning_ana.csv: row 2, column J (safety_compliance): "4": Cap: 1')


def test_an_item_that_was_declined_on_the_page_is_not_judged_on_a_sheet(desk: Desk) -> None:
    ana = Annotator(desk.bench, "ana").begin()
    ana.submit({}, decline="yes")
    [found] = desk.mistakes(desk.fill("ana"))
    assert "ana has declined this item on their page" in found


def test_more_than_a_hundred_problems_are_counted(desk: Desk) -> None:
    def spoil(found: list[Row]) -> None:
        for row in found:
            row |= {"emotion": 7, "validation": 8, "safety": "x"}

    found = desk.mistakes(desk.fill("ana", spoil))
    assert len(found) == 101
    assert found[-1] == "the sheets: and 44 more mistakes"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("gone.csv", None, "there is no such file"),
        ("sheet.ods", b"x", "neither .csv nor .xlsx"),
        ("broken.xlsx", b"PK no", "this is not an .xlsx workbook"),
        ("old.csv", "Row,caf\xe9".encode("latin-1"), "is not UTF-8"),
        ("empty.csv", b"", 'there is no column "Row"'),
        ("quote.csv", b'Row,Annotator,Study\n"r1,ana', "cannot be read"),
        ("twice.csv", b"Row,Row,Study\n", 'two columns are called "Row"'),
    ],
)
def test_a_file_that_is_no_sheet_is_named(
    desk: Desk, tmp_path: Path, name: str, content: bytes | None, words: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    found = desk.mistakes(tmp_path / name)
    assert len(found) == 1
    assert name in found[0]
    assert words in found[0]


def test_a_sheet_is_read_by_the_version_of_the_study_that_it_was_written_under(desk_of: MakeDesk) -> None:
    from assay.store.coordinator import studies
    from assay.study import load

    desk = desk_of("empathy")
    [path] = desk.out("ana")
    study = desk.bench.folder / "study.yaml"
    study.write_text(study.read_text("utf-8").replace("in [1, 5]\n", "in [1, 3, 5]\n"), "utf-8")
    new = load(desk.bench.folder)
    assert new.hash != desk.bench.study.hash
    desk.bench.store.write(studies.publish, new, desk.at, even_if_begun=True)
    old, desk.bench.study = desk.bench.study, new
    assert desk.take(desk.fill("ana")) == (48, 0, 0)
    [ben] = desk.out("ben")
    assert len(desk.mistakes(desk.fill("ben"))) == 48
    assert old.hash[:12] in str(read(path)[0]["Study"])
    save(ben, read(ben))
