"""The displays in a real browser: marks lie where they should, steps are walked, and everything can be reached."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import axe_playwright_python  # type: ignore[import-untyped]
import pytest
from playwright.sync_api import Page, Route, expect

import assay.web
from assay.web.headers import POLICY
from assay.web.static_files import STYLE, scripts, style
from assay.words import ENGLISH
from tests.browser.conftest import DESKTOP, PHONE, NewContext, until, until_none
from tests.displays.blocks import HOSTILE, PICTURE, block, html_of
from tests.selection import first_of

pytestmark = pytest.mark.browser

STATIC = Path(assay.web.__file__).parent / "static"
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
HOME = "http://displays.test"
SCENE = '<svg xmlns="http://www.w3.org/2000/svg" width="960" height="600"><rect width="960" height="600"/></svg>'
WIRE = """import { pressLetter, wireKinds } from "/static/kinds.js";
import { walk, wirePlaces } from "/static/places.js";
const content = document.getElementById("content");
wirePlaces(content);
wireKinds({ form: document.getElementById("judge"), content, signal: new AbortController().signal });
const marks = { walk, zoom: () => pressLetter("z"), toggleMarks: () => pressLetter("m") };
Object.assign(window, { marks });"""
SHELL = """<!doctype html><html lang="en" dir="{direction}"><head><meta charset="utf-8"><title>Displays</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/static/assay.css"><link rel="stylesheet" href="/static/judging.css">
<link rel="stylesheet" href="/static/kinds.css">
{scripts}<script type="module" src="/wire.js"></script></head><body class="judging">
<header class="bar"><span>A study</span></header><main><form id="judge">
<div class="content" id="content" tabindex="0" role="region" aria-labelledby="heading">
<h1 id="heading" tabindex="-1">Item 1 of 1</h1>{body}</div>
<div class="questions"><button type="button" id="question">A question</button></div></form></main>
<script type="application/json" id="words">{words}</script></body></html>"""
SCRIPTS = "".join(f'<script type="module" src="/static/{name}"></script>' for name in scripts())
CENTRE = """([name, part]) => {
  const box = document.querySelector(`.drawn[data-of-place="${name}"] ${part}`).getBoundingClientRect();
  const image = document.querySelector("img").getBoundingClientRect();
  return [box.x + box.width / 2 - image.x, box.y + box.height / 2 - image.y, image.width / 960];
}"""
STRENGTH = "name => getComputedStyle(document.querySelector(`.drawn[data-of-place='${name}']`)).opacity"
AT_REST = """() => new Promise((done) => {
  const view = document.querySelector(".viewport");
  let [before, frames] = [view.scrollLeft, 0];
  const look = () => {
    frames = view.scrollLeft === before ? frames + 1 : 0;
    before = view.scrollLeft;
    if (frames === 10) done(before);
    else requestAnimationFrame(look);
  };
  look();
})"""
WIDTHS = "[document.documentElement.scrollWidth, innerWidth]"
# What a person may press or read must lie within the page, if not within a box that scrolls by itself.
CUT_OFF = """[...document.querySelectorAll("#content button, #content summary, #content p, #content li, #content td")]
  .filter((each) => each.getClientRects().length && !each.closest(".unseen, .cells-box"))
  .filter((each) => { const box = each.getBoundingClientRect(); return box.left < 0 || box.right > innerWidth + 0.5; })
  .map((each) => each.outerHTML.slice(0, 80))"""
SMALL = """[...document.querySelectorAll("#content button, #content summary")]
  .filter((each) => each.getClientRects().length)
  .filter((each) => { const box = each.getBoundingClientRect(); return box.width < 24 || box.height < 24; })
  .map((each) => each.outerHTML.slice(0, 80))"""


def step(operation: str, result: str = "", **arguments: Any) -> dict[str, Any]:
    return {"operation": operation, "arguments": arguments, "result": result}


FIRST = [
    step("POINT", "sky", x=100, y=100),
    step("READ", "HOTEL", x1=400, y1=200, x2=600, y2=260),
    step("OUTLINE", "roof", points=[[700, 300], [900, 300], [800, 500]]),
    step("POINT", "nothing", x=2000, y=300),
    *[step("POINT", f"window {number}", x=480, y=300 + number) for number in range(6)],
    step("FINAL_ANSWER", "A hotel"),
]
SECOND = [step("POINT", "door", x=102, y=103), step("ZOOM", HOSTILE * 20, box=[10, 400, 200, 590])]


def trajectories() -> str:
    """A picture with the steps of two candidates below it."""
    shown = {"file": PICTURE, "_candidates": [{"trace": FIRST}, {"trace": SECOND}]}
    steps = block("steps", {"field": "trace", "answer": "final", "label": "How the answer was reached"})
    sides = [
        html_of(steps, {"trace": trace, "final": "A hotel"}, side) for trace, side in ((FIRST, "A"), (SECOND, "B"))
    ]
    return html_of(block("image", {"field": "file", "marks": "trace", "label": "The picture"}), shown) + "".join(sides)


def conversation() -> str:
    chat = block(
        "chat", {"field": "log", "turns": {"u": "Driver", "s": "Assistant"}, "last": "now", "last_speaker": "Driver"}
    )
    log = [{"u": "word " * 15, "s": "Sure, " * 14 + "done."} for _ in range(9)] + [{"u": "x" * 300, "s": HOSTILE}]
    return html_of(chat, {"log": log, "now": "And now?"})


def tables() -> str:
    rows = [{"name": "Hotel with a name", "price": 120, "note": "a long note " * 9, "more": "x" * 120}] * 3
    words = block("text", {"field": "text", "chips": True, "label": "The reply"})
    said = html_of(words, {"text": "a [restaurant_name] in the [restaurant_area_of_the_town] " * 5})
    shown = [
        html_of(block("table", {"field": "a", "label": f"Table {n}"}), {"a": value})
        for n, value in enumerate((rows, rows[0], ["x y"]))
    ]
    return said + "".join(shown)


Open = Callable[..., Page]


@pytest.fixture
def opened(new_context: NewContext) -> Iterator[Open]:
    """Opens blocks on a page with the server's own policy. What the browser complains about fails the test."""

    trouble: list[str] = []

    def open_page(body: str, size: tuple[int, int] = DESKTOP, direction: str = "ltr", **settings: Any) -> Page:
        page = new_context(size, **settings).new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        words = json.dumps(ENGLISH.on_the_page())
        shell = SHELL.format(body=body, direction=direction, words=words, scripts=SCRIPTS)

        def answer(route: Route) -> None:
            path = route.request.url.removeprefix(HOME)
            headers = {"content-security-policy": POLICY}
            if path == f"/static/{STYLE}":
                route.fulfill(body=style().content, content_type="text/css", headers=headers)
            elif path.startswith("/static/"):
                name = path.removeprefix("/static/")
                route.fulfill(path=scripts().get(name, STATIC / name), headers=headers)
            elif path.startswith("/picture/"):
                route.fulfill(body=SCENE, content_type="image/svg+xml")
            elif path == "/wire.js":
                route.fulfill(body=WIRE, content_type="text/javascript")
            else:
                route.fulfill(body=shell, content_type="text/html", headers=headers)

        page.route(f"{HOME}/**", answer)
        page.goto(f"{HOME}/")
        until(page, lambda: page.evaluate("'marks' in window"))
        return page

    yield open_page
    assert trouble == []


