"""Erasing somebody by the button and over HTTP: what goes, what is said to be left, and which files still know them."""

from typing import Any

import pytest
from sqlalchemy import select

from assay.store.coordinator.erase_person import erasure_count
from assay.store.engine.backup import back_up
from assay.store.tables import annotator, erasure, submission
from tests.conftest import T0, Bench
from tests.pages import SCORES, text_of
from tests.web.annotator import Annotator, everything, rows
from tests.web.scripts import Script
from tests.web.test_manage import Manager

NOTE = "my neighbour Xanthippe said so"
MADE = "2027-01-15"


def judged(bench: Bench, name: str = "ana") -> Annotator:
    """Somebody who has judged an item with a note, and whom a backup knows."""
    her = Annotator(bench, name).begin()
    assert her.submit({**SCORES, "note": NOTE}).status_code == 200
    bench.folder.mkdir(exist_ok=True)
    (bench.folder / "backups").mkdir(exist_ok=True)
    back_up(bench.store, bench.folder / "backups" / "assay-old.backup", T0)
    bench.store.folder = bench.folder
    return her


def said(bench: Bench) -> str:
    """All that is stored, as text."""
    return repr(everything(bench.store))


@pytest.mark.parametrize(("judgments", "left"), [("keep", 1), ("delete", 0), ("", 1)])
def test_the_button_erases_somebody_and_the_page_says_what_still_knows_them(
    bench: Bench, judgments: str, left: int
) -> None:
    her = judged(bench)
    cora = Manager(bench, "cora")
    wrong = cora.post("/erase", name="ana", again="anna", judgments=judgments)
    assert wrong.status_code == 422
    assert "nobody was erased" in text_of(wrong.text)
    assert NOTE in said(bench)
    page = cora.post("/erase", name="ana", again="ana", judgments=judgments)
    assert page.status_code == 200
    shown = text_of(page.text)
    assert NOTE not in said(bench)
    assert "ana" not in {row["name"] for row in rows(bench.store, annotator)}
    assert len(rows(bench.store, submission)) == left
    [gone] = rows(bench.store, erasure)
    assert gone["key"] in shown
    assert ("stay, without free texts" if left else "are deleted") in shown
    assert ("write-ahead log" in shown) == (bench.store.dialect == "postgresql")
    assert f"assay-old.backup, made {MADE}" in shown
    assert her.client.get(her.home).status_code == 401


@pytest.mark.parametrize(("keep", "left"), [(True, 1), (False, 0), (None, 1)])
def test_a_script_erases_somebody_and_is_told_what_still_knows_them(bench: Bench, keep: bool | None, left: int) -> None:
    judged(bench)
    script = Script(bench)
    body: dict[str, Any] = {"name": "ana"} if keep is None else {"name": "ana", "keep_judgments": keep}
    script.send("POST", "/annotators/ana/erase", {**body, "name": "anna"}, 422)
    assert NOTE in said(bench)
    answer = script.send("POST", "/annotators/ana/erase", body, 200)
    assert NOTE not in said(bench)
    assert len(rows(bench.store, submission)) == left
    [gone] = rows(bench.store, erasure)
    assert (answer["key"], answer["kept"]) == (gone["key"], bool(left))
    assert ("write-ahead log" in answer["left_to_do"]) == (bench.store.dialect == "postgresql")
    [older] = answer["older_files"]
    assert older["file"] == "assay-old.backup"
    assert older["made_at"].startswith(MADE)
    script.send("POST", "/annotators/ana/erase", body, 404)
    assert bench.store.read(erasure_count, bench.study_id) == 1


def test_a_log_that_somebody_reads_from_is_said_to_be_left(
    sqlite_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(sqlite_bench)
    monkeypatch.setattr("assay.store.engine.sqlite.CHECKPOINTS", 1)
    script = Script(sqlite_bench)
    reading = sqlite_bench.store.stream(lambda connection: iter(connection.execute(select(submission.c.id)).all() * 2))
    next(reading)
    answer = script.send("POST", "/annotators/ana/erase", {"name": "ana"}, 200)
    assert "somebody reads" in answer["left_to_do"]
    list(reading)
