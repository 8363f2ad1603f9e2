"""The phrases of a note by key: P opens the note at them, digits put them in."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Live, NewContext, Person, until

pytestmark = pytest.mark.browser

NOTE = "#q-note textarea"
ORDINARY = ("3", "3", "3", "3", "3")


def test_p_leads_to_the_phrases_and_digits_put_them_in_once(person: Person, page: Page) -> None:
    person.press(*ORDINARY, "p")
    expect(page.locator("fieldset.active")).to_have_id("q-note")
    expect(page.locator(NOTE)).not_to_be_focused()
    person.press("2", "3", "2")
    expect(page.locator(NOTE)).to_have_value("truncated; template-like")
    person.press("Enter")
    person.at_item(2)
    person.arrived()
    assert person.stored()[0]["note"] == "truncated; template-like"


def test_shift_and_a_digit_take_a_phrase_out_and_leave_what_was_written(person: Person, page: Page) -> None:
    person.press("n")
    page.keyboard.type("odd; see below")
    person.press("Escape", "p", "1", "2", "Shift+Digit1")
    expect(page.locator(NOTE)).to_have_value("odd; see below; truncated")
    person.press("Shift+Digit1", "Shift+Digit4")
    expect(page.locator(NOTE)).to_have_value("odd; see below; truncated")


def test_taking_a_phrase_out_leaves_line_breaks_and_blanks_of_the_rest(person: Person, page: Page) -> None:
    note = page.locator(NOTE)
    note.fill("first  line ;odd\n\n  template-like\nlast line;")
    person.press("Escape", "p", "Shift+Digit3")
    expect(note).to_have_value("first  line ;odd\n\nlast line;")
    note.fill("truncated\n - see below")
    person.press("Escape", "p", "Shift+Digit2")
    expect(note).to_have_value("- see below")
    person.press("2", "Shift+Digit2")
    expect(note).to_have_value("- see below")


def test_a_phrase_with_a_semicolon_or_outer_blanks_goes_in_once_and_out_again(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: empathy\n", "study: phrased\n")
        file.write_text(re.sub(r"phrases: \[.*?\]", "phrases: ['cut; see (end)', '  odd ']", text, flags=re.S), "utf-8")

    person = Person(live.add(tmp_path / "study", edit, "empathy"), new_context(), next(live.names)).begin()
    note = person.page.locator(NOTE)
    person.press("p", "1", "1", "2", "2")
    expect(note).to_have_value("cut; see (end); odd")
    person.press("Shift+Digit1")
    expect(note).to_have_value("odd")
    person.press("Shift+Digit2")
    expect(note).to_have_value("")


def test_a_digit_in_the_text_of_a_note_is_a_sign_of_it(person: Person, page: Page) -> None:
    person.press("n")
    page.keyboard.type("p 2")
    expect(page.locator(NOTE)).to_have_value("p 2")


def test_from_a_note_that_is_required_escape_leads_to_its_phrases(person: Person, page: Page) -> None:
    person.press("1", "3", "3", "3", "3")
    expect(page.locator(NOTE)).to_be_focused()
    person.press("Escape", "2", "Enter")
    person.at_item(2)
    person.arrived()
    assert person.stored()[0]["note"] == "truncated"


def test_with_single_keys_off_phrases_are_reached_by_tab_alone(person: Person, page: Page) -> None:
    person.press("?")
    page.locator("#shortcuts").uncheck()
    person.press("Escape", "p", "2")
    expect(page.locator("fieldset.active")).to_have_id("q-emotion")
    page.locator(NOTE).focus()
    person.press("Tab", "2", "Tab", "Enter")
    expect(page.locator(NOTE)).to_have_value("truncated")


def german(name: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        file.write_text(file.read_text("utf-8").replace(f"study: {name}\n", "study: phrasen\nlanguage: de\n"), "utf-8")

    return edit


def test_the_keys_stand_on_the_phrases_and_in_the_list_of_keys(person: Person, page: Page) -> None:
    place = page.locator("#q-note .phrases")
    assert place.inner_text().split("\n") == [
        "P",
        "1 empty/incoherent response",
        "2 truncated",
        "3 template-like",
        "4 ambiguous input",
    ]
    person.press("?")
    expect(page.get_by_role("dialog").get_by_role("row", name="P to the phrases of the note")).to_be_visible()


def test_the_list_of_keys_names_them_in_german(live: Live, new_context: NewContext, tmp_path: Path) -> None:
    study = live.add(tmp_path / "study", german("empathy"), "empathy")
    person = Person(study, new_context(), next(live.names)).begin()
    person.press("?")
    expect(person.page.get_by_role("row", name="P zu den Textbausteinen der Notiz")).to_be_visible()


def test_a_study_whose_note_has_no_phrases_names_no_key_for_them(at: Any) -> None:
    person = at("in-car")
    person.press("?")
    expect(person.page.get_by_role("dialog").get_by_role("row", name="B take a break")).to_be_visible()
    expect(person.page.get_by_role("dialog").get_by_role("row", name="phrases")).to_have_count(0)


def test_between_two_candidates_phrases_stand_below_the_words_of_their_question(at: Any) -> None:
    person = at("trajectories")
    page = person.page
    person.press("p", "1")
    expect(page.locator("#q-comment textarea")).to_have_value("breaks off")
    phrases, rubric, sides = (page.locator(each).bounding_box() for each in (".phrases", ".rubrics", ".sides"))
    assert phrases
    assert rubric
    assert sides
    assert rubric["x"] - 1 <= phrases["x"]
    assert phrases["x"] + phrases["width"] <= sides["x"] + 1
    words = page.locator(".rubric.on p").bounding_box()
    assert words
    assert words["y"] + words["height"] <= phrases["y"]
    until(page, lambda: page.locator("#status").inner_text() == "Saved")
