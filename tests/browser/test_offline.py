"""Without a connection work goes on, and everything arrives once and in order."""

import contextlib
import os
import signal
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Error, Page, Playwright, Route, expect
from sqlalchemy import insert
from tools.browser import QUIET, system_browser

from assay.store.tables import annotator, submission
from assay.store.tables import person as people_table
from tests.browser.conftest import Live, NewContext, Person, until
from tests.web.annotator import change, rows, submissions

pytestmark = pytest.mark.browser

SCALES = ["emotion", "validation", "helpfulness", "safety", "overall"]


def all_of(value: int) -> dict[str, int]:
    return dict.fromkeys(SCALES, value)


def ready(page: Page, count: int = 20) -> None:
    """Wait until so many items are kept ready."""
    until(page, lambda: page.evaluate("window.assay?.readyItems.items.length") >= count)


def test_items_judged_offline_arrive_once_each_and_in_order(person: Person, page: Page) -> None:
    ready(page)
    person.context.set_offline(True)
    for number, key in enumerate("234", 1):
        person.at_item(number)
        person.press(*[key] * 5, "Enter")
        expect(page.locator("#status")).to_have_text(
            f"Offline: {number} answer{'s' if number > 1 else ''} kept on this device"
        )
    person.at_item(4)
    person.press("3")
    expect(page.locator("#status")).to_have_text("Offline: 4 answers kept on this device")
    assert person.stored() == []
    person.context.set_offline(False)
    expect(page.locator("#status")).to_have_text("Saved")
    assert person.stored() == [all_of(2), all_of(3), all_of(4)]
    person.at_item(4)
    assert person.answers() == {"emotion": "3"}, "nobody was interrupted"
    person.trouble.clear()


def test_what_was_kept_under_a_name_arrives_after_a_pseudonym_was_drawn(person: Person, page: Page) -> None:
    """As on a device that kept answers while the server was brought up to a version that draws pseudonyms."""
    ready(page)
    page.route("**/submit/**", lambda route: route.abort())
    person.press(*"33333", "Enter")
    expect(page.locator("#status")).to_contain_text("kept on this device")
    [mine] = [row for row in rows(person.live.store, annotator) if row["name"] == person.name]
    drawn = f"p-{person.name}"
    change(person.live.store, annotator, annotator.c.id == mine["id"], name=drawn)
    apart = {"annotator_id": mine["id"], "study_id": mine["study_id"], "name": person.name}
    person.live.store.write(lambda connection: connection.execute(insert(people_table).values(apart)))
    page.unroute("**/submit/**")
    page.reload()
    expect(page.locator("form#judge")).to_have_attribute("data-who", drawn)
    until(page, lambda: len(submissions(person.live.store, drawn)) == 1)
    person.trouble.clear()


def test_twenty_items_can_be_judged_offline_and_then_the_page_says_so(person: Person, page: Page) -> None:
    ready(page)
    person.context.set_offline(True)
    for number in range(1, 22):
        person.at_item(number)
        person.press(*"33333", "Enter")
    expect(page.locator(".loading")).to_contain_text("kept here and sent when you are online")
    assert person.stored() == []
    person.context.set_offline(False)
    person.at_item(22)
    assert len(person.stored()) == 21
    person.trouble.clear()


def test_what_was_judged_offline_survives_a_killed_browser(live: Live, playwright: Playwright, tmp_path: Path) -> None:
    person = one_who_can_be_killed(live, playwright, tmp_path)
    page = person.page
    ready(page)
    person.context.set_offline(True)
    for key in "234":
        person.press(*[key] * 5, "Enter")
    person.press("4", "2")
    expect(page.locator("#status")).to_have_text("Offline: 4 answers kept on this device")
    page.wait_for_timeout(300)
    kill(tmp_path)
    again = one_who_can_be_killed(live, playwright, tmp_path, person.name)
    again.at_item(4)
    expect(again.page.locator("#status")).to_have_text("Saved")
    assert again.stored() == [all_of(2), all_of(3), all_of(4)]
    assert again.answers() == {"emotion": "4", "validation": "2"}, "the half-finished one too"
    order = [row["submitted_at"] for row in rows(live.store, submission) if row["annotator_id"] == mine(live, again)]
    assert order == sorted(order)
    again.context.close()


def test_an_item_that_the_server_refuses_comes_back_and_the_later_ones_wait(person: Person, page: Page) -> None:
    ready(page)
    refused = 0

    def refuse(route: Route) -> None:
        nonlocal refused
        refused += 1
        route.fulfill(status=422, json={"reasons": {"safety": "Look again."}}) if refused == 1 else route.continue_()

    person.context.set_offline(True)
    for key in "234":
        person.press(*[key] * 5, "Enter")
    person.press("2")
    page.route("**/submit/**", refuse)
    person.context.set_offline(False)
    person.at_item(1)
    expect(page.get_by_role("alert")).to_contain_text("Safety and boundaries: Look again.")
    assert person.answers() == dict.fromkeys(SCALES, "2")
    page.wait_for_timeout(300)
    assert (refused, person.stored()) == (1, []), "the others wait"
    expect(page.locator("#status")).to_have_text("Not submitted: please look at this item again")
    person.press("4", "Enter")
    person.at_item(4)
    assert person.stored() == [{**all_of(2), "safety": 4}, all_of(3), all_of(4)]
    assert person.answers() == {"emotion": "2"}
    person.trouble.clear()


