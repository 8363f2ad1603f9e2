"""Screening, quiz and practice through the real pages; and that no gate can be walked around."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay import acts
from assay.errors import AssayError
from assay.simulate import Forms
from assay.store import Backend
from assay.store.annotator import assignments, versions
from assay.store.coordinator import gates, studies
from assay.store.coordinator.record import By
from assay.store.tables import action, assignment, gate_attempt, gate_pass, submission
from assay.store.tables import annotator as annotators
from assay.study import load
from tests.conftest import T0, Bench, make_bench
from tests.pages import SCORES, item_form, text_of
from tests.web.annotator import SCRIPT, Annotator, everything, rows, submissions

Edit = Callable[[Path], None]

SCREENING = {
    "screening": {
        "questions": [
            {"ask": "How old?", "options": {"xgrownup": "18 or more", "xminor": "Less"}, "go_on": ["xgrownup"]},
            {"ask": "Which language?", "options": {"xmother": "English", "other": "Another"}, "go_on": ["xmother"]},
        ],
        "leave": "guide/leave.md",
    }
}
QUIZ = {
    "quiz": {
        "questions": [
            {
                "ask": "Long is good?",
                "options": {"yea": "Yes", "nay": "No"},
                "answer": "nay",
                "why": "Length is nothing.",
            },
            {"ask": "Cold is bad?", "options": {"yea": "Yes", "nay": "No"}, "answer": "yea", "why": "Warmth counts."},
        ],
        "tries": 2,
    }
}
PRACTICE = {"practice": {"items": "calibration.csv", "count": 2}}
CALIBRATION = {
    "calibration": {"items": "calibration.csv", "count": 3, "pass": {"max_difference": 1, "except": 0}, "attempts": 2}
}


def with_gates(*found: dict[str, Any]) -> Edit:
    """An edit that puts other gates in."""

    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        without = re.sub(r"^gates:.*?(?=^[a-z]|\Z)", "", file.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        # What is JSON is YAML. To read the file as YAML and to write it again would take most of a test's time.
        file.write_text(without + (f"gates: {json.dumps(found)}\n" if found else ""), "utf-8")
        (folder / "guide" / "leave.md").write_text("# Goodbye\n\nThis is *not* about you.\n", "utf-8")

    return edit


class Visitor(Annotator):
    """Somebody at a gate."""

    def gate(self, page: str | None = None) -> tuple[str, dict[str, str]]:
        form = Forms(self.page() if page is None else page).to("/gate")
        assert form is not None, "no gate on this page"
        return form

    def answer(self, **given: str) -> Any:
        """Send the gate's form as it stands now."""
        address, hidden = self.gate()
        return self.client.post(address, data={**hidden, **{name.replace("_", "-"): v for name, v in given.items()}})

    def heading(self) -> str:
        return heading_of(self.page())


def heading_of(page: str) -> str:
    found = re.search(r"<h1[^>]*>(.*?)</h1>", page, re.S)
    assert found
    return re.sub(r"\s+", " ", text_of(found[1])).strip()


@pytest.fixture
def at(sqlite_store: Backend, tmp_path: Path) -> Callable[..., Visitor]:
    """Somebody who has just come in to a study with these gates."""

    def enter(*found: dict[str, Any]) -> Visitor:
        bench = make_bench(sqlite_store, tmp_path / "study", edit=with_gates(*found))
        visitor = Visitor(bench)
        visitor.enter()
        return visitor

    return enter


def publish(bench: Bench, edit: Edit) -> None:
    """Put the study into force with other gates."""
    edit(bench.folder)
    bench.store.write(studies.publish, load(bench.folder), bench.clock(), even_if_begun=True)


# Screening


def test_who_can_take_part_goes_on_and_only_that_is_stored(at: Callable[..., Visitor]) -> None:
    ana = at(SCREENING)
    assert ana.heading() == "Can you take part?"
    assert item_form(ana.answer(q_0="xgrownup", q_1="xmother").text)
    [tried] = rows(ana.bench.store, gate_attempt)
    assert (tried["passed"], tried["result"], tried["number"]) == (True, "{}", 1)
    kept = {name: found for name, found in everything(ana.bench.store).items() if name != "study_version"}
    for answer in ("xgrownup", "xmother"):
        assert answer not in repr(kept)


