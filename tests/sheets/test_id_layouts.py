"""Empty sheets in the layouts of the originals: what stands on them, and what is looked at when they come back."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import AssayError
from assay.kinds import EXPORTS
from assay.live.export_data import export_data
from assay.sheets.write import files_of, refuse_format
from assay.store.annotator.names import pseudonym_of
from assay.store.tables import assignment, judgment
from tests.exchange.sample import study_of
from tests.inviting import invite
from tests.sheets.filling import ANSWERS, Desk, Row, read, save
from tests.sheets.test_round_trips import MakeDesk
from tests.web.annotator import rows

AGAIN = {"emp-500": "emp-003", "emp-501": "emp-007"}
"""Duplicates that the files name, with their originals."""


def with_duplicates(folder: Path) -> None:
    """Put duplicates into the context sheet and the mapping, as the document's own pilot has them."""
    shown = read(folder / "items.csv")
    mapping = json.loads((folder / "mapping.json").read_text("utf-8"))
    for name, origin in AGAIN.items():
        shown.append({**next(each for each in shown if each["eval_id"] == origin), "eval_id": name})
        known = next(each for each in mapping if each["eval_id"] == origin)
        mapping.append({**known, "eval_id": name, "is_duplicate_of": origin})
    save(folder / "items.csv", shown)
    (folder / "mapping.json").write_text(json.dumps(mapping), "utf-8")


@pytest.fixture
def pilot(desk_of: MakeDesk) -> Desk:
    """The whole empathy study with two sheets for ana: one to read, one to fill in."""
    desk = desk_of("empathy", "annotation-sheets", whole=True, edit=with_duplicates)
    desk.out("ana")
    return desk


def filled(desk: Desk, change: Any = None, name: str = "ana") -> Path:
    """Fill a sheet in, and change what a test wants otherwise."""
    path = desk.files[name]
    found = read(path)
    named = {"note": "notes"}
    for row in found:
        row |= {named.get(key, key): value for key, value in ANSWERS[desk.bench.study.study].items()}
    if change is not None:
        change(found)
    return save(path, found)


def test_the_two_sheets_of_the_document_go_out_empty_under_the_items_own_ids(pilot: Desk) -> None:
    folder = pilot.bench.folder
    original = ["eval_id", "annotator_id", "emotion", "validation", "helpfulness", "safety", "overall", "notes"]
    sheet, context = read(folder / "annotation_ana.csv"), read(folder / "samples_ana.csv")
    assert list(sheet[0]) == [*original, "edge"]
    assert list(context[0]) == ["eval_id", "user_statement", "response"]
    assert [row["eval_id"] for row in sheet] == [row["eval_id"] for row in context]
    assert {row["annotator_id"] for row in sheet} == {"ana"}
    assert {value for row in sheet for name, value in row.items() if name not in original[:2]} == {""}
    assert not (folder / "annotation_ana.csv").read_bytes().startswith(b"\xef\xbb\xbf"), "as the original has it"
    beside = (folder / "annotation_ana.txt").read_text("utf-8")
    assert beside.startswith("content warning: ")
    assert "notes | rule" in beside, "what a rule says, it says of the sheet's column"
    text = "".join(path.read_text("utf-8") for path in folder.glob("*_ana.*"))
    assert not any(system in text for system in ("plain-lm", "tuned-lm", "guided-lm")), "blind as the page"


def test_what_the_mapping_has_twice_stands_twice_under_its_own_ids_at_a_distance(pilot: Desk) -> None:
    names = [row["eval_id"] for row in read(pilot.files["ana"])]
    assert len(names) == len(set(names)) == len(rows(pilot.bench.store, assignment))
    for again, first in AGAIN.items():
        assert names.index(again) - names.index(first) > 20
    assert sum(row["pass"] == 2 for row in rows(pilot.bench.store, assignment)) == len(AGAIN), "none without an id"


def test_a_filled_sheet_is_submitted_and_comes_out_as_it_was_filled_in(pilot: Desk, tmp_path: Path) -> None:
    path = filled(pilot, lambda found: found[0].update(emotion=5, notes="sees it all", edge="Good advice, no empathy"))
    wrong = "Advice without empathy is 1 or 2 here."
    assert pilot.mistakes(path)[0].startswith(f'annotation_ana.csv: row 2, column C (emotion): "5": {wrong}')
    path = filled(pilot, lambda found: found[0].update(emotion=1, notes="=cold", edge="Good advice, no empathy"))
    assert pilot.take(path)[0] == len(read(path))
    assert pilot.take(path) == (0, 0, len(read(path))), "the same sheet twice changes nothing"
    bench = pilot.bench
    (tmp_path / "out").mkdir()
    EXPORTS["annotation-sheets"]().write(export_data(bench.store, bench.study_id, bench.study, 0), tmp_path / "out")
    ana = bench.store.read(pseudonym_of, bench.study_id, "ana")
    sent = [{**row, "annotator_id": "ana"} for row in read(tmp_path / "out" / f"annotation_{ana}.csv")]
    out = {row["eval_id"]: row for row in sent}
    sheet = {row["eval_id"]: row for row in read(path)}
    assert out.keys() == sheet.keys()
    tagged = next(iter(sheet))
    assert out[tagged] == {**sheet[tagged], "notes": "'=cold", "edge": '["advice_only"]'}
    assert all(out[name] == sheet[name] for name in sheet if name != tagged)