def said(page: Page) -> str:
    return str(page.locator(".unseen").inner_text()).strip()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("zoom", [1, 2])
def test_a_mark_lies_where_its_coordinates_say(opened: Open, size: tuple[int, int], zoom: int) -> None:
    page = opened(trajectories(), size)
    fitted = page.locator("img").bounding_box()
    if zoom > 1:
        page.evaluate("marks.zoom()")
    places = {"A1": (".dot", 100, 100), "A2": (".line", 500, 230), "A3": (".line", 800, 400)}
    places |= {"B1": (".line", 102, 103), "B2": (".line", 105, 495)}
    for name, (part, x, y) in places.items():
        across, down, scale = page.evaluate(CENTRE, [name, part])
        assert (across, down) == (pytest.approx(x * scale, abs=2), pytest.approx(y * scale, abs=2)), name
    edge = "document.querySelector('.drawn[data-of-place=A4] .dot').getBoundingClientRect().right"
    border = "document.querySelector('img').getBoundingClientRect().right"
    assert page.evaluate(edge) == pytest.approx(page.evaluate(border), abs=2), "an arrow points to what lies outside"
    assert fitted is not None
    assert page.evaluate(CENTRE, ["A1", ".dot"])[2] * 960 == pytest.approx(fitted["width"] * zoom, abs=1)


