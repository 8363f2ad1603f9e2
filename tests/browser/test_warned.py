"""Questions about the person, warnings, check-ins and stopping in a real browser: by the keyboard, and on a phone."""

import json
import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import Table

from assay.store.annotator import sessions
from assay.store.tables import assignment, check_in, item, person_answer
from assay.web.app import wall_clock
from tests.browser.conftest import PHONE, Live, NewContext, Person
from tests.browser.test_pages import RULES, violations
from tests.conftest import make_bench
from tests.web.annotator import edited, read_csv, rows, write_csv

pytestmark = pytest.mark.browser

ASKED = {
    "questions": [
        {"question": "age", "ask": "How old are you?", "choice": {"young": "Under 30", "old": "30 or older"}},
        {"question": "tools", "tags": {"chat": "Chat", "search": "Search"}},
    ]
}
CARE = {"field": "content", "warn": {"grief": "Death"}, "check_in": {"every": 2, "coordinator_sees": True}}
AT_END = {"questions": [{"question": "feedback", "text": {}, "optional": True}]}
ANSWERS = "34343"
NUMBERS = count(1)


def mine(here: Live, table: Table) -> list[dict[str, Any]]:
    """The rows of this study."""
    return [row for row in rows(here.store, table) if row["study_id"] == here.bench.study_id]


def careful(folder: Path) -> None:
    """Three items, every second one with a warning; questions before and after them."""
    file = folder / "study.yaml"
    listed = read_csv(folder / "items.csv")[:3]
    write_csv(folder / "items.csv", [{**row, "content": "grief" if n == 1 else "none"} for n, row in enumerate(listed)])
    gates = json.dumps([{"consent": "guide/consent.md"}, {"questionnaire": ASKED}])
    text = re.sub(r"^gates:.*?(?=^[a-z]|\Z)", f"gates: {gates}\n", file.read_text("utf-8"), flags=re.M | re.S)
    text = re.sub(r"^pace:.*?(?=^[a-z]|\Z)", "", text, flags=re.M | re.S)
    text = re.sub(r"^  order:.*\n", "", text, flags=re.M)
    text = re.sub(r"^assignment:.*\n", "assignment:\n  order: fixed\n", text, flags=re.M)
    file.write_text(f"{text}care: {json.dumps(CARE)}\nat_end: {json.dumps(AT_END)}\n", "utf-8")
    edited(study=f"careful{next(NUMBERS)}", per_item="1000")(folder)


def ready_for_keys(page: Page, since_ms: int = 1000) -> None:
    """The page's script is there, and so long ago: a key that comes sooner was typed for something else."""
    expect(page.locator("html:not(.no-js)")).to_be_attached()
    page.evaluate("ms => { performance.now = () => ms; }", since_ms)


def arrive(live: Live, person: Person) -> Page:
    cookie = live.store.write(sessions.enter, live.link(person.name).rsplit("/", 1)[1], wall_clock())
    name = f"assay-annotator-{live.study.study}"
    person.context.add_cookies([{"name": name, "value": cookie, "url": live.address}])
    person.page.goto(f"{live.address}/judge/{live.study.study}")
    return person.page


def test_a_study_with_care_is_done_by_the_keyboard_and_nothing_opens_by_itself(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    here = Live(live.address, make_bench(live.store, tmp_path / "study", edit=careful), live.names)
    person = Person(here, new_context())
    page = arrive(here, person)
    page.get_by_role("button", name="I agree").press("Enter")
    expect(page.get_by_role("heading", name="About you")).to_be_visible()
    assert violations(page, RULES) == []
    page.get_by_role("radio", name="30 or older").press("Space")
    page.get_by_role("checkbox", name="Chat").press("Space")
    page.get_by_role("button", name="Continue").press("Enter")
    hard = next(json.loads(row["shown"])["response"] for row in mine(here, item) if row["warnings"] != "[]")
    person.at_item(1)
    person.press(*ANSWERS, "Enter")
    expect(page.get_by_role("heading", name="Before this item opens")).to_be_focused()
    assert violations(page, RULES) == []
    assert hard[:40] not in page.content()
    assert all(row["opened_at"] is None for row in mine(here, assignment))
    # Typed ahead, as somebody does who is used to the next item being there at once.
    ready_for_keys(page, 100)
    person.press("1")
    expect(page.get_by_role("heading", name="Before this item opens")).to_be_visible()
    ready_for_keys(page)
    person.press("1")
    person.at_item(2)
    expect(page.locator("#content")).to_contain_text(hard[:40])
    person.press(*ANSWERS, "Enter")
    expect(page.get_by_role("heading", name="How are you?")).to_be_focused()
    assert violations(page, RULES) == []
    ready_for_keys(page)
    person.press("3")
    expect(page.get_by_role("heading", name="Thank you for saying so")).to_be_focused()
    ready_for_keys(page)
    person.press("1")
    person.at_item(3)
    person.press(*ANSWERS, "Enter")
    expect(page.get_by_role("heading", name="Some questions at the end")).to_be_visible()
    page.get_by_role("textbox").fill("All clear.")
    page.get_by_role("button", name="Continue").press("Enter")
    expect(page.get_by_role("heading", name="Some questions at the end")).to_have_count(0)
    assert {row["question"] for row in mine(here, person_answer)} == {"age", "tools", "feedback"}
    assert [row["answer"] for row in rows(live.store, check_in)][-1] == "not_well"
    assert person.trouble == []


def test_on_a_phone_stopping_is_two_taps_away_from_an_item(live: Live, new_context: NewContext) -> None:
    person = Person(live, new_context(PHONE)).begin()
    page = person.page
    page.locator(".bar").get_by_role("link", name="Stop").click()
    expect(page.get_by_role("button", name="Stop, and delete what I gave")).to_be_in_viewport()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("link", name="My data")).to_be_visible()
