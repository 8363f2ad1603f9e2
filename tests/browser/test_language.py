"""What the study language can ask for beyond the templates: lists of any length, warnings, 'I cannot tell'."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from assay.store.tables import annotator, judgment, submission
from tests.browser.conftest import Live, NewContext, Person, until
from tests.web.annotator import rows

pytestmark = pytest.mark.browser

STUDY = """
study: {name}
title: Lists of any length
items:
  source: items.jsonl
  entries:
    goals: {{from: goals}}
  show:
    - text: {{field: talk}}
rubric:
  - dimension: quality
    scale: {{from: 1, to: 3, anchors: {{1: poor, 2: fair, 3: good}}}}
    unable: I cannot tell
  - dimension: goal
    of: entries(goals)
    ask: Was it reached?
    yes_no: {{}}
  - dimension: language
    choice: {{german: German, english: English}}
rules:
  - allowed: quality <= 2
    when: any(goal) == 0
    message: Something was not reached.
    mode: warn
assignment: {{per_item: 1000, order: fixed}}
"""
COUNTS = [0, 1, 6, 11, 25]


def with_study(name: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        (folder / "study.yaml").write_text(STUDY.format(name=name), "utf-8")
        rows = [
            {"id": f"n{count}", "talk": "Some talk.", "goals": [f"Goal number {number}" for number in range(count)]}
            for count in COUNTS
        ]
        (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")

    return edit


@pytest.fixture(scope="session")
def lists(live: Live, tmp_path_factory: pytest.TempPathFactory) -> Live:
    made = live.add(tmp_path_factory.mktemp("lists") / "study", with_study("lists"))
    return Live(made.address, made.bench, live.names)


@pytest.fixture
def reader(lists: Live, new_context: NewContext) -> Person:
    return Person(lists, new_context()).begin()


def test_items_with_any_number_of_goals_are_judged_by_as_many_keys(reader: Person) -> None:
    for number, count in enumerate(COUNTS, start=1):
        assert reader.page.locator("fieldset.yes_no").count() == count
        reader.press("2", *["1"] * count, "2", "Enter")
        if number < len(COUNTS):
            reader.at_item(number + 1)
    expect(reader.page.get_by_role("heading", name="All done")).to_be_visible()
    assert goals_stored(reader) == COUNTS
    assert reader.trouble == []


def goals_stored(reader: Person) -> list[int]:
    """How many goals each submission of this annotator answers."""
    [me] = [row["id"] for row in rows(reader.live.store, annotator) if row["name"] == reader.name]
    mine = [row["id"] for row in rows(reader.live.store, submission) if row["annotator_id"] == me]
    goals = [row["submission_id"] for row in rows(reader.live.store, judgment) if row["dimension"] == "goal"]
    return sorted(goals.count(name) for name in mine)


def test_the_page_of_many_goals_has_no_control_out_of_reach(reader: Person) -> None:
    page = reader.page
    for number, count in enumerate(COUNTS[:-1], start=2):
        reader.press("2", *["1"] * count, "2", "Enter")
        reader.at_item(number)
    for number in range(25):
        question = page.locator("fieldset.yes_no").nth(number)
        question.locator("label").nth(1).click()
    assert page.locator("fieldset.yes_no input:checked").count() == 25


def test_somebody_who_cannot_judge_says_so_by_the_next_digit(reader: Person) -> None:
    page = reader.page
    expect(page.locator("#q-quality .unable .cap")).to_have_text("4")
    reader.press("4")
    assert reader.answers() == {"quality": "unable"}
    reader.press("1", "Enter")
    reader.at_item(2)
    assert reader.arrived()[0] == {"quality": None, "language": "german"}


def warned(page: Page) -> bool:
    return page.locator("#alert").is_visible() and "Something was not reached" in page.locator("#alert").inner_text()


def test_a_rule_that_warns_is_said_once_and_then_the_answers_are_taken(reader: Person) -> None:
    page = reader.page
    reader.press("2", "1", "Enter")
    reader.at_item(2)
    reader.press("3", "0", "1", "Enter")
    until(page, lambda: warned(page))
    assert len(reader.posts("submit")) == 1, "only the item before"
    reader.press("Enter")
    reader.at_item(3)
    assert reader.arrived()[1]["quality"] == 3
