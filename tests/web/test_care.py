"""Problems, breaks, and the pages on which there is nothing to judge."""

import pytest

from assay.acts.may_judge import GRACE_MS
from assay.store.coordinator import studies
from assay.store.tables import break_, problem
from tests.conftest import Bench
from tests.pages import SCORES, Forms, enter, text_of
from tests.web.annotator import Annotator, rows, submissions


@pytest.fixture
def ana(bench: Bench) -> Annotator:
    return Annotator(bench).begin()


def report(who: Annotator, words: str, report: str = "0123456789ab") -> int:
    address, form = who.form()
    answer = who.send(address.replace("/submit/", "/problem/"), {**form, "report": report, "words": words})
    return int(answer.status_code)


def test_a_problem_is_kept_once_and_the_coordinator_reads_it(ana: Annotator) -> None:
    assert [report(ana, "It <b>breaks</b> off."), report(ana, "It <b>breaks</b> off.")] == [200, 200]
    assert len(rows(ana.bench.store, problem)) == 1
    assert ana.submit().status_code == 200, "work goes on all the same"
    client = ana.bench.client()
    enter(client, ana.bench.coordinator_link())
    page = client.get(ana.home.replace("/judge/", "/coordinate/")).text
    assert "It <b>breaks</b> off." in text_of(page)
    assert "<b>breaks" not in page


@pytest.mark.parametrize(("words", "name", "status"), [("  ", "0123456789ab", 422), ("x", "", 404), ("x", "A b", 404)])
def test_a_problem_without_words_or_name_is_refused(ana: Annotator, words: str, name: str, status: int) -> None:
    assert report(ana, words, name) == status
    assert rows(ana.bench.store, problem) == []


def test_a_break_has_a_beginning_and_an_end(ana: Annotator) -> None:
    csrf = {"csrf": ana.form()[1]["csrf"]}
    began = ana.bench.clock.now
    ana.send(f"{ana.home}/break", csrf)
    ana.bench.clock.now += 1000
    ana.send(f"{ana.home}/break", csrf)
    ana.bench.clock.now += 4000
    ana.send(f"{ana.home}/break", {**csrf, "ends": "yes", "late_ms": "2000"})
    [found] = rows(ana.bench.store, break_)
    assert (found["started_at"] - began, found["ended_at"] - found["started_at"]) == (0, 3000)


def test_a_paused_study_keeps_the_place_and_takes_what_is_on_its_way(ana: Annotator) -> None:
    address, form = ana.form()
    ana.bench.store.write(studies.set_state, ana.bench.study_id, "paused", ana.bench.clock())
    assert "The study is paused" in ana.page()
    assert ana.send(address, {**form, **SCORES}).status_code == 200
    assert "The study is paused" in ana.page()
    ana.bench.store.write(studies.set_state, ana.bench.study_id, "open", ana.bench.clock())
    assert "Item 2 of" in ana.page()


def test_a_closed_study_takes_answers_for_an_hour_and_says_how_many_count(ana: Annotator) -> None:
    ana.submit()
    address, form = ana.form()
    ana.bench.store.write(studies.set_state, ana.bench.study_id, "closed", ana.bench.clock())
    assert "The study has closed" in ana.page()
    assert "One submitted item of yours is saved and counts." in text_of(ana.page())
    ana.bench.clock.now += GRACE_MS + 1000
    late = ana.send(address, {**form, **SCORES})
    assert (late.status_code, late.json()["code"]) == (409, "errors.closed_before")
    assert len(submissions(ana.bench.store, "ana")) == 1
    ana.bench.clock.now -= 2000
    assert ana.send(address, {**form, **SCORES}).status_code == 200


def test_somebody_who_leaves_can_come_back_to_the_same_place(ana: Annotator) -> None:
    ana.submit()
    left = ana.send(f"{ana.home}/leave", {"csrf": ana.form()[1]["csrf"]})
    assert left.status_code == 200
    assert "One item that you submitted is saved" in text_of(ana.page())
    assert "/submit/" not in ana.page()
    back = Forms(ana.page()).to("/come-back")
    assert back
    ana.send(*back)
    assert "Item 2 of" in ana.page()
