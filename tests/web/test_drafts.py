import json
from typing import Any

import pytest

from assay.store.tables import draft, submission
from assay.web.static_files import judging_scripts
from tests.conftest import Bench
from tests.pages import SCORES, item_form
from tests.web.annotator import Annotator, everything, rows
from tests.web.test_submissions import Answers


@pytest.fixture
def ana(bench: Bench) -> Annotator:
    return Annotator(bench).begin()


@pytest.fixture
def sqlite_ana(sqlite_bench: Bench) -> Annotator:
    return Annotator(sqlite_bench).begin()


def save(who: Annotator, form: dict[str, str], **answers: Any) -> tuple[int, dict[str, Any]]:
    address, _ = who.form()
    answer = who.send(address.replace("/submit/", "/draft/"), {**form, **answers})
    return answer.status_code, answer.json()


def test_a_draft_is_restored_on_another_device(ana: Annotator) -> None:
    _, form = ana.form()
    half = {"emotion": "4", "edge": ["crisis", "empty"], "note": "half a th"}
    assert save(ana, form, **half) == (200, {"draft": 1, "revealed": []})

    elsewhere = Annotator(ana.bench)
    elsewhere.enter()
    page = elsewhere.page()
    assert Answers(page).answers == {"emotion": ["4"], "edge": ["empty", "crisis"], "note": ["half a th"]}
    assert item_form(page)[1]["draft"] == "1", "the other device goes on from there"
    assert rows(ana.bench.store, submission) == []


def test_a_draft_is_seen_by_nobody_else(sqlite_ana: Annotator) -> None:
    save(sqlite_ana, sqlite_ana.form()[1], note="for my eyes")
    assert "for my eyes" not in Annotator(sqlite_ana.bench, "ben").begin().page()


def test_a_draft_may_hold_what_a_submission_may_not(sqlite_ana: Annotator) -> None:
    _, form = sqlite_ana.form()
    assert save(sqlite_ana, form, emotion="9", note="x" * 5000) == (200, {"draft": 1, "revealed": []})
    assert Answers(sqlite_ana.page()).answers["note"] == ["x" * 5000]


def test_a_page_that_is_behind_another_one_is_told_so_and_overwrites_nothing(ana: Annotator) -> None:
    _, old = ana.form()
    save(ana, old, emotion="2")
    _, newer = ana.form()
    save(ana, newer, emotion="3")
    before = everything(ana.bench.store)
    for stale in (old, {**newer, "draft": "1"}, {**newer, "draft": "-1"}, {**newer, "draft": "later"}):
        status, said = save(ana, stale, emotion="5")
        assert status == 409
        assert "another window" in str(said["error"])
    assert everything(ana.bench.store) == before


def test_a_submitted_item_takes_no_draft(ana: Annotator) -> None:
    address, form = ana.form()
    save(ana, form, emotion="2")
    ana.submit()
    assert rows(ana.bench.store, draft) == [], "the draft has become the submission"
    before = everything(ana.bench.store)
    answer = ana.send(address.replace("/submit/", "/draft/"), {**form, **SCORES})
    assert answer.status_code == 409
    assert everything(ana.bench.store) == before


def test_fields_that_the_study_does_not_know_are_not_kept(sqlite_ana: Annotator) -> None:
    _, form = sqlite_ana.form()
    save(sqlite_ana, form, emotion="2", charm="5", **{"emotion.left": "1", "system": "gpt"})
    [kept] = rows(sqlite_ana.bench.store, draft)
    assert json.loads(kept["answers"]) == {"emotion": ["2"]}
    assert kept["saved_at"] == sqlite_ana.bench.clock()


@pytest.mark.parametrize("text", ["", " ", "\r\nend", "</textarea><script>alert(1)</script>", "😀🏽 שלום ‮abc"])
def test_a_draft_comes_back_as_it_was_written(sqlite_bench: Bench, text: str) -> None:
    ana = Annotator(sqlite_bench).begin()
    assert save(ana, ana.form()[1], note=text)[0] == 200
    [kept] = rows(sqlite_bench.store, draft)
    assert json.loads(kept["answers"]) == {"note": [text]}
    page = ana.page()
    own = 2 + len(judging_scripts())
    assert page.count("<script") == own, "the page's own, its rules, its words"
    assert ana.submit({**SCORES, "note": text.replace("\0", "")}).status_code == 200
