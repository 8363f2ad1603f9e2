"""Rules about ticks and texts on the judging page: what follows is filled in, and what is wrong is said at once."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, Live, NewContext, Person
from tests.ruled import ruled

pytestmark = pytest.mark.browser


@pytest.fixture
def judging(live: Live, new_context: NewContext, tmp_path: Path) -> Iterator[Callable[..., Person]]:
    """Somebody at the first item of a small study with these parts."""
    people: list[Person] = []

    def make(name: str, size: tuple[int, int] = DESKTOP, **parts: Any) -> Person:
        study = live.add(tmp_path / name, ruled(name=name, **parts))
        people.append(Person(study, new_context(size), next(live.names)).begin())
        return people[-1]

    yield make
    for person in people:
        assert person.trouble == []


def test_ticks_against_a_rule_are_said_to_be_wrong_and_not_sent(judging: Any) -> None:
    person = judging("ticks-against")
    page = person.page
    page.locator("#q-kinds label", has_text="A date").click()
    page.locator("#q-right label", has_text="Yes").click()
    limit = page.locator("#q-kinds .limit")
    expect(limit).to_have_text("What is true has no fault.")
    assert person.answers()["kinds"] == "date", "ticks are somebody's own work"
    page.locator("#submit").click()
    expect(page.locator("#alert li")).to_have_text("What is wrong: What is true has no fault.")
    assert not person.posts("submit")
    page.locator("#q-right label", has_text="No").click()
    expect(limit).to_have_text("")
    expect(page.locator("#alert li")).to_have_class("settled")
    page.locator("#submit").click()
    person.at_item(2)
    assert person.arrived()[0]["kinds"] == ["date"]


def test_a_text_that_follows_is_filled_in_and_goes_with_its_reason(judging: Any) -> None:
    person = judging("text-follows")
    page = person.page
    page.locator("#q-right label", has_text="Yes").click()
    expect(page.locator("#q-note textarea")).to_have_value("ok")
    page.locator("#q-right label", has_text="No").click()
    expect(page.locator("#q-note textarea")).to_have_value("")
    page.locator("#q-note textarea").fill("hm")
    page.locator("#q-right label", has_text="Yes").click()
    expect(page.locator("#q-note textarea")).to_have_value("hm")
    expect(page.locator("#q-note .limit")).to_have_text("Nothing to say.")


def test_ticks_that_follow_are_ticked(judging: Any) -> None:
    person = judging("ticks-follow")
    page = person.page
    page.locator("#q-right label", has_text="No").click()
    page.locator("#q-note textarea").fill("both")
    expect(page.locator("#q-kinds input:checked")).to_have_count(2)
    page.locator("#submit").click()
    person.at_item(2)
    assert person.arrived() == [{"right": 0, "kinds": ["name", "date"], "note": "both"}]


def test_a_rule_that_only_warns_of_ticks_or_a_missing_note_is_said_once(judging: Any) -> None:
    rules = [
        {"allowed": "count(kinds) == 0", "when": "right == 1", "mode": "warn", "message": "Is it true, then?"},
        {"required": "note", "when": "right == 1", "mode": "warn", "message": "Better say why."},
    ]
    person = judging("warned", rules=rules)
    page = person.page
    page.locator("#q-right label", has_text="Yes").click()
    page.locator("#q-kinds label", has_text="A date").click()
    page.locator("#submit").click()
    expect(page.locator("#alert li").nth(0)).to_have_text("What is wrong: Is it true, then?")
    expect(page.locator("#alert li").nth(1)).to_have_text("Note: Better say why.")
    page.locator("#submit").click()
    person.at_item(2)
    assert person.arrived() == [{"right": 1, "kinds": ["date"]}]