def test_the_step_at_hand_stands_out_and_the_others_step_back(opened: Open) -> None:
    page = opened(trajectories(), reduced_motion="reduce")
    assert [page.evaluate(STRENGTH, name) for name in ("A1", "A2", "B1")] == ["1", "1", "1"]
    page.locator("[data-place=A2]").focus()
    assert [page.evaluate(STRENGTH, name) for name in ("A1", "A2", "B1")] == ["0.12", "1", "0.12"]
    page.locator("[data-place=B1]").hover()
    assert [page.evaluate(STRENGTH, name) for name in ("A1", "A2", "B1")] == ["0.12", "0.12", "1"]
    page.locator("#question").hover()
    assert page.evaluate(STRENGTH, "A2") == "1", "the focus has not moved"
    page.locator("[data-place=A11]").focus()
    assert page.evaluate(STRENGTH, "B1") == "1", "this one has no place"
    page.locator("#question").focus()
    assert page.evaluate(STRENGTH, "B1") == "1"


def test_steps_are_walked_and_announced(opened: Open) -> None:
    page = opened(trajectories())
    assert page.evaluate("marks.walk(1)") is True
    expect(page.locator("[data-place=A1]")).to_be_focused()
    assert said(page) == "A1, POINT 100, 100: sky"
    page.evaluate("marks.walk(-1)")
    assert said(page) == "This is the first one."
    for _ in range(3):
        page.evaluate("marks.walk(1)")
    assert said(page) == "A4, POINT 2000, 300, outside the picture: nothing"
    page.locator("#question").focus()
    page.evaluate("marks.walk(-1)")
    expect(page.locator("[data-place=B2]")).to_be_focused()


@pytest.mark.layout
@pytest.mark.parametrize("size", [DESKTOP, PHONE, (720, 450)], ids=["desktop", "phone", "zoomed browser"])
def test_a_step_that_is_gone_to_is_not_hidden_by_the_picture(opened: Open, size: tuple[int, int]) -> None:
    page = opened(trajectories(), size)
    hidden = """() => {
      const step = document.activeElement.getBoundingClientRect();
      const image = document.querySelector(".image").getBoundingClientRect();
      const apart = step.top >= image.bottom - 1 || step.bottom <= image.top + 1;
      return apart && step.bottom <= innerHeight + 1 ? "" : [step.top, step.bottom, image.bottom].join();
    }"""
    for direction in [1] * 13 + [-1] * 12:
        page.evaluate(f"marks.walk({direction})")
        assert page.evaluate(hidden) == ""


def test_turns_are_walked_too(opened: Open) -> None:
    page = opened(conversation())
    page.evaluate("marks.walk(1); marks.walk(1)")
    expect(page.locator("[data-place='turn-2']")).to_be_focused()
    assert said(page) == "Turn 2 of 11"
    assert [page.evaluate(f"marks.{name}()") for name in ("zoom", "toggleMarks")] == [False, False]


def test_where_there_is_nothing_to_walk_nothing_happens(opened: Open) -> None:
    page = opened(tables())
    assert [page.evaluate(f"marks.{name}") for name in ("walk(1)", "walk(-1)", "zoom()")] == [False] * 3


def test_marks_are_hidden_and_shown_again_by_a_button_that_says_which_is_next(opened: Open) -> None:
    page = opened(trajectories())
    button = page.locator("[data-marks]")
    wide = button.evaluate("each => each.offsetWidth")
    page.get_by_role("button", name="Hide marks").click()
    expect(page.locator(".marks")).to_be_hidden()
    assert button.inner_text().split() == ["Show", "marks", "M"]
    page.get_by_role("button", name="Show marks").click()
    expect(page.locator(".marks")).to_be_visible()
    page.evaluate("marks.toggleMarks()")
    expect(page.get_by_role("button", name="Show marks")).to_be_visible()
    assert button.evaluate("each => each.offsetWidth") == wide, "what stands beside it stays in its place"


