"""Earlier items on the page, breaks, and what is said about an item."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from assay.store.coordinator import studies
from assay.store.tables import annotator, assignment, break_, problem
from assay.web.app import wall_clock
from tests.browser.conftest import Person, answer_rest, digits, until
from tests.web.annotator import rows, submissions

pytestmark = pytest.mark.browser


def own(person: Person, table: Any) -> list[dict[str, Any]]:
    """What a table holds of this annotator."""
    [me] = [row["id"] for row in rows(person.live.store, annotator) if row["name"] == person.name]
    given = {row["id"] for row in rows(person.live.store, assignment) if row["annotator_id"] == me}
    return [
        row
        for row in rows(person.live.store, table)
        if row.get("annotator_id") == me or row.get("assignment_id") in given
    ]


@pytest.mark.parametrize(("name", "way"), [("in-car", "list"), ("in-car", "undo"), ("trajectories", "list")])
def test_an_earlier_item_is_opened_and_changed(at: Any, name: str, way: str) -> None:
    person: Person = at(name)
    page: Page = person.page
    first = page.locator("#judge").get_attribute("data-item")
    answer_rest(person)
    person.press("Enter")
    person.at_item(2)
    person.press("2")
    expect(page.locator("#status")).to_have_text("Saved")
    if way == "undo":
        person.press("u")
    else:
        person.press("l")
        page.get_by_role("dialog").locator("li[value='1'] a").click()
    person.at_item(1)
    assert page.locator("#judge").get_attribute("data-item") == first
    expect(page.locator("#content > .notice")).to_contain_text("judged this item before")
    assert person.chosen() >= len(digits(person)) - 1
    page.locator("fieldset.question.one").first.locator(".option").first.click()
    page.locator("#heading").focus()
    person.press("Enter")
    person.at_item(2)
    assert person.chosen() == 1, "back where one was, with the half-finished answers"
    person.arrived()
    found = submissions(person.live.store, person.name)
    assert [each["revision"] for each in found] == [1, 2]


def test_what_an_earlier_item_says_at_the_top_moves_no_part_of_it_apart(at: Any) -> None:
    person: Person = at("trajectories")
    page: Page = person.page
    tops = "[...document.querySelectorAll('.image, .pair')].map(each => each.getBoundingClientRect().top)"
    apart = page.evaluate(tops)
    answer_rest(person)
    person.press("Enter")
    person.at_item(2)
    person.arrived()
    person.press("u")
    person.at_item(1)
    notice, content = (page.locator(each).bounding_box() for each in ("#content > .notice", "#content"))
    assert notice
    assert content
    assert notice["width"] > 0.9 * content["width"]
    assert notice["height"] < 40, "one line"
    again = page.evaluate(tops)
    assert again[0] - again[1] == pytest.approx(apart[0] - apart[1], abs=1)
    assert again[0] - apart[0] < 50
    assert page.evaluate("content.scrollHeight <= content.clientHeight")


def test_where_there_is_no_way_back_no_key_and_no_link_leads_there(at: Any) -> None:
    person: Person = at("empathy")
    page: Page = person.page
    person.press(*digits(person), "Enter")
    person.at_item(2)
    person.press("l", "u")
    page.wait_for_timeout(200)
    assert page.locator("dialog[open]").count() == 0
    expect(page.get_by_text("Earlier items")).to_have_count(0)
    expect(page.get_by_text("Submit is final.")).to_be_attached()  # and seen when all is answered
    person.at_item(2)


def test_a_break_stops_the_clock_and_is_kept_with_its_end(at: Any) -> None:
    person: Person = at("empathy")
    page: Page = person.page
    person.press("3", "b")
    expect(page.get_by_role("dialog")).to_contain_text("Take your time")
    person.press("4")
    assert person.answers() == {"emotion": "3"}
    until(page, lambda: own(person, break_))
    assert own(person, break_)[0]["ended_at"] is None
    person.press("Escape")
    until(page, lambda: own(person, break_)[0]["ended_at"])
    assert page.evaluate("document.activeElement.id") == "heading"


def test_a_click_begins_a_break_once(at: Any) -> None:
    person: Person = at("dialog-pairs")
    page: Page = person.page
    page.get_by_role("button", name="Break").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("button", name="Go on", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    until(page, lambda: [each["ended_at"] is not None for each in own(person, break_)] == [True])


def test_an_item_whose_picture_has_not_come_waits_for_it_or_is_reported(at: Any) -> None:
    person: Person = at("trajectories")
    page: Page = person.page
    person.intercept("**/picture/**", lambda route: route.abort())
    page.reload()
    expect(page.locator(".not-loaded").first).to_be_visible()
    person.press(*digits(person), "Enter")
    expect(page.locator("[data-failed]").first).to_be_visible()
    person.at_item(1)
    assert not person.stored(), "nobody judges a picture unseen"
    page.locator("#heading").focus()
    person.press("f")
    expect(page.locator("#problem-words")).to_have_value("A picture did not load.")
    page.get_by_role("button", name="Report and leave it out").click()
    until(page, lambda: len(own(person, problem)) == 1)
    person.trouble.clear()


def test_a_problem_is_reported_and_work_goes_on(at: Any) -> None:
    person: Person = at("empathy")
    page: Page = person.page
    person.press("f")
    page.get_by_role("button", name="Report and judge it").click()
    expect(page.locator("#problem-error")).to_have_text("Please say what is wrong.")
    page.get_by_label("Is something wrong").fill("The reply breaks off.")
    page.get_by_role("button", name="Report and judge it").click()
    until(page, lambda: own(person, problem))
    assert [row["words"] for row in own(person, problem)] == ["The reply breaks off."]
    person.at_item(1)


def test_what_was_reported_or_left_out_is_said(at: Any) -> None:
    person: Person = at("empathy")
    page: Page = person.page
    person.press("f")
    page.get_by_label("Is something wrong").fill("The reply breaks off.")
    page.get_by_role("button", name="Report and judge it").click()
    expect(page.locator("#status")).to_have_text("Reported. Thank you.")
    expect(page.locator("#announced")).to_have_text("Reported. Thank you.")
    person.press("3")
    expect(page.locator("#status")).to_have_text("Saved")
    person.press("f")
    page.get_by_role("button", name="I would rather not judge this one").click()
    person.at_item(2)
    expect(page.locator("#status")).to_have_text("Item 1 is left out.")
    expect(page.locator("#announced")).to_have_text("Item 1 is left out.")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.locator("#status").evaluate("each => each.scrollWidth <= each.clientWidth"), "whole on a phone"
    expect(page.locator("#status")).to_have_text("Saved")


def test_a_study_that_is_paused_or_closed_gives_out_nothing_that_was_ready(at: Any) -> None:
    person: Person = at("route-planning")
    page: Page = person.page
    until(page, lambda: page.evaluate("window.assay.readyItems.items.length") > 5)
    store, study_id = person.live.store, person.live.bench.study_id
    store.write(studies.set_state, study_id, "paused", wall_clock())
    person.press(*digits(person), "Enter")
    expect(page.get_by_role("heading", name="The study is paused")).to_be_visible()
    store.write(studies.set_state, study_id, "open", wall_clock())
    page.get_by_role("button", name="Check again").click()
    person.at_item(2)
    assert len(person.stored()) == 1


def test_after_a_change_offline_work_goes_on_at_the_item_that_was_open(at: Any) -> None:
    person: Person = at("dialog-pairs")
    page: Page = person.page
    person.press(*digits(person), "Enter")
    person.at_item(2)
    assert len(person.arrived()) == 1
    person.press("u")
    person.at_item(1)
    until(page, lambda: page.evaluate("window.assay.readyItems.items.length") > 5)
    until(page, lambda: page.evaluate("window.assay.texts.size") == 2)
    person.context.set_offline(True)
    person.press("3", "Enter")
    person.at_item(2)
    person.press("u")
    expect(page.get_by_role("dialog")).to_contain_text("when you are online")
    person.press("Escape", "g")
    expect(page.get_by_role("complementary")).to_contain_text("Worked examples")
    person.press("Escape")
    person.context.set_offline(False)
    assert len(person.arrived()) == 2
    person.at_item(2)
    assert page.url.endswith("/judge/five-dialog-pairs")
    person.trouble.clear()