def test_who_cannot_take_part_is_thanked_and_nothing_brings_them_back(at: Callable[..., Visitor]) -> None:
    ana = at(SCREENING)
    address, hidden = ana.gate()
    left = ana.client.post(address, data={**hidden, "q-0": "xminor", "q-1": "xmother"})
    elsewhere = Visitor(ana.bench).enter().text
    for page in (left.text, ana.page(), elsewhere):
        assert "Thank you for your interest" in text_of(page)
        assert "not</em> about you" in page
        assert "crisis line" in text_of(page), "the study's support"
        assert [form[0].rsplit("/", 1)[1] for form in Forms(page).forms] in ([], ["sign-out"]), "no way back"
    before = everything(ana.bench.store)
    csrf = hidden["csrf"]
    assert ana.client.post(f"{ana.home}/come-back", data={"csrf": csrf}).status_code == 403
    again = ana.client.post(address, data={**hidden, "q-0": "xgrownup", "q-1": "xmother"})
    assert "Thank you for your interest" in text_of(again.text)
    assert ana.client.post(address, data={**hidden, "try": "2", "q-0": "xgrownup", "q-1": "xmother"}).status_code == 200
    for action_ in ("submit", "draft"):
        form = {"csrf": csrf, "study": ana.bench.study.hash, **SCORES}
        assert ana.send(f"{ana.home}/{action_}/{'a' * 22}", form).status_code == 403
    assert ana.send(f"{ana.home}/ahead", {"csrf": csrf, "after": "0"}).json() == {"items": []}
    after = everything(ana.bench.store)
    assert after == before
    [tried] = rows(ana.bench.store, gate_attempt)
    assert (tried["passed"], tried["result"]) == (False, "{}")
    assert "xminor" not in repr({name: found for name, found in after.items() if name != "study_version"})


def test_a_screening_without_an_answer_says_which_and_keeps_the_others_on_the_page(at: Callable[..., Visitor]) -> None:
    ana = at(SCREENING)
    before = everything(ana.bench.store)
    for given, lacks in (({"q_1": "other"}, ["q-0"]), ({}, ["q-0", "q-1"]), ({"q_0": "x", "q_1": "other"}, ["q-0"])):
        answer = ana.answer(**given)
        assert answer.status_code == 422
        assert re.findall(r'<li><a href="#(q-\d)"', answer.text) == lacks
        assert re.findall(r'value="(\w+)" checked', answer.text) == (["other"] if given else [])
    assert everything(ana.bench.store) == before


def test_a_changed_screening_asks_again_whoever_was_turned_away(at: Callable[..., Visitor]) -> None:
    ana = at(SCREENING)
    ana.answer(q_0="xminor", q_1="xmother")
    other = json.loads(json.dumps(SCREENING))
    other["screening"]["questions"][0]["go_on"] = ["xgrownup", "xminor"]
    publish(ana.bench, with_gates(other))
    form = Forms(ana.page()).to("/come-back")
    assert form is not None
    assert heading_of(ana.client.post(form[0], data=form[1]).text) == "Can you take part?"
    assert item_form(ana.answer(q_0="xminor", q_1="xmother").text)


def test_the_coordinator_can_let_in_whoever_was_turned_away_by_mistake(at: Callable[..., Visitor]) -> None:
    ana = at(SCREENING)
    ana.answer(q_0="xminor", q_1="xmother")
    by_hand(ana.bench, "ana", "screening")
    assert item_form(ana.page())


def by_hand(bench: Bench, name: str, kind: str) -> None:
    study = bench.store.read(versions.in_force, bench.study.study)
    assert study is not None
    by = By(bench.study_id, "carla", bench.clock(), "we talked")
    bench.store.write(acts.pass_gate_by_hand, by, study, name, kind)


# Quiz


