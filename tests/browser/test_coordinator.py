from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from assay import acts
from assay.items.imported_judgments import ImportedAnswers
from assay.live.flags import current_flags
from assay.model import Flag, Slot
from assay.simulate import Character, simulate
from assay.store.coordinator import adjudications, flags, imported_judgments
from assay.store.coordinator.record import By
from assay.web.app import wall_clock
from tests.browser.conftest import DESKTOP, PHONE, Live, NewContext, Person
from tests.browser.fonts import NOT_WIDE
from tests.browser.test_figures import CUT, TOUCHING
from tests.browser.test_pages import RULES, violations, violations_in_the_dark
from tests.conftest import Bench, make_bench
from tests.inviting import invite

pytestmark = pytest.mark.browser


def test_the_coordinators_page_shows_each_annotator_and_stays_current(
    live: Live, person: Person, new_context: NewContext
) -> None:
    page = new_context().new_page()
    page.clock.install()  # so that nobody has to wait for the page to look again
    page.goto(live.coordinator_link())
    page.get_by_role("button", name="Open").click()
    expect(page.locator("html:not(.no-js)")).to_be_attached()
    columns = page.get_by_role("columnheader").all_text_contents()
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=person.name, exact=True))

    def cell(column: str) -> Locator:
        return row.locator("th, td").nth(columns.index(column))

    expect(cell("Submitted")).to_have_text("0")
    expect(cell("Last seen")).to_have_text("–")

    person.press("3", "4", "2", "3", "4", "Enter")
    person.at_item(2)
    page.clock.run_for(5_000)
    expect(cell("Submitted")).to_have_text("1")
    expect(cell("Last seen")).not_to_have_text("–")
    expect(page.locator("#status")).to_have_text("")


def test_the_coordinators_page_says_when_it_is_not_current(live: Live, new_context: NewContext) -> None:
    context = new_context()
    page = context.new_page()
    page.clock.install()
    page.goto(live.coordinator_link())
    page.get_by_role("button", name="Open").click()
    expect(page.locator("html:not(.no-js)")).to_be_attached()
    context.set_offline(True)
    page.clock.run_for(5_000)
    expect(page.locator("#status")).to_contain_text("Not current")
    context.set_offline(False)
    page.clock.run_for(5_000)
    expect(page.locator("#status")).to_have_text("")


def worked_on(live: Live, name: str, folder: Path) -> Bench:
    """A study in whose pilot two people were far apart."""

    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: empathy\n", f"study: {name}\n")
        text = text.replace("items: 40 ", "items: 8 ")
        text = text.replace("{count: 10, distance: 20}", "{count: 1, distance: 2}")
        file.write_text(text.replace("analysis:\n", "analysis:\n  adjudicate_above: 0.5\n"), "utf-8")

    bench = make_bench(live.store, folder, whole=True, edit=edit)
    cast = [Character("ana"), Character("ben", skill=0.2)]
    simulate(live.store, name, cast, seed=1, start=wall_clock() - 10**8)
    return bench


@pytest.fixture(scope="module")
def judged(live: Live, tmp_path_factory: pytest.TempPathFactory) -> Live:
    """A study with everything that a coordinator's pages can show."""
    bench = worked_on(live, "watched", tmp_path_factory.mktemp("watched") / "study")
    current_flags(live.store, bench.study_id, bench.study, wall_clock())
    found = [Flag("too_fast", "ben", "8 of 8 items took 1 s", ("emp-001",), {"share": 1.0})]
    live.store.write(flags.keep, bench.study_id, found, wall_clock())
    by = By(bench.study_id, "coordinator", wall_clock(), "a note")
    live.store.write(acts.pause, by, "ana")
    return Live(live.address, bench)


WATCHED = [
    "",
    "/items?dimension=safety",
    "/flags",
    "/annotator?name=ana",
    "/item?name=emp-001",
    "/pilot",
    "/adjudicate",
    "/calibration",
]


