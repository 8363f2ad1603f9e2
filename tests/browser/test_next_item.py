"""Going on from item to item: the page stays, also where something of an item is shown only after some answers."""

from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, Route, expect

from tests.browser.conftest import Person, answer_rest, until
from tests.selection import first_of

pytestmark = pytest.mark.browser


def finish(person: Person) -> None:
    """Answer what is open of the item at hand, and submit it."""
    answer_rest(person)
    person.press("Enter")


def test_a_whole_run_with_a_later_block_is_one_page_and_loses_no_digit(at: Any) -> None:
    person: Person = at("trajectories")
    page: Page = person.page
    total = int(page.locator("#judge").get_attribute("data-total") or 0)
    assert total > 10
    pages: list[str] = []
    page.on("framenavigated", lambda frame: pages.append(frame.url))
    for number in range(1, total + 1):
        person.at_item(number)
        expect(page.locator("#status")).to_have_text("" if number == 1 else "Saved")
        finish(person)
        if number < total:
            person.press("4", "5")
            assert list(person.answers().values()) == ["4", "5"], "typed before anybody could look"
    expect(page.locator("#state")).to_be_visible()
    assert len(pages) == 1, "the page at the end is the only other one"
    assert len(person.stored()) == total


def test_an_item_that_is_not_ready_comes_without_another_page(at: Any) -> None:
    person: Person = at("trajectories")
    page: Page = person.page
    asked: list[Route] = []

    def nothing_at_first(route: Route) -> None:
        asked.append(route)
        route.fulfill(json={"items": []}) if len(asked) == 1 else route.continue_()

    person.intercept("**/ahead", nothing_at_first)
    pages: list[str] = []
    page.on("framenavigated", lambda frame: pages.append(frame.url))
    until(page, lambda: asked)
    finish(person)
    person.at_item(2)
    assert pages == []


def test_the_first_item_waits_for_one_script(at: Any) -> None:
    person: Person = at("trajectories")
    asked = [each.url for each in person.sent if each.resource_type == "script"]
    assert [url.rsplit("/", 1)[1] for url in asked] == ["judging.whole.js"]


def test_what_the_first_item_waits_for_on_a_slow_line_is_no_more_than_it_needs(at: Any) -> None:
    person: Person = at("trajectories")
    kinds = ("document", "stylesheet", "script")
    took = dict.fromkeys(kinds, 0)
    for each in person.sent:
        if each.resource_type in kinds:
            took[each.resource_type] += each.sizes()["responseBodySize"]
    assert 0 < took["document"] <= 16_000
    assert 0 < took["stylesheet"] + took["script"] <= 56_000, "little more than a second of a line of 400 kbit/s"


def prepared(page: Page) -> None:
    """Wait until everything is done ahead for the next item: its pictures are loaded, and it is measured."""
    until(page, lambda: page.evaluate("Boolean(window.assay.readyItems.items[0]?.page)"))
    pictures = "[...window.assay.readyItems.items[0].page.querySelectorAll('img')]"
    until(page, lambda: page.evaluate(f"{pictures}.every(each => each.complete)"))
    # What was asked for before is done before; it leaves nothing on the page.
    page.evaluate("new Promise(done => requestIdleCallback(() => requestIdleCallback(done)))")


def work(session: CDPSession) -> tuple[int, int]:
    """How often the page was laid out, and how often its style was worked out."""
    found = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    return int(found["LayoutCount"]), int(found["RecalcStyleCount"])


