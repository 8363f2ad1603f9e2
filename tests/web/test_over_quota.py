"""Whoever a panel sends where nothing is left for them is told so before anything is asked of them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from assay import acts
from assay.acts.arrivals import keep_panel_setup
from assay.panels.setup import PanelSetup
from assay.store.annotator.arrivals import MINUTE
from assay.store.coordinator.record import By
from assay.store.tables import arrival
from tests import pages
from tests.conftest import T0, Bench, make_bench
from tests.web.annotator import everything, rows, with_items
from tests.web.test_panels import CODES, HOME, link_of, open_address, people, submit_one
from tests.web.test_panels import arrive as arrive_as

HOUR = 60 * MINUTE


def sent_by_panel(
    bench: Bench, folder: Path, items: int, per_item: int | str, plan: str = "", more: str = "", gates: str = ""
) -> Bench:
    """A study of so many items, each by so many people, to which a panel sends strangers without a limit."""

    def edit(where: Path) -> None:
        with_items(items)(where)
        file = where / "study.yaml"
        text = file.read_text("utf-8").replace("study: empathy", "study: strangers")
        text = re.sub("^  (pilot|duplicates):.*\n(    .*\n)*", "", text, flags=re.M)
        text = text.replace("  per_item: 2\n", f"  per_item: {per_item}\n{plan}  enrol: {{panel: prolific}}\n")
        text = re.sub(r"^gates:(?s:.*?)(?=^support:)", lambda found: gates or found[0], text, flags=re.M)
        file.write_text(more + text, "utf-8")

    made = make_bench(bench.store, folder / "strangers", edit=edit)
    setup = PanelSetup.model_validate_json(json.dumps(CODES))
    made.store.write(keep_panel_setup, By(made.study_id, "cora", T0), setup)
    return made


def person(number: int) -> dict[str, str]:
    return {"PROLIFIC_PID": f"p{number}", "SESSION_ID": f"s{number}"}


def arrive(bench: Bench, where: str, number: int) -> tuple[TestClient, Any]:
    client, answer = arrive_as(bench, where, person(number))
    return client, answer


def begin(bench: Bench, where: str, number: int) -> TestClient:
    client, _ = arrive(bench, where, number)
    assert "/submit" in pages.pass_gates(client, bench.study)
    return client


def is_told_before(bench: Bench, where: str, number: int) -> bool:
    """Whether somebody new is told that there is no place, with the code, and nothing of them is kept."""
    before = everything(bench.store)
    page = open_address(bench.client(), where, person(number))
    told = page.status_code == 409 and "CODE-over_quota" in page.text
    assert told or "/join" in page.text
    assert everything(bench.store) == before
    return told


def test_when_everything_is_judged_nobody_new_agrees_to_anything_in_vain(bench: Bench, tmp_path: Path) -> None:
    sent = sent_by_panel(bench, tmp_path, items=2, per_item=1)
    where = link_of(sent)
    ana = begin(sent, where, 1)
    submit_one(ana)
    submit_one(ana)
    assert "CODE-finished" in ana.get(HOME).text
    assert is_told_before(sent, where, 2)


def test_items_are_reserved_for_whoever_is_still_at_the_gates_until_their_place_lapses(
    bench: Bench, tmp_path: Path
) -> None:
    sent = sent_by_panel(bench, tmp_path, items=4, per_item=1, plan="  per_annotator: 2\n")
    where = link_of(sent)
    ana = begin(sent, where, 1)
    ben, _ = arrive(sent, where, 2)
    assert is_told_before(sent, where, 3), "two for ana, of whom one item is not given out yet, and two for ben"
    late = sent.client()
    sent.clock.now += 16 * MINUTE
    form = pages.Forms(open_address(late, where, person(3)).text).to("/join")
    assert form is not None, "ben has not agreed in time"
    assert "/gate" in late.post(form[0], data=form[1]).text
    assert "CODE-timed_out" in ben.get(HOME).text
    pages.pass_gates(late, sent.study)
    for client in (ana, late):
        submit_one(client)
        submit_one(client)
        assert "CODE-finished" in client.get(HOME).text
    assert is_told_before(sent, where, 4)


def test_of_two_who_press_for_the_last_items_one_gets_them(bench: Bench, tmp_path: Path) -> None:
    sent = sent_by_panel(bench, tmp_path, items=3, per_item=1, plan="  per_annotator: 2\n")
    where = link_of(sent)
    looking = [sent.client() for _ in range(3)]
    forms = [
        pages.Forms(open_address(each, where, person(n)).text).to("/join") for n, each in enumerate(looking, start=1)
    ]
    answers = [client.post(form[0], data=form[1]) for client, form in zip(looking, forms, strict=True) if form]
    assert [each.status_code for each in answers] == [200, 200, 409], "the second gets what is left"
    assert "CODE-over_quota" in answers[2].text
    assert len(people(sent)) == 2


def test_what_somebody_has_not_touched_for_long_is_no_longer_kept_for_them(bench: Bench, tmp_path: Path) -> None:
    sent = sent_by_panel(bench, tmp_path, items=2, per_item=1, plan="  per_annotator: 2\n")
    where = link_of(sent)
    begin(sent, where, 1)
    assert is_told_before(sent, where, 2)
    sent.clock.now += sent.study.assignment.expires_after_hours * HOUR + 1
    assert not is_told_before(sent, where, 2)


def test_where_everybody_judges_every_item_there_is_work_for_another(bench: Bench, tmp_path: Path) -> None:
    sent = sent_by_panel(bench, tmp_path, items=1, per_item="all")
    where = link_of(sent)
    submit_one(begin(sent, where, 1))
    assert not is_told_before(sent, where, 2)


@pytest.mark.parametrize(
    ("language", "state", "said"),
    [
        ("en", "closed", "The study has closed."),
        ("en", "paused", "Nobody new can take part at the moment."),
        ("de", "closed", "Die Studie ist beendet."),
        ("de", "paused", "Zurzeit kann niemand neu teilnehmen."),
    ],
)
def test_a_study_that_is_not_open_takes_nobody_new_and_says_so_with_the_code(
    bench: Bench, tmp_path: Path, language: str, state: str, said: str
) -> None:
    more = "" if language == "en" else f"language: {language}\n"
    sent = sent_by_panel(bench, tmp_path, items=2, per_item=1, more=more)
    where = link_of(sent)
    ana, _ = arrive(sent, where, 1)
    looking = sent.client()
    form = pages.Forms(open_address(looking, where, person(2)).text).to("/join")
    assert form is not None
    sent.store.write(acts.set_study_state, By(sent.study_id, "cora", T0, "so"), state)
    assert is_told_before(sent, where, 3)
    for refused in (looking.post(form[0], data=form[1]), open_address(sent.client(), where, person(3))):
        assert refused.status_code == 409
        assert said in pages.text_of(refused.text)
        assert "CODE-over_quota" in refused.text
    assert [row["person"] for row in rows(sent.store, arrival)] == ["p1"]
    assert arrive_as(sent, where, person(1), ana)[1].url.path == HOME, "whoever is in comes back"