@pytest.mark.layout
def test_the_coordinators_pages_can_be_used_by_everybody(judged: Live, new_context: NewContext) -> None:
    page = new_context(bypass_csp=True, reduced_motion="reduce").new_page()
    page.goto(judged.coordinator_link())
    page.get_by_role("button", name="Open").click()
    home = f"{judged.address}/coordinate/watched"
    page.goto(f"{home}/adjudicate")
    talk = page.locator("tbody a").first.get_attribute("href") or ""
    found = {}
    for where in [*WATCHED, talk.removeprefix("/coordinate/watched")]:
        page.goto(f"{home}{where}")
        found[f"{where}, dark"] = violations_in_the_dark(page)
        for width, height in (PHONE, DESKTOP):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, where
            assert page.evaluate(CUT) + page.evaluate(TOUCHING) == [], where
            found[f"{where}, {width} wide"] = violations(page, RULES)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.layout
@pytest.mark.parametrize("family", NOT_WIDE)
def test_the_coordinators_pages_cut_nothing_in_other_fonts(judged: Live, new_context: NewContext, family: str) -> None:
    page = new_context(family=family).new_page()
    page.goto(judged.coordinator_link())
    page.get_by_role("button", name="Open").click()
    for where in WATCHED:
        page.goto(f"{judged.address}/coordinate/watched{where}")
        for width, height in (DESKTOP, PHONE):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, where
            assert page.evaluate(CUT) + page.evaluate(TOUCHING) == [], where


def test_on_a_phone_the_menu_lies_behind_one_button_that_says_where_one_is(
    judged: Live, new_context: NewContext
) -> None:
    page = new_context(PHONE, has_touch=True, is_mobile=True).new_page()
    page.goto(judged.coordinator_link())
    page.get_by_role("button", name="Open").click()
    button, menu = page.locator(".menu-button"), page.get_by_role("navigation", name="Pages")
    expect(button).to_contain_text("Dashboard")
    expect(menu).to_be_hidden()
    assert page.locator("header.bar").evaluate("bar => bar.offsetHeight") <= 56, "one line"
    button.tap()
    expect(menu).to_be_visible()
    for entry in menu.locator("a, button").all():
        box = entry.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    menu.get_by_role("link", name="Items").tap()
    expect(page.get_by_role("heading", name="Items", exact=True)).to_be_visible()
    expect(button).to_contain_text("Items")
    expect(menu).to_be_hidden()
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    expect(menu).to_be_visible()
    expect(button).to_be_hidden()


def test_on_a_phone_everything_about_an_item_is_seen_without_scrolling_aside(
    judged: Live, new_context: NewContext
) -> None:
    page = new_context(PHONE).new_page()
    page.goto(judged.coordinator_link())
    page.get_by_role("button", name="Open").click()
    page.goto(f"{judged.address}/coordinate/watched/items?dimension=safety&words=emp-001")
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="emp-001"))
    assert page.locator(".scroller").evaluate("each => each.scrollWidth <= each.clientWidth")
    words = row.locator(".first").bounding_box()
    assert words is not None
    assert words["width"] > 300, "the first words stand across the card"
    outside = row.locator("th, td").evaluate_all(
        "cells => cells.filter(each => each.getBoundingClientRect().right > innerWidth).length"
    )
    assert outside == 0
    labels = row.locator("td[data-label]").evaluate_all(
        "cells => cells.map(each => getComputedStyle(each, '::before').content)"
    )
    assert [each for each in ("System", "ana", "ben", "Spread", "State") if f'"{each} "' not in labels] == []


@pytest.mark.parametrize("size", [PHONE, (1000, 800), DESKTOP], ids=["phone", "tablet", "desktop"])
def test_a_note_for_oneself_is_far_from_the_message_that_a_person_reads(
    judged: Live, new_context: NewContext, size: tuple[int, int]
) -> None:
    page = new_context(size).new_page()
    page.goto(judged.coordinator_link())
    page.get_by_role("button", name="Open").click()
    page.goto(f"{judged.address}/coordinate/watched/annotator?name=ana")
    message, note = (page.locator(name).bounding_box() for name in ("#message", "#note"))
    assert message is not None
    assert note is not None
    aside = note["x"] >= message["x"] + message["width"] or message["x"] >= note["x"] + note["width"]
    assert aside or abs(note["y"] - message["y"]) >= 500
    if not aside:
        between = page.locator("h2, summary").evaluate_all(
            "(all, [one, other]) => all.filter(each => { const y = each.getBoundingClientRect().y + scrollY;"
            " return y > Math.min(one, other) && y < Math.max(one, other) }).length",
            [message["y"], note["y"]],
        )
        assert between >= 3, "other things stand between them"


