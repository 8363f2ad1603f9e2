"""Where things lie on the judging page of every template: at a desk, enlarged, on a phone, from right to left."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tools import fit

from assay.items.reader import read_items
from assay.model import Item
from assay.web.pages import Pages
from tests.browser.conftest import DESKTOP, OPEN, PHONE, Live, NewContext, Person, choose, until
from tests.browser.fonts import NOT_WIDE
from tests.selection import first_of, on_templates

pytestmark = [pytest.mark.browser, pytest.mark.layout]

ZOOMED, NARROW = (720, 450), (320, 640)
PAGES = Pages()

# Answers that are shown and do not lie wholly within their panel and the window.
OUTSIDE = """() => [...document.querySelectorAll(".option, .tag, textarea, #submit")].filter(each => {
  const box = each.getBoundingClientRect();
  const panel = (each.closest(".questions") ?? document.documentElement).getBoundingClientRect();
  const inside = box.left >= Math.max(0, panel.left) && box.right <= Math.min(innerWidth, panel.right)
    && box.top >= panel.top - 1 && box.bottom <= panel.bottom + 1 && box.bottom <= innerHeight;
  return box.width > 0 && !inside;
}).map(each => each.textContent.trim() || each.name)"""
# Controls that leave the window sideways, and whatever can be scrolled that way.
SIDEWAYS = """() => [...document.querySelectorAll("a, button, .option, .tag, textarea, summary, .prose, .says, h2")]
  .filter(each => {
    const box = each.getBoundingClientRect();
    return box.width > 1 && (box.left < -0.5 || box.right > innerWidth + 0.5) && !each.closest("dialog, .cells-box");
  }).map(each => each.outerHTML.slice(0, 90))
  .concat([document.documentElement, content, questions].filter(each => each.scrollWidth > each.clientWidth)
    .map(each => `${each.id || "page"} ${each.scrollWidth}`))"""
SMALL = """least => [...document.querySelectorAll("button, .option, .tag, textarea, summary, .bar a")].filter(each => {
  const box = each.getBoundingClientRect();
  return box.width > 0 && !each.closest("dialog") && (box.height < least - 0.5 || box.width < 24);
}).map(each => `${each.textContent.trim()} ${each.getBoundingClientRect().height}`)"""
# Texts that do not fit into their own box, though nothing there scrolls.
CUT = """() => [...document.querySelectorAll("#judge *, .bar *")].filter(each => {
  if (each.closest(".unseen, .rubrics, svg, .viewport") || !each.getClientRects().length) return false;
  const style = getComputedStyle(each);
  const [across, down] = [style.overflowX, style.overflowY].map(value => ["hidden", "clip"].includes(value));
  if (style.clipPath !== "none" || each.closest(".sheet:not(.open) > :is(.questions, .send)")) return false;
  const wide = each.scrollWidth > each.clientWidth + 1 && across && each.title !== each.textContent;
  return wide || (down && each.scrollHeight > each.clientHeight + 1);
}).map(each => each.outerHTML.slice(0, 90))"""
# Neighbours whose texts lie on one another.
OVERLAPPING = """() => [...document.querySelectorAll(".question, .options, .send, .bar, .handle")]
  .flatMap(group => {
    const parts = [...group.children].map(each => [each, each.getBoundingClientRect(), getComputedStyle(each)])
      .filter(([, box, style]) => box.width > 1 && box.height > 1 && style.position !== "absolute");
    return parts.flatMap(([one, a], index) => parts.slice(index + 1)
      .filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
      .map(([other]) => `${one.textContent.trim()} | ${other.textContent.trim()}`));
  })"""
STUCK = """() => [...document.querySelectorAll("body *")].filter(each => !each.closest("dialog, [hidden]")
  && ["sticky", "fixed"].includes(getComputedStyle(each).position)).map(each => each.outerHTML.slice(0, 90))"""
# Whether 200 px of content or one whole question can be seen.
SOMETHING_WHOLE = """() => {
  const seen = each => { const box = each.getBoundingClientRect();
    return Math.min(box.bottom, innerHeight) - Math.max(box.top, 0); };
  return seen(document.getElementById("content")) >= 200
    || [...document.querySelectorAll(".question")].some(each => seen(each) >= each.offsetHeight);
}"""
# The focused control, if it is not to be seen: out of the window, or under something that stays in place.
HIDDEN_FOCUS = """() => {
  const focused = document.activeElement;
  const shown = focused.closest(".option, .tag") ?? focused;
  if (shown.id === "content" || shown === document.body || shown.matches("h1, fieldset")) return "";
  const box = shown.getBoundingClientRect();
  const on = document.elementFromPoint(box.left + box.width / 2, Math.min(box.top + 12, box.bottom - 2));
  return on && (shown.contains(on) || on.contains(shown)) ? "" : shown.outerHTML.slice(0, 90);
}"""
# The links to what is missing that are seen, with all of their words, in the one line above Submit.
IN_THE_LINE = """links => links.filter(each => each.getBoundingClientRect().width > 1)
  .map(each => each.textContent.trim())"""
MOVING = """() => [...document.querySelectorAll("*")].filter(each => {
  const style = getComputedStyle(each);
  return style.transitionDuration !== "0s" || style.animationName !== "none";
}).length"""
SPOIL = (
    """css => { const sheet = new CSSStyleSheet(); sheet.replaceSync(css); document.adoptedStyleSheets = [sheet]; }"""
)


def samples(person: Person) -> list[Item]:
    """The items that come with the template."""
    study, folder = person.live.study, person.live.bench.folder
    return [each.item for each in read_items(study, folder / study.items.source) if each.item is not None]


def show(person: Person, shown: dict[str, Any]) -> list[int]:
    """Put another item on the page; how far it then can be scrolled."""
    return fit.show(person.page, person.live.study, shown)


def turn_round(page: Page, direction: str) -> None:
    page.evaluate("direction => { document.documentElement.dir = direction; }", direction)


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def box(page: Page, selector: str) -> dict[str, float]:
    found = page.locator(selector).first.bounding_box()
    assert found, selector
    left, top, width, height = found["x"], found["y"], found["width"], found["height"]
    return {"x": left, "y": top, "width": width, "height": height, "right": left + width, "bottom": top + height}


# --- At a desk: 1440 by 900 -----------------------------------------------------------------------------------------


@on_templates("route-planning", of=["route-planning", "dialog-pairs", "trajectories"])
def test_no_sample_needs_scrolling_at_a_desk(at: Any, name: str) -> None:
    person = at(name)
    found = {item.id: show(person, item.shown) for item in samples(person)}
    assert len(found) > 15
    assert {item: over for item, over in found.items() if any(over)} == {}


def test_that_two_are_identical_is_said_above_both_of_them(at: Any) -> None:
    person = at("trajectories")
    found = [each for each in samples(person) if each.shown["_candidates"][0] == each.shown["_candidates"][1]]
    assert not any(show(person, found[0].shown))
    said, pair, side = (box(person.page, each) for each in (".same", ".pair", ".side"))
    assert said["bottom"] <= side["y"]
    assert said["width"] > 0.95 * pair["width"]


def test_on_a_large_screen_the_picture_takes_what_the_steps_leave(at: Any) -> None:
    person = at("trajectories", (1920, 1080))
    found = {item.id: show(person, item.shown) for item in samples(person)}
    assert {item: over for item, over in found.items() if any(over)} == {}
    assert box(person.page, ".viewport")["width"] > 0.36 * 1920
    # Each side still stands above its own questions.
    for part in (1, 2):
        side = box(person.page, f".side:nth-of-type({part})")
        asked = box(person.page, f".sides > .part:nth-child({part})")
        assert side["x"] == pytest.approx(asked["x"], abs=2)


def test_only_long_texts_need_scrolling_and_never_the_questions(at: Any) -> None:
    person = at("empathy")
    found = [(item.words, show(person, item.shown)) for item in samples(person)]
    assert [over for words, over in found if over[1] or (words < 240 and over[0])] == []


@on_templates("in-car", of=["in-car", "route-planning", "dialog-pairs", "empathy", "trajectories"])
def test_most_samples_need_no_scrolling_on_a_small_desk_either(at: Any, name: str) -> None:
    person = at(name, (1366, 768))
    found = [show(person, item.shown) for item in samples(person)]
    assert sum(not any(over) for over in found) >= fit.LEAST * len(found), [over for over in found if any(over)]
    assert person.page.evaluate(CUT) == []
    assert person.page.evaluate(SMALL, 24) == []


def test_that_there_is_no_way_back_is_said_when_everything_is_answered(at: Any) -> None:
    person = at("empathy")
    said = person.page.locator(".once")
    expect(said).to_be_hidden()
    person.press("3", "3", "3", "3", "3")
    expect(said).to_be_visible()
    expect(person.page.locator(".hint:visible")).to_have_count(1)
    assert box(person.page, ".told")["height"] < 44, "two lines"


SAYINGS = (
    "take me there now",
    "is it open late",
    "not that one please",
    "how far is the next charger",
    "read me the message again",
    "make it a little warmer",
    "and avoid the toll roads",
    "what about the weather tomorrow",
    "I would rather stop for lunch on the way",
    "it should have a car park",
)
GOALS = (
    "Find a bakery",
    "Read the newest message aloud",
    "Reach the old bridge before the market closes",
    "Set the cabin to twenty degrees",
    "Find a charger on the way with a free place",
    "Add a stop at a florist",
    "Check whether the museum by the harbour opens on Mondays",
    "Avoid ferries",
    "Ask for the fastest way to the valley station without using toll roads",
)


def conversations() -> Iterator[dict[str, Any]]:
    """37 of them, as long as the real ones: 87-325 words, 4-10 turns, 3-11 goals, medians 191, 7 and 6."""
    rng = Random(37)

    def between(low: int, middle: int, high: int, at: float) -> int:
        at = min(1, max(0, at))
        return round(low + (middle - low) * at * 2 if at < 0.5 else middle + (high - middle) * (at - 0.5) * 2)

    def said(words: int) -> str:
        return " ".join(" ".join(rng.choice(SAYINGS) for _ in range(words)).split()[:words]).capitalize() + "."

    for number in range(37):
        at = number / 36
        words, turns = between(87, 191, 325, at), between(4, 7, 10, at + rng.uniform(-0.1, 0.1))
        ends = [round(words * each / (2 * turns) + rng.uniform(-4, 4)) for each in range(1, 2 * turns)]
        says = [said(max(1, end - start)) for start, end in zip([0, *ends], [*ends, words], strict=True)]
        goals = [
            {"id": f"g{each}", "text": rng.choice(GOALS)}
            for each in range(between(3, 6, 11, at + rng.uniform(-0.15, 0.15)))
        ]
        turned = [{"user": user, "system": system} for user, system in zip(says[::2], says[1::2], strict=True)]
        yield {"turns": turned, "goals": goals}


def test_conversations_as_long_as_the_real_ones_need_no_scrolling(at: Any) -> None:
    person = at("in-car")
    made = list(conversations())
    words = sorted(
        len(" ".join(turn["user"] + " " + turn["system"] for turn in each["turns"]).split()) for each in made
    )
    assert [words[0], words[18], words[36]] == [87, 191, 325]
    for group in (made, [item.shown for item in samples(person)]):
        found = [show(person, shown) for shown in group]
        fits = sum(not any(over) for over in found)
        assert fits >= 0.85 * len(found), f"{fits} of {len(found)}; {[over for over in found if any(over)]}"
    show(person, made[18])
    page = person.page
    rows = page.locator(".entries .question").evaluate_all(
        "all => all.map(each => [each.offsetHeight, each.querySelector('legend').offsetHeight])"
    )
    on_one_line = [row for row, legend in rows if legend < 25]
    assert on_one_line
    assert all(28 <= row <= 34 for row in on_one_line), rows
    heads = page.locator(".heads span").evaluate_all("all => all.map(each => each.getBoundingClientRect().x)")
    first = page.locator(".entries .question").first.locator(".option")
    assert heads == pytest.approx(first.evaluate_all("all => all.map(each => each.getBoundingClientRect().x)"), abs=1)


def test_each_answer_lies_under_the_text_that_it_names(at: Any) -> None:
    page = at("dialog-pairs").page
    for direction in ("ltr", "rtl"):
        turn_round(page, direction)
        left, right = (box(page, f".side:nth-of-type({number})") for number in (1, 2))
        assert left["right"] <= right["x"]
        expect(page.locator("fieldset.preference")).to_have_count(2)
        for question in page.locator("fieldset.preference").all():
            name = f"#{question.get_attribute('id')}"
            one, tie, other = (
                box(page, f'{name} .option:has([value="{value}"])') for value in ("left", "tie", "right")
            )
            assert left["bottom"] <= one["y"] <= left["bottom"] + 200, "no empty band between them"
            assert one["y"] == tie["y"] == other["y"]
            assert left["x"] - 1 <= one["x"] < one["right"] <= left["right"] + 1
            assert right["x"] - 1 <= other["x"] < other["right"] <= right["right"] + 1
            assert one["right"] < tie["x"] < tie["right"] < other["x"]


def test_the_message_that_is_answered_takes_the_width_of_its_column(at: Any) -> None:
    page = at("dialog-pairs").page
    # Which dialogue comes first is drawn for each person, and some have no earlier message.
    page.locator(".turn.now").evaluate("""now => {
      const before = now.cloneNode(true);
      before.classList.remove("now");
      now.before(before);
    }""")
    for which in (".turn:not(.now) .says", ".turn.now .says"):
        page.locator(which).first.evaluate("each => { each.textContent = 'so many words '.repeat(40) }")
        assert box(page, ".turns")["right"] - box(page, which)["right"] < 24, which


def test_what_helps_to_decide_between_two_moves_neither_them_nor_the_answers(at: Any) -> None:
    person = at("dialog-pairs")
    page = person.page
    person.press("1")
    parts = ("#content", ".turn.now", ".side", "fieldset.active .options")
    before = [box(page, each) for each in parts]
    person.press("r")
    expect(page.locator("fieldset.active .decide")).to_be_visible()
    assert [box(page, each) for each in parts] == before
    assert page.evaluate(OUTSIDE) == []
    person.press("r")
    assert [box(page, each) for each in parts] == before


def test_what_helps_to_decide_takes_the_room_that_is_left_before_it_scrolls(at: Any) -> None:
    # Which item comes first is drawn anew for each person, and a long one leaves less: all are made alike.
    person = at("dialog-pairs")
    page = person.page
    page.locator(".turns").evaluate("each => { each.style.height = '180px'; each.style.overflow = 'hidden'; }")
    page.locator(".side .prose").evaluate_all("all => all.forEach(each => { each.textContent = 'so many words'; })")
    person.press("r")
    shown = page.locator("fieldset.active .decide")
    until(page, lambda: shown.evaluate("each => each.scrollHeight <= each.clientHeight"))
    whole = box(page, ".send")["bottom"]
    assert 690 < whole <= DESKTOP[1]
    height = int(whole) - 80
    resize(page, (1440, height))
    until(page, lambda: shown.evaluate("each => each.scrollHeight > each.clientHeight"))
    until(page, lambda: box(page, ".send")["bottom"] <= height)
    assert height - box(page, ".send")["bottom"] < 24, "all the room that is left"
    assert box(page, ".side")["bottom"] <= box(page, "#questions")["y"] + 1, "the candidates stay in sight"


def test_what_helps_to_decide_says_that_there_is_more_of_it(at: Any) -> None:
    person = at("trajectories")
    page = person.page
    person.press("r")
    shown = page.locator("fieldset.active .decide")
    more = shown.get_by_text("More below")
    expect(more).to_be_visible()
    below = box(page, ".sided > .part")["y"]
    assert below - 24 <= box(page, "fieldset.active .decide")["bottom"] <= below, "down to what is asked of both"
    person.press("PageDown", "PageDown")
    expect(more).to_be_hidden()
    expect(shown.get_by_text("4 or 5")).to_be_in_viewport(ratio=1)


@on_templates("in-car", of=["in-car", "route-planning", "dialog-pairs", "empathy", "trajectories"])
def test_where_columns_scroll_the_page_itself_never_does(at: Any, name: str) -> None:
    person = at(name)
    page = person.page
    high = "[document.documentElement.scrollHeight, scrollY]"
    person.press(*(["0"] if name == "route-planning" else []), "r")
    assert page.evaluate(high) == [DESKTOP[1], 0]
    person.press("PageDown", "PageDown", "g")
    expect(page.locator("#drawer-text")).to_be_focused()
    person.press("PageDown", "PageDown")
    assert page.evaluate(high) == [DESKTOP[1], 0]


def test_two_that_are_judged_each_stand_over_their_own_questions_beside_the_picture(at: Any) -> None:
    person = at("trajectories")
    page = person.page
    picture, first, second = (box(page, each) for each in (".image", ".side:nth-of-type(1)", ".side:nth-of-type(2)"))
    assert 380 <= picture["width"] <= 480
    assert picture["right"] <= first["x"] < first["right"] <= second["x"]
    for direction in ("rtl", "ltr"):
        turn_round(page, direction)
        for side, number in (("left", 1), ("right", 2)):
            place = box(page, f".side:nth-of-type({number})")
            for dimension in ("coherence", "efficiency", "thoroughness", "correctness"):
                row = box(page, f'[id="q-{dimension}.{side}"]')
                assert place["x"] - 20 <= row["x"] < row["right"] <= place["right"] + 20, "under its own side"
                assert row["y"] >= place["bottom"]
                assert row["height"] <= 48, "one line"
    rubric = box(page, ".rubric.on")
    assert rubric["right"] <= first["x"]
    assert rubric["y"] >= picture["bottom"]
    expect(page.locator(".rubric.on")).to_contain_text("Very incoherent")
    below = [box(page, f"#q-{name}") for name in ("preference", "confidence", "comment")]
    assert below[0]["x"] < below[1]["x"] < below[2]["x"]
    assert max(each["y"] for each in below) - min(each["y"] for each in below) < 8, "one row"
    assert below[0]["y"] > box(page, '[id="q-correctness.right"]')["y"]
    person.press("2", "2", "2", "2", "2", "2")
    expect(page.locator(".rubric.on")).to_contain_text("Does the final answer match")
    expect(page.locator(".revealed")).to_be_visible()
    assert box(page, ".revealed")["bottom"] <= picture["y"] + 1, "beside what is asked, over the picture"
    many = [{"steps": [{"operation": "LOOK", "result": "a wall"}] * 40, "answer": "A wall"}] * 2
    assert show(person, {**samples(person)[0].shown, "_candidates": many})[0] > 400
    page.evaluate("content.scrollTop = 400")
    assert box(page, "#content")["y"] - 1 <= box(page, ".image img")["y"] <= picture["y"], "the picture stays in view"


def test_the_turn_that_a_goal_belongs_to_is_tinted_while_it_is_open(at: Any) -> None:
    page = at("in-car").page
    for _ in range(16):
        goals = page.locator(".entries .question[data-of-place]")
        if goals.count():
            break
        page.keyboard.type("1111")
        page.keyboard.press("Enter")
    goals.first.focus()
    expect(page.locator(".turn.tinted")).to_have_count(1)
    expect(page.locator(".turn.tinted")).to_have_attribute(
        "data-place", str(goals.first.get_attribute("data-of-place"))
    )
    page.locator("fieldset.question").first.focus()
    expect(page.locator(".turn.tinted")).to_have_count(0)


def test_rows_and_texts_are_larger_where_there_is_room_and_only_as_long_as_nothing_has_to_be_scrolled(at: Any) -> None:
    person = at("route-planning", (1440, 1000))
    page = person.page
    short, long = ({**samples(person)[0].shown, "response": "word " * count} for count in (30, 330))
    row = "document.querySelector('.question.scale .option').offsetHeight"
    text = "getComputedStyle(document.querySelector('.prose')).fontSize"

    def sizes() -> list[Any]:
        found: list[Any] = page.evaluate(f"[{row}, {text}]")
        return found

    assert show(person, short) == [0, 0, 0]
    ample = sizes()
    assert ample[1] == "19px"
    assert show(person, long) == [0, 0, 0]
    assert sizes()[0] == ample[0], "answers lie where they lay, whatever the text"
    assert float(sizes()[1].removesuffix("px")) < 19
    resize(page, (1440, 700))
    until(page, lambda: page.evaluate(f"{row} < {ample[0]}"))
    assert show(person, short)[1] == 0
    assert sizes() == [24, "18px"], "and smaller ones before anything has to be scrolled"


def test_on_a_large_screen_the_text_stands_beside_a_wider_panel(at: Any) -> None:
    person = at("empathy", (1920, 1080))
    page = person.page
    text, panel, last = box(page, ".prose"), box(page, "#questions"), box(page, "#q-overall .options")
    assert 0 <= panel["x"] - text["right"] <= 64
    assert last["right"] - panel["x"] >= 560
    assert abs(text["x"] - (1920 - last["right"])) < 120, "both together stand in the middle"
    assert page.evaluate(OUTSIDE) == []


def test_what_is_judged_stands_beside_its_source_which_scrolls_by_itself(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("items:\n", "items:\n  layout: side_by_side\n", 1)
        file.write_text(text.replace("study: empathy\n", "study: beside\n"), "utf-8")

    person = Person(live.add(tmp_path / "study", edit), new_context(), next(live.names)).begin()
    page = person.page
    item = samples(person)[0].shown
    show(person, {**item, "user_statement": "word " * 2000, "response": "A reply."})
    source, output, panel = (box(page, each) for each in (".source", ".output", "#questions"))
    assert source["right"] <= output["x"] < output["right"] <= panel["x"]
    page.locator("#heading").focus()
    person.press("PageDown")
    assert page.locator(".source").evaluate("each => each.scrollTop") > 100
    assert box(page, ".output .prose")["y"] >= output["y"], "the reply stays"
    assert page.evaluate("[content.scrollTop, questions.scrollTop]") == [0, 0]
    assert page.evaluate(OUTSIDE) + page.evaluate(SIDEWAYS) == []
    for size in ((1440, 900), (1600, 900), (1920, 1080), (2560, 1440)):
        resize(page, size)
        seen = []
        for words in ("Short.", "word " * 2000):
            show(person, {**item, "user_statement": words, "response": "A reply."})
            seen.append([(each["x"], each["right"]) for each in (box(page, ".source"), box(page, ".output"))])
        (left, end), (start, right) = seen[0]
        assert seen[1] == seen[0], f"{size}: the columns stay where they are, whatever the texts"
        assert end - left == pytest.approx(right - start, abs=1), size
        assert end <= start <= end + 24, size
        assert 0 < box(page, "#questions")["x"] - right <= 64, size
        assert page.evaluate(SIDEWAYS) == [], size
    resize(page, (1024, 768))
    assert box(page, ".output")["y"] >= box(page, ".source")["bottom"], "one under the other where there is no room"
    assert person.trouble == []


def test_what_is_cut_off_says_that_there_is_more_until_the_end_is_reached(at: Any) -> None:
    person = at("empathy", (1280, 640))
    page = person.page
    show(person, {**samples(person)[0].shown, "response": "word " * 900})
    page.evaluate(
        "import('/static/more_below.js').then(({ tellOfMore }) => tellOfMore(judge, new AbortController().signal))"
    )
    more = page.locator("#content > .more button")
    expect(more).to_have_text("More below")
    expect(more).to_be_visible()
    before = page.evaluate(fit.SCROLLS)
    more.click()
    assert page.evaluate("content.scrollTop") > 300
    page.evaluate("content.scrollTop = 1e6")
    expect(more).to_be_hidden()
    assert page.evaluate(fit.SCROLLS) == before, "the word takes no room"
    show(person, {**samples(person)[0].shown, "response": "word"})
    expect(more).to_be_hidden()


@on_templates("in-car", "trajectories")
def test_in_a_guide_headings_are_the_smaller_the_deeper_they_stand(at: Any, name: str) -> None:
    person = at(name)
    person.press("g")
    expect(person.page.locator("#drawer .guide").first).to_be_visible()
    size = "all => all.map(each => parseFloat(getComputedStyle(each).fontSize))"
    sizes = [person.page.locator(f"#drawer .guide > {tag}").evaluate_all(size) for tag in ("h2", "h3", "p")]
    section, part, text = (set(found) for found in sizes)
    assert min(section) > max(part) >= max(text)


@on_templates("in-car", "trajectories")
def test_the_name_of_the_study_is_one_line_and_whole_in_its_title(at: Any, name: str) -> None:
    page = at(name).page
    for words in (None, "A study whose name has so many words that no bar of any window has room for all of them"):
        if words:
            page.evaluate(
                "words => { study = document.querySelector('.study'); study.textContent = study.title = words }", words
            )
        shown = page.locator(".bar .study")
        assert box(page, ".bar .study")["height"] < 20, "one line"
        expect(shown).to_have_attribute("title", shown.text_content() or "")
        assert box(page, ".bar")["height"] <= 49
        assert page.evaluate(OVERLAPPING) + page.evaluate(SIDEWAYS) == []


def test_the_bar_is_one_line_and_what_is_said_of_saving_has_its_own_place(at: Any) -> None:
    page = at("in-car").page
    status, menu = (box(page, each) for each in (".bar .status", ".bar .menu"))
    for words in ("Saved", "Offline: 12 answers kept on this device", "Not submitted: please look at this item again"):
        page.locator("#status").evaluate("(each, words) => { each.textContent = words }", words)
        assert box(page, ".bar .status")["right"] == status["right"]
        assert box(page, ".bar .menu") == menu, "nothing beside it moves"
        assert box(page, ".bar")["height"] <= 49
    resize(page, (1024, 768))
    assert box(page, ".bar")["height"] <= 49
    assert page.evaluate(SIDEWAYS) + page.evaluate(OVERLAPPING) == []


def test_the_name_of_the_study_takes_the_room_that_is_free_in_the_bar(at: Any) -> None:
    person = at("in-car")
    page = person.page
    page.locator("#pace").evaluate("each => { each.textContent = 'Break in about 25 min' }")
    person.press("2")
    expect(page.locator("#status")).to_have_text("Saved")
    name = page.locator(".bar .study")
    assert name.evaluate("each => each.scrollWidth <= each.clientWidth"), "whole beside what is short"
    person.context.set_offline(True)
    person.press("2")
    expect(page.locator("#status")).to_have_text("Offline: 1 answer kept on this device")
    assert box(page, ".bar")["height"] <= 49
    assert box(page, ".bar .status")["height"] < 40, "two lines at most"
    assert page.evaluate(SIDEWAYS) + page.evaluate(OVERLAPPING) == []
    person.context.set_offline(False)
    expect(page.locator("#status")).to_have_text("Saved")
    person.trouble.clear()


def test_the_bar_is_one_line_in_a_language_with_longer_words(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: in-car\n", "study: im-wagen\nlanguage: de\n")
        file.write_text(text, "utf-8")

    german = live.add(tmp_path / "study", edit, "in-car")
    page = Person(german, new_context((1366, 768)), next(live.names)).begin().page
    expect(page.locator("#place")).to_have_text("Aufgabe 1 von 16")
    page.locator("#pace").evaluate("each => { each.textContent = 'Pause in 4 Aufgaben' }")
    for size in ((1440, 900), (1366, 768), (1280, 720), (1024, 768)):
        resize(page, size)
        assert box(page, ".bar")["height"] <= 49, size
        assert page.evaluate(SIDEWAYS) + page.evaluate(OVERLAPPING) == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_stands_beside_submit_is_as_high_whatever_it_says(
    live: Live, new_context: NewContext, tmp_path: Path, language: str
) -> None:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        name = f"beside-{language}"
        text = file.read_text("utf-8").replace("study: empathy\n", f"study: {name}\nlanguage: {language}\n")
        file.write_text(text, "utf-8")

    study = live.add(tmp_path / "study", edit, "empathy")
    end = "each => { const words = document.createRange(); words.selectNodeContents(each);"
    end += " return words.getBoundingClientRect().right }"
    for width, guide in ((1440, False), (1024, False), (1440, True)):
        person = Person(study, new_context((width, 900)), next(live.names)).begin()
        page = person.page
        if guide:
            person.press("g")
            expect(page.locator("#drawer .guide").first).to_be_visible()
        seen = []
        for keys in ((), ("t", "1"), ("Enter", "3", "3", "3", "3", "3"), ("n",), ("Tab",)):
            person.press(*keys)
            hint = page.locator(".told .hint:visible")
            expect(hint).to_have_count(1)
            told = box(page, ".told")
            assert hint.evaluate(end) <= told["right"] + 1, (width, guide, hint.inner_text())
            seen.append([told["y"], told["height"], box(page, "#submit")["y"], box(page, ".send")["height"]])
        assert seen == [seen[0]] * 5, (width, guide)


@on_templates("in-car", "trajectories", "dialog-pairs")
def test_what_is_missing_is_said_and_nothing_moves(at: Any, name: str) -> None:
    person = at(name)
    page = person.page
    for size in (DESKTOP, (1920, 1080), (1366, 768)):
        resize(page, size)
        person.open()
        before = [box(page, each) for each in ("fieldset.active", "#submit", ".told")]
        person.press("Enter")
        expect(page.get_by_role("alert")).to_be_visible()
        after = [box(page, each) for each in ("fieldset.active", "#submit", ".told")]
        assert all(abs(a["y"] - b["y"]) <= 1 for a, b in zip(before, after, strict=True)), size
        assert all(abs(a["x"] - b["x"]) <= 1 for a, b in zip(before, after, strict=True)), size
        assert page.evaluate(OVERLAPPING) + page.evaluate(SIDEWAYS) == []


BADGE_AND_FIELD = """id => {
  const field = document.querySelector(`#${id} textarea`), badge = document.querySelector(`#${id} legend kbd`);
  const { outlineWidth, outlineOffset } = getComputedStyle(field);
  const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset);
  const words = document.createRange();
  words.selectNodeContents(badge.parentElement);
  const [name, key, box] = [words, badge, field].map(each => each.getBoundingClientRect());
  return { between: box.top - ring - Math.max(name.bottom, key.bottom), below: box.top > key.top + key.height / 2,
    aside: box.left - ring - key.right };
}"""


@pytest.mark.parametrize(
    ("name", "size", "keys"),
    [("in-car", (1366, 768), "g"), ("in-car", DESKTOP, "g"), ("empathy", DESKTOP, "t1")],
    ids=["beside the guidelines on a small desk", "beside the guidelines", "with what is demanded"],
)
def test_the_key_of_a_note_stands_clear_of_its_field_and_of_the_ring_around_it(
    at: Any, name: str, size: tuple[int, int], keys: str
) -> None:
    person = at(name, size)
    person.press(*keys)
    if "g" in keys:
        expect(person.page.locator("#drawer .guide").first).to_be_visible()
    person.press("n")
    expect(person.page.locator("textarea:visible").first).to_be_focused()
    note = str(person.page.locator("fieldset.text").first.get_attribute("id"))
    found = person.page.evaluate(BADGE_AND_FIELD, note)
    assert found["between"] >= 0 if found["below"] else found["aside"] >= 0, found


def test_phrases_for_a_note_stand_out_from_the_question_that_is_open(at: Any) -> None:
    person = at("empathy")
    person.press("n")
    page = person.page
    phrase = page.locator("fieldset.text.active .phrase").first
    ground = "each => getComputedStyle(each).backgroundColor"
    for scheme, wanted in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(30, 31, 29)")):
        page.emulate_media(color_scheme=scheme)
        expect(phrase).to_have_css("background-color", wanted)
    resize(page, PHONE)
    expect(phrase).not_to_have_css("background-color", str(page.locator(".sheet").evaluate(ground)))


def test_long_answers_to_tick_stand_on_a_line_each_whatever_room_there_is(at: Any) -> None:
    page = at("route-planning").page
    for size in (DESKTOP, (1920, 1080), (2560, 1440)):
        resize(page, size)
        boxes = [each.bounding_box() for each in page.locator("#q-caps .tag").all()]
        lines = {round(each["y"]) for each in boxes if each}
        assert len(lines) == len(boxes), size


IN_LINES = """each => {
  const words = document.createRange(), text = each.firstChild, lines = new Set(), broken = [];
  for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
    words.setStart(text, index);
    words.setEnd(text, index + word.length);
    const boxes = [...words.getClientRects()];
    for (const { top } of boxes) lines.add(Math.round(top));
    if (boxes.length > 1) broken.push(word);
  }
  return [lines.size, broken];
}"""


def test_what_is_shown_later_takes_few_lines_also_enlarged_and_beside_the_guidelines(at: Any) -> None:
    person = at("trajectories")
    page = person.page
    hint = page.locator(".waiting .empty")
    assert hint.evaluate(IN_LINES) == [2, []]
    assert box(page, ".waiting .empty")["x"] > box(page, ".waiting h2")["right"], "beside its label where there is room"
    person.press("g")
    expect(page.locator("#drawer .guide").first).to_be_visible()
    lines, broken = hint.evaluate(IN_LINES)
    assert lines <= 3
    assert broken == []
    person.press("g")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    lines, broken = hint.evaluate(IN_LINES)
    assert lines <= 4
    assert broken == []
    seen = box(page, "#content")["bottom"] - box(page, ".image")["y"]
    assert seen >= 100, "and more of the picture is seen"


def test_compact_rows_are_lower_and_the_text_is_smaller(at: Any) -> None:
    page = at("route-planning", (1440, 800)).page
    row, text = (
        "document.querySelectorAll('.question')[2].offsetHeight",
        "getComputedStyle(document.querySelector('.prose')).fontSize",
    )
    assert page.evaluate(f"[{row}, {text}]") == [34, "18px"]
    page.evaluate("document.documentElement.dataset.density = 'compact'")
    assert page.evaluate(f"[{row}, {text}]") == [30, "16px"]
    assert page.evaluate(SMALL, 24) == []


# --- Any size, both directions, larger text -------------------------------------------------------------------------


@on_templates("trajectories")
def test_everything_can_be_reached_at_any_size_in_both_directions_and_with_larger_text(at: Any, name: str) -> None:
    page = at(name, reduced_motion="reduce").page
    assert page.evaluate(MOVING) == 0
    for direction in ("ltr", "rtl"):
        turn_round(page, direction)
        assert page.locator("fieldset.question").count() > 1
        for question in page.locator("fieldset.question").all():
            question.focus()
            found = page.evaluate(OUTSIDE) + page.evaluate(OVERLAPPING)
            assert found == [], (direction, question.get_attribute("id"))
        for size in (DESKTOP, ZOOMED, PHONE, NARROW):
            resize(page, size)
            assert page.evaluate(SIDEWAYS) == [], (direction, size)
            assert page.evaluate(CUT) == [], (direction, size)
            assert page.evaluate(SMALL, 24 if size == DESKTOP else 44) == [], size
        resize(page, DESKTOP)
    page.evaluate("document.getElementById('judge').requestSubmit()")
    expect(page.get_by_role("alert")).to_be_visible()
    assert box(page, "#submit")["bottom"] <= DESKTOP[1]
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for size in (DESKTOP, PHONE):
        resize(page, size)
        assert page.evaluate(CUT) + page.evaluate(SIDEWAYS) + page.evaluate(OVERLAPPING) == [], size


@pytest.mark.parametrize("family", NOT_WIDE)
@on_templates("trajectories")
def test_nothing_is_cut_or_scrolls_sideways_in_other_fonts(at: Any, name: str, family: str) -> None:
    page = at(name, family=family).page
    for direction in ("ltr", "rtl"):
        turn_round(page, direction)
        for size in (DESKTOP, PHONE, NARROW):
            resize(page, size)
            found = page.evaluate(CUT) + page.evaluate(SIDEWAYS) + page.evaluate(OVERLAPPING)
            assert found == [], (direction, size)
    resize(page, DESKTOP)
    assert page.evaluate(OUTSIDE) == []


@on_templates("route-planning")
def test_enlarged_nothing_stays_in_the_way_of_what_has_the_focus(at: Any, name: str) -> None:
    person = at(name, ZOOMED)
    page = person.page
    assert page.evaluate(STUCK) == []
    assert page.evaluate(SOMETHING_WHOLE)
    for _ in range(25):
        person.press("Tab")
        assert page.evaluate(HIDDEN_FOCUS) == ""
    page.locator("#submit").scroll_into_view_if_needed()
    assert page.evaluate(SOMETHING_WHOLE) or page.locator(".question").last.is_visible()


ANY_TEXT = ["word " * 3000, "كيف حالك اليوم؟ " * 40, "漢字" * 400, "\U0001f600" * 200, "x" * 300, ""]


@on_templates("dialog-pairs", of=["in-car", "dialog-pairs", "trajectories"])
def test_any_text_is_shown_whole(at: Any, name: str) -> None:
    person = at(name)
    page = person.page
    for text in ANY_TEXT:
        sides = [{"text": text, "steps": [{"operation": "READ", "result": text}], "answer": text[:300]}] * 2
        goals = [{"id": "g", "text": text[:300] or "Goal"}]
        shown = {"turns": [{"user": text, "system": "Yes."}], "goals": goals, "earlier": [], "user": text}
        show(person, {**samples(person)[0].shown, **shown, "_candidates": sides, "question_text": text[:300]})
        for size in (DESKTOP, PHONE):
            resize(page, size)
            assert page.evaluate(SIDEWAYS) == [], (text[:5], size)
            assert page.evaluate(CUT) == [], (text[:5], size)
        assert text.strip() in page.locator("#content").evaluate("each => each.textContent")


def test_what_is_chosen_is_seen_without_colours(at: Any) -> None:
    page = at("route-planning", forced_colors="active").page
    page.locator("#q-caps label", has_text="Ignores a hard constraint").click()
    page.locator("#q-coherence .option").nth(2).click()
    border = "each => getComputedStyle(each).border"
    chosen, other, closed = (
        page.locator(each).evaluate(border)
        for each in (
            "#q-coherence .option >> nth=2",
            "#q-coherence .option >> nth=1",
            "#q-instruction_following .option >> nth=4",
        )
    )
    assert chosen.startswith("3px solid")
    assert other.startswith("1px solid")
    assert closed.startswith("1px dashed")
    bar = "each => getComputedStyle(each).borderInlineStartColor"
    ground = page.locator("#questions").evaluate("each => getComputedStyle(each).backgroundColor")
    assert page.locator("#q-fluency").evaluate(bar) == ground, "only the open question has a bar"
    assert page.locator("fieldset.active").evaluate(bar) != ground
    page.emulate_media(forced_colors="none")
    light = """each => { const [r, g, b] = getComputedStyle(each).backgroundColor.match(/[\\d.]+/g).map(Number);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b; }"""
    dark, bright = (page.locator("#q-coherence .option").nth(each).evaluate(light) for each in (2, 1))
    assert bright - dark > 100, "nor do they need hues"


# --- A phone: the questions as a sheet --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", first_of(["in-car"], ["trajectories"], "on other templates"))
def test_on_a_phone_the_bar_is_one_line_and_what_the_menu_opens_gives_the_focus_back(at: Any, name: str) -> None:
    page = at(name, PHONE).page
    assert box(page, ".bar")["height"] <= 52
    expect(page.locator(".bar .menu")).to_be_hidden()
    choose(page, "Support")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator(".bar .menu")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Menu")).to_be_focused()


def test_on_a_phone_the_bar_is_one_line_also_between_two_items(at: Any) -> None:
    person = at("in-car", PHONE)
    page = person.page
    page.goto(page.url + "/at/2")
    person.ready()
    person.press("2")
    expect(page.locator("#status")).to_have_text("Saved")
    for words in ("Saved", "Saving…"):
        page.locator("#status").evaluate("(each, words) => { each.textContent = words }", words)
        assert box(page, ".bar")["height"] <= 52, words
        assert page.evaluate(SIDEWAYS) + page.evaluate(SMALL, 44) + page.evaluate(CUT) == []
    page.locator("#place").evaluate("each => { each.textContent = 'Item 1118 of 2000' }")
    assert box(page, ".bar")["height"] <= 52
    assert page.evaluate(SIDEWAYS) == []


def handle(page: Page) -> str:
    return page.locator(".handle [data-toggle]").inner_text().strip()


def first_needed(page: Page) -> int:
    """The number of the first question that has to be answered: that one is open."""
    optional = page.locator("fieldset.question").evaluate_all("all => all.map(each => 'optional' in each.dataset)")
    return int(optional.index(False)) + 1


@on_templates("empathy")
def test_an_item_is_judged_by_touch_one_question_after_the_other(at: Any, name: str) -> None:
    person = at(name, PHONE, has_touch=True, is_mobile=True)
    page = person.page
    toggle, sheet, shown = (
        page.locator(".handle [data-toggle]"),
        page.locator(".sheet.open"),
        page.locator(".question:visible"),
    )
    count = page.locator("fieldset.question").count()
    needed = page.locator("fieldset.question:not([data-optional])").count()
    assert handle(page).startswith(f"1/{needed} ")
    if sheet.count() == 0:
        assert box(page, ".handle")["bottom"] == 844
        assert 62 <= box(page, ".sheet")["height"] <= 68
        toggle.tap()
    expect(sheet).to_have_count(1)
    expect(toggle).to_have_attribute("aria-expanded", "true")
    assert page.evaluate(SMALL, 44) == []
    for number in range(count):
        expect(shown).to_have_count(1)
        assert page.evaluate(OUTSIDE) == []
        here = shown.get_attribute("id")
        # Here and there, by turns: twice at once on the same spot is a double tap.
        options = shown.locator(".option, .tag")
        (options.last if number % 2 else options.first).tap()
        if not page.locator(f"{OPEN}, textarea[aria-required=true]").count():
            break
        expect(page.locator(f'[id="{here}"]')).to_be_hidden()
        if (note := page.locator(".question:visible textarea")).count():
            note.fill("because")
            break
    page.locator("#submit").tap()
    person.at_item(2)
    assert page.locator(".question:visible").count() <= 1


NUMBERS = """() => {
  const all = [...document.querySelectorAll("fieldset.question")];
  const needed = all.filter(each => !("optional" in each.dataset));
  return all.map(each => needed.includes(each) ? `${needed.indexOf(each) + 1}/${needed.length}` : "optional");
}"""


def test_the_sheet_steps_back_and_forth_and_counts_what_must_be_answered(at: Any) -> None:
    page = at("in-car", PHONE, has_touch=True, is_mobile=True).page
    back, forth = page.get_by_role("button", name="Previous question"), page.get_by_role("button", name="Next question")
    for _ in range(first_needed(page) - 1):
        back.tap()
    expect(back).to_have_attribute("aria-disabled", "true")
    numbers = page.evaluate(NUMBERS)
    needed = len([each for each in numbers if each != "optional"])
    expect(page.locator(".meter")).to_have_text(f"0 of {needed} answered")
    for number in numbers[1:]:
        forth.tap()
        assert handle(page).startswith(f"{number} ")
        expect(page.locator(".question:visible")).to_have_count(1)
    expect(forth).to_have_attribute("aria-disabled", "true")
    forth.tap(force=True)
    back.tap()
    assert handle(page).startswith(f"{numbers[-2]} ")
    page.locator(".handle [data-toggle]").tap()
    expect(page.locator(".sheet.open")).to_have_count(0)


def test_the_sheet_opens_at_the_end_of_the_content_and_nothing_jumps(at: Any) -> None:
    for _ in range(12):  # whose first item is long is drawn by lot
        page = at("empathy", PHONE, has_touch=True, is_mobile=True).page
        if page.evaluate("document.documentElement.scrollHeight > 1200"):
            break
    opened = page.locator(".sheet.open")
    expect(opened).to_have_count(0)
    last = "document.querySelector('#content').lastElementChild.previousElementSibling.getBoundingClientRect().bottom"
    page.evaluate("scrollTo(0, 200)")
    page.wait_for_timeout(100)
    expect(opened).to_have_count(0)
    page.evaluate("scrollTo(0, 1e6)")
    expect(opened).to_have_count(1)
    assert page.evaluate("scrollY + innerHeight") == pytest.approx(
        page.evaluate("document.documentElement.scrollHeight"), abs=2
    )
    assert page.evaluate(last) <= box(page, ".sheet")["y"] + 1, "the end of the text stays in view"
    page.locator(".handle [data-toggle]").tap()
    page.wait_for_timeout(100)
    expect(opened).to_have_count(0)


def test_what_is_missing_opens_the_sheet_at_the_first_of_it_and_keeps_the_place_in_the_text(at: Any) -> None:
    person = at("empathy", PHONE, has_touch=True, is_mobile=True)
    page = person.page
    page.evaluate("scrollTo(0, 120)")
    page.evaluate("document.getElementById('judge').requestSubmit()")
    expect(page.locator(".sheet.open")).to_have_count(1)
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("#q-emotion")).to_be_visible()
    expect(page.locator("#q-emotion .error")).to_be_visible()
    assert page.evaluate("scrollY") == 120
    assert page.evaluate(OUTSIDE) == []
    links = page.get_by_role("alert").get_by_role("link")
    assert links.evaluate_all(IN_THE_LINE) == ["Emotion recognition"], "the one that is open; the text keeps its room"
    assert box(page, ".send .alert .and-more")["y"] == box(page, ".send .alert p")["y"], "one line says it all"
    expect(links).to_have_count(5)  # for listeners
    page.locator(".handle [data-to='1']").tap()
    expect(page.locator("#q-validation")).to_be_visible()
    assert page.evaluate(SMALL, 44) == []


def test_only_a_tap_goes_on_by_itself_and_only_on_the_sheet(at: Any) -> None:
    person = at("empathy", PHONE)
    page = person.page
    page.locator("#q-emotion input").first.focus()
    expect(page.locator(".sheet.open")).to_have_count(1)
    person.press("Space", "ArrowDown")
    page.wait_for_timeout(400)
    expect(page.locator("fieldset.active")).to_have_id("q-emotion")
    resize(page, DESKTOP)
    page.locator("#q-emotion .option").first.click()
    page.wait_for_timeout(400)
    expect(page.locator("fieldset.active")).to_have_id("q-emotion")
    resize(page, PHONE)
    page.locator("#q-emotion .option").nth(2).click()
    expect(page.locator("fieldset.active")).to_have_id("q-validation")


# --- The checks themselves --------------------------------------------------------------------------------------------


def test_the_checks_see_what_is_wrong(at: Any) -> None:
    page = at("empathy").page

    def found(check: str, css: str, *given: Any) -> Any:
        page.evaluate(SPOIL, css)
        return page.evaluate(check, *given)

    assert any(found(fit.SCROLLS, ".option { min-height: 90px }"))
    assert found(OUTSIDE, ".options { transform: translateX(400px) }")
    assert found(OUTSIDE, ".question { margin-top: 99px }")
    assert found(SIDEWAYS, ".prose { width: 2000px }")
    assert found(SIDEWAYS, ".option { margin-inline-start: 900px }")
    assert found(SMALL, ".phrase { min-height: 10px; line-height: 1 }", 24)
    assert found(CUT, ".prose { height: 40px; overflow: hidden }")
    assert found(OVERLAPPING, ".question .ask { margin-block: -20px }")
    assert found(STUCK, ".bar { position: sticky; top: 0 }")
    assert found(MOVING, "")
    resize(page, ZOOMED)
    assert not found(SOMETHING_WHOLE, ".bar { min-height: 440px }")
    page.locator("#submit").focus()
    assert found(HIDDEN_FOCUS, ".bar { position: fixed; inset: 0 }")


def test_beside_the_guidelines_the_words_of_a_question_that_waits_take_no_room(at: Any) -> None:
    person = at("trajectories")
    page = person.page
    words = page.locator("fieldset[data-held]:not(.active) .waits").first
    expect(words).to_be_visible()
    person.press("g")
    expect(words).to_be_hidden()
