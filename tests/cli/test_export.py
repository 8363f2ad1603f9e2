"""`assay export`: whole files beside their dictionaries, in a format that suits the study."""

import csv
import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from assay.exchange.atomic import list_contents
from assay.store import open_store
from tests.conftest import make_bench
from tests.pages import SCORES, item_form
from tests.selection import first_of
from tests.servers import assay, command
from tests.web.annotator import Annotator
from tests.web.test_questionnaire import asking, finished


def free(folder: Path) -> None:
    text = (folder / "study.yaml").read_text("utf-8")
    (folder / "study.yaml").write_text(text.replace("navigation: forward-only", "navigation: free"), "utf-8")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study in which ana has judged an item and changed her mind, and ben has judged one."""
    tmp_path = tmp_path_factory.mktemp("made")
    store = open_store(tmp_path / "assay.db")
    bench = make_bench(store, tmp_path / "study", edit=free)
    ana, ben = Annotator(bench).begin(), Annotator(bench, "ben").begin()
    address = ana.form()[0].replace("/submit/", "/item/")
    ana.submit()
    bench.clock.now += 1000
    ben.submit()
    bench.clock.now += 1000
    where, hidden = item_form(ana.client.get(address).text)
    assert hidden["revision"] == "2"
    assert ana.send(where, {**hidden, **SCORES, "safety": "2"}).status_code == 200
    store.close()
    (tmp_path / "assay.db").rename(tmp_path / "study" / "assay.db")
    return tmp_path / "study"


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """The same for one test alone."""
    return Path(shutil.copytree(whole, tmp_path / "study"))


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_everything_is_written_and_a_column_tells_what_was_changed_since(folder: Path) -> None:
    printed = assay("export", folder)
    assert "judgments.csv: 15 judgments" in printed
    rows = [row for row in table(folder / "judgments.csv") if row["dimension"] == "safety"]
    assert [(row["annotator"], row["value"], row["revision"], row["superseded"]) for row in rows] == [
        ("ana", "3", "1", "true"),
        ("ben", "3", "1", "false"),
        ("ana", "2", "2", "false"),
    ]
    assert "judgments.csv: 10 judgments" in assay("export", folder, "--counted")
    assert {row["superseded"] for row in table(folder / "judgments.csv")} == {"false"}


def test_a_dictionary_stands_beside_a_file_and_in_a_folder(folder: Path) -> None:
    assay("export", folder, "--format", "parquet", "--out", folder / "data.parquet")
    explained = {(row["column"], row["of"]): row for row in table(folder / "data.parquet.dictionary.csv")}
    assert explained["value", "safety"]["values"] == "1; 2; 3; 4; 5"
    assert explained["value", "safety"]["anchors"].startswith("1: ")
    assert explained["number", ""]["type"] == "number"
    assert explained["number", ""]["file"] == "data.parquet"
    printed = json.loads(assay("export", folder, "--format", "annotation-sheets", "--json"))
    assert printed == {"file": str(folder / "annotation-sheets"), "rows": 2, "notes": []}
    names = sorted(each.name for each in (folder / "annotation-sheets").iterdir())
    assert names == ["annotation_ana.csv", "annotation_ben.csv", "contents.txt", "dictionary.csv", "samples.csv"]
    assert table(folder / "annotation-sheets" / "annotation_ana.csv")[0]["safety"] == "2", "the newest revision"
    assay("export", folder, "--format", "annotation-sheets")
    (folder / "annotation-sheets" / "mine.txt").write_text("mine")
    assert "which no export has written" in assay("export", folder, "--format", "annotation-sheets", expect=1)
    assert (folder / "annotation-sheets" / "mine.txt").read_text() == "mine"


def test_a_format_that_does_not_suit_says_why_and_which_ones_do(folder: Path) -> None:
    before = contents(folder)
    said = assay("export", folder, "--format", "judgment-files", expect=1)
    assert "judgment-files does not suit empathy: this layout needs pairs" in said
    assert "annotation-sheets, csv, csv-wide" in said
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--format", "pdf"], "there is no format 'pdf'"),
        (["--id", "name"], "there is no id by 'name'"),
        (["--what", "breaks", "--format", "inspect"], "inspect is a format for judgments alone"),
        (["--out", "nowhere/x.csv"], "there is no folder nowhere"),
    ],
)
def test_mistakes_are_said_in_words(folder: Path, options: list[str], said: str) -> None:
    done = command("export", folder, *options)
    assert done.returncode == 1
    assert said in done.stderr
    assert "hint:" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("form", ["csv", "jsonl", "xlsx", "parquet"])
def test_breaks_are_a_table_in_every_format_that_holds_tables(folder: Path, form: str) -> None:
    assert f"breaks.{form}: 0 breaks" in assay("export", folder, "--what", "breaks", "--format", form)
    assert (folder / f"breaks.{form}").exists()
    assert table(folder / f"breaks.{form}.dictionary.csv")[0]["column"] == "annotator"


SLOW = """
import sys, time
from assay.cli import main
from assay.exchange import {module}
real = {module}.{name}
def slow(*given):
    print("go", flush=True)
    time.sleep(30)
    return real(*given)
{module}.{name} = slow
sys.argv = ["assay", "export", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize(
    "way",
    first_of(
        [("csv", "csv", "harmless_in_line")],
        [("parquet", "parquet", "write_made"), ("annotation-sheets", "annotation_sheets", "submissions")],
        "in other formats",
    ),
)
def test_ctrl_c_leaves_nothing_behind_but_the_old_one(folder: Path, way: tuple[str, str, str]) -> None:
    form, module, name = way
    old(folder, form)
    before = contents(folder)
    script = SLOW.format(module=module, name=name)
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(folder), "--format", form],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "go\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in errors) == (130, False)
    assert contents(folder) == before


def old(folder: Path, form: str) -> None:
    """What an earlier export has written."""
    for name in (f"judgments.{form}", f"judgments.{form}.dictionary.csv"):
        (folder / name).write_text("the old one")
    (folder / form).mkdir()
    (folder / form / "old.csv").write_text("the old one")
    list_contents(folder / form, {})


def contents(folder: Path) -> dict[str, bytes]:
    """Every file but the database itself."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("assay.db"))
    return {str(path): path.read_bytes() for path in files}


def test_what_people_said_about_themselves_is_written_only_when_asked_for(tmp_path: Path) -> None:
    store = open_store(tmp_path / "assay.db")
    bench = make_bench(store, tmp_path / "study", edit=asking)
    finished(bench)
    store.close()
    folder = tmp_path / "study"
    (tmp_path / "assay.db").rename(folder / "assay.db")
    for form in ("csv", "xlsx", "jsonl"):
        assay("export", folder, "--format", form, "--out", folder / f"all.{form}")
    assert not [path for path in folder.glob("all.*") if b"zebra" in path.read_bytes()]
    assert "questionnaire.csv: 3 questionnaire" in assay("export", folder, "--what", "questionnaire")
    rows = table(folder / "questionnaire.csv")
    assert {row["question"]: row["value"] for row in rows} == {
        "age": "old",
        "tools": '["chat", "search"]',
        "word": "a zebra",
    }
    assert {row["annotator"] for row in rows} == {"ana"}
    assert "check-ins.csv: 0" in assay("export", folder, "--what", "check-ins")