def test_a_tile_leads_to_its_part_which_the_address_keeps_and_a_new_look_at_the_server_leaves(
    judged: Live, new_context: NewContext
) -> None:
    page = new_context().new_page()
    page.clock.install()
    page.goto(judged.coordinator_link())
    page.get_by_role("button", name="Open").click()
    page.reload()
    expect(page.locator(".part:visible")).to_have_attribute("id", "moving")
    page.locator(".tile").nth(2).click()
    expect(page.locator(".part:visible")).to_have_attribute("id", "who")
    expect(page.locator(".tile[aria-current]")).to_contain_text("Who needs a word?")
    assert page.evaluate("scrollY") == 0, "nothing moves"
    second = page.locator("#who .picker a").nth(1)
    chosen = (second.get_attribute("href") or "").partition("#")[2]
    second.click()
    expect(page.locator("#who .figure:visible")).to_have_attribute("id", chosen)
    assert page.url.endswith(f"#{chosen}")
    page.clock.run_for(5_000)
    expect(page.locator("#who .figure:visible")).to_have_attribute("id", chosen)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    expect(page.locator(".part:visible")).to_have_count(1)


def test_on_a_phone_a_tile_brings_its_part_into_sight(judged: Live, new_context: NewContext) -> None:
    page = new_context(PHONE, has_touch=True, is_mobile=True).new_page()
    page.goto(judged.coordinator_link())
    page.get_by_role("button", name="Open").click()
    expect(page.locator("html:not(.no-js)")).to_be_attached()
    for place, part in ((1, "good"), (2, "who"), (3, "says"), (0, "moving")):
        page.evaluate("scrollTo(0, 0)")
        page.locator(".tile").nth(place).tap()
        expect(page.locator(f"#{part} > h2")).to_be_in_viewport(ratio=1)
        near = "innerHeight / 2 || scrollY + innerHeight > document.documentElement.scrollHeight - 2"
        assert page.locator(f"#{part} > h2").evaluate(f"each => each.getBoundingClientRect().top < {near}")
    page.goto(f"{judged.address}/coordinate/watched#says")
    page.reload()
    expect(page.locator("#says > h2")).to_be_in_viewport(ratio=1)


def test_items_are_talked_over_with_one_key_for_each_question(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    bench = worked_on(live, "talked", tmp_path / "study")
    page = new_context().new_page()
    page.goto(Live(live.address, bench).coordinator_link())
    page.get_by_role("button", name="Open").click()
    page.get_by_role("link", name="Talk over", exact=True).click()
    waiting = page.get_by_role("row").filter(has_text="not yet")
    expect(waiting.first).to_be_visible()
    items = waiting.count()
    apart = sum(len(each.split(", ")) for each in waiting.locator("td.words").all_inner_texts())
    page.get_by_role("link", name="Talk them over").click()
    page.get_by_label("Why, for the record").fill("talked over on Monday")
    page.get_by_label("Why, for the record").blur()
    actions = 3
    while "/talk-over" in page.url:
        at = page.url
        expect(page.locator("[data-question]").first).to_have_attribute("data-at", "")
        expect(page.get_by_label("Why, for the record")).to_have_value("talked over on Monday")
        for _ in range(page.locator("[data-question]").count()):
            page.keyboard.press("3")
            actions += 1
        page.wait_for_url(lambda url, at=at: url != at)
    assert actions == 3 + apart, "one key for each question, and nothing between the items"
    assert items >= 2
    expect(page.get_by_role("row").filter(has_text="not yet")).to_have_count(0)
    agreed = live.store.read(adjudications.agreed_values, bench.study_id)
    assert {each.value for each in agreed} == {3}


def test_enter_goes_on_from_the_reason_to_where_one_is(live: Live, new_context: NewContext, tmp_path: Path) -> None:
    bench = worked_on(live, "reasoned", tmp_path / "study")
    page = new_context().new_page()
    page.goto(Live(live.address, bench).coordinator_link())
    page.get_by_role("button", name="Open").click()
    page.get_by_role("link", name="Talk over", exact=True).click()
    page.get_by_role("link", name="Talk them over").click()
    reason, first = page.get_by_label("Why, for the record"), page.url
    expect(page.locator("html:not(.no-js)")).to_be_attached()
    reason.focus()
    page.keyboard.type("on Monday")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("in Room 5")
    page.keyboard.press("Enter")
    expect(reason).to_have_value("on Monday\nin Room 5")
    expect(page.locator("[data-question]").first).to_be_focused()
    assert page.url == first, "nothing is answered yet"
    reason.fill("")
    for _ in range(page.locator("[data-question]").count()):
        page.locator("[data-question][data-at]").focus()
        page.keyboard.press("3")
    expect(reason).to_be_focused()
    expect(page.locator("#hint")).to_contain_text("Then Enter")
    page.keyboard.press("Enter")
    expect(reason).to_be_focused()
    page.keyboard.type("on Tuesday")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != first)
    assert {each.reason for each in live.store.read(adjudications.agreed_values, bench.study_id)} == {"on Tuesday"}


