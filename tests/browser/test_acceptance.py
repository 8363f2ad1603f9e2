"""What every judging page must do, whatever the study: the same tests for each template."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Response, Route, expect

from assay.store import open_store
from tests.browser.conftest import PHONE, Live, NewContext, Person, answer_rest, digits, until
from tests.browser.test_pages import AXE, RULES
from tests.conftest import make_bench
from tests.selection import on_templates
from tests.servers import Server
from tests.web.test_pairs_pages import PLANT, Planter

pytestmark = pytest.mark.browser

MUST = "fieldset.question:not([data-optional])"
STORED = """async () => {
  const open = await new Promise(done => { const r = indexedDB.open("assay"); r.onsuccess = () => done(r.result); });
  const found = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
  for (const name of open.objectStoreNames) {
    const all = open.transaction(name).objectStore(name).getAll();
    found.push(JSON.stringify(await new Promise(done => { all.onsuccess = () => done(all.result); })));
  }
  return found.join("\\n");
}"""
# Whether what has the focus is framed: itself, or the option whose control it is.
RINGED = """() => {
  const at = document.activeElement;
  if (at === document.body) return "";
  const ring = element => parseFloat(getComputedStyle(element).outlineWidth) >= 3
    && getComputedStyle(element).outlineStyle !== "none";
  const framed = ring(at) || ring(at.closest(".option, .tag") ?? at);
  return framed ? "" : at.outerHTML.slice(0, 100);
}"""


@on_templates("trajectories")
def test_an_untouched_item_is_refused_by_the_page_and_by_the_server(at: Any, name: str) -> None:
    person: Person = at(name)
    page = person.page
    assert person.chosen() == 0
    person.press("Enter")
    missing = page.locator(MUST).count()
    expect(page.locator("#alert li a")).to_have_count(missing)
    assert page.evaluate("document.activeElement.closest('fieldset').id") == page.locator(MUST).first.get_attribute(
        "id"
    )
    assert person.posts("submit") == []
    fields = page.evaluate("Object.fromEntries(new FormData(document.getElementById('judge')))")
    address = f"{person.live.address}{page.locator('#judge').get_attribute('action')}"
    answer = person.context.request.post(address, form=fields, headers={"Accept": "application/json"})
    assert answer.status == 422
    assert person.stored() == []


@on_templates("dialog-pairs")
def test_a_click_stays_and_a_digit_goes_on_and_the_next_item_is_empty(at: Any, name: str) -> None:
    person: Person = at(name)
    page = person.page
    first = page.locator(MUST).first
    option = first.locator(".option, .tag").last
    option.click()
    active = "document.querySelector('fieldset.active').id"
    assert page.evaluate(active) == first.get_attribute("id"), "a click moves to no other question"
    page.locator("#heading").focus()
    keys = digits(person)
    page.dispatch_event("body", "keydown", {"key": "&", "code": f"Digit{keys[0]}", "bubbles": True})
    assert page.evaluate(active) != first.get_attribute("id"), "a digit does, by its place too"
    before = person.answers()
    page.dispatch_event("body", "keydown", {"key": "3", "code": "Digit3", "isComposing": True, "bubbles": True})
    assert person.answers() == before, "what is being composed is no answer"
    page.dispatch_event("body", "keydown", {"key": keys[1], "code": f"Numpad{keys[1]}", "bubbles": True})
    answer_rest(person)
    page.locator("#submit").dblclick()
    person.at_item(2)
    assert page.evaluate("document.activeElement.id") == "heading"
    assert person.chosen() == 0
    expect(page.locator("#status")).to_have_text("Saved")
    assert len(person.stored()) == len(person.posts("submit")) == 1
    expect(page.locator("#alert")).to_be_hidden()


@on_templates("route-planning")
def test_an_item_is_judged_by_the_mouse_alone(at: Any, name: str) -> None:
    person: Person = at(name)
    for key in person.page.locator(MUST).evaluate_all("all => all.map(each => each.id)"):
        person.page.locator(f"[id='{key}'] :is(.option, .tag):not(.closed)").nth(1).click()
    person.page.get_by_role("button", name="Submit").click()
    until(person.page, person.stored)


@on_templates("dialog-pairs")
def test_an_item_is_judged_without_single_keys_and_the_focus_is_always_seen(at: Any, name: str) -> None:
    person: Person = at(name)
    page = person.page
    person.press("?")
    page.locator("#shortcuts").uncheck()
    person.press("Escape")
    person.press("2", "1", "n", "g", "b", "f", "Delete")
    assert (person.answers(), page.locator("dialog[open]").count()) == ({}, 0)
    page.locator("#heading").focus()
    seen: set[str] = set()
    for _ in range(90):
        person.press("Tab")
        assert page.evaluate(RINGED) == ""
        place = page.evaluate("(document.activeElement.closest('fieldset') ?? document.activeElement).id")
        kind = page.evaluate("document.activeElement.closest('[data-optional]') ? '' : document.activeElement.type")
        if place.startswith("q-") and kind in ("radio", "checkbox") and place not in seen:
            seen.add(place)
            person.press("Space", *(["ArrowDown"] if kind == "radio" else []))
            assert page.evaluate("document.activeElement.closest('fieldset')?.id") == place
        if place == "submit":
            break
    person.press("Enter")
    until(page, person.stored)


@on_templates("in-car")
def test_half_answers_are_there_after_the_server_was_killed_and_on_another_device(
    name: str, new_context: NewContext, tmp_path: Path
) -> None:
    folder = tmp_path / "study"
    store = open_store(tmp_path / "assay.db")
    secret = make_bench(store, folder, name).link("ana")
    store.close()
    database = str(tmp_path / "assay.db")
    server = Server(folder, database)
    link = f"http://127.0.0.1:{server.port}{secret}"
    page = at_the_first_item(new_context(), link)
    for _ in range(3):
        page.keyboard.press("2" if page.locator("fieldset.active.tags").count() == 0 else "0")
    expect(page.locator("#status")).to_have_text("Saved")
    answers = "new URLSearchParams(new FormData(document.getElementById('judge'))).toString().split('active_ms=')[1]"
    before, item = page.evaluate(answers), page.locator("#judge").get_attribute("data-item")
    assert before.count("=") >= min(3, page.locator(MUST).count())
    server.kill()
    again = Server(folder, database, server.port)
    page.reload()
    page.wait_for_selector("#judge.enhanced")
    assert page.evaluate(answers) == before
    elsewhere = at_the_first_item(new_context(PHONE), link)
    assert (elsewhere.evaluate(answers), elsewhere.locator("#judge").get_attribute("data-item")) == (before, item)
    again.kill()


def at_the_first_item(context: BrowserContext, link: str) -> Page:
    """Through the way in and every gate, by the buttons."""
    page = context.new_page()
    page.goto(link)
    page.locator("button.primary").click()
    while not page.locator("#judge").count():
        page.locator("form button").first.click()
        page.wait_for_load_state()
    page.wait_for_selector("#judge.enhanced")
    return page


@on_templates("trajectories")
def test_three_items_judged_offline_arrive_once_each_and_in_order(at: Any, name: str) -> None:
    person: Person = at(name)
    page = person.page
    later = bool(person.live.study.items.later_fields)
    until(page, lambda: page.evaluate("window.assay.readyItems.items.length") >= (1 if later else 3))
    person.context.set_offline(True)
    names = []
    for number in range(1, 2 if later else 4):
        person.at_item(number)
        names.append(page.locator("#judge").get_attribute("data-item"))
        person.press(*digits(person), "Enter")
    if later:
        expect(page.locator("#alert")).to_contain_text("Wait for “Reference answer”")
        person.at_item(1)
    else:
        expect(page.locator("#status")).to_have_text("Offline: 3 answers kept on this device")
    assert person.stored() == []
    person.context.set_offline(False)
    if later:
        expect(page.locator(".revealed")).to_be_visible()
        page.locator("#heading").focus()
        answer_rest(person)
        person.press("Enter")
        person.at_item(2)
    expect(page.locator("#status")).to_have_text("Saved")
    until(page, lambda: len(person.stored()) == len(names))
    assert [each.url.rsplit("/", 1)[1] for each in person.posts("submit") if each.failure is None] == names
    person.trouble.clear()


@on_templates("route-planning")
def test_a_server_in_trouble_and_a_second_window_cost_no_answer(at: Any, name: str) -> None:
    person: Person = at(name)
    page = person.page
    trouble = 0

    def fail_twice(route: Route) -> None:
        nonlocal trouble
        trouble += 1
        route.fulfill(status=500, body="no") if trouble <= 2 else route.continue_()

    until(page, lambda: page.evaluate("window.assay.readyItems.items.length"))
    page.route("**/submit/**", fail_twice)
    person.press(*digits(person), "Enter")
    expect(page.locator("#status")).to_have_text("Not saved: retrying")
    expect(page.locator("#status")).to_have_text("Saved")
    person.at_item(2)
    assert (trouble, len(person.stored())) == (3, 1)
    person.trouble.clear()

    person.press(digits(person)[0])
    expect(page.locator("#status")).to_have_text("Saved")
    newer = person.context.new_page()
    newer.goto(page.url)
    expect(newer.locator("#judge input:checked")).to_have_count(1)
    away = page.get_by_role("dialog")
    expect(away).to_contain_text("open in another window")
    newer.keyboard.press(digits(person)[1])
    expect(newer.locator("#status")).to_have_text("Saved")
    away.get_by_role("button", name="Continue here").click()
    expect(newer.get_by_role("dialog")).to_be_visible()
    expect(page.locator("#judge input:checked")).to_have_count(2)


@on_templates("empathy")
def test_every_state_of_the_page_can_be_used_by_everybody(at: Any, name: str) -> None:
    person: Person = at(name, bypass_csp=True, reduced_motion="reduce")
    page = person.page
    page.evaluate(AXE)

    def wrong(part: str = "html") -> list[Any]:
        ask = "([part, rules]) => axe.run(part, {runOnly: rules, resultTypes: ['violations']})"
        found = page.evaluate(ask, [part, RULES])["violations"]
        return [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found]

    person.press("Enter")
    expect(page.locator("#alert")).to_be_visible()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert wrong() == [], scheme
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert wrong() == [], "from right to left"
    person.press("g")
    expect(page.locator("#drawer .guide").first).to_be_visible()
    assert wrong() == [], "with the guidelines"
    person.press("Escape")
    for key in ("?", "f", "b", *("l" if person.live.study.navigation != "forward-only" else "")):
        page.locator("#heading").focus()
        person.press(key)
        expect(page.locator("dialog[open]")).to_be_visible()
        assert wrong("dialog[open]") == [], key
        person.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
    page.evaluate("document.getElementById('away').showModal()")
    assert wrong("dialog[open]") == [], "away"


@on_templates("dialog-pairs")
def test_nothing_hidden_is_in_any_byte_that_a_browser_gets(
    live: Live, name: str, new_context: NewContext, tmp_path: Path
) -> None:
    planter = Planter()

    def edit(folder: Path) -> None:
        PLANT[name](planter, folder)
        file = folder / "study.yaml"
        file.write_text(file.read_text("utf-8").replace(f"study: {name}\n", f"study: canary-{name}\n"), "utf-8")

    bench = make_bench(live.store, tmp_path / "study", name, edit)
    person = Person(Live(live.address, bench, live.names), new_context())
    got: list[bytes] = []

    def keep(response: Response) -> None:
        got.append(f"{response.url}\n{response.all_headers()}\n".encode() + (response.body() if response.ok else b""))

    person.page.on("requestfinished", lambda request: keep(request.response()))
    person.begin()
    page = person.page
    for number in range(1, 4):
        person.at_item(number)
        answer_rest(person)
        person.press("g")
        expect(page.locator("#drawer .guide").first).to_be_visible()
        person.press("Escape")
        if page.locator(".waiting").count():
            expect(page.locator(".revealed")).to_be_visible()
        got.append(page.content().encode())
        got.append(page.evaluate(STORED).encode())
        page.locator("#heading").focus()
        person.press("Enter")
    person.at_item(4)
    expect(page.locator("#status")).to_have_text("Saved")
    got.append(str(person.context.cookies()).encode())
    assert len(got) > 20
    assert [hit for each in got for hit in planter.canaries.hits(each)] == []
