"""The picture in the whole window: opened, zoomed, moved, walked and left again, by keys, mouse and fingers."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Person, until, until_none
from tests.browser.test_pages import AXE, RULES
from tests.selection import first_of

pytestmark = pytest.mark.browser

SCALE = """() => {
  const [image, stage] = [".stage img", ".stage"].map((each) => document.querySelector(each).getBoundingClientRect());
  const fits = Math.min(stage.width, stage.height * image.width / image.height);
  return [image.width / fits, image.x - stage.x, image.y - stage.y];
}"""
OFF = """([name, x, y]) => {
  const image = document.querySelector(".stage img").getBoundingClientRect();
  const box = document.querySelector(`.drawn[data-of-place="${name}"]`).getBoundingClientRect();
  const [across, down] = [box.x + box.width / 2 - image.x, box.y + box.height / 2 - image.y];
  return Math.hypot(across - x * image.width, down - y * image.height);
}"""
COVERED = """() => {
  const boxes = [...document.querySelectorAll(".label .plate, .drawn .dot")].map((each) => {
    const { x, y, right, bottom } = each.getBoundingClientRect();
    const name = each.closest("[data-of-place]").dataset.ofPlace;
    return { x, y, right, bottom, name, plate: each.matches(".plate") };
  });
  const upon = (a, b) => a.x < b.right - 1 && b.x < a.right - 1 && a.y < b.bottom - 1 && b.y < a.bottom - 1;
  const pairs = boxes.flatMap((a, at) => boxes.slice(at + 1).map((b) => [a, b]));
  return pairs.filter(([a, b]) => (a.plate || b.plate) && upon(a, b)).map(([a, b]) => `${a.name} ${b.name}`);
}"""
POINTS = """() => [...document.querySelectorAll(".label.of-point")]
  .map((each) => [each.dataset.ofPlace, each.dataset.x / 100, each.dataset.y / 100])
  .filter(([name]) => document.querySelector(`.drawn[data-of-place="${name}"] :is(circle, rect)`))"""
SHARE = """x => {
  const image = document.querySelector(".stage img").getBoundingClientRect();
  return (x - image.x) / image.width;
}"""
SMALL = """least => [...document.querySelectorAll("dialog[open] button")].filter((each) => {
  const box = each.getBoundingClientRect();
  return box.width < least || box.height < least || box.right > innerWidth;
}).map((each) => each.outerHTML)"""


def large(page: Page) -> Any:
    return page.get_by_role("dialog", name="The picture, large")


def scale(page: Page) -> float:
    return round(float(page.evaluate(SCALE)[0]), 2)


def opened(at: Callable[..., Person], *, size: tuple[int, int] = DESKTOP, **settings: Any) -> Person:
    person = at("trajectories", size, **settings)
    person.page.get_by_role("button", name="Large").click()
    expect(large(person.page)).to_be_visible()
    return person


def test_pressing_z_twice_opens_it_and_escape_leads_back_to_the_same_place(at: Any) -> None:
    person: Person = at("trajectories")
    page: Page = person.page
    person.press("j", "j")
    step = page.locator("[data-place='A2']")
    expect(step).to_be_focused()
    before = page.locator(".viewport").bounding_box()
    scrolled = page.evaluate("document.getElementById('content').scrollTop")
    person.press("z")
    expect(large(page)).to_have_count(0)
    person.press("z")
    expect(large(page)).to_be_visible()
    expect(page.locator(".stage")).to_be_focused()
    assert page.locator(".viewport").bounding_box() == before, "nothing moves behind it"
    person.press("2", "Enter")
    assert person.answers() == {}, "keys mean the picture here"
    person.press("Escape")
    expect(large(page)).to_have_count(0)
    expect(step).to_be_focused()
    assert page.locator(".viewport").bounding_box() == before
    assert page.evaluate("document.getElementById('content').scrollTop") == scrolled
    person.press("3")
    assert list(person.answers().values()) == ["3"]


def test_a_click_on_the_picture_opens_it(at: Any) -> None:
    page: Page = at("trajectories").page
    page.locator(".viewport").click()
    expect(large(page)).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(large(page)).to_have_count(0)


def test_it_is_zoomed_by_keys_to_eight_times_and_moved_by_arrows(at: Any) -> None:
    person = opened(at)
    page = person.page
    assert scale(page) == 1
    seen = []
    for _ in range(8):
        person.press("+")
        seen.append(scale(page))
    assert seen == [1.5, 2, 3, 4, 6, 8, 8, 8]
    expect(page.locator("dialog .factor")).to_have_text("800 %")
    expect(page.locator("dialog .unseen")).to_have_text("Zoom 800 %\u00a0")
    _, x, y = page.evaluate(SCALE)
    person.press("ArrowRight", "ArrowDown")
    assert page.evaluate(SCALE)[1] == pytest.approx(x - 0.15 * 1440, abs=2)
    assert page.evaluate(SCALE)[2] < y
    person.press("-", "-")
    assert scale(page) == 4
    page.get_by_role("button", name="Whole picture").click()
    assert scale(page) == 1


def test_the_wheel_zooms_where_it_points_and_the_mouse_drags(at: Any) -> None:
    person = opened(at)
    page = person.page
    page.mouse.move(1000, 300)
    before = page.evaluate(SHARE, 1000)
    page.mouse.wheel(0, -800)
    until(page, lambda: int(page.locator("dialog .factor").inner_text().split()[0]) > 150)
    assert page.evaluate(SHARE, 1000) == pytest.approx(before, abs=0.005)
    _, x, y = page.evaluate(SCALE)
    page.mouse.down()
    page.mouse.move(1060, 340)
    page.mouse.up()
    page.mouse.move(900, 500)
    assert page.evaluate(SCALE)[1:] == [pytest.approx(x + 60, abs=1), pytest.approx(min(0, y + 40), abs=1)]
    page.mouse.wheel(0, 9000)
    expect(page.locator("dialog .factor")).to_have_text("100 %")


def test_steps_are_walked_and_their_marks_come_to_the_middle(at: Any) -> None:
    person = opened(at)
    page = person.page
    person.press("+", "+", "+", "j")
    caption = page.locator(".large-step")
    first = page.locator("[data-place='A1'] .operation").inner_text()
    expect(caption.locator(".badge")).to_have_text("A1")
    expect(caption.locator(".operation")).to_have_text(first)
    expect(page.locator("dialog .unseen")).to_contain_text(f"A1, {first}")
    until(page, lambda: page.locator(".drawn.second").first.evaluate("each => getComputedStyle(each).opacity < 0.5"))
    person.press("j", "k", "k")
    expect(page.locator("dialog .unseen")).to_contain_text("This is the first one.")
    page.get_by_role("button", name="Next step").click()
    expect(caption.locator(".badge")).to_have_text("A2")


OUT_OF_SIGHT = """() => {
  const [mark, stage] = [".drawn.on", ".stage"].map((each) => document.querySelector(each).getBoundingClientRect());
  const [x, y] = [mark.x + mark.width / 2, mark.y + mark.height / 2];
  return x < stage.left || x > stage.right || y < stage.top || y > stage.bottom ? [x, y] : [];
}"""


def test_the_mark_of_the_chosen_step_stays_in_sight_at_every_size(at: Any) -> None:
    person: Person = at("trajectories")
    page: Page = person.page
    names = page.evaluate("[...document.querySelectorAll('[data-place]')].map(each => each.dataset.place)")
    drawn = page.evaluate("[...document.querySelectorAll('.drawn')].map(each => each.dataset.ofPlace)")
    page.get_by_role("button", name="Large").click()
    looked = 0
    for name in names:
        person.press("j")
        expect(page.locator(".large-step .badge")).to_have_text(name)
        if name not in drawn:
            continue
        looked += 1
        for _ in range(6):
            person.press("+")
            assert page.evaluate(OUT_OF_SIGHT) == [], (name, scale(page))
        person.press("0")
        assert scale(page) == 1, "its key stands at the button"
    assert looked > 1


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_what_is_asked_about_the_picture_stands_over_it(at: Any, size: tuple[int, int]) -> None:
    person = opened(at, size=size)
    page = person.page
    asked = page.locator("#content > .text .prose").first.inner_text()
    expect(page.locator(".large-asked")).to_be_visible()
    expect(page.locator(".large-asked")).to_have_text(f"Question: {asked}")
    assert page.locator(".large-asked").evaluate("each => each.offsetHeight") < (60 if size == PHONE else 40)


def test_the_keys_of_the_large_view_stand_on_its_buttons_and_mean_nothing_else_on_the_page(at: Any) -> None:
    person = opened(at)
    keys = person.page.locator("dialog.large .marks-switch kbd")
    expect(keys).to_have_text(["A", "D"])
    person.press("Escape", "?")
    listed = person.page.get_by_role("dialog", name="Keys").locator("tr")
    for key in ("A", "D"):
        rows = [row for row in listed.all() if key in row.locator("kbd").all_inner_texts()]
        assert [row.locator("td").inner_text() for row in rows] == ["in the large view: the marks of one of two sides"]


def test_the_marks_of_a_side_are_hidden_and_come_again(at: Any) -> None:
    person = opened(at)
    page = person.page
    a, b = page.locator(".drawn[data-of-place='A1']"), page.locator(".drawn[data-of-place='B1']")
    person.press("a")
    expect(a).to_be_hidden()
    expect(b).to_be_visible()
    expect(page.locator("dialog [data-do=a]")).to_have_attribute("aria-pressed", "false")
    person.press("b")
    expect(b).to_be_visible()  # a break, and nothing here
    expect(page.get_by_role("dialog")).to_have_count(1)
    person.press("d")
    expect(b).to_be_hidden()
    person.press("m")
    expect(a).to_be_visible()
    expect(b).to_be_visible()
    page.locator("dialog [data-do=b]").click()
    expect(b).to_be_hidden()
    person.press("Escape")
    expect(b).to_be_visible()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_marks_lie_where_their_coordinates_say_and_no_label_covers_another(at: Any, size: tuple[int, int]) -> None:
    person = opened(at, size=size, reduced_motion="reduce")
    page = person.page
    until(page, lambda: page.evaluate(POINTS))
    places = page.evaluate(POINTS)
    for factor in (100, 200, 400):
        expect(page.locator("dialog .factor")).to_have_text(f"{factor} %")
        # The marks follow the picture when the page is drawn next.
        until_none(page, lambda: [place for place in places if page.evaluate(OFF, place) >= 2])
        until_none(page, lambda: page.evaluate(COVERED))
        person.press("+", "+")


def test_two_fingers_zoom_and_one_moves(at: Any) -> None:
    person = opened(at, size=PHONE, has_touch=True)
    page = person.page
    touch = person.context.new_cdp_session(page)

    def fingers(kind: str, *points: tuple[int, int]) -> None:
        found = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": found})

    fingers("touchStart", (180, 420), (220, 420))
    for apart in range(30, 110, 10):
        fingers("touchMove", (200 - apart, 420), (200 + apart, 420))
    fingers("touchEnd")
    assert scale(page) == pytest.approx(5, abs=0.3)
    _, x, _ = page.evaluate(SCALE)
    fingers("touchStart", (200, 420))
    fingers("touchMove", (180, 420))
    fingers("touchMove", (150, 430))
    fingers("touchEnd")
    _, moved, _ = page.evaluate(SCALE)
    assert moved - x == pytest.approx(-50, abs=2)


@pytest.mark.parametrize("size", first_of([PHONE], [DESKTOP], "at a desk too"), ids=["phone", "desktop"])
def test_everybody_can_use_it(at: Any, size: tuple[int, int]) -> None:
    person = opened(at, size=size, bypass_csp=True, reduced_motion="reduce")
    page = person.page
    person.press("j")
    page.evaluate(AXE)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        found = page.evaluate("rules => axe.run(document, {runOnly: rules})", RULES)
        assert [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found["violations"]] == []
    assert page.evaluate(SMALL, 44 if size == PHONE else 24) == []


def test_without_single_keys_arrows_and_buttons_do_it_all(at: Any) -> None:
    person: Person = at("trajectories")
    page = person.page
    page.evaluate("localStorage.setItem('single-key-shortcuts', 'off')")
    page.get_by_role("button", name="Large").click()
    page.get_by_role("button", name="Larger").click()
    page.locator(".stage").focus()
    person.press("+", "m", "j")
    assert scale(page) == 1.5
    expect(page.locator(".drawn").first).to_be_visible()
    _, before, _ = page.evaluate(SCALE)
    person.press("ArrowRight")
    assert page.evaluate(SCALE)[1] < before
