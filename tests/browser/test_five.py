"""The judging page of every template: keys, rules, what comes later, and whether everybody can use it."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import DESKTOP, PHONE, Live, judged, open_sheet, until
from tests.browser.test_pages import AXE, RULES
from tests.selection import on_templates

pytestmark = pytest.mark.browser

CLIPPED = """least => [...document.querySelectorAll(".option, .tag")].filter(option => {
  if (!option.offsetParent) return false;
  const box = option.getBoundingClientRect();
  const panel = option.closest(".questions").getBoundingClientRect();
  return box.left < panel.left - 1 || box.right > panel.right + 1 || box.width < 24 || box.height < least;
}).map(option => option.textContent.trim())"""


def test_route_planning_takes_seven_keys(at: Any) -> None:
    assert judged(at("route-planning")) == 7


def test_dialog_pairs_takes_three_keys(at: Any) -> None:
    assert judged(at("dialog-pairs")) == 3


def test_empathy_takes_six_keys(at: Any) -> None:
    assert judged(at("empathy")) == 6


def test_trajectories_takes_eleven_keys(at: Any) -> None:
    assert judged(at("trajectories")) == 11


def test_in_car_takes_its_goals_and_five_keys(at: Any) -> None:
    person = at("in-car")
    goals = person.page.locator("fieldset.yes_no").count()
    assert judged(person) == goals + 5


@pytest.mark.layout
@on_templates("dialog-pairs")
def test_every_page_is_accessible_fits_and_clips_no_answer(at: Any, name: str) -> None:
    is_accessible_fits_and_clips_no_answer(at(name, color_scheme="light", bypass_csp=True).page, DESKTOP)


@pytest.mark.layout
@on_templates("empathy", "trajectories")
def test_every_page_is_so_in_the_dark(at: Any, name: str) -> None:
    is_accessible_fits_and_clips_no_answer(at(name, color_scheme="dark", bypass_csp=True).page, DESKTOP)


@pytest.mark.layout
@on_templates("in-car", "route-planning")
def test_every_page_is_so_on_a_phone(at: Any, name: str) -> None:
    is_accessible_fits_and_clips_no_answer(at(name, PHONE, color_scheme="light", bypass_csp=True).page, PHONE)


def is_accessible_fits_and_clips_no_answer(page: Page, size: tuple[int, int]) -> None:
    page.evaluate(AXE)
    found = page.evaluate("rules => axe.run(document, {runOnly: rules})", RULES)
    assert [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.evaluate(CLIPPED, 44 if size == PHONE else 24) == [], "a finger needs more room than a pointer"


def test_a_cap_closes_what_it_forbids_by_key_and_by_mouse(at: Any) -> None:
    person = at("route-planning")
    page: Page = person.page
    person.press("1")
    assert page.locator("#q-caps input:checked").count() == 1
    person.press("Enter")
    expect(page.locator("fieldset.active")).to_have_id("q-coherence")
    person.press("4", "4", "5")
    expect(page.locator("#q-instruction_following .limit")).to_have_text(
        "Cap: at most 2, because a hard constraint is ignored."
    )
    assert "instruction_following" not in person.answers()
    assert page.locator("#q-instruction_following input:disabled").count() == 3
    person.press("2", "4", "4", "Enter")
    person.at_item(2)
    assert person.arrived()[0]["instruction_following"] == 2


def test_a_score_above_a_cap_that_comes_later_is_taken_back_and_said(at: Any) -> None:
    person = at("route-planning")
    page: Page = person.page
    person.press("0", "4", "4", "5", "4", "4")
    page.locator("#q-caps label", has_text="Ignores a hard constraint").click()
    assert "instruction_following" not in person.answers()
    assert person.answers()["caps"] == "ignores_constraint", "the answer that none applies goes"
    expect(page.locator("#q-instruction_following .limit")).to_contain_text("Answer taken back")
    person.press("Enter")
    expect(page.locator("fieldset.active")).to_have_id("q-instruction_following")
    assert not person.posts("submit"), "Enter goes to what is missing"


def test_a_tick_fills_in_what_follows_from_it_and_takes_it_back(at: Any) -> None:
    person = at("empathy")
    page: Page = person.page
    tick = page.locator("#q-edge label", has_text="Empty or incoherent")
    tick.click()
    assert {key: value for key, value in person.answers().items() if value == "1"} == dict.fromkeys(
        ("emotion", "validation", "helpfulness", "safety", "overall"), "1"
    )
    tick.click()
    assert person.answers() == {}
    person.press("3", "4", "2", "3", "4")
    own = person.answers()
    tick.click()
    assert person.answers()["emotion"] == "1"
    tick.click()
    assert person.answers() == own, "a tick by mistake costs no answer"


def test_a_more_specific_goal_that_is_done_makes_the_general_one_done(at: Any, lives: dict[str, Live]) -> None:
    person = at("in-car")
    page: Page = person.page
    for number in range(1, 17):
        if page.locator("fieldset.yes_no", has_text="safe for a nut allergy").count():
            break
        judged_here = page.locator("fieldset.question:not([data-optional])").count()
        person.press(*["1"] * judged_here, "Enter")
        person.at_item(number + 1)
    page.locator("fieldset.yes_no", has_text="safe for a nut allergy").locator("label").nth(1).click()
    general = page.locator("fieldset.yes_no", has_text="Find a place to eat near the charger")
    expect(general.locator("input[value='1']")).to_be_checked()
    expect(general.locator("input[value='0']")).to_be_disabled()


def test_the_reference_answer_comes_after_the_process_scores_and_not_before(at: Any) -> None:
    person = at("trajectories")
    page: Page = person.page
    reference = 'section.text:not(.waiting):has-text("Reference answer")'
    expect(page.locator(".waiting")).to_contain_text("Reference answer")
    person.press("2", "2", "2", "2", "2")
    expect(page.locator("#status")).to_have_text("Saved")
    assert page.locator(reference).count() == 0
    person.press("2")
    expect(page.locator(".revealed")).to_contain_text("Reference answer")
    page.reload()
    person.ready()
    assert page.locator(reference).count() == 1, "what was shown stays shown"


def test_correctness_cannot_be_answered_before_the_reference_is_here(at: Any) -> None:
    person = at("trajectories")
    page: Page = person.page
    held: list[Route] = []
    person.intercept("**/reveal/**", lambda route: held.append(route))
    expect(page.locator("#q-correctness\\.left input").first).to_be_disabled()
    person.press("2", "2", "2", "2", "2", "2")
    expect(page.locator("fieldset.active")).to_have_id("q-correctness.left")
    person.press("1", "1")
    page.locator("#q-correctness\\.left label").first.click(force=True)
    expect(page.locator("fieldset.active .waits")).to_have_text("Wait for “Reference answer”.")
    assert len(person.answers()) == 6
    person.press("Enter")
    assert not person.posts("submit")
    until(page, lambda: held)
    held[0].continue_()
    expect(page.locator(".revealed")).to_contain_text("Reference answer")
    page.locator("#heading").focus()
    page.locator("#q-correctness\\.left").click()
    person.press("1", "0")
    assert [person.answers()[f"correctness.{side}"] for side in ("left", "right")] == ["1", "0"]
    person.press("2", "2", "Enter")
    person.at_item(2)


@pytest.mark.layout
@pytest.mark.parametrize("size", [(1440, 900), (1366, 768)])
def test_a_question_that_waits_says_so_and_looks_closed_before_one_comes_to_it(at: Any, size: tuple[int, int]) -> None:
    person = at("trajectories", size)
    page: Page = person.page
    expect(page.locator("fieldset.active")).to_have_id("q-coherence.left")
    heights, colour = "each => each.offsetHeight", "each => getComputedStyle(each).color"
    open_ = page.locator("#q-thoroughness\\.left")
    rows = [page.locator(f"#q-correctness\\.{side}") for side in ("left", "right")]
    before = [row.evaluate(heights) for row in rows]
    for row in rows:
        expect(row.locator(".waits")).to_be_visible()
        expect(row.locator(".waits")).to_have_text("Wait for “Reference answer”.")
        assert row.locator("legend").evaluate(colour) != open_.locator("legend").evaluate(colour)
    person.press("2", "2", "2", "2", "2", "2")
    expect(page.locator(".revealed")).to_be_visible()
    expect(page.locator(".waits")).to_have_count(0)
    assert [row.evaluate(heights) for row in rows] == before, "its row keeps its height"
    assert page.locator("#q-correctness\\.right legend").evaluate(colour) == open_.locator("legend").evaluate(colour)


def test_on_a_phone_the_reference_and_the_answer_it_is_about_stand_by_the_question(at: Any) -> None:
    for _ in range(12):  # which item comes first is drawn by lot, and of two that are identical one is shown
        person = at("trajectories", PHONE)
        page: Page = person.page
        if page.locator(".side .answer .given").count() == 2:
            break
    again = page.locator(".seen-again")
    person.press("2", "2", "2")
    expect(again).to_be_hidden()
    person.press("2", "2", "2")
    reference = page.locator(".revealed .prose")
    for side in (0, 1):
        answer = page.locator(".side").nth(side).locator(".answer .given").inner_text()
        for _ in range(2):
            expect(again).to_be_in_viewport(ratio=1)
            expect(again).to_contain_text(reference.inner_text())
            expect(again).to_contain_text(answer)
            page.reload()
            person.ready()
            reference = page.locator("[data-before] .prose")
            open_sheet(page)
        person.press("1")
    expect(page.locator("fieldset.active")).to_have_id("q-preference")
    expect(again).to_be_hidden()


def test_a_step_in_focus_stands_out_on_the_picture(at: Any) -> None:
    person = at("trajectories")
    page: Page = person.page
    person.press("j")
    expect(page.locator("[data-place='A1']")).to_be_focused()
    expect(page.locator("[data-of-place='A1']").first).to_have_css("opacity", "1")
    expect(page.locator("[data-of-place='B1']").first).to_have_css("opacity", "0.12")


@pytest.mark.layout
@pytest.mark.parametrize("size", [(1440, 900), (1440, 700)])
def test_what_a_question_waits_for_is_said_in_full_and_its_row_keeps_its_height(at: Any, size: tuple[int, int]) -> None:
    person = at("trajectories")
    page: Page = person.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    person.intercept("**/reveal/**", lambda route: None)
    row = page.locator("#q-correctness\\.left")
    closed = row.evaluate("each => each.offsetHeight")
    person.press("2", "2", "2", "2", "2", "2")
    expect(row).to_have_class(re.compile(r"\bactive\b"))
    waits = row.locator(".waits")
    expect(waits).to_have_text("Wait for “Reference answer”.")
    cut = "each => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1"
    assert not waits.evaluate(cut)
    assert row.evaluate("each => each.offsetHeight") == closed