HIDES = """() => {
  const box = (each) => each.getBoundingClientRect();
  const upon = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left))
    * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const boxes = [...document.querySelectorAll(".drawn rect.line:not(.ring, [class*=around])")].map(box);
  return [...document.querySelectorAll(".label")].filter((label) => {
    const plate = box(label.querySelector(".plate"));
    return boxes.some((each) => upon(plate, each) > 0.05 * each.width * each.height);
  }).map((label) => label.dataset.ofPlace);
}"""
UNCLEAR = """() => {
  const apart = (plate, at) => Math.hypot(Math.max(plate.left - at.x, at.x - plate.right, 0),
    Math.max(plate.top - at.y, at.y - plate.bottom, 0));
  const dots = [...document.querySelectorAll(".drawn .dot")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return { name: each.closest(".drawn").dataset.ofPlace, x: x + width / 2, y: y + height / 2 };
  });
  return [...document.querySelectorAll(".label")].filter((label) => {
    const plate = label.querySelector(".plate").getBoundingClientRect();
    const lead = label.querySelector(".lead");
    const own = dots.find((each) => each.name === label.dataset.ofPlace);
    const others = dots.filter((each) => each !== own);
    const led = Math.hypot(lead.x2.baseVal.value, lead.y2.baseVal.value) > 0;
    return !led && others.some((each) => apart(plate, each) <= apart(plate, own));
  }).map((label) => label.dataset.ofPlace);
}"""


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_labels_keep_out_of_what_is_marked_where_there_is_room(opened: Open, size: tuple[int, int]) -> None:
    first = [step("READ", "COFFEE", box=[430, 300, 530, 350]), step("POINT", "lid", x=470, y=322)]
    second = [step("READ", "TEA", box=[300, 300, 400, 350]), step("READ", "COFFEE", box=[431, 301, 529, 349])]
    shown = {"file": PICTURE, "_candidates": [{"trace": first}, {"trace": second}]}
    page = opened(html_of(block("image", {"field": "file", "marks": "trace"}), shown), size)
    expect(page.locator(".label")).to_have_count(4)
    until_none(page, lambda: page.evaluate(HIDES))


def test_a_line_leads_from_a_label_to_its_mark_where_another_mark_is_as_near(opened: Open) -> None:
    first = [step("POINT", "x", x=x, y=y) for x, y in ((200, 200), (263, 226), (347, 200), (302, 178), (287, 240))]
    shown = {"file": PICTURE, "_candidates": [{"trace": first}, {"trace": []}]}
    page = opened(html_of(block("image", {"field": "file", "marks": "trace"}), shown))
    expect(page.locator(".label")).to_have_count(5)
    until_none(page, lambda: page.evaluate(UNCLEAR))
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate(UNCLEAR) == []


def test_escape_leads_back_from_a_zoomed_picture_and_the_buttons_name_the_keys(opened: Open) -> None:
    page = opened(trajectories())
    zoom, factor = page.locator("button[data-zoom]"), page.locator(".tools .factor")
    assert page.locator("[data-large]").inner_text().split() == ["Large", "Z", "Z"]
    page.locator("[data-place=A2]").focus()
    page.evaluate("marks.zoom()")
    expect(factor).to_have_text("200 %")
    assert zoom.inner_text().split()[-1] == "Esc"
    assert page.locator("[data-large]").inner_text().split() == ["Large", "Z"]
    page.keyboard.press("Escape")
    expect(factor).to_have_text("100 %")
    expect(page.locator("[data-place=A2]")).to_be_focused()
    page.evaluate("marks.zoom(); marks.walk(1)")
    expect(page.locator("[data-place=A3]")).to_be_focused()
    page.keyboard.press("Escape")
    expect(factor, "also where a step has the focus").to_have_text("100 %")
    zoom.click()
    zoom.click()
    expect(factor).to_have_text("100 %")


