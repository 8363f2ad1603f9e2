"""Sheets on the command line, from the first to the last step."""

import json
from pathlib import Path

import pytest

from assay.store import open_store
from assay.store.tables import submission
from assay.study.templates import copy_template
from tests.servers import command as run
from tests.sheets.filling import ANSWERS, read, save
from tests.web.annotator import everything, rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy_template("in-car", tmp_path / "study")
    assert run("import", str(tmp_path / "study")).returncode == 0
    return tmp_path / "study"


def fill(path: Path) -> Path:
    found = read(path)
    for row in found:
        row |= ANSWERS["in-car"]
        row |= {key: 1 for key in row if key.startswith("goal.") and row[f"goals {key[5:]}"]}
    return save(path, found)


def people_only(folder: Path) -> list[dict[str, object]]:
    store = open_store(folder / "assay.db")
    found = [row for row in rows(store, submission) if row["source"] != "imported"]
    store.close()
    return found


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["out", "--annotator", "ana", "--past-gates", "x", "--dry-run"], "--dry-run goes with in"),
        (["in", "--annotator", "ana", "--out", "x"], "--annotator, --out goes with out"),
    ],
)
def test_an_option_of_the_other_way_is_refused_and_nothing_is_done(
    tmp_path: Path, options: list[str], said: str
) -> None:
    refused = run("sheets", *options, cwd=tmp_path)
    assert refused.returncode == 1
    assert said in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_sheets_go_out_come_back_are_exported_and_come_back_again(folder: Path) -> None:
    where = str(folder)
    refused = run("sheets", "out", where, "--annotator", "ana")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "gates are not passed (ana: consent, reading)" in refused.stderr
    out = run("sheets", "out", where, "--annotator", "ana", "--annotator", "007", "--past-gates", "signed on paper")
    assert out.returncode == 0, out.stderr
    assert "in-car_ana.xlsx  16 rows for ana" in out.stdout
    again = run("sheets", "out", where, "--annotator", "ana", "--past-gates", "x")
    assert again.returncode == 1
    assert "in-car_ana.xlsx is there already" in again.stderr

    files = [fill(folder / "sheets" / f"in-car_{name}.xlsx") for name in ("ana", "007")]
    tried = run("sheets", "in", where, *map(str, files), "--dry-run")
    assert "32 judged items would be taken in, 0 changed, 0 known already: ana, 007.\n" in tried.stdout
    assert people_only(folder) == []
    done = run("sheets", "in", where, *map(str, files))
    assert done.stdout == "32 judged items taken in, 0 changed, 0 known already: ana, 007.\n"
    assert {row["source"] for row in people_only(folder)} == {"sheet"}

    assert run("export", where, "--format", "human-ratings").returncode == 0
    ratings = min(folder.rglob("human_ratings_p-*.xlsx"))
    who = ratings.stem.removeprefix("human_ratings_")
    back = run("sheets", "in", str(ratings), cwd=folder)
    assert back.stdout == f"0 judged items taken in, 0 changed, 16 known already: {who}.\n", back.stderr
    verified = run("verify", where)
    assert verified.returncode == 0, verified.stdout
    report = run("report", where)
    assert report.returncode == 0, report.stderr
    assert "32 submissions did not come by the page. On a sheet" in (folder / "report.html").read_text("utf-8")


def test_a_wrong_sheet_changes_nothing_and_ends_with_a_list(folder: Path) -> None:
    where = str(folder)
    assert run("sheets", "out", where, "--count", "1", "--format", "csv", "--past-gates", "x").returncode == 0
    path = fill(folder / "sheets" / "in-car_a1.csv")
    found = read(path)
    found[0]["plan_coherence"] = "5"
    save(path, found)
    store = open_store(folder / "assay.db")
    before = everything(store)
    store.close()
    done = run("sheets", "in", where, str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        'in-car_a1.csv: row 2, column J (plan_coherence): "5": Choose a whole number from 0 to 2.'
    )
    assert done.stderr.endswith("\n1 problem. Nothing was changed.\n")
    store = open_store(folder / "assay.db")
    assert everything(store) == before
    store.close()
    part = run("sheets", "in", where, str(path), "--partial", "--json")
    said = json.loads(part.stdout)
    assert (said["new"], said["not_taken"], len(said["problems"])) == (15, 1, 1)
    rest = run("sheets", "in", where, str(path), "--partial")
    assert "a1 still has 1 item to judge." in rest.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("out", "."), "nobody is named"),
        (("out", ".", "--count", "1", "--format", "ods"), "there is no format 'ods'"),
        (("out", "file.xlsx"), "file.xlsx is no study"),
        (("in", "."), "no sheet is named"),
        (("in", "gone.xlsx"), "gone.xlsx: there is no such file"),
    ],
)
def test_what_cannot_be_done_is_said(folder: Path, arguments: tuple[str, ...], words: str) -> None:
    done = run("sheets", *arguments, cwd=folder)
    assert done.returncode in (1, 2)
    assert words in done.stderr
