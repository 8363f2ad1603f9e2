"""Items with several questions apart are talked over by a key for each item: what most said, taken back by another."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from assay.items.imported_judgments import ImportedAnswers
from assay.model import Slot
from assay.store.coordinator import adjudications, imported_judgments
from assay.web.app import wall_clock
from tests.browser.conftest import DESKTOP, PHONE, Live, NewContext
from tests.browser.test_coordinator import begin_to_talk_ten_over
from tests.browser.test_figures import CUT, TOUCHING
from tests.browser.test_pages import RULES, violations, violations_in_the_dark
from tests.conftest import Bench, make_bench
from tests.web.annotator import edited

pytestmark = pytest.mark.browser

MOST = (2, 5, 5)
NONE = (1, 3, 5)
"""What three people said: more than half of them one value, or nobody the same."""
PEOPLE = ("ana", "ben", "cleo")


def apart(live: Live, name: str, folder: Path, said: list[list[tuple[int, int, int]]]) -> Bench:
    """A study in which three people are apart on the first questions of its first items: as said of each of them."""
    bench = make_bench(live.store, folder, edit=edited(study=name, analysis="\n  adjudicate_above: 1.5"))
    slots = [Slot(each.dimension) for each in bench.study.scored_dimensions]
    for place, who in enumerate(PEOPLE):
        answers = [
            (
                f"emp-{number:03d}",
                ImportedAnswers(
                    who, False, {**dict.fromkeys(slots, 3), **{slots[n]: each[place] for n, each in enumerate(of_item)}}
                ),
            )
            for number, of_item in enumerate(said, 1)
        ]
        live.store.write(imported_judgments.add, bench.study_id, bench.study, answers, wall_clock())
    return bench


def opened(live: Live, bench: Bench, new_context: NewContext, size: tuple[int, int] = DESKTOP) -> Page:
    page = new_context(size, bypass_csp=True, reduced_motion="reduce").new_page()
    page.goto(Live(live.address, bench).coordinator_link())
    page.get_by_role("button", name="Open").click()
    page.goto(f"{live.address}/coordinate/{bench.study.study}/adjudicate")
    return page


def look(page: Page) -> None:
    """Keys that agree on values or take them back count once somebody can have seen the item."""
    expect(page.locator("html:not(.no-js)")).to_be_attached()
    page.wait_for_function("performance.now() > 600")


def test_ten_items_with_twenty_five_questions_are_talked_over_in_at_most_fifteen_actions(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    said = [[MOST] * (3 if number < 5 else 2) for number in range(10)]
    said[2][1] = said[7][0] = NONE
    bench = apart(live, "twenty-five", tmp_path / "study", said)
    page = opened(live, bench, new_context)
    page.goto(f"{live.address}/coordinate/twenty-five")
    actions = begin_to_talk_ten_over(page)
    while "/talk-over" in page.url:
        at = page.url
        expect(page.locator("[data-question][data-at]")).to_have_count(1)
        assert page.locator("input[type=radio]:checked").count() == 0, "nothing is chosen before a key is"
        asked = page.locator("[data-question]:not([data-agreed])")
        look(page)
        page.keyboard.press("m" if page.locator(".most").count() else "4")
        actions += 1
        page.wait_for_url(lambda url, at=at: url != at)
        if asked.count() == 1:
            expect(asked).to_be_focused()
    agreed = live.store.read(adjudications.agreed_values, bench.study_id)
    assert len(agreed) == sum(map(len, said)) == 25
    assert sorted(each.value for each in agreed) == [4, 4] + [5] * 23
    assert [each.reason for each in agreed].count("talked over on Monday; as most said (2 of 3)") == 23
    assert actions <= 15


def test_the_key_for_the_majority_is_taken_back_by_another(live: Live, new_context: NewContext, tmp_path: Path) -> None:
    bench = apart(live, "taken-back", tmp_path / "study", [[MOST, MOST]])
    page = opened(live, bench, new_context)
    page.get_by_role("link", name="Talk them over").click()
    look(page)
    page.keyboard.press("m")
    expect(page.locator("#last-kept")).to_contain_text("Item emp-001: 2 values kept")
    assert "/adjudicate" in page.url, "it was the last item"
    look(page)
    page.keyboard.press("u")
    expect(page.locator("[data-question]:not([data-agreed])")).to_have_count(2)
    assert live.store.read(adjudications.agreed_values, bench.study_id) == []


def test_a_key_that_is_held_down_agrees_on_one_item_and_not_on_the_next_that_nobody_has_looked_at(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    bench = apart(live, "held-down", tmp_path / "study", [[MOST, MOST], [MOST, MOST]])
    page = opened(live, bench, new_context)
    page.get_by_role("link", name="Talk them over").click()
    first = page.url
    look(page)
    page.keyboard.down("m")
    page.wait_for_url(lambda url: url != first)
    look(page)
    for _ in range(3):
        page.keyboard.down("m")  # without an up between them these are repeats
    expect(page.locator("[data-question]:not([data-agreed])")).to_have_count(2)
    expect(page.locator("#last-kept")).to_contain_text("2 values kept")
    page.keyboard.up("m")
    for key in ("u", "Enter"):
        page.keyboard.down(key)
        page.wait_for_load_state()
        look(page)
        at = page.url
        page.keyboard.down(key)
        page.wait_for_timeout(300)
        assert page.url == at
        page.keyboard.up(key)
    assert live.store.read(adjudications.agreed_values, bench.study_id) == []


def test_a_key_that_comes_before_the_item_can_have_been_seen_agrees_on_nothing(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    bench = apart(live, "too-soon", tmp_path / "study", [[MOST, MOST]])
    page = opened(live, bench, new_context)
    page.get_by_role("link", name="Talk them over").click()
    look(page)
    page.evaluate("performance.now = () => 300")
    at = page.url
    page.keyboard.press("m")
    page.wait_for_timeout(300)
    assert page.url == at
    page.evaluate("performance.now = () => 900")
    page.keyboard.press("m")
    expect(page.locator("#last-kept")).to_contain_text("2 values kept")


def test_a_question_left_open_by_hand_stays_open_whatever_most_have_said(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    bench = apart(live, "left-open", tmp_path / "study", [[MOST, MOST, MOST]])
    page = opened(live, bench, new_context)
    page.get_by_role("link", name="Talk them over").click()
    first = page.locator("[data-question]").first
    left = first.get_attribute("data-question")
    expect(first).to_have_attribute("data-at", "")
    page.keyboard.press("s")
    look(page)
    page.keyboard.press("m")
    expect(page.locator("[data-agreed]")).to_have_count(2)
    expect(first).to_be_focused()
    agreed = live.store.read(adjudications.agreed_values, bench.study_id)
    assert left not in {each.dimension for each in agreed}
    assert len(agreed) == 2
    page.keyboard.press("s")
    page.wait_for_url("**/adjudicate")


def test_who_writes_why_a_value_is_taken_back_writes_letters_and_digits(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    bench = apart(live, "written-why", tmp_path / "study", [[MOST, NONE]])
    page = opened(live, bench, new_context)
    page.get_by_role("link", name="Talk them over").click()
    look(page)
    page.keyboard.press("m")
    page.get_by_text("Take an agreed value back").click()
    why = page.locator("#take-back-why")
    why.focus()
    page.keyboard.type("jokes must use 2 of 3")
    expect(why).to_have_value("jokes must use 2 of 3")
    page.keyboard.press("Enter")
    expect(page.locator("[data-agreed]")).to_have_count(0)
    assert live.store.read(adjudications.agreed_values, bench.study_id) == []


@pytest.mark.layout
def test_the_page_of_majorities_can_be_used_by_everybody(live: Live, new_context: NewContext, tmp_path: Path) -> None:
    bench = apart(live, "most-seen", tmp_path / "study", [[MOST] * 4, [MOST, NONE], [NONE]])
    page = opened(live, bench, new_context)
    page.get_by_role("link", name="Talk them over").click()
    found = {}
    for step in ("majorities", "after one", "with one open"):
        found[f"{step}, dark"] = violations_in_the_dark(page)
        for width, height in (PHONE, DESKTOP):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, step
            assert page.evaluate(CUT) + page.evaluate(TOUCHING) == [], step
            found[f"{step}, {width} wide"] = violations(page, RULES)
        at = page.url
        most = page.get_by_role("button", name="As most said")
        if most.count():
            most.click()
            page.wait_for_url(lambda url, at=at: url != at)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_nothing_in_an_item_that_a_coordinator_looks_at_can_be_pressed_in_vain(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    bench = make_bench(live.store, tmp_path / "study", "trajectories")
    page = opened(live, bench, new_context)
    for where in ("item", "talk-over"):
        page.goto(f"{live.address}/coordinate/trajectories/{where}?name=sample_0000")
        expect(page.locator("html:not(.no-js)")).to_be_attached()
        expect(page.locator(".seen img, .seen image, .seen svg").first).to_be_visible()
        assert page.locator(".seen").locator("button:visible, kbd:visible").all_inner_texts() == []
