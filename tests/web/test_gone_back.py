"""Whoever goes back to a panel is told how it ended in words that fit them, and waits for nobody."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from assay.live.at_a_glance import at_a_glance
from assay.store.coordinator import gates
from assay.words import words_of
from tests import pages
from tests.conftest import Bench
from tests.pages import Forms
from tests.web.test_over_quota import arrive, begin, sent_by_panel
from tests.web.test_panels import HOME, link_of, submit_one

GATES = """gates:
  - screening: {questions: [{ask: Are you 18?, options: {"yes": "Yes", "no": "No"}, go_on: ["yes"]}]}
  - quiz: {questions: [{ask: Is a long reply better?, options: {"yes": "Yes", "no": "No"}, answer: "no"}], tries: 1}

"""
LANGUAGES = pytest.mark.parametrize("language", ["en", "de"])


def in_language(language: str) -> str:
    return "" if language == "en" else f"language: {language}\n"


def answer(client: TestClient, said: str) -> Any:
    form = Forms(client.get(HOME).text).to("/gate")
    assert form is not None
    return client.post(form[0], data={**form[1], "q-0": said})


@LANGUAGES
def test_whoever_fails_a_gate_is_sent_back_to_the_panel_and_to_nobody_else(
    sqlite_bench: Bench, tmp_path: Path, language: str
) -> None:
    sent = sent_by_panel(sqlite_bench, tmp_path, items=2, per_item=1, more=in_language(language), gates=GATES)
    t = words_of(language)
    where = link_of(sent)
    young, _ = arrive(sent, where, 1)
    assert "CODE-screened_out" in answer(young, "no").text
    guesser, _ = arrive(sent, where, 2)
    answer(guesser, "yes")
    answer(guesser, "yes")
    page = pages.text_of(guesser.get(HOME).text)
    assert t("gate.ended") in page
    assert t("gate.coordinator") not in page, "they know nobody here"


def test_whoever_has_gone_back_to_the_panel_waits_for_nobody_and_can_be_let_pass_all_the_same(
    sqlite_bench: Bench, tmp_path: Path
) -> None:
    sent = sent_by_panel(sqlite_bench, tmp_path, items=2, per_item=1, gates=GATES)
    where = link_of(sent)
    young, _ = arrive(sent, where, 1)
    answer(young, "no")
    guesser, _ = arrive(sent, where, 2)
    answer(guesser, "yes")
    answer(guesser, "yes")
    for client in (young, guesser):
        assert "CODE-" in client.get(HOME).text
    assert sent.store.read(gates.waiting_annotators, sent.study_id) == []
    assert at_a_glance(sent.store, sent.study_id, sent.study, sent.clock.now).waiting == []
    assert {each.gate for each in sent.store.read(gates.stuck, sent.study_id)} == {"screening", "quiz"}


@LANGUAGES
def test_whoever_has_judged_their_part_is_told_that_it_is_done(
    sqlite_bench: Bench, tmp_path: Path, language: str
) -> None:
    plan = "  per_annotator: 1\n"
    sent = sent_by_panel(sqlite_bench, tmp_path, items=2, per_item=1, plan=plan, more=in_language(language))
    t = words_of(language)
    where = link_of(sent)
    ana = begin(sent, where, 1)
    submit_one(ana)
    page = pages.text_of(ana.get(HOME).text)
    assert t("states.done") in page
    assert t("states.new_items") not in page, "a panel's people are not called again"
    assert t("states.up_to_date") not in page


@LANGUAGES
def test_whoever_finds_no_item_left_behind_the_gates_is_told_so(
    sqlite_bench: Bench, tmp_path: Path, language: str
) -> None:
    sent = sent_by_panel(sqlite_bench, tmp_path, items=1, per_item=1, more=in_language(language))
    ana, _ = arrive(sent, link_of(sent), 1)
    invited = sent.client()
    pages.enter(invited, sent.link("ben"))
    pages.pass_gates(invited, sent.study)
    submit_one(invited)
    pages.pass_gates(ana, sent.study)
    page = ana.get(HOME).text
    assert "CODE-over_quota" in page
    assert words_of(language)("states.no_place") in pages.text_of(page)
    assert words_of(language)("states.new_items") not in pages.text_of(page)