def test_each_answer_of_a_quiz_is_explained_and_the_first_try_is_kept(at: Callable[..., Visitor]) -> None:
    ana = at(QUIZ)
    assert "Length is nothing." not in ana.page(), "not before the answer"
    page = ana.answer(q_0="yea", q_1="yea").text
    said = re.sub(r"\s+", " ", text_of(page))
    assert "Not right. You answered: Yes Length is nothing." in said
    assert "Right. You answered: Yes Warmth counts." in said
    assert "One try is left." in said
    assert re.findall(r'name="(q-\d)" value="\w+" checked', page) == ["q-1"], "what was right stays, the other is open"
    page = ana.answer(q_0="nay", q_1="yea").text
    assert "Everything is right." in text_of(page)
    assert rows(ana.bench.store, gate_pass) == [], "the explanation comes first"
    assert item_form(ana.answer().text)
    tried = sorted(rows(ana.bench.store, gate_attempt), key=lambda row: row["number"])
    assert [(row["passed"], json.loads(row["result"])["answers"]) for row in tried] == [
        (False, {"q-0": "yea", "q-1": "yea"}),
        (True, {"q-0": "nay", "q-1": "yea"}),
    ]


def test_a_quiz_without_an_answer_says_which_and_uses_no_try(at: Callable[..., Visitor]) -> None:
    ana = at(QUIZ)
    before = everything(ana.bench.store)
    answer = ana.answer(q_1="yea")
    assert answer.status_code == 422
    assert re.findall(r'<li><a href="#(q-\d)"', answer.text) == ["q-0"]
    assert re.findall(r'name="(q-\d)" value="\w+" checked', answer.text) == ["q-1"]
    assert everything(ana.bench.store) == before


def test_after_the_last_try_only_the_coordinator_helps(at: Callable[..., Visitor]) -> None:
    ana = at(QUIZ)
    address, hidden = ana.gate()
    ana.answer(q_0="yea", q_1="yea")
    page = ana.answer(q_0="yea", q_1="nay").text
    assert "talk to the person who sent you your link" in text_of(page)
    assert Forms(page).forms == []
    before = everything(ana.bench.store)
    for number in ("1", "2", "3", ""):
        ana.client.post(address, data={**hidden, "try": number, "q-0": "nay", "q-1": "yea"})
        ana.client.post(address, data={**hidden, "try": number})
    assert everything(ana.bench.store) == before
    [waits] = ana.bench.store.read(gates.waiting_annotators, ana.bench.study_id)
    assert (waits.annotator, waits.gate, waits.why, len(waits.attempts)) == ("ana", "quiz", "failed", 2)
    by_hand(ana.bench, "ana", "quiz")
    assert item_form(ana.page())
    [passed] = rows(ana.bench.store, gate_pass)
    assert (passed["by"], passed["reason"]) == ("carla", "we talked")
    [done] = rows(ana.bench.store, action)
    assert (done["by"], done["what"], done["about"], done["reason"]) == ("carla", "pass gate", "quiz", "we talked")
    assert ana.bench.store.read(gates.waiting_annotators, ana.bench.study_id) == []


def test_a_quiz_that_is_sent_twice_is_one_try(at: Callable[..., Visitor]) -> None:
    ana = at(QUIZ)
    address, hidden = ana.gate()
    for _ in range(3):
        ana.client.post(address, data={**hidden, "q-0": "yea", "q-1": "yea"})
    assert len(rows(ana.bench.store, gate_attempt)) == 1


def test_a_quiz_that_was_passed_is_explained_before_work_however_often_it_is_sent(at: Callable[..., Visitor]) -> None:
    ana = at(QUIZ)
    address, hidden = ana.gate()
    for _ in range(3):
        ana.client.post(address, data={**hidden, "q-0": "nay", "q-1": "yea"})
    assert "Everything is right." in text_of(ana.page())
    assert rows(ana.bench.store, gate_pass) == []
    assert item_form(ana.answer(q_0="nay", q_1="yea").text)


