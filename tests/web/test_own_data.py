"""A person's own page: everything that is stored about them, to take along, to stop, or to have it deleted."""

import csv
import io
import json
from pathlib import Path

import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import DatabaseError

from assay import acts
from assay.store.coordinator import record, studies
from assay.store.coordinator.erase_person import erasure_count
from assay.store.coordinator.record import By
from assay.store.tables import annotator, flag, item, metadata, submission
from tests import pages
from tests.conftest import T0, Bench
from tests.pages import Forms
from tests.store.test_erasure import (
    ABOUT_HERSELF,
    BY_HAND,
    CALLED,
    DOUBTED,
    FOUND_WRONG,
    HALF_WRITTEN,
    HOW_SHE_IS,
    NAME,
    PANEL_ID,
    judged_by_her,
)
from tests.store.test_erasure import NOTE as SAID
from tests.web.annotator import Annotator, rows
from tests.web.test_panels import ANA, HOME, arrive, link_of, with_panel

NOTE = "a note in my own words"


@pytest.fixture
def ana(bench: Bench) -> Annotator:
    who = Annotator(bench).begin()
    who.submit({**pages.SCORES, "note": NOTE})
    return who


def withdraw(who: Annotator, choice: str) -> str:
    page = who.client.get(f"{who.home}/my-data").text
    form = Forms(page).to("/withdraw")
    assert form is not None
    return str(who.client.post(form[0], data={**form[1], "wish": choice}).text)


def test_everything_is_seen_and_taken_along_and_nothing_that_is_hidden(ana: Annotator) -> None:
    page = ana.client.get(f"{ana.home}/my-data").text
    assert "In this study you are called ana." in page
    assert "One submission" in page
    data = ana.client.get(f"{ana.home}/my-data.json").json()
    [given] = data["answers"]
    assert given["answers"] == {
        "emotion": 3,
        "validation": 4,
        "helpfulness": 2,
        "safety": 3,
        "overall": 4,
        "note": NOTE,
    }
    table = list(csv.DictReader(io.StringIO(ana.client.get(f"{ana.home}/my-data.csv").text)))
    assert {row["question"] for row in table if row["part"] == "answers"} == set(given["answers"])
    assert NOTE in {row["value"] for row in table}
    assert not {"system", "systems", "group", "batch"} & {key for row in data["answers"] for key in row}


PARTS = {
    "annotator": "name", "person": "called", "arrival": "panel", "link": "links", "session": "sessions",
    "token": "tokens", "gate_pass": "gates_passed", "gate_attempt": "attempts", "person_answer": "about_you",
    "check_in": "check_ins", "break": "breaks", "message": "messages", "submission": "answers",
    "judgment": "answers", "assignment": "items", "draft": "drafts", "problem": "problems", "flag": "flags",
    "action": "record",
}  # fmt: skip
"""Where on a person's page the rows of each table stand."""
NOT_ABOUT_ONE = {
    "repeat": "what a script was answered, which it has",
    "uncounted": "that a submission is to be counted, for a moment",
}


def test_every_table_with_rows_about_somebody_has_its_part() -> None:
    refers = {"annotator"}
    for _ in metadata.tables:  # what refers to them, to that, and so on
        refers |= {
            table.name
            for table in metadata.sorted_tables
            for key in table.foreign_keys
            if key.column.table.name in refers
        }
    assert refers - set(NOT_ABOUT_ONE) <= set(PARTS)
    assert {"person_answer"} | refers >= set(PARTS)


def test_all_that_was_written_about_somebody_is_on_their_page_and_in_both_files(bench: Bench) -> None:
    her = judged_by_her(bench)
    bench.store.write(studies.set_state, bench.study_id, "closed", T0)
    data = her.client.get(f"{her.home}/my-data.json").json()
    assert [part for part in set(PARTS.values()) - {"attempts", "breaks", "tokens"} if not data[part]] == []
    table = her.client.get(f"{her.home}/my-data.csv").text
    page = pages.text_of(her.client.get(f"{her.home}/my-data").text)
    about = (
        NAME, CALLED, PANEL_ID, SAID, ABOUT_HERSELF, HOW_SHE_IS, HALF_WRITTEN, FOUND_WRONG, DOUBTED, BY_HAND,
        f"Dear {NAME}", "a word with Wilhelmina",
    )  # fmt: skip
    for where, said in (("JSON", json.dumps(data, ensure_ascii=False)), ("CSV", table), ("page", page)):
        assert [each for each in about if each not in said] == [], where


def test_whoever_is_at_work_learns_how_many_doubts_there_are_and_not_which_items_are_checks(bench: Bench) -> None:
    her = judged_by_her(bench)
    data = her.client.get(f"{her.home}/my-data.json").json()
    assert (data["flags"], data["flags_shown_later"]) == ([], 1)
    table = her.client.get(f"{her.home}/my-data.csv").text
    page = pages.text_of(her.client.get(f"{her.home}/my-data").text)
    assert DOUBTED not in json.dumps(data, ensure_ascii=False) + table + page
    assert "A program has raised one doubt about your work." in page
    withdraw(her, "stop")
    data = her.client.get(f"{her.home}/my-data.json").json()
    assert (data["flags"][0]["reason"], data["flags_shown_later"]) == (DOUBTED, 0)


