"""The card of a break comes between two items, exactly when the study says so, and a limit ends the work calmly."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from assay.store.tables import assignment, break_, submission
from tests.browser.conftest import DESKTOP, PHONE, Live, NewContext, Person, digits, until
from tests.browser.test_earlier_items import own
from tests.browser.test_pages import RULES, violations
from tests.web.annotator import change, edited, with_items
from tests.web.test_pace import with_pace

pytestmark = pytest.mark.browser

MINUTE_MS = 60_000
Begin = Callable[..., Person]


@pytest.fixture
def begin(live: Live, new_context: NewContext, tmp_path: Path) -> Iterator[Begin]:
    """Somebody at the first item of a study with another pace; whatever the browser complains about fails the test."""
    people: list[Person] = []

    def make(*lines: str, template: str = "empathy", size: tuple[int, int] = DESKTOP, **settings: Any) -> Person:
        name = re.sub(r"\W", "", tmp_path.name)[-20:].lower()

        def edit(folder: Path) -> None:
            with_pace(*lines)(folder)
            file = folder / "study.yaml"
            text = re.sub(r"^study: .*$", f"study: paced-{name}", file.read_text("utf-8"), flags=re.M)
            file.write_text(re.sub(r"per_item: \d+", "per_item: 1000", text), "utf-8")

        study = live.add(tmp_path / "study", edit, template)
        context = new_context(size, **settings)
        people.append(Person(study, context, next(live.names)).begin())
        return people[-1]

    yield make
    for person in people:
        assert person.trouble == []


def card(page: Page) -> Any:
    return page.locator("dialog#rest[open]")


def judge(person: Person, number: int) -> None:
    """Judge the item that is open, which is this one."""
    person.at_item(number)
    expect(card(person.page)).to_have_count(0)
    person.press(*digits(person), "Enter")


def work_for(person: Person, minutes: int) -> None:
    """Be active for so long, by a clock that is turned forward."""
    for _ in range(minutes * 2):
        person.page.clock.run_for(MINUTE_MS // 2)
        person.press("Shift")


def test_the_card_comes_after_each_batch_and_no_other_right_after_it_and_a_reload_changes_nothing(begin: Begin) -> None:
    breaks = "breaks: [{after_items: 5, minutes: 2}, {between_batches: true, minutes: 10}]"
    person = begin(breaks, "ask_at_break: [Do I use all three values?]", template="in-car")
    page = person.page
    hint = page.locator("#pace")
    for number in range(1, 5):
        person.at_item(number)
        expect(hint).to_have_text(f"Break in {5 - number} items" if number < 4 else "Break after this item")
        judge(person, number)
    expect(card(page)).to_contain_text("Batch 1 of 4 is finished")
    expect(card(page)).to_contain_text("Take about 10 minutes")
    person.press("Escape")
    person.at_item(5)
    expect(hint).to_have_text("Break in 4 items")  # no second card right after the first
    judge(person, 5)
    judge(person, 6)
    judge(person, 7)
    person.at_item(8)
    person.arrived()
    page.reload()
    expect(hint).to_have_text("Break after this item")
    judge(person, 8)
    expect(card(page)).to_contain_text("Batch 2 of 4 is finished")
    assert page.evaluate("document.activeElement.textContent") == "Go on"
    person.press("Enter")
    person.at_item(9)
    assert page.evaluate("document.activeElement.id") == "heading"
    person.arrived()
    assert [each["ended_at"] >= each["started_at"] for each in own(person, break_)] == [True] * 2


def test_an_answer_that_is_delivered_at_the_moment_of_a_reload_is_counted_once(begin: Begin) -> None:
    """The server has it, and the page goes before it knows: the next page finds it on the device all the same."""
    person = begin("breaks: [{after_items: 5, minutes: 2}]")
    page = person.page
    judge(person, 1)
    person.arrived()
    stored: list[int] = []

    def store_without_a_word(route: Route) -> None:
        if stored:
            route.continue_()  # once more, from the next page
        else:
            stored.append(route.fetch().status)

    page.route("**/submit/*", store_without_a_word)
    judge(person, 2)
    until(page, lambda: stored == [200])
    page.evaluate("window.assay.outbox.quiet = true")
    page.reload()
    assert len(person.arrived()) == 2
    person.at_item(3)
    expect(page.locator("#pace")).to_have_text("Break in 3 items")
    for number in (3, 4, 5):
        judge(person, number)
    expect(card(page)).to_contain_text("Take about 2 minutes")


def test_the_card_comes_after_so_many_items_and_a_batch_that_ends_right_after_it_has_none(begin: Begin) -> None:
    breaks = "breaks: [{after_items: 3, minutes: 2}, {between_batches: true, minutes: 10}]"
    person = begin(breaks, "ask_at_break: [Do I use all three values?]", template="in-car")
    page = person.page
    judge(person, 1)
    judge(person, 2)
    person.at_item(3)
    expect(page.locator("#pace")).to_have_text("Break after this item")
    person.press(*digits(person))
    for _ in range(4):
        page.keyboard.down("Enter")
    expect(card(page)).to_contain_text("Time for a break")
    expect(card(page)).to_contain_text("3 items of 16 are done. 13 are left.")
    expect(card(page)).to_contain_text("Take about 2 minutes")
    expect(card(page)).to_contain_text("Do I use all three values?")
    expect(page.locator("#judge")).to_have_count(0)  # there is no item behind it
    page.keyboard.up("Enter")
    person.arrived()  # what is on its way at a reload is sent again by the next page, beside what is pressed there
    assert [len(own(person, each)) for each in (break_, submission)] == [1, 3]
    page.reload()
    expect(page.locator("h1")).to_have_text("Take your time")
    person.press("Escape")
    judge(person, 4)
    person.at_item(5)  # the batch was over with item 4
    assert person.chosen() == 0
    person.arrived()
    page.reload()
    person.at_item(5)
    expect(page.locator("#pace")).to_have_text("Break in 2 items")


def test_without_a_connection_the_card_comes_too_and_is_counted_when_there_is_one(begin: Begin) -> None:
    person = begin("breaks: [{after_items: 3, minutes: 5}]")
    page = person.page
    until(page, lambda: page.evaluate("window.assay.readyItems.items.length") > 6)
    person.context.set_offline(True)
    for number in (1, 2, 3):
        judge(person, number)
    expect(card(page)).to_contain_text("Time for a break")
    person.press("Escape")
    judge(person, 4)
    person.at_item(5)
    assert own(person, submission) == []
    person.context.set_offline(False)
    person.arrived()
    [taken] = own(person, break_)
    third, fourth = sorted(own(person, submission), key=lambda row: row["shown_at"])[2:]
    assert third["shown_at"] < taken["started_at"] <= taken["ended_at"]
    assert taken["started_at"] < fourth["submitted_at"]
    person.open()
    # All of it arrived within a moment: by the server's clock the item in hand may lie before the break or after it.
    expect(page.locator("#pace")).to_have_text(re.compile("Break in [23] items"))
    person.trouble.clear()


def test_each_kind_of_break_counts_for_itself_and_half_an_hour_is_one_of_active_time(begin: Begin) -> None:
    person = begin("breaks: [{after_items: 2, minutes: 2}, {after_minutes: 30, minutes: 10}]")
    page = person.page
    page.clock.install()
    person.open()
    for number in (1, 2):
        person.at_item(number)
        work_for(person, 10)
        judge(person, number)
    expect(card(page)).to_contain_text("Take about 2 minutes")
    person.press("Escape")
    person.at_item(3)
    page.clock.run_for(5 * MINUTE_MS)  # nobody does anything: one minute of it counts
    person.press("Shift")
    work_for(person, 8)
    judge(person, 3)
    person.at_item(4)
    expect(page.locator("#pace")).to_have_text("Break after this item")
    work_for(person, 1)
    judge(person, 4)
    expect(card(page)).to_contain_text("Take about 10 minutes")
    person.press("Enter")
    person.at_item(5)
    expect(page.locator("#pace")).to_have_text("Break in 2 items")


def test_what_was_seen_of_the_page_survives_a_reload_and_is_sent_only_where_it_is_wanted(begin: Begin) -> None:
    person = begin("events: true")
    page = person.page
    page.evaluate("dispatchEvent(new Event('blur'))")
    page.evaluate("dispatchEvent(new Event('focus'))")
    page.evaluate("dispatchEvent(new Event('paste'))")
    page.reload()
    person.at_item(1)
    judge(person, 1)
    person.at_item(2)
    person.arrived()
    [kept] = [row["events"] for row in own(person, submission)]
    seen = page.evaluate("text => JSON.parse(text)", kept)
    assert [what for _, what in seen][:4] == ["visible", "focus", "blur", "focus"]
    assert "paste" not in kept, "no monitor of this study asks for it"
    assert [what for _, what in seen][-3:-1] == ["visible", "focus"], "as the page came back"
    assert re.fullmatch(r"with:5/\d/wide", seen[-1][1]), "five answers by key, on a wide page"
    assert seen == sorted(seen, key=lambda each: each[0])
    assert page.evaluate("Object.keys(sessionStorage).filter(key => key.startsWith('active-')).length") == 0


def test_a_page_that_is_not_to_watch_does_not(begin: Begin) -> None:
    person = begin("events: false")
    judge(person, 1)
    person.at_item(2)
    person.arrived()
    assert "events" not in (person.posts("submit")[0].post_data or "")
    person.page.reload()
    person.ready()
    assert "visible" not in person.page.evaluate("JSON.stringify({...sessionStorage})")


def test_the_last_page_says_how_much_it_was_and_what_happens_next(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    def edit(folder: Path) -> None:
        edited(study="ending", per_item="1000")(folder)
        with_items(2)(folder)

    person = Person(live.add(tmp_path / "study", edit), new_context(), next(live.names)).begin()
    page = person.page
    page.clock.install()
    person.open()
    # By the server's clock no minutes pass: what it was given longer ago it may have worked at for so long.
    for each in own(person, assignment):
        earlier = each["created_at"] - 10 * MINUTE_MS
        change(person.live.store, assignment, assignment.c.id == each["id"], created_at=earlier)
    for number in (1, 2):
        person.at_item(number)
        work_for(person, 3)
        person.press(*digits(person), "Enter")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    expect(page.locator(".tally dd")).to_have_text(["2 of 2", "6"])
    expect(page.locator(".tally dt").last).to_have_text("minutes of work")
    assert [round(each["active_ms"] / MINUTE_MS) for each in own(person, submission)] == [3, 3]
    expect(page.get_by_role("heading", name="What happens next")).to_be_visible()
    expect(page.locator("#code")).to_have_count(0)


@pytest.mark.parametrize(
    ("size", "theme"), [pytest.param(DESKTOP, "dark", marks=pytest.mark.thorough("at a desk too")), (PHONE, "light")]
)
def test_the_card_and_the_page_at_the_limit_can_be_used_by_everybody(
    begin: Begin, size: tuple[int, int], theme: str
) -> None:
    study = ("breaks: [{after_items: 1}]", "session_minutes: 1", "ask_at_break: [Why?]")
    # The page's own policy forbids the checker's script.
    person = begin(*study, size=size, color_scheme=theme, bypass_csp=True, reduced_motion="reduce")
    page = person.page
    judge(person, 1)
    expect(card(page)).to_be_visible()
    assert violations(page, RULES) == []
    person.arrived()
    page.reload()
    expect(page.locator("h1")).to_have_text("Take your time")
    assert violations(page, RULES) == []
    page.get_by_role("button", name="Go on", exact=True).click()
    person.at_item(2)
    [first] = own(person, submission)
    change(person.live.store, submission, submission.c.id == first["id"], active_ms=MINUTE_MS)
    judge(person, 2)
    person.press("Escape")
    expect(page.locator("h1").first).to_have_text("Enough for this session")
    expect(page.locator("time")).to_be_visible()
    assert violations(page, RULES) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert len(own(person, submission)) == 2