def test_answers_that_come_too_late_are_dropped_with_a_word_and_the_rest_goes_on(
    live: Live, person: Person, page: Page, new_context: NewContext
) -> None:
    ready(page)
    person.context.set_offline(True)
    for key in "23":
        person.press(*[key] * 5, "Enter")
    other = Person(live, new_context(), person.name).begin()
    other.press(*"44444", "Enter")
    other.at_item(2)
    assert other.arrived() == [all_of(4)]
    person.context.set_offline(False)
    expect(page.get_by_role("alert")).to_contain_text("Item 1: This item was already submitted with other answers.")
    assert person.arrived() == [all_of(4), all_of(3)], "the first submission counts, and nothing is stored twice"
    person.at_item(3)
    person.trouble.clear()


def test_a_refusal_that_nobody_can_mend_sends_nobody_round_in_circles(person: Person, page: Page) -> None:
    ready(page)
    page.route("**/submit/**", lambda route: route.fulfill(status=400, json={"error": "Not understood.", "code": "x"}))
    person.press(*"33333", "Enter")
    expect(page.locator("#status")).to_have_text("Not submitted: please look at this item again")
    page.wait_for_timeout(500)
    assert len([each for each in person.sent if each.is_navigation_request()]) <= 3
    page.unroute("**/submit/**")
    page.reload()
    person.at_item(2)
    assert person.arrived() == [all_of(3)]
    person.trouble.clear()


def test_an_item_declined_and_a_problem_reported_offline_arrive_too(person: Person, page: Page) -> None:
    ready(page)
    person.context.set_offline(True)
    person.press("f")
    page.get_by_label("Is something wrong").fill("It breaks off.")
    page.get_by_role("button", name="Report and leave it out").click()
    person.at_item(2)
    person.press(*"33333", "Enter")
    person.context.set_offline(False)
    expect(page.locator("#status")).to_have_text("Saved")
    assert person.stored() == [all_of(3)]
    person.trouble.clear()


def test_the_next_item_is_there_at_once_with_its_heading_in_focus(person: Person, page: Page) -> None:
    ready(page)
    page.evaluate("""() => {
      document.getElementById("content").scrollTop = 40;
      addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        const began = performance.now();
        new MutationObserver((_, seen) => {
          if (document.getElementById("heading")?.textContent.includes("Item 2 of")) {
            seen.disconnect();
            requestAnimationFrame(() => setTimeout(() => { window.took = performance.now() - began; }));
          }
        }).observe(document.getElementById("main"), { childList: true });
      }, { capture: true });
    }""")
    person.press(*"33333", "Enter")
    until(page, lambda: page.evaluate("window.took"))
    assert page.evaluate("document.activeElement.id") == "heading"
    assert page.evaluate("document.getElementById('content').scrollTop") == 0
    assert page.evaluate("document.getElementById('questions').scrollTop") == 0
    assert len([each for each in person.sent if each.is_navigation_request()]) == 1, "no new page"


@pytest.mark.parametrize("secure", [True, False])
def test_a_reload_without_a_connection_says_so_where_a_browser_can_keep_a_page(
    live: Live, new_context: NewContext, secure: bool
) -> None:
    context = new_context(service_workers="allow")
    if not secure:  # as a page under plain http sees its browser
        context.add_init_script("delete Navigator.prototype.serviceWorker; delete window.caches")
    person = Person(live, context).begin()
    page = person.page
    if not secure:
        until(page, lambda: page.evaluate("window.assay?.texts.size") > 0)
        page.locator("#q-emotion .option").first.click()
        asked: list[str] = []
        page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
        context.set_offline(True)
        with contextlib.suppress(Error):
            page.reload(timeout=3000)
        assert asked == ["beforeunload"], "nobody loses the page without being asked"
        return
    until(page, lambda: page.evaluate("navigator.serviceWorker.controller !== null"))
    person.press(*"33333", "Enter")
    person.at_item(2)
    person.arrived()
    until(page, lambda: len(page.evaluate(KEPT)) == 4)
    kept = page.evaluate(KEPT)
    assert sorted(urlsplit(each).path for each in kept) == [
        "/judge/empathy/offline", "/static/assay.css", "/static/icon.svg", "/static/offline_retry.js"
    ]  # fmt: skip
    assert not [text for text in kept.values() if "reply" in text or person.name in text], "nothing of an item"
    context.set_offline(True)
    person.press("4")
    expect(page.locator("#status")).to_contain_text("on this device")  # a reload before that loses the digit
    page.reload()
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.get_by_text("Your answers are kept on this device")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).margin") == "0px", "it has its style"
    context.set_offline(False)
    person.at_item(2)
    # What is kept on the device is put into the form after the page is there.
    until(page, lambda: person.answers() == {"emotion": "4"})


KEPT = """async () => {
  const kept = await caches.open("assay-offline");
  const texts = (await kept.keys()).map(async each => [each.url, await (await kept.match(each)).text()]);
  return Object.fromEntries(await Promise.all(texts));
}"""


def one_who_can_be_killed(live: Live, playwright: Playwright, folder: Path, name: str = "") -> Person:
    context = playwright.chromium.launch_persistent_context(
        str(folder),
        executable_path=system_browser(),
        args=QUIET,
        viewport={"width": 1440, "height": 900},
        service_workers="block",
    )
    return Person(live, context, name).begin()


def kill(folder: Path) -> None:
    """End every process of the browser with this profile, at once."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if f"--user-data-dir={folder}".encode() in command:
            os.kill(int(process.name), signal.SIGKILL)


def mine(live: Live, person: Person) -> Any:
    from assay.store.tables import annotator

    return next(row["id"] for row in rows(live.store, annotator) if row["name"] == person.name)