def test_a_quiz_cannot_be_passed_by_keep_on(at: Callable[..., Visitor]) -> None:
    ana = at(QUIZ)
    ana.answer()
    ana.answer(q_0="yea", q_1="nay")
    assert ana.answer().status_code == 422
    assert rows(ana.bench.store, gate_pass) == []


def test_a_person_is_passed_by_hand_only_with_a_reason(sqlite_bench: Bench) -> None:
    Annotator(sqlite_bench).enter()
    before = rows(sqlite_bench.store, action)
    for reason in ("", " "):
        by = By(sqlite_bench.study_id, "carla", 0, reason)
        with pytest.raises(AssayError, match="a reason is needed to pass a gate"):
            sqlite_bench.store.write(acts.pass_gate_by_hand, by, sqlite_bench.study, "ana", "consent")
    assert rows(sqlite_bench.store, gate_pass) == []
    assert rows(sqlite_bench.store, action) == before


# Practice


def test_practice_is_judged_on_the_real_page_with_feedback_after_each_item(at: Callable[..., Visitor]) -> None:
    ana = at(PRACTICE)
    assert "try yourself on 2 items" in text_of(ana.page())
    page = ana.answer().text
    for number in (1, 2):
        assert heading_of(page) == f"Practice {number} of 2"
        address, hidden = item_form(page)
        assert ana.send(address.replace("submit", "draft"), {**hidden, "emotion": "3"}).status_code == 200
        assert 'value="3" checked' in ana.page(), "a draft is kept"
        hidden = item_form(ana.page())[1]
        page = ana.client.post(address, data={**hidden, **SCORES}).text
        assert heading_of(page) == f"Your answers and the reference Practice {number} of 2"
        assert heading_of(ana.page()) == heading_of(page), "until it has been looked at"
        page = ana.answer().text
    assert heading_of(page) == "That was the practice"
    assert "you score" in text_of(page)
    page = ana.answer().text
    assert "Item 1 of" in heading_of(page)
    given = rows(ana.bench.store, submission)
    assert [row["source"] for row in given] == ["practice"] * 2
    assert len({row["item_id"] for row in given}) == 2
    assert ana.bench.store.read(assignments.count_submitted, 1) == 0


def test_feedback_cannot_be_skipped_and_an_earlier_next_does_nothing(at: Callable[..., Visitor]) -> None:
    ana = at(PRACTICE)
    ana.answer()
    ana.submit()
    address, first = ana.gate()
    for wrong in ({"seen": "2"}, {"seen": "0"}, {"seen": ""}, {"try": "2"}):
        ana.client.post(address, data={**first, **wrong})
        assert "Practice 1 of 2" in ana.heading()
    ana.client.post(address, data=first)
    ana.submit()
    before = everything(ana.bench.store)
    ana.client.post(address, data=first)
    assert everything(ana.bench.store) == before
    assert ana.heading() == "Your answers and the reference Practice 2 of 2"


def test_a_declined_item_is_no_data_and_another_takes_its_place(at: Callable[..., Visitor]) -> None:
    ana = at(PRACTICE)
    ana.answer()
    first, hidden = ana.form()
    ana.client.post(first, data={**hidden, "decline": "yes"})
    assert ana.heading() == "Practice 1 of 2"
    assert ana.form()[0] != first
    assert len(rows(ana.bench.store, submission)) == 0
    report = {"csrf": hidden["csrf"], "report": "abcdefgh", "words": "odd"}
    assert ana.send(f"{ana.home}/problem/{ana.form()[0].rsplit('/', 1)[1]}", report).status_code == 200
    ana.submit()
    ana.answer()
    ana.submit()
    ana.answer()
    assert ana.heading() == "That was the practice"


def test_who_declines_everything_has_not_passed(at: Callable[..., Visitor]) -> None:
    ana = at(PRACTICE)
    ana.answer()
    for _ in range(100):
        form = Forms(ana.page()).to("/submit/")
        if form is None:
            break
        ana.client.post(form[0], data={**form[1], "decline": "yes"})
    assert "talk to the person who sent you your link" in text_of(ana.page())
    assert Forms(ana.page()).forms == []
    assert rows(ana.bench.store, gate_pass) == []
    [waits] = ana.bench.store.read(gates.waiting_annotators, ana.bench.study_id)
    assert (waits.gate, waits.why) == ("practice", "failed")