def test_five_questions_of_an_item_are_seen_at_once(live: Live, new_context: NewContext, tmp_path: Path) -> None:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: empathy\n", "study: five-apart\n")
        file.write_text(text.replace("analysis:\n", "analysis:\n  adjudicate_above: 0.5\n"), "utf-8")

    bench = make_bench(live.store, tmp_path / "study", edit=edit)
    slots = [Slot(each.dimension) for each in bench.study.scored_dimensions]
    for who, value in (("ana", 2), ("ben", 5)):
        said = [("emp-001", ImportedAnswers(who, False, dict.fromkeys(slots, value)))]
        live.store.write(imported_judgments.add, bench.study_id, bench.study, said, wall_clock())
    page = new_context().new_page()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(Live(live.address, bench).coordinator_link())
    page.get_by_role("button", name="Open").click()
    page.get_by_role("link", name="Talk over", exact=True).click()
    page.get_by_role("link", name="Talk them over").click()
    expect(page.locator("[data-question]")).to_have_count(5)
    assert page.locator("#talk").evaluate("form => form.scrollHeight <= form.clientHeight")


def begin_to_talk_ten_over(page: Page) -> int:
    """From the dashboard to the first of ten items; returns how many actions that took."""
    page.get_by_role("link", name="Talk over", exact=True).click()
    expect(page.get_by_role("row").filter(has_text="not yet")).to_have_count(10)
    page.get_by_role("link", name="Talk them over").click()
    page.get_by_label("Why, for the record").fill("talked over on Monday")
    page.get_by_label("Why, for the record").blur()
    return 3  # two links, and the reason, which stays for all of them


