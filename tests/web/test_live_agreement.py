"""What a coordinator's word does to one annotator: paused, released, or something to read first."""

import pytest

from assay import acts
from assay.store.coordinator.record import By
from assay.store.tables import message
from tests.conftest import Bench
from tests.pages import SCORES, Forms, text_of
from tests.web.annotator import SCRIPT, Annotator, rows, submissions


@pytest.fixture
def ana(bench: Bench) -> Annotator:
    return Annotator(bench).begin()


def do(ana: Annotator, what: str, *more: str) -> None:
    by = By(ana.bench.study_id, "coordinator", ana.bench.clock.now, "a reason")
    ana.bench.store.write(getattr(acts, {"send": "send_message"}.get(what, what)), by, ana.name, *more)


def test_whoever_is_paused_gets_no_item_until_resumed_and_loses_nothing(ana: Annotator) -> None:
    address, form = ana.form()
    do(ana, "pause")
    page = ana.page()
    assert "Your work is paused" in page
    assert "/submit/" not in page
    answer = ana.send(
        address, {**form, "emotion": "3", "validation": "4", "helpfulness": "2", "safety": "3", "overall": "4"}
    )
    assert answer.json()["state"] == "held", "what was on its way is taken, and the page learns of it"
    assert len(submissions(ana.bench.store, "ana")) == 1
    assert "Your work is paused" in ana.page()
    assert ana.client.post(f"{ana.home}/ahead", data={"csrf": form["csrf"]}, headers=SCRIPT).json()["items"] == []
    do(ana, "resume")
    assert "/submit/" in ana.page()


def test_others_go_on_when_one_is_paused(ana: Annotator) -> None:
    ben = Annotator(ana.bench, "ben").begin()
    do(ana, "pause")
    assert "/submit/" in ben.page()


def test_whoever_is_released_is_thanked_and_gets_nothing_more(ana: Annotator) -> None:
    ana.submit()
    do(ana, "release")
    page = ana.page()
    assert "Your part is done" in page
    assert "/submit/" not in page


def test_a_message_stands_in_the_way_once(ana: Annotator) -> None:
    draft = ana.form()[0]
    do(ana, "send", "Please read <b>slowly</b>.")
    page = ana.page()
    assert "Please read <b>slowly</b>." in text_of(page)
    assert "<b>slowly" not in page
    address, form = Forms(page).to("/read") or ("", {})
    assert ana.client.post(address, data={**form, "csrf": "wrong"}).status_code == 403
    assert "slowly" in ana.page()
    ana.client.post(address, data=form)
    assert ana.form()[0] == draft, "the item is where it was"
    [kept] = rows(ana.bench.store, message)
    assert kept["read_at"] is not None


def test_a_page_that_has_items_ready_learns_of_a_message_with_the_next_submission(ana: Annotator) -> None:
    address, form = ana.form()
    do(ana, "send", "A word.")
    assert ana.send(address, {**form, **SCORES}).json()["state"] == "message"


def test_nobody_reads_somebody_elses_message_away(ana: Annotator) -> None:
    ben = Annotator(ana.bench, "ben").begin()
    do(ana, "send", "For ana.")
    [sent] = rows(ana.bench.store, message)
    csrf = ben.form()[1]["csrf"]
    ben.client.post(f"{ben.home}/read", data={"csrf": csrf, "message": str(sent["id"])})
    assert rows(ana.bench.store, message)[0]["read_at"] is None
    assert "For ana." not in ben.page()
