"""How words stand on the annotator's page: what belongs together is near, and no line ends with one word alone."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import PHONE
from tests.browser.test_layout import box

pytestmark = [pytest.mark.browser, pytest.mark.layout]

LINES = """all => all.filter(each => each.checkVisibility()).map(each => {
  const range = document.createRange();
  range.selectNodeContents(each);
  const lines = new Map();
  for (const { top, left, right } of range.getClientRects()) {
    const [from, to] = lines.get(Math.round(top)) ?? [left, right];
    lines.set(Math.round(top), [Math.min(from, left), Math.max(to, right)]);
  }
  return [...lines.values()].map(([from, to]) => to - from);
})"""
"""How wide each line of some texts is."""


def lone_words(page: Page, selector: str) -> tuple[int, list[list[float]]]:
    """How many of some texts take several lines, and those whose last line is far shorter than the others."""
    several = [lines for lines in page.locator(selector).evaluate_all(LINES) if len(lines) > 1]
    return len(several), [lines for lines in several if lines[-1] < 0.4 * max(lines)]


def test_no_answer_on_two_lines_ends_with_one_word_alone(at: Any) -> None:
    person = at("empathy", PHONE, has_touch=True, is_mobile=True)
    page = person.page
    if page.locator(".sheet.open").count() == 0:
        page.locator(".handle [data-toggle]").tap()
    seen = 0
    for _ in range(5):
        several, lone = lone_words(page, "fieldset.active .option .anchor")
        assert lone == []
        seen += several
        page.locator(".handle button").last.tap()
    assert seen > 3


def test_no_goal_on_two_lines_ends_with_one_word_alone(at: Any) -> None:
    page = at("in-car").page
    page.locator(".entries .question legend").evaluate_all(
        "all => all.forEach(each => each.textContent = 'Find a charger with a plug before the long mountain pass')"
    )
    several, lone = lone_words(page, ".entries .question:not(.active) legend")
    assert several > 2
    assert lone == []


def test_what_is_counted_stands_nearer_to_its_score_than_to_the_one_above(at: Any) -> None:
    page = at("in-car").page
    words = {
        name: box(page, f"#q-{name} legend")
        for name in ("context_ambiguity_handling", "plan_findings", "plan_coherence")
    }
    above, counted, score = (words[name]["y"] + words[name]["height"] / 2 for name in words)
    assert score - counted < (counted - above) - 4


def test_what_is_asked_of_both_begins_where_what_is_asked_of_each_does(at: Any) -> None:
    page = at("trajectories").page
    lines = (".rubric.on", "#q-preference legend", ".told")
    assert max(box(page, each)["x"] for each in lines) - min(box(page, each)["x"] for each in lines) <= 1


def test_the_keys_below_the_count_of_answers_stand_clear_of_it(at: Any) -> None:
    page = at("route-planning").page
    assert box(page, ".hint:visible kbd")["y"] >= box(page, ".meter")["bottom"] - 0.5