def test_ten_items_are_talked_over_in_at_most_fifteen_actions(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: empathy\n", "study: ten\n")
        file.write_text(text.replace("analysis:\n", "analysis:\n  adjudicate_above: 0.5\n"), "utf-8")

    bench = make_bench(live.store, tmp_path / "study", edit=edit)
    slots = [Slot(each.dimension) for each in bench.study.scored_dimensions]
    names = [f"emp-{number:03d}" for number in range(1, 13)]
    for who, last in (("ana", 2), ("ben", 5)):
        said = [
            (name, ImportedAnswers(who, False, {**dict.fromkeys(slots, 3), slots[-1]: last if place < 10 else 3}))
            for place, name in enumerate(names)
        ]
        live.store.write(imported_judgments.add, bench.study_id, bench.study, said, wall_clock())
    page = new_context().new_page()
    page.goto(Live(live.address, bench).coordinator_link())
    page.get_by_role("button", name="Open").click()
    actions = begin_to_talk_ten_over(page)
    while "/talk-over" in page.url:
        at = page.url
        expect(page.locator("[data-question]")).to_have_count(1)
        expect(page.locator("[data-question]").first).to_have_attribute("data-at", "")
        expect(page.get_by_label("Why, for the record")).to_have_value("talked over on Monday")
        page.keyboard.press("4")
        actions += 1
        page.wait_for_url(lambda url, at=at: url != at)
    agreed = live.store.read(adjudications.agreed_values, bench.study_id)
    assert [(each.item, each.value) for each in agreed] == [(name, 4) for name in names[:10]]
    assert {each.reason for each in agreed} == {"talked over on Monday"}
    assert actions <= 15


def test_a_coordinator_looks_at_the_evidence_and_writes_to_the_annotator(judged: Live, new_context: NewContext) -> None:
    page = new_context().new_page()
    page.goto(judged.coordinator_link())
    page.get_by_role("button", name="Open").click()
    page.get_by_role("link", name="Flags").click()
    card = page.locator(".card").filter(has_text="too fast")
    card.get_by_role("link", name="emp-001").click()
    expect(page.get_by_role("heading", name="Item emp-001")).to_be_visible()
    page.go_back()
    card.get_by_text("Do something about ben").click()
    card.get_by_label("Message to ben").fill("Please take your time.")
    card.get_by_role("button", name="Send to ben").click()
    expect(page.get_by_role("heading", name="Who needs a word?")).to_be_visible()
    bench = judged.bench
    [(_, token)] = judged.store.write(invite, bench.study_id, ["ben"], wall_clock(), simulated=True)
    ben = new_context().new_page()
    ben.goto(f"{judged.address}/join/{token}")
    ben.get_by_role("button", name="Continue").click()
    expect(ben.get_by_text("Please take your time.")).to_be_visible()
    expect(ben.get_by_role("button", name="I have read this")).to_be_focused()
    ben.keyboard.press("Enter")
    expect(ben.get_by_role("heading", name="A message for you")).to_be_hidden()


SAID_BY_MANY = "".join(
    f'<span class="said"><span class="answer" data-distance="1">{value}</span> <span class="times">× 24</span></span> '
    for value in range(1, 6)
)
"""What the list of items shows where many have judged, a value after the other."""
LONG_NAME = "000-vijayalakshmi-konstantin-papadopoulos"


def test_what_many_have_answered_to_a_scale_stays_on_one_line(judged: Live, new_context: NewContext) -> None:
    page = new_context(DESKTOP).new_page()
    page.goto(judged.coordinator_link())
    page.get_by_role("button", name="Open").click()
    page.goto(f"{judged.address}/coordinate/watched/items?dimension=safety&words=emp-001")
    put = "(cell, said) => { cell.className = 'words'; cell.innerHTML = said }"
    cell = page.locator("tbody td[data-label=ana]")
    cell.evaluate(put, SAID_BY_MANY)
    tops = cell.locator(".said").evaluate_all("each => each.map(one => one.getBoundingClientRect().top)")
    assert len(tops) == 5
    assert len(set(tops)) == 1


def test_on_a_phone_long_names_break_at_their_hyphens_and_answers_between_words(
    judged: Live, new_context: NewContext
) -> None:
    page = new_context(PHONE).new_page()
    page.goto(judged.coordinator_link())
    page.get_by_role("button", name="Open").click()
    page.goto(f"{judged.address}/coordinate/watched/item?name=emp-001")
    names = page.locator("table.said-of-item tbody th[scope=row]")
    names.first.evaluate(f"each => each.textContent = '{LONG_NAME}'")
    cell = page.locator("table.said-of-item tbody td").first
    cell.evaluate(
        "each => { each.className = 'words'; each.textContent = 'Meets only some constraints: instructions' }"
    )
    broken = """each => {
      const text = each.firstChild, range = document.createRange(), found = [];
      const top = at => {
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().top;
      };
      for (let at = 1; at < text.length; at++)
        if (top(at) > top(at - 1) + 4 && !/[\\s-]/.test(text.data[at - 1])) found.push(text.data.slice(0, at));
      return found;
    }"""
    assert names.first.evaluate(broken) == []
    assert cell.evaluate(broken) == []
