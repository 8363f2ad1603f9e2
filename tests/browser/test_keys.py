"""The keyboard, the mouse, and what may never happen with either."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import COUNT_KEYS, DESKTOP, Person, choose, until

pytestmark = pytest.mark.browser

SCALES = ["emotion", "validation", "helpfulness", "safety", "overall"]
MIDDLE = dict(zip(SCALES, [3, 4, 2, 3, 4], strict=True))
NOTE = "#q-note textarea"
SEEN = "link => getComputedStyle(link.closest('li')).position === 'static'"
IN_VIEW = """[...document.querySelectorAll("fieldset.scale")].filter(question =>
  [...question.querySelectorAll(".anchor")].every(anchor => anchor.getBoundingClientRect().width > 50)
).map(question => question.id)"""


def focused(page: Page) -> str:
    """The id of the question that has the focus, or of the element itself."""
    return str(page.evaluate("(document.activeElement.closest('fieldset') ?? document.activeElement).id"))


def active(page: Page) -> str:
    return str(page.locator("fieldset.active").get_attribute("id"))


def test_five_digits_and_enter_submit_an_item(person: Person) -> None:
    person.page.add_init_script(COUNT_KEYS)
    person.open()
    person.press("3", "4", "2", "3", "4", "Enter")
    person.at_item(2)
    assert person.page.evaluate("sessionStorage.keys") == "6"
    assert person.arrived() == [MIDDLE]


def test_a_digit_opens_the_next_question_and_the_anchors_of_the_open_one_are_in_view(
    person: Person, page: Page
) -> None:
    for number, key in enumerate(SCALES):
        assert active(page) == f"q-{key}"
        assert page.evaluate(IN_VIEW) == [f"q-{key}"], "the others are one line each"
        person.press("3")
        assert len(person.answers()) == number + 1
    assert active(page) == "q-overall", "there is nothing to go on to"


def test_a_meter_says_how_much_is_answered_and_submit_is_outlined_until_nothing_is_missing(
    person: Person, page: Page
) -> None:
    meter, submit = page.locator(".meter"), page.locator("#submit")
    outlined = "rgba(0, 0, 0, 0)"
    expect(meter).to_have_text("0 of 5 answered")
    expect(submit).to_have_css("background-color", outlined)
    person.press("3", "3", "3", "3")
    expect(meter).to_have_text("4 of 5 answered")
    expect(submit).to_have_css("background-color", outlined)
    person.press("5")
    expect(meter).to_have_text("5 of 6 answered"), "a note that a rule asks for counts as soon as it does"
    page.keyboard.type("warm")
    expect(meter).to_have_text("6 of 6 answered")
    expect(submit).not_to_have_css("background-color", outlined)


def test_a_numeral_is_a_key_and_no_question_is_numbered(person: Person, page: Page) -> None:
    titles = page.locator("legend").evaluate_all("all => all.map(each => each.innerText.trim())")
    assert [each for each in titles if any(sign.isdigit() for sign in each)] == []
    assert page.locator("#q-emotion .cap").all_inner_texts() == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize("extreme", ["1", "5"])
def test_a_lowest_or_highest_score_makes_the_note_required_at_once(person: Person, page: Page, extreme: str) -> None:
    label = page.locator("#q-note .optional")
    expect(label).to_have_text("optional")
    person.press("3", extreme)
    expect(label).to_contain_text("required: Say in a few words why")
    expect(page.locator(NOTE)).to_have_attribute("aria-required", "true")
    person.press("3", "3")
    assert focused(page) == "q-overall", "the scales come first"
    person.press("3")
    expect(page.locator(NOTE)).to_be_focused()

    person.press("Control+Enter")
    assert person.posts("submit") == []
    expect(page.locator("#alert")).to_contain_text("Note")
    page.keyboard.type(" ")
    person.press("Control+Enter")
    assert person.posts("submit") == [], "white space is not a note"

    page.keyboard.type("too short")
    person.press("Enter")
    assert person.posts("submit") == [], "Enter is a new line in the note"
    page.keyboard.type("to help")
    person.press("Control+Enter")
    person.at_item(2)
    [stored] = person.arrived()
    assert stored["note"] == "too short\nto help"


def test_taking_back_the_last_extreme_score_lifts_the_note(person: Person, page: Page) -> None:
    person.press("5", "3", "3", "3", "3", "Escape")
    page.locator("#q-emotion .option", has_text="4").click()
    expect(page.locator("#q-note .optional")).to_have_text("optional")
    person.press("Enter")
    person.at_item(2)
    assert person.arrived() == [dict(zip(SCALES, [4, 3, 3, 3, 3], strict=True))]


def test_enter_with_missing_answers_sends_nothing_and_leads_to_the_first_one(person: Person, page: Page) -> None:
    person.press("3", "4")
    page.locator("#q-overall .option").first.click()
    expect(page.locator("#status")).to_have_text("Saved")
    person.press("Enter")
    alert = page.get_by_role("alert")
    expect(alert).to_be_visible()
    expect(alert.get_by_role("link")).to_have_text(["Helpfulness", "Safety and boundaries", "Note"])
    assert focused(page) == "q-helpfulness"
    assert person.posts("submit") == []
    expect(page.locator("#q-helpfulness .error")).to_have_text("Please answer this question.")

    alert.get_by_role("link", name="Safety").click()
    assert focused(page) == "q-safety"
    person.press("2")
    assert person.answers()["safety"] == "2"


@pytest.mark.layout
@pytest.mark.parametrize("size", [DESKTOP, (1366, 768)], ids=["1440", "1366"])
def test_many_missing_answers_are_one_line_with_a_link_to_each_for_listeners(at: Any, size: tuple[int, int]) -> None:
    person = at("in-car", size=size)
    page = person.page
    person.press("Enter")
    alert = page.get_by_role("alert")
    expect(alert.locator("p")).to_have_text(re.compile(r"^\d+ answers are missing:$"))
    missing = int(alert.locator("p").inner_text().split()[0])
    assert missing >= 7
    links = alert.locator("a")
    shown = links.evaluate_all(f"all => all.filter({SEEN}).length")
    expect(alert.locator(".and-more")).to_have_text(
        re.compile(f"^and {missing - shown} more$" if shown > 1 else "more|…")
    )
    assert 1 <= shown < missing
    over = alert.bounding_box()
    assert over
    assert over["height"] < 40, "one line"
    expect(alert.get_by_role("link")).to_have_count(missing)
    alert.get_by_role("link").first.focus()
    person.press("Tab", "Shift+Tab")
    until(page, lambda: links.evaluate_all(f"all => all.every({SEEN})"))


def test_an_error_is_one_line_above_submit_with_a_bar_at_the_first_question_and_light_ones_at_the_others(
    person: Person, page: Page
) -> None:
    person.press("3", "4", "3")
    open_question = page.locator("#q-safety .option").first
    before = open_question.bounding_box()
    person.press("Enter")
    alert = page.get_by_role("alert")
    expect(alert.locator("p")).to_have_text("2 answers are missing:")
    expect(alert.get_by_role("link")).to_have_text(["Safety and boundaries", "Overall"])
    assert open_question.bounding_box() == before, "nothing jumps"
    over, button = alert.bounding_box(), page.locator("#submit").bounding_box()
    assert over
    assert button
    assert over["height"] < 40, "one line"
    assert over["y"] + over["height"] <= button["y"]
    bar = "each => getComputedStyle(each).borderInlineStartColor"
    strong, light, none = (page.locator(f"#q-{each}").evaluate(bar) for each in ("safety", "overall", "emotion"))
    assert len({strong, light, none}) == 3
    words = page.get_by_text("Please answer this question.")
    assert words.evaluate_all("all => all.filter(each => each.offsetWidth > 1).length") == 0, "one text, not three"
    person.press("3")
    assert page.locator("#q-overall").evaluate(bar) == strong, "the next one is the first now"


def test_what_is_put_right_goes_from_the_line_without_moving_anything(person: Person, page: Page) -> None:
    person.press("Enter")
    box = page.locator("#q-validation .option").nth(2)
    before = box.bounding_box()
    assert before
    page.locator("#q-emotion .option").nth(2).click()
    assert box.bounding_box() == before
    expect(page.locator("#alert a")).to_have_text(
        ["Validation and warmth", "Helpfulness", "Safety and boundaries", "Overall"]
    )
    expect(page.locator("#alert p")).to_have_text("4 answers are missing:")
    expect(page.locator("#q-emotion .error")).to_have_text("")
    page.locator("#q-emotion .option").nth(3).click()
    assert box.bounding_box() == before
    assert page.locator("fieldset.invalid").count() == 4
    page.locator("#heading").focus()
    person.press("3", "3", "3", "3", "3")
    assert page.locator("fieldset.invalid").count() == 0
    expect(page.locator("#alert p")).to_have_text("All is in order now.")
    assert page.locator("#alert").inner_text().strip() == "All is in order now."
    person.press("Enter")
    person.at_item(2)


@pytest.mark.layout
def test_the_line_above_submit_names_what_is_missing_now(at: Any) -> None:
    person = at("route-planning")
    page = person.page
    person.press("Enter")
    more = page.locator("#alert .and-more")
    expect(more).to_be_visible()
    line = page.locator("#alert").bounding_box()
    person.press("0", "3", "3", "3")
    expect(page.locator("#alert p")).to_have_text("2 answers are missing:")
    links = page.locator("#alert a")
    expect(links).to_have_text(["Safety", "Fluency"])
    assert links.evaluate_all(f"all => all.every({SEEN})"), "there is room for them now"
    expect(more).to_have_count(0)
    person.press("3")
    expect(links).to_have_text(["Fluency"])
    page.locator("#q-relevance .option").first.click()
    person.press("Delete")
    expect(links).to_have_text(["Relevance", "Fluency"])  # what is taken back is missing again
    expect(page.locator("#q-relevance .error")).to_have_text("Please answer this question.")
    assert page.locator("fieldset.foremost").get_attribute("id") == "q-relevance"
    assert page.locator("#alert").bounding_box() == line


def test_what_an_answer_demands_is_named_as_missing_too(person: Person, page: Page) -> None:
    person.press("Enter")
    person.press("1", "3", "3", "3")
    expect(page.locator("#alert a")).to_have_text(["Overall", "Note"])
    expect(page.locator("#alert p")).to_have_text("2 answers are missing:")
    assert page.locator("#q-note.invalid").count() == 1
    page.locator("#q-emotion .option").nth(2).click()
    expect(page.locator("#alert a")).to_have_text(["Overall"])
    assert page.locator("#q-note.invalid").count() == 0


def test_the_line_beside_submit_names_the_keys_of_the_open_question(at: Any) -> None:
    person = at("route-planning")
    hint = person.page.locator(".send .hint:visible")
    expect(hint).to_have_text("0-4 answer")  # nothing is ticked: Enter would not go on
    person.press("1")
    expect(hint).to_have_text("Enter next question")
    person.press("Enter")
    expect(hint).to_have_text("1-5 answer")
    person.press("n")
    expect(hint).to_have_text("Esc leave the note")
    person.press("Escape", "t", "1")
    expect(hint).to_have_text("0-4 answer")


def test_nothing_is_selected_on_a_new_item_even_after_all_highest_answers(person: Person, page: Page) -> None:
    assert person.chosen() == 0
    person.press("5", "5", "5", "5", "5")
    page.keyboard.type("moving")
    page.get_by_label("Self-harm").check()
    person.press("Control+Enter")
    person.at_item(2)
    assert person.chosen() == 0
    assert person.answers() == {}
    expect(page.locator("#status")).to_have_text("Saved")
    page.reload()
    person.at_item(2)
    assert person.chosen() == 0
    person.press("Enter")
    assert len(person.posts("submit")) == 1, "an untouched item is not sent"


def test_digits_and_letters_in_the_note_change_no_answer(person: Person, page: Page) -> None:
    person.press("3", "n")
    expect(page.locator(NOTE)).to_be_focused()
    page.keyboard.type("12345 grns? ")
    person.press("Backspace", "Delete")
    assert person.answers() == {"emotion": "3", "note": "12345 grns?"}
    assert page.locator("dialog[open]").count() == 0
    person.press("Escape", "2")
    assert person.answers()["note"] == "12345 grns?"


KEYS: list[tuple[dict[str, str | bool], str | None]] = [
    ({"key": "3", "code": "Numpad3"}, "3"),
    ({"key": '"', "code": "Digit3"}, "3"),
    ({"key": "٣", "code": "Digit3"}, "3"),
    ({"key": "٣", "code": "Numpad3"}, "3"),
    ({"key": "3", "code": "KeyW", "shiftKey": True}, "3"),
    ({"key": "PageDown", "code": "Numpad3"}, None),
    ({"key": "3", "code": "Digit3", "isComposing": True}, None),
    ({"key": "3", "code": "Digit3", "ctrlKey": True}, None),
    ({"key": "3", "code": "Digit3", "altKey": True}, None),
    ({"key": "6", "code": "Digit6"}, None),
    ({"key": "0", "code": "Digit0"}, None),
    ({"key": "F3", "code": "F3"}, None),
]


def test_a_digit_counts_by_its_sign_or_by_its_place_on_the_keyboard(person: Person, page: Page) -> None:
    for event, answer in KEYS:
        page.locator("#q-emotion legend").click()
        page.evaluate(
            "event => document.activeElement.dispatchEvent("
            "new KeyboardEvent('keydown', {...event, bubbles: true, cancelable: true}))",
            event,
        )
        assert person.answers() == ({"emotion": answer} if answer else {}), event
        page.locator("#q-emotion legend").click()
        person.press("Delete")


def test_with_shortcuts_off_no_single_key_does_anything_and_it_stays_off(person: Person, page: Page) -> None:
    person.press("?")
    page.get_by_label("Single-key shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()
    for _ in range(2):
        person.press("3", "n", "g", "s", "r", "?", "Backspace", "Delete")
        assert person.answers() == {}
        assert page.locator("dialog[open]").count() == 0
        assert page.locator("details[open]").count() == 0
        page.reload()
        person.ready()
    # The keys that every form has still work.
    for key in SCALES:
        page.locator(f"#q-{key} input").nth(2).focus()
        person.press("Space")
    person.press("Enter")
    person.at_item(2)
    assert person.arrived() == [dict.fromkeys(SCALES, 3)]


def test_an_item_can_be_judged_with_the_mouse_alone(person: Person, page: Page) -> None:
    for key in SCALES:
        page.locator(f"#q-{key} .option").nth(4).click()
        assert active(page) == f"q-{key}", "a click opens the question and stays there"
    page.get_by_role("button", name="template-like").click()
    page.get_by_role("button", name="truncated").click()
    page.get_by_label("Self-harm").click()
    page.get_by_role("button", name="Submit").click()
    person.at_item(2)
    assert person.arrived() == [{**dict.fromkeys(SCALES, 5), "note": "template-like; truncated", "edge": ["crisis"]}]


def test_what_is_pressed_is_what_is_answered_though_the_questions_open_and_close(person: Person, page: Page) -> None:
    # From the last question to the first, each on its one line, by the pointer's place and not by the element.
    for key in reversed(SCALES):
        box = page.locator(f"#q-{key} .option").nth(1).bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.wait_for_timeout(30)
        page.mouse.up()
        assert person.answers()[key] == "2"
    assert person.answers() == dict.fromkeys(SCALES, "2")


def test_a_double_click_answers_one_question(person: Person, page: Page) -> None:
    for number, key in enumerate(SCALES[1:], 1):
        page.locator(f"#q-{key} .option").nth(2).dblclick()
        assert person.answers() == dict.fromkeys(SCALES[1 : number + 1], "3")


def test_an_item_can_be_judged_with_tab_arrows_space_and_enter_alone(person: Person, page: Page) -> None:
    seen = []
    for _ in range(60):
        person.press("Tab")
        place = focused(page)
        key = place.removeprefix("q-")
        if key in SCALES and key not in seen:
            seen.append(key)
            assert active(page) == place, "the question opens as the focus comes in"
            person.press("Space", "ArrowDown", "ArrowDown")
            assert person.answers()[key] == "3"
            assert focused(page) == place, "an arrow moves to no other question"
        if place == "submit":
            break
    assert seen == SCALES, "the order of the keyboard is the order on the page"
    person.press("Enter")
    person.at_item(2)
    assert person.arrived() == [dict.fromkeys(SCALES, 3)]


def test_enter_held_down_submits_one_item(person: Person, page: Page) -> None:
    person.press("3", "3", "3", "3", "3")
    for _ in range(40):  # the second and later are repeats, as of a key that is held
        page.keyboard.down("Enter")
        page.wait_for_timeout(25)
    page.keyboard.up("Enter")
    person.at_item(2)
    assert person.arrived() == [dict.fromkeys(SCALES, 3)]
    assert len(person.posts("submit")) == 1
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_digit_held_down_answers_one_question(person: Person, page: Page) -> None:
    for _ in range(8):
        page.keyboard.down("4")
    page.keyboard.up("4")
    assert person.answers() == {"emotion": "4"}


@pytest.mark.parametrize("way", ["double click", "click and Enter", "Enter twice"])
def test_submitting_twice_in_a_hurry_submits_one_item(person: Person, page: Page, way: str) -> None:
    person.press("3", "3", "3", "3", "3")
    button = page.get_by_role("button", name="Submit")
    if way == "double click":
        button.dblclick()
    elif way == "click and Enter":
        button.click(no_wait_after=True)
        person.press("Enter")
    else:
        person.press("Enter", "Enter")
    person.at_item(2)
    page.wait_for_timeout(200)
    person.at_item(2)
    assert person.arrived() == [dict.fromkeys(SCALES, 3)]
    assert len(person.posts("submit")) == 1


def test_backspace_goes_back_and_delete_takes_the_answer_back(person: Person, page: Page) -> None:
    person.press("3", "4", "Backspace")
    assert active(page) == "q-validation"
    person.press("2")
    assert person.answers() == {"emotion": "3", "validation": "2"}
    person.press("Backspace", "Delete")
    assert person.answers() == {"emotion": "3"}
    expect(page.locator("#status")).to_have_text("Saved")
    page.reload()
    person.ready()
    assert person.answers() == {"emotion": "3"}


def test_shift_and_backspace_go_on_to_an_answered_question(person: Person, page: Page) -> None:
    person.press("3", "4", "2", "Backspace", "Backspace", "Backspace")
    assert active(page) == "q-emotion"
    person.press("Shift+Backspace", "Shift+Backspace")
    assert active(page) == "q-helpfulness"
    person.press("5", "?")
    assert person.answers() == {"emotion": "3", "validation": "4", "helpfulness": "5"}
    row = page.get_by_role("dialog").get_by_role("row", name="Shift Backspace")
    expect(row).to_contain_text("on to the question after")
    expect(page.get_by_role("dialog")).to_contain_text("when none does, it stays open")


def test_space_leaves_the_answer_that_a_digit_has_just_given(person: Person, page: Page) -> None:
    person.press("4", "4", "4", "4", "4", "Tab", "Shift+Tab")
    assert focused(page) == "q-overall"
    expect(page.locator("#q-overall input:focus")).to_have_value("4")
    person.press("3")
    expect(page.locator("#q-overall input:focus")).to_have_value("3")
    person.press("Space")
    assert person.answers()["overall"] == "3"
    person.press("Enter")
    person.at_item(2)


def test_an_answer_that_was_taken_back_comes_before_the_note(person: Person, page: Page) -> None:
    person.press("2", "1", "1", "4", "t", "7")
    expect(page.locator("#q-note .optional")).to_contain_text("required")
    expect(page.locator("#q-safety input:checked")).to_have_count(0)
    person.press("Enter")
    assert active(page) == "q-safety"
    person.press("1")
    assert active(page) == "q-overall"
    person.press("1")
    expect(page.locator(NOTE)).to_be_focused()


def test_a_phrase_leads_back_into_the_note_and_is_put_in_once(person: Person, page: Page) -> None:
    person.press("3", "3", "3", "3", "3", "n", "Tab")
    expect(page.locator(".phrase:focus")).to_have_count(1)
    phrase = page.locator(".phrase:focus .phrase-text").inner_text()
    assert page.locator("#submit").inner_text() == "Submit Ctrl Enter", "here Enter puts the phrase in"
    person.press("Enter")
    expect(page.locator(NOTE)).to_be_focused()
    expect(page.locator(NOTE)).to_have_value(phrase)
    person.press("Tab", "Enter")
    expect(page.locator(NOTE)).to_have_value(phrase)
    expect(page.locator(NOTE)).to_be_focused()
    page.keyboard.type("!")
    expect(page.locator(NOTE)).to_have_value(f"{phrase}!")
    person.press("Control+Enter")
    person.at_item(2)


def test_the_key_at_submit_is_the_one_that_submits_from_where_the_focus_is(person: Person, page: Page) -> None:
    submit = page.locator("#submit")
    for place in (".boundaries summary", "[data-dialog=problem]", ".bar a"):
        page.locator(place).first.focus()
        until(page, lambda: submit.inner_text() == "Submit Ctrl Enter")
    for place in ("#q-emotion input", "#submit", "#content"):
        page.locator(place).first.focus()
        until(page, lambda: submit.inner_text() == "Submit Enter")


def test_with_the_guidelines_in_hand_ctrl_and_enter_submit(person: Person, page: Page) -> None:
    person.press("3", "3", "3", "3", "3", "g")
    expect(page.locator("#drawer-text")).to_be_focused()
    expect(page.locator(".send")).to_contain_text("Ctrl Enter submit", use_inner_text=True)
    person.press("Control+Enter")
    person.at_item(2)


@pytest.mark.parametrize("template", ["in-car", "trajectories"])
def test_page_down_moves_what_helps_to_decide_and_escape_closes_it(at: Any, template: str) -> None:
    person = at(template)
    page = person.page
    person.press("r")
    shown = page.locator("fieldset.active .decide")
    last = shown.locator("dl, .examples").last
    expect(last).not_to_be_in_viewport(ratio=0.9)
    for _ in range(6):
        person.press("PageDown")
    expect(shown.locator("dd, p").last).to_be_in_viewport()
    for _ in range(6):
        person.press("PageUp")
    expect(shown.locator("h3").first).to_be_in_viewport()
    person.press("Escape")
    expect(page.locator("fieldset.active details")).not_to_have_attribute("open", "")
    expect(shown).to_be_hidden()


def test_letters_open_help_and_escape_leads_back(person: Person, page: Page) -> None:
    person.press("3", "r")
    expect(page.locator("#q-validation details")).to_have_attribute("open", "")
    for key, words in (("s", "If something"), ("?", "answer the open question")):
        before = focused(page)
        person.press(key)
        dialog = page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        if key != "s":
            expect(dialog).to_contain_text(words)
        person.press("2", "Escape")
        expect(dialog).to_have_count(0)
        assert focused(page) == before
    assert person.answers() == {"emotion": "3"}, "no key answers a question behind a dialog"


def test_the_guidelines_stand_beside_the_item_at_the_open_question_and_work_goes_on(person: Person, page: Page) -> None:
    guide = page.get_by_role("complementary", name="Guidelines")
    text = page.locator("#drawer-text")
    at_top = """each => [...each.querySelectorAll("h2, h3")].find(heading =>
      heading.getBoundingClientRect().bottom > each.getBoundingClientRect().top).textContent"""
    expect(guide).to_be_hidden()
    person.press("3", "g")
    expect(guide).to_be_visible()
    expect(text).to_be_focused()
    until(page, lambda: text.evaluate(at_top) == "Validation and warmth")
    beside = [page.locator(each).bounding_box() for each in ("#drawer", "#content", "#questions")]
    assert beside[0]
    assert beside[1]
    assert beside[2]
    assert beside[0]["width"] == 480
    assert beside[0]["x"] + 480 <= beside[1]["x"]
    assert beside[1]["x"] + beside[1]["width"] <= beside[2]["x"], "the item stays in sight"
    person.press("4")
    until(page, lambda: person.answers() == {"emotion": "3", "validation": "4"})  # digits answer on
    until(page, lambda: text.evaluate(at_top) == "Helpfulness")  # it goes with the open question
    guide.get_by_text("Contents").click()
    guide.get_by_role("link", name="Edge cases").click()
    until(page, lambda: text.evaluate(at_top) == "Edge cases")
    person.press("2")
    until(page, lambda: len(person.answers()) == 3)
    assert text.evaluate(at_top) == "Edge cases", "until somebody moves in it"
    page.reload()
    person.ready()
    expect(guide).to_be_visible()
    expect(page.locator("#heading")).to_be_focused()
    person.press("3", "3", "Enter")
    person.at_item(2)
    expect(guide).to_be_visible()
    person.press("Escape")
    expect(guide).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    choose(page, "Guidelines")
    sheet = page.locator("#drawer").bounding_box()
    assert sheet
    assert (sheet["x"], sheet["width"], sheet["y"] + sheet["height"]) == (0, 390, 844), "a sheet on a phone"
    page.get_by_role("button", name="Close").click()
    expect(guide).to_be_hidden()


@pytest.mark.parametrize("template", ["empathy", "dialog-pairs", "trajectories", "in-car"])
def test_how_to_decide_shows_the_key_that_opens_it(at: Any, template: str) -> None:
    person = at(template)
    page = person.page
    key = page.locator("fieldset.active summary kbd")
    for _ in range(2):
        expect(key).to_be_visible()
        person.press(key.inner_text().lower())
        expect(page.locator("fieldset.active details")).to_have_attribute("open", "")
        person.press(key.inner_text().lower(), "2")


def test_how_to_decide_is_looked_up_in_the_guidelines_where_a_question_has_no_help_of_its_own(at: Any) -> None:
    person = at("route-planning")
    page = person.page
    expect(page.locator("fieldset.active")).to_have_id("q-caps")
    person.press("r")
    expect(page.locator("#drawer .guide").first).to_be_visible()
    expect(page.locator("#drawer").get_by_role("heading", name="Special faults come first")).to_be_in_viewport()
    person.press("Escape", "0", "r")
    expect(page.locator("#drawer")).to_be_hidden()
    expect(page.locator("#q-coherence details")).to_have_attribute("open", "")


def test_a_count_of_failures_is_looked_up_where_its_score_is_spoken_of(at: Any) -> None:
    person = at("in-car")
    page = person.page
    person.press("c", "r")
    expect(page.locator("#drawer .guide").first).to_be_visible()
    section = page.locator("#drawer").get_by_role("heading", name="Instructions and constraints", exact=True)
    expect(section.first).to_be_in_viewport()


def test_enter_in_the_guidelines_submits_nothing(person: Person, page: Page) -> None:
    person.press("3", "3", "3", "3", "3", "g")
    expect(page.locator("#drawer-text")).to_be_focused()
    person.press("Enter", "PageDown")
    until(page, lambda: page.locator("#drawer-text").evaluate("each => each.scrollTop") > 0)
    person.at_item(1)
    person.press("g", "Enter")
    person.at_item(2)


def test_declining_is_asked_once_and_then_gives_another_item(person: Person, page: Page) -> None:
    person.press("3", "3", "3", "3", "3")
    expect(page.locator("#status")).to_have_text("Saved")
    page.get_by_role("button", name="Not this one").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Close").click()
    assert person.answers() == dict.fromkeys(SCALES, "3"), "a slip costs nothing"
    person.press("f")
    dialog.get_by_role("button", name="I would rather not judge this one").click()
    person.at_item(2)
    assert person.stored() == []
    assert person.chosen() == 0


def test_escape_leads_from_the_note_and_the_ticks_to_what_needs_an_answer(person: Person, page: Page) -> None:
    person.press("3", "3", "n")
    page.keyboard.type("word")
    person.press("Escape", "3", "t", "Escape", "4", "4")
    assert person.answers() == {**dict(zip(SCALES, "33344", strict=True)), "note": "word"}


def test_the_key_for_problems_leaves_nothing_out_by_itself(person: Person, page: Page) -> None:
    person.press("3", "f", "Enter", "Escape")
    person.at_item(1)
    assert person.answers() == {"emotion": "3"}


def test_what_holds_for_several_questions_is_seen_once(person: Person, page: Page) -> None:
    page.get_by_label("Empty or incoherent").check()
    expect(page.locator(".limit:not(:empty)")).to_have_count(5)
    expect(page.locator(".limit:not(:empty):visible")).to_have_count(1)
    page.locator("#q-overall legend").click()
    expect(page.locator("#q-overall .limit")).to_be_visible()