def test_items_that_a_coordinator_names_are_called_by_their_number(bench: Bench, ana: Annotator) -> None:
    [item_] = [row["item_id"] for row in rows(bench.store, submission)]
    [name] = [row["name"] for row in rows(bench.store, item) if row["id"] == item_]
    by = By(bench.study_id, "cora", T0, "asked for it")
    bench.store.write(acts.reopen_item, by, "ana", name)
    raised = {"monitor": "halo", "reason": "alike", "evidence": "{}", "items": json.dumps([name]), "raised_at": T0}
    whose = {"study_id": bench.study_id, "annotator_id": rows(bench.store, submission)[0]["annotator_id"]}
    bench.store.write(lambda connection: connection.execute(insert(flag).values({**raised, **whose})))
    text = ana.client.get(f"{ana.home}/my-data.json").text
    assert name not in text
    data = json.loads(text)
    assert [each["about"] for each in data["record"] if each["what"] == "reopen item"] == ["1"]
    bench.store.write(studies.set_state, bench.study_id, "closed", T0)
    assert ana.client.get(f"{ana.home}/my-data.json").json()["flags"][0]["items"] == [1]


def test_it_is_one_click_away_from_the_page_of_an_item_and_of_a_gate(bench: Bench, ana: Annotator) -> None:
    assert f"{ana.home}/my-data" in ana.page()
    ben = Annotator(bench, "ben")
    assert f"{ana.home}/my-data" in ben.enter().text


def test_it_is_one_click_away_from_a_page_that_says_what_went_wrong(sqlite_bench: Bench) -> None:
    ana = Annotator(sqlite_bench, "ana").begin()
    wrong = (
        ana.client.get(f"{ana.home}/picture/{'0' * 64}"),
        ana.client.post(f"{ana.home}/leave", data={"csrf": "of another page"}),
    )
    for answer in wrong:
        assert answer.status_code in (403, 404)
        assert f'href="{ana.home}/my-data"' in answer.text
    stranger = sqlite_bench.client().get(ana.home)
    assert stranger.status_code == 401
    assert "my-data" not in stranger.text, "whoever is nobody has no page of their own"


def record_of(bench: Bench) -> list[tuple[str, str, str]]:
    """What people did about themselves, the oldest first."""
    done = [(each.by, each.what, each.annotator) for each in bench.store.read(record.entries, bench.study_id)]
    return [each for each in reversed(done) if each[0] == "the person"]


def test_to_stop_keeps_what_was_given(bench: Bench, ana: Annotator) -> None:
    assert "I have changed my mind" in withdraw(ana, "stop")
    assert len(rows(bench.store, submission)) == 1
    assert bench.store.read(erasure_count, bench.study_id) == 0


def test_that_somebody_left_and_came_back_is_recorded_once_each(bench: Bench, ana: Annotator) -> None:
    page = withdraw(ana, "stop")
    form = Forms(page).to("/come-back")
    assert form is not None
    ana.client.post(f"{ana.home}/leave", data=form[1])  # once more, from another window
    assert record_of(bench) == [("the person", "leave", "ana")]
    ana.client.post(form[0], data=form[1])
    ana.client.post(form[0], data=form[1])
    assert record_of(bench) == [("the person", "leave", "ana"), ("the person", "come back", "ana")]


def test_to_stop_and_delete_leaves_nothing_and_ends_the_session(bench: Bench, ana: Annotator) -> None:
    assert "Everything is deleted" in withdraw(ana, "delete")
    assert rows(bench.store, submission) == []
    assert [row["name"] for row in rows(bench.store, annotator) if row["study_id"] == bench.study_id] == []
    assert ana.client.get(ana.home).status_code == 401
    assert bench.store.read(erasure_count, bench.study_id) == 1
    assert record_of(bench) == [("the person", "erase", "")]


def test_where_deleting_fails_nobody_has_left_either(sqlite_bench: Bench) -> None:
    ana = Annotator(sqlite_bench).begin()
    ana.submit({**pages.SCORES, "note": NOTE})
    fails = "create trigger full before insert on erasure begin select raise(abort, 'the disk is full'); end"
    sqlite_bench.store.write(lambda connection: connection.execute(text(fails)))
    with pytest.raises(DatabaseError, match="the disk is full"):
        withdraw(ana, "delete")
    [row] = rows(sqlite_bench.store, annotator)
    assert row["left_at"] is None
    assert len(rows(sqlite_bench.store, submission)) == 1
    assert record_of(sqlite_bench) == []


def test_whoever_came_from_a_panel_gets_the_way_back_with_the_last_page(bench: Bench, tmp_path: Path) -> None:
    sent = with_panel(bench, tmp_path)
    client, _ = arrive(sent, link_of(sent), ANA)
    pages.pass_gates(client, sent.study)
    assert "Your panel knows you as ana-of-the-panel" in client.get(f"{HOME}/my-data").text
    form = Forms(client.get(f"{HOME}/my-data").text).to("/withdraw")
    assert form is not None
    page = client.post(form[0], data={**form[1], "wish": "delete"}).text
    assert "CODE-withdrew" in page
    assert sent.clock() == T0