def test_there_is_no_way_back_to_a_practice_item(at: Callable[..., Visitor]) -> None:
    ana = at(PRACTICE)
    yaml = ana.bench.folder / "study.yaml"
    yaml.write_text(yaml.read_text("utf-8").replace("navigation: forward-only", "navigation: free"), "utf-8")
    publish(ana.bench, lambda _: None)
    ana.answer()
    address, hidden = ana.form()
    ana.submit()
    name = address.rsplit("/", 1)[1]
    stored = everything(ana.bench.store)
    other = {
        **hidden,
        "study": ana.bench.store.read(studies.find, "empathy")[1],
        "revision": "2",
        **SCORES,
        "safety": "1",
    }
    assert ana.send(address, {**other, "note": "x"}).status_code == 409
    assert ana.client.get(f"{ana.home}/again/{name}", headers=SCRIPT).status_code == 409
    assert heading_of(ana.client.get(f"{ana.home}/item/{name}").text).startswith("Your answers")
    ana.answer()
    assert ana.send(address.replace("submit", "draft"), other).status_code == 409
    assert [row["revision"] for row in rows(ana.bench.store, submission)] == [1]
    assert everything(ana.bench.store)["judgment"] == stored["judgment"]


# Walking around


@pytest.mark.parametrize("gate", [SCREENING, QUIZ, PRACTICE, CALIBRATION], ids=lambda gate: next(iter(gate)))
def test_no_address_and_no_request_leads_around_a_gate_that_was_added(
    store: Backend, tmp_path: Path, gate: Any
) -> None:
    bench = make_bench(store, tmp_path / "study", edit=with_gates())
    ana = Visitor(bench)
    ana.enter()
    ana.submit()
    done = rows(store, assignment)[0]["public_id"]
    address, hidden = ana.form()
    name = address.rsplit("/", 1)[1]
    publish(bench, with_gates(gate))
    new = {**hidden, "study": store.read(studies.find, "empathy")[1]}
    before = everything(store)
    assert ana.send(address, {**new, **SCORES}).status_code == 403
    assert ana.send(address, {**new, "decline": "yes"}).status_code == 403
    assert ana.send(f"{ana.home}/draft/{name}", {**new, **SCORES}).status_code == 403
    assert ana.send(f"{ana.home}/ahead", {"csrf": new["csrf"], "after": "0"}).json() == {"items": []}
    assert ana.client.get(f"{ana.home}/again/{name}", headers=SCRIPT).status_code == 409
    assert ana.client.get(f"{ana.home}/reveal/{name}", headers=SCRIPT).status_code == 403
    for path in (f"item/{name}", f"item/{done}", "earlier"):
        page = ana.client.get(f"{ana.home}/{path}")
        assert str(page.url).endswith(ana.home), path
        assert Forms(page.text).to("/gate"), path
    for form in ({}, {"version": "x"}, {"choice": "agree"}, {"seen": "1", "try": "1"}, {"try": "2", "read-0": "yes"}):
        ana.client.post(f"{ana.home}/gate", data={"csrf": new["csrf"], **form})
    assert everything(store) == before


def test_during_a_try_only_its_open_item_can_be_judged(at: Callable[..., Visitor]) -> None:
    ana = at(PRACTICE)
    ben = Visitor(ana.bench, "ben")
    ben.enter()
    ana.answer()
    ben.answer()
    address, _ = ana.form()
    mine, hidden = ben.form()
    assert ben.send(address, {**hidden, **SCORES}).status_code == 404
    assert ben.client.get(mine.replace("submit", "again"), headers=SCRIPT).json()["heading"] == "Practice 1 of 2"
    assert ben.send(f"{ben.home}/ahead", {"csrf": hidden["csrf"], "after": "0"}).json() == {"items": []}
    assert ben.send(mine, {**hidden, **SCORES}).json()["state"] == "open"
    assert ben.send(mine, {**hidden, **SCORES}).status_code == 200, "a repeat is the same submission"
    assert len(submissions(ana.bench.store, "ben")) == 1
    ben.answer()
    ben.submit()
    ben.answer()
    assert ben.send(mine, {**hidden, **SCORES}).status_code == 409, "its try is over"
    ben.answer()
    assert ben.send(mine, {**hidden, **SCORES}).status_code == 409
    assert len(submissions(ana.bench.store, "ben")) == 2


