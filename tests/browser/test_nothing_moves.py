"""Nothing moves from question to question, nor when what helps to decide is opened: what one reads stays in place."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Live, NewContext, Person
from tests.browser.test_layout import box, resize
from tests.selection import first_of

pytestmark = [pytest.mark.browser, pytest.mark.layout]

SIZES = ((1440, 900), (1366, 768), (1600, 900))
# Where each question stands and how high it is, once for each of them as the open one.
PLACES = """() => {
  const all = [...document.querySelectorAll("fieldset.question:not([hidden])")];
  return all.map(open => {
    open.focus();
    const place = each => {
      const box = each.getBoundingClientRect();
      return [each.id, box.top, box.height].join(" ");
    };
    return [open.classList.contains("active"), all.map(place).join("; ")];
  });
}"""
# Rows of digits that stand below their titles, and titles that are cut.
BROKEN = """() => [...document.querySelectorAll(".sides .question")].filter(each => {
  const [title, options] = [".title", ".options"].map(part => each.querySelector(part).getBoundingClientRect());
  return options.top >= title.bottom || title.width < 20;
}).map(each => each.id)"""


def words_in(language: str, name: str) -> Callable[[Path], None]:
    """A template in a language, under a name of its own."""

    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace(
            f"study: {name}\n", f"study: still-{language}-{name}\nlanguage: {language}\n"
        )
        file.write_text(text.replace("per_item: 2", "per_item: 1000").replace("per_item: 3", "per_item: 1000"), "utf-8")

    return edit


@pytest.mark.parametrize("name", ["trajectories", "dialog-pairs"])
@pytest.mark.parametrize("language", first_of(["en"], ["de"], "in the other language"))
def test_whichever_question_is_open_all_of_them_stay_in_place_also_beside_the_guidelines(
    live: Live, new_context: NewContext, tmp_path: Path, name: str, language: str
) -> None:
    study = live.add(tmp_path / "study", words_in(language, name), name)
    person = Person(study, new_context(), next(live.names)).begin()
    page = person.page
    for guide in (False, True):
        if guide:
            person.press("g")
            expect(page.locator("#drawer .guide").first).to_be_visible()
        for size in SIZES:
            resize(page, size)
            page.wait_for_timeout(100)
            found = page.evaluate(PLACES)
            assert all(opened for opened, _ in found)
            assert len({places for _, places in found}) == 1, (size, guide)
            assert page.evaluate(BROKEN) == [], (size, guide)


@pytest.mark.parametrize(("language", "words"), [("en", "Wait for"), ("de", "warten Sie")])
def test_beside_the_guidelines_what_a_question_waits_for_is_said_below_its_words(
    live: Live, new_context: NewContext, tmp_path: Path, language: str, words: str
) -> None:
    study = live.add(tmp_path / "study", words_in(language, "trajectories"), "trajectories")
    person = Person(study, new_context(), next(live.names)).begin()
    page = person.page
    person.press("g")
    expect(page.locator("#drawer .guide").first).to_be_visible()
    held = page.locator("fieldset[data-held]").first
    held.evaluate("each => each.focus()")
    said = held.locator(".waits")
    expect(said).to_contain_text(words)
    expect(said).to_be_visible()
    place = said.bounding_box()
    assert place
    rubric, sides, both = (box(page, each) for each in (".rubrics", ".sides", ".sided > .part"))
    assert rubric["x"] - 1 <= place["x"]
    assert place["x"] + place["width"] <= sides["x"]
    assert place["y"] + place["height"] <= both["y"] + 1
    last = page.locator(".rubric.on li").last.bounding_box()
    assert last
    assert last["y"] + last["height"] <= place["y"] + 1


# --- How to decide on one of many entries -----------------------------------------------------------------------------


def goal(page: Page, which: int) -> Any:
    goals = page.locator(".entries fieldset.in-columns")
    found = goals.nth(which % goals.count())
    found.evaluate("each => each.focus()")
    return found


@pytest.mark.parametrize("size", [(1440, 900), (1366, 768)])
def test_what_helps_to_decide_on_a_goal_moves_no_goal_and_covers_not_the_open_one(
    at: Any, size: tuple[int, int]
) -> None:
    person = at("in-car", size)
    page = person.page
    for which in (0, 1, -1):
        open_one = goal(page, which)
        expect(open_one).to_have_class("question yes_no one brief in-columns active")
        before = page.evaluate(PLACES.replace("open.focus();", ""))
        person.press("r")
        shown = page.locator(".entries .decide")
        expect(shown).to_be_visible()
        assert page.evaluate(PLACES.replace("open.focus();", "")) == before
        here, over = open_one.bounding_box(), shown.bounding_box()
        assert here
        assert over
        assert over["y"] >= here["y"] + here["height"] - 1 or over["y"] + over["height"] <= here["y"] + 1
        assert over["height"] > 120
        assert over["y"] >= box(page, "#questions")["y"]
        assert over["y"] + over["height"] <= box(page, ".send")["y"]
        person.press("r")
        expect(shown).to_be_hidden()


def test_what_helps_to_decide_goes_with_the_open_goal(at: Any) -> None:
    person = at("in-car")
    page = person.page
    first = goal(page, 0)
    person.press("r")
    shown = page.locator(".entries .decide")
    expect(shown).to_be_visible()
    person.press("1")
    expect(first).not_to_have_class("active")
    second = page.locator("fieldset.active")
    here, over = second.bounding_box(), shown.bounding_box()
    assert here
    assert over
    assert here["y"] + here["height"] <= over["y"] + 1
    assert over["y"] - here["y"] - here["height"] < 12


def test_low_in_the_panel_it_stands_above_the_goal(at: Any) -> None:
    person = at("in-car", (1440, 620))
    page = person.page
    last = goal(page, -1)
    last.scroll_into_view_if_needed()
    person.press("r")
    shown = page.locator(".entries .decide")
    expect(shown).to_be_visible()
    here, over = last.bounding_box(), shown.bounding_box()
    assert here
    assert over
    assert over["y"] + over["height"] <= here["y"] + 1
    assert over["y"] >= box(page, "#questions")["y"]