def swap_ids(found: list[Row]) -> None:
    found[0]["item_id"], found[1]["item_id"] = found[1]["item_id"], found[0]["item_id"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda found: found[0].update(coherence=6), 'row 2, column E (coherence): "6": Choose a whole number'),
        (lambda found: found[0].update(coherence=""), "row 2, column E (coherence): the cell is empty"),
        (lambda found: found[0].update(caps=""), "row 2, column K (caps): the cell is empty"),
        (lambda found: found[0].update(caps="impossible"), '(safety_compliance): "4": Cap: 1, because something is'),
        (lambda found: found[1].update(annotator_id="ben"), "(annotator_id): \"ben\", but the rows above are by '007'"),
        (lambda found: found[0].update(annotator_id="zoe"), '"zoe" is no annotator of this study'),
        (lambda found: found[0].update(item_id="rp-99"), '"rp-99" is no item of this study'),
        (lambda found: found.append(found[0]), "this row stands in annotation_007.csv, row 2 too"),
        (swap_ids, "is another one than the item's"),
        (lambda found: found[0].update(response=" "), "row 2, column D (response): the text of response is empty here"),
        (lambda found: [row.pop("fluency") for row in found], 'there is no column "fluency"'),
    ],
)
def test_what_is_wrong_in_a_sheet_is_said_with_its_cell(desk_of: MakeDesk, change: Any, said: str) -> None:
    desk = desk_of("route-planning", "rating-rows")
    desk.out("007")
    assert read(desk.files["007"])[0]["annotator_id"] == "007"
    found = desk.mistakes(filled(desk, change, "007"))
    assert any(said in each for each in found), found


def test_a_sheet_may_lack_the_column_that_the_original_lacks(desk_of: MakeDesk) -> None:
    desk = desk_of("route-planning", "rating-rows")
    desk.out("ana")
    path = filled(desk, lambda found: [row.pop("caps") for row in found])
    assert list(read(path)[0])[-1] == "notes", "the columns of the document's own sheet"
    assert desk.take(path) == (26, 0, 0)
    assert desk.take(path) == (0, 0, 26)
    said = {row["dimension"] for row in rows(desk.bench.store, judgment)}
    assert said >= {"coherence", "fluency"}
    assert "caps" not in said


def test_a_sheet_keeps_its_name_and_what_was_not_given_out_is_not_taken(desk_of: MakeDesk) -> None:
    desk = desk_of("route-planning", "rating-rows")
    desk.out("ana", "ben")
    path = filled(desk)
    other = path.rename(path.with_name("mine.csv"))
    assert "call it annotation_ana.csv" in desk.mistakes(other)[0]
    copy = other.rename(path.with_name("annotation_ana (1).csv"))
    assert desk.take(copy)[0] == 26
    assert desk.take(filled(desk, name="ben"))[0] == 26
    desk.bench.store.write(invite, desk.bench.study_id, ["cleo"], desk.at)
    third = save(path.with_name("annotation_cleo.csv"), [{**row, "annotator_id": "cleo"} for row in read(copy)])
    assert "was not given to cleo" in desk.mistakes(third)[0]


def test_a_layout_that_does_not_suit_a_study_is_refused_before_anything_is_given_out() -> None:
    with pytest.raises(AssayError, match="rating-rows does not suit dialog-pairs: this layout has one row for one"):
        refuse_format(study_of("dialog-pairs"), "rating-rows")
    with pytest.raises(AssayError, match="annotation-sheets does not suit in-car"):
        refuse_format(study_of("in-car"), "annotation-sheets")
    with pytest.raises(AssayError, match="there is no format 'pdf'"):
        refuse_format(study_of("empathy"), "pdf")
    names = [path.name for path in files_of(Path(), study_of("empathy"), "JD 01/é", "annotation-sheets")]
    assert names == ["annotation_JD_01_é.csv", "samples_JD_01_é.csv", "annotation_JD_01_é.txt"]
