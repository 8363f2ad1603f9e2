"""What goes out on a sheet: what the page would show, to whom it would show it, and nothing else."""

import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

from assay import acts
from assay.acts.sheets import give_sheets
from assay.errors import AssayError, Interrupted
from assay.sheets.content import content_columns, refuse_what_no_sheet_can_show
from assay.store.coordinator.record import By
from assay.store.tables import action, annotator, assignment, gate_pass, item, item_hidden
from tests.giving import claim
from tests.inviting import invite
from tests.sheets.filling import Desk, read, save
from tests.web.annotator import Annotator, everything, rows, submissions

MakeDesk = Callable[..., Desk]
DAY = 24 * 60 * 60 * 1000


def bytes_of(path: Path) -> str:
    if path.suffix == ".csv":
        return path.read_text("utf-8") + path.with_suffix(".txt").read_text("utf-8")
    with zipfile.ZipFile(path) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


@pytest.mark.parametrize("form", ["xlsx", "csv"])
@pytest.mark.parametrize("template", ["route-planning", "empathy", "in-car", "dialog-pairs"])
def test_no_byte_of_a_sheet_tells_what_is_hidden(desk_of: MakeDesk, template: str, form: str) -> None:
    desk = desk_of(template, form, whole=True)
    [path] = desk.out("ana")
    text = bytes_of(path)
    shown = json.dumps([json.loads(row["shown"]) for row in rows(desk.bench.store, item)], ensure_ascii=False)
    hidden = {row["name"] for row in rows(desk.bench.store, item)}
    for row in rows(desk.bench.store, item_hidden):
        known = json.loads(row["hidden"]).values()
        hidden |= {row["group"], row["batch"], *json.loads(row["systems"])}
        hidden |= {each for each in known if isinstance(each, str)}
    secret = {each for each in hidden if len(each) > 4 and each not in shown and each != template}
    assert len(secret) > 3
    assert {each for each in secret if each in text} == set()


def test_a_sheet_says_what_the_page_says_and_offers_the_values(books: Desk) -> None:
    [first, *_] = read(books.files["ana"])
    page = unescape(Annotator(books.bench, "ana").begin().page())
    assert first["The reply"].split()[0] in page
    text = bytes_of(books.files["ana"])
    assert 'sqref="F2:F49"><formula1>"1,2,3,4,5"</formula1>' in text
    assert read(books.files["ana"], "rubric")[0]["column"] == "emotion"
    about = {row["about"]: row["words"] for row in read(books.files["ana"], "about")}
    assert about["annotator"] == "ana"
    assert about["content warning"] == (books.bench.folder / "guide" / "warning.md").read_text("utf-8")


def test_a_pair_stands_on_a_sheet_as_its_sides_were_drawn(desk_of: MakeDesk) -> None:
    desk = desk_of("dialog-pairs", "csv")
    [path] = desk.out("ana")
    given = {f"r{row['public_id']}": row for row in rows(desk.bench.store, assignment)}
    shown = {row["id"]: json.loads(row["shown"])["_candidates"] for row in rows(desk.bench.store, item)}
    assert {row["swapped"] for row in given.values()} == {False, True}
    _, left, _ = content_columns(desk.bench.study)
    for row in read(path):
        mine = given[row["Row"]]
        first, second = shown[mine["item_id"]][:: -1 if mine["swapped"] else 1]
        assert row["Left: Text"] == left.text({"_candidates": [first]})
        assert row["Right: Text"] == left.text({"_candidates": [second]})


def test_sheets_and_pages_never_give_out_the_same_place_twice(desk: Desk) -> None:
    desk.bench.store.write(invite, desk.bench.study_id, ["carl"], desk.at)
    [mine] = [row["id"] for row in rows(desk.bench.store, annotator) if row["name"] == "carl"]
    desk.bench.store.write(claim, desk.bench.study_id, desk.bench.study, mine, 20)
    assert Counter(row["taken"] for row in rows(desk.bench.store, item) if row["series"] == "work") == {2: 48}
    assert not [row for row in rows(desk.bench.store, assignment) if row["annotator_id"] == mine]


def test_a_sheet_that_lies_for_weeks_keeps_its_places(desk: Desk) -> None:
    path = desk.fill("ana")
    desk.bench.store.write(invite, desk.bench.study_id, ["carl"], desk.at)
    [mine] = [row["id"] for row in rows(desk.bench.store, annotator) if row["name"] == "carl"]
    desk.bench.store.write(claim, desk.bench.study_id, desk.bench.study, mine, 20, now=desk.at + 60 * DAY)
    assert {row["state"] for row in rows(desk.bench.store, assignment)} == {"open"}
    assert mine not in {row["annotator_id"] for row in rows(desk.bench.store, assignment)}
    assert desk.take(path) == (48, 0, 0)


def test_nothing_is_given_out_while_the_study_is_paused(desk: Desk) -> None:
    desk.bench.store.write(acts.set_study_state, By(desk.bench.study_id, "test", desk.at), "paused")
    with pytest.raises(AssayError, match="the study is paused"):
        desk.out("carl")


def test_giving_out_that_is_stopped_leaves_nothing_behind(desk_of: MakeDesk) -> None:
    desk = desk_of("empathy")
    before = everything(desk.bench.store)

    def stop(_: int) -> None:
        raise Interrupted("stopped")

    with pytest.raises(Interrupted):
        desk.bench.store.write(give_sheets, desk.by, desk.bench.study, ["ana"], "paper", stop)
    assert everything(desk.bench.store) == before


