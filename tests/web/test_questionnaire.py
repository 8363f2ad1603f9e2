"""Questions about the person: before work and after it, kept apart, and seen only by those who may."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.store import Backend
from assay.store.tables import annotator, gate_attempt, gate_pass, person_answer
from tests.conftest import Bench, make_bench
from tests.inviting import invite_coordinator
from tests.pages import Forms, enter, item_form, text_of
from tests.web.annotator import Annotator, rows
from tests.web.scripts import Script

BEFORE = {
    "questionnaire": {
        "questions": [
            {"question": "age", "ask": "How old are you?", "choice": {"young": "Under 30", "old": "30 or older"}},
            {"question": "tools", "tags": {"chat": "Chat", "search": "Search"}},
            {"question": "word", "text": {"longest": 20}, "optional": True},
        ]
    }
}
AT_END = {"questions": [{"question": "feedback", "ask": "What should we know?", "text": {}, "optional": True}]}
ITEMS = 2


def asking(folder: Path) -> None:
    """Put questions before and after the work, and leave two items."""
    file = folder / "study.yaml"
    text = re.sub(r"^gates:.*\n", f"gates:\n- {json.dumps(BEFORE)}\n", file.read_text("utf-8"), flags=re.M)
    text = re.sub(r"^assignment:.*\n", f"assignment:\n  most_per_annotator: {ITEMS}\n", text, flags=re.M)
    file.write_text(f"{text}at_end: {json.dumps(AT_END)}\n", "utf-8")


@pytest.fixture
def bench(store: Backend, tmp_path: Path) -> Bench:
    return make_bench(store, tmp_path / "study", edit=asking)


def send(who: Annotator, **given: Any) -> Any:
    form = Forms(who.page()).to("/gate")
    assert form is not None, "no questions on this page"
    answers = {f"about-{name}": value for name, value in given.items()}
    return who.client.post(form[0], data={**form[1], **answers})


def kept(store: Backend) -> dict[str, Any]:
    return {row["question"]: json.loads(row["value"]) for row in rows(store, person_answer)}


def finished(bench: Bench, name: str = "ana") -> Annotator:
    """Somebody who has answered, and judged everything."""
    who = Annotator(bench, name)
    who.enter()
    send(who, age="old", tools=["chat", "search"], word="a zebra")
    who.begin()
    for _ in range(ITEMS):
        assert who.submit().status_code == 200
    return who


def coordinate(bench: Bench, link: str) -> Callable[[str], Any]:
    client = bench.client()
    enter(client, link)
    return lambda page: client.get(f"/coordinate/{bench.study.study}/{page}")


def test_what_is_missing_or_wrong_is_said_at_its_question_and_nothing_is_lost(bench: Bench) -> None:
    ana = Annotator(bench)
    ana.enter()
    answer = send(ana, tools=["search"], word="far too long for twenty letters")
    assert answer.status_code == 422
    page = answer.text
    assert 'href="#about-age"' in page
    assert "31" in text_of(page)
    assert 'value="search" checked' in page
    assert rows(bench.store, person_answer) == []
    assert send(ana, age="none of these", tools=["search"]).status_code == 422
    assert send(ana, age="young", tools=["search"]).status_code == 200
    assert kept(bench.store) == {"age": "young", "tools": ["search"]}


def test_answers_stand_apart_from_names_judgments_and_attempts(bench: Bench) -> None:
    finished(bench)
    assert kept(bench.store) == {"age": "old", "tools": ["chat", "search"], "word": "a zebra"}
    [who] = [row for row in rows(bench.store, annotator) if row["name"] == "ana"]
    assert {row["key"] for row in rows(bench.store, person_answer)} == {who["key"]}
    assert not {"annotator_id", "name"} & {column.name for column in person_answer.c}
    assert "zebra" not in str(rows(bench.store, gate_attempt) + rows(bench.store, gate_pass))


def test_a_form_sent_twice_is_one_and_no_question_comes_before_its_time(bench: Bench) -> None:
    ana = Annotator(bench)
    ana.enter()
    form = Forms(ana.page()).to("/gate")
    assert form is not None
    at_end = bench.study.at_end
    assert at_end is not None
    early = {**form[1], "version": at_end.version, "about-feedback": "too early"}
    ana.client.post(form[0], data=early)
    assert kept(bench.store) == {}
    for age in ("old", "young"):
        ana.client.post(form[0], data={**form[1], "about-age": age, "about-tools": "chat"})
    assert kept(bench.store)["age"] == "old"
    ana.begin()
    ana.client.post(form[0], data=early)
    assert "feedback" not in kept(bench.store), "there is work left"


def test_the_questions_at_the_end_come_after_the_last_item_and_once(bench: Bench) -> None:
    ana = finished(bench)
    assert "Some questions at the end" in ana.page()
    assert "Step" not in text_of(ana.page()).split("Some questions")[0]
    assert send(ana, feedback="The third item was <b>odd</b>.").status_code == 200
    assert kept(bench.store)["feedback"] == "The third item was <b>odd</b>."
    assert "Thank you" in ana.page()
    assert Forms(ana.page()).to("/gate") is None


def test_a_person_sees_them_and_takes_them_along(bench: Bench) -> None:
    ana = finished(bench)
    assert "3 answers about yourself" in ana.client.get(f"{ana.home}/my-data").text
    data = ana.client.get(f"{ana.home}/my-data.json").json()
    assert {each["question"]: each["value"] for each in data["about_you"]} == kept(bench.store)
    table = list(csv.DictReader(io.StringIO(ana.client.get(f"{ana.home}/my-data.csv").text)))
    assert {row["question"]: row["value"] for row in table if not row["item"]}["word"] == "a zebra"


def test_coordinators_read_them_viewers_only_how_many_and_no_export_has_them(bench: Bench) -> None:
    send(finished(bench), feedback="a panda")
    page = coordinate(bench, bench.coordinator_link())
    said = text_of(page("questionnaire").text)
    assert "a panda" in said
    assert not re.search(r"\bana\b", said)
    table = list(csv.DictReader(io.StringIO(page("questionnaire.csv").text)))
    assert {(row["annotator"], row["question"]) for row in table} == {
        ("ana", name) for name in ("age", "tools", "word", "feedback")
    }
    assert "zebra" not in page("export?format=csv").text
    token = bench.store.write(invite_coordinator, bench.study_id, bench.clock(), "vera", reads_only=True)
    view = coordinate(bench, f"/join/{token}")
    assert "1 person has answered" in text_of(view("questionnaire").text)
    assert not any(word in view("questionnaire").text for word in ("zebra", "panda", "Under 30"))
    assert view("questionnaire.csv").status_code == 403


def test_a_script_that_may_manage_reads_them(bench: Bench) -> None:
    finished(bench)
    found = Script(bench, "manage").get("/questionnaire")
    assert {each["question"] for each in found["answers"]} == {"age", "tools", "word"}
    Script(bench, "export", name="other").get("/questionnaire", expect=403)


def test_an_item_is_not_reached_around_the_questions(bench: Bench) -> None:
    ana = Annotator(bench)
    ana.enter()
    with pytest.raises(AssertionError, match="no item"):
        item_form(ana.page())
