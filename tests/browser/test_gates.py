"""Gates in a real browser: by the keyboard alone, in every theme and size, and nothing is skipped by a long Enter."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from assay.store.annotator import sessions
from assay.web.app import wall_clock
from tests.browser.conftest import DESKTOP, PHONE, Live, NewContext, Person
from tests.browser.test_pages import RULES, arrived, violations
from tests.conftest import make_bench
from tests.web.annotator import edited
from tests.web.test_gates import CALIBRATION, QUIZ, SCREENING, with_gates

pytestmark = pytest.mark.browser


def a_study(live: Live, folder: Path, name: str, *gates: dict[str, object]) -> Live:
    """Another study on the same server, with these gates."""

    def edit(at: Path) -> None:
        with_gates({"reading": ["guide/rubric.md"]}, *gates)(at)
        edited(study=name, per_item="1000")(at)

    return Live(live.address, make_bench(live.store, folder / "study", edit=edit), live.names)


class Newcomer(Person):
    """Somebody at the first gate."""

    def begin(self) -> "Newcomer":
        token = self.live.link(self.name).rsplit("/", 1)[1]
        cookie = self.live.store.write(sessions.enter, token, wall_clock())
        name = f"assay-annotator-{self.live.study.study}"
        self.context.add_cookies([{"name": name, "value": cookie, "url": self.live.address}])
        self.page.goto(f"{self.live.address}/judge/{self.live.study.study}")
        return self

    def read(self) -> None:
        """Confirm the guidelines by Enter alone; Space scrolls, and the Enter that has brought a page means nothing."""
        while self.page.locator(".sections").count():
            self.press("Space", "Enter")
            expect(self.page.locator(".choices .primary kbd")).to_have_text("Enter")
            self.page.wait_for_timeout(500)
            section = self.page.locator("[aria-current=step]").inner_text()
            for _ in range(20):
                if not self.page.locator("[aria-current=step]", has_text=section).count():
                    break
                self.press("Enter")
                self.page.wait_for_timeout(50)


def test_a_calibration_is_done_by_the_keyboard_alone_and_a_long_enter_skips_no_feedback(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    person = Newcomer(a_study(live, tmp_path, "keyboard", CALIBRATION), new_context()).begin()
    page = person.page
    person.read()
    arrived(page, "Calibration")
    expect(page.get_by_role("button", name="Begin")).to_be_focused()
    person.press("Enter")
    for number in (1, 2, 3):
        expect(page.locator("#heading")).to_have_text(f"Calibration {number} of 3")
        person.ready()
        person.press("3", "3", "3", "3", "3")
        page.keyboard.down("Enter")
        expect(page.locator("#next")).to_be_focused()
        for _ in range(5):
            page.keyboard.down("Enter")
        page.keyboard.up("Enter")
        page.wait_for_timeout(500)
        expect(page.locator("h1")).to_contain_text(f"Calibration {number} of 3")
        assert page.locator(".dimension").count() == 5
        same = page.locator(".dimension.same").count()
        expect(page.locator(".in-short")).to_contain_text(f"The same as the reference: {same} of 5.")
        marks = page.locator(".dimension").evaluate_all("all => all.map(each => each.classList.contains('same'))")
        assert marks == sorted(marks), "what differs comes first"
        person.press("Enter")
    expect(page.locator("h1")).not_to_contain_text("Your answers")
    assert len(person.stored()) == 3
    assert person.trouble == []


def test_the_guidelines_are_read_one_section_at_a_time_and_what_was_read_stays_ticked(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    here = a_study(live, tmp_path, "sections", QUIZ)
    person = Newcomer(here, new_context(java_script_enabled=False)).begin()
    page = person.page
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    expect(page.get_by_text("Section 1 of 6, about one minute")).to_be_visible()
    expect(page.get_by_role("heading", level=2)).to_have_text("The rubric")
    for _ in range(2):
        page.get_by_role("button", name="I have read this: next section").click()
    expect(page.get_by_text("Section 3 of 6")).to_be_visible()
    expect(page.get_by_role("heading", name="Validation and warmth")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") < 2000, "not a page of many screens"
    elsewhere = Newcomer(here, new_context(PHONE), person.name).begin().page
    expect(elsewhere.locator("[aria-current=step]")).to_contain_text("Validation and warmth")
    expect(elsewhere.locator(".sections .read")).to_have_count(2)
    page.locator(".sections a").nth(1).click()
    expect(page.get_by_text("Section 2 of 6")).to_be_visible()
    page.get_by_role("link", name="Next section").click()
    expect(page.get_by_text("Section 3 of 6")).to_be_visible()
    for _ in range(3):
        page.get_by_role("button", name="next section").click()
    page.get_by_role("button", name="I have read everything: go on").click()
    expect(page.get_by_text("Step 2 of 2")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("A few questions")


def test_enter_passes_a_section_only_when_its_end_was_in_view(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    page = Newcomer(a_study(live, tmp_path, "to-the-end", QUIZ), new_context(PHONE)).begin().page
    on = page.locator(".choices .primary")
    expect(on).not_to_be_in_viewport()
    page.wait_for_timeout(500)
    seen = []
    while not seen or seen[-1] < page.evaluate("document.documentElement.scrollHeight - innerHeight - 1"):
        page.keyboard.press("Enter")
        page.wait_for_timeout(100)
        expect(page.get_by_text("Section 1 of 6")).to_be_attached()
        seen.append(page.evaluate("scrollY"))
        assert len(seen) < 20
    assert seen == sorted(seen)
    assert seen[0] > 300, "towards the end"
    expect(on).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Section 2 of 6")).to_be_attached()


def pages(live: Live, person: Newcomer) -> Iterator[tuple[str, Page]]:
    """Every page of the gates, with the mouse."""
    page = person.page
    page.locator("input[name=q-0][value=xgrownup]").check()
    page.get_by_role("button", name="Continue").click()
    expect(page).to_have_title(re.compile("^Please look again: Can you take part"))
    expect(page.get_by_role("alert")).to_be_focused()
    group = page.get_by_role("radiogroup", name="Which language?")
    expect(group).to_have_accessible_description("Please answer this question.")
    yield "screening", arrived(page, "Can you take part?")
    page.locator("input[name=q-1][value=xmother]").check()
    page.get_by_role("button", name="Continue").click()
    for name in ("q-0", "q-1"):
        page.locator(f"input[name={name}][value=yea]").check()
    page.get_by_role("button", name="Check my answers").click()
    expect(page.locator(".verdict")).to_have_count(2)
    expect(page).to_have_title(re.compile("^Not right yet: A few questions"))
    expect(page.get_by_text("Not everything is right yet")).to_be_focused()
    yield "quiz", page
    page.locator("input[name=q-0][value=nay]").check()
    page.get_by_role("button", name="Check my answers").click()
    page.get_by_role("button", name="Continue").click()
    yield "calibration", arrived(page, "Calibration")
    page.get_by_role("button", name="Begin").click()
    for number in (1, 2, 3):
        expect(page.locator("#heading")).to_have_text(f"Calibration {number} of 3")
        person.ready()
        person.press("2", "4", "2", "4", "2", "Enter")
        expect(page.locator("#next")).to_be_visible()
        if number == 1:
            yield "feedback", page
        page.locator("#next").click()
    arrived(page, "One more try")
    yield "result", page


# What is pressed and is not part of a sentence.
SMALL_TARGETS = """least => [...document.querySelectorAll("button, summary, .pick, .menu a, .alert a")].filter(each => {
  const box = each.getBoundingClientRect();
  return box.width > 0 && (box.height < least - 0.5 || box.width < 24);
}).map(each => `${each.textContent.trim()} ${each.getBoundingClientRect().height}`)"""


@pytest.mark.layout
@pytest.mark.parametrize(
    ("size", "theme"), [pytest.param(DESKTOP, "light", marks=pytest.mark.thorough("at a desk too")), (PHONE, "dark")]
)
def test_the_pages_of_gates_have_no_fault_that_axe_finds_and_need_no_sideways_scrolling(
    live: Live, new_context: NewContext, tmp_path: Path, size: tuple[int, int], theme: str
) -> None:
    def edit(at: Path) -> None:
        with_gates(SCREENING, QUIZ, CALIBRATION)(at)
        edited(study=f"gates-{theme}", per_item="1000")(at)

    here = Live(live.address, make_bench(live.store, tmp_path / "study", edit=edit), live.names)
    person = Newcomer(here, new_context(size, color_scheme=theme, bypass_csp=True)).begin()
    seen = []
    for name, page in pages(here, person):
        assert violations(page, RULES) == [], name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        assert page.evaluate(SMALL_TARGETS, 44 if size == PHONE else 24) == [], name
        seen.append(name)
    assert seen == ["screening", "quiz", "calibration", "feedback", "result"]
    assert [words for words in person.trouble if "422" not in words] == []
