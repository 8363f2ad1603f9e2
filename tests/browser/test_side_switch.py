"""Both candidates on a phone: the sheet with the question leaves little in sight, a switch leads to either of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Live, NewContext, Person, open_sheet, until
from tests.browser.test_pages import AXE, RULES

pytestmark = [pytest.mark.browser, pytest.mark.layout]

# What of a side is between the upper edge of the window and the sheet, as a share of what could be.
SEEN = """side => {
  const [there, sheet] = [document.querySelectorAll(".side")[side], document.querySelector(".sheet")]
    .map(each => each.getBoundingClientRect());
  return (Math.min(there.bottom, sheet.top) - Math.max(there.top, 0)) / Math.min(there.height, sheet.top - 8);
}"""


def phone(at: Callable[..., Person], name: str) -> Person:
    person = at(name, PHONE, has_touch=True)
    open_sheet(person.page)
    return person


def in_sight(page: Page, side: int) -> None:
    until(page, lambda: page.evaluate(SEEN, side) > 0.85)


@pytest.mark.parametrize("name", ["dialog-pairs", "trajectories"])
def test_while_the_sheet_is_open_either_candidate_is_one_tap_away(at: Any, name: str) -> None:
    page = phone(at, name).page
    group = page.get_by_role("group", name="Show")
    question = page.locator("fieldset.active").get_attribute("id")
    for side in (1, 0, 1):
        group.get_by_role("button").nth(side).tap()
        in_sight(page, side)
    expect(page.locator("fieldset.active")).to_have_id(str(question))
    expect(page.locator(".sheet")).to_have_class("sheet open")


def test_a_question_about_one_side_brings_it_into_view(at: Any) -> None:
    person = phone(at, "trajectories")
    page = person.page
    page.get_by_role("group", name="Show").get_by_role("button").first.tap()
    in_sight(page, 0)
    for _ in range(3):
        page.locator(".handle [data-to='1']").tap()
    expect(page.locator(".handle .asked")).to_have_text("B: Coherence")
    in_sight(page, 1)
    page.locator(".handle [data-to='-1']").tap()
    expect(page.locator(".handle .asked")).to_have_text("A: Thoroughness")
    in_sight(page, 0)


def test_the_next_question_about_the_same_side_brings_it_back_into_view(at: Any) -> None:
    person = phone(at, "trajectories")
    page = person.page
    expect(page.locator(".handle .asked")).to_have_text("A: Coherence")
    page.get_by_role("group", name="Show").get_by_role("button").nth(1).tap()
    in_sight(page, 1)
    page.locator(".handle [data-to='1']").tap()
    expect(page.locator(".handle .asked")).not_to_have_text("A: Coherence")
    expect(page.locator(".handle .asked")).to_contain_text("A: ")
    in_sight(page, 0)


def test_a_question_about_both_moves_nothing(at: Any) -> None:
    person = phone(at, "trajectories")
    page = person.page
    for _ in range(8):
        page.locator(".handle [data-to='1']").tap()
    expect(page.locator(".handle .asked")).to_have_text("Preference")
    page.evaluate("scrollTo(0, 200)")  # not at the end of the page, which a higher sheet puts elsewhere
    before = page.evaluate("scrollY")
    page.locator(".handle [data-to='1']").tap()
    expect(page.locator(".handle .asked")).to_have_text("Confidence")
    assert page.evaluate("scrollY") == before


def test_at_a_desk_and_for_one_candidate_there_is_no_switch(at: Any) -> None:
    expect(at("dialog-pairs").page.locator(".to-sides")).to_be_hidden()
    expect(phone(at, "empathy").page.locator(".to-sides")).to_have_count(0)


def test_everybody_can_use_the_switch(at: Any) -> None:
    person = at("trajectories", PHONE, has_touch=True, bypass_csp=True, reduced_motion="reduce")
    page = person.page
    open_sheet(page)
    for button in page.locator(".to-sides button").all():
        place = button.bounding_box()
        assert place
        assert min(place["width"], place["height"]) >= 44
    page.evaluate(AXE)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate("rules => axe.run(document, {runOnly: rules})", RULES)
        assert [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found["violations"]] == [], (
            scheme
        )


def test_it_speaks_german(live: Live, new_context: NewContext, tmp_path: Path) -> None:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: dialog-pairs\n", "study: zwei-antworten\nlanguage: de\n")
        file.write_text(text, "utf-8")

    study = live.add(tmp_path / "study", edit, "dialog-pairs")
    page = Person(study, new_context(PHONE, has_touch=True), next(live.names)).begin().page
    open_sheet(page)
    group = page.get_by_role("group", name="Zeigen")
    expect(group.get_by_role("button")).to_have_text(["Links", "Rechts"])
