"""Every page in every theme and size: nothing is cut off, nothing complains, nothing is out of reach."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import axe_playwright_python  # type: ignore[import-untyped]
import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Live, NewContext, Person, answer_rest, choose, until
from tests.browser.fonts import NOT_WIDE
from tests.selection import first_of
from tests.web.annotator import edited, with_items
from tests.web.test_hostile_content import HOSTILE, TEXTS, hostile_study, with_item

pytestmark = pytest.mark.browser

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SIZES = [(320, 640), PHONE, (720, 450), DESKTOP]
PAGES = 17
WATCH = "addEventListener('securitypolicyviolation', event => console.error('policy', event.violatedDirective))"


@pytest.fixture(scope="session")
def short(live: Live, tmp_path_factory: pytest.TempPathFactory) -> Live:
    """A study of one item, so that a test comes to its end."""

    def edit(folder: Path) -> None:
        edited(study="short", per_item="1000")(folder)
        with_items(1)(folder)

    return live.add(tmp_path_factory.mktemp("short") / "study", edit)


def arrived(page: Page, heading: str) -> Page:
    """The page, once it is the one with this heading and its styles are there."""
    expect(page.locator("h1").first).to_have_text(heading)
    page.wait_for_load_state()
    return page


def read(page: Page) -> None:
    """Confirm every section of the guidelines."""
    while page.locator(".sections").count():
        page.get_by_role("button", name="I have read").click()
        page.wait_for_load_state()


def every_page(live: Live, person: Person) -> Iterator[tuple[str, Page]]:
    """Go through all pages by clicking, as a person does, and stop at each."""
    page = person.page
    page.goto(live.link(person.name))
    yield "landing", arrived(page, live.study.title)
    page.get_by_role("button", name="Continue").click()
    yield "consent", arrived(page, "Before you begin")
    page.get_by_role("button", name="I do not want to take part").click()
    yield "left", arrived(page, "That is fine")
    page.get_by_role("button", name="go back").click()
    page.get_by_role("button", name="I agree").click()
    yield "warning", arrived(page, "What you will read")
    page.get_by_role("button", name="continue").click()
    yield "reading", arrived(page, "Guidelines")
    read(page)
    person.ready()
    yield from item_states(person)
    page.keyboard.type("12345")
    expect(page.locator("#judge textarea")).to_be_focused()
    page.keyboard.type("because")
    page.keyboard.press("Control+Enter")
    yield "finished", arrived(page, "All done")
    for name, heading in (("guide", "Guidelines"), ("support", "Support")):
        page.goto(f"{live.address}/judge/{live.study.study}/{name}")
        yield name, arrived(page, heading)
    page.goto(live.coordinator_link())
    yield "coordinator's landing", arrived(page, live.study.title)
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("row", name=person.name)).to_be_visible()
    yield "coordinator", arrived(page, live.study.title)
    page.goto(page.url + "/manage")
    yield "manage", arrived(page, "Manage the study")


def item_states(person: Person) -> Iterator[tuple[str, Page]]:
    page = person.page
    page.wait_for_load_state()
    yield "item, untouched", page
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    yield "item, with the alert", page
    page.keyboard.type("315rt")
    page.get_by_label("Self-harm").check()
    expect(page.locator("#status")).to_have_text("Saved")
    page.locator("#q-safety").focus()
    yield "item, half answered", page
    for name in ("Keys", "Guidelines", "Support"):
        choose(page, name)
        expect(page.get_by_role("complementary" if name == "Guidelines" else "dialog")).to_be_visible()
        yield f"item, with {name}", page
        page.keyboard.press("Escape")
    page.reload()
    person.ready()


def violations(page: Page, rules: list[str]) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: Any = page.evaluate("rules => axe.run({runOnly: rules, resultTypes: ['violations']})", rules)
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


def violations_in_the_dark(page: Page) -> list[str]:
    """The themes differ in nothing but their colours, and these are the same at every size."""
    page.emulate_media(color_scheme="dark")
    found = violations(page, ["color-contrast"])
    page.emulate_media(color_scheme="light")
    return found


# On a phone a usual run tries gates, items, breaks and the coordinator's pages, each in a file of its own.
@pytest.mark.parametrize("size", first_of([DESKTOP], [PHONE], "on a phone too"), ids=["desktop", "phone"])
def test_every_page_can_be_used_by_everybody(short: Live, new_context: NewContext, size: tuple[int, int]) -> None:
    # The page's own policy forbids the checker's script, so it is set aside here, and only here.
    context = new_context(size, bypass_csp=True, reduced_motion="reduce")  # colours change at once
    person = Person(short, context, f"axe-{size[0]}")
    found = {}
    for name, page in every_page(short, person):
        found[f"{name}, light"] = violations(page, RULES)
        if size == DESKTOP:
            found[f"{name}, dark"] = violations_in_the_dark(page)
    assert len(found) == (2 * PAGES if size == DESKTOP else PAGES)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_the_checker_sees_what_is_wrong(live: Live, new_context: NewContext) -> None:
    page = new_context(bypass_csp=True).new_page()
    page.goto(live.address)
    page.evaluate("document.body.innerHTML = '<button></button><p style=\"color:#ccc\">pale</p>'")
    assert {each.split(":")[0] for each in violations(page, RULES)} >= {"button-name", "color-contrast"}


@pytest.mark.layout
@pytest.mark.parametrize("family", first_of(["wide"], NOT_WIDE, "in other fonts"))
def test_no_page_scrolls_sideways_complains_or_asks_another_host(
    short: Live, new_context: NewContext, family: str
) -> None:
    context = new_context(family=family)
    context.add_init_script(WATCH)
    person = Person(short, context, f"walker-{family}")
    seen = []
    for name, page in every_page(short, person):
        seen.append(name)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            found = page.evaluate("[document.documentElement.scrollWidth, document.body.scrollWidth]")
            assert max(found) <= width, f"{name} at {width}"
            assert page.evaluate(OUTSIDE) == [], f"{name} at {width}"
    assert len(seen) == PAGES
    assert person.trouble == []
    assert {request.url.split("/")[2] for request in person.sent} == {short.address.split("/")[2]}
    assert len(person.sent) > 50


# Controls whose box leaves the window to the left or right, though nothing there can be scrolled.
OUTSIDE = """[...document.querySelectorAll("a, button, input, textarea, .option, .tag, summary")].filter(each => {
  const box = each.getBoundingClientRect();
  const scrolls = ".scroller, .figure-scroll, .figure-narrow, dialog:not([open])";
  return box.width > 1 && (box.left < 0 || box.right > innerWidth) && !each.closest(scrolls);
}).map(each => each.outerHTML.slice(0, 80))"""


def test_the_policy_is_watched_and_enforced(live: Live, new_context: NewContext) -> None:
    # Else the test above could not fail.
    context = new_context()
    context.add_init_script(WATCH)
    person = Person(live, context)
    person.page.goto(live.address)
    person.page.evaluate(
        """() => {
          document.head.append(Object.assign(document.createElement("script"), {textContent: "window.ran = true"}));
          document.head.append(Object.assign(document.createElement("script"), {src: "https://evil.example/x.js"}));
        }"""
    )
    until(person.page, lambda: sum("policy script-src" in said for said in person.trouble) == 2)
    assert person.page.evaluate("window.ran") is None


# Which controls of the panel are not wholly in view, with the panel as it stands.
HIDDEN_CONTROLS = """() => {
  const panel = document.getElementById("questions").getBoundingClientRect();
  return [...document.querySelectorAll(".option, .tag, textarea, .phrase, summary")].filter(each => {
    const box = each.getBoundingClientRect();
    const inside = box.left >= panel.left && box.right <= panel.right && box.top >= panel.top
      && box.bottom <= panel.bottom && box.bottom <= innerHeight && box.right <= innerWidth;
    return box.width > 0 && !inside;
  }).map(each => each.textContent.trim() || each.tagName);
}"""
SCROLLS = (
    "(() => { const panel = document.getElementById('questions'); return panel.scrollHeight - panel.clientHeight; })()"
)


@pytest.mark.layout
def test_every_option_is_in_view_on_a_desktop_whichever_question_is_open(person: Person, page: Page) -> None:
    assert page.evaluate(SCROLLS) <= 0, "an untouched item needs no scrolling in the panel"
    for _ in range(5):
        assert page.evaluate(HIDDEN_CONTROLS) == []
        person.press("3")
    assert page.evaluate(HIDDEN_CONTROLS) == []
    assert page.evaluate(SCROLLS) <= 0, "nor does an answered one"
    submit = page.locator("#submit").bounding_box()
    assert submit
    assert submit["y"] + submit["height"] <= 900


@pytest.mark.layout
def test_the_check_for_hidden_controls_sees_one(page: Page) -> None:
    page.evaluate("""() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(".option { min-height: 90px !important }");
      document.adoptedStyleSheets = [sheet];
    }""")
    assert page.evaluate(HIDDEN_CONTROLS) != []


@pytest.mark.layout
@pytest.mark.parametrize(("size", "least"), [(DESKTOP, 24), (PHONE, 44)], ids=["desktop", "phone"])
def test_every_target_is_large_enough(live: Live, new_context: NewContext, size: tuple[int, int], least: int) -> None:
    page = Person(live, new_context(size)).begin().page
    small = page.evaluate(
        """least => [...document.querySelectorAll("button, .option, .tag, textarea, .menu a, summary")].filter(each => {
          const box = each.getBoundingClientRect();
          return box.width > 0 && (box.height < least || box.width < Math.min(least, 36));
        }).map(each => each.textContent.trim())""",
        least,
    )
    assert small == []


def test_a_new_item_has_the_focus_on_its_heading_and_is_scrolled_to_the_top(
    live: Live, new_context: NewContext
) -> None:
    person = Person(live, new_context((1440, 500))).begin()
    page = person.page
    person.press("3", "3", "3", "3", "3")
    page.evaluate("scrollTo(0, 10000)")
    person.press("Enter")
    person.at_item(2)
    expect(page.locator("#heading")).to_be_focused()
    assert page.evaluate("[scrollY, questions.scrollTop, content.scrollTop]") == [0, 0, 0]


def test_each_question_is_a_named_group_and_each_option_says_its_number_and_anchor(person: Person, page: Page) -> None:
    for dimension in person.live.study.rubric[:5]:
        group = page.get_by_role("radiogroup", name=dimension.heading)
        expect(group).to_have_attribute("aria-required", "true")
        expect(group).to_have_accessible_description(dimension.ask)
        anchors: dict[int, str] = getattr(dimension.input, "anchors", {})
        assert len(anchors) == 5
        for point, anchor in anchors.items():
            expect(group.get_by_role("radio", name=f"{point} {anchor}")).to_have_count(1)


def test_a_group_says_that_it_lacks_an_answer(person: Person, page: Page) -> None:
    group = page.get_by_role("radiogroup", name="Emotion recognition")
    person.press("Enter")
    expect(group).to_have_accessible_description(re.compile("Please answer this question.$"))
    expect(group.get_by_role("radio").first).to_have_attribute("aria-invalid", "true")
    person.press("3")
    expect(group).not_to_have_accessible_description(re.compile("Please answer"))


def test_motion_is_taken_away_from_those_who_ask_for_it(live: Live, new_context: NewContext) -> None:
    page = Person(live, new_context(reduced_motion="reduce")).begin().page
    moving = "[...document.querySelectorAll('*')].filter(e => getComputedStyle(e).transitionDuration !== '0s').length"
    assert page.evaluate(moving) == 0
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(moving) > 0, "the check can fail"


def test_at_the_end_the_keys_do_what_the_bar_says_and_what_can_be_done_stands_before_the_words_of_support(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    def edit(folder: Path) -> None:
        edited(study="end", per_item="1000", navigation="free")(folder)
        with_items(1)(folder)

    person = Person(live.add(tmp_path / "study", edit), new_context()).begin()
    page = person.page
    person.press("3", "3", "3", "3", "3", "Enter")
    arrived(page, "All done")
    for name in ("Check again", "Items", "Sign out"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
    page.wait_for_timeout(700)  # what was typed ahead for an item means nothing here
    for key, address in (("g", "/guide"), ("S", "/support")):
        with page.context.expect_page() as beside:
            person.press(key)
        expect(beside.value).to_have_url(re.compile(f"{address}$"))
        beside.value.close()
    person.press("l")
    expect(page.locator(".item-list li")).to_have_count(1)


def test_at_the_end_words_of_support_lie_apart_and_those_about_judging_are_gone(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    for template in ("empathy", "route-planning"):

        def edit(folder: Path, name: str = f"end-of-{template}") -> None:
            edited(study=name, per_item="1000")(folder)
            with_items(1)(folder)

        person = Person(live.add(tmp_path / template, edit, template), new_context()).begin()
        answer_rest(person)
        person.press("Enter")
        page = arrived(person.page, "All done")
        expect(page.get_by_text("With questions, write to")).to_be_visible()
        if template == "empathy":  # its warning says that the content is hard
            words, buttons = page.locator("main .guide").bounding_box(), page.locator(".choices").bounding_box()
            assert words
            assert buttons
            assert words["y"] - buttons["y"] - buttons["height"] >= 16
        else:
            expect(page.locator("main")).not_to_contain_text("You cannot decide")
            expect(page.get_by_role("link", name="Support")).to_be_visible()


def test_support_is_in_the_bar_before_somebody_has_begun_and_beside_their_data(
    live: Live, new_context: NewContext
) -> None:
    person = Person(live, new_context())
    page = person.page
    page.goto(live.link(person.name))
    page.get_by_role("link", name="Support").click()
    expect(page.get_by_text("Most countries have a crisis line")).to_be_in_viewport()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="My data").click()
    expect(page.get_by_role("link", name="Support")).to_be_visible()


def test_without_scripts_an_item_is_judged_by_a_plain_form(short: Live, new_context: NewContext) -> None:
    person = Person(short, new_context(java_script_enabled=False), "plain")
    page = person.page
    page.goto(short.link("plain"))
    for name in ("Continue", "I agree", "continue"):
        page.get_by_role("button", name=name).click()
    read(page)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_contain_text("5 answers are missing: Emotion recognition")
    expect(page.get_by_role("alert")).to_be_focused()
    for key in ("emotion", "validation", "helpfulness", "safety", "overall"):
        page.locator(f"#q-{key} .option").nth(1).click()
    page.locator("#q-overall input").nth(1).press("Enter")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    assert [each["overall"] for each in person.stored()] == [2]
    assert [said for said in person.trouble if "422" not in said] == []


def test_a_hostile_study_runs_nothing(live: Live, new_context: NewContext, tmp_path: Path) -> None:
    hostile = live.add(tmp_path / "study", hostile_study)
    context = new_context()
    context.add_init_script(WATCH)
    person = Person(hostile, context, "<img src=x onerror=alert(1)>")
    dialogs: list[str] = []
    page = person.page

    def dismiss(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    page.goto(hostile.link(person.name))
    for name in ("Continue", "I agree"):
        page.get_by_role("button", name=name).click()
    read(page)
    person.ready()
    expect(page.locator(".bar .study")).to_have_text(HOSTILE)
    expect(page.locator("#q-one .title")).to_have_text(HOSTILE)
    page.keyboard.press("Enter")
    expect(page.locator("#alert a")).to_have_text(HOSTILE)
    page.keyboard.press("1")
    expect(page.locator("#q-three .optional")).to_have_text(f"required: {HOSTILE}")
    page.locator(".phrase").click()
    assert person.answers() == {"one": "1", "three": HOSTILE}
    for name in ("Guidelines", "Support"):
        page.locator(".bar").get_by_text(name).click()
        opened = page.get_by_role("complementary" if name == "Guidelines" else "dialog")
        expect(opened).to_contain_text("alert('x')")
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Item 2 of")).to_be_visible()
    person.arrived()
    page.goto(hostile.coordinator_link())
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("region", name="Progress of annotators").get_by_role("rowheader")).to_have_text(person.name)
    assert (dialogs, person.trouble) == ([], [])


@pytest.mark.layout
@pytest.mark.parametrize("size", [DESKTOP, (320, 640)], ids=["desktop", "narrow"])
def test_any_text_is_shown_whole_and_as_text(
    live: Live, new_context: NewContext, tmp_path: Path, size: tuple[int, int]
) -> None:
    text = "\n".join(TEXTS.values())

    def edit(folder: Path) -> None:
        edited(study=f"texts-{size[0]}")(folder)
        with_item(text, " ")(folder)

    person = Person(live.add(tmp_path / "study", edit), new_context(size), f"reader-{size[0]}").begin()
    page = person.page
    assert page.locator(".prose").first.evaluate("prose => prose.textContent") == text
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.locator(".prose").first.evaluate("prose => prose.scrollWidth - prose.clientWidth") <= 0
    expect(page.locator(".empty")).to_be_visible()
    # An empty reply gets 1 throughout, by the study's rule, and a 1 needs a note.
    person.press("1", "1", "1", "1", "1")
    page.get_by_role("button", name="empty/incoherent response").click()
    person.press("Control+Enter")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    assert person.trouble == []
