"""The list of one's own items by keyboard, by finger and as a page, and the ways to the neighbours."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Live, NewContext, Person, answer_rest
from tests.browser.test_pages import AXE, RULES
from tests.web.annotator import edited, with_items

pytestmark = pytest.mark.browser


def judged(person: Person) -> None:
    """The item on the page, with the best scores."""
    goals = person.page.locator("fieldset.yes_no").count()
    person.press("2", "2", "2", "2", *["1"] * goals, "Enter")


def opened(person: Person) -> None:
    person.press("l")
    expect(person.page.locator("#reader[open] .item-list")).to_be_visible()


def test_an_item_is_opened_from_the_list_by_its_number_and_work_goes_on_behind_it(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    opened(person)
    rows = page.locator(".item-list li")
    expect(rows).to_have_count(4)
    expect(page.locator(".item-list [aria-current]")).to_be_focused()
    person.press("3")
    expect(rows.nth(2).locator("a")).to_be_focused()
    person.press("Enter")
    person.at_item(3)
    judged(person)
    person.at_item(4)
    assert page.evaluate("document.getElementById('progress').value") == 1, "one is judged, whatever its number"
    opened(person)
    assert [row.get_attribute("data-state") for row in rows.all()] == ["open", "open", "done", "open"]
    person.press("Home")
    expect(rows.nth(0).locator("a")).to_be_focused()
    person.press("ArrowDown", "ArrowDown", "ArrowUp", "Enter")
    person.at_item(2)
    judged(person)
    person.at_item(4)
    judged(person)
    person.at_item(1)
    assert person.trouble == []


def test_what_is_begun_elsewhere_is_there_when_one_comes_back(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    person.press("1", "2")
    expect(page.locator("#status")).to_have_text("Saved")
    person.press(">")
    person.at_item(2)
    opened(person)
    assert page.locator(".item-list li").first.get_attribute("data-state") == "begun"
    person.press("Escape", "<")
    person.at_item(1)
    assert person.chosen() == 2


def test_on_a_phone_the_list_is_tapped(at: Any) -> None:
    person = at("in-car", PHONE, has_touch=True, is_mobile=True)
    page: Page = person.page
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("link", name="Items").tap()
    rows = page.locator("#reader[open] .item-list a")
    expect(rows).to_have_count(4)
    assert all((row.bounding_box() or {"height": 0})["height"] >= 44 for row in rows.all())
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    rows.nth(1).tap()
    person.at_item(2)


def test_the_list_over_an_item_names_the_one_that_is_open(at: Any) -> None:
    person = at("in-car")
    opened(person)
    person.press("3", "Enter")
    person.at_item(3)
    opened(person)
    here = person.page.locator(".item-list [aria-current]")
    expect(here).to_have_count(1)
    expect(here).to_be_focused()
    expect(here.locator(".state")).to_have_text("open · this one")
    expect(person.page.locator(".item-list")).not_to_contain_text("comes next")


def test_behind_the_last_item_there_is_no_way_on(live: Live, new_context: NewContext, tmp_path: Path) -> None:
    def edit(folder: Path) -> None:
        edited(study="two", per_item="1000")(folder)
        with_items(2)(folder)

    person = Person(live.add(tmp_path / "study", edit, "route-planning"), new_context()).begin()
    page = person.page
    on = page.locator("a[data-step='1']")
    expect(on).to_be_visible()
    answer_rest(person)
    person.press("Enter")
    person.at_item(2)
    expect(on).to_be_hidden()
    page.reload()
    person.ready()
    expect(on).to_be_hidden()
    page.evaluate("document.body.dataset.here = 'still'")
    person.press(">")
    page.wait_for_timeout(300)
    assert page.evaluate("document.body.dataset.here") == "still", "the same page, and not the same item anew"
    person.press("<")
    person.at_item(1)
    expect(on).to_be_visible()
    assert person.trouble == []


def test_without_scripts_the_list_is_a_page(lives: dict[str, Live], new_context: NewContext) -> None:
    person = Person(lives["in-car"], new_context(java_script_enabled=False), scripts=False).begin()
    page = person.page
    page.get_by_role("link", name="Items").click()
    expect(page.get_by_role("heading", name="Your items")).to_be_visible()
    page.locator(".item-list a").nth(3).click()
    expect(page.locator("#heading")).to_contain_text("Item 4 of")


@pytest.mark.parametrize(
    ("language", "why"),
    [
        ("en", "In this study the list names items by their numbers alone."),
        ("de", "In dieser Studie nennt die Liste die Aufgaben nur mit ihren Nummern."),
    ],
)
def test_every_list_has_numbers_and_says_so_where_it_has_nothing_else(
    live: Live, new_context: NewContext, tmp_path: Path, language: str, why: str
) -> None:
    """Where items come twice their first words would tell which ones do."""
    for name, twice in (("route-planning", False), ("route-planning", True), ("trajectories", True)):

        def edit(folder: Path, name: str = name, twice: bool = twice) -> None:
            more = "\n  duplicates: {count: 2, distance: 3}" if twice else ""
            edited(
                study=f"list-{language}-{'twice' if twice else 'once'}-{name}\nlanguage: {language}",
                per_item=f"1000{more}",
            )(folder)

        study = live.add(tmp_path / f"{name}-{twice}", edit, name)
        person = Person(study, new_context(), next(live.names)).begin()
        answer_rest(person)
        person.press("Enter")
        expect(person.page.locator("#judge")).to_have_attribute("data-position", "2")
        person.ready()
        person.arrived()
        person.press("l")
        dialog = person.page.get_by_role("dialog")
        expect(dialog.locator(".item-list .number").first).to_have_text("1")
        expect(dialog.get_by_text(why)).to_have_count(1 if twice else 0)
        assert person.trouble == []


def test_everybody_can_use_the_list(at: Any) -> None:
    person = at("in-car", bypass_csp=True, reduced_motion="reduce")
    opened(person)
    person.page.evaluate(AXE)
    for scheme in ("light", "dark"):
        person.page.emulate_media(color_scheme=scheme)
        found = person.page.evaluate("rules => axe.run(document, {runOnly: rules})", RULES)
        wrong = [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found["violations"]]
        assert wrong == [], scheme