@pytest.mark.layout
@pytest.mark.parametrize("template", first_of(["trajectories"], ["in-car"], "on other templates"))
def test_what_the_next_item_needs_is_done_while_the_one_before_is_read(at: Any, template: str) -> None:
    person: Person = at(template)
    page: Page = person.page
    session = person.context.new_cdp_session(page)
    session.send("Performance.enable")
    for number in (1, 2, 3):
        person.at_item(number)
        answer_rest(person)
        prepared(page)
        expect(page.locator("#judge")).to_have_count(1)
        page.evaluate("window.requestIdleCallback = () => 0")  # the one after it is not counted
        layouts, styles = work(session)
        person.press("Enter")
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        after = work(session)
        assert after[0] - layouts <= 7, "the page is laid out once, and what comes after it is little"
        assert after[1] - styles <= 11
        # Set as it would have been if it had been measured when it was shown.
        person.at_item(number + 1)
        shown = page.evaluate("({ ...document.getElementById('judge').dataset })")
        person.arrived()
        person.open()
        anew = page.evaluate("({ ...document.getElementById('judge').dataset })")
        assert [anew.get(name) for name in ("item", "rows", "text")] == [
            shown.get(name) for name in ("item", "rows", "text")
        ]


SIGNS = "[...document.querySelectorAll('.marks .sign')].map(each => each.getAttribute('transform'))"
# Without the word that there is more below.
HELP = """[...document.querySelectorAll('.decide')].map(each =>
  [...each.childNodes].filter(part => part.className !== "more").map(part => part.textContent).join(""))"""


@pytest.mark.layout
def test_labels_have_their_places_before_the_item_is_shown(at: Any) -> None:
    person: Person = at("trajectories")
    page: Page = person.page
    moved = "new MutationObserver(seen => { window.moved += seen.length; })"
    told = "{ subtree: true, attributeFilter: ['transform'] }"
    for number in (1, 2, 3):
        person.at_item(number)
        answer_rest(person)
        prepared(page)
        page.evaluate("window.requestIdleCallback = () => 0")  # the one after it is not counted
        page.evaluate(f"window.moved = 0; {moved}.observe(document.getElementById('main'), {told})")
        person.press("Enter")
        person.at_item(number + 1)
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate("window.moved") == 0, "nothing is laid out a second time for them"
        shown = page.evaluate(SIGNS)
        assert len(shown) > 1
        person.arrived()
        person.open()
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate(SIGNS) == shown, "where they would have been put on the page"


def test_help_that_is_folded_away_is_there_once_the_next_item_is_painted(at: Any) -> None:
    person: Person = at("trajectories")
    page: Page = person.page
    whole = page.evaluate(HELP)
    assert len(whole) > 1
    answer_rest(person)
    prepared(page)
    person.press("Enter", "r")
    person.at_item(2)
    expect(page.locator("fieldset.active .decide")).to_contain_text(whole[0], use_inner_text=False)
    assert page.evaluate(HELP) == whole


def test_answers_are_read_a_few_times_where_the_next_item_comes(at: Any) -> None:
    person: Person = at("trajectories")
    page: Page = person.page
    answer_rest(person)
    prepared(page)
    page.evaluate(
        """() => {
            const own = Element.prototype.querySelectorAll;
            window.reads = 0;
            window.requestIdleCallback = () => 0;  // what is done ahead for the one after it is not counted
            Element.prototype.querySelectorAll = function (asked) {
              if (asked === "[name]" && this.matches("fieldset.question")) window.reads += 1;
              return own.call(this, asked);
            };
        }"""
    )
    person.press("Enter")
    person.at_item(2)
    questions = page.locator("fieldset.question").count()
    assert questions < page.evaluate("window.reads") <= 6.5 * questions


@pytest.mark.layout
def test_of_what_answers_mean_only_the_open_questions_part_is_laid_out_and_nothing_moves(at: Any) -> None:
    person: Person = at("trajectories")
    page: Page = person.page
    for number in (1, 2):
        person.at_item(number)
        places = set()
        for _ in range(6):
            expect(page.locator(".rubric.on")).to_have_attribute(
                "data-dimension", page.locator("fieldset.active").get_attribute("data-dimension") or ""
            )
            shown = "[...document.querySelectorAll('.rubric')].filter(each => each.getClientRects().length).length"
            assert page.evaluate(shown) == 1
            parts = [page.locator(each).bounding_box() for each in (".sides", ".sided > .part", ".send")]
            places.add(tuple(part["y"] for part in parts if part))
            person.press("2")
        assert len(places) == 1, "the tallest part has kept its room"
        finish(person)
