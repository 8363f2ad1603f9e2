"""Every page of a coordinator, those that follow a form included: for everybody to use, and whole by keyboard."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from assay.items.imported_judgments import ImportedAnswers
from assay.model import Slot
from assay.store.coordinator import imported_judgments
from assay.web.app import wall_clock
from tests.browser.conftest import DESKTOP, PHONE, Live, NewContext
from tests.browser.test_pages import RULES, violations, violations_in_the_dark
from tests.web.test_questionnaire import AT_END, BEFORE

pytestmark = pytest.mark.browser

REACHED = """() => {
  // What Tab must come to: everything to press or to fill in that is seen; of several radios that go together, one.
  const groups = new Set();
  const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']");
  return [...all].filter(each => {
    if (each.disabled || each.type === "hidden" || !each.checkVisibility({ visibilityProperty: true })) return false;
    if (each.matches("a.unseen, .unseen *")) return false;
    if (each.type !== "radio") return true;
    const first = !groups.has(each.name);
    groups.add(each.name);
    return first;
  }).map((each, place) => { each.dataset.place = place; return each.outerHTML.slice(0, 90); });
}"""
AT = """() => {
  const at = document.activeElement;
  const radio = at.type === "radio" ? document.querySelector(`[name="${CSS.escape(at.name)}"]`) : at;
  const around = at.closest(".switch") ?? at;
  const marked = [at, around].some(each => getComputedStyle(each).outlineStyle !== "none");
  return [at === document.body ? null : Number(radio.dataset.place), marked];
}"""


def with_everything(folder: Path) -> None:
    """A study whose menu has all of its entries."""
    file = folder / "study.yaml"
    text = file.read_text("utf-8").replace("study: empathy\n", "study: reach\n")
    text = re.sub(r"^gates:.*\n", f"gates:\n- {json.dumps(BEFORE)}\n", text, flags=re.M)
    text = text.replace("analysis:\n", "analysis:\n  adjudicate_above: 0.5\n")
    care = {"check_in": {"every": 50, "coordinator_sees": True}}
    file.write_text(f"{text}at_end: {json.dumps(AT_END)}\ncare: {json.dumps(care)}\npay: {{per_item: 1}}\n", "utf-8")


@pytest.fixture(scope="module")
def reach(live: Live, tmp_path_factory: pytest.TempPathFactory) -> Live:
    here = live.add(tmp_path_factory.mktemp("reach") / "study", with_everything)
    bench = here.bench
    slots: dict[Slot, Any] = {Slot(each.dimension): 3 for each in bench.study.scored_dimensions}
    for who, note in (("ana", "kind"), ("ben", "cold")):
        said = {**slots, Slot("note"): note, Slot("overall"): 2 if who == "ana" else 5}
        given = [(f"emp-00{number}", ImportedAnswers(who, False, said)) for number in range(1, 5)]
        live.store.write(imported_judgments.add, bench.study_id, bench.study, given, wall_clock())
    return here


def packed(folder: Path) -> bytes:
    """The study's folder with one word changed, as a zip file."""
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w") as zipped:
        for file in sorted(each for each in folder.rglob("*") if each.is_file() and each.suffix not in (".db",)):
            content = file.read_bytes()
            if file.name == "study.yaml":
                content = content.replace(b"title: Replies", b"title: All replies")
            zipped.writestr(str(file.relative_to(folder)), content)
    return into.getvalue()


def every_page(reach: Live, page: Page) -> Iterator[str]:
    """Opens one page of the coordinator after the other, and says which it is."""
    home = f"{reach.address}/coordinate/reach"
    menu = page.locator("nav.menu a").evaluate_all("all => all.map(each => each.getAttribute('href'))")
    others = ["/annotator?name=ana", "/item?name=emp-001", "/talk-over?name=emp-001", "/texts", "/new-version"]
    for where in [*(address.removeprefix("/coordinate/reach") for address in menu), *others]:
        page.goto(f"{home}{where}")
        yield where or "/"
    page.locator("input[type=file]").set_input_files(
        {"name": "study.zip", "mimeType": "application/zip", "buffer": packed(reach.bench.folder)}
    )
    page.get_by_role("button", name="Show what would change").click()
    expect(page.get_by_role("heading", name="What has changed")).to_be_visible()
    yield "publish"
    page.goto(f"{home}/manage")
    page.locator("#names").fill("Cora")
    page.get_by_role("button", name="Make links", exact=True).click()
    page.wait_for_url("**/invited*")
    yield "invited"
    page.goto(f"{home}/manage")
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.get_by_role("button", name=re.compile("Close all the same|Close the study"))).to_be_visible()
    yield "close"
    page.goto(f"{home}/manage")
    page.locator("tr").filter(has_text="yours").get_by_role("button").click()
    expect(page.get_by_role("heading", name="This is the link you came by")).to_be_visible()
    yield "own-link"