def test_a_zoomed_picture_keeps_its_box_and_is_moved_by_keys_and_by_the_mouse(opened: Open) -> None:
    page = opened(trajectories(), reduced_motion="reduce")
    view = page.locator(".viewport")
    page.locator("[data-place=A2]").focus()
    before = view.bounding_box()
    page.evaluate("marks.zoom()")
    expect(view).to_be_focused()
    assert view.bounding_box() == before
    assert said(page) == "Zoom 200 %, arrow keys move the picture, Escape leads back"
    assert page.evaluate(STRENGTH, "A1") == "0.12", "the step at hand still stands out"
    place = "document.querySelector('.viewport').scrollLeft"
    start = page.evaluate(place)
    page.keyboard.press("ArrowRight")
    until(page, lambda: page.evaluate(place) > start)
    moved = page.evaluate(AT_REST)
    assert before is not None
    page.mouse.move(before["x"] + 200, before["y"] + 100)
    page.mouse.down()
    page.mouse.move(before["x"] + 260, before["y"] + 100)
    page.mouse.up()
    assert page.evaluate(place) == pytest.approx(moved - 60, abs=2)
    page.mouse.move(before["x"] + 300, before["y"] + 100)
    assert page.evaluate(place) == pytest.approx(moved - 60, abs=2), "it was let go"
    page.evaluate("marks.walk(1)")
    expect(page.locator("[data-place=A3]")).to_be_focused()
    page.set_viewport_size({"width": 1439, "height": 900})
    expect(view, "another width begins at the size that fits").not_to_have_attribute("tabindex", "0")
    expect(page.locator("[data-place=A3]")).to_be_focused()
    page.set_viewport_size({"width": 1440, "height": 900})
    until(page, lambda: view.bounding_box() == before)


@pytest.mark.layout
def test_another_width_begins_at_the_size_that_fits(opened: Open) -> None:
    page = opened(trajectories())
    page.get_by_role("button", name="Zoom").click()
    expect(page.locator(".tools .factor")).to_have_text("200 %")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".tools .factor")).to_have_text("100 %")
    assert page.evaluate(WIDTHS) == [390, 390]


def test_a_picture_that_does_not_load_says_so_and_can_be_asked_for_again(opened: Open) -> None:
    page = opened(trajectories())
    page.route(f"{HOME}/picture/**", lambda route: route.abort())
    page.reload()
    trouble = page.get_by_text("The picture did not load.")
    expect(trouble).to_be_visible()
    expect(page.locator(".viewport")).to_be_hidden()
    page.unroute(f"{HOME}/picture/**")
    page.get_by_role("button", name="Retry").click()
    expect(trouble).to_be_hidden()
    expect(page.locator("img")).to_be_visible()


@pytest.mark.layout
def test_ten_turns_of_thirty_words_need_no_scrolling(opened: Open) -> None:
    chat = block("chat", {"field": "log", "turns": {"u": "Driver", "s": "Assistant"}})
    asked = "please take me to the opera house by the old harbour and avoid all toll roads"
    page = opened(html_of(chat, {"log": [{"u": asked, "s": f"{asked}, I see"}] * 10}))
    box = page.locator(".turns").bounding_box()
    assert box is not None
    assert box["height"] <= 780


@pytest.mark.layout
@pytest.mark.parametrize("body", [trajectories, conversation, tables])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_everything_can_be_reached_at_every_size(opened: Open, body: Callable[[], str], direction: str) -> None:
    page = opened(body(), direction=direction)
    for width, height in [(320, 640), PHONE, (720, 450), DESKTOP]:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(WIDTHS) == [width, width]
        assert page.evaluate(CUT_OFF) == []
        assert page.evaluate(SMALL) == []


@pytest.mark.parametrize("body", [trajectories, conversation, tables])
@pytest.mark.parametrize("size", first_of([DESKTOP], [PHONE], "on a phone too"), ids=["desktop", "phone"])
def test_every_display_can_be_used_by_everybody(opened: Open, body: Callable[[], str], size: tuple[int, int]) -> None:
    page = opened(body(), size, bypass_csp=True, reduced_motion="reduce")
    page.evaluate(AXE)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        found: Any = page.evaluate("rules => axe.run({runOnly: rules, resultTypes: ['violations']})", RULES)
        wrong = [f"{each['id']}: {node['failureSummary']}" for each in found["violations"] for node in each["nodes"]]
        assert wrong == [], theme