def test_a_paused_study_begins_nothing_at_a_gate(at: Callable[..., Visitor]) -> None:
    ana = at(PRACTICE)
    address, hidden = ana.gate()
    ana.bench.store.write(acts.set_study_state, By(ana.bench.study_id, "test", ana.bench.clock()), "paused")
    ana.client.post(address, data=hidden)
    assert rows(ana.bench.store, gate_attempt) == []
    assert "paused" in text_of(ana.page())


def test_who_leaves_in_the_middle_of_practice_finds_it_as_it_was(at: Callable[..., Visitor]) -> None:
    ana = at(PRACTICE)
    ana.answer()
    address, hidden = ana.form()
    ana.client.post(f"{ana.home}/leave", data={"csrf": hidden["csrf"]})
    assert ana.send(address, {**hidden, **SCORES}).status_code == 403
    form = Forms(ana.page()).to("/come-back")
    assert form is not None
    assert item_form(ana.client.post(form[0], data=form[1]).text)[0] == address
    assert rows(ana.bench.store, annotators)[0]["left_at"] is None


def test_what_was_read_is_kept_on_the_server_and_ends_with_the_gate(at: Callable[..., Visitor]) -> None:
    ana = at({"reading": ["guide/rubric.md", "guide/edge-cases.md"]})
    gate = ana.bench.study.gates[0].gate
    fields = list(gate.simulate())
    assert len(fields) == 7
    for number, field in enumerate(fields[:3], 2):
        page = ana.answer(**{field: "yes"}).text
        assert f"Section {number} of 7" in text_of(page)
    assert "Section 4 of 7" in text_of(ana.page()), "a reload changes nothing"
    assert "Section 1 of 7" in text_of(ana.client.get(f"{ana.home}?section=read-0").text)
    assert "Section 4 of 7" in text_of(ana.client.get(f"{ana.home}?section=read-6").text), "nothing is skipped"
    [kept] = rows(ana.bench.store, gate_attempt)
    assert (kept["passed"], json.loads(kept["result"])) == (None, {"answers": dict.fromkeys(fields[:3], "yes")})
    assert ana.answer().status_code == 422, "a section is confirmed by its button"
    for field in fields[3:]:
        ana.answer(**{field: "yes"})
    assert ana.form()
    [kept] = rows(ana.bench.store, gate_attempt)
    assert kept["passed"] is True
    assert kept["ended_at"] is not None


@pytest.mark.parametrize("kind", ["consent", "warning", "reading"])
def test_nobody_agrees_or_reads_for_another(sqlite_bench: Bench, kind: str) -> None:
    sqlite_bench.link("ana")
    by = By(sqlite_bench.study_id, "me", T0, "on paper")
    with pytest.raises(AssayError, match="nobody can pass"):
        sqlite_bench.store.write(acts.pass_gate_by_hand, by, sqlite_bench.study, "ana", kind)


def test_the_guidelines_open_with_the_gate_that_asks_to_read_them(sqlite_bench: Bench) -> None:
    ana = Annotator(sqlite_bench)
    ana.enter()
    for kind in ("consent", "warning"):
        assert ana.client.get(f"{ana.home}/guide", follow_redirects=False).status_code == 303, kind
        address, form = Forms(ana.page()).to("/gate") or ("", {})
        ana.client.post(address, data={**form, "choice": "agree" if kind == "consent" else "continue"})
    assert ana.client.get(f"{ana.home}/guide", follow_redirects=False).status_code == 200