def test_what_was_released_meanwhile_is_kept_as_surplus(desk: Desk) -> None:
    path = desk.fill("ana")
    desk.bench.store.write(acts.release, desk.by, "ana")
    desk.out("carl")
    desk.take(path)
    assert all(each["surplus"] for each in submissions(desk.bench.store, "ana"))


def test_writing_again_gives_the_same_rows(desk: Desk) -> None:
    before = [row["Row"] for row in read(desk.files["ana"])]
    desk.out("ana")
    assert [row["Row"] for row in read(desk.files["ana"])] == before


def test_duplicates_come_at_their_distance_under_other_ids(desk_of: MakeDesk) -> None:
    desk = desk_of("empathy", whole=True)
    [path] = desk.out("ana")
    found = [(row["The person writes"], row["The reply"]) for row in read(path)]
    given = sorted(rows(desk.bench.store, assignment), key=lambda row: row["position"])
    again = [row for row in given if row["pass"] == 2]
    assert len(again) == 10
    for row in again:
        [first] = [each for each in given if each["item_id"] == row["item_id"] and each["pass"] == 1]
        assert row["position"] - first["position"] >= 20
        assert row["public_id"] != first["public_id"]
        assert found[row["position"] - 1] == found[first["position"] - 1]


def test_nobody_gets_a_sheet_before_the_gates_unless_somebody_answers_for_it(desk_of: MakeDesk) -> None:
    desk = desk_of("empathy")
    bench = desk.bench
    with pytest.raises(AssayError, match=r"gates are not passed \(ana: consent, warning, reading\)"):
        bench.store.write(give_sheets, desk.by, bench.study, ["ana"])
    assert rows(bench.store, annotator) == []
    desk.out("ana")
    assert {(row["gate"], row["by"], row["reason"]) for row in rows(bench.store, gate_pass)} == {
        (gate, "carla", "signed on paper") for gate in ("consent", "warning", "reading")
    }
    assert [row["what"] for row in rows(bench.store, action)] == ["pass gate"] * 3 + ["sheet out"]


def test_whoever_passed_on_the_page_gets_a_sheet(sqlite_bench: object) -> None:
    desk = Desk(sqlite_bench)  # type: ignore[arg-type]
    Annotator(desk.bench, "ana").begin()
    [handed] = desk.bench.store.write(give_sheets, desk.by, desk.bench.study, ["ana"])
    assert len(handed.rows) == 48


@pytest.mark.parametrize(("act", "words"), [("pause", "ana is paused"), ("release", "ana is released")])
def test_whoever_is_held_back_gets_no_sheet(desk: Desk, act: str, words: str) -> None:
    desk.bench.store.write(getattr(acts, act), desk.by, "ana")
    with pytest.raises(AssayError, match=words):
        desk.bench.store.write(give_sheets, desk.by, desk.bench.study, ["ana"], "paper")


def test_pictures_and_what_is_revealed_later_are_refused(desk_of: MakeDesk) -> None:
    with pytest.raises(AssayError, match="pictures"):
        refuse_what_no_sheet_can_show(desk_of("trajectories").bench.study)


@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_names_that_a_spreadsheet_would_change_survive(desk_of: MakeDesk, form: str) -> None:
    names = ["007", "1e5", "NA", "TRUE", "-1", "=1+1"]
    desk = desk_of("route-planning", form)
    files = desk.out(*names)
    if form == "xlsx":
        assert [{row["Annotator"] for row in read(path)} for path in files] == [{name} for name in names]
    assert desk.take(*map(desk.fill, names)) == (78, 0, 0)
    assert [len(submissions(desk.bench.store, name)) for name in names] == [13] * 6


def test_a_name_that_a_spreadsheet_has_changed_in_a_csv_is_known_by_the_ids_of_the_rows(desk_of: MakeDesk) -> None:
    mangled = {"007": "7", "1e5": "1.00E+05", "1E3": 1000.0}
    desk = desk_of("route-planning", "csv")
    desk.out(*mangled)
    for name, instead in mangled.items():
        path = desk.fill(name, lambda found, instead=instead: [row.update(Annotator=instead) for row in found])  # type: ignore[misc]
        assert desk.mistakes(path) == []


def test_a_csv_that_was_saved_with_semicolons_is_read(desk_of: MakeDesk) -> None:
    import csv

    desk = desk_of("route-planning", "csv")
    desk.out("ana")
    path = desk.fill("ana")
    found = read(path)
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(found[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(found)
    assert desk.take(path) == (26, 0, 0)


def test_item_ids_that_are_shown_stay_text(desk_of: MakeDesk) -> None:
    def rename(folder: Path) -> None:
        study, items = folder / "study.yaml", folder / "items.csv"
        shown = "    - text: {field: item_id, label: Number}\n"
        study.write_text(
            re.sub(r"( +)(- text: \{field: prompt)", rf"\1{shown.strip()}\n\1\2", study.read_text("utf-8")), "utf-8"
        )
        first, *lines = items.read_text("utf-8").splitlines(keepends=True)
        ids = iter(["007", "1e5", "NA"])
        fresh = [f"{next(ids, None) or line.split(',', 1)[0]},{line.split(',', 1)[1]}" for line in lines if "," in line]
        items.write_text("".join([first, *fresh]), "utf-8")

    desk = desk_of("route-planning", edit=rename)
    [path] = desk.out("ana")
    assert {"007", "1e5", "NA"} <= {row["Number"] for row in read(path)}
    save(path, read(path))
    assert desk.take(desk.fill("ana"))[0] == 26