SCROLLED_ASIDE = """() => [...document.querySelectorAll("*")].filter((each) =>
  each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1 && each.checkVisibility() &&
  ["auto", "scroll"].includes(getComputedStyle(each).overflowX)).map((each) => each.outerHTML.slice(0, 200))"""
"""What has more than can be seen, and has to be scrolled to the side for it."""
MENU = {"Dashboard", "Items", "People", "Flags", "Talk over", "Questionnaire", "Care", "Pay", "Manage", "Record"}


def opened(reach: Live, new_context: NewContext, **settings: Any) -> Page:
    page = new_context(**settings).new_page()
    page.goto(reach.coordinator_link())
    page.get_by_role("button", name="Open").click()
    expect(page.locator("nav.menu a").first).to_be_visible()
    assert set(page.locator("nav.menu a").all_inner_texts()) >= MENU
    return page


@pytest.mark.layout
def test_every_page_of_a_coordinator_can_be_used_by_everybody(reach: Live, new_context: NewContext) -> None:
    page = opened(reach, new_context, bypass_csp=True, reduced_motion="reduce")
    found = {}
    for name in every_page(reach, page):
        found[f"{name}, dark"] = violations_in_the_dark(page)
        for width, height in (PHONE, DESKTOP):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            if width == PHONE[0]:
                assert page.evaluate(SCROLLED_ASIDE) == [], name
            found[f"{name}, {width} wide"] = violations(page, RULES)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def _walk(page: Page, name: str) -> list[tuple[str, str, str]]:
    """What Tab does not come to on a page, or does not show that it has come to."""
    page.evaluate("document.activeElement.blur()")
    there = page.evaluate(REACHED)
    came: set[int] = set()
    wrong = []
    for _ in range(len(there) + 3):
        page.keyboard.press("Tab")
        at, marked = page.evaluate(AT)
        if at is None:
            break
        came.add(at)
        if not marked:
            wrong.append((name, "is not marked", there[at]))
    return wrong + [(name, "is not reached", there[at]) for at in range(len(there)) if at not in came]


def test_tab_comes_to_everything_on_every_page_and_shows_where_it_is(reach: Live, new_context: NewContext) -> None:
    page = opened(reach, new_context)
    wrong = []
    for name in every_page(reach, page):
        # What a page shows may be brought up to date meanwhile, which begins the walk anew: what is wrong stays wrong.
        wrong += min((_walk(page, name) for _ in range(3)), key=len) if _walk(page, name) else []
    assert wrong == []


@pytest.mark.layout
def test_every_page_begins_at_the_same_edge(reach: Live, new_context: NewContext) -> None:
    page = opened(reach, new_context)
    page.set_viewport_size({"width": 1920, "height": 1080})
    edges = {}
    for address in (
        "",
        "/items",
        "/flags",
        "/manage",
        "/record",
        "/people",
        "/annotator?name=ana",
        "/item?name=emp-001",
    ):
        page.goto(f"{reach.address}/coordinate/reach{address}")
        edges[address] = page.locator(".column").evaluate(
            "each => each.getBoundingClientRect().left + parseFloat(getComputedStyle(each).paddingLeft)"
        )
    assert max(edges.values()) - min(edges.values()) < 1, edges


def test_an_item_has_its_paragraphs(reach: Live, new_context: NewContext) -> None:
    page = opened(reach, new_context)
    page.goto(f"{reach.address}/coordinate/reach/item?name=emp-001")
    said = page.locator(".content .prose").first
    assert re.search(r"\n\s*\n", said.text_content() or ""), "its author has set paragraphs"
    assert re.search(r"\n\s*\n", said.inner_text())


@pytest.mark.layout
def test_five_people_with_long_names_fit_above_the_answers_to_all_items(reach: Live, new_context: NewContext) -> None:
    page = opened(reach, new_context)
    page.goto(f"{reach.address}/coordinate/reach/items")
    heads = page.locator("table.items thead th.n:has(> a)")
    assert heads.count() == 2
    page.locator("table.items").evaluate(
        """table => {
          const at = [...table.tHead.rows[0].cells].findIndex(each => each.matches(".n:has(> a)"));
          for (const row of table.rows)
            for (let more = 0; more < 3; more++) row.cells[at].after(row.cells[at].cloneNode(true));
        }"""
    )
    name = "003-featherstonehaugh-papadopoulos-konst"
    heads.locator("a").evaluate_all("(all, name) => all.forEach(each => { each.textContent = name; })", name)
    assert heads.count() == 5
    assert page.locator(".scroller").evaluate("each => each.scrollWidth - each.clientWidth") <= 1
