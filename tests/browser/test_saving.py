"""What the page says of saving is true, and what was answered is not lost."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Live, NewContext, Person, until
from tests.web.annotator import edited

pytestmark = pytest.mark.browser

THREES = dict.fromkeys(["emotion", "validation", "helpfulness", "safety", "overall"], 3)


LISTEN = """() => {
  sessionStorage.said = "";
  const status = document.getElementById("status");
  new MutationObserver(() => { sessionStorage.said += status.textContent + "|"; }).observe(status, {childList: true});
}"""


def said(page: Page) -> list[str]:
    """What the status line has said since LISTEN, across pages."""
    return str(page.evaluate("sessionStorage.said")).split("|")


def held(person: Person, address: str) -> list[Route]:
    """Requests to an address, which wait until the test lets them go."""
    waiting: list[Route] = []
    person.intercept(address, lambda route: waiting.append(route))
    return waiting


def test_the_page_says_saved_only_after_the_server_has_answered(person: Person, page: Page) -> None:
    waiting = held(person, "**/draft/**")
    status = page.locator("#status")
    expect(status).to_have_text("")
    person.press("3")
    until(page, lambda: waiting)
    page.wait_for_timeout(200)
    expect(status).to_have_text("Saving…")
    waiting.pop().continue_()
    expect(status).to_have_text("Saved")

    typed = """text => {
      text.value = "a";
      text.dispatchEvent(new Event("input", {bubbles: true}));
      return document.getElementById("status").textContent;
    }"""
    assert page.locator("#judge textarea").evaluate(typed) == "Saving…", "at once"
    until(page, lambda: waiting)
    expect(status).to_have_text("Saving…")
    waiting.pop().continue_()
    expect(status).to_have_text("Saved")


def test_an_item_that_is_saved_is_announced_once_and_not_with_each_answer(person: Person, page: Page) -> None:
    page.evaluate("""() => {
      window.heard = [];
      const voice = document.getElementById("announced");
      new MutationObserver(() => { if (voice.textContent) window.heard.push(voice.textContent); })
        .observe(voice, { childList: true, characterData: true, subtree: true });
    }""")
    for number in (1, 2):
        person.at_item(number)
        for _ in range(5):
            person.press("3")
            expect(page.locator("#status")).to_have_text("Saved")
        person.press("Enter")
        person.arrived()
        expect(page.locator("#status")).to_have_text("Saved")
    assert page.evaluate("window.heard") == ["Saved", "Saved"]
    person.context.set_offline(True)
    person.press("3")
    until(page, lambda: page.evaluate("window.heard").count("Offline: 1 answer kept on this device") == 1)
    person.trouble.clear()


def test_a_slow_connection_is_said_and_nobody_waits_for_it(person: Person, page: Page) -> None:
    page.clock.install()
    page.reload()
    waiting = held(person, "**/draft/**")
    person.press("3")
    until(page, lambda: waiting)
    page.clock.fast_forward(7_000)
    expect(page.locator("#status")).to_have_text("Saving…")
    page.clock.fast_forward(2_000)
    expect(page.locator("#status")).to_have_text("Slow connection: your answers are kept on this device")
    waiting.pop().continue_()
    expect(page.locator("#status")).to_have_text("Saved")


def test_answers_given_while_a_save_is_under_way_are_saved_after_it(person: Person, page: Page) -> None:
    waiting = held(person, "**/draft/**")
    person.press("3")
    until(page, lambda: waiting)
    person.press("4", "2")
    page.wait_for_timeout(100)
    assert len(waiting) == 1, "one at a time"
    waiting.pop().continue_()
    until(page, lambda: waiting)
    expect(page.locator("#status")).to_have_text("Saving…")
    waiting.pop().continue_()
    expect(page.locator("#status")).to_have_text("Saved")
    page.unroute("**/draft/**")
    page.reload()
    person.ready()
    assert person.answers() == {"emotion": "3", "validation": "4", "helpfulness": "2"}


def test_a_reload_brings_back_the_answers_and_the_open_question(person: Person, page: Page) -> None:
    person.press("3", "5")
    page.get_by_label("Self-harm").check()
    page.locator("#judge textarea").fill("half a thought")
    expect(page.locator("#status")).to_have_text("Saved")
    before = person.answers()
    page.reload()
    person.ready()
    assert person.answers() == before == {
        "emotion": "3", "validation": "5", "edge": "crisis", "note": "half a thought"
    }  # fmt: skip
    expect(page.locator("#status")).to_have_text("Saved")
    expect(page.locator("fieldset.active")).to_have_id("q-helpfulness")


def test_another_device_shows_the_same_half_answers(live: Live, person: Person, new_context: NewContext) -> None:
    person.press("2", "3")
    person.page.locator("#judge textarea").fill("to be continued")
    expect(person.page.locator("#status")).to_have_text("Saved")
    elsewhere = Person(live, new_context((390, 844)), person.name)
    elsewhere.page.goto(live.link(person.name))
    elsewhere.page.get_by_role("button", name="Continue").click()
    elsewhere.ready()
    assert elsewhere.answers() == person.answers()
    assert elsewhere.page.locator("#judge").get_attribute("data-item") == person.page.locator("#judge").get_attribute(
        "data-item"
    )


def test_a_page_that_is_behind_another_says_so_and_overwrites_nothing(
    live: Live, person: Person, new_context: NewContext
) -> None:
    newer = Person(live, new_context(), person.name).begin()
    newer.press("2")
    expect(newer.page.locator("#status")).to_have_text("Saved")
    person.press("5")
    away = person.page.get_by_role("dialog")
    expect(away).to_contain_text("This item was changed in another window.")
    person.press("Escape", "4")
    expect(away).to_be_visible()
    newer.page.reload()
    newer.ready()
    assert newer.answers() == {"emotion": "2"}
    away.get_by_role("button", name="Continue here").click()
    person.ready()
    words = "Another device has changed this item, and its answers are shown."
    expect(person.page.get_by_role("alert")).to_contain_text(words)
    assert person.answers() == {"emotion": "2"}
    person.page.get_by_role("button", name="Use those of this device").click()
    assert person.answers() == {"emotion": "5"}, "and what was answered here is not lost"
    expect(person.page.locator("#status")).to_have_text("Saved")
    assert "409" in person.trouble.pop(), "the browser names the refusal, and nothing else"


def test_of_two_windows_the_older_stands_aside_until_work_goes_on_there(person: Person, page: Page) -> None:
    person.press("3")
    expect(page.locator("#status")).to_have_text("Saved")
    newer = person.context.new_page()
    newer.goto(page.url)
    expect(newer.locator("#judge input:checked")).to_have_count(1)
    away = page.get_by_role("dialog")
    expect(away).to_contain_text("open in another window")
    person.press("Escape", "4", "Escape")
    newer.keyboard.press("2")
    expect(newer.locator("#status")).to_have_text("Saved")
    away.get_by_role("button", name="Continue here").click()
    person.ready()
    expect(newer.get_by_role("dialog")).to_be_visible()
    assert person.answers() == {"emotion": "3", "validation": "2"}


def test_a_server_in_trouble_is_asked_again_until_the_item_is_stored_once(person: Person, page: Page) -> None:
    waiting = held(person, "**/submit/**")
    page.evaluate(LISTEN)
    person.press("3", "3", "3", "3", "3", "Enter")
    for _ in range(2):
        until(page, lambda: waiting)
        person.at_item(2)
        waiting.pop().fulfill(status=500, body="no")
        expect(page.locator("#status")).to_have_text("Not saved: retrying")
    until(page, lambda: waiting)
    assert person.stored() == []
    waiting.pop().continue_()
    expect(page.locator("#status")).to_have_text("Saved")
    assert person.stored() == [THREES]
    assert len(person.posts("submit")) == 3
    assert "Saved" not in said(page)[said(page).index("Not saved: retrying") : -2]
    assert [each for each in person.trouble if "500" not in each] == []
    person.trouble.clear()


def test_an_answer_that_was_lost_on_the_way_back_is_stored_once(person: Person, page: Page) -> None:
    lost = 0

    def lose(route: Route) -> None:
        nonlocal lost
        if lost == 0:
            lost += 1
            route.fetch()  # the server gets it; the page never hears of it
            route.abort()
        else:
            route.continue_()

    person.intercept("**/submit/**", lose)
    person.press("3", "3", "3", "3", "3", "Enter")
    person.at_item(2)
    until(page, lambda: len(person.posts("submit")) == 2)
    expect(page.locator("#status")).to_have_text("Saved")
    assert lost == 1
    assert person.stored() == [THREES]
    person.trouble.clear()


def test_drafts_are_tried_again_when_the_network_is_gone(person: Person, page: Page) -> None:
    person.context.set_offline(True)
    person.press("4")
    expect(page.locator("#status")).to_have_text("Offline: 1 answer kept on this device")
    person.press("2")
    person.context.set_offline(False)
    expect(page.locator("#status")).to_have_text("Saved")
    page.reload()
    person.ready()
    assert person.answers() == {"emotion": "4", "validation": "2"}
    person.trouble.clear()


def test_a_refusal_by_the_server_shows_the_same_alert_and_keeps_every_answer(person: Person, page: Page) -> None:
    person.intercept(
        "**/submit/**", lambda route: route.fulfill(status=422, json={"reasons": {"safety": "Look again."}})
    )
    person.press("3", "3", "3", "3", "3", "Enter")
    expect(page.get_by_role("alert")).to_contain_text("Safety and boundaries: Look again.")
    expect(page.locator("#q-safety .error")).to_have_text("Look again.")
    assert person.answers() == dict.fromkeys(THREES, "3")
    page.unroute("**/submit/**")
    person.press("2", "Enter")
    person.at_item(2)
    assert person.arrived() == [{**THREES, "safety": 2}]
    person.trouble.clear()


def test_an_ended_session_says_what_to_do_and_the_answers_stay(person: Person, page: Page) -> None:
    person.press("3", "3", "3", "3", "3")
    expect(page.locator("#status")).to_have_text("Saved")
    cookies = person.context.cookies()
    person.context.clear_cookies()
    person.press("Enter")
    expect(page.locator("#status")).to_have_text("Session ended: your answers are kept on this device")
    card = page.get_by_role("dialog", name="Your session has ended")
    expect(card).to_contain_text("Your answers are kept on this device")
    page.wait_for_timeout(1200)
    card.get_by_role("button", name="Stay here").click()
    elsewhere = person.context.new_page()
    elsewhere.goto(page.url)
    expect(elsewhere.locator("#kept")).to_have_text(
        "One judged item is kept on this device. It is sent when you open your link in this browser."
    )
    elsewhere.close()
    expect(card).to_be_hidden()
    assert person.stored() == []
    person.context.add_cookies([{"name": c["name"], "value": c["value"], "url": person.live.address} for c in cookies])
    expect(page.locator("#status")).to_have_text("Saved")
    person.at_item(2)
    assert person.stored() == [THREES]
    person.trouble.clear()


def test_an_item_submitted_elsewhere_leads_on_to_the_current_one(
    live: Live, person: Person, new_context: NewContext
) -> None:
    other = Person(live, new_context(), person.name).begin()
    other.press("2", "2", "2", "2", "2", "Enter")
    other.at_item(2)
    until(other.page, other.stored)
    person.press("3")
    away = person.page.get_by_role("dialog")
    expect(away).to_contain_text("already submitted")
    away.get_by_role("button", name="Continue here").click()
    person.at_item(2)
    assert person.arrived() == [dict.fromkeys(THREES, 2)]
    person.trouble.clear()


@pytest.mark.parametrize("way", ["reload", "back", "old address"])
def test_only_the_current_item_is_ever_shown(person: Person, page: Page, way: str) -> None:
    first = page.locator("#judge").get_attribute("data-item")
    person.press("3", "3", "3", "3", "3", "Enter")
    person.at_item(2)
    until(page, person.stored)
    current = page.locator("#judge").get_attribute("data-item")
    assert current != first
    if way == "reload":
        page.reload()
    elif way == "old address":
        page.goto(f"{person.live.address}/judge/empathy?item=1#q-emotion")
    else:
        page.goto(f"{person.live.address}/judge/empathy/guide")
        page.goto(f"{person.live.address}/judge/empathy/support")
        for _ in range(2):
            page.go_back()
    person.at_item(2)
    assert page.locator("#judge").get_attribute("data-item") == current
    assert person.chosen() == 0
    person.press("4", "4", "4", "4", "4", "Enter")
    person.at_item(3)
    until(page, lambda: len(person.stored()) == 2)
    assert person.stored() == [THREES, dict.fromkeys(THREES, 4)]


def test_what_was_computed_stands_beside_saved_until_the_next_item_is_answered(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    def edit(folder: Path) -> None:
        edited(study="computed", per_item="1000")(folder)
        file = folder / "study.yaml"
        mean = "derive: [{derived: mean, show: after_submit, weighted_mean: {of: {emotion: 0.5, safety: 0.5}}}]\n"
        file.write_text(file.read_text("utf-8") + mean, "utf-8")

    person = Person(live.add(tmp_path / "study", edit), new_context(), "reckoner").begin()
    person.press("3", "3", "3", "3", "3", "Enter")
    person.at_item(2)
    status, heard = person.page.locator("#status"), person.page.locator("#announced")
    expect(status).to_have_text("Saved: Mean 3.00")
    expect(heard).to_have_text("Saved: Mean 3.00")
    person.press("4")
    expect(status).to_have_text("Saved")
    person.page.close()
